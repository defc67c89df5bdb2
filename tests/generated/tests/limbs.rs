//! Moduli of several words: around all multiples of 32 bits, every shape.

use std::collections::BTreeSet;

use generated_tests::report::Report;
use generated_tests::{checks, generated_set};

generated_set!(limbs);

#[test]
fn moduli_of_several_words_agree_with_the_model() {
    let report = Report::over(&limbs(), checks::all);
    report.finish("moduli of several words against num-bigint");
}

#[test]
fn every_length_is_there() {
    let lengths: BTreeSet<u32> = limbs().iter().map(|field| field.model().bits).collect();
    for multiple in (96..=768).step_by(32) {
        for bits in [multiple - 1, multiple, multiple + 1] {
            assert!(lengths.contains(&bits), "no modulus of {bits} bits");
        }
    }
}
