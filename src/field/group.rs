//! The multiplicative group: the primes of its order, and a generator.

use num_bigint::BigUint;

use super::{factors, generator};
use crate::config::FieldSpec;
use crate::diagnostic::Diagnostic;
use crate::prime;

/// What is known of the multiplicative group.
pub(super) struct Group {
    /// A proven generator.
    pub generator: Option<BigUint>,
    /// The complete factorisation of `p - 1`.
    pub factors: Option<Vec<(BigUint, u32)>>,
}

/// Factors `p - 1` and finds a generator, as far as that is cheap, or verifies the user's.
pub(super) fn derive(spec: &FieldSpec) -> Result<Group, Vec<Diagnostic>> {
    let p = &spec.modulus.value;
    let mut diagnostics = Vec::new();
    let factorization = match &spec.factors {
        None => prime::factorize(&(p - 1u32)),
        Some(listed) => factors::verify(spec, listed).unwrap_or_else(|wrong| {
            diagnostics.extend(wrong.diagnostics);
            wrong.found
        }),
    };
    let primes = factorization.distinct_primes();
    let generator = match &spec.generator {
        Some(claimed) => {
            diagnostics.extend(generator::verify(spec, claimed, &factorization));
            Some(claimed.value.clone())
        }
        None if factorization.is_complete() => prime::smallest_generator(p, &primes),
        None => None,
    };
    if diagnostics.is_empty() {
        let factors = factorization.is_complete().then_some(factorization.primes);
        Ok(Group { generator, factors })
    } else {
        Err(diagnostics)
    }
}
