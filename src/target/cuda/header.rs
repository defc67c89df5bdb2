//! The comment at the top of a field's header.

use crate::plan::cuda::CudaPlan;
use crate::plan::{Form, Plan};
use crate::target::header;

/// The lines of the comment, after the marker and without `//`.
pub(super) fn lines(plan: &Plan, algorithms: &CudaPlan) -> Vec<String> {
    let field = &plan.field;
    let form = match plan.stored.form {
        Form::Canonical => "canonical form: integers below p".to_owned(),
        Form::Montgomery => format!(
            "Montgomery form, R = 2^{}, p^-1 mod 2^32 = {:#x}",
            plan.stored.bits(),
            field.word32.inv
        ),
    };
    vec![
        header::modulus(plan, &format!("{} u32 limbs", plan.cuda_limbs())),
        form,
        header::group(field),
        format!("mul: {}", algorithms.mul.taken.algorithm),
        format!("sqr: {}", algorithms.square.taken.algorithm),
        "inv: a^(p - 2), bit by bit; zero for zero".to_owned(),
    ]
}
