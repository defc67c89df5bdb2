//! Addition chains as the body of a function.

use num_bigint::BigUint;
use serde::Serialize;

use crate::plan::chain::{Chain, Power, Step};

/// A function that raises its argument, `a`, to a fixed exponent.
#[derive(Serialize)]
pub(super) struct FixedPower {
    /// `30 squarings and 8 multiplications`.
    cost: String,
    /// The statements of its body, without indentation; the last one is its value.
    lines: Vec<String>,
}

impl FixedPower {
    /// For a positive exponent, or 0, for which the result is 1.
    pub fn new(exponent: &BigUint) -> FixedPower {
        if *exponent == BigUint::ZERO {
            return FixedPower {
                cost: counted(0, 0),
                lines: vec!["let _ = a;".to_owned(), "Element::ONE.0".to_owned()],
            };
        }
        let chain = Chain::new(exponent);
        let mut lines: Vec<String> = Vec::new();
        let last = chain.steps.len().checked_sub(1);
        for (index, step) in chain.steps.iter().enumerate() {
            let value = expression(step);
            lines.push(if Some(index) == last {
                value
            } else {
                format!("let {} = {value};", name(Power::Step(index)))
            });
        }
        if lines.is_empty() {
            lines.push(name(Power::Argument));
        }
        FixedPower {
            cost: counted(chain.squarings(), chain.multiplications()),
            lines,
        }
    }
}

fn expression(step: &Step) -> String {
    let base = name(step.base);
    let squared = match step.squarings {
        0 => base,
        1 => format!("square({base})"),
        times => format!("square_times({base}, {times})"),
    };
    match step.factor {
        None => squared,
        Some(factor) => format!("mul({squared}, {})", name(factor)),
    }
}

fn name(power: Power) -> String {
    match power {
        Power::Argument => "a".to_owned(),
        Power::Step(index) => format!("a{index}"),
    }
}

fn counted(squarings: u64, multiplications: u64) -> String {
    let count = |number, one: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    };
    format!(
        "{} and {}",
        count(squarings, "squaring"),
        count(multiplications, "multiplication")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_a_line_a_step() {
        let power = FixedPower::new(&BigUint::from(0xfc01u32));
        assert_eq!(power.cost, "15 squarings and 4 multiplications");
        assert_eq!(
            power.lines,
            [
                "let a0 = mul(square(a), a);",
                "let a1 = mul(square_times(a0, 2), a0);",
                "let a2 = mul(square_times(a1, 2), a0);",
                "mul(square_times(a2, 10), a)",
            ]
        );
    }

    #[test]
    fn the_smallest_exponents() {
        assert_eq!(FixedPower::new(&BigUint::from(1u32)).lines, ["a"]);
        assert_eq!(FixedPower::new(&BigUint::from(2u32)).lines, ["square(a)"]);
        let zero = FixedPower::new(&BigUint::ZERO);
        assert_eq!(zero.cost, "0 squarings and 0 multiplications");
    }
}
