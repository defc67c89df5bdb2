//! Which rows there must be, and how good they must be.

use std::fmt;

use serde::Deserialize;

use crate::Result;
use crate::row::{Bench, Row};

const TARGETS: &str = include_str!("../targets.toml");

/// What is demanded of rows: of every combination of what is listed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    pub bench: Bench,
    pub fields: Vec<String>,
    pub ops: Vec<String>,
    pub peers: Vec<String>,
    /// The lengths, where a row has one.
    #[serde(default)]
    pub n: Vec<usize>,
    /// Instruction sets, any of which will do.
    #[serde(default)]
    pub isa: Vec<String>,
    /// Modelled processors.
    #[serde(default)]
    pub cpus: Vec<String>,
    /// The largest ratio that is good enough; without any limit, the row just has to be there.
    pub ratio: Option<f64>,
    /// The largest figure of ours that is good enough.
    pub ours: Option<f64>,
    /// The largest number of registers that is good enough.
    pub registers: Option<u32>,
    /// Whether the spread of the measurement may be added.
    #[serde(default)]
    pub plus_spread: bool,
}

/// A row that must be there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    pub bench: Bench,
    pub field: String,
    pub op: String,
    pub n: Option<usize>,
    pub cpu: Option<String>,
    pub peer: String,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.bench, self.field, self.op)?;
        if let Some(n) = self.n {
            write!(f, " n={n}")?;
        }
        if let Some(cpu) = &self.cpu {
            write!(f, " {cpu}")?;
        }
        write!(f, " against {}", self.peer)
    }
}

/// Why the gate is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    Missing(Wanted),
    /// The row, and each limit that it exceeds.
    Missed {
        wanted: Wanted,
        limits: Vec<String>,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Missing(wanted) => write!(f, "missing: {wanted}"),
            Failure::Missed { wanted, limits } => {
                write!(f, "missed:  {wanted}: {}", limits.join(", "))
            }
        }
    }
}

/// What a row must not exceed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    pub ratio: Option<f64>,
    pub ours: Option<f64>,
    pub registers: Option<u32>,
}

impl Limits {
    /// A phrase for each limit that the row exceeds.
    #[must_use]
    pub fn missed_by(&self, row: &Row) -> Vec<String> {
        let mut missed = Vec::new();
        if let Some(limit) = self.ratio.filter(|limit| row.ratio > *limit) {
            missed.push(format!("ratio {:.3}, at most {limit:.3}", row.ratio));
        }
        if let Some(limit) = self.ours.filter(|limit| row.ours > *limit) {
            missed.push(format!("{} {}, at most {limit}", row.ours, row.unit));
        }
        let registers = row.conditions.registers.unwrap_or(0);
        if let Some(limit) = self.registers.filter(|limit| registers > *limit) {
            missed.push(format!("{registers} registers, at most {limit}"));
        }
        missed
    }
}

/// The targets of this repository.
///
/// # Errors
///
/// If `targets.toml` is wrong.
pub fn targets() -> Result<Vec<Target>> {
    parse(TARGETS)
}

fn parse(text: &str) -> Result<Vec<Target>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        target: Vec<Target>,
    }
    let File { target } = toml::from_str(text)?;
    Ok(target)
}

impl Target {
    fn wanted(&self) -> Vec<Wanted> {
        fn or_none<T: Clone>(values: &[T]) -> Vec<Option<T>> {
            if values.is_empty() {
                vec![None]
            } else {
                values.iter().cloned().map(Some).collect()
            }
        }
        let mut all = Vec::new();
        for field in &self.fields {
            for op in &self.ops {
                for n in or_none(&self.n) {
                    for cpu in or_none(&self.cpus) {
                        for peer in &self.peers {
                            all.push(Wanted {
                                bench: self.bench,
                                field: field.clone(),
                                op: op.clone(),
                                n,
                                cpu: cpu.clone(),
                                peer: peer.clone(),
                            });
                        }
                    }
                }
            }
        }
        all
    }

    fn limits(&self, row: &Row) -> Limits {
        let allowance = if self.plus_spread {
            row.spread.unwrap_or(0.0)
        } else {
            0.0
        };
        Limits {
            ratio: self.ratio.map(|ratio| ratio + allowance),
            ours: self.ours,
            registers: self.registers,
        }
    }

    fn concerns(&self, wanted: &Wanted, row: &Row) -> bool {
        let isa = row.conditions.isa.as_ref();
        row.bench == wanted.bench
            && row.field == wanted.field
            && row.op == wanted.op
            && row.peer == wanted.peer
            && row.conditions.n == wanted.n
            && row.conditions.cpu == wanted.cpu
            && (self.isa.is_empty() || isa.is_some_and(|isa| self.isa.contains(isa)))
    }
}

