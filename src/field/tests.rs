use std::path::Path;

use num_traits::Num;
use serde_json::Value;

use super::*;
use crate::config::Reduction;
use crate::diagnostic::Spanned;

/// A field of which the user says nothing but the modulus.
fn spec(name: &str, modulus: BigUint) -> FieldSpec {
    let bytes = 0..1;
    FieldSpec {
        name: Spanned::new(name.to_owned(), bytes.clone()),
        modulus_text: modulus.to_string(),
        modulus: Spanned::new(modulus, bytes.clone()),
        targets: None,
        reduction: Spanned::new(Reduction::Auto, bytes),
        generator: None,
        factors: None,
        std: true,
    }
}

fn hex(text: &str) -> BigUint {
    let digits = text.strip_prefix("0x").expect("a hexadecimal number");
    BigUint::from_str_radix(digits, 16).expect("a hexadecimal number")
}

/// Every file of `tests/vectors`.
fn vectors() -> Vec<Value> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut paths: Vec<_> = directory
        .read_dir()
        .expect("the vectors are there")
        .map(|entry| entry.expect("a readable directory").path())
        .collect();
    paths.sort();
    let vectors: Vec<Value> = paths
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a readable file");
            serde_json::from_str(&text).expect("JSON")
        })
        .collect();
    assert_eq!(vectors.len(), 19);
    vectors
}

#[test]
fn every_constant_equals_the_vectors() {
    for vector in vectors() {
        let name = vector["field"].as_str().unwrap();
        let field = Field::derive(&spec(name, hex(vector["modulus"].as_str().unwrap()))).unwrap();
        let number = |value: &Value| hex(value.as_str().unwrap());
        let small = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
        assert_eq!(field.bits, small(&vector["bits"]), "{name}");
        assert_eq!(field.two_adicity, small(&vector["two_adicity"]), "{name}");
        assert_eq!(field.odd_part, number(&vector["odd_part"]), "{name}");
        assert_eq!(
            field.nonresidue,
            small(&vector["smallest_nonresidue"]).into(),
            "{name}"
        );
        let nonresidue_root = field.nonresidue.modpow(&field.odd_part, &field.modulus);
        assert_eq!(
            nonresidue_root,
            number(&vector["nonresidue_pow_odd_part"]),
            "{name}"
        );
        if field.generator.is_none() {
            assert_eq!(field.two_adic_root, nonresidue_root, "{name}");
        }
        for (montgomery, word) in [(&field.word32, "32"), (&field.word64, "64")] {
            let expected = &vector["montgomery"][word];
            assert_eq!(montgomery.limbs, small(&expected["limbs"]), "{name} {word}");
            assert_eq!(
                montgomery.spare_bits,
                small(&expected["spare_bits"]),
                "{name} {word}"
            );
            assert_eq!(montgomery.r, number(&expected["r"]), "{name} {word}");
            assert_eq!(montgomery.r2, number(&expected["r2"]), "{name} {word}");
            assert_eq!(montgomery.r3, number(&expected["r3"]), "{name} {word}");
            assert_eq!(
                BigUint::from(montgomery.inv),
                number(&expected["inv"]),
                "{name} {word}"
            );
            let neg_inv = number(&expected["neg_inv"]);
            assert_eq!(BigUint::from(montgomery.neg_inv), neg_inv, "{name} {word}");
        }
    }
}
