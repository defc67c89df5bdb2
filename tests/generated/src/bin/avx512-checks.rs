//! Runs the checks of all fields that have AVX-512 functions, on whatever CPU it finds itself on,
//! and prints how much was checked.
//!
//! With `--direct` it calls such a function whether the CPU has AVX-512 or not.

use std::env;
use std::panic;
use std::process::ExitCode;

use generated_tests::checks::avx512::{self, Effort};
use generated_tests::element::{Operations, SliceFunctions};
use generated_tests::report::Report;
use generated_tests::test_field::TestField;
use generated_tests::{checks, generated, vectors};

fn main() -> ExitCode {
    let fields = generated::with_avx512();
    let all: Vec<&dyn TestField> = fields.iter().map(|field| &**field).collect();
    if env::args().nth(1).as_deref() == Some("--direct") {
        call_directly(all[0]);
        return ExitCode::SUCCESS;
    }

    // Some checks expect panics; what is unexpected is in the report.
    panic::set_hook(Box::new(|_| {}));
    let executable = |field: &&dyn TestField| functions(*field, "avx512").available;
    let able: Vec<&dyn TestField> = all.iter().copied().filter(executable).collect();
    let default: Vec<&dyn TestField> = able.iter().copied().filter(|f| is_default(*f)).collect();
    let mut failed = 0;
    for (title, report) in [
        (
            "avx512",
            over(&able, |field, report| {
                let functions = functions(field, "avx512");
                avx512::check(operations(field), functions, effort(field), report);
            }),
        ),
        (
            "slice",
            // The front only chooses.
            over(&all, |field, report| {
                let functions = functions(field, "slice");
                avx512::check(operations(field), functions, Effort::Brief, report);
            }),
        ),
        (
            "long sums",
            over(&largest(&able), |field, report| {
                let functions = functions(field, "avx512");
                avx512::check_long_sums(operations(field), functions, report);
            }),
        ),
        (
            "num-bigint",
            over(&default, |field, report| {
                let backends = field.backends();
                let index = index_of_avx512(field);
                checks::slice_functions(field, index, &backends[index], report);
            }),
        ),
        (
            "vectors",
            over(&default, |field, report| {
                let vectors = vectors::load(field.name().trim_start_matches(DEFAULT));
                checks::slice_vectors(field, index_of_avx512(field), &vectors, report);
            }),
        ),
    ] {
        println!("{title}: {} fields, {} cases", report.fields, report.cases);
        for failure in report.failures() {
            println!("  {failure}");
        }
        failed += report.failed;
    }
    if failed > 0 {
        println!("{failed} cases failed");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The same checks of some fields.
fn over(fields: &[&dyn TestField], checks: impl Fn(&dyn TestField, &mut Report)) -> Report {
    let mut report = Report::default();
    for field in fields {
        report.field(field.name(), |report| checks(*field, report));
    }
    report
}

/// What all fields of the repository's own `fields.toml` are named by here.
const DEFAULT: &str = "default::";

fn is_default(field: &dyn TestField) -> bool {
    field.name().starts_with(DEFAULT)
}

/// The field with the largest modulus, if there are any: long sums take long when emulated.
fn largest<'a>(fields: &[&'a dyn TestField]) -> Vec<&'a dyn TestField> {
    let largest = fields.iter().max_by_key(|field| &field.model().modulus);
    largest.into_iter().copied().collect()
}

/// Moduli near 2^31 leave no room for mistakes.
fn effort(field: &dyn TestField) -> Effort {
    if is_default(field) || field.model().bits == 31 {
        Effort::Thorough
    } else {
        Effort::Brief
    }
}

fn operations(field: &dyn TestField) -> &Operations<u32> {
    field.operations32().expect("words of 32 bits")
}

fn functions<'a>(field: &'a dyn TestField, module: &str) -> &'a SliceFunctions<u32> {
    let mut modules = operations(field).slices.iter();
    let found = modules.find(|functions| functions.name == module);
    found.expect("a module of every field with AVX-512")
}

fn index_of_avx512(field: &dyn TestField) -> usize {
    let mut backends = field.backends().into_iter();
    let found = backends.position(|backend| backend.name == "avx512");
    found.expect("AVX-512 functions")
}

fn call_directly(field: &dyn TestField) {
    let one = operations(field).one;
    println!("{:?}", (functions(field, "avx512").sum)(&[one; 100]));
}
