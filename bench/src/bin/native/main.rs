//! Ours and theirs in one program. `bench` compiles and runs it; see there.
//!
//! It writes one row a line to the standard output, in JSON.

// Made by the build script: the generated fields, not vectorised.
extern crate scalar;

use std::error::Error;
use std::io::Write;

mod cpu;
#[path = "../../../../generated/mod.rs"]
mod generated;
mod kernels;
mod operands;
mod packed;
mod scalars;
mod turns;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    match arguments.first().map(String::as_str) {
        Some("cpu") => cpu::measure(quick, print),
        Some("ark") => scalars::measure(print),
        _ => return Err("this program is run by `bench`".into()),
    }
    Ok(())
}

fn print(row: bench::row::Row) {
    let mut out = std::io::stdout().lock();
    let text = serde_json::to_string(&row).expect("a row is an object");
    // Where nobody reads, nobody needs to be told.
    let _ = writeln!(out, "{text}");
}
