//! Every kernel on all pairs of small fields, and on edges and random elements of large ones.

use super::evaluate::evaluate;
use super::word32::Field32;
use super::{Isa, Kernel, Parameter, Reduction};

/// A small generator of numbers (xorshift): the same ones every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// The field in plain arithmetic, on stored words.
struct Model {
    p: u64,
    /// `R^-1 mod p`, or 1 for canonical elements.
    scale: u64,
    one: u64,
}

impl Model {
    fn new(field: Field32) -> Model {
        let p = u64::from(field.modulus);
        if field.reduction != Reduction::Montgomery {
            return Model {
                p,
                scale: 1,
                one: 1,
            };
        }
        let half = p.div_ceil(2);
        let scale = (0..32).fold(1, |power, _| power * half % p);
        let one = (1 << 32) % p;
        Model { p, scale, one }
    }

    fn mul(&self, a: u64, b: u64) -> u64 {
        a * b % self.p * self.scale % self.p
    }

    fn power(&self, a: u64, exponent: u32) -> u64 {
        (1..exponent).fold(a, |power, _| self.mul(power, a))
    }

    /// What a kernel makes of one element of each vector.
    fn expected(&self, kernel: &str, x: &[u64]) -> Vec<u64> {
        let p = self.p;
        let add = |a: u64, b: u64| (a + b) % p;
        let sub = |a: u64, b: u64| (a + p - b) % p;
        let result = match kernel {
            "add" => add(x[0], x[1]),
            "sub" => sub(x[0], x[1]),
            "mul" | "mul_by" => self.mul(x[0], x[1]),
            "neg" => sub(0, x[0]),
            "double" => add(x[0], x[0]),
            "halve" => (x[0] + x[0] % 2 * p) / 2,
            "square" => self.power(x[0], 2),
            "exp3" => self.power(x[0], 3),
            "exp5" => self.power(x[0], 5),
            "exp7" => self.power(x[0], 7),
            "butterfly_dif" | "butterfly_dif_by" => {
                return vec![add(x[0], x[1]), self.mul(sub(x[0], x[1]), x[2])];
            }
            "one_for_zero" if x[0] == 0 => self.one,
            "one_for_zero" => x[0],
            "zero_with" if x[1] == 0 => 0,
            "zero_with" => x[0],
            other => unreachable!("no kernel {other}"),
        };
        vec![result]
    }
}

/// The words of a prepared factor, as the generated code computes them.
fn factor_words(field: Field32, b: u64) -> Vec<u64> {
    let p = u64::from(field.modulus);
    let b = match field.reduction {
        Reduction::Montgomery => b,
        Reduction::Canonical => (b << 32) % p,
        Reduction::Mersenne { exponent } => return vec![b << (32 - exponent)],
    };
    // p^-1 modulo 2^32, by Euler's theorem.
    let inverse = (0..30).fold(1u32, |x, _| x.wrapping_mul(x).wrapping_mul(field.modulus));
    let inverse = inverse.wrapping_mul(inverse).wrapping_mul(field.modulus);
    assert_eq!(inverse.wrapping_mul(field.modulus), 1);
    vec![b, u64::from((b as u32).wrapping_mul(inverse))]
}

/// Runs a kernel on two elements of each vector at once.
fn run(field: Field32, kernel: &Kernel, even: &[u64], odd: &[u64]) -> [Vec<u64>; 2] {
    let mut inputs = Vec::new();
    for (i, parameter) in kernel.program.parameters.iter().enumerate() {
        match parameter {
            Parameter::Vector(_) => inputs.push(even[i] | odd[i] << 32),
            // The same for all elements.
            Parameter::Factor(_) => {
                let words = factor_words(field, even[i]);
                inputs.extend(words.iter().map(|word| word | word << 32));
            }
        }
    }
    let outputs = evaluate(&kernel.program, &inputs);
    let even = outputs.iter().map(|output| output & 0xffff_ffff).collect();
    let odd = outputs.iter().map(|output| output >> 32).collect();
    [even, odd]
}

fn check(field: Field32, model: &Model, kernel: &Kernel, even: &[u64], odd: &[u64]) {
    let mut odd = odd.to_vec();
    for (i, parameter) in kernel.program.parameters.iter().enumerate() {
        if matches!(parameter, Parameter::Factor(_)) {
            odd[i] = even[i];
        }
    }
    let (isa, name) = (kernel.program.isa, kernel.name);
    let results = run(field, kernel, even, &odd);
    let expected = [even, &odd].map(|x| model.expected(name, x));
    assert_eq!(
        results, expected,
        "{isa:?} {name} of {even:x?} and {odd:x?}, {field:x?}"
    );
}

