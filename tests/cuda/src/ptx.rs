//! An interpreter for the PTX that nvcc makes of integer kernels, one thread at a time.
//!
//! It exists to see what the device compiler does to the carry chains, without a GPU. It therefore
//! refuses what a GPU would take silently: an addition with carry where no carry was produced, or
//! where a borrow was; a read of a register never written; a misaligned or stray memory access.

mod instruction;
mod machine;
mod parse;
#[cfg(test)]
mod tests;

pub use machine::{Fault, Memory};
pub use parse::{Kernel, Module, ParseError};
