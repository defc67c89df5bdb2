//! Fields of arkworks' `ark-ff`: its generic one, and `SmallFp` for one word.

use ark_ff::{BigInteger, LegendreSymbol, PrimeField};

use super::library::{Inputs, Library, words_of};
use crate::turns::Contender;

/// The operations of a field.
pub fn library<F: PrimeField>(
    peer: &'static str,
) -> impl Fn(&Inputs) -> Vec<(&'static str, Contender)> {
    move |inputs| {
        let mut library = Library::new(peer, inputs, F::from_le_bytes_mod_order, |a| {
            words_of(&a.into_bigint().to_bytes_le())
        });
        library.binary("add", |a, b| a + b);
        library.binary("sub", |a, b| a - b);
        library.binary("mul", |a, b| a * b);
        library.unary("neg", |a: F| -a);
        library.unary("double", |a| a.double());
        library.unary("square", |a| a.square());
        library.products::<2>("sum_of_products_2", F::sum_of_products);
        library.products::<2>("naive_sum_of_products_2", |a, b| a[0] * b[0] + a[1] * b[1]);
        library.products::<4>("sum_of_products_4", F::sum_of_products);
        library.inverse(|a| a.inverse());
        library.sqrt(|a| a.square(), |a| a.sqrt());
        library.legendre(
            |a| a.legendre(),
            |symbol| match symbol {
                LegendreSymbol::Zero => 0,
                LegendreSymbol::QuadraticResidue => 1,
                LegendreSymbol::QuadraticNonResidue => -1,
            },
        );
        if F::MODULUS_BIT_SIZE <= 64 {
            conversions(&mut library);
        }
        library.finish()
    }
}

fn conversions<F: PrimeField>(library: &mut Library<F>) {
    let words = library.words;
    let integers = library.few().iter().map(|a| a.into_bigint()).collect();
    library.on(
        "from_bigint",
        integers,
        |integer: &F::BigInt| F::from_bigint(*integer),
        |a| words(&a.expect("canonical")),
    );
    library.on(
        "into_bigint",
        library.few(),
        |a| a.into_bigint(),
        |integer| words_of(&integer.to_bytes_le()),
    );
    let write = |a: F, bytes: &mut [u8; 8]| {
        a.serialize_compressed(&mut bytes[..]).expect("room enough");
    };
    let write_uncompressed = |a: F, bytes: &mut [u8; 8]| {
        a.serialize_uncompressed(&mut bytes[..])
            .expect("room enough");
    };
    library.bytes(
        ["serialize_compressed", "deserialize_compressed"],
        write,
        |bytes| F::deserialize_compressed(&bytes[..]).expect("canonical"),
    );
    library.bytes(
        ["serialize_uncompressed", "deserialize_uncompressed"],
        write_uncompressed,
        |bytes| F::deserialize_uncompressed(&bytes[..]).expect("canonical"),
    );
    library.bytes(["", "deserialize_compressed_unchecked"], write, |bytes| {
        F::deserialize_compressed_unchecked(&bytes[..]).expect("canonical")
    });
    library.bytes(
        ["", "deserialize_uncompressed_unchecked"],
        write_uncompressed,
        |bytes| F::deserialize_uncompressed_unchecked(&bytes[..]).expect("canonical"),
    );
}

/// A modulus is written as decimal text, because that is what the derive macros read.
macro_rules! field {
    ($name:ident, $modulus:tt, $generator:tt, $limbs:expr) => {
        pub mod $name {
            #[derive(ark_ff::MontConfig)]
            #[modulus = $modulus]
            #[generator = $generator]
            pub struct GenericConfig;

            pub type Generic = ark_ff::Fp<ark_ff::MontBackend<GenericConfig, $limbs>, $limbs>;
        }
    };
    ($name:ident, $modulus:tt, $generator:tt) => {
        pub mod $name {
            #[derive(ark_ff::MontConfig)]
            #[modulus = $modulus]
            #[generator = $generator]
            pub struct GenericConfig;

            pub type Generic = ark_ff::Fp<ark_ff::MontBackend<GenericConfig, 1>, 1>;

            #[derive(ark_ff::SmallFpConfig)]
            #[modulus = $modulus]
            #[generator = $generator]
            pub struct SmallConfig;

            pub type Small = ark_ff::SmallFp<SmallConfig>;
        }
    };
}

field!(goldilocks, "18446744069414584321", "7");
field!(baby_bear, "2013265921", "31");
field!(koala_bear, "2130706433", "3");
field!(mersenne31, "2147483647", "7");
field!(
    bn254_fq,
    "21888242871839275222246405745257275088696311157297823662689037894645226208583",
    "3",
    4
);
field!(
    bn254_fr,
    "21888242871839275222246405745257275088548364400416034343698204186575808495617",
    "5",
    4
);
field!(
    bls12_381_fq,
    "4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787",
    "2",
    6
);
field!(
    bls12_381_fr,
    "52435875175126190479447740508185965837690552500527637822603658699938581184513",
    "7",
    4
);
field!(
    secp256k1_fp,
    "115792089237316195423570985008687907853269984665640564039457584007908834671663",
    "3",
    4
);
field!(
    pallas_fp,
    "28948022309329048855892746252171976963363056481941560715954676764349967630337",
    "5",
    4
);
