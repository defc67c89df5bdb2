//! Runs generated CUDA headers without a GPU, in two ways, since each sees what the other cannot:
//!
//! - compiled for the host, where the word primitives are portable C++: fast, any limb count, and
//!   blind to what the device compiler does;
//! - as the PTX that nvcc makes of them, by an interpreter with the carry flag.
//!
//! Both run the same [operations](operation::Operation) against the same reference arithmetic.

pub mod build;
pub mod cases;
pub mod field;
pub mod moduli;
pub mod operation;
pub mod ptx;
pub mod random;
pub mod run;
pub mod source;
pub mod suite;
pub mod tools;
