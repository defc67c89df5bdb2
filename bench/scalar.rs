//! The fields once more, for code that the compiler does not vectorise: see `build.rs`.

#[path = "../generated/mod.rs"]
pub mod generated;
