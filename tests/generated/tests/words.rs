//! Moduli of one word: every length, every shape.

use std::collections::BTreeSet;

use generated_tests::report::Report;
use generated_tests::{checks, generated, generated_set};

generated_set!(words);

#[test]
fn moduli_of_one_word_agree_with_the_model() {
    let report = Report::over(&words(), checks::all);
    report.finish("moduli of one word against num-bigint");
}

#[test]
fn every_length_is_there() {
    let lanes = generated::lanes();
    let words = words();
    let all = lanes.iter().chain(&words);
    let lengths: BTreeSet<u32> = all.map(|field| field.model().bits).collect();
    assert!(lengths.into_iter().eq(2..=64));
}
