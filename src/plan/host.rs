//! The algorithms of multi-limb Rust code: of all whose bounds hold for the modulus, the cheapest.

use crate::kernel::Modulus;
use crate::kernel::candidates::{self, Candidate, Machine, Operation};

use super::Plan;
use super::word::{self, Algorithm, algorithm};

/// The modulus on 64-bit words.
pub(crate) fn modulus(plan: &Plan) -> Modulus {
    Modulus {
        p: plan.field.modulus.clone(),
        word_bits: 64,
        limbs: plan.stored.words as usize,
    }
}

/// Every way to do an operation.
pub(crate) fn candidates(plan: &Plan, operation: Operation) -> Vec<Candidate> {
    let reduction = plan.shape.reduction();
    candidates::candidates(&modulus(plan), Machine::DoubleWords, reduction, operation)
}

/// The way that is taken.
pub(crate) fn chosen(plan: &Plan, operation: Operation) -> Candidate {
    let candidates = candidates(plan, operation);
    candidates::cheapest(&candidates)
        .cloned()
        .expect("a plan has reductions that are right for the modulus")
}

/// The operations that are no programs.
pub(super) fn algorithms(plan: &Plan) -> Vec<Algorithm> {
    vec![
        algorithm(
            "inverse",
            "division steps, 62 at a time; in constant time x^(p - 2)",
        ),
        algorithm("legendre", word::LEGENDRE),
        algorithm("sqrt", word::square_root(plan)),
    ]
}
