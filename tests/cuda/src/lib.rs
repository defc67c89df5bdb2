//! Machinery that runs generated CUDA headers without a GPU.

pub mod ptx;
