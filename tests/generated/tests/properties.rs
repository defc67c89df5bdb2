//! Properties of the default fields, on values that proptest chooses and shrinks.

use generated_tests::checks;
use generated_tests::generated;
use generated_tests::report::Report;
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// For each field.
const CASES: u32 = 48;

/// Bytes of which one in four is 0 and one in four is 255, so that limbs are often extreme.
fn bytes(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(
        prop_oneof![Just(0), Just(0xff), any::<u8>(), any::<u8>()],
        0..=longest,
    )
}

fn runner() -> TestRunner {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn operations_agree_with_the_model() {
    let mut cases = 0;
    for field in generated::default() {
        let model = field.model();
        let size = model.bits.div_ceil(8) as usize + 1;
        let check = |(a, b): (Vec<u8>, Vec<u8>)| {
            let mut report = Report::default();
            report.field(field.name(), |report| {
                let a = model.reduce(&BigUint::from_bytes_le(&a));
                let b = model.reduce(&BigUint::from_bytes_le(&b));
                checks::binary_and_unary(&*field, &a, &b, report);
            });
            match report.failures().first() {
                None => Ok(()),
                Some(failure) => Err(TestCaseError::fail(failure.clone())),
            }
        };
        if let Err(error) = runner().run(&(bytes(size), bytes(size)), check) {
            panic!("{error}");
        }
        cases += CASES;
    }
    println!("operations: {cases} cases");
}

#[test]
fn bytes_are_reduced_and_refused_as_by_the_model() {
    for field in generated::default() {
        let model = field.model();
        let size = model.bits.div_ceil(8) as usize;
        let check = |bytes: Vec<u8>| {
            let value = BigUint::from_bytes_le(&bytes);
            prop_assert_eq!(field.from_uniform_bytes(&bytes), model.reduce(&value));
            let mut exact = bytes;
            exact.resize(size, 0xff);
            let value = BigUint::from_bytes_le(&exact);
            let expected = (value < model.modulus).then_some(value);
            prop_assert_eq!(field.from_bytes(&exact), expected);
            Ok(())
        };
        if let Err(error) = runner().run(&bytes(3 * size), check) {
            panic!("{}: {error}", field.name());
        }
    }
}

#[test]
fn any_text_is_a_canonical_number_or_refused() {
    for field in generated::default() {
        let model = field.model();
        let check = |text: String| {
            let parsed = field.parse(&text);
            if let Ok(value) = &parsed {
                prop_assert!(*value < model.modulus);
                let (digits, radix) = match text.strip_prefix("0x") {
                    Some(digits) => (digits, 16),
                    None => (text.as_str(), 10),
                };
                let read = BigUint::parse_bytes(digits.as_bytes(), radix);
                prop_assert_eq!(read.as_ref(), Some(value));
            }
            Ok(())
        };
        for strategy in [
            "[0-9]{0,30}",
            "0x[0-9a-fA-F]{0,20}",
            "[0-9a-fx+_ -]{0,6}",
            "\\PC{0,8}",
        ] {
            if let Err(error) = runner().run(&strategy, check) {
                panic!("{}: {error}", field.name());
            }
        }
    }
}
