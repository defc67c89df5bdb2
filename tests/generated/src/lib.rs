//! Generated code compiled for real and compared with arithmetic that shares nothing with it.
//!
//! The build script runs fieldgen on several sets of fields: the repository's own `fields.toml`,
//! small primes whose elements can all be tried, and a sweep over lengths and shapes of moduli.
//! [`generated`] compiles them. Every field is seen through [`test_field::TestField`]; [`checks`]
//! are the tests, written once, against [`model::Model`] (`num-bigint`) and against [`vectors`].

// The lists of fields that the build script writes name this crate, here as in its tests.
extern crate self as generated_tests;

pub mod adapter;
pub mod checks;
pub mod element;
pub mod generated;
pub mod model;
pub mod random;
pub mod report;
pub mod test_field;
pub mod values;
pub mod vectors;
