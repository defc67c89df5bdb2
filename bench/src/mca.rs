//! Loops for AVX-512, counted by llvm-mca's models of processors.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::{env, thread};

use serde::Deserialize;

use crate::Result;
use crate::asm::{Assembly, Loop};
use crate::row::{Bench, Conditions, Measurement, Row, round};

const CPUS: &[&str] = &["skylake-avx512", "sapphirerapids", "znver4"];
const ITERATIONS: u32 = 2000;

/// The fields, with the size of their elements in bytes.
const FIELDS: &[(&str, f64)] = &[
    ("baby_bear", 4.0),
    ("koala_bear", 4.0),
    ("mersenne31", 4.0),
    ("goldilocks", 8.0),
];

/// Consists of several loops, one after the other, and an inversion.
const NOT_COUNTED: &str = "batch_inverse";

const RECORDED: &str = include_str!("../recorded/avx512.toml");

/// Counts our loops and those of Plonky3 in the assembly of `bench-native`; adds recorded figures.
///
/// # Errors
///
/// If llvm-mca is missing or fails, or if a loop cannot be made out.
pub fn count(assembly: &str) -> Result<Vec<Row>> {
    let assembly = Assembly::parse(assembly);
    let recorded = recorded()?;
    let mut rows = Vec::new();
    for &(field, element_bytes) in FIELDS {
        eprintln!("counting {field}");
        let module = |name: &str| format!("bench_native::kernels::{field}::{name}::");
        let ours = module("avx512");
        for path in assembly.paths() {
            let Some(op) = path.strip_prefix(&ours).filter(|op| *op != NOT_COUNTED) else {
                continue;
            };
            let figures = Figures::of(&assembly, path, element_bytes)?;
            let variants = variants(&assembly, &module("plonky3"), op, element_bytes)?;
            for (index, cpu) in CPUS.iter().enumerate() {
                let measurement = Measurement {
                    bench: Bench::Mca,
                    field: field.to_owned(),
                    op: op.to_owned(),
                    conditions: Conditions {
                        cpu: Some((*cpu).to_owned()),
                        vector_ops: Some(round(figures.vector_ops, 4)),
                        ..Conditions::default()
                    },
                    unit: "cycles/16",
                    ours: figures.cycles[index],
                };
                let best = variants.iter().map(|figures| figures.cycles[index]);
                if let Some(theirs) = best.min_by(f64::total_cmp) {
                    rows.push(measurement.against("plonky3", theirs));
                }
                for peer in recorded
                    .iter()
                    .filter(|peer| peer.fields.iter().any(|f| f == field))
                {
                    if let Some(theirs) = peer.cycles.get(op).and_then(|cycles| cycles.get(*cpu)) {
                        let mut row = measurement.against(&peer.name, *theirs);
                        row.recorded = Some(peer.source.clone());
                        rows.push(row);
                    }
                }
            }
        }
    }
    Ok(rows)
}

/// The figures of all functions for an operation in a module.
fn variants(
    assembly: &Assembly,
    module: &str,
    op: &str,
    element_bytes: f64,
) -> Result<Vec<Figures>> {
    assembly
        .paths()
        .into_iter()
        .filter(|path| {
            path.strip_prefix(module)
                .is_some_and(|name| is_variant(name, op))
        })
        .map(|path| Figures::of(assembly, path, element_bytes))
        .collect()
}

/// Whether a function of that name is one of several ways to do the operation.
fn is_variant(name: &str, op: &str) -> bool {
    name.strip_prefix(op)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("_by_") || rest.starts_with("_of_"))
}

/// A loop's figures for 16 elements.
struct Figures {
    vector_ops: f64,
    /// In the order of `CPUS`.
    cycles: Vec<f64>,
}

impl Figures {
    #[expect(clippy::cast_precision_loss, reason = "counts of a few hundred")]
    fn of(assembly: &Assembly, path: &str, element_bytes: f64) -> Result<Self> {
        let Loop {
            text,
            vector_ops,
            bytes,
        } = assembly
            .hottest_loop(path)
            .filter(|found| found.bytes > 0)
            .ok_or_else(|| format!("{path}: no loop that advances by a constant"))?;
        let sixteens = bytes as f64 / element_bytes / 16.0;
        let runs: Vec<_> = CPUS
            .iter()
            .map(|cpu| {
                let text = text.clone();
                thread::spawn(move || cycles(&text, cpu).map_err(|error| error.to_string()))
            })
            .collect();
        let cycles = runs
            .into_iter()
            .map(|run| Ok(run.join().expect("no panic")? / sixteens))
            .collect::<Result<_>>()
            .map_err(|error| format!("{path}: {error}"))?;
        Ok(Self {
            vector_ops: vector_ops as f64 / sixteens,
            cycles,
        })
    }
}

/// Cycles for an iteration of a loop.
fn cycles(text: &str, cpu: &str) -> Result<f64> {
    let program = env::var_os("LLVM_MCA").unwrap_or("llvm-mca-19".into());
    let mut child = Command::new(&program)
        .args(["-march=x86-64", &format!("-mcpu={cpu}")])
        .arg(format!("-iterations={ITERATIONS}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            format!(
                "{}: {error} (Debian's package llvm-19 has llvm-mca-19; or set LLVM_MCA)",
                program.display()
            )
        })?;
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(text.as_bytes())?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let total = total_cycles(&String::from_utf8_lossy(&output.stdout))
        .ok_or("llvm-mca does not tell the total of cycles")?;
    Ok(total / f64::from(ITERATIONS))
}

fn total_cycles(report: &str) -> Option<f64> {
    report
        .lines()
        .find_map(|line| line.strip_prefix("Total Cycles:"))?
        .trim()
        .parse()
        .ok()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    peer: Vec<RecordedPeer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedPeer {
    name: String,
    source: String,
    fields: Vec<String>,
    /// By operation, then by processor.
    cycles: BTreeMap<String, BTreeMap<String, f64>>,
}

fn recorded() -> Result<Vec<RecordedPeer>> {
    let Recorded { peer } = toml::from_str(RECORDED)?;
    Ok(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report() {
        let report = "Iterations:        2000\nInstructions:      12000\nTotal Cycles:      5010\n";
        assert_eq!(total_cycles(report), Some(5010.0));
        assert_eq!(total_cycles("error"), None);
    }

    #[test]
    fn tells_variants_from_other_operations() {
        assert!(is_variant("sum", "sum"));
        assert!(is_variant("sum_by_8", "sum"));
        assert!(!is_variant("mul_add", "mul"));
        assert!(!is_variant("mul", "mul_add"));
    }

    #[test]
    fn recorded_figures_are_for_the_processors_that_are_modelled() {
        for peer in recorded().unwrap() {
            for (op, cycles) in peer.cycles {
                assert!(
                    cycles.keys().map(String::as_str).eq({
                        let mut cpus = CPUS.to_vec();
                        cpus.sort_unstable();
                        cpus
                    }),
                    "{}: {op}",
                    peer.name
                );
            }
        }
    }
}
