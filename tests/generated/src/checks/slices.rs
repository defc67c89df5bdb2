//! Slice functions of every module that has them.

use num_bigint::BigUint;
use num_traits::Zero;

use crate::model::Model;
use crate::random::Random;
use crate::report::Report;
use crate::test_field::{Backend, Slice, SliceArguments, TestField};
use crate::values;

/// Around every multiple of the 8 and 16 lanes of a vector up to four of them.
const LENGTHS: [usize; 26] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 47, 48, 49, 63, 64, 65, 67, 100, 129,
];

pub fn check(field: &dyn TestField, report: &mut Report) {
    for (index, backend) in field.backends().iter().enumerate() {
        // What this processor lacks is run by the test that brings an emulator.
        if backend.available {
            check_backend(field, index, backend, report);
        }
    }
    let mut random = Random::new(&format!("batch inverse {}", field.name()));
    for length in LENGTHS {
        let mut values = random.elements(&field.model().modulus, length);
        plant_zeros(&mut values, &mut random);
        let expected = inverses(field.model(), &values);
        let what = || format!("Element::batch_inverse of {values:x?}");
        report.equal(what, &field.batch_inverse(&values, length), &expected);
    }
    report.panics(
        || "Element::batch_inverse with too little scratch".into(),
        || field.batch_inverse(&random.elements(&field.model().modulus, 3), 2),
    );
}

/// All functions of one module.
pub fn check_backend(field: &dyn TestField, index: usize, backend: &Backend, report: &mut Report) {
    let name = format!("{} {}", backend.name, field.name());
    let mut random = Random::new(&format!("slices {name}"));
    for function in backend.functions.iter().copied() {
        for length in LENGTHS {
            let arguments = arguments(field.model(), function, length, &mut random);
            check_call(field, index, function, arguments, &name, report);
        }
        edge_arguments(field, index, function, &name, report);
        mismatched_lengths(field, index, function, &name, report);
    }
    long_sums(field, index, &name, report);
    match field.packed(index, &random.elements(&field.model().modulus, 50)) {
        Ok(cases) => report.count(cases),
        Err(difference) => report.fail(&difference),
    }
}

/// Lengths of the arguments of a function, for `length` elements.
fn shape(function: Slice, length: usize) -> Vec<usize> {
    match function {
        Slice::Sum
        | Slice::NegInPlace
        | Slice::DoubleInPlace
        | Slice::HalveInPlace
        | Slice::SquareInPlace
        | Slice::Exp3InPlace
        | Slice::Exp5InPlace
        | Slice::Exp7InPlace
        | Slice::PowInPlace
        | Slice::ToCanonical
        | Slice::FromCanonical => vec![length],
        Slice::Neg
        | Slice::Double
        | Slice::Halve
        | Slice::Square
        | Slice::InnerProduct
        | Slice::Exp3
        | Slice::Exp5
        | Slice::Exp7
        | Slice::Pow
        | Slice::AddAssign
        | Slice::SubAssign
        | Slice::MulAssign
        | Slice::BatchInverse => vec![length; 2],
        Slice::ScalarMulInPlace => vec![length, 1],
        Slice::ScalarMul
        | Slice::ScalarMulAdd
        | Slice::ButterflyDifScalar
        | Slice::ButterflyDitScalar => vec![length, length, 1],
        Slice::Add
        | Slice::Sub
        | Slice::Mul
        | Slice::MulAdd
        | Slice::ButterflyDif
        | Slice::ButterflyDit => vec![length; 3],
    }
}

/// Whether the last argument is a single element.
fn takes_scalar(function: Slice) -> bool {
    matches!(
        function,
        Slice::ScalarMul
            | Slice::ScalarMulInPlace
            | Slice::ScalarMulAdd
            | Slice::ButterflyDifScalar
            | Slice::ButterflyDitScalar
    )
}

fn arguments(model: &Model, function: Slice, length: usize, random: &mut Random) -> SliceArguments {
    let lengths = shape(function, length);
    let mut arguments: SliceArguments = lengths
        .into_iter()
        .map(|length| random.elements(&model.modulus, length))
        .collect();
    if function == Slice::BatchInverse {
        plant_zeros(&mut arguments[0], random);
    }
    arguments
}

fn plant_zeros(values: &mut [BigUint], random: &mut Random) {
    for value in values {
        if random.below(4) == 0 {
            value.set_zero();
        }
    }
}

fn inverses(model: &Model, values: &[BigUint]) -> Vec<BigUint> {
    let inverse = |value| model.inverse(value).unwrap_or_default();
    values.iter().map(inverse).collect()
}

