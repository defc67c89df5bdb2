//! Results computed by other code, from `tests/vectors/` of the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

/// A non-negative integer, written as `"0x..."`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hex(pub BigUint);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.strip_prefix("0x")
            .and_then(|digits| BigUint::parse_bytes(digits.as_bytes(), 16))
            .map(Hex)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is not a hexadecimal number")))
    }
}

/// The results for one field.
#[derive(Debug, Clone, Deserialize)]
pub struct Vectors {
    pub field: String,
    pub modulus: Hex,
    pub bits: u32,
    pub two_adicity: u32,
    pub odd_part: Hex,
    pub smallest_nonresidue: u32,
    pub nonresidue_pow_odd_part: Hex,
    /// By the size of a limb in bits.
    pub montgomery: BTreeMap<u32, Montgomery>,
    pub binary: Vec<(Hex, Hex, BinaryResults)>,
    pub unary: Vec<(Hex, UnaryResults)>,
    /// Base, exponent, power.
    pub pow: Vec<(Hex, Hex, Hex)>,
    pub slices: Slices,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Montgomery {
    pub limbs: u32,
    pub r: Hex,
    pub r2: Hex,
    pub r3: Hex,
}

#[derive(Debug, Clone, Deserialize)]
pub struct BinaryResults {
    pub add: Hex,
    pub sub: Hex,
    pub mul: Hex,
}

#[derive(Debug, Clone, Deserialize)]
pub struct UnaryResults {
    pub neg: Hex,
    pub double: Hex,
    pub square: Hex,
    pub halve: Hex,
    pub inverse: Option<Hex>,
    pub legendre: i32,
    pub sqrt_smaller: Option<Hex>,
}

/// Sums and inner products over the first elements of `x` and `y`, by their number.
#[derive(Debug, Clone, Deserialize)]
pub struct Slices {
    pub x: Vec<Hex>,
    pub y: Vec<Hex>,
    pub sum: BTreeMap<usize, Hex>,
    pub inner_product: BTreeMap<usize, Hex>,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

fn read(path: &Path) -> Vectors {
    let text = fs::read_to_string(path).expect("a readable file");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The vectors of one field.
///
/// # Panics
///
/// If the file is missing or malformed.
pub fn load(field: &str) -> Vectors {
    read(&directory().join(format!("{field}.json")))
}

/// The vectors of all fields, by the name of the field.
///
/// # Panics
///
/// If the files are missing or malformed.
pub fn load_all() -> Vec<Vectors> {
    let entries = fs::read_dir(directory()).expect("tests/vectors/ of the repository");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    });
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// The vectors for a generated field: those of the same name, or of a name that the field's
/// extends (`bn254_fr` for `bn254_fr_barrett`).
pub fn find<'a>(all: &'a [Vectors], name: &str) -> Option<&'a Vectors> {
    let extends = |vectors: &&Vectors| {
        name.strip_prefix(&vectors.field)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    all.iter().find(extends)
}
