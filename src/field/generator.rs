//! The user's generator of the multiplicative group, which is verified.

use num_bigint::BigUint;
use num_traits::Zero;

use super::text;
use crate::config::FieldSpec;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::prime::{self, Factorization};

/// Refuses a generator that is none, or that cannot be told from one.
pub(super) fn verify(
    spec: &FieldSpec,
    generator: &Spanned<BigUint>,
    factorization: &Factorization,
) -> Option<Diagnostic> {
    let p = &spec.modulus.value;
    let g = &generator.value;
    let primes = factorization.distinct_primes();
    if g.is_zero() || g >= p {
        return Some(generator_out_of_range(spec, generator));
    }
    if let Some(q) = prime::failing_prime(g, p, &primes) {
        let help = if factorization.is_complete() {
            prime::smallest_generator(p, &primes)
                .map(|smallest| format!("the smallest generator is {}", text::exact(&smallest)))
        } else {
            None
        };
        return Some(not_a_generator(spec, generator, q, help));
    }
    // Where the user's own list of factors is wrong, that is said, and comes first.
    let unknown = !factorization.is_complete() && spec.factors.is_none();
    unknown.then(|| unverifiable_generator(spec, generator, factorization))
}

fn generator_out_of_range(spec: &FieldSpec, generator: &Spanned<BigUint>) -> Diagnostic {
    let (what, label) = if generator.value.is_zero() {
        ("is 0", "all powers of 0 are 0".to_owned())
    } else {
        let residue = &generator.value % &spec.modulus.value;
        let label = format!("the same as {} modulo p", text::number(&residue));
        ("is not below the modulus", label)
    };
    wrong_generator(spec, what, generator, label)
        .help("use a number from 2 to p - 1, or leave `generator` out")
}

fn not_a_generator(
    spec: &FieldSpec,
    generator: &Spanned<BigUint>,
    q: &BigUint,
    help: Option<String>,
) -> Diagnostic {
    let g = text::number(&generator.value);
    let q_text = text::number(q);
    let label = if *q == BigUint::from(2u32) {
        format!("{g} is a square: {g}^((p - 1)/2) = 1")
    } else {
        format!("{g}^((p - 1)/{q_text}) = 1")
    };
    wrong_generator(
        spec,
        "does not generate the multiplicative group",
        generator,
        label,
    )
    .note(format!(
        "its powers are at most 1 in {q_text} of the numbers from 1 to p - 1"
    ))
    .help(help.unwrap_or_else(|| "leave `generator` out, or choose another".into()))
}

fn unverifiable_generator(
    spec: &FieldSpec,
    generator: &Spanned<BigUint>,
    factorization: &Factorization,
) -> Diagnostic {
    let rest = &factorization.rest;
    let name = &spec.name.value;
    Diagnostic::new(
        "unverifiable-generator",
        format!("the generator of `{name}` cannot be verified: not all primes of p - 1 are known"),
    )
    .at(generator.span.clone(), "not verified")
    .note(format!(
        "p - 1 = {} * {rest:#x}, and the last of these is not prime",
        text::product(&factorization.primes)
    ))
    .note("a generator is proven by g^((p - 1)/q) != 1 for every prime q of p - 1")
    .help(
        "list the primes of p - 1 in `factors = [...]`, or leave `generator` out: square roots \
         and roots of unity need only a non-residue, which is found without it",
    )
}

fn wrong_generator(
    spec: &FieldSpec,
    what: &str,
    generator: &Spanned<BigUint>,
    label: String,
) -> Diagnostic {
    let name = &spec.name.value;
    Diagnostic::new(
        "wrong-generator",
        format!("the generator of `{name}` {what}"),
    )
    .at(generator.span.clone(), label)
}
