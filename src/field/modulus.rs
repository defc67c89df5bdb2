//! Is the modulus one that a field can have?

use num_bigint::BigUint;
use num_traits::{CheckedSub, ToPrimitive};

use super::text;
use crate::config::FieldSpec;
use crate::diagnostic::Diagnostic;
use crate::prime::{self, Evidence, FailedTest, Primality};

/// The longest modulus.
const MAX_BITS: u64 = 4096;

/// Nearby primes are offered for moduli up to this length: the search is short there.
const MAX_BITS_FOR_NEIGHBOURS: u64 = 512;

/// Refuses what is not an odd prime of at most [`MAX_BITS`] bits.
pub(super) fn verify(spec: &FieldSpec) -> Option<Diagnostic> {
    let p = &spec.modulus.value;
    if let Some(small @ 0..=2) = p.to_u8() {
        return Some(too_small(spec, small));
    }
    if p.bits() > MAX_BITS {
        return Some(too_large(spec));
    }
    if !p.bit(0) {
        return Some(even(spec));
    }
    match prime::check(p) {
        Primality::Composite(evidence) => Some(composite(spec, evidence)),
        Primality::Prime | Primality::Neither => None,
    }
}

fn problem(spec: &FieldSpec, code: &'static str, what: &str, label: String) -> Diagnostic {
    let name = &spec.name.value;
    Diagnostic::new(code, format!("the modulus of `{name}` {what}"))
        .at(spec.modulus.span.clone(), label)
}

fn too_small(spec: &FieldSpec, p: u8) -> Diagnostic {
    let (what, note) = match p {
        0 => ("is 0", "division by 0 has no remainder"),
        1 => (
            "is 1",
            "modulo 1 every number is 0, and a field has at least a 0 and a 1",
        ),
        _ => (
            "is 2",
            "2 is prime, but Montgomery form and square roots need an odd modulus; \
             modulo 2, addition is `^` and multiplication is `&`",
        ),
    };
    problem(spec, "modulus-too-small", what, String::new())
        .note(note)
        .help("the smallest possible modulus is 3")
}

fn too_large(spec: &FieldSpec) -> Diagnostic {
    let what = format!("is longer than {MAX_BITS} bits");
    let bits = spec.modulus.value.bits();
    problem(
        spec,
        "modulus-too-large",
        &what,
        format!("this has {bits} bits"),
    )
    .help(format!("use a prime below 2^{MAX_BITS}"))
}

fn even(spec: &FieldSpec) -> Diagnostic {
    let problem = problem(spec, "even-modulus", "is even", "divisible by 2".into());
    with_neighbours(problem, spec)
}

fn composite(spec: &FieldSpec, evidence: Evidence) -> Diagnostic {
    let p = &spec.modulus.value;
    let (label, note) = match evidence {
        Evidence::Factor(factor) => by_factor(p, factor),
        Evidence::FailedTest(test) => match prime::find_factor(p) {
            Some(factor) => by_factor(p, factor),
            None => by_test(test),
        },
    };
    let problem = problem(spec, "composite-modulus", "is not prime", label).note(note);
    with_neighbours(problem, spec)
}

/// Label and note.
fn by_factor(p: &BigUint, factor: BigUint) -> (String, String) {
    let cofactor = p / &factor;
    let (smaller, larger) = if factor <= cofactor {
        (factor, cofactor)
    } else {
        (cofactor, factor)
    };
    let [smaller, larger] = [smaller, larger].map(|factor| text::number(&factor));
    let note = format!("{} = {smaller} * {larger}", text::number(p));
    (format!("divisible by {smaller}"), note)
}

/// Label and note.
fn by_test(test: FailedTest) -> (String, String) {
    match test {
        FailedTest::Strong { base } => (
            format!("fails the strong test to base {base}"),
            format!(
                "with p - 1 = 2^s * d and d odd, {base}^d is not 1 and none of {base}^d, \
                 {base}^(2 d), ..., {base}^(2^(s-1) d) is -1 modulo p, as one would be if p were \
                 prime"
            ),
        ),
        FailedTest::Lucas { discriminant } => (
            "fails the strong Lucas test".into(),
            format!(
                "with P = 1 and D = {discriminant}, p + 1 = 2^s * d and d odd, U_d is not 0 and \
                 none of V_d, V_(2 d), ..., V_(2^(s-1) d) is 0 modulo p, as one would be if p \
                 were prime"
            ),
        ),
    }
}

/// Offers the primes next to the modulus: a mistyped digit is often near.
fn with_neighbours(problem: Diagnostic, spec: &FieldSpec) -> Diagnostic {
    let p = &spec.modulus.value;
    if p.bits() > MAX_BITS_FOR_NEIGHBOURS {
        return problem.help("check the digits of the modulus");
    }
    let neighbours: Vec<String> = [(Direction::Down, "-"), (Direction::Up, "+")]
        .into_iter()
        .filter_map(|(direction, sign)| {
            let (distance, neighbour) = nearest_prime(p, direction)?;
            let value = match neighbour.to_u64() {
                Some(value) => format!("{value} = "),
                None => String::new(),
            };
            Some(format!("{value}modulus {sign} {distance}"))
        })
        .collect();
    problem.help(format!(
        "the nearest primes are {}",
        neighbours.join(" and ")
    ))
}

#[derive(Clone, Copy)]
enum Direction {
    Down,
    Up,
}

/// The odd prime nearest to `p` in one direction, and its distance.
fn nearest_prime(p: &BigUint, direction: Direction) -> Option<(u32, BigUint)> {
    // Primes near p are ln p < bits apart on average; ten times that is nearly always enough.
    let window = 1..10 * p.bits() as u32;
    window
        .map_while(|distance| match direction {
            Direction::Down => p.checked_sub(&distance.into()).map(|n| (distance, n)),
            Direction::Up => Some((distance, p + distance)),
        })
        .find(|(_, candidate)| candidate.bit(0) && prime::is_prime(candidate))
}
