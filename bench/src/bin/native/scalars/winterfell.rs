//! Winterfell's Goldilocks.

use winter_math::FieldElement;
use winter_math::fields::f64::BaseElement;
use winter_utils::{Deserializable, Serializable};

use super::library::{Inputs, Library, words_of};
use crate::turns::Contender;

pub fn library(inputs: &Inputs) -> Vec<(&'static str, Contender)> {
    let mut library = Library::new(
        "winterfell",
        inputs,
        |bytes| BaseElement::new(words_of(bytes).first().copied().unwrap_or(0)),
        |a| words_of(&a.as_int().to_le_bytes()),
    );
    library.binary("add", |a, b| a + b);
    library.binary("sub", |a, b| a - b);
    library.binary("mul", |a, b| a * b);
    library.unary("neg", |a| -a);
    library.unary("double", |a| a.double());
    library.unary("square", |a| a.square());
    library.products::<2>("naive_sum_of_products_2", |a, b| a[0] * b[0] + a[1] * b[1]);
    library.inverse(|a| Some(a.inv()));
    let integers = library.few().iter().map(BaseElement::as_int).collect();
    library.on(
        "from_bigint",
        integers,
        |integer: &u64| BaseElement::try_from(*integer).ok(),
        |a| words_of(&a.expect("canonical").as_int().to_le_bytes()),
    );
    library.on(
        "into_bigint",
        library.few(),
        BaseElement::as_int,
        |integer| words_of(&integer.to_le_bytes()),
    );
    library.bytes(
        ["serialize_compressed", "deserialize_compressed"],
        |a, bytes| {
            let mut vec = Vec::with_capacity(bytes.len());
            a.write_into(&mut vec);
            bytes.copy_from_slice(&vec);
        },
        |bytes| BaseElement::read_from_bytes(bytes).expect("canonical"),
    );
    library.finish()
}
