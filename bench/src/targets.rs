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
    /// The largest ratio that is good enough; without one, the row just has to be there.
    pub ratio: Option<f64>,
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
    Missed {
        wanted: Wanted,
        ratio: f64,
        limit: f64,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Missing(wanted) => write!(f, "missing: {wanted}"),
            Failure::Missed {
                wanted,
                ratio,
                limit,
            } => write!(f, "missed:  {wanted}: ratio {ratio:.3}, at most {limit:.3}"),
        }
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

    /// The largest good ratio for this row.
    fn limit(&self, row: &Row) -> Option<f64> {
        let allowance = if self.plus_spread {
            row.spread.unwrap_or(0.0)
        } else {
            0.0
        };
        self.ratio.map(|ratio| ratio + allowance)
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
            if let Some(limit) = target.limit(row)
                && row.ratio > limit
            {
                let ratio = row.ratio;
                failures.push(Failure::Missed {
                    wanted,
                    ratio,
                    limit,
                });
            }
        }
    }
    failures
}

/// The smallest of the limits that the targets set for a row.
#[must_use]
pub fn limit(targets: &[Target], row: &Row) -> Option<f64> {
    targets
        .iter()
        .filter(|target| {
            target
                .wanted()
                .iter()
                .any(|wanted| target.concerns(wanted, row))
        })
        .filter_map(|target| target.limit(row))
        .min_by(f64::total_cmp)
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
        assert_eq!(limit(&targets, &row("mul", 256, "avx2", 1.0)), Some(0.8));
        assert_eq!(limit(&targets, &row("mul", 256, "portable", 1.0)), None);
        assert_eq!(limit(&targets, &row("neg", 256, "avx2", 1.0)), None);
    }

    #[test]
    fn the_targets_of_the_repository_can_be_read() {
        let targets = targets().unwrap();
        assert!(targets.iter().all(|target| !target.wanted().is_empty()));
    }
}
