//! The user's list of the primes of `p - 1`, which is verified.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::text;
use crate::config::FieldSpec;
use crate::diagnostic::{Diagnostic, Spanned};
use crate::prime::{self, Evidence, Factorization, Primality};

/// How many wrong numbers are explained before the rest of the list is left alone.
const MAX_WRONG: usize = 4;

/// A list that is refused.
pub(super) struct WrongFactors {
    pub diagnostics: Vec<Diagnostic>,
    /// `p - 1` as far as it is factored without the user's help.
    pub found: Factorization,
}

/// Refuses a list of factors unless it consists of primes and all primes of `p - 1` are in it. A
/// prime may be listed once, or as often as it divides.
pub(super) fn verify(
    spec: &FieldSpec,
    listed: &Spanned<Vec<Spanned<BigUint>>>,
) -> Result<Factorization, WrongFactors> {
    let order = &spec.modulus.value - 1u32;
    let mut rest = order.clone();
    let mut primes: BTreeMap<&BigUint, Known> = BTreeMap::new();
    let mut diagnostics = Vec::new();
    for factor in &listed.value {
        let problem = match primes.get_mut(&factor.value) {
            Some(known) => known.list_again(spec, factor),
            None => {
                let problem = problem_of_one(spec, factor, &order);
                if problem.is_none() {
                    primes.insert(&factor.value, Known::divide_out(factor, &mut rest));
                }
                problem
            }
        };
        diagnostics.extend(problem);
        if diagnostics.len() == MAX_WRONG {
            break;
        }
    }
    if diagnostics.is_empty() && rest.is_one() {
        let exponents = primes
            .into_iter()
            .map(|(prime, known)| (prime.clone(), known.exponent));
        return Ok(Factorization {
            primes: exponents.collect(),
            rest,
        });
    }
    let found = prime::factorize(&order);
    if diagnostics.is_empty() {
        diagnostics.push(incomplete(spec, listed, &rest));
    } else if found.is_complete() {
        let way_out = format!(
            "leave `factors` out: p - 1 = {} is known without it",
            text::product(&found.primes)
        );
        diagnostics = diagnostics
            .into_iter()
            .map(|problem| problem.help(way_out.clone()))
            .collect();
    }
    Err(WrongFactors { diagnostics, found })
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
        let problem = problem(spec, "list a prime too often", again, label)
            .related(self.first.span.clone(), "listed here first")
            .help("list each prime of p - 1 once");
        Some(problem)
    }
}

/// What is wrong with one factor that has not been listed before.
fn problem_of_one(
    spec: &FieldSpec,
    factor: &Spanned<BigUint>,
    order: &BigUint,
) -> Option<Diagnostic> {
    let value = text::number(&factor.value);
    let divides = !factor.value.is_zero() && (order % &factor.value).is_zero();
    if !divides {
        let label = format!("{value} does not divide p - 1");
        let problem = problem(
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
    let problem = problem(spec, "have a number that is not prime", factor, label);
    Some(problem.help("list the primes of p - 1, not their products or powers"))
}

fn incomplete(
    spec: &FieldSpec,
    listed: &Spanned<Vec<Spanned<BigUint>>>,
    rest: &BigUint,
) -> Diagnostic {
    let label = format!("these leave {} of p - 1", text::number(rest));
    let problem = problem(spec, "do not name every prime of p - 1", listed, label);
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

fn problem<T>(spec: &FieldSpec, what: &str, place: &Spanned<T>, label: String) -> Diagnostic {
    let name = &spec.name.value;
    Diagnostic::new("wrong-factors", format!("`factors` of `{name}` {what}"))
        .at(place.span.clone(), label)
}
