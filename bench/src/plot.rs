//! Bar charts of ratios, in SVG: one for each field.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Result;
use crate::row::{Bench, Row};
use crate::table::subjects;

/// Ratios above this are cut off; the number beside the bar tells what they are.
const LARGEST: f64 = 2.0;
const LABELS: f64 = 180.0;
const CHART: f64 = 480.0;
const BAR: f64 = 12.0;
const GAP: f64 = 8.0;
const TOP: f64 = 56.0;

/// Told apart by most people who do not see all colours (by Okabe and Ito).
const COLOURS: &[&str] = &[
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
];

/// Writes one chart for each bench and field into a directory.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(directory: &Path, rows: &[Row]) -> Result<()> {
    fs::create_dir_all(directory)?;
    for (bench, field) in subjects(rows) {
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|row| row.bench == bench && row.field == field && is_plotted(row))
            .collect();
        if !rows.is_empty() {
            let file = directory.join(format!("{bench}_{field}.svg"));
            fs::write(file, chart(&format!("{bench}: {field}"), &rows))?;
        }
    }
    Ok(())
}

/// Of slices, one length that fits in a cache and one that does not are enough to see.
fn is_plotted(row: &Row) -> bool {
    match row.bench {
        Bench::Cpu => {
            row.peer != "ours-portable" && matches!(row.conditions.n, Some(512 | 1_048_576))
        }
        Bench::Mca | Bench::Ark | Bench::Sass => true,
    }
}

/// What a bar stands for, the operation apart.
fn series(row: &Row) -> String {
    let mut name = row.peer.clone();
    if let Some(n) = row.conditions.n {
        let _ = write!(name, ", {n} elements");
    }
    if let Some(cpu) = &row.conditions.cpu {
        let _ = write!(name, ", {cpu}");
    }
    name
}

fn chart(title: &str, rows: &[&Row]) -> String {
    let (mut ops, mut names) = (Vec::new(), Vec::new());
    for row in rows {
        if !ops.contains(&row.op.as_str()) {
            ops.push(row.op.as_str());
        }
        if !names.contains(&series(row)) {
            names.push(series(row));
        }
    }
    let x = |ratio: f64| LABELS + ratio.min(LARGEST) / LARGEST * CHART;
    let legend = 16.0 * (names.len() as f64 + 1.0);
    let mut bars = String::new();
    let mut y = TOP + legend;
    let top = y;
    for op in ops {
        let of_op: Vec<&&Row> = rows.iter().filter(|row| row.op == op).collect();
        let middle = y + BAR * of_op.len() as f64 / 2.0 + 4.0;
        let _ = writeln!(
            bars,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{op}</text>",
            LABELS - 8.0
        );
        for row in of_op {
            let colour = names
                .iter()
                .position(|name| *name == series(row))
                .unwrap_or(0);
            let width = x(row.ratio) - LABELS;
            let _ = writeln!(
                bars,
                "<rect x=\"{LABELS}\" y=\"{y}\" width=\"{width:.1}\" height=\"{}\" fill=\"{}\"/>\n\
                 <text x=\"{:.1}\" y=\"{}\" font-size=\"9\">{:.2}</text>",
                BAR - 2.0,
                COLOURS[colour % COLOURS.len()],
                x(row.ratio) + 4.0,
                y + BAR - 3.5,
                row.ratio,
            );
            y += BAR;
        }
        y += GAP;
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"16\">{title}</text>\n\
         <text x=\"16\" y=\"42\">time ours / time theirs: shorter is better for us, 1 is the \
         same</text>\n",
        LABELS + CHART + 60.0,
        y + 16.0,
    );
    for (index, name) in names.iter().enumerate() {
        let y = TOP + 16.0 * index as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{LABELS}\" y=\"{y}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n\
             <text x=\"{}\" y=\"{}\">{name}</text>",
            COLOURS[index % COLOURS.len()],
            LABELS + 16.0,
            y + 9.0,
        );
    }
    svg.push_str(&bars);
    let _ = writeln!(
        svg,
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{y}\" stroke=\"black\" \
         stroke-dasharray=\"4 3\"/>\n</svg>",
        x(1.0),
        top - 4.0,
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Conditions, Measurement};

    #[test]
    fn bars_are_as_long_as_ratios_and_cut_off() {
        let row = |op: &str, ours: f64| {
            let measurement = Measurement {
                bench: Bench::Mca,
                field: "f".to_owned(),
                op: op.to_owned(),
                conditions: Conditions {
                    cpu: Some("znver4".to_owned()),
                    ..Conditions::default()
                },
                unit: "cycles/16",
                ours,
            };
            measurement.against("plonky3", 1.0)
        };
        let rows = [row("add", 0.5), row("mul", 16.0)];
        let svg = chart("f", &rows.iter().collect::<Vec<_>>());
        assert!(
            svg.contains("width=\"120.0\" height=\"10\" fill=\"#0072b2\""),
            "{svg}"
        );
        assert!(
            svg.contains("width=\"480.0\" height=\"10\" fill=\"#0072b2\""),
            "{svg}"
        );
        assert!(
            svg.contains(">16.00<") && svg.contains(">plonky3, znver4<"),
            "{svg}"
        );
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
    }
}
