//! What was decided, in words: the text of `--list` and `--explain`.

use num_bigint::BigUint;

use crate::config::Target;
use crate::field::{Field, Montgomery};
use crate::kernel::cost::Cost;
use crate::kernel::special;
use crate::plan::{Decision, Form, Plan, Shape, Stored};

/// A long modulus is shortened to this many characters in a table.
const MODULUS_WIDTH: usize = 32;

/// How the costs of CUDA code are compared.
const DEVICE_TIME: &str = "time is the largest of slots / 32, other / 64 and all / 128 clocks; of \
                           what is within 8 % of the least, the simplest is taken (*)";

/// One line a field, in columns under a heading.
pub(crate) fn list(plans: &[Plan]) -> String {
    let heading = ["FIELD", "MODULUS", "BITS", "STORED AS", "TARGETS"].map(str::to_owned);
    let rows = plans.iter().map(|plan| {
        [
            plan.field.name.clone(),
            shortened(&plan.field.modulus_text),
            plan.field.bits.to_string(),
            stored(plan.stored),
            target_names(plan),
        ]
    });
    table(std::iter::once(heading).chain(rows))
}

/// A paragraph a field: its numbers, then what was decided and why.
pub(crate) fn explain(plans: &[Plan]) -> String {
    let texts: Vec<String> = plans.iter().map(explain_one).collect();
    texts.join("\n")
}

fn explain_one(plan: &Plan) -> String {
    let field = &plan.field;
    let hex = hex(&field.modulus);
    let mut facts = vec![("modulus", field.modulus_text.clone())];
    if field.modulus_text.to_lowercase() != hex {
        facts.push(("", format!("= {hex}")));
    }
    facts.push(("size", size(field)));
    facts.push(("order", order(field)));
    facts.push(("roots", roots(field)));
    facts.push(("reduction", reduction(plan)));
    facts.push(("stored as", stored(plan.stored)));
    facts.push(("targets", target_names(plan)));

    let mut text = format!("{}\n", field.name);
    for (what, fact) in facts {
        text += &format!("  {what:<10} {fact}\n");
    }
    for decision in plan.decisions() {
        text += &explain_decision(&decision);
    }
    if plan.targets.contains(&Target::Cuda) {
        text += &format!("  {:<10} {DEVICE_TIME}\n", "cuda");
    }
    text
}

/// The algorithm or, where it has a cost, a table of it, marked, and all that was not taken.
fn explain_decision(decision: &Decision) -> String {
    let target = decision.target;
    let heading = format!("  {:<10} {}", target.name(), decision.operation);
    let Some(cost) = &decision.cost else {
        return format!("{heading}: {}\n", decision.algorithm);
    };
    let taken = [
        '*'.to_string(),
        modelled(target, cost),
        decision.algorithm.clone(),
    ];
    let others = decision.others.iter().map(|other| match &other.outcome {
        Ok(cost) => [
            String::new(),
            modelled(target, cost),
            other.algorithm.clone(),
        ],
        Err(bound) => {
            let why = format!("{}: {bound}", other.algorithm);
            [String::new(), "would be wrong".to_owned(), why]
        }
    });
    let rows = table(std::iter::once(taken).chain(others));
    let rows: String = rows.lines().map(|row| format!("    {row}\n")).collect();
    format!("{heading}:\n{rows}")
}

/// The counts of a program, and the time that a device takes for it.
fn modelled(target: Target, cost: &Cost) -> String {
    let counts = format!(
        "{:>6} slots {:>5} other {:>4} live",
        cost.slots(),
        cost.alu,
        cost.peak_words
    );
    match target {
        Target::Cuda => format!("{:>6.2} clocks {counts}", f64::from(cost.time()) / 128.0),
        Target::Rust | Target::Avx2 | Target::Avx512 => counts,
    }
}

fn size(field: &Field) -> String {
    let limbs = |montgomery: &Montgomery, word: u32| {
        format!(
            "{} of {word} bits ({} spare)",
            counted(montgomery.limbs, "limb"),
            montgomery.spare_bits
        )
    };
    let word32 = limbs(&field.word32, 32);
    let word64 = limbs(&field.word64, 64);
    format!("{}; {word64}; {word32}", counted(field.bits, "bit"))
}

fn order(field: &Field) -> String {
    let odd_part = hex(&field.odd_part);
    let product = format!("p - 1 = 2^{} * {odd_part}", field.two_adicity);
    match field.factors_text() {
        Some(factors) => format!("p - 1 = {factors}"),
        None => format!("{product} (the odd part is not factored)"),
    }
}

fn roots(field: &Field) -> String {
    let generator = match &field.generator {
        Some(generator) => format!("generator {generator} (primitive)"),
        None => "no generator proven".to_owned(),
    };
    format!(
        "{generator}; smallest non-residue {}; a root of unity of order 2^{}",
        field.nonresidue, field.two_adicity
    )
}

fn reduction(plan: &Plan) -> String {
    match plan.shape {
        Shape::Mersenne { exponent } => {
            format!("folding: p = 2^{exponent} - 1, so the high part is added to the low part")
        }
        Shape::Goldilocks => {
            "folding: p = 2^64 - 2^32 + 1, so 2^64 = 2^32 - 1 and 2^96 = -1".to_owned()
        }
        Shape::Montgomery => format!("Montgomery's, R = 2^{}", plan.stored.bits()),
        Shape::Special => format!(
            "folding: {} modulo p, so what is above is multiplied and added below",
            special::congruence(&plan.field.modulus)
        ),
        Shape::Barrett => "Barrett's, on canonical values".to_owned(),
    }
}

fn stored(stored: Stored) -> String {
    let word = format!("u{}", stored.word.bits());
    let words = match stored.words {
        1 => word,
        words => format!("[{word}; {words}]"),
    };
    match stored.form {
        Form::Canonical => format!("{words}, canonical"),
        Form::Montgomery => format!("{words}, Montgomery form"),
    }
}

fn target_names(plan: &Plan) -> String {
    let names: Vec<&str> = plan.targets.iter().map(|target| target.name()).collect();
    names.join(" ")
}

fn counted(number: u32, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn hex(number: &BigUint) -> String {
    format!("{number:#x}")
}

/// Head and tail of a text that is too long for a table.
fn shortened(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= MODULUS_WIDTH {
        return text.to_owned();
    }
    let kept = (MODULUS_WIDTH - "...".len()) / 2;
    let head: String = characters[..kept].iter().collect();
    let tail: String = characters[characters.len() - kept..].iter().collect();
    format!("{head}...{tail}")
}

/// Columns as wide as their widest cell, two blanks apart, without blanks at the end of a line.
fn table<const COLUMNS: usize>(rows: impl Iterator<Item = [String; COLUMNS]>) -> String {
    let rows: Vec<_> = rows.collect();
    let mut widths = [0; COLUMNS];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in &rows {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned() {
        let rows = [["a", "bcd", ""], ["long", "b", "c"]];
        let rows = rows.map(|row| row.map(str::to_owned)).into_iter();
        assert_eq!(table(rows), "a     bcd\nlong  b    c\n");
    }

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(shortened("2^31 - 1"), "2^31 - 1");
        let text = format!("0x12{}89", "0".repeat(60));
        let short = shortened(&text);
        assert!(short.len() <= MODULUS_WIDTH, "{short}");
        assert!(
            short.starts_with("0x12") && short.ends_with("89"),
            "{short}"
        );
    }
}
