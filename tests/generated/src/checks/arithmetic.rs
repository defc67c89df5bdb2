//! Operators and functions of single elements.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::model::Model;
use crate::random::Random;
use crate::report::Report;
use crate::test_field::{Binary, TestField, Unary};
use crate::values;

/// Random cases on top of the edge values.
const RANDOM_PAIRS: usize = 200;
const RANDOM_VALUES: usize = 60;
const RANDOM_POWERS: usize = 12;

pub fn check(field: &dyn TestField, report: &mut Report) {
    let model = field.model();
    let mut random = Random::new(&format!("arithmetic {}", field.name()));

    let core = values::core(model);
    for a in &core {
        for b in &core {
            binary(field, a, b, report);
        }
    }
    for _ in 0..RANDOM_PAIRS {
        let (a, b) = (
            random.element(&model.modulus),
            random.element(&model.modulus),
        );
        binary(field, &a, &b, report);
    }

    let mut singles = values::edges(model);
    singles.extend(random.elements(&model.modulus, RANDOM_VALUES));
    for a in &singles {
        unary(field, a, report);
        order_and_equality(field, a, &core, report);
    }
    for a in core.iter().chain(&singles[singles.len() - RANDOM_VALUES..]) {
        inverse_and_roots(field, a, report);
    }
    powers(field, &mut random, report);
    iterators(field, &mut random, report);
}

/// All operators and functions of one or two given elements.
pub fn binary_and_unary(field: &dyn TestField, a: &BigUint, b: &BigUint, report: &mut Report) {
    binary(field, a, b, report);
    unary(field, a, report);
    inverse_and_roots(field, a, report);
    order_and_equality(field, a, std::slice::from_ref(b), report);
    power(field, a, &b.iter_u64_digits().collect::<Vec<_>>(), report);
}

fn binary(field: &dyn TestField, a: &BigUint, b: &BigUint, report: &mut Report) {
    for operation in Binary::ALL {
        let expected = operation.expected(field.model(), a, b);
        for (form, result) in field.binary(operation, a, b).into_iter().enumerate() {
            let what = || format!("{operation:?} (form {form}) of {a:#x} and {b:#x}");
            report.equal(what, &result, &expected);
        }
    }
}

fn unary(field: &dyn TestField, a: &BigUint, report: &mut Report) {
    for operation in Unary::ALL {
        let expected = operation.expected(field.model(), a);
        for (form, result) in field.unary(operation, a).into_iter().enumerate() {
            let what = || format!("{operation:?} (form {form}) of {a:#x}");
            report.equal(what, &result, &expected);
        }
    }
    report.equal(
        || format!("is_zero of {a:#x}"),
        field.is_zero(a),
        a.is_zero(),
    );
}

fn inverse_and_roots(field: &dyn TestField, a: &BigUint, report: &mut Report) {
    let model = field.model();
    report.equal(
        || format!("inverse of {a:#x}"),
        field.inverse(a),
        model.inverse(a),
    );
    report.equal(
        || format!("legendre of {a:#x}"),
        field.legendre(a),
        model.legendre(a),
    );
    for value in [a, &model.mul(a, a)] {
        let root = field.sqrt(value);
        let right = model.is_smaller_root(value, root.as_ref());
        report.holds(|| format!("sqrt of {value:#x} = {root:x?} is wrong"), right);
    }
}

fn order_and_equality(field: &dyn TestField, a: &BigUint, others: &[BigUint], report: &mut Report) {
    for b in others {
        let what = || format!("cmp of {a:#x} and {b:#x}");
        report.equal(what, field.compare(a, b), a.cmp(b));
        let (equal, same_hash) = field.equal(a, b);
        report.equal(|| format!("{a:#x} == {b:#x}"), equal, a == b);
        report.holds(
            || format!("equal {a:#x} have two hashes"),
            same_hash || a != b,
        );
    }
}

fn power(field: &dyn TestField, a: &BigUint, exponent: &[u64], report: &mut Report) {
    let expected = field.model().pow(a, &integer(exponent));
    let what = || format!("pow of {a:#x} to {exponent:x?}");
    report.equal(what, &field.pow(a, exponent), &expected);
    if let [exponent] = *exponent {
        let what = || format!("pow_u64 of {a:#x} to {exponent:#x}");
        report.equal(what, &field.pow_u64(a, exponent), &expected);
    }
}

fn powers(field: &dyn TestField, random: &mut Random, report: &mut Report) {
    let model = field.model();
    let p = &model.modulus;
    let digits = |value: BigUint| value.iter_u64_digits().collect::<Vec<u64>>();
    let mut exponents: Vec<Vec<u64>> = vec![vec![], vec![0, 0], vec![7, 0, 0]];
    exponents.extend((0..=17).map(|small| vec![small]));
    exponents.extend([u64::MAX, 1 << 63, 1 << 32, u64::from(u32::MAX)].map(|e| vec![e]));
    exponents.extend([p - 2u32, p - 1u32, p.clone(), p + 1u32, model.odd_part()].map(digits));
    exponents.push(vec![random.word(), random.word()]);
    let base = random.element(p);
    for exponent in &exponents {
        for a in [BigUint::zero(), BigUint::one(), p - 1u32, base.clone()] {
            power(field, &a, exponent, report);
        }
    }
    for _ in 0..RANDOM_POWERS {
        let exponent = digits(random.element(p));
        power(field, &random.element(p), &exponent, report);
        power(field, &random.element(p), &[random.word()], report);
    }
}

fn iterators(field: &dyn TestField, random: &mut Random, report: &mut Report) {
    let model = field.model();
    for count in [0, 1, 2, 3, 10] {
        let values = random.elements(&model.modulus, count);
        for result in field.sum(&values) {
            report.equal(
                || format!("Sum of {values:x?}"),
                &result,
                &model.sum(&values),
            );
        }
        for result in field.product(&values) {
            let expected = model.product(&values);
            report.equal(|| format!("Product of {values:x?}"), &result, &expected);
        }
    }
}

fn integer(limbs: &[u64]) -> BigUint {
    let digits = limbs
        .iter()
        .flat_map(|limb| [*limb as u32, (limb >> 32) as u32]);
    BigUint::new(digits.collect())
}

/// The stored form of `a` where it is kept times `2^(word bits * words)`.
pub fn montgomery_form(model: &Model, words: (u32, usize), a: &BigUint) -> BigUint {
    model.reduce(&(a << (words.0 as usize * words.1)))
}
