//! The fields under test.

use std::fs;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use num_traits::One;
use serde_json::Value;

use crate::cases::number;
use crate::field::Field;
use crate::random::Random;

/// The multi-limb fields that have vectors, with them.
///
/// # Panics
///
/// When the vectors cannot be read.
#[must_use]
pub fn with_vectors() -> Vec<(Field, Value)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let entries = fs::read_dir(&directory).expect("tests/vectors");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("tests/vectors").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| {
            let text = fs::read_to_string(path).expect("a file of vectors");
            let vectors: Value = serde_json::from_str(&text).expect("JSON");
            let name = vectors["field"].as_str()?;
            let modulus = number(&vectors["modulus"]);
            (modulus.bits() > 32).then(|| (Field::new(name, modulus), vectors.clone()))
        })
        .collect()
}

/// Some of them with canonical values: those named in the default `fields.toml` with Barrett's
/// reduction, and moduli of special form.
#[must_use]
pub fn with_vectors_and_canonical() -> Vec<(Field, Value)> {
    let reduction = |name: &str| match name {
        "bn254_fr" | "bls12_377_fq" => Some("barrett"),
        "secp256k1_fp" | "curve25519_fp" => Some("special"),
        _ => None,
    };
    with_vectors()
        .into_iter()
        .filter_map(|(field, vectors)| {
            let reduction = reduction(&field.name)?;
            Some((field.with_reduction(reduction), vectors))
        })
        .collect()
}

/// Primes chosen for their shape: around powers of two, sparse, with empty and with full top limbs.
#[must_use]
pub fn shaped() -> Vec<Field> {
    let near = |bits: u32, offset: u64| {
        Field::new(
            &format!("below_2_{bits}"),
            (BigUint::one() << bits) - offset,
        )
    };
    let power = |bits: u32| BigUint::one() << bits;
    let p224 = Field::new("p224", power(224) - power(96) + 1u32);
    let p256 = Field::new(
        "p256",
        power(256) - power(224) + power(192) + power(96) - 1u32,
    );
    let p384 = Field::new(
        "p384",
        power(384) - power(128) - power(96) + power(32) - 1u32,
    );
    let goldilocks = Field::new("goldilocks", power(64) - power(32) + 1u32);
    vec![
        Field::new("above_2_32", power(32) + 15u32),
        Field::new("mersenne61", power(61) - 1u32),
        Field::new("mersenne61", power(61) - 1u32).with_reduction("montgomery"),
        goldilocks.with_reduction("montgomery"),
        goldilocks.with_reduction("barrett"),
        near(63, 25),
        near(64, 59),
        near(64, 59).with_reduction("barrett"),
        Field::new("above_2_64", power(64) + 13u32),
        Field::new("above_2_64", power(64) + 13u32).with_reduction("barrett"),
        near(127, 1),
        near(127, 1).with_reduction("special"),
        near(128, 159),
        near(128, 159).with_reduction("barrett"),
        near(130, 5).with_reduction("special"),
        near(192, 237),
        near(192, 237).with_reduction("special"),
        near(255, 19),
        near(255, 19).with_reduction("barrett"),
        near(256, 189),
        near(256, 189).with_reduction("barrett"),
        near(256, 189).with_reduction("special"),
        near(521, 1),
        near(521, 1).with_reduction("special"),
        p224.with_reduction("special"),
        p224.with_reduction("barrett"),
        p224,
        p256.with_reduction("special"),
        p256,
        p384.with_reduction("special"),
        p384.with_reduction("barrett"),
        p384,
    ]
}

/// A prime of as many limbs as there may be.
#[must_use]
pub fn most_limbs() -> Field {
    let modulus = (BigUint::one() << 2048u32) - 1_942_289u32;
    Field::new("below_2_2048", modulus)
}

/// Random primes of bit lengths around the limits of words, one or two for each number of limbs
/// that is used in practice.
#[must_use]
pub fn random() -> Vec<Field> {
    let mut random = Random::new(2);
    [
        33, 48, 65, 95, 96, 97, 129, 160, 161, 223, 254, 320, 383, 448, 544, 576, 761, 1024,
    ]
    .into_iter()
    .map(|bits| Field::new(&format!("random_{bits}"), prime(bits, &mut random)))
    .collect()
}

/// A prime of exactly this many bits.
fn prime(bits: u32, random: &mut Random) -> BigUint {
    loop {
        let words: Vec<u32> = (0..bits.div_ceil(32))
            .map(|_| random.word() as u32)
            .collect();
        let mut candidate = BigUint::from_slice(&words) % (BigUint::one() << bits);
        candidate.set_bit(u64::from(bits) - 1, true);
        candidate.set_bit(0, true);
        if is_probably_prime(&candidate) {
            return candidate;
        }
    }
}

/// Trial division, then Miller-Rabin's test to the first bases: enough for random candidates.
fn is_probably_prime(candidate: &BigUint) -> bool {
    const SMALL: [u32; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if SMALL
        .iter()
        .any(|small| (candidate % *small) == BigUint::ZERO)
    {
        return false;
    }
    let minus_one = candidate - 1u32;
    let twos = minus_one.trailing_zeros().unwrap_or(0);
    SMALL.iter().all(|base| {
        let mut power = BigUint::from(*base).modpow(&(&minus_one >> twos), candidate);
        if power.is_one() || power == minus_one {
            return true;
        }
        (1..twos).any(|_| {
            power = &power * &power % candidate;
            power == minus_one
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_moduli_are_prime() {
        for field in shaped().iter().chain(&random()) {
            assert!(is_probably_prime(&field.modulus), "{}", field.name);
        }
    }
}
