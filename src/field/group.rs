//! The multiplicative group: the primes of its order, and a generator. What the user says about
//! either is verified.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::text;
use crate::config::FieldSpec;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::prime::{self, Evidence, Factorization, Primality};

/// What is known of the multiplicative group.
pub(super) struct Group {
    /// A proven generator.
    pub generator: Option<BigUint>,
    /// The complete factorisation of `p - 1`.
    pub factors: Option<Vec<(BigUint, u32)>>,
}

/// How many wrong factors are explained before the rest of the list is left alone.
const MAX_WRONG_FACTORS: usize = 4;

/// Factors `p - 1` and finds a generator, as far as that is cheap, or verifies the user's.
pub(super) fn derive(spec: &FieldSpec) -> Result<Group, Vec<Diagnostic>> {
    let p = &spec.modulus.value;
    let order = p - 1u32;
    let mut diagnostics = Vec::new();
    let factorization = match &spec.factors {
        None => prime::factorize(&order),
        Some(factors) => verify_factors(spec, factors, &order).unwrap_or_else(|wrong| {
            diagnostics.extend(wrong);
            prime::factorize(&order)
        }),
    };
    let primes: Vec<BigUint> = factorization
        .primes
        .iter()
        .map(|(prime, _)| prime.clone())
        .collect();
    let generator = match &spec.generator {
        Some(generator) => {
            diagnostics.extend(verify_generator(spec, generator, &factorization, &primes));
            Some(generator.value.clone())
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

/// Refuses a list of factors unless it consists of primes and all primes of `order` are in it. A
/// prime may be listed once, or as often as it divides.
fn verify_factors(
    spec: &FieldSpec,
    factors: &Spanned<Vec<Spanned<BigUint>>>,
    order: &BigUint,
) -> Result<Factorization, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut rest = order.clone();
    let mut primes: BTreeMap<&BigUint, Known> = BTreeMap::new();
    for factor in &factors.value {
        let problem = match primes.get_mut(&factor.value) {
            Some(known) => known.list_again(spec, factor),
            None => match verify_prime_factor(spec, factor, order) {
                Some(problem) => Some(problem),
                None => {
                    primes.insert(&factor.value, Known::divide_out(factor, &mut rest));
                    None
                }
            },
        };
        diagnostics.extend(problem);
        if diagnostics.len() == MAX_WRONG_FACTORS {
            break;
        }
    }
    if diagnostics.is_empty() && !rest.is_one() {
        diagnostics.push(incomplete_factors(spec, factors, &rest));
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let primes = primes
        .into_iter()
        .map(|(prime, known)| (prime.clone(), known.exponent))
        .collect();
    Ok(Factorization { primes, rest })
}

/// A verified prime of the user's list.
struct Known<'a> {
    first: &'a Spanned<BigUint>,
    /// How often it divides `p - 1`.
    exponent: u32,
    /// How often it is listed.
    listed: u32,
}

impl<'a> Known<'a> {
    fn divide_out(first: &'a Spanned<BigUint>, rest: &mut BigUint) -> Self {
        let mut exponent = 0;
        while (&*rest % &first.value).is_zero() {
            *rest /= &first.value;
            exponent += 1;
        }
        Known {
            first,
            exponent,
            listed: 1,
        }
    }

    fn list_again(&mut self, spec: &FieldSpec, again: &Spanned<BigUint>) -> Option<Diagnostic> {
        self.listed += 1;
        if self.listed <= self.exponent {
            return None;
        }
        let prime = text::number(&again.value);
        let times = match self.exponent {
            1 => "once".to_owned(),
            exponent => format!("{exponent} times"),
        };
        let label = format!("{prime} divides p - 1 only {times}");
        let problem = wrong_factors(spec, "list a prime too often", again, label)
            .related(self.first.span.clone(), "listed here first")
            .help("list each prime of p - 1 once");
        Some(problem)
    }
}

/// What is wrong with one factor that has not been listed before.
fn verify_prime_factor(
    spec: &FieldSpec,
    factor: &Spanned<BigUint>,
    order: &BigUint,
) -> Option<Diagnostic> {
    let value = text::number(&factor.value);
    let divides = !factor.value.is_zero() && (order % &factor.value).is_zero();
    if !divides {
        let label = format!("{value} does not divide p - 1");
        let problem = wrong_factors(
            spec,
            "have a number that is no factor of p - 1",
            factor,
            label,
        );
        return Some(problem.help("list the primes of p - 1"));
    }
    let label = match prime::check(&factor.value) {
        Primality::Prime => return None,
        Primality::Neither => format!("{value} is not prime"),
        Primality::Composite(Evidence::Factor(divisor)) => {
            format!(
                "{value} is not prime: divisible by {}",
                text::number(&divisor)
            )
        }
        Primality::Composite(Evidence::FailedTest(_)) => format!("{value} is not prime"),
    };
    let problem = wrong_factors(spec, "have a number that is not prime", factor, label);
    Some(problem.help("list the primes of p - 1, not their products or powers"))
}

fn incomplete_factors(
    spec: &FieldSpec,
    factors: &Spanned<Vec<Spanned<BigUint>>>,
    rest: &BigUint,
) -> Diagnostic {
    let label = format!("these leave {} of p - 1", text::number(rest));
    let problem = wrong_factors(spec, "do not name every prime of p - 1", factors, label);
    let missing = prime::factorize(rest);
    let add: Vec<String> = missing
        .primes
        .iter()
        .map(|(prime, _)| text::exact(prime))
        .collect();
    match (add.is_empty(), missing.is_complete()) {
        (_, true) => problem.help(format!("add {}", add.join(", "))),
        (true, false) => problem.help(format!("add the primes of {}", text::exact(rest))),
        (false, false) => problem.help(format!(
            "add {} and the primes of {}",
            add.join(", "),
            text::exact(&missing.rest)
        )),
    }
}

fn wrong_factors<T>(spec: &FieldSpec, what: &str, place: &Spanned<T>, label: String) -> Diagnostic {
    let name = &spec.name.value;
    Diagnostic::new("wrong-factors", format!("`factors` of `{name}` {what}"))
        .at(place.span.clone(), label)
}

/// Refuses a generator that is none, or that cannot be told from one.
fn verify_generator(
    spec: &FieldSpec,
    generator: &Spanned<BigUint>,
    factorization: &Factorization,
    primes: &[BigUint],
) -> Option<Diagnostic> {
    let p = &spec.modulus.value;
    let g = &generator.value;
    if g.is_zero() || g >= p {
        return Some(generator_out_of_range(spec, generator));
    }
    if let Some(q) = prime::failing_prime(g, p, primes) {
        let help = if factorization.is_complete() {
            prime::smallest_generator(p, primes)
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
        ("is 0", "all powers of 0 are 0")
    } else {
        ("is not below the modulus", "not below the modulus")
    };
    wrong_generator(spec, what, generator, label.into())
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
        "its powers are at most one in {q_text} of all numbers from 1 to p - 1"
    ))
    .help(help.unwrap_or_else(|| "leave `generator` out, or choose another".into()))
}

fn unverifiable_generator(
    spec: &FieldSpec,
    generator: &Spanned<BigUint>,
    factorization: &Factorization,
) -> Diagnostic {
    let rest = text::exact(&factorization.rest);
    let name = &spec.name.value;
    Diagnostic::new(
        "unverifiable-generator",
        format!("the generator of `{name}` cannot be verified: not all primes of p - 1 are known"),
    )
    .at(generator.span.clone(), "not verified")
    .note(format!(
        "p - 1 = {} * {rest}, and the last of these is not prime",
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
