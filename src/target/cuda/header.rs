//! The comment at the top of a field's header.

use super::programs::product_name;
use crate::plan::cuda::CudaPlan;
use crate::plan::{Form, Plan};

/// The lines of the comment, after the marker and without `//`.
pub(super) fn lines(plan: &Plan, algorithms: &CudaPlan) -> Vec<String> {
    let field = &plan.field;
    let limbs = plan.cuda_limbs();
    let spare = match 32 * limbs - field.bits {
        0 => "no spare bit".to_owned(),
        1 => "1 spare bit".to_owned(),
        bits => format!("{bits} spare bits"),
    };
    let form = match plan.stored.form {
        Form::Canonical => "canonical form: integers below p".to_owned(),
        Form::Montgomery => format!(
            "Montgomery form, R = 2^{}, p^-1 mod 2^32 = {:#x}",
            plan.stored.bits(),
            field.word32.inv
        ),
    };
    vec![
        format!(
            "{}: p = {:#x}, prime, {} bits, {spare} in {limbs} u32 limbs",
            field.name, field.modulus, field.bits
        ),
        form,
        format!("two-adicity {}", field.two_adicity),
        format!(
            "mul: {}; {}",
            product_name(algorithms.product),
            algorithms.reduction
        ),
        format!(
            "sqr: {}; the same reduction",
            product_name(algorithms.square)
        ),
        "inv: by Fermat's theorem".to_owned(),
    ]
}
