//! Addition chains: powers with a fixed exponent by few squarings and multiplications.
//!
//! The exponent is read from its highest bit on, in pieces: odd numbers of a few bits (sliding
//! windows), or whole runs of ones. The powers of the pieces come first; every further piece then
//! costs one multiplication. Both ways are tried with every length of window, and the cheapest
//! chain is taken.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

/// Longer windows cost more to prepare than they save for any exponent of up to 4096 bits.
const LONGEST_WINDOW: u64 = 8;

/// A power by steps, each of which makes a new power; the last one is the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chain {
    pub steps: Vec<Step>,
}

/// `base^(2^squarings)`, times `factor` where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub base: Power,
    pub squarings: u64,
    pub factor: Option<Power>,
}

/// Something that has been computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Power {
    /// The number whose power is asked for.
    Argument,
    /// The result of the step of that index.
    Step(usize),
}

/// A piece of an exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// An odd number.
    Odd(u64),
    /// `2^length - 1`, for a length above that of windows.
    Ones(u64),
}

impl Chain {
    /// The cheapest chain for a positive exponent.
    pub fn new(exponent: &BigUint) -> Chain {
        (1..=LONGEST_WINDOW)
            .flat_map(|window| [false, true].map(|runs| Chain::by_pieces(exponent, window, runs)))
            .min_by_key(Chain::length)
            .expect("there are windows")
    }

    /// Squarings and multiplications.
    pub fn length(&self) -> u64 {
        self.squarings() + self.multiplications()
    }

    pub fn squarings(&self) -> u64 {
        self.steps.iter().map(|step| step.squarings).sum()
    }

    pub fn multiplications(&self) -> u64 {
        self.steps
            .iter()
            .filter(|step| step.factor.is_some())
            .count() as u64
    }

    /// `window`: the longest piece that is no run of ones. `runs`: whether longer runs of ones
    /// are pieces.
    fn by_pieces(exponent: &BigUint, window: u64, runs: bool) -> Chain {
        let pieces = pieces(exponent, window, runs);
        let mut builder = Builder::new(pieces.iter().map(|(piece, _)| *piece));
        let mut pieces = pieces.into_iter();
        let (first, zeros) = pieces.next().expect("a positive exponent");
        let mut result = builder.powers[&first];
        // Zeros are taken together with the piece behind them.
        let mut pending = zeros;
        for (piece, zeros) in pieces {
            let factor = builder.powers[&piece];
            result = builder.step(result, pending + piece.bits(), Some(factor));
            pending = zeros;
        }
        if pending > 0 {
            builder.step(result, pending, None);
        }
        Chain {
            steps: builder.steps,
        }
    }
}

impl Piece {
    fn bits(self) -> u64 {
        match self {
            Piece::Odd(value) => u64::from(u64::BITS - value.leading_zeros()),
            Piece::Ones(length) => length,
        }
    }
}

/// The pieces of an exponent from the highest on, each with the number of zeros that follow.
fn pieces(exponent: &BigUint, window: u64, runs: bool) -> Vec<(Piece, u64)> {
    let mut pieces: Vec<(Piece, u64)> = Vec::new();
    // Bits below this one are still to be read.
    let mut bits = exponent.bits();
    while bits > 0 {
        if !exponent.bit(bits - 1) {
            pieces.last_mut().expect("the highest bit is set").1 += 1;
            bits -= 1;
            continue;
        }
        let run = (0..bits).rev().take_while(|&bit| exponent.bit(bit)).count() as u64;
        if runs && run > window {
            pieces.push((Piece::Ones(run), 0));
            bits -= run;
            continue;
        }
        let length = window.min(bits);
        let mut value = 0;
        for bit in (bits - length..bits).rev() {
            value = 2 * value + u64::from(exponent.bit(bit));
        }
        let zeros = value.trailing_zeros();
        pieces.push((Piece::Odd(value >> zeros), 0));
        bits -= length - u64::from(zeros);
    }
    pieces
}

/// Steps, and what they have made.
struct Builder {
    steps: Vec<Step>,
    powers: BTreeMap<Piece, Power>,
}

impl Builder {
    /// Makes the powers of all pieces.
    fn new(pieces: impl Iterator<Item = Piece>) -> Builder {
        let mut builder = Builder {
            steps: Vec::new(),
            powers: BTreeMap::from([(Piece::Odd(1), Power::Argument)]),
        };
        let pieces: BTreeSet<Piece> = pieces.collect();
        let odd = pieces.iter().filter_map(|piece| match piece {
            Piece::Odd(value) => Some(*value),
            Piece::Ones(_) => None,
        });
        builder.add_odd_up_to(odd.max().unwrap_or(1));
        for piece in &pieces {
            if let Piece::Ones(length) = piece {
                builder.add_ones(*length);
            }
        }
        builder
    }

