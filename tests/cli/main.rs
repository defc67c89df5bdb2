//! The command as a user runs it: the real binary, in a directory of its own.

mod check;
mod determinism;
mod filter;
mod print;
mod support;
mod templates;
mod usage;
mod write;
