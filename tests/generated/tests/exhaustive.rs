//! Every element and every pair of elements of small fields.

use generated_tests::report::Report;
use generated_tests::{checks, generated_set};

generated_set!(exhaustive);

#[test]
fn all_elements_of_small_fields() {
    let report = Report::over(&exhaustive(), checks::exhaustive);
    report.finish("small fields, exhaustively");
}

#[test]
fn small_fields_agree_with_the_model() {
    let report = Report::over(&exhaustive(), checks::all);
    report.finish("small fields against num-bigint");
}
