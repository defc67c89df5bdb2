//! The command line: see the library for what it does.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use bench::row::{Bench, Row};
use bench::targets::{self, Wanted};
use bench::{Result, mca, native, plot, sass, table};

/// Measures what fieldgen generates beside the libraries that do the same.
#[derive(Parser)]
struct Arguments {
    /// What to measure.
    #[arg(value_enum)]
    what: What,
    /// Print one JSON object a line instead of tables.
    #[arg(long)]
    json: bool,
    /// Slices of one length only.
    #[arg(long)]
    quick: bool,
    /// Fail, with a list, unless every target in `targets.toml` is reached.
    #[arg(long)]
    gate: bool,
    /// Write bar charts of the ratios into this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Slices against Plonky3, timed on this processor.
    Cpu,
    /// Loops for AVX-512 against Plonky3 and others, counted by llvm-mca.
    Mca,
    /// Single elements against arkworks, Plonky3 and Winterfell, timed on this processor.
    Ark,
    /// CUDA field operations, counted in machine code, beside recorded figures of others.
    Sass,
    /// Everything.
    All,
}

/// The length that is left with `--quick`.
const QUICK: usize = 512;

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let benches: &[Bench] = match arguments.what {
        What::Cpu => &[Bench::Cpu],
        What::Mca => &[Bench::Mca],
        What::Ark => &[Bench::Ark],
        What::Sass => &[Bench::Sass],
        What::All => &[Bench::Cpu, Bench::Mca, Bench::Ark, Bench::Sass],
    };
    let mut rows = Vec::new();
    for bench in benches {
        rows.extend(measure(*bench, arguments.quick)?);
    }

    let targets = targets::targets()?;
    if arguments.json {
        for row in &rows {
            println!("{}", serde_json::to_string(row)?);
        }
    } else {
        print!("{}", table::tables(&rows, &targets));
    }
    if let Some(directory) = &arguments.plots {
        plot::write(directory, &rows)?;
    }
    if arguments.gate {
        let scope = |wanted: &Wanted| {
            benches.contains(&wanted.bench)
                && !(arguments.quick && wanted.n.is_some_and(|n| n != QUICK))
        };
        let failures = targets::check(&targets, &rows, scope);
        for failure in &failures {
            eprintln!("{failure}");
        }
        if !failures.is_empty() {
            eprintln!("{} targets are not reached", failures.len());
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(bench: Bench, quick: bool) -> Result<Vec<Row>> {
    match bench {
        Bench::Cpu if quick => native::measure(&["cpu", "--quick"]),
        Bench::Cpu => native::measure(&["cpu"]),
        Bench::Ark => native::measure(&["ark"]),
        Bench::Sass => sass::count(),
        Bench::Mca => mca::count(&native::assembly()?),
    }
}
