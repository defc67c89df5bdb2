//! The moduli of the test sets.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use num_traits::One;

use crate::asked::Asked;
use crate::primes::{Shape, find, is_prime};

/// Fields without duplicates, under their names.
#[derive(Default)]
struct Set {
    fields: Vec<Asked>,
    seen: BTreeSet<(BigUint, &'static str)>,
}

impl Set {
    /// Adds a field unless the same modulus is there already with the same reduction.
    fn add(&mut self, name: &str, modulus: &BigUint, reduction: &'static str) {
        assert!(is_prime(modulus), "{name} = {modulus} is not prime");
        if self.seen.insert((modulus.clone(), reduction)) {
            let name = match reduction {
                "auto" => name.to_owned(),
                _ => format!("{name}_{reduction}"),
            };
            self.fields.push(Asked {
                name,
                modulus: modulus.clone(),
                reduction,
            });
        }
    }

    fn add_shape(&mut self, bits: u32, shape: Shape, reduction: &'static str) {
        let name = format!("{}_{bits}", shape.name());
        self.add(&name, &find(bits, shape), reduction);
    }
}

/// Fields whose elements, and pairs of elements, can all be tried.
pub fn exhaustive() -> Vec<Asked> {
    let mut set = Set::default();
    let below_256 = (3..256u32).filter(|n| is_prime(&BigUint::from(*n)));
    let named = [
        257, 521, 769, 1009, 1153, 2053, 3329, 3583, 3989, 4001, 4049, 4093,
    ];
    for p in below_256.chain(named) {
        set.add(&format!("p{p}"), &p.into(), "auto");
    }
    assert_eq!(set.fields.len(), 53 + 12);
    for p in [3u32, 7, 31, 127] {
        set.add(&format!("p{p}"), &p.into(), "montgomery");
    }
    for p in [3u32, 5, 7, 31, 127, 131, 251, 257, 4093] {
        set.add(&format!("p{p}"), &p.into(), "barrett");
    }
    set.fields
}

/// Moduli of up to 32 bits, of every shape that vectors of 32-bit lanes tell apart.
pub fn lanes() -> Vec<Asked> {
    let mut set = Set::default();
    for p in [5u32, 13, 97, 251, 257] {
        set.add(&format!("p{p}"), &p.into(), "auto");
    }
    for exponent in [2u32, 5, 13, 31] {
        let mersenne = (BigUint::one() << exponent) - 1u32;
        set.add(&format!("mersenne_{exponent}"), &mersenne, "auto");
        if matches!(exponent, 2 | 31) {
            set.add(&format!("mersenne_{exponent}"), &mersenne, "montgomery");
        }
    }
    for (name, modulus, reductions) in [
        // The largest below 2^32, 2^31 and 2^30 that have no shape of their own.
        ("below_2_32", 4_294_967_291u32, &["auto", "barrett"][..]),
        ("below_2_31", 2_147_483_629, &["auto", "barrett"]),
        ("below_2_30", 1_073_741_789, &["auto"]),
        // The smallest above 2^31.
        ("above_2_31", 2_147_483_659, &["auto", "barrett"]),
        ("three_2_30_plus_1", 3_221_225_473, &["auto"]),
        // Fewer and fewer values can be added in 32 bits, and fewer products in 64 bits: below
        // and above some of the bounds.
        ("seven_terms", 613_566_757, &["auto"]),
        ("three_terms", 1_431_655_751, &["auto"]),
        ("two_terms", 1_431_655_777, &["auto"]),
        ("six_products", 1_753_413_037, &["auto"]),
        ("five_products", 1_753_413_059, &["auto"]),
        ("two_products", 3_037_000_493, &["auto"]),
        ("one_product", 3_037_000_507, &["auto"]),
        // Small ones of number-theoretic transforms, and a Fermat prime.
        ("ntt_3329", 3329, &["auto", "barrett"]),
        ("ntt_12289", 12289, &["auto"]),
        ("fermat_65537", 65537, &["auto"]),
    ] {
        for reduction in reductions {
            set.add(name, &modulus.into(), reduction);
        }
    }
    for bits in [10, 18, 22, 27, 31, 32] {
        set.add_shape(bits, Shape::Random, "auto");
    }
    set.fields
}

/// Moduli of every length from 2 to 64 bits.
pub fn words() -> Vec<Asked> {
    let mut set = Set::default();
    let one = BigUint::one();
    for exponent in [2u32, 3, 5, 7, 13, 17, 19, 31, 61] {
        let mersenne = (&one << exponent) - &one;
        set.add(&format!("mersenne_{exponent}"), &mersenne, "auto");
        if matches!(exponent, 2 | 13 | 31 | 61) {
            set.add(&format!("mersenne_{exponent}"), &mersenne, "barrett");
        }
    }
    set.add("mersenne_61", &((&one << 61u32) - &one), "montgomery");
    for (name, modulus, reductions) in [
        (
            "goldilocks",
            0xffff_ffff_0000_0001_u64,
            &["auto", "montgomery", "barrett"][..],
        ),
        // The longest in one word; 2^32 and 2^64 fall just above them.
        ("three_2_30_plus_1", 3_221_225_473, &["auto", "barrett"]),
        ("below_2_32", 4_294_967_291, &["auto", "barrett"]),
        ("below_2_64", 0xffff_ffff_ffff_ffc5, &["auto", "barrett"]),
        ("below_2_50", 1_125_899_906_842_597, &["auto"]),
    ] {
        for reduction in reductions {
            set.add(name, &modulus.into(), reduction);
        }
    }
    for bits in 2..=64 {
        // Where a word is nearly or just full, what is next to a power of two, in both forms.
        if matches!(bits, 31..=33 | 63 | 64) {
            for shape in [Shape::Random, Shape::High, Shape::Low] {
                set.add_shape(bits, shape, "auto");
                set.add_shape(bits, shape, "barrett");
            }
            set.add_shape(bits, Shape::TwoAdic, "auto");
            continue;
        }
        if bits > 31 {
            set.add_shape(bits, Shape::Random, "auto");
        }
        if bits % 2 == 0 {
            set.add_shape(bits, Shape::ALL[1 + bits as usize / 2 % 4], "auto");
        } else {
            set.add_shape(bits, Shape::ALL[bits as usize / 2 % 5], "barrett");
        }
    }
    set.fields
}

/// Moduli around every multiple of 32 bits up to 768, and those of well-known curves.
pub fn limbs() -> Vec<Asked> {
    let mut set = Set::default();
    let one = BigUint::one();
    let power = |exponent: u32| &one << exponent;
    for (name, modulus) in [
        ("mersenne_89", power(89) - &one),
        ("mersenne_107", power(107) - &one),
        ("mersenne_127", power(127) - &one),
        ("p224", power(224) - power(96) + &one),
        (
            "p256",
            power(256) - power(224) + power(192) + power(96) - &one,
        ),
        (
            "p384",
            power(384) - power(128) - power(96) + power(32) - &one,
        ),
        ("p521", power(521) - &one),
        ("secp256k1", power(256) - power(32) - 977u32),
        ("below_2_255", power(255) - 19u32),
    ] {
        set.add(name, &modulus, "auto");
        set.add(name, &modulus, "barrett");
        set.add(name, &modulus, "special");
    }
    let lengths = (64..=768u32)
        .step_by(32)
        .flat_map(|multiple| [multiple - 1, multiple, multiple + 1]);
    for (index, bits) in lengths.filter(|bits| *bits > 64).enumerate() {
        if matches!(bits, 127..=129 | 255..=257) {
            for shape in [Shape::Random, Shape::High, Shape::Low] {
                set.add_shape(bits, shape, "auto");
                set.add_shape(bits, shape, "barrett");
            }
            continue;
        }
        set.add_shape(bits, Shape::ALL[index % 5], "auto");
        // Lengths of each kind in turn: below, at and above a multiple.
        if index % 4 == 0 {
            set.add_shape(bits, Shape::ALL[index / 4 % 5], "barrett");
        }
    }
    set.fields
}
