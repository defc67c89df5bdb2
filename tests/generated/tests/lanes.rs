//! Moduli that fit 32-bit lanes, by the functions that every processor runs.

use generated_tests::report::Report;
use generated_tests::{checks, generated};

#[test]
fn moduli_in_lanes_agree_with_the_model() {
    let report = Report::over(&generated::lanes(), checks::all);
    report.finish("moduli in 32-bit lanes against num-bigint");
}
