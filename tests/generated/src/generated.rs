//! The generated code, and lists of its fields.

use num_bigint::BigUint;

use crate::adapter::Adapter;
use crate::element::{Operations, Words};
use crate::test_field::{Form, TestField};

/// A list of fields.
pub type Fields = Vec<Box<dyn TestField>>;

/// All fields that have AVX-512 functions.
pub fn with_avx512() -> Fields {
    let mut fields = default();
    fields.extend(lanes());
    fields.retain(|field| field.backends().iter().any(|b| b.name == "avx512"));
    fields
}

/// Compiles a set: `generated_set!(words)` defines the module `words` with a module for each field
/// of the set, and the function `words` that lists the fields with the moduli that were asked for.
///
/// What several tests need is here; the other sets are compiled by the test that runs them, so
/// that the compiler works on several at a time.
#[macro_export]
macro_rules! generated_set {
    ($set:ident) => {
        pub mod $set {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($set), "/mod.rs"));
        }
        include!(concat!(env!("OUT_DIR"), "/", stringify!($set), ".rs"));
    };
}

/// Defines the function that lists the fields of a set, from the lines that the build script
/// wrote.
#[macro_export]
macro_rules! fields {
    ($set:ident: $(
        $name:ident(
            $modulus:literal,
            $form:ident,
            word: $word:tt,
            generator: $generator:ident,
            vectors: $vectors:ident
        );
    )*) => {
        pub fn $set() -> $crate::generated::Fields {
            // One function each: the tables are large.
            $(fn $name() -> Box<dyn $crate::test_field::TestField> {
                let operations = $crate::operations!(
                    self::$set::$name,
                    word: $word,
                    generator: $generator,
                    vectors: $vectors
                );
                $crate::generated::field(
                    concat!(stringify!($set), "::", stringify!($name)),
                    $modulus,
                    $crate::test_field::Form::$form,
                    operations,
                )
            })*
            vec![$($name()),*]
        }
    };
}

// The repository's own `fields.toml`, and moduli in 32-bit lanes.
generated_set!(default);
generated_set!(lanes);

/// Where the generated files of each set are.
pub const DIRECTORIES: [&str; 5] = [
    concat!(env!("OUT_DIR"), "/default"),
    concat!(env!("OUT_DIR"), "/lanes"),
    concat!(env!("OUT_DIR"), "/exhaustive"),
    concat!(env!("OUT_DIR"), "/words"),
    concat!(env!("OUT_DIR"), "/limbs"),
];

/// A field of a set, from what the build script knows about it.
///
/// # Panics
///
/// If `modulus` is not hexadecimal.
pub fn field<W: Words>(
    name: &'static str,
    modulus: &str,
    form: Form,
    operations: Operations<W>,
) -> Box<dyn TestField> {
    let modulus = BigUint::parse_bytes(modulus.as_bytes(), 16).expect("a hexadecimal modulus");
    Box::new(Adapter::new(name, modulus, form, operations))
}
