//! The command as a user runs it: the real binary, in a directory of its own.

mod check;
mod committed;
mod determinism;
mod filter;
mod print;
mod support;
mod templates;
mod usage;
mod write;
