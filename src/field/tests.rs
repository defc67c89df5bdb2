use std::path::Path;

use num_traits::Num;
use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::config::Config;
use crate::diagnostic::Error;

/// The fields of a configuration, or everything that is wrong with them.
fn derive(text: &str) -> Result<Vec<Field>, String> {
    let config = Config::parse("fields.toml", text).expect("a valid configuration");
    let mut fields = Vec::new();
    let mut diagnostics = Vec::new();
    for spec in &config.fields {
        match Field::derive(spec) {
            Ok(field) => fields.push(field),
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    if diagnostics.is_empty() {
        Ok(fields)
    } else {
        Err(Error::new(config.source.clone(), diagnostics).to_string())
    }
}

/// A field with this modulus and more lines in its table.
fn table(modulus: &str, lines: &str) -> String {
    format!("[[field]]\nname = \"f\"\nmodulus = \"{modulus}\"\n{lines}\n")
}

fn field(modulus: &str, lines: &str) -> Field {
    let fields = derive(&table(modulus, lines)).unwrap_or_else(|problem| panic!("{problem}"));
    fields.into_iter().next().expect("one field")
}

fn refused(modulus: &str, lines: &str) -> String {
    derive(&table(modulus, lines)).expect_err("a problem")
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

/// The order of the root is exactly `2^two_adicity`.
fn assert_root(field: &Field) {
    let p = &field.modulus;
    assert_eq!((&field.odd_part << field.two_adicity) + 1u32, *p);
    assert!(field.odd_part.bit(0));
    let half_order = BigUint::one() << (field.two_adicity - 1);
    assert_eq!(field.two_adic_root.modpow(&half_order, p), p - 1u32, "{p}");
}

fn assert_montgomery(field: &Field, montgomery: &Montgomery, word_bits: u32) {
    let p = &field.modulus;
    let r = BigUint::one() << (word_bits * montgomery.limbs);
    assert!(r > *p && r.clone() >> word_bits < *p, "{p}");
    assert_eq!(
        word_bits * montgomery.limbs,
        field.bits + montgomery.spare_bits
    );
    assert_eq!(montgomery.r, &r % p);
    assert_eq!(montgomery.r2, r.pow(2) % p);
    assert_eq!(montgomery.r3, r.pow(3) % p);
    let word = BigUint::one() << word_bits;
    assert_eq!(p * montgomery.inv % &word, BigUint::one());
    assert_eq!(p * montgomery.neg_inv % &word, &word - 1u32);
    assert!(BigUint::from(montgomery.inv) < word && BigUint::from(montgomery.neg_inv) < word);
}

/// `q` of the module's documentation is the quotient or up to 2 less.
fn assert_barrett_estimate(field: &Field, x: &BigUint) {
    let Barrett { shift, mu } = &field.barrett;
    assert_eq!(*shift, 2 * field.bits);
    assert_eq!(mu.bits(), u64::from(field.bits) + 1);
    let estimate = ((x >> (field.bits - 1)) * mu) >> (field.bits + 1);
    let quotient = x / &field.modulus;
    assert!(
        estimate <= quotient && quotient <= estimate + 2u32,
        "{x} / {}",
        field.modulus
    );
}

fn assert_consistent(field: &Field) {
    assert_root(field);
    assert_montgomery(field, &field.word32, 32);
    assert_montgomery(field, &field.word64, 64);
    let largest = (BigUint::one() << field.barrett.shift) - 1u32;
    let largest_product = (&field.modulus - 1u32).pow(2);
    for x in [
        BigUint::ZERO,
        field.modulus.clone(),
        largest_product,
        largest,
    ] {
        assert_barrett_estimate(field, &x);
    }
    assert_eq!(field.factors.is_some(), field.factors_text().is_some());
}

#[test]
fn every_constant_equals_the_vectors() {
    for vector in vectors() {
        let name = vector["field"].as_str().unwrap();
        let field = field(vector["modulus"].as_str().unwrap(), "");
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
        assert_consistent(&field);
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

#[test]
fn barrett_estimates_of_the_smallest_fields() {
    for modulus in ["3", "5", "7", "11", "13", "17", "31", "37", "61"] {
        let field = field(modulus, "");
        for x in 0u32..1 << field.barrett.shift {
            assert_barrett_estimate(&field, &x.into());
        }
    }
}

#[test]
fn the_smallest_fields() {
    for (modulus, root, generator, factors) in [
        ("3", 2u32, 2u32, "2"),
        ("5", 2, 2, "2^2"),
        ("7", 6, 3, "2 * 3"),
        ("17", 3, 3, "2^4"),
    ] {
        let field = field(modulus, "");
        assert_consistent(&field);
        assert_eq!(field.two_adic_root, root.into(), "{modulus}");
        assert_eq!(field.generator, Some(generator.into()), "{modulus}");
        assert_eq!(field.factors_text().as_deref(), Some(factors), "{modulus}");
    }
}

/// Moduli whose `p - 1` is too hard to factor here, with its published primes.
#[test]
fn generators_proven_by_the_users_factors() {
    for (modulus, generator, factors) in [
        (
            // BN254, scalars.
            "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
            5u32,
            "[2, 3, 13, 29, 983, 11003, 237073, 405928799, 1670836401704629,
              \"13818364434197438864469338081\"]",
        ),
        (
            // BN254, coordinates.
            "0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
            3,
            "[2, 3, 13, 29, 67, 229, 311, 983, 11003, 405928799, 11465965001,
              \"13427688667394608761327070753331941386769\"]",
        ),
        (
            // Pallas, coordinates.
            "2^254 + 0x224698fc094cf91b992d30ed00000001",
            5,
            "[2, 3, 463, \"539204044132271846773\",
              \"8999194758858563409123804352480028797519453\"]",
        ),
        (
            // BLS12-377, scalars.
            "0x12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001",
            22,
            "[2, 3, 5, 7, 13, 499, 958612291309063373, \"9586122913090633729\"]",
        ),
        (
            // BLS12-377, coordinates.
            "0x1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c\
             00000000001",
            15,
            "[2, 3, 7, 13, 53, 409, 499, 2557, 6633514200929891813,
              \"73387170334035996766247648424745786170238574695861388454532790956181\"]",
        ),
        (
            // secp256k1, scalars.
            "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
            7,
            "[2, 3, 149, 631, \"107361793816595537\", \"174723607534414371449\",
              \"341948486974166000522343609283189\"]",
        ),
    ] {
        let without = field(modulus, "");
        assert_consistent(&without);
        assert_eq!(
            (&without.generator, &without.factors),
            (&None, &None),
            "{modulus}"
        );
        let found = field(modulus, &format!("factors = {factors}"));
        assert_consistent(&found);
        assert_eq!(found.generator, Some(generator.into()), "{modulus}");
        let verified = field(
            modulus,
            &format!("factors = {factors}\ngenerator = {generator}"),
        );
        assert_eq!(verified.generator, found.generator);
        assert_eq!(verified.two_adic_root, found.two_adic_root);
        assert_eq!(
            verified.two_adic_root,
            found
                .generator
                .unwrap()
                .modpow(&found.odd_part, &found.modulus)
        );
    }
}

#[test]
fn another_generator_than_the_smallest() {
    let smallest = field("2^31 - 1", "");
    let chosen = field("2^31 - 1", "generator = 11");
    assert_eq!(smallest.generator, Some(7u32.into()));
    assert_eq!(chosen.generator, Some(11u32.into()));
}

#[test]
fn factors_may_come_in_any_order_and_repeated() {
    let field = field("2^31 - 2^27 + 1", "factors = [5, 2, 2, 2, 3]");
    assert_eq!(field.factors_text().as_deref(), Some("2^27 * 3 * 5"));
}

/// The prime of RFC 3526, group 16: the longest modulus that is allowed.
#[test]
fn a_prime_of_4096_bits() {
    let modulus = include_str!("../../tests/moduli/rfc3526_group16.txt").trim_end();
    let field = field(modulus, "");
    assert_eq!(field.bits, 4096);
    assert_eq!((field.word64.limbs, field.word64.spare_bits), (64, 0));
    assert_consistent(&field);
    // A safe prime: its factorisation is known.
    assert_eq!(field.factors.as_ref().map(Vec::len), Some(2));
    assert_eq!(field.generator, Some(5u32.into()));
}

macro_rules! refusals {
    ($($name:ident: $modulus:expr, $lines:expr;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(stringify!($name), refused($modulus, $lines));
            }
        )*
    };
}

refusals! {
    modulus_0: "0", "";
    modulus_1: "2^3 - 7", "";
    modulus_2: "2", "";
    even: "2^31", "";
    even_4: "4", "";
    composite_9: "9", "";
    composite_small_factor: "2^255 - 21", "";
    composite_square: "(2^89 - 1)^2", "";
    composite_carmichael: "7156857700403137441", "";
    composite_without_known_factor: "(2^127 - 1) * (2^255 - 19)", "";
    composite_by_lucas_test: "2^257 - 1", "";
    composite_long: "2^1061 - 1", "";
    too_large: "2^4096 + 1", "";
    generator_0: "2^31 - 1", "generator = 0";
    generator_1: "2^31 - 1", "generator = 1";
    generator_not_below_the_modulus: "2^31 - 1", "generator = 2147483654";
    generator_square: "2^31 - 2^27 + 1", "generator = 4";
    generator_of_a_subgroup: "2^31 - 2^27 + 1", "generator = 11";
    generator_square_in_a_large_field:
        "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001", "generator = 4";
    generator_not_verifiable:
        "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001", "generator = 5";
    factors_not_prime: "2^31 - 2^27 + 1", "factors = [0, 1, 2, 15]";
    factors_not_dividing: "2^31 - 2^27 + 1", "factors = [2, 3, 5, 7]\ngenerator = 31";
    factors_too_often: "2^31 - 2^27 + 1", "factors = [2, 3, 3, 5]";
    factors_missing: "2^31 - 2^27 + 1", "factors = [2, 5]";
    factors_missing_and_unknown:
        "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
        "factors = [2, 3, 13, 29, 983]\ngenerator = 5";
    factors_and_generator_wrong: "2^31 - 2^27 + 1", "factors = [2, 5, 7]\ngenerator = 4";
}

#[test]
fn only_a_few_of_many_wrong_factors_are_explained() {
    let factors = format!("factors = [{}]", "4, ".repeat(1000));
    let problem = refused("2^31 - 2^27 + 1", &factors);
    assert_eq!(problem.matches("wrong-factors").count(), 4, "{problem}");
}

#[test]
fn the_problems_of_all_fields_come_together() {
    let text = "[[field]]\nname = \"a\"\nmodulus = 15\n\n\
                [[field]]\nname = \"b\"\nmodulus = 7\ngenerator = 2\n\n\
                [[field]]\nname = \"c\"\nmodulus = 8\n";
    let problems = derive(text).expect_err("three problems");
    for code in ["composite-modulus", "wrong-generator", "even-modulus"] {
        assert!(problems.contains(code), "{problems}");
    }
}

/// The first prime from `n` on.
fn next_prime(mut n: BigUint) -> BigUint {
    while !prime::is_prime(&n) {
        n += 1u32;
    }
    n
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_prime_has_consistent_constants(
        bits in 2u32..200,
        digits in prop::collection::vec(any::<u32>(), 7),
        x in prop::collection::vec(any::<u32>(), 14),
    ) {
        let start = (BigUint::new(digits) >> (224 - bits)).max(3u32.into());
        let field = field(&next_prime(start).to_string(), "");
        assert_consistent(&field);
        let x = BigUint::new(x) % (BigUint::one() << field.barrett.shift);
        assert_barrett_estimate(&field, &x);
        let p = &field.modulus;
        let half_order = (p - 1u32) >> 1u32;
        prop_assert_eq!(field.nonresidue.modpow(&half_order, p), p - 1u32);
        if let Some(generator) = &field.generator {
            for (q, _) in field.factors.as_deref().unwrap_or_default() {
                let exponent = (p - 1u32) / q;
                                prop_assert!(!generator.modpow(&exponent, p).is_one());
            }
        }
        if field.bits <= 64 {
            prop_assert!(field.generator.is_some(), "{}", field.modulus);
        }
    }
}
