//! The programs of a field's header: which ones, and what each is for.

use crate::kernel::wide::{self, Product};
use crate::kernel::{Bound, Modulus, Program, modular, truncated};
use crate::plan::cuda::{CudaPlan, Reduction};

/// A program on 32-bit limbs with its name in the header.
pub(super) struct Named {
    pub name: &'static str,
    pub doc: String,
    pub program: Program,
}

const REDUCE_PRODUCT: &str = "reduce_product";
const REDUCE_SUM: &str = "reduce_sum";

/// The name of the program that reduces sums of products.
pub(super) fn reduce_sum(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Montgomery(_) => REDUCE_SUM,
        Reduction::Barrett(_) | Reduction::Special(_) => REDUCE_PRODUCT,
    }
}

/// The programs from which the functions of the element type are made.
pub(super) fn programs(modulus: &Modulus, plan: &CudaPlan) -> Vec<Named> {
    let limit = plan.reduction.limit(modulus);
    let limit_name = limit_name(plan.reduction);
    let limbs = modulus.limbs;
    // Truncated products gain nothing from Karatsuba.
    let columns = Product::Chains { karatsuba: 0 };
    let radix = format!("2^{}", 32 * limbs);
    let divided = match plan.reduction {
        Reduction::Montgomery(_) => format!("x / {radix} mod p"),
        Reduction::Barrett(_) | Reduction::Special(_) => "x mod p".to_owned(),
    };
    let mut programs = Vec::new();
    let mut push = |name, doc: String, program| programs.push(Named { name, doc, program });

    push(
        "modular_add",
        "(a + b) mod p, for a, b < p.".into(),
        modular::add(modulus),
    );
    push(
        "modular_sub",
        "(a - b) mod p, for a, b < p.".into(),
        modular::sub(modulus),
    );
    push(
        "modular_neg",
        "-a mod p, for a < p.".into(),
        modular::neg(modulus),
    );
    push(
        "modular_double",
        "2 a mod p, for a < p.".into(),
        modular::double(modulus),
    );
    push(
        "product",
        format!("a b, for a, b < p: {}.", plan.product()),
        wide::product(modulus, plan.product()),
    );
    push(
        "square",
        format!("a^2, for a < p: {}.", plan.square()),
        wide::square(modulus, plan.square()),
    );
    push(
        "wide_add",
        format!("(a + b) mod {limit_name}, for a, b < {limit_name}."),
        modular::wide_add(modulus, &limit),
    );
    push(
        REDUCE_PRODUCT,
        format!("{divided}, for x <= (p - 1)^2."),
        chosen(plan.reduction.of_product(modulus)),
    );
    if let Some(program) = plan.reduction.of_sum(modulus) {
        push(
            REDUCE_SUM,
            format!("{divided}, for x < {limit_name}."),
            chosen(program),
        );
    }
    if let Some(program) = plan.reduction.of_element(modulus) {
        push(
            "leave_montgomery",
            format!("{divided}, for x < p."),
            chosen(program),
        );
    }
    if plan.is_interleaved() {
        push(
            "multiply",
            format!("{} for a, b < p.", divided.replacen('x', "a b", 1)),
            plan.mul
                .taken
                .program
                .clone()
                .expect("what is taken is right"),
        );
    }
    push(
        "product_lsb",
        format!("a b mod {radix}."),
        truncated::lsb_product(32, limbs, columns),
    );
    let first = truncated::msb_first_column(32, limbs);
    push(
        "product_msb",
        format!(
            "a b / {radix} rounded down, or 1 less: without the products of limbs below limb {first}."
        ),
        truncated::msb_product(32, limbs, first, columns),
    );
    programs
}

/// What sums of products are below.
pub(super) fn limit_name(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Montgomery(_) => "R p",
        Reduction::Barrett(_) | Reduction::Special(_) => "p^2",
    }
}

/// A plan holds only reductions that are right for its modulus.
fn chosen(program: Result<Program, Bound>) -> Program {
    program.unwrap_or_else(|bound| panic!("the planned reduction {bound}"))
}
