//! The fields of the repository's own `fields.toml`.

use generated_tests::report::Report;
use generated_tests::{checks, generated, vectors};

#[test]
fn default_fields_agree_with_the_model() {
    let report = Report::over(&generated::default(), checks::all);
    report.finish("default fields against num-bigint");
}

#[test]
fn default_fields_agree_with_the_vectors() {
    let all = vectors::load_all();
    let mut used = vec![false; all.len()];
    let mut report = Report::default();
    for field in generated::default() {
        let name = field.name().trim_start_matches("default::");
        let vectors = vectors::find(&all, name).expect("vectors for every default field");
        report.field(field.name(), |report| {
            checks::vectors(&*field, vectors, report)
        });
        for (used, candidate) in used.iter_mut().zip(&all) {
            *used |= candidate.field == vectors.field;
        }
    }
    report.finish("default fields against vectors");
    for (used, vectors) in used.iter().zip(&all) {
        assert!(used, "the vectors of {} are not used", vectors.field);
    }
}
