//! What the comments at the top of generated files have in common.

use num_bigint::BigUint;

use crate::field::Field;
use crate::plan::Plan;

/// The modulus as written may span lines.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The modulus, and how much of `words` it takes.
pub(super) fn modulus(plan: &Plan, words: &str) -> String {
    let field = &plan.field;
    let written = one_line(&field.modulus_text);
    let hex = format!("{:#x}", field.modulus);
    let values = if written.eq_ignore_ascii_case(&hex) {
        written
    } else {
        format!("{written} = {hex}")
    };
    let spare = match plan.stored.bits() - field.bits {
        0 => "no spare bit".to_owned(),
        1 => "1 spare bit".to_owned(),
        bits => format!("{bits} spare bits"),
    };
    let (name, bits) = (&field.name, field.bits);
    format!("{name}: p = {values}, prime, {bits} bits, {spare} in {words}")
}

/// What is known of the multiplicative group.
pub(super) fn group(field: &Field) -> String {
    let generator = match (&field.generator, &field.factors) {
        (Some(generator), Some(factors)) => {
            let factors: Vec<String> = factors.iter().map(power).collect();
            format!(
                "generator {generator} (primitive: p - 1 = {})",
                factors.join(" * ")
            )
        }
        (Some(generator), None) => format!("generator {generator} (primitive)"),
        (None, _) => format!("no proven generator, non-residue {}", field.nonresidue),
    };
    format!("two-adicity {}, {generator}", field.two_adicity)
}

fn power((prime, exponent): &(BigUint, u32)) -> String {
    match exponent {
        1 => prime.to_string(),
        _ => format!("{prime}^{exponent}"),
    }
}
