//! Measures what fieldgen generates beside the libraries that do the same.
//!
//! The command `bench` compiles and runs what is to be measured, and reports it. `bench-native`
//! holds the code of ours and of the others side by side; it is compiled by the command, with flags
//! of its own: for this processor, to be timed, and for AVX-512, to be counted.

pub mod asm;
pub mod mca;
pub mod native;
pub mod plot;
pub mod row;
pub mod sass;
pub mod statistics;
pub mod table;
pub mod targets;

/// What goes wrong is told to a person, who can do something about it.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
