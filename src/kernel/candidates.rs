//! Every way to multiply, square and reduce for one modulus, with its program or the reason why it
//! is not offered: what a plan chooses from.

use super::barrett;
use super::cost::Cost;
use super::montgomery;
use super::special;
use super::wide::Product;
use super::{Bound, Modulus, Program};

/// What an operation computes, on residues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// The product of two.
    Mul,
    /// The square of one.
    Square,
}

/// How residues are represented and products reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// Values times `R`; operations divide by `R`.
    Montgomery,
    /// Values themselves.
    Barrett,
    /// Values themselves, for moduli next to a power of two.
    Special,
}

/// What multiplies words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    /// A multiply-add that carries, on 32-bit words: CUDA.
    CarryChains,
    /// A product of two words with room for two addends, on 64-bit words: Rust.
    DoubleWords,
}

/// The structure of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    Montgomery(montgomery::Strategy),
    Barrett(barrett::Strategy),
    Special(special::Strategy),
}

/// One way to do an operation.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub strategy: Strategy,
    /// The algorithm's name, for people.
    pub algorithm: String,
    /// The program, or the bound that does not hold.
    pub program: Result<Program, Bound>,
}

impl Candidate {
    /// The cost, where the candidate is offered.
    pub fn cost(&self) -> Option<Cost> {
        self.program.as_ref().ok().map(Program::cost)
    }
}

/// All candidates for an operation, in a fixed order.
pub(crate) fn candidates(
    modulus: &Modulus,
    machine: Machine,
    reduction: Reduction,
    operation: Operation,
) -> Vec<Candidate> {
    let products = || match machine {
        Machine::CarryChains => Product::chains(modulus, operation),
        Machine::DoubleWords => vec![Product::Rows],
    };
    let strategies: Vec<Strategy> = match reduction {
        Reduction::Montgomery => {
            let strategies = match machine {
                Machine::CarryChains => montgomery::Strategy::chains(modulus, operation),
                Machine::DoubleWords => vec![montgomery::Strategy::Rows],
            };
            strategies.into_iter().map(Strategy::Montgomery).collect()
        }
        Reduction::Barrett => {
            let strategies = barrett::Strategy::all(modulus, &products()).into_iter();
            strategies.map(Strategy::Barrett).collect()
        }
        Reduction::Special => {
            let strategies = special::Strategy::all(modulus, &products()).into_iter();
            strategies.map(Strategy::Special).collect()
        }
    };
    let candidate = |strategy| match strategy {
        Strategy::Montgomery(structure) => Candidate {
            strategy,
            algorithm: structure.name(operation, modulus),
            program: match operation {
                Operation::Mul => montgomery::mul(modulus, structure),
                Operation::Square => montgomery::square(modulus, structure),
            },
        },
        Strategy::Barrett(structure) => Candidate {
            strategy,
            algorithm: structure.name(operation),
            program: match operation {
                Operation::Mul => barrett::mul(modulus, structure),
                Operation::Square => barrett::square(modulus, structure),
            },
        },
        Strategy::Special(structure) => Candidate {
            strategy,
            algorithm: structure.name(operation, modulus),
            program: match operation {
                Operation::Mul => special::mul(modulus, structure),
                Operation::Square => special::square(modulus, structure),
            },
        },
    };
    strategies.into_iter().map(candidate).collect()
}

/// The candidate that takes the least time, among equals the one with the fewest words alive, then
/// the first.
pub(crate) fn cheapest(candidates: &[Candidate]) -> Option<&Candidate> {
    let offered = candidates
        .iter()
        .filter_map(|candidate| Some((candidate.cost()?, candidate)));
    let best = offered.min_by_key(|(cost, _)| (cost.time(), cost.peak_words));
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::testing::moduli;

    const OPERATIONS: [Operation; 2] = [Operation::Mul, Operation::Square];

    #[test]
    fn every_operation_can_be_done_for_every_modulus() {
        for (word_bits, machine) in [(32, Machine::CarryChains), (64, Machine::DoubleWords)] {
            for (name, modulus) in moduli(word_bits) {
                for reduction in [Reduction::Montgomery, Reduction::Barrett] {
                    for operation in OPERATIONS {
                        let all = candidates(&modulus, machine, reduction, operation);
                        assert!(
                            cheapest(&all).is_some(),
                            "{name} {reduction:?} {operation:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_shape_of_the_modulus_decides() {
        let choice = |wanted: &str, operation| {
            let named = moduli(32).into_iter().find(|(name, _)| *name == wanted);
            let modulus = named.expect("a modulus of that name").1;
            let machine = Machine::CarryChains;
            let all = candidates(&modulus, machine, Reduction::Montgomery, operation);
            let best = cheapest(&all).expect("one is offered");
            format!(
                "{}: {} slots",
                best.algorithm,
                best.cost().expect("offered").slots()
            )
        };
        assert_eq!(
            choice("bn254_fq", Operation::Mul),
            "Karatsuba product, REDC with p scaled to -1 mod 2^32: 113 slots"
        );
        assert_eq!(
            choice("bls12_381_fr", Operation::Mul),
            "Karatsuba product, REDC by subtraction as p = 1 mod 2^32: 96 slots"
        );
        assert_eq!(
            choice("bls12_377_fq", Operation::Mul),
            "2-level Karatsuba product, REDC by subtraction as p = 1 mod 2^32: 213 slots"
        );
        assert_eq!(
            choice("bn254_fq", Operation::Square),
            "schoolbook square, REDC with p scaled to -1 mod 2^32: 101 slots"
        );
    }
}
