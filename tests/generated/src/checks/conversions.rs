//! Into the field and out of it.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::arithmetic::montgomery_form;
use crate::model::Model;
use crate::random::Random;
use crate::report::Report;
use crate::test_field::{Form, TestField};
use crate::values;

const RANDOM_VALUES: usize = 40;

pub fn check(field: &dyn TestField, report: &mut Report) {
    let model = field.model();
    let mut random = Random::new(&format!("conversions {}", field.name()));
    let mut elements = values::edges(model);
    elements.extend(random.elements(&model.modulus, RANDOM_VALUES));
    for a in &elements {
        out_and_back(field, a, report);
    }
    refusals(field, &mut random, report);
    reductions(field, &mut random, report);
    uniform_bytes(field, &mut random, report);
    texts(field, report);
}

/// `a` in every form that an element is written in, and read from there.
fn out_and_back(field: &dyn TestField, a: &BigUint, report: &mut Report) {
    let model = field.model();
    let what = |call: &str| format!("{call} of {a:#x}");

    report.equal(|| what("from_canonical"), field.checked(a), Some(a.clone()));
    report.equal(|| what("new"), &field.reduced(a), a);

    let stored = stored(field, a);
    report.equal(|| what("to_stored"), &field.to_stored(a), &stored);
    report.equal(|| what("memory"), &field.memory(a), &stored);
    let restored = field.from_stored(&stored);
    report.equal(
        || what("from_stored of to_stored"),
        restored.as_ref(),
        Some(a),
    );

    let bytes = bytes(model, a);
    report.equal(|| what("to_le_bytes"), &field.to_bytes(a), &bytes);
    report.equal(
        || what("from_le_bytes"),
        field.from_bytes(&bytes).as_ref(),
        Some(a),
    );
    report.equal(
        || what("from_uniform_bytes"),
        &field.from_uniform_bytes(&bytes),
        a,
    );

    report.equal(|| what("Display"), field.display(a), a.to_string());
    report.holds(
        || what("Debug without the value"),
        field.debug(a).contains(&a.to_string()),
    );
    for text in [a.to_string(), format!("{a:#x}"), format!("0x{a:X}")] {
        report.equal(
            || format!("parse of {text}"),
            field.parse(&text).as_ref(),
            Ok(a),
        );
    }
}

/// What `to_stored` has to return.
fn stored(field: &dyn TestField, a: &BigUint) -> BigUint {
    match field.form() {
        Form::Canonical => a.clone(),
        Form::Montgomery => montgomery_form(field.model(), field.words(), a),
    }
}

fn bytes(model: &Model, value: &BigUint) -> Vec<u8> {
    let mut bytes = value.to_bytes_le();
    bytes.resize(model.bits.div_ceil(8) as usize, 0);
    bytes
}

/// Values from the modulus upwards, as far as they fit `bits`.
fn too_large(model: &Model, bits: u32, random: &mut Random) -> Vec<BigUint> {
    let p = &model.modulus;
    let end = BigUint::one() << bits;
    let mut values = vec![
        p.clone(),
        p + 1u32,
        p + 2u32,
        p * 2u32,
        p * 2u32 - 1u32,
        BigUint::one() << model.bits,
        &end - 1u32,
        &end - 2u32,
    ];
    values.extend((0..8).map(|_| random.integer(bits)));
    values.retain(|value| value >= p && value < &end);
    values
}

fn refusals(field: &dyn TestField, random: &mut Random, report: &mut Report) {
    let model = field.model();
    let (word_bits, word_count) = field.words();
    for value in too_large(model, word_bits * word_count as u32, random) {
        report.equal(
            || format!("from_canonical of {value:#x}"),
            field.checked(&value),
            None,
        );
        report.equal(
            || format!("from_stored of {value:#x}"),
            field.from_stored(&value),
            None,
        );
    }
    for value in too_large(model, model.bits.div_ceil(8) * 8, random) {
        let bytes = bytes(model, &value);
        report.equal(
            || format!("from_le_bytes of {value:#x}"),
            field.from_bytes(&bytes),
            None,
        );
    }
}

