//! What a field says about itself.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::report::Report;
use crate::test_field::TestField;

/// Prime factors of `p - 1` up to here are used against a claimed generator.
const SMALL_FACTORS: u32 = 1000;

pub fn check(field: &dyn TestField, report: &mut Report) {
    let model = field.model();
    let constants = field.constants();
    let (word_bits, word_count) = field.words();
    let bytes = model.bits.div_ceil(8) as usize;

    report.equal(|| "MODULUS".into(), &constants.modulus, &model.modulus);
    report.equal(|| "BITS".into(), constants.bits, model.bits);
    report.equal(|| "BYTES".into(), constants.bytes, bytes);
    let expected_words = match model.bits {
        0..=32 => (32, 1),
        33..=64 => (64, 1),
        bits => (64, bits.div_ceil(64) as usize),
    };
    report.equal(|| "words".into(), (word_bits, word_count), expected_words);
    let size = word_bits as usize / 8 * word_count;
    report.equal(|| "size_of Element".into(), constants.size, size);
    report.equal(|| "ZERO".into(), &constants.zero, &BigUint::zero());
    report.equal(|| "ONE".into(), &constants.one, &BigUint::one());
    report.equal(|| "default()".into(), &constants.default, &BigUint::zero());
    let evaluated = model.reduce(&BigUint::from(15625u32));
    report.equal(
        || "a constant of 5^6".into(),
        &constants.evaluated,
        &evaluated,
    );
    let nonresidue = model.smallest_nonresidue();
    report.equal(|| "NONRESIDUE".into(), &constants.nonresidue, &nonresidue);

    roots(field, report);
    if let Some(generator) = &constants.generator {
        check_generator(field, generator, report);
    }
}

fn roots(field: &dyn TestField, report: &mut Report) {
    let model = field.model();
    let constants = field.constants();
    let s = model.two_adicity;
    report.equal(|| "TWO_ADICITY".into(), constants.two_adicity, s);

    let base = constants
        .generator
        .as_ref()
        .unwrap_or(&constants.nonresidue);
    let root = model.pow(base, &model.odd_part());
    report.equal(|| "TWO_ADIC_ROOT".into(), &constants.two_adic_root, &root);

    // From the order 2^s down: each root is the square of the one before, the last are -1 and 1.
    let mut expected = root;
    for log2_order in (0..=s).rev() {
        let what = || format!("two_adic_root({log2_order})");
        report.equal(
            what,
            field.two_adic_root(log2_order).as_ref(),
            Some(&expected),
        );
        if log2_order == 1 {
            let minus_one = &model.modulus - 1u32;
            report.equal(what, field.two_adic_root(1).as_ref(), Some(&minus_one));
        }
        expected = model.mul(&expected, &expected);
    }
    report.equal(
        || "two_adic_root(0)".into(),
        field.two_adic_root(0),
        Some(BigUint::one()),
    );
    for log2_order in [s + 1, s + 2, 64, 1000, u32::MAX] {
        if log2_order > s {
            let what = || format!("two_adic_root({log2_order})");
            report.equal(what, field.two_adic_root(log2_order), None);
        }
    }
}

fn check_generator(field: &dyn TestField, generator: &BigUint, report: &mut Report) {
    let model = field.model();
    let order = &model.modulus - 1u32;
    let mut rest = order.clone();
    for prime in 2..SMALL_FACTORS {
        if (&rest % prime).is_zero() {
            while (&rest % prime).is_zero() {
                rest /= prime;
            }
            let power = model.pow(generator, &(&order / prime));
            report.holds(
                || format!("GENERATOR {generator:#x} is a {prime}th power"),
                !power.is_one(),
            );
        }
    }
}
