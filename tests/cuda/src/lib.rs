//! Runs generated CUDA headers without a GPU, in two ways, since each sees what the other cannot:
//!
//! - compiled for the host, where the word primitives are portable C++: fast, any limb count, and
//!   blind to what the device compiler does;
//! - as the PTX that nvcc makes of them, by an interpreter with the carry flag.
//!
//! Both run the same [operations](operation::Operation) against the same reference arithmetic.
//! nvcc is installed by `tests/cuda/install-nvcc` when it is first needed; see [`tools`].
//!
//! By default a few fields of each kind go through nvcc. More takes longer:
//!
//! - `FIELDGEN_CUDA_ALL=1 cargo test -p cuda-tests --test ptx`: the PTX of every field,
//! - `FIELDGEN_CUDA_ARCHES=all cargo test -p cuda-tests --test cubin`: machine code of every named
//!   field for every architecture,
//! - `CXX=clang++ cargo test -p cuda-tests --test host`: another compiler for the host.

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
