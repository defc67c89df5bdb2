//! What the operations of one-word fields are computed by, in words: the code itself is template
//! text.

use crate::kernel::special;

use super::square_root::Logarithm;
use super::{Plan, Shape, WordSize};
use crate::config::Target;

/// One operation, or several that are computed alike.
#[derive(Debug, Clone)]
pub struct Algorithm {
    pub operation: &'static str,
    /// How, and why that is right.
    pub algorithm: String,
}

pub(super) fn algorithm(operation: &'static str, algorithm: impl Into<String>) -> Algorithm {
    let algorithm = algorithm.into();
    Algorithm {
        operation,
        algorithm,
    }
}

/// Portable Rust.
pub fn rust(plan: &Plan) -> Vec<Algorithm> {
    let word = plan.stored.word.bits();
    let add = if plan.field.bits < word {
        format!("sum, one correction (2 p < 2^{word})")
    } else {
        format!("a - (p - b), one correction (no spare bit: a + b can leave a u{word})")
    };
    vec![
        algorithm("add, double", add),
        algorithm("sub, neg", "difference, p added after a borrow"),
        algorithm("mul, square", mul(plan)),
        algorithm("inverse", "Euclid's algorithm; in constant time x^(p - 2)"),
        algorithm("legendre", LEGENDRE),
        algorithm("sqrt", square_root(plan)),
    ]
}

/// Where one word and several are alike.
pub(super) const LEGENDRE: &str = "Jacobi symbol by the binary algorithm";

/// Square roots.
pub(super) fn square_root(plan: &Plan) -> String {
    if plan.field.two_adicity == 1 {
        return "x^((p + 1) / 4), as p = 3 mod 4".to_owned();
    }
    let log = Logarithm::new(plan);
    let tables = match log.digits {
        1 => "a table".to_owned(),
        count => format!("{count} tables"),
    };
    format!(
        "x^((q - 1) / 2), q the odd part of p - 1; then a logarithm of {} bits by {tables} of {}",
        plan.field.two_adicity,
        1 << log.digit_bits
    )
}

/// The product.
pub fn mul(plan: &Plan) -> String {
    let word = plan.stored.word.bits();
    match plan.shape {
        Shape::Mersenne { exponent } => {
            format!("product, high part added to the low part (2^{exponent} = 1), one correction")
        }
        Shape::Goldilocks => {
            "product, folded by 2^64 = 2^32 - 1 and 2^96 = -1, one correction".to_owned()
        }
        Shape::Montgomery => format!(
            "product, REDC by subtraction, one correction (a b < 2^{word} p holds for all u{word} below p)"
        ),
        Shape::Special => format!(
            "product, folded by {}",
            special::congruence(&plan.field.modulus)
        ),
        Shape::Barrett => match plan.stored.word {
            WordSize::U32 => {
                "product, quotient by floor(2^64 / p), one correction (quotient error below 1)"
            }
            WordSize::U64 => {
                "product, quotient by the reciprocal of the normalised modulus, two corrections"
            }
        }
        .to_owned(),
    }
}

/// The functions over vectors of 32-bit lanes.
pub fn vectors(plan: &Plan, target: Target) -> Vec<Algorithm> {
    let lanes = match target {
        Target::Avx512 => 16,
        _ => 8,
    };
    let correction = match (plan.field.bits, target) {
        (..=31, _) => "one correction by the unsigned minimum",
        (_, Target::Avx512) => "one correction by a mask (no spare bit)",
        (_, _) => "one correction by a comparison of the unsigned maximum (no spare bit)",
    };
    let (mul, scalar_mul) = match plan.shape {
        Shape::Mersenne { .. } => (
            "even and odd lanes apart, one factor shifted so that the part to fold is the high half",
            "as mul, with the shifted factor prepared",
        ),
        Shape::Barrett => (
            "even and odd lanes apart, REDC by subtraction twice: a b / R, then times R^2 / R",
            "as mul, with b R prepared: one REDC",
        ),
        Shape::Montgomery | Shape::Goldilocks | Shape::Special => (
            "even and odd lanes apart, REDC by subtraction, one correction",
            "as mul, with the quotient from b p^-1, apart from the product",
        ),
    };
    let lazy = plan.field.bits < 32 && matches!(plan.shape, Shape::Montgomery | Shape::Barrett);
    let powers = if lazy {
        "chains of products from -p up and below p; only the last one is corrected"
    } else {
        "chains of products"
    };
    vec![
        algorithm(
            "add, sub, neg",
            format!("{lanes} lanes of u32, {correction}"),
        ),
        algorithm("mul", mul),
        algorithm("scalar_mul", scalar_mul),
        algorithm("exp3, exp5, exp7", powers),
        algorithm(
            "sum",
            "terms added while they fit into a lane, then to low and high halves",
        ),
        algorithm(
            "inner_product",
            "products added while they fit into 64 bits, then to low and high halves; one reduction",
        ),
        algorithm(
            "batch_inverse",
            "products of prefixes in every lane, one inversion for all",
        ),
    ]
}
