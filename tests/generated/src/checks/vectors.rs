//! Comparison with the results of other code.

use num_bigint::BigUint;

use crate::report::Report;
use crate::test_field::{Binary, Form, Slice, TestField, Unary};
use crate::vectors::{Hex, Vectors};

/// Compares everything in `vectors` with the field.
pub fn check(field: &dyn TestField, vectors: &Vectors, report: &mut Report) {
    constants(field, vectors, report);
    operations(field, vectors, report);
    for (a, exponent, expected) in &vectors.pow {
        let limbs: Vec<u64> = exponent.0.iter_u64_digits().collect();
        let what = || format!("pow of {a:x?} to {exponent:x?}");
        report.equal(what, &field.pow(&a.0, &limbs), &expected.0);
        if let Ok(exponent) = u64::try_from(&exponent.0) {
            let what = || format!("pow_u64 of {a:x?} to {exponent:#x}");
            report.equal(what, &field.pow_u64(&a.0, exponent), &expected.0);
        }
    }
    slices(field, vectors, report);
}

fn constants(field: &dyn TestField, vectors: &Vectors, report: &mut Report) {
    let constants = field.constants();
    let model = field.model();
    report.equal(|| "MODULUS".into(), &constants.modulus, &vectors.modulus.0);
    report.equal(|| "BITS".into(), constants.bits, vectors.bits);
    report.equal(
        || "TWO_ADICITY".into(),
        constants.two_adicity,
        vectors.two_adicity,
    );
    let nonresidue = BigUint::from(vectors.smallest_nonresidue);
    report.equal(|| "NONRESIDUE".into(), &constants.nonresidue, &nonresidue);
    report.equal(
        || "the odd part".into(),
        &model.odd_part(),
        &vectors.odd_part.0,
    );
    let root = field.pow(
        &nonresidue,
        &vectors.odd_part.0.iter_u64_digits().collect::<Vec<_>>(),
    );
    let expected = &vectors.nonresidue_pow_odd_part.0;
    report.equal(|| "NONRESIDUE^odd_part".into(), &root, expected);
    if constants.generator.is_none() {
        report.equal(
            || "TWO_ADIC_ROOT".into(),
            &constants.two_adic_root,
            expected,
        );
    }

    let (word_bits, word_count) = field.words();
    let montgomery = &vectors.montgomery[&word_bits];
    report.equal(|| "words".into(), word_count, montgomery.limbs as usize);
    let one = BigUint::from(1u32);
    let powers = [&one, &montgomery.r.0, &montgomery.r2.0, &montgomery.r3.0];
    for pair in powers.windows(2) {
        let [value, times_r] = [pair[0], pair[1]];
        let expected = match field.form() {
            Form::Canonical => value,
            Form::Montgomery => times_r,
        };
        let what = || format!("to_stored of {value:#x}");
        report.equal(what, &field.to_stored(value), expected);
    }
}

fn operations(field: &dyn TestField, vectors: &Vectors, report: &mut Report) {
    for (a, b, results) in &vectors.binary {
        for (operation, expected) in [
            (Binary::Add, &results.add),
            (Binary::Sub, &results.sub),
            (Binary::Mul, &results.mul),
        ] {
            for result in field.binary(operation, &a.0, &b.0) {
                let what = || format!("{operation:?} of {a:x?} and {b:x?}");
                report.equal(what, &result, &expected.0);
            }
        }
    }
    let integer = |hex: &Option<Hex>| hex.as_ref().map(|hex| hex.0.clone());
    for (a, results) in &vectors.unary {
        for (operation, expected) in [
            (Unary::Neg, &results.neg),
            (Unary::Double, &results.double),
            (Unary::Square, &results.square),
            (Unary::Halve, &results.halve),
        ] {
            for result in field.unary(operation, &a.0) {
                report.equal(|| format!("{operation:?} of {a:x?}"), &result, &expected.0);
            }
        }
        let what = |call: &str| format!("{call} of {a:x?}");
        report.equal(
            || what("inverse"),
            field.inverse(&a.0),
            integer(&results.inverse),
        );
        report.equal(|| what("legendre"), field.legendre(&a.0), results.legendre);
        report.equal(
            || what("sqrt"),
            field.sqrt(&a.0),
            integer(&results.sqrt_smaller),
        );
    }
}

fn slices(field: &dyn TestField, vectors: &Vectors, report: &mut Report) {
    for (index, backend) in field.backends().iter().enumerate() {
        // What this processor lacks is run by the test that brings an emulator.
        if backend.available {
            check_backend(field, index, vectors, report);
        }
    }
}

/// All slice functions of one module.
pub fn check_backend(field: &dyn TestField, index: usize, vectors: &Vectors, report: &mut Report) {
    let name = field.backends()[index].name;
    let binary = &vectors.binary;
    let a = column(binary.iter().map(|(a, _, _)| a));
    let b = column(binary.iter().map(|(_, b, _)| b));
    for (function, expected) in [
        (Slice::Add, column(binary.iter().map(|(_, _, r)| &r.add))),
        (Slice::Sub, column(binary.iter().map(|(_, _, r)| &r.sub))),
        (Slice::Mul, column(binary.iter().map(|(_, _, r)| &r.mul))),
    ] {
        let arguments = vec![a.clone(), a.clone(), b.clone()];
        let (after, _) = field.slice(index, function, arguments);
        let what = || format!("{name} {function:?} of all");
        report.equal(what, &after[0], &expected);
    }
    for ((a, b), (_, _, results)) in a.iter().zip(&b).zip(binary) {
        let arguments = vec![vec![a.clone()], vec![a.clone()], vec![b.clone()]];
        let (after, _) = field.slice(index, Slice::ScalarMul, arguments);
        let what = || format!("{name} ScalarMul of {a:x} and {b:x}");
        report.equal(what, &after[0][0], &results.mul.0);
    }
    let a = column(vectors.unary.iter().map(|(a, _)| a));
    let expected = column(vectors.unary.iter().map(|(_, results)| &results.neg));
    let (after, _) = field.slice(index, Slice::Neg, vec![a.clone(), a]);
    report.equal(|| format!("{name} Neg of all"), &after[0], &expected);

    let slices = &vectors.slices;
    let x = column(slices.x.iter());
    let y = column(slices.y.iter());
    for (count, expected) in &slices.sum {
        let arguments = vec![x[..*count].to_vec()];
        let (_, result) = field.slice(index, Slice::Sum, arguments);
        let what = || format!("{name} sum of {count}");
        report.equal(what, result.as_ref(), Some(&expected.0));
    }
    for (count, expected) in &slices.inner_product {
        let arguments = vec![x[..*count].to_vec(), y[..*count].to_vec()];
        let (_, result) = field.slice(index, Slice::InnerProduct, arguments);
        let what = || format!("{name} inner product of {count}");
        report.equal(what, result.as_ref(), Some(&expected.0));
    }
}

fn column<'a>(hex: impl Iterator<Item = &'a Hex>) -> Vec<BigUint> {
    hex.map(|hex| hex.0.clone()).collect()
}