    fn step(&mut self, base: Power, squarings: u64, factor: Option<Power>) -> Power {
        self.steps.push(Step {
            base,
            squarings,
            factor,
        });
        Power::Step(self.steps.len() - 1)
    }

    /// Each odd power from the one before, by the square.
    fn add_odd_up_to(&mut self, largest: u64) {
        if largest == 1 {
            return;
        }
        let square = self.step(Power::Argument, 1, None);
        let mut power = Power::Argument;
        for value in (3..=largest).step_by(2) {
            power = self.step(power, 0, Some(square));
            self.powers.insert(Piece::Odd(value), power);
        }
    }

    /// A run of ones from the longest shorter one, extended by the longest that fits again and
    /// again: doubled at first. All runs on the way stay there for others.
    fn add_ones(&mut self, length: u64) {
        let longest = |builder: &Builder, limit: u64| {
            (1..=limit)
                .rev()
                .find_map(|length| Some((length, builder.ones(length)?)))
                .expect("a single one is the argument")
        };
        let (mut reached, mut power) = longest(self, length);
        while reached < length {
            let (more, factor) = longest(self, reached.min(length - reached));
            power = self.step(power, more, Some(factor));
            reached += more;
            self.powers.insert(Piece::Ones(reached), power);
        }
        self.powers.insert(Piece::Ones(length), power);
    }

    /// `2^length - 1`, which as a short piece is an odd number.
    fn ones(&self, length: u64) -> Option<Power> {
        let odd = (length < 64).then(|| self.powers.get(&Piece::Odd((1 << length) - 1)));
        let run = self.powers.get(&Piece::Ones(length));
        run.or(odd.flatten()).copied()
    }
}

#[cfg(test)]
mod tests {
    use num_traits::Zero;

    use super::*;

    /// What exponent the chain has.
    fn exponent(chain: &Chain) -> BigUint {
        let mut powers: Vec<BigUint> = Vec::new();
        let value = |powers: &[BigUint], power| match power {
            Power::Argument => BigUint::from(1u32),
            Power::Step(index) => powers[index].clone(),
        };
        for step in &chain.steps {
            let base = value(&powers, step.base) << step.squarings;
            let factor = step.factor.map(|factor| value(&powers, factor));
            powers.push(base + factor.unwrap_or_default());
        }
        powers.pop().unwrap_or(BigUint::from(1u32))
    }

    fn hex(text: &str) -> BigUint {
        BigUint::parse_bytes(text.as_bytes(), 16).unwrap()
    }

    #[test]
    fn small_exponents_in_every_way() {
        for n in 1u32..2000 {
            let n = BigUint::from(n);
            assert_eq!(exponent(&Chain::new(&n)), n);
            for window in 1..=LONGEST_WINDOW {
                for runs in [false, true] {
                    let chain = Chain::by_pieces(&n, window, runs);
                    assert_eq!(exponent(&chain), n, "{window} {runs}");
                }
            }
        }
    }

    #[test]
    fn one_takes_no_step() {
        assert!(Chain::new(&BigUint::from(1u32)).steps.is_empty());
    }

    #[test]
    fn long_exponents_are_short_chains() {
        for (text, squarings, multiplications) in [
            // 2^31 - 1: a run of ones, doubled four times, then completed.
            ("7fffffff", 30, 8),
            // Of secp256k1: runs of 223 and 22 ones, and little else.
            (
                "3fffffffffffffffffffffffffffffffffffffffffffffffffffffffbfffff0c",
                253,
                14,
            ),
            // Nothing to see.
            (
                "39f6d3a994cebea4199cec0404d0ec02a9ded2017fff2dff7fffffff",
                220,
                52,
            ),
        ] {
            let n = hex(text);
            let chain = Chain::new(&n);
            assert_eq!(exponent(&chain), n);
            assert!(!n.is_zero());
            let found = (chain.squarings(), chain.multiplications());
            assert!(
                found.0 <= squarings && found.1 <= multiplications,
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn every_step_is_used() {
        for n in [(1u64 << 40) - 3, 0xffff_0000_ff01, 12345, 2, 3, 4] {
            let chain = Chain::new(&BigUint::from(n));
            let last = chain.steps.len() - 1;
            for index in 0..last {
                let used = chain.steps.iter().any(|step| {
                    step.base == Power::Step(index) || step.factor == Some(Power::Step(index))
                });
                assert!(used, "{n}: step {index} of {chain:?}");
            }
        }
    }
}
