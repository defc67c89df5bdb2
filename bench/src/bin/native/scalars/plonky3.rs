//! Plonky3's fields, which have one word.

use p3_field::integers::QuotientMap;
use p3_field::{Field, PrimeField64};

use super::library::{Inputs, Library, words_of};
use crate::turns::Contender;

pub fn goldilocks(inputs: &Inputs) -> Vec<(&'static str, Contender)> {
    library(inputs, |a: p3_goldilocks::Goldilocks| a.try_sqrt())
}

pub fn baby_bear(inputs: &Inputs) -> Vec<(&'static str, Contender)> {
    library(inputs, |a: p3_baby_bear::BabyBear| a.try_sqrt())
}

pub fn koala_bear(inputs: &Inputs) -> Vec<(&'static str, Contender)> {
    library(inputs, |a: p3_koala_bear::KoalaBear| a.try_sqrt())
}

pub fn mersenne31(inputs: &Inputs) -> Vec<(&'static str, Contender)> {
    library(inputs, |a: p3_mersenne_31::Mersenne31| a.try_sqrt())
}

/// `sqrt` is given, because some types have one of their own beside that of the trait.
fn library<F: PrimeField64 + QuotientMap<u64>>(
    inputs: &Inputs,
    sqrt: impl Fn(F) -> Option<F> + 'static,
) -> Vec<(&'static str, Contender)> {
    let mut library = Library::new(
        "plonky3",
        inputs,
        |bytes| F::from_u64(words_of(bytes).first().copied().unwrap_or(0)),
        |a| words_of(&a.as_canonical_u64().to_le_bytes()),
    );
    library.binary("add", |a, b| a + b);
    library.binary("sub", |a, b| a - b);
    library.binary("mul", |a, b| a * b);
    library.unary("neg", |a| -a);
    library.unary("double", |a| a.double());
    library.unary("square", |a| a.square());
    library.products::<2>("sum_of_products_2", |a, b| F::dot_product::<2>(a, b));
    library.products::<2>("naive_sum_of_products_2", |a, b| a[0] * b[0] + a[1] * b[1]);
    library.inverse(|a| a.try_inverse());
    library.sqrt(|a| a.square(), sqrt);
    let integers = library.few().iter().map(|a| a.as_canonical_u64()).collect();
    library.on(
        "from_bigint",
        integers,
        |integer: &u64| F::from_canonical_checked(*integer),
        |a| words_of(&a.expect("canonical").as_canonical_u64().to_le_bytes()),
    );
    library.on(
        "into_bigint",
        library.few(),
        |a| a.as_canonical_u64(),
        |integer| words_of(&integer.to_le_bytes()),
    );
    library.finish()
}
