//! fieldgen turns one `fields.toml` into prime-field arithmetic: Rust and CUDA source code.
//!
//! Data goes one way: [`Config`] (what the user wrote) → `Field` (what follows from each modulus)
//! → `Plan` (which algorithm each operation uses on each target, and why) → rendered text
//! ([`Generated`]) → files, written or checked.

mod config;
mod diagnostic;
mod expr;
mod field;
mod kernel;
mod nearest;
mod output;
mod plan;
mod prime;
mod target;

pub use config::Config;
pub use diagnostic::Error;
