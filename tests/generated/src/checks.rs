//! The tests, written once for every field: each compares a generated field with the model.

mod arithmetic;
pub mod avx512;
mod constants;
mod conversions;
mod exhaustive;
mod slices;
mod vectors;

use crate::report::Report;
use crate::test_field::TestField;

pub use arithmetic::binary_and_unary;
pub use exhaustive::check as exhaustive;
pub use slices::check_backend as slice_functions;
pub use vectors::{check as vectors, check_backend as slice_vectors};

/// Everything that holds for any field.
pub fn all(field: &dyn TestField, report: &mut Report) {
    constants::check(field, report);
    arithmetic::check(field, report);
    conversions::check(field, report);
    slices::check(field, report);
}
