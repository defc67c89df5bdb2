//! Our elements, in portable Rust.

use super::library::{ELEMENTS, Inputs, Library, words_of};
use crate::turns::Contender;

/// The operations that every element has.
macro_rules! element {
    ($library:ident) => {
        $library.binary("add", |a, b| a + b);
        $library.binary("sub", |a, b| a - b);
        $library.binary("mul", |a, b| a * b);
        $library.unary("neg", |a| -a);
        $library.unary("double", |a| a.double());
        $library.unary("square", |a| a.square());
        $library.products::<2>("sum_of_products_2", |a, b| a[0] * b[0] + a[1] * b[1]);
        $library.products::<2>("naive_sum_of_products_2", |a, b| a[0] * b[0] + a[1] * b[1]);
        $library.products::<4>("sum_of_products_4", |a, b| {
            a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
        });
        $library.inverse(|a| a.inverse());
        $library.sqrt(|a| a.square(), |a| a.sqrt());
        $library.legendre(|a| a.legendre(), |symbol| *symbol);
    };
}

/// Conversions of an element of one word. There is one form of bytes, which is always checked.
macro_rules! word {
    ($library:ident, $element:ty) => {
        fn write(a: $element, bytes: &mut [u8; 8]) {
            bytes[..<$element>::BYTES].copy_from_slice(&a.to_le_bytes());
        }

        fn read(bytes: &[u8; 8]) -> $element {
            let bytes = bytes.first_chunk().expect("the length of an element");
            <$element>::from_le_bytes(bytes).expect("canonical")
        }

        let integers = $library.few().iter().map(|a| a.to_canonical()).collect();
        $library.on(
            "from_bigint",
            integers,
            |integer| <$element>::from_canonical(*integer),
            |a| words_of(&a.expect("canonical").to_le_bytes()),
        );
        $library.on(
            "into_bigint",
            $library.few(),
            |a| a.to_canonical(),
            |integer| words_of(&integer.to_le_bytes()),
        );
        for operations in [
            ["serialize_compressed", "deserialize_compressed"],
            ["serialize_uncompressed", "deserialize_uncompressed"],
            ["", "deserialize_compressed_unchecked"],
            ["", "deserialize_uncompressed_unchecked"],
        ] {
            $library.bytes(operations, write, read);
        }
    };
}

macro_rules! field {
    ($name:ident $(, $conversions:ident)?) => {
        pub mod $name {
            use super::*;
            use crate::generated::$name::Element;

            /// The same numbers for all libraries.
            pub fn inputs() -> Vec<Vec<u8>> {
                let seed = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128;
                let mut state = Element::from_uniform_bytes(&seed.to_le_bytes());
                let mut next = || {
                    state = state.square() + Element::from_uniform_bytes(&seed.to_le_bytes());
                    state.to_le_bytes().to_vec()
                };
                (0..ELEMENTS).map(|_| next()).collect()
            }

            pub fn library(inputs: &Inputs) -> Vec<(&'static str, Contender)> {
                let mut library = Library::new(
                    "ours",
                    inputs,
                    |bytes| Element::from_le_bytes(bytes.try_into().unwrap()).expect("canonical"),
                    |a| words_of(&a.to_le_bytes()),
                );
                element!(library);
                $($conversions!(library, Element);)?
                library.finish()
            }
        }
    };
}

field!(goldilocks, word);
field!(baby_bear, word);
field!(koala_bear, word);
field!(mersenne31, word);
field!(bn254_fq);
field!(bn254_fr);
field!(bls12_381_fq);
field!(bls12_381_fr);
field!(secp256k1_fp);
field!(pallas_fp);
