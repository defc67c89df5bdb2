//! Every element, and every pair of elements, of a small field.

use num_bigint::BigUint;

use super::arithmetic::montgomery_form;
use crate::report::Report;
use crate::test_field::{Form, TestField};

/// Exponents that are tried with every element.
const EXPONENTS: u64 = 9;

pub fn check(field: &dyn TestField, report: &mut Report) {
    match field.all_pairs() {
        Ok(cases) => report.count(cases),
        Err(difference) => report.fail(&difference),
    }
    let model = field.model();
    let p = u64::try_from(&model.modulus).expect("a small modulus");
    let mut root = vec![None; p as usize];
    for r in (0..=p / 2).rev() {
        root[(r * r % p) as usize] = Some(BigUint::from(r));
    }
    for (value, root) in (0..p).zip(root) {
        let a = BigUint::from(value);
        let what = |call: &str| format!("{call} of {value}");
        report.equal(|| what("sqrt"), &field.sqrt(&a), &root);
        let legendre = match &root {
            _ if value == 0 => 0,
            Some(_) => 1,
            None => -1,
        };
        report.equal(|| what("legendre"), field.legendre(&a), legendre);
        report.equal(|| what("inverse"), field.inverse(&a), model.inverse(&a));
        let mut power = BigUint::from(1u32);
        for exponent in 0..EXPONENTS {
            report.equal(|| what("pow_u64"), &field.pow_u64(&a, exponent), &power);
            power = model.mul(&power, &a);
        }
        for exponent in [p - 2, p - 1, p, p + 1] {
            let expected = model.pow(&a, &exponent.into());
            report.equal(|| what("pow_u64"), &field.pow_u64(&a, exponent), &expected);
        }
        let stored = match field.form() {
            Form::Canonical => a.clone(),
            Form::Montgomery => montgomery_form(model, field.words(), &a),
        };
        report.equal(|| what("to_stored"), &field.to_stored(&a), &stored);
        for operation in crate::test_field::Unary::ALL {
            for result in field.unary(operation, &a) {
                report.equal(
                    || format!("{operation:?} of {value}"),
                    &result,
                    &operation.expected(model, &a),
                );
            }
        }
    }
    // All that one or two bytes can hold.
    let bytes = model.bits.div_ceil(8) as usize;
    for value in 0..1u64 << (8 * bytes) {
        let expected = (value < p).then(|| BigUint::from(value));
        let what = |call: &str| format!("{call} of {value}");
        let read = field.from_bytes(&value.to_le_bytes()[..bytes]);
        report.equal(|| what("from_le_bytes"), &read, &expected);
        report.equal(
            || what("from_canonical"),
            &field.checked(&value.into()),
            &expected,
        );
        report.equal(
            || what("new"),
            field.reduced(&value.into()),
            (value % p).into(),
        );
    }
}
