use num_bigint::BigInt;

use super::*;
use crate::kernel::candidates::{Machine, Reduction, candidates, cheapest};
use crate::kernel::testing::{Random, check, check_all, moduli, tight};

const PRODUCTS: [Product; 3] = [
    Product::Rows,
    Product::Chains { karatsuba: 0 },
    Product::Chains { karatsuba: 1 },
];

/// Runs `test` on every operation of every strategy that is offered; returns how many are.
fn each_operation(
    modulus: &Modulus,
    products: &[Product],
    mut test: impl FnMut(&Program, &dyn Fn(&[BigUint]) -> BigUint),
) -> usize {
    let p = &modulus.p;
    let mut offered = 0;
    for strategy in Strategy::all(modulus, products) {
        let Ok(program) = reduce(modulus, strategy) else {
            continue;
        };
        offered += 1;
        test(&program, &|x| &x[0] % p);
        let program = mul(modulus, strategy).expect("the product is below what reduce takes");
        test(&program, &|x| &x[0] * &x[1] % p);
        let program = square(modulus, strategy).expect("the square is below what reduce takes");
        test(&program, &|x| &x[0] * &x[0] % p);
        let program = reduce_words(modulus, strategy).expect("the number is below that");
        test(&program, &|x| &x[0] % p);
    }
    offered
}

/// The sum of powers of two; a negative exponent `-e` stands for `-2^e`, and 0 for -1.
fn powers(exponents: &[i32]) -> BigUint {
    let mut sum = BigInt::ZERO;
    for exponent in exponents {
        let power = BigInt::one() << exponent.unsigned_abs();
        if *exponent > 0 {
            sum += power;
        } else {
            sum -= power;
        }
    }
    sum.to_biguint().expect("the first power is the largest")
}

/// Moduli of special form.
fn forms() -> Vec<(&'static str, BigUint)> {
    let small = |bits: u32, c: u64| (BigUint::one() << bits) - c;
    vec![
        ("2^61 - 1", small(61, 1)),
        ("2^89 - 1", small(89, 1)),
        ("2^127 - 1", small(127, 1)),
        ("2^521 - 1", small(521, 1)),
        ("2^130 - 5", small(130, 5)),
        ("2^255 - 19", small(255, 19)),
        ("2^256 - 189", small(256, 189)),
        ("2^64 - 59", small(64, 59)),
        ("2^414 - 17", small(414, 17)),
        ("secp256k1", small(256, (1 << 32) + 977)),
        ("goldilocks", powers(&[64, -32]) + 1u32),
        ("p192", powers(&[192, -64, 0])),
        ("p224", powers(&[224, -96]) + 1u32),
        ("p256", powers(&[256, -224, 192, 96, 0])),
        ("p384", powers(&[384, -128, -96, 32, 0])),
        ("ed448", powers(&[448, -224, 0])),
    ]
}

#[test]
fn special_forms() {
    let mut random = Random::new(30);
    for word_bits in [32, 64] {
        for (name, p) in forms() {
            let mut modulus = tight(&p, word_bits);
            // As many words as 64-bit words of storage give.
            modulus.limbs = p.bits().div_ceil(64) as usize * 64 / word_bits as usize;
            let products = match word_bits {
                64 => &PRODUCTS[..1],
                _ => &PRODUCTS[1..],
            };
            let offered = each_operation(&modulus, products, |program, expected| {
                check(program, 6, &mut random, expected);
            });
            assert!(offered > 0, "{name} on words of {word_bits} bits");
        }
    }
}

#[test]
fn every_length() {
    let mut random = Random::new(31);
    for bits in (33..=640u32)
        .step_by(17)
        .chain([63, 64, 65, 95, 96, 97, 255, 256, 257])
    {
        for (word_bits, c_bits) in [(32, 8), (32, 40), (64, 16), (64, 70)] {
            let c = random.odd(c_bits.min(u64::from(bits) / 3));
            let modulus = tight(&((BigUint::one() << bits) - c), word_bits);
            let strategy = Strategy {
                product: PRODUCTS[if word_bits == 32 { 1 } else { 0 }],
                fold: Fold::Product,
            };
            let program = mul(&modulus, strategy).expect("c is short");
            check(&program, 2, &mut random, |x| &x[0] * &x[1] % &modulus.p);
        }
    }
}

#[test]
fn tiny_words_exhaustively() {
    for word_bits in [2, 3, 4] {
        for p in (3u32..1 << 6).step_by(2) {
            let modulus = tight(&BigUint::from(p), word_bits);
            let product = PRODUCTS[p as usize / 2 % 2];
            each_operation(&modulus, &[product], |program, expected| {
                check_all(program, expected);
            });
        }
    }
    // Two words of four bits.
    for p in [0xfbu32, 0xf1, 0xef, 0x7f] {
        let modulus = tight(&BigUint::from(p), 4);
        for fold in [
            Fold::Product,
            Fold::Digits { bits: 4 },
            Fold::Digits { bits: 2 },
        ] {
            let product = Product::Chains { karatsuba: 0 };
            if let Ok(program) = mul(&modulus, Strategy { product, fold }) {
                check_all(&program, |x| &x[0] * &x[1] % p);
            }
        }
    }
}

#[test]
fn dense_moduli_are_refused() {
    let product = Product::Rows;
    let refused = |fold| {
        let bn254 = &moduli(64)[0].1;
        let bound = mul(bn254, Strategy { product, fold }).unwrap_err();
        bound.to_string()
    };
    assert_eq!(
        refused(Fold::Product),
        "needs (h + 1) c <= p for c = 2^254 - p and the part h above 2^254 after 4 folds, \
         but c has 252 bits and h up to 246, which is up to 2^244 p"
    );
    assert_eq!(
        refused(Fold::Digits { bits: 32 }),
        "needs digits of 32 bits, of which 2^254 mod p has few other than 0, \
         but 254 is no multiple of 32"
    );
}

#[test]
fn the_shape_of_the_modulus_decides() {
    let choice = |p: &BigUint, word_bits, machine| {
        let modulus = tight(p, word_bits);
        let all = candidates(&modulus, machine, Reduction::Special, Operation::Mul);
        let best = cheapest(&all).expect("one is offered");
        format!("{}: {}", best.algorithm, best.cost().expect("offered"))
    };
    let p = |wanted: &str| {
        let form = forms().into_iter().find(|(name, _)| *name == wanted);
        form.expect("a form of that name").1
    };
    let cuda = |name| choice(&p(name), 32, Machine::CarryChains);
    let rust = |name| choice(&p(name), 64, Machine::DoubleWords);
    assert_eq!(
        cuda("2^255 - 19"),
        "Karatsuba product, folded by 2^255 = 19: 57 slots, 116 other, 39 words live"
    );
    assert_eq!(
        cuda("secp256k1"),
        "schoolbook product, folded by 2^256 = 2^32 + 977: 73.5 slots, 86 other, 38 words live"
    );
    assert_eq!(
        cuda("p256"),
        "schoolbook product, folded by 2^256 = 2^224 - 2^192 - 2^96 + 1 in digits of 32 bits: \
         68 slots, 133 other, 38 words live"
    );
    assert_eq!(
        rust("secp256k1"),
        "row-wise product, folded by 2^256 = 2^32 + 977: 21 slots, 96 other, 13 words live"
    );
    assert_eq!(
        rust("p384"),
        "row-wise product, folded by 2^384 = 2^128 + 2^96 - 2^32 + 1 in digits of 32 bits: \
         39 slots, 265 other, 27 words live"
    );
}
