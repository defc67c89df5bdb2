//! fieldgen turns one `fields.toml` into prime-field arithmetic: Rust and CUDA source code.
//!
//! ```toml
//! [[field]]
//! name = "baby_bear"
//! modulus = "2^31 - 2^27 + 1"
//! ```
//!
//! There is a command, `fieldgen`, for those who commit what is generated, and this library for
//! build scripts and other programs. In a build script ([`Builder`] says more):
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), fieldgen::Error> {
//!     fieldgen::Builder::new("fields.toml").write_to_out_dir()
//! }
//! ```
//!
//! ```ignore
//! // src/lib.rs
//! pub mod fields {
//!     include!(concat!(env!("OUT_DIR"), "/fieldgen/mod.rs"));
//! }
//! ```
//!
//! Such a package depends on fieldgen without its command line:
//!
//! ```toml
//! [build-dependencies]
//! fieldgen = { version = "0.1", default-features = false }
//! ```
//!
//! # How it works
//!
//! Data goes one way: the configuration (what the user wrote) → `Field` (what follows from each
//! modulus) → `Plan` (which algorithm each operation uses on each target, and why) → rendered
//! text ([`Generated`]) → files, written or checked. The text depends on nothing but the
//! configuration, the templates and the version of fieldgen.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod builder;
mod config;
mod diagnostic;
mod explain;
mod expr;
mod field;
mod generate;
mod json;
mod kernel;
mod nearest;
mod output;
mod plan;
mod prime;
mod schema;
mod target;

pub use builder::Builder;
pub use config::Target;
pub use diagnostic::Error;
pub use generate::Generated;
pub use output::{Drift, Stale, Written};

/// The JSON schema of `fields.toml`, for editors.
#[must_use]
pub fn schema() -> String {
    schema::json()
}
