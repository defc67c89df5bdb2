//! What the tests of this module share: moduli, biased random numbers, running programs on numbers.

use num_bigint::BigUint;

use super::build::limbs;
use super::{Flag, Modulus, Op, Operand, Program};

/// The multi-limb moduli that people use, and their names.
pub(super) const MODULI: &[(&str, &str)] = &[
    (
        "bn254_fq",
        "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
    ),
    (
        "bn254_fr",
        "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
    ),
    (
        "bls12_381_fq",
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    ),
    (
        "bls12_381_fr",
        "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    ),
    (
        "bls12_377_fq",
        "1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
    ),
    (
        "bls12_377_fr",
        "12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001",
    ),
    (
        "pallas_fp",
        "40000000000000000000000000000000224698fc094cf91b992d30ed00000001",
    ),
    (
        "vesta_fp",
        "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001",
    ),
    (
        "secp256k1_fp",
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
    ),
    (
        "secp256k1_fn",
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
    ),
    (
        "curve25519_fp",
        "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed",
    ),
    (
        "stark252",
        "800000000000011000000000000000000000000000000000000000000000001",
    ),
    (
        "bw6_761_fq",
        "122e824fb83ce0ad187c94004faff3eb926186a81d14688528275ef8087be41707ba638e584e91903cebaff25b423048689c8ed12f9fd9071dcd3dc73ebff2e98a116c25667a8f8160cf8aeeaf0a437e6913e6870000082f49d00000000008b",
    ),
    (
        "p224",
        "ffffffffffffffffffffffffffffffff000000000000000000000001",
    ),
    (
        "p256",
        "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
    ),
    (
        "p384",
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
    ),
    ("65_bits", "1000000000000000d"),
    ("goldilocks", "ffffffff00000001"),
    ("baby_bear", "78000001"),
];

/// The named moduli in the limbs that 64-bit words of storage give.
pub(super) fn moduli(word_bits: u32) -> Vec<(&'static str, Modulus)> {
    let modulus = |hex: &str| {
        let p = BigUint::parse_bytes(hex.as_bytes(), 16).expect("hexadecimal");
        let limbs = (p.bits() as usize).div_ceil(64) * 64 / word_bits as usize;
        Modulus {
            p,
            word_bits,
            limbs,
        }
    };
    MODULI
        .iter()
        .map(|(name, hex)| (*name, modulus(hex)))
        .collect()
}

/// The modulus in as few words as it needs.
pub(super) fn tight(p: &BigUint, word_bits: u32) -> Modulus {
    let limbs = (p.bits() as usize).div_ceil(word_bits as usize);
    Modulus {
        p: p.clone(),
        word_bits,
        limbs,
    }
}

/// A small deterministic generator (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn up_to(&mut self, max: usize) -> usize {
        (self.word() % (max as u64 + 1)) as usize
    }

    pub fn bits(&mut self, bits: u64) -> BigUint {
        let words = (0..=bits / 32).map(|_| self.word() as u32).collect();
        BigUint::new(words) & ((BigUint::from(1u32) << bits) - 1u32)
    }

    /// An odd number of exactly so many bits.
    pub fn odd(&mut self, bits: u64) -> BigUint {
        let mut value = self.bits(bits);
        value.set_bit(bits - 1, true);
        value.set_bit(0, true);
        value
    }

    /// A number below the limit, often at its edges or with words of zeros, ones and single bits.
    pub fn below(&mut self, limit: &BigUint, word_bits: u32) -> BigUint {
        match self.up_to(5) {
            0 => BigUint::from(self.up_to(2)) % limit,
            1 => {
                limit
                    - (1 + self
                        .up_to(2)
                        .min(usize::try_from(limit - 1u32).unwrap_or(2)))
            }
            2 | 3 => {
                let word_max = u64::MAX >> (64 - word_bits);
                let mut value = BigUint::ZERO;
                for _ in 0..limit.bits().div_ceil(u64::from(word_bits)) {
                    let word = match self.up_to(5) {
                        0 => 0,
                        1 => 1,
                        2 => word_max,
                        3 => word_max - 1,
                        4 => 1 << (word_bits - 1),
                        _ => self.word() & word_max,
                    };
                    value = (value << word_bits) + word;
                }
                value % limit
            }
            _ => self.bits(limit.bits() + 8) % limit,
        }
    }
}

/// The words of a number, as many as asked for.
fn words(value: &BigUint, word_bits: u32, count: usize) -> Vec<u64> {
    let mut words = limbs(value, word_bits);
    assert!(words.len() <= count, "the number fits into the words");
    words.resize(count, 0);
    words
}