fn check_terms(field: Field32, kernel: &Kernel, random: &mut Numbers) {
    let p = u64::from(field.modulus);
    for i in 0..100 {
        let mut element = || if i == 0 { p - 1 } else { random.next() % p };
        let (a, b) = ([element(), element()], [element(), element()]);
        let pair = |x: [u64; 2]| x[0] | x[1] << 32;
        let outputs = evaluate(&kernel.program, &[pair(a), pair(b)]);
        let products = [a[0] * b[0], a[1] * b[1]];
        if outputs.len() == 1 {
            assert_eq!(outputs[0], products[0] + products[1]);
        } else {
            assert_eq!(outputs, products);
        }
    }
}

/// All triples of a few elements, and random ones.
fn triples(p: u64, random: &mut Numbers) -> Vec<[u64; 3]> {
    let mut edges = vec![
        0,
        1,
        2,
        p / 2,
        p / 2 + 1,
        p - 2,
        p - 1,
        (1 << 32) % p,
        0xffff % p,
    ];
    edges.sort_unstable();
    edges.dedup();
    if p < 14 {
        edges = (0..p).collect();
    }
    let mut triples = Vec::new();
    for a in &edges {
        for b in &edges {
            triples.extend(edges.iter().map(|c| [*a, *b, *c]));
        }
    }
    if p < 100 {
        let pairs = (0..p * p).map(|i| [i / p, i % p, random.next() % p]);
        triples.extend(pairs);
    }
    triples.extend((0..300).map(|_| [0; 3].map(|_: i32| random.next() % p)));
    triples
}

fn fields() -> Vec<Field32> {
    let mut fields = Vec::new();
    for modulus in [
        3,
        5,
        7,
        17,
        31,
        97,
        257,
        3329,
        12289,
        65537,
        998_244_353,
        (1 << 30) - 35,
        (1 << 30) + 3,
        2_013_265_921,
        (1 << 31) - 1,
        (1 << 31) + 11,
        3_037_000_493,
        3_037_000_507,
        3_221_225_473,
        4_294_967_291,
    ] {
        for reduction in [Reduction::Montgomery, Reduction::Canonical] {
            fields.push(Field32 { modulus, reduction });
        }
    }
    for exponent in [2, 3, 5, 7, 13, 17, 19, 31] {
        fields.push(Field32 {
            modulus: ((1u64 << exponent) - 1) as u32,
            reduction: Reduction::Mersenne { exponent },
        });
    }
    fields
}

#[test]
fn kernels_of_32_bit_elements_agree_with_plain_arithmetic() {
    for field in fields() {
        let model = Model::new(field);
        let mut random = Numbers(0x1234_5678_9abc_def1);
        let triples = triples(field.modulus.into(), &mut random);
        for isa in [Isa::Avx2, Isa::Avx512] {
            for kernel in field.kernels(isa) {
                if kernel.name == "terms" {
                    check_terms(field, &kernel, &mut random);
                    continue;
                }
                let count = kernel.program.parameters.len();
                for (i, even) in triples.iter().enumerate() {
                    let odd = &triples[i * 7 % triples.len()];
                    check(field, &model, &kernel, &even[..count], &odd[..count]);
                }
            }
        }
    }
}

/// The instructions that a kernel costs every vector.
fn instructions(field: Field32, isa: Isa, name: &str) -> usize {
    let kernels = field.kernels(isa);
    let kernel = kernels.iter().find(|kernel| kernel.name == name);
    kernel.expect("a kernel").program.instructions()
}

#[test]
fn kernels_cost_no_more_than_is_known_to_be_needed() {
    let baby_bear = Field32 {
        modulus: 0x7800_0001,
        reduction: Reduction::Montgomery,
    };
    let no_spare_bit = Field32 {
        modulus: 4_294_967_291,
        reduction: Reduction::Montgomery,
    };
    let mersenne31 = Field32 {
        modulus: 0x7fff_ffff,
        reduction: Reduction::Mersenne { exponent: 31 },
    };
    for (field, isa, counts) in [
        // add, mul, mul_by, exp3, exp7.
        (baby_bear, Isa::Avx512, [3, 13, 12, 22, 42]),
        (baby_bear, Isa::Avx2, [3, 14, 13, 23, 43]),
        (no_spare_bit, Isa::Avx512, [4, 13, 12, 24, 48]),
        (no_spare_bit, Isa::Avx2, [6, 17, 16, 32, 64]),
        (mersenne31, Isa::Avx512, [3, 11, 9, 21, 41]),
        (mersenne31, Isa::Avx2, [3, 13, 11, 25, 49]),
    ] {
        let names = ["add", "mul", "mul_by", "exp3", "exp7"];
        let counted = names.map(|name| instructions(field, isa, name));
        assert_eq!(counted, counts, "{isa:?} {field:x?} {names:?}");
    }
}
