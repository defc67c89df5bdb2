//! The command line of fieldgen. Everything it does, the library does.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
