//! The algorithms of a field's CUDA header: of all whose bounds hold for the modulus, the cheapest.

use std::fmt;

use num_bigint::BigUint;

use crate::kernel::cost::Cost;
use crate::kernel::montgomery::{self, Digits};
use crate::kernel::wide::{self, Product};
use crate::kernel::{Bound, Modulus, Program, barrett};

use super::{Form, Other, Plan};

/// How elements are multiplied: the whole product on 32-bit limbs, then its reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CudaPlan {
    /// Of two elements.
    pub product: Product,
    /// Of an element with itself.
    pub square: Product,
    pub reduction: Reduction,
}

/// How products are reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Montgomery(Digits),
    Barrett(barrett::Remainder),
}

impl CudaPlan {
    /// Compares all products with all reductions to the form in which the field is stored.
    pub fn new(plan: &Plan) -> CudaPlan {
        let modulus = modulus(plan);
        let reductions: Vec<(Reduction, Cost)> = Reduction::all(plan.stored.form)
            .into_iter()
            // Those whose bounds do not hold are not offered.
            .filter_map(|reduction| {
                let program = reduction.of_product(&modulus).ok()?;
                Some((reduction, program.cost()))
            })
            .collect();
        let cheapest = |reductions: &[(Reduction, Cost)], program: Build| {
            let choices = Product::chains(&modulus).into_iter().map(|product| {
                let cost = program(&modulus, product).cost();
                let (time, reduction) = reductions
                    .iter()
                    .map(|reduction| ((cost + reduction.1).time(), *reduction))
                    .min_by_key(|(time, _)| *time)
                    .expect("for every odd modulus some reduction is right");
                (time, product, reduction)
            });
            simplest_of_the_fast(choices.collect())
        };
        let (product, reduction) = cheapest(&reductions, wide::product);
        // Squares share the reduction.
        let (square, reduction) = cheapest(&[reduction], wide::square);
        CudaPlan {
            product,
            square,
            reduction: reduction.0,
        }
    }
}

/// Everything that was compared: what was taken, and the rest.
#[derive(Debug)]
pub(crate) struct Considered {
    pub product: (Other, Vec<Other>),
    pub square: (Other, Vec<Other>),
}

impl CudaPlan {
    /// The table that [`CudaPlan::new`] chooses from, for people.
    pub fn considered(plan: &Plan) -> Considered {
        let chosen = CudaPlan::new(plan);
        let modulus = modulus(plan);
        let reductions: Vec<(Reduction, Result<Cost, Bound>)> = Reduction::all(plan.stored.form)
            .into_iter()
            .map(|reduction| {
                let program = reduction.of_product(&modulus);
                (reduction, program.map(|program| program.cost()))
            })
            .collect();
        let table = |build: Build, taken: Product| {
            let mut first = None;
            let mut others = Vec::new();
            for product in Product::chains(&modulus) {
                let cost = build(&modulus, product).cost();
                for (reduction, outcome) in &reductions {
                    let row = Other {
                        algorithm: format!("{product} product, {reduction}"),
                        outcome: outcome.clone().map(|reduction| cost + reduction),
                    };
                    if (product, *reduction) == (taken, chosen.reduction) {
                        first = Some(row);
                    } else {
                        others.push(row);
                    }
                }
            }
            (first.expect("what was taken is in the table"), others)
        };
        Considered {
            product: table(wide::product, chosen.product),
            square: table(wide::square, chosen.square),
        }
    }
}

type Build = fn(&Modulus, Product) -> Program;

/// The first of the choices, which come with their times and the simple ones first, that is about
/// as fast as the fastest: the model cannot tell times apart that differ by less than 8 %, and more
/// levels of Karatsuba need more registers.
fn simplest_of_the_fast<A, B>(choices: Vec<(u32, A, B)>) -> (A, B) {
    let best = choices.iter().map(|choice| choice.0).min();
    choices
        .into_iter()
        .find(|choice| best.is_some_and(|best| 100 * choice.0 < 108 * best))
        .map(|(_, product, reduction)| (product, reduction))
        .expect("schoolbook products at least")
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
    /// Every reduction to this form.
    fn all(form: Form) -> Vec<Reduction> {
        match form {
            Form::Montgomery => [Digits::Signed, Digits::Scaled, Digits::Quotient]
                .map(Reduction::Montgomery)
                .to_vec(),
            Form::Canonical => [barrett::Remainder::Tight, barrett::Remainder::Extended]
                .map(Reduction::Barrett)
                .to_vec(),
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
        }
    }

    /// The reduction of a sum of products, which is below the limit that [`Reduction::limit`]
    /// says.
    pub fn of_sum(self, modulus: &Modulus) -> Result<Program, Bound> {
        match self {
            Reduction::Montgomery(digits) => montgomery::reduce(modulus, chains(digits)),
            Reduction::Barrett(_) => self.of_product(modulus),
        }
    }

    /// The canonical value of an element, where that is not what is stored.
    pub fn of_element(self, modulus: &Modulus) -> Option<Result<Program, Bound>> {
        match self {
            Reduction::Montgomery(digits) => {
                Some(montgomery::reduce_residue(modulus, chains(digits)))
            }
            Reduction::Barrett(_) => None,
        }
    }

    /// What sums of products are below.
    pub fn limit(self, modulus: &Modulus) -> BigUint {
        match self {
            Reduction::Montgomery(_) => montgomery::wide_limit(modulus),
            Reduction::Barrett(_) => barrett::wide_limit(modulus),
        }
    }
}

fn chains(digits: Digits) -> montgomery::Strategy {
    montgomery::Strategy::Separate {
        karatsuba: 0,
        digits,
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reduction::Montgomery(Digits::Quotient) => "REDC, a quotient for each limb",
            Reduction::Montgomery(Digits::Scaled) => {
                "REDC by a multiple of p that is -1 mod 2^32, without quotients but for two limbs"
            }
            Reduction::Montgomery(Digits::Signed) => {
                "REDC by subtraction, without quotients (p = 1 mod 2^32)"
            }
            Reduction::Barrett(barrett::Remainder::Tight) => {
                "Barrett, from the high and the low half of a product"
            }
            Reduction::Barrett(barrett::Remainder::Extended) => {
                "Barrett, from the high and the low half of a product and one limb more"
            }
        })
    }
}
