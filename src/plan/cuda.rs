//! The algorithms of a field's CUDA header: of all whose bounds hold for the modulus, the cheapest.

use num_bigint::BigUint;

use crate::kernel::candidates::{self, Candidate, Machine, Operation, Strategy};
use crate::kernel::montgomery::{self, Digits};
use crate::kernel::wide::Product;
use crate::kernel::{Bound, Modulus, Program, barrett, special};

use super::Plan;

/// How elements are multiplied.
#[derive(Debug, Clone)]
pub(crate) struct CudaPlan {
    /// Every way to multiply two elements, and the one that is taken.
    pub mul: Choice,
    /// Every way to square an element, and the one that is taken: with the same reduction.
    pub square: Choice,
    /// Of products that are added before they are reduced.
    pub reduction: Reduction,
}

/// Candidates, of which one is taken.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub taken: Candidate,
    pub others: Vec<Candidate>,
}

/// How products are reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Montgomery(Digits),
    Barrett(barrett::Remainder),
    Special(special::Fold),
}

impl CudaPlan {
    /// Compares everything that is right for the modulus and for the form in which the field is
    /// stored.
    pub fn new(plan: &Plan) -> CudaPlan {
        let modulus = modulus(plan);
        let reduction = plan.shape.reduction();
        let candidates = |operation| {
            candidates::candidates(&modulus, Machine::CarryChains, reduction, operation)
        };
        let mul = Choice::new(candidates(Operation::Mul), |_| true);
        let reduction = Reduction::of(mul.taken.strategy);
        let square = Choice::new(candidates(Operation::Square), |strategy| {
            Reduction::of(strategy) == reduction
        });
        CudaPlan {
            mul,
            square,
            reduction,
        }
    }

    /// How two elements are multiplied into a number of twice the limbs.
    pub fn product(&self) -> Product {
        product(self.mul.taken.strategy)
    }

    /// How an element is squared into a number of twice the limbs.
    pub fn square(&self) -> Product {
        product(self.square.taken.strategy)
    }

    /// Whether a multiplication is a program of its own, and not a product and its reduction.
    pub fn is_interleaved(&self) -> bool {
        matches!(
            self.mul.taken.strategy,
            Strategy::Montgomery(montgomery::Strategy::Interleaved(_))
        )
    }
}

impl Choice {
    /// The first of the eligible candidates, which come simple ones first, that is about as fast
    /// as the fastest: the model cannot tell times apart that differ by less than 8 %, and more
    /// levels of Karatsuba need more registers.
    fn new(mut candidates: Vec<Candidate>, eligible: impl Fn(Strategy) -> bool) -> Choice {
        let times: Vec<Option<u32>> = candidates
            .iter()
            .map(|candidate| {
                Some(
                    candidate
                        .cost()
                        .filter(|_| eligible(candidate.strategy))?
                        .time(),
                )
            })
            .collect();
        let best = times.iter().flatten().min();
        let taken = times
            .iter()
            .position(|time| {
                time.zip(best)
                    .is_some_and(|(time, best)| 100 * time < 108 * best)
            })
            .expect("a plan has reductions that are right for the modulus");
        Choice {
            taken: candidates.remove(taken),
            others: candidates,
        }
    }
}

fn product(strategy: Strategy) -> Product {
    match strategy {
        Strategy::Montgomery(montgomery::Strategy::Separate { karatsuba, .. }) => {
            Product::Chains { karatsuba }
        }
        Strategy::Montgomery(_) => Product::Chains { karatsuba: 0 },
        Strategy::Barrett(barrett::Strategy { product, .. })
        | Strategy::Special(special::Strategy { product, .. }) => product,
    }
}

/// The modulus on 32-bit limbs.
pub(crate) fn modulus(plan: &Plan) -> Modulus {
    Modulus {
        p: plan.field.modulus.clone(),
        word_bits: 32,
        limbs: plan.cuda_limbs() as usize,
    }
}

impl Reduction {
    fn of(strategy: Strategy) -> Reduction {
        match strategy {
            Strategy::Montgomery(strategy) => Reduction::Montgomery(strategy.digits()),
            Strategy::Barrett(strategy) => Reduction::Barrett(strategy.remainder),
            Strategy::Special(strategy) => Reduction::Special(strategy.fold),
        }
    }

    /// The reduction of a product of two elements.
    pub fn of_product(self, modulus: &Modulus) -> Result<Program, Bound> {
        match self {
            Reduction::Montgomery(digits) => montgomery::reduce_product(modulus, chains(digits)),
            Reduction::Barrett(remainder) => {
                let product = Product::Chains { karatsuba: 0 };
                barrett::reduce(modulus, barrett::Strategy { product, remainder })
            }
            Reduction::Special(fold) => {
                let product = Product::Chains { karatsuba: 0 };
                special::reduce(modulus, special::Strategy { product, fold })
            }
        }
    }

    /// The reduction of a sum of products below [`Reduction::limit`], where that of one product
    /// does not do.
    pub fn of_sum(self, modulus: &Modulus) -> Option<Result<Program, Bound>> {
        match self {
            Reduction::Montgomery(digits) => Some(montgomery::reduce(modulus, chains(digits))),
            Reduction::Barrett(_) | Reduction::Special(_) => None,
        }
    }

    /// The canonical value of an element, where that is not what is stored.
    pub fn of_element(self, modulus: &Modulus) -> Option<Result<Program, Bound>> {
        match self {
            Reduction::Montgomery(digits) => {
                Some(montgomery::reduce_residue(modulus, chains(digits)))
            }
            Reduction::Barrett(_) | Reduction::Special(_) => None,
        }
    }

    /// What sums of products are below.
    pub fn limit(self, modulus: &Modulus) -> BigUint {
        match self {
            Reduction::Montgomery(_) => montgomery::wide_limit(modulus),
            Reduction::Barrett(_) => barrett::wide_limit(modulus),
            Reduction::Special(_) => special::wide_limit(modulus),
        }
    }
}

fn chains(digits: Digits) -> montgomery::Strategy {
    montgomery::Strategy::Separate {
        karatsuba: 0,
        digits,
    }
}
