//! Rows as text for people: one table per field, the ratio first.

use std::fmt::Write;

use crate::row::{Bench, Row};
use crate::targets::{Target, limits};

/// The tables of all fields.
#[must_use]
pub fn tables(rows: &[Row], targets: &[Target]) -> String {
    let mut text = String::new();
    for (bench, field) in subjects(rows) {
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|row| row.bench == bench && row.field == field)
            .collect();
        let _ = writeln!(text, "{bench}: {field}, {}", title(bench));
        text.push_str(&table(&rows, targets));
        text.push('\n');
    }
    text
}

/// Each pair of a bench and a field, in the order of their first rows.
pub(crate) fn subjects(rows: &[Row]) -> Vec<(Bench, &str)> {
    let mut subjects = Vec::new();
    for row in rows {
        let subject = (row.bench, row.field.as_str());
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    subjects
}

fn title(bench: Bench) -> &'static str {
    match bench {
        Bench::Cpu => "slices in nanoseconds for an element, ratio ours/theirs",
        Bench::Sass => {
            "CUDA in slots of the multiplier, ratio ours/theirs; `model` is the time in clocks of a \
             multiprocessor, max(slots/32, alu/64, total/128)"
        }
        Bench::Ark => "single elements in nanoseconds, ratio ours/theirs",
        Bench::Mca => {
            "AVX-512 loops in cycles for 16 elements by llvm-mca, ratio ours/theirs; `ops/2` is half \
             of the vector instructions, as there are two ports for them"
        }
    }
}

fn table(rows: &[&Row], targets: &[Target]) -> String {
    let mut lines = vec![
        [
            "ratio", "spread", "op", "where", "ours", "peer", "theirs", "target",
        ]
        .map(str::to_owned),
    ];
    lines.extend(rows.iter().map(|row| cells(row, targets)));
    let width = |column: usize| {
        lines
            .iter()
            .map(|line| line[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..8).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let mut out = String::from(" ");
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let is_number = [0, 1, 4, 6].contains(&column);
            let _ = if is_number {
                write!(out, " {cell:>width$}")
            } else {
                write!(out, " {cell:<width$}")
            };
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
}

fn cells(row: &Row, targets: &[Target]) -> [String; 8] {
    let conditions = &row.conditions;
    let mut place = Vec::new();
    place.extend(conditions.n.map(|n| n.to_string()));
    place.extend(conditions.isa.clone());
    place.extend(conditions.cpu.clone());
    place.extend(
        conditions
            .vector_ops
            .map(|ops| format!("ops/2 {:.2}", ops / 2.0)),
    );
    if let (Some(alu), Some(total)) = (conditions.alu, conditions.total) {
        let model = (row.ours / 32.0).max(alu / 64.0).max(total / 128.0);
        place.push(format!("alu {alu} total {total} model {model:.2}"));
    }
    place.extend(
        conditions
            .registers
            .map(|count| format!("registers {count}")),
    );
    place.extend(
        conditions
            .local_bytes
            .filter(|bytes| *bytes > 0)
            .map(|bytes| format!("local {bytes} B")),
    );
    place.extend(conditions.arch.clone());
    let recorded = if row.recorded.is_some() {
        " (recorded)"
    } else {
        ""
    };
    let verdict = limits(targets, row).map(|limits| {
        let mut parts = Vec::new();
        parts.extend(limits.ratio.map(|ratio| format!("{ratio:.2}")));
        parts.extend(limits.ours.map(|ours| format!("{ours} {}", row.unit)));
        parts.extend(limits.registers.map(|count| format!("{count} registers")));
        let sign = if limits.missed_by(row).is_empty() {
            "ok"
        } else {
            "MISSED"
        };
        format!("{} {sign}", parts.join(", "))
    });
    [
        format!("{:.3}", row.ratio),
        row.spread
            .map(|spread| format!("±{spread:.3}"))
            .unwrap_or_default(),
        row.op.clone(),
        place.join(" "),
        row.ours.to_string(),
        format!("{}{recorded}", row.peer),
        row.theirs.to_string(),
        verdict.unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Conditions, Measurement};

    #[test]
    fn one_table_for_each_field() {
        let row = |field: &str, op: &str| {
            let measurement = Measurement {
                bench: Bench::Cpu,
                field: field.to_owned(),
                op: op.to_owned(),
                conditions: Conditions {
                    n: Some(512),
                    isa: Some("avx2".to_owned()),
                    ..Conditions::default()
                },
                unit: "ns/element",
                ours: 0.2,
            };
            measurement.against("plonky3", 0.25)
        };
        let mut rows = [row("f", "add"), row("g", "add"), row("f", "inner_product")];
        rows[2].spread = Some(0.01);
        let text = tables(&rows, &[]);
        let expected = "\
cpu: f, slices in nanoseconds for an element, ratio ours/theirs
  ratio spread op            where    ours peer    theirs target
  0.800        add           512 avx2  0.2 plonky3   0.25
  0.800 ±0.010 inner_product 512 avx2  0.2 plonky3   0.25

cpu: g, slices in nanoseconds for an element, ratio ours/theirs
  ratio spread op  where    ours peer    theirs target
  0.800        add 512 avx2  0.2 plonky3   0.25

";
        assert_eq!(text, expected, "{text}");
    }
}