/// What is missing among `rows` or not good enough, of what the targets demand within `scope`.
#[must_use]
pub fn check(targets: &[Target], rows: &[Row], scope: impl Fn(&Wanted) -> bool) -> Vec<Failure> {
    let mut failures = Vec::new();
    for target in targets {
        for wanted in target.wanted().into_iter().filter(&scope) {
            let Some(row) = rows.iter().find(|row| target.concerns(&wanted, row)) else {
                // Where two targets are for the same row it is missing once.
                if !failures.contains(&Failure::Missing(wanted.clone())) {
                    failures.push(Failure::Missing(wanted));
                }
                continue;
            };
            let limits = target.limits(row).missed_by(row);
            if !limits.is_empty() {
                failures.push(Failure::Missed { wanted, limits });
            }
        }
    }
    failures
}

/// The strictest of the limits that the targets set for a row; `None` where there is no target.
#[must_use]
pub fn limits(targets: &[Target], row: &Row) -> Option<Limits> {
    fn smaller<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
        match (a, b) {
            (Some(a), Some(b)) => Some(if b < a { b } else { a }),
            (a, b) => a.or(b),
        }
    }
    targets
        .iter()
        .filter(|target| {
            let wanted = target.wanted();
            wanted.iter().any(|wanted| target.concerns(wanted, row))
        })
        .map(|target| target.limits(row))
        .reduce(|a, b| Limits {
            ratio: smaller(a.ratio, b.ratio),
            ours: smaller(a.ours, b.ours),
            registers: smaller(a.registers, b.registers),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Conditions, Measurement};

    const TEXT: &str = r#"
        [[target]]
        bench = "cpu"
        fields = ["f"]
        ops = ["add", "mul"]
        peers = ["plonky3"]
        n = [256, 65536]
        isa = ["avx2", "avx512"]
        ratio = 1.0
        plus_spread = true

        [[target]]
        bench = "cpu"
        fields = ["f"]
        ops = ["mul"]
        peers = ["plonky3"]
        n = [256]
        isa = ["avx2", "avx512"]
        ratio = 0.8
    "#;

    fn row(op: &str, n: usize, isa: &str, ratio: f64) -> Row {
        let measurement = Measurement {
            bench: Bench::Cpu,
            field: "f".to_owned(),
            op: op.to_owned(),
            conditions: Conditions {
                n: Some(n),
                isa: Some(isa.to_owned()),
                ..Conditions::default()
            },
            unit: "ns/element",
            ours: ratio,
        };
        let mut row = measurement.against("plonky3", 1.0);
        row.spread = Some(0.02);
        row
    }

    #[test]
    fn what_is_good_enough_passes() {
        let rows = [
            row("add", 256, "avx2", 1.02),
            row("add", 65536, "avx512", 0.5),
            row("mul", 256, "avx2", 0.8),
            row("mul", 65536, "avx2", 1.0),
        ];
        assert_eq!(check(&parse(TEXT).unwrap(), &rows, |_| true), []);
    }

    #[test]
    fn missing_and_missed_rows_are_told() {
        let rows = [
            row("add", 256, "avx2", 1.021),
            row("add", 65536, "portable", 0.5),
            row("mul", 256, "avx2", 0.81),
        ];
        let targets = parse(TEXT).unwrap();
        let failures: Vec<String> = check(&targets, &rows, |_| true)
            .iter()
            .map(Failure::to_string)
            .collect();
        assert_eq!(
            failures,
            [
                "missed:  cpu f add n=256 against plonky3: ratio 1.021, at most 1.020",
                "missing: cpu f add n=65536 against plonky3",
                "missing: cpu f mul n=65536 against plonky3",
                "missed:  cpu f mul n=256 against plonky3: ratio 0.810, at most 0.800",
            ]
        );
        let quick = check(&targets, &rows, |wanted| wanted.n == Some(256));
        assert_eq!(quick.len(), 2);
    }

    #[test]
    fn the_strictest_target_counts() {
        let targets = parse(TEXT).unwrap();
        let ratio = |op, isa| limits(&targets, &row(op, 256, isa, 1.0)).map(|limits| limits.ratio);
        assert_eq!(ratio("mul", "avx2"), Some(Some(0.8)));
        assert_eq!(ratio("mul", "portable"), None);
        assert_eq!(ratio("neg", "avx2"), None);
    }

    #[test]
    fn other_limits_than_ratios() {
        let mut row = row("mul", 256, "avx2", 1.0);
        row.conditions.registers = Some(60);
        let limits = Limits {
            ratio: None,
            ours: Some(0.5),
            registers: Some(56),
        };
        assert_eq!(
            limits.missed_by(&row),
            ["1 ns/element, at most 0.5", "60 registers, at most 56"]
        );
    }

    #[test]
    fn the_targets_of_the_repository_can_be_read() {
        let targets = targets().unwrap();
        assert!(targets.iter().all(|target| !target.wanted().is_empty()));
    }
}