/// The arguments after the call (those which it only reads, too) and the result.
fn expected(
    model: &Model,
    function: Slice,
    arguments: &SliceArguments,
) -> (SliceArguments, Option<BigUint>) {
    let mut after = arguments.clone();
    let argument = |index: usize| arguments[index].iter();
    let map = |index: usize, f: &dyn Fn(&BigUint) -> BigUint| argument(index).map(f).collect();
    let zip = |x: usize, y: usize, f: &dyn Fn(&BigUint, &BigUint) -> BigUint| {
        let pairs = argument(x).zip(argument(y));
        pairs.map(|(x, y)| f(x, y)).collect()
    };
    let power = |index: usize, exponent: u64| map(index, &|a| model.pow(a, &exponent.into()));
    let (add, sub, mul) = (
        &|a: &BigUint, b: &BigUint| model.add(a, b),
        &|a: &BigUint, b: &BigUint| model.sub(a, b),
        &|a: &BigUint, b: &BigUint| model.mul(a, b),
    );
    let scalar = || &arguments[arguments.len() - 1][0];
    match function {
        Slice::Sum => return (after, Some(model.sum(&arguments[0]))),
        Slice::InnerProduct => {
            let result = model.inner_product(&arguments[0], &arguments[1]);
            return (after, Some(result));
        }
        Slice::Add => after[0] = zip(1, 2, add),
        Slice::Sub => after[0] = zip(1, 2, sub),
        Slice::Mul => after[0] = zip(1, 2, mul),
        Slice::AddAssign => after[0] = zip(0, 1, add),
        Slice::SubAssign => after[0] = zip(0, 1, sub),
        Slice::MulAssign => after[0] = zip(0, 1, mul),
        Slice::Neg => after[0] = map(1, &|a| model.neg(a)),
        Slice::NegInPlace => after[0] = map(0, &|a| model.neg(a)),
        Slice::Double => after[0] = map(1, &|a| model.add(a, a)),
        Slice::DoubleInPlace => after[0] = map(0, &|a| model.add(a, a)),
        Slice::Halve => after[0] = map(1, &|a| model.halve(a)),
        Slice::HalveInPlace => after[0] = map(0, &|a| model.halve(a)),
        Slice::ScalarMul => after[0] = map(1, &|a| model.mul(a, scalar())),
        Slice::ScalarMulInPlace => after[0] = map(0, &|a| model.mul(a, scalar())),
        Slice::ScalarMulAdd => {
            after[0] = zip(0, 1, &|sum, a| model.add(sum, &model.mul(a, scalar())));
        }
        Slice::MulAdd => {
            let products = argument(1).zip(argument(2)).map(|(a, b)| a * b);
            after[0] = argument(0)
                .zip(products)
                .map(|(c, ab)| model.reduce(&(c + ab)))
                .collect();
        }
        Slice::ButterflyDif
        | Slice::ButterflyDit
        | Slice::ButterflyDifScalar
        | Slice::ButterflyDitScalar => {
            let is_dif = matches!(function, Slice::ButterflyDif | Slice::ButterflyDifScalar);
            for (i, (x, y)) in argument(0).zip(argument(1)).enumerate() {
                let w = if takes_scalar(function) {
                    scalar()
                } else {
                    &arguments[2][i]
                };
                (after[0][i], after[1][i]) = if is_dif {
                    (model.add(x, y), model.mul(&model.sub(x, y), w))
                } else {
                    let wy = model.mul(w, y);
                    (model.add(x, &wy), model.sub(x, &wy))
                };
            }
        }
        Slice::Square => after[0] = power(1, 2),
        Slice::SquareInPlace => after[0] = power(0, 2),
        Slice::Exp3 => after[0] = power(1, 3),
        Slice::Exp5 => after[0] = power(1, 5),
        Slice::Exp7 => after[0] = power(1, 7),
        Slice::Exp3InPlace => after[0] = power(0, 3),
        Slice::Exp5InPlace => after[0] = power(0, 5),
        Slice::Exp7InPlace => after[0] = power(0, 7),
        Slice::Pow => after[0] = power(1, Slice::EXPONENT),
        Slice::PowInPlace => after[0] = power(0, Slice::EXPONENT),
        Slice::BatchInverse => after[0] = inverses(model, &arguments[0]),
        // The same values in another form.
        Slice::ToCanonical | Slice::FromCanonical => {}
    }
    (after, None)
}