/// Runs the program on numbers.
pub(super) fn run(program: &Program, inputs: &[&BigUint]) -> BigUint {
    let inputs: Vec<Vec<u64>> = program
        .inputs
        .iter()
        .zip(inputs)
        .map(|(input, value)| {
            assert!(**value <= input.max, "{} is out of range", input.name);
            words(value, program.word_bits, input.words.len())
        })
        .collect();
    let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
    let outputs = program.evaluate(&inputs);
    outputs
        .iter()
        .rev()
        .fold(BigUint::ZERO, |sum, word| (sum << program.word_bits) + word)
}

/// Checks the program on edges and on biased random numbers.
pub(super) fn check(
    program: &Program,
    samples: usize,
    random: &mut Random,
    expected: impl Fn(&[BigUint]) -> BigUint,
) {
    check_form(program);
    for _ in 0..samples {
        let inputs: Vec<BigUint> = program
            .inputs
            .iter()
            .map(|input| random.below(&(&input.max + 1u32), program.word_bits))
            .collect();
        check_once(program, &inputs, &expected);
    }
    for pick in 0..4 {
        let edge = |max: &BigUint| {
            if pick % 2 == 0 {
                BigUint::ZERO
            } else {
                max.clone()
            }
        };
        let inputs: Vec<BigUint> = match program.inputs.as_slice() {
            [only] => vec![edge(&only.max)],
            [first, second] if pick < 2 => vec![edge(&first.max), edge(&second.max)],
            [first, second] => vec![&first.max - edge(&first.max), edge(&second.max)],
            _ => unreachable!("programs have one or two inputs"),
        };
        check_once(program, &inputs, &expected);
    }
}

/// Checks the program on all inputs.
pub(super) fn check_all(program: &Program, expected: impl Fn(&[BigUint]) -> BigUint) {
    check_form(program);
    let count = |i: usize| {
        program.inputs.get(i).map_or(1u64, |input| {
            u64::try_from(&input.max).expect("few inputs") + 1
        })
    };
    for x in 0..count(0) {
        for y in 0..count(1) {
            let mut inputs = vec![BigUint::from(x), BigUint::from(y)];
            inputs.truncate(program.inputs.len());
            check_once(program, &inputs, &expected);
        }
    }
}

fn check_once(program: &Program, inputs: &[BigUint], expected: &impl Fn(&[BigUint]) -> BigUint) {
    let references: Vec<&BigUint> = inputs.iter().collect();
    let found = run(program, &references);
    let expected = expected(inputs);
    assert_eq!(
        found, expected,
        "inputs {inputs:x?}, words of {} bits",
        program.word_bits
    );
}

/// Checks the rules that every program keeps: single assignment before use, flags of the right
/// kind, no result that nothing reads.
pub(super) fn check_form(program: &Program) {
    let mut words = vec![false; program.stems.len()];
    let mut flags = vec![None; program.flags as usize];
    for word in program.inputs.iter().flat_map(|input| &input.words) {
        words[word.index()] = true;
    }
    let word_max = u64::MAX >> (64 - program.word_bits);
    let word_uses = program.word_uses();
    let flag_uses = program.flag_uses();
    for op in &program.ops {
        for operand in op.operands() {
            match operand {
                Operand::Word(word) => assert!(words[word.index()], "read before written: {op:?}"),
                Operand::Constant(value) => assert!(value <= word_max, "a large constant: {op:?}"),
            }
        }
        for flag in op.flag_in().into_iter().chain(op.selector()) {
            assert_eq!(
                flags[flag.index()],
                Some(flag),
                "not a flag of that kind: {op:?}"
            );
        }
        let (first, second) = op.results();
        for word in [Some(first), second].into_iter().flatten() {
            assert!(
                !std::mem::replace(&mut words[word.index()], true),
                "written twice: {op:?}"
            );
        }
        if let Some(flag) = op.flag_out() {
            assert_eq!(
                flags[flag.index()].replace(flag),
                None,
                "written twice: {op:?}"
            );
        }
        let used = [Some(first), second]
            .into_iter()
            .flatten()
            .any(|w| word_uses[w.index()] > 0)
            || op
                .flag_out()
                .is_some_and(|flag: Flag| flag_uses[flag.index()] > 0);
        assert!(used, "nothing reads the results of {op:?}");
        if let Op::Funnel { by, .. } | Op::ShiftLeft { by, .. } | Op::ShiftRight { by, .. } = op {
            assert!(
                (1..program.word_bits).contains(by),
                "shift out of range: {op:?}"
            );
        }
    }
    for output in &program.outputs {
        if let Operand::Word(word) = output {
            assert!(words[word.index()], "an output is never written");
        }
    }
    if program.word_bits == 32
        && !program
            .ops
            .iter()
            .any(|op| matches!(op, Op::MulAdd2 { .. }))
    {
        super::print::cuda::print(program);
    }
}