fn reductions(field: &dyn TestField, random: &mut Random, report: &mut Report) {
    let model = field.model();
    let bits = 64 * field.new_words() as u32;
    let mut values = too_large(model, bits, random);
    for k in 0..bits {
        let power = BigUint::one() << k;
        values.extend([&power - 1u32, power]);
    }
    values.extend((0..RANDOM_VALUES).map(|_| random.integer(bits)));
    for multiple in 1..=5u32 {
        values.extend([&model.modulus * multiple - 1u32, &model.modulus * multiple]);
    }
    // The last multiples of the modulus that fit, where quotients are largest.
    let last = ((BigUint::one() << bits) - 1u32) / &model.modulus * &model.modulus;
    values.extend([&last - 1u32, last.clone(), &last + 1u32]);
    values.retain(|value| value.bits() <= u64::from(bits));
    for value in &values {
        let what = || format!("new of {value:#x}");
        report.equal(what, field.reduced(value), model.reduce(value));
    }

    for k in 0..64 {
        for value in [1 << k, (1 << k) - 1, u64::MAX << k, random.word() >> k] {
            let expected = model.reduce(&value.into());
            report.equal(
                || format!("From<u64> of {value:#x}"),
                field.from_u64(value),
                expected,
            );
            let low = value as u32;
            let expected = model.reduce(&low.into());
            report.equal(
                || format!("From<u32> of {low:#x}"),
                field.from_u32(low),
                expected,
            );
        }
    }
}

fn uniform_bytes(field: &dyn TestField, random: &mut Random, report: &mut Report) {
    let model = field.model();
    let size = model.bits.div_ceil(8) as usize;
    let mut lengths: Vec<usize> = (0..=2 * size + 17).collect();
    lengths.extend([3 * size, 4 * size + 1, 8 * size + 3, 1000]);
    for length in lengths {
        let mut top = vec![0; length];
        if let Some(last) = top.last_mut() {
            *last = 0x80;
        }
        for bytes in [
            random.bytes(length),
            vec![0xff; length],
            vec![0; length],
            top,
        ] {
            let expected = model.reduce(&BigUint::from_bytes_le(&bytes));
            let what = || format!("from_uniform_bytes of {bytes:x?}");
            report.equal(what, field.from_uniform_bytes(&bytes), expected);
        }
    }
}

/// Texts that are no canonical element.
fn texts(field: &dyn TestField, report: &mut Report) {
    let p = &field.model().modulus;
    let mut refused: Vec<String> = [
        "", "0x", "-", "-1", "-0", " 1", "1 ", "1\n", "x", "0xg", "0x-1", "0x 1", "1.0", "1e1",
        "a", "0b1", "1__", "\u{661}", "0x0x1",
    ]
    .map(String::from)
    .to_vec();
    for value in [p.clone(), p + 1u32, p * 2u32, p << 64u32, p << 1000u32] {
        refused.extend([value.to_string(), format!("{value:#x}")]);
    }
    // A multiple of 2^64 and of 2^32 above the modulus: what wraps would look like a small number.
    for bits in [32u32, 64, 128, field.model().bits.div_ceil(64) * 64] {
        let wraps = (BigUint::one() << bits) + 1u32;
        if &wraps >= p {
            refused.extend([wraps.to_string(), format!("{wraps:#x}")]);
        }
    }
    for text in refused {
        let parsed = field.parse(&text);
        report.holds(
            || format!("parse of {text:?} = {parsed:x?}, expected an error"),
            parsed.is_err(),
        );
        report.holds(
            || format!("the error for {text:?} says nothing"),
            !matches!(&parsed, Err(message) if message.is_empty()),
        );
    }
    for text in ["0", "00", "0x0", "0x00"] {
        report.equal(
            || format!("parse of {text}"),
            field.parse(text),
            Ok(BigUint::zero()),
        );
    }
    let long = format!("0x{}1", "0".repeat(1000));
    report.equal(
        || "parse of a long 1".into(),
        field.parse(&long),
        Ok(BigUint::one()),
    );
}