fn check_call(
    field: &dyn TestField,
    backend: usize,
    function: Slice,
    arguments: SliceArguments,
    name: &str,
    report: &mut Report,
) {
    let (mut after_expected, result_expected) = expected(field.model(), function, &arguments);
    let (mut after, result) = field.slice(backend, function, arguments.clone());
    if function == Slice::BatchInverse {
        // The scratch may hold anything.
        after.truncate(1);
        after_expected.truncate(1);
    }
    let what = || format!("{name} {function:?} of {arguments:x?}");
    report.equal(what, (&after, &result), (&after_expected, &result_expected));
}

/// Every pair of core values, in one call.
fn edge_arguments(
    field: &dyn TestField,
    backend: usize,
    function: Slice,
    name: &str,
    report: &mut Report,
) {
    let core = values::core(field.model());
    let count = core.len();
    let row: Vec<BigUint> = (0..count * count)
        .map(|i| core[i / count].clone())
        .collect();
    let column: Vec<BigUint> = (0..count * count)
        .map(|i| core[i % count].clone())
        .collect();
    let third: Vec<BigUint> = (0..count * count)
        .map(|i| core[(i * 7 + 3) % count].clone())
        .collect();
    if takes_scalar(function) {
        for scalar in &core {
            let mut reversed = core.clone();
            reversed.reverse();
            let mut arguments = vec![reversed, core.clone(), vec![scalar.clone()]];
            if shape(function, 1).len() == 2 {
                arguments.remove(0);
            }
            check_call(field, backend, function, arguments, name, report);
        }
        return;
    }
    let mut arguments = vec![row, column, third];
    arguments.truncate(shape(function, 1).len());
    if matches!(
        function,
        Slice::ButterflyDit | Slice::ButterflyDif | Slice::MulAdd
    ) {
        check_call(field, backend, function, arguments.clone(), name, report);
        arguments.rotate_left(1);
    } else if arguments.len() == 3 {
        // The destination first, then the pairs.
        arguments.rotate_right(1);
    }
    check_call(field, backend, function, arguments, name, report);
}

/// Sums of so many largest elements that accumulators overflow where they are folded too late.
fn long_sums(field: &dyn TestField, backend: usize, name: &str, report: &mut Report) {
    let model = field.model();
    // About 2^64 / p^2 products fit one word; more than 2^17 of them are not tried.
    let length = match model.bits {
        0..=23 => 3000,
        24..=33 => (1 << 17) + 21,
        34..=64 => 3000,
        _ => 300,
    };
    let largest = &model.modulus - 1u32;
    for (function, term) in [
        (Slice::Sum, largest.clone()),
        (Slice::InnerProduct, model.mul(&largest, &largest)),
    ] {
        let expected = model.reduce(&(term * length));
        let result = field.long_sum(backend, function, &largest, length);
        let what = || format!("{name} {function:?} of {length} times p - 1");
        report.equal(what, result, expected);
    }
}

/// Every slice in turn is one too short, then one too long.
fn mismatched_lengths(
    field: &dyn TestField,
    backend: usize,
    function: Slice,
    name: &str,
    report: &mut Report,
) {
    let model = field.model();
    for length in [0, 1, 16, 17] {
        let lengths = shape(function, length);
        // A scalar is no slice, and of the scratch only too little is wrong.
        let slices = match function {
            _ if lengths.len() == 1 => 0,
            Slice::ScalarMulInPlace => 0,
            _ if takes_scalar(function) => 2,
            _ => lengths.len(),
        };
        for changed in 0..slices {
            let longer = (function, changed) != (Slice::BatchInverse, 1);
            let shorter = length > 0 && (function, changed) != (Slice::BatchInverse, 0);
            let wrong = [(longer, length + 1), (shorter, length.wrapping_sub(1))];
            for (_, wrong_length) in wrong.into_iter().filter(|(applies, _)| *applies) {
                let mut lengths = lengths.clone();
                lengths[changed] = wrong_length;
                let mut random = Random::new("lengths");
                let arguments: SliceArguments = lengths
                    .iter()
                    .map(|length| random.elements(&model.modulus, *length))
                    .collect();
                report.panics(
                    || format!("{name} {function:?} of lengths {lengths:?}"),
                    || field.slice(backend, function, arguments),
                );
            }
        }
    }
    if function == Slice::BatchInverse {
        // More scratch than needed is fine.
        let mut arguments = vec![vec![BigUint::from(2u32); 3], vec![BigUint::zero(); 9]];
        arguments[0][1].set_zero();
        check_call(field, backend, function, arguments, name, report);
    }
}
