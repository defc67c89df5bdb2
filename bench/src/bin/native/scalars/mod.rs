//! Single elements, timed: ours and those of other libraries by turns.

use bench::row::{Bench, Conditions, Measurement, Row};

use crate::turns::{Contender, compare};

mod arkworks;
mod library;
mod ours;
mod plonky3;
mod winterfell;

/// The operations that are measured for fields of one word: the rows of ark-ff-optimized's table.
const WORD_OPERATIONS: &[&str] = &[
    "add",
    "sub",
    "neg",
    "double",
    "mul",
    "square",
    "sum_of_products_2",
    "naive_sum_of_products_2",
    "inverse",
    "sqrt",
    "legendre",
    "from_bigint",
    "into_bigint",
    "serialize_compressed",
    "serialize_uncompressed",
    "deserialize_compressed",
    "deserialize_uncompressed",
    "deserialize_compressed_unchecked",
    "deserialize_uncompressed_unchecked",
];

const LIMB_OPERATIONS: &[&str] = &[
    "add",
    "sub",
    "mul",
    "square",
    "sum_of_products_2",
    "sum_of_products_4",
    "inverse",
    "sqrt",
];

/// Measures all fields; `report` gets each row when it is known.
pub fn measure(mut report: impl FnMut(Row)) {
    macro_rules! field {
        ($name:ident, $operations:expr, $($peer:expr),*) => {{
            let inputs = ours::$name::inputs();
            let libraries = vec![ours::$name::library(&inputs), $($peer(&inputs)),*];
            measure_field(stringify!($name), $operations, libraries, &mut report);
        }};
    }
    macro_rules! word {
        ($name:ident, $($peer:expr),*) => {
            field!(
                $name,
                WORD_OPERATIONS,
                arkworks::library::<arkworks::$name::Generic>("ark-ff"),
                arkworks::library::<arkworks::$name::Small>("ark-ff-smallfp"),
                plonky3::$name
                $(, $peer)*
            );
        };
    }
    macro_rules! limbs {
        ($name:ident) => {
            field!(
                $name,
                LIMB_OPERATIONS,
                arkworks::library::<arkworks::$name::Generic>("ark-ff")
            );
        };
    }
    word!(goldilocks, winterfell::library);
    word!(baby_bear,);
    word!(koala_bear,);
    word!(mersenne31,);
    limbs!(bn254_fq);
    limbs!(bn254_fr);
    limbs!(bls12_381_fq);
    limbs!(bls12_381_fr);
    limbs!(secp256k1_fp);
    limbs!(pallas_fp);
}

/// The first library is ours.
fn measure_field(
    field: &str,
    operations: &[&str],
    libraries: Vec<Vec<(&'static str, Contender)>>,
    report: &mut impl FnMut(Row),
) {
    let mut all: Vec<(&str, Contender)> = libraries.into_iter().flatten().collect();
    for op in operations {
        let (of_op, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(name, _)| name == op);
        all = rest;
        let mut contenders: Vec<Contender> = of_op.into_iter().map(|(_, c)| c).collect();
        let rows = compare(&mut contenders, 1, |ours| Measurement {
            bench: Bench::Ark,
            field: field.to_owned(),
            op: (*op).to_owned(),
            conditions: Conditions::default(),
            unit: "ns",
            ours,
        });
        rows.into_iter().for_each(&mut *report);
    }
}
