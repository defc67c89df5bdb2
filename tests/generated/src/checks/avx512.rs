//! Slice functions on single 32-bit words, against 64-bit arithmetic and against the portable
//! module: every length around the vectors', every alignment, long sums.
//! Quick enough to run on an emulated CPU.

use std::ops::Range;

use crate::element::{Operations, SliceFunctions};
use crate::random::Random;
use crate::report::Report;

/// A slice operation with a slice as its result.
#[derive(Debug, Clone, Copy)]
enum Map {
    Add,
    Sub,
    Mul,
    Neg,
    Double,
    Halve,
    Square,
    Exp3,
    Exp5,
    Exp7,
    ScalarMul,
}

impl Map {
    const ALL: [Map; 11] = [
        Map::Add,
        Map::Sub,
        Map::Mul,
        Map::Neg,
        Map::Double,
        Map::Halve,
        Map::Square,
        Map::Exp3,
        Map::Exp5,
        Map::Exp7,
        Map::ScalarMul,
    ];

    fn apply(
        self,
        functions: &SliceFunctions<u32>,
        dst: &mut [u32],
        a: &[u32],
        b: &[u32],
        scalar: u32,
    ) {
        let [add, sub, mul] = functions.binary;
        match self {
            Map::Add => add(dst, a, b),
            Map::Sub => sub(dst, a, b),
            Map::Mul => mul(dst, a, b),
            Map::Neg => (functions.unary[0])(dst, a),
            Map::Double => (functions.unary[1])(dst, a),
            Map::Halve => (functions.unary[2])(dst, a),
            Map::Square => (functions.unary[3])(dst, a),
            Map::Exp3 => (functions.unary[4])(dst, a),
            Map::Exp5 => (functions.unary[5])(dst, a),
            Map::Exp7 => (functions.unary[6])(dst, a),
            Map::ScalarMul => (functions.scalar_mul)(dst, a, scalar),
        }
    }
}

/// What the elements of a slice are.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// 0, 1, and what is next to p and to p / 2, in no order.
    Edges,
    Random,
}

impl Kind {
    fn values(self, modulus: u32, length: usize, random: &mut Random) -> Vec<u32> {
        let p = u64::from(modulus);
        let edges = [0, 1, p / 2, p / 2 + 1, p - 2, p - 1];
        let value = |_| match self {
            Kind::Edges => edges[random.below(6) as usize],
            Kind::Random => random.below(p),
        };
        (0..length).map(value).map(|value| value as u32).collect()
    }
}

/// The field in 64-bit arithmetic, on stored words.
struct Arithmetic {
    p: u64,
    /// `2^-32 mod p`, or 1 where elements are stored as they are.
    r_inverse: u64,
}

impl Arithmetic {
    fn new(operations: &Operations<u32>) -> Arithmetic {
        let p = u64::from(operations.modulus);
        let half = p.div_ceil(2);
        let r_inverse = match operations.one {
            1 => 1,
            _ => (0..32).fold(1, |power, _| power * half % p),
        };
        Arithmetic { p, r_inverse }
    }

    fn product(&self, a: u32, b: u32) -> u64 {
        u64::from(a) * u64::from(b) % self.p * self.r_inverse % self.p
    }

    fn power(&self, a: u32, exponent: u32) -> u64 {
        (1..exponent).fold(a.into(), |power, _| self.product(power as u32, a))
    }

    fn map(&self, map: Map, a: u32, b: u32, scalar: u32) -> u32 {
        let (wide_a, wide_b) = (u64::from(a), u64::from(b));
        let result = match map {
            Map::Add => (wide_a + wide_b) % self.p,
            Map::Sub => (wide_a + self.p - wide_b) % self.p,
            Map::Mul => self.product(a, b),
            Map::Neg => (self.p - wide_a) % self.p,
            Map::Double => 2 * wide_a % self.p,
            Map::Halve => (wide_a + wide_a % 2 * self.p) / 2,
            Map::Square => self.power(a, 2),
            Map::Exp3 => self.power(a, 3),
            Map::Exp5 => self.power(a, 5),
            Map::Exp7 => self.power(a, 7),
            Map::ScalarMul => self.product(a, scalar),
        };
        result as u32
    }

    fn sum(&self, a: &[u32]) -> u32 {
        let sum: u64 = a.iter().map(|a| u64::from(*a)).sum();
        (sum % self.p) as u32
    }

    fn inner_product(&self, a: &[u32], b: &[u32]) -> u32 {
        let sum: u64 = a.iter().zip(b).map(|(a, b)| self.product(*a, *b)).sum();
        (sum % self.p) as u32
    }
}

/// No element: it is above every modulus of 32 bits, as it is no prime.
const CANARY: u32 = u32::MAX;

/// Canaries on each side of a slice.
const GUARD: usize = 32;

/// Elements at a given place modulo 64 bytes, between canaries.
struct Placed {
    words: Vec<u32>,
    range: Range<usize>,
}

impl Placed {
    /// `offset`: in words, below 16.
    fn new(values: &[u32], offset: usize) -> Placed {
        let mut words = vec![CANARY; values.len() + 2 * GUARD];
        let aligned = words.as_ptr().align_offset(64);
        // An alignment and an offset together are below the guard.
        let start = aligned + offset;
        let range = start..start + values.len();
        words[range.clone()].copy_from_slice(values);
        Placed { words, range }
    }

    fn get(&self) -> &[u32] {
        &self.words[self.range.clone()]
    }

    fn get_mut(&mut self) -> &mut [u32] {
        &mut self.words[self.range.clone()]
    }

    fn is_intact_outside(&self) -> bool {
        let (before, after) = (self.range.start, self.words.len() - self.range.end);
        let canaries = [CANARY; 2 * GUARD];
        self.words[..before] == canaries[..before]
            && self.words[self.range.end..] == canaries[..after]
    }
}

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    Brief,
    Thorough,
}

/// Checks `functions`, one of the modules of a field.
pub fn check(
    operations: &Operations<u32>,
    functions: &SliceFunctions<u32>,
    effort: Effort,
    report: &mut Report,
) {
    let mut subject = Subject::new(operations, functions, report);
    subject.check_lengths_that_differ();
    match effort {
        Effort::Brief => {
            for length in [0, 1, 15, 16, 17, 31, 32, 33] {
                subject.check_largest(length);
                subject.check_mixed(length, length % 16);
            }
            // So many that sums are full several times.
            subject.check_largest(1000);
        }
        Effort::Thorough => {
            for length in 0..=67 {
                subject.check_largest(length);
                subject.check_mixed(length, length % 16);
            }
            for length in 4095..=4097 {
                subject.check_largest(length);
            }
            for offset in 0..16 {
                for length in [1, 16, 33] {
                    subject.check_mixed(length, offset);
                }
            }
            subject.check_largest_sums((1 << 16) + 7);
        }
    }
    // More pairs would take long when emulated.
    if operations.modulus < 100 {
        subject.check_all_pairs();
    }
}

/// Sums of so many terms of p - 1 that the accumulators are emptied in between.
pub fn check_long_sums(
    operations: &Operations<u32>,
    functions: &SliceFunctions<u32>,
    report: &mut Report,
) {
    let mut subject = Subject::new(operations, functions, report);
    for length in [(1 << 20) - 1, 1 << 20, (1 << 20) + 33] {
        subject.check_largest_sums(length);
    }
}

/// One module of slice functions of one field.
struct Subject<'a> {
    functions: &'a SliceFunctions<u32>,
    portable: &'a SliceFunctions<u32>,
    modulus: u32,
    arithmetic: Arithmetic,
    random: Random,
    report: &'a mut Report,
}

impl<'a> Subject<'a> {
    fn new(
        operations: &'a Operations<u32>,
        functions: &'a SliceFunctions<u32>,
        report: &'a mut Report,
    ) -> Subject<'a> {
        let portable = operations.slices.iter().find(|f| f.name == "portable");
        Subject {
            functions,
            portable: portable.expect("portable functions"),
            modulus: operations.modulus,
            arithmetic: Arithmetic::new(operations),
            random: Random::new(functions.name),
            report,
        }
    }

    fn name(&self) -> &'static str {
        self.functions.name
    }

    /// All elements are p - 1, and all results the same.
    fn check_largest(&mut self, length: usize) {
        let largest = self.modulus - 1;
        let a = Placed::new(&vec![largest; length], length % 16);
        for map in Map::ALL {
            let mut dst = Placed::new(&vec![CANARY; length], length % 13);
            map.apply(self.functions, dst.get_mut(), a.get(), a.get(), largest);
            let result = self.arithmetic.map(map, largest, largest, largest);
            let name = self.name();
            self.report.holds(
                || format!("{name} {map:?} of {length} times p - 1: not all are {result:#x}"),
                *dst.get() == vec![result; length],
            );
            self.report.holds(
                || format!("{name} {map:?} of {length} writes outside its slice"),
                dst.is_intact_outside(),
            );
        }
        self.check_largest_sums(length);
    }

    fn check_largest_sums(&mut self, length: usize) {
        let largest = self.modulus - 1;
        let a = &vec![largest; length];
        let square = self.arithmetic.product(largest, largest);
        let name = self.name();
        let times_length = |term: u64| (term * length as u64 % self.arithmetic.p) as u32;
        for (what, result, term) in [
            ("sum", (self.functions.sum)(a), u64::from(largest)),
            (
                "inner product",
                (self.functions.inner_product)(a, a),
                square,
            ),
        ] {
            let what = || format!("{name} {what} of {length} times p - 1");
            self.report.equal(what, result, times_length(term));
        }
    }

    /// Half of the elements random, the others edges; the slices at different places.
    fn check_mixed(&mut self, length: usize, offset: usize) {
        let mut values = |kind: Kind| kind.values(self.modulus, length, &mut self.random);
        let (a, b) = match length % 3 {
            0 => (values(Kind::Edges), values(Kind::Edges)),
            1 => (values(Kind::Random), values(Kind::Random)),
            _ => (values(Kind::Random), values(Kind::Edges)),
        };
        let scalar = Kind::Random.values(self.modulus, 1, &mut self.random)[0];
        let a = Placed::new(&a, offset);
        let b = Placed::new(&b, (offset + 5) % 16);
        for map in Map::ALL {
            let what = format!("{} {map:?} of {length} at {offset}", self.name());
            let mut dst = Placed::new(&vec![CANARY; length], (offset + 11) % 16);
            map.apply(self.functions, dst.get_mut(), a.get(), b.get(), scalar);
            self.compare(map, dst.get(), a.get(), b.get(), scalar, &what);
            let mut portable = vec![CANARY; length];
            map.apply(self.portable, &mut portable, a.get(), b.get(), scalar);
            self.report
                .holds(|| format!("{what}: not as portable"), portable == dst.get());
            let all = [&a, &b, &dst];
            let intact = all.iter().all(|placed| placed.is_intact_outside());
            self.report
                .holds(|| format!("{what}: writes outside its slice"), intact);
        }
        self.check_sums(a.get(), b.get(), offset);
    }

    fn check_sums(&mut self, a: &[u32], b: &[u32], offset: usize) {
        let what = |what: &str| format!("{what} of {} at {offset}", a.len());
        let name = self.name();
        let (sum, product) = (
            (self.functions.sum)(a),
            (self.functions.inner_product)(a, b),
        );
        let expected = self.arithmetic.sum(a);
        self.report
            .equal(|| what(&format!("{name} sum")), sum, expected);
        let expected = self.arithmetic.inner_product(a, b);
        self.report
            .equal(|| what(&format!("{name} inner product")), product, expected);
        let portable = ((self.portable.sum)(a), (self.portable.inner_product)(a, b));
        self.report.equal(
            || what(&format!("{name} and portable sums")),
            (sum, product),
            portable,
        );
    }

    /// Shows the first element that is wrong.
    fn compare(
        &mut self,
        map: Map,
        results: &[u32],
        a: &[u32],
        b: &[u32],
        scalar: u32,
        what: &str,
    ) {
        let expected = |i: usize| self.arithmetic.map(map, a[i], b[i], scalar);
        let wrong = (0..results.len()).find(|i| results[*i] != expected(*i));
        let explain = || {
            let i = wrong.unwrap_or_default();
            let (a, b, got, expected) = (a[i], b[i], results[i], expected(i));
            format!(
                "{what}: [{i}] = {got:#x}, expected {expected:#x}; \
                 a = {a:#x}, b = {b:#x}, scalar = {scalar:#x}"
            )
        };
        self.report.holds(explain, wrong.is_none());
    }

    fn check_lengths_that_differ(&mut self) {
        let (short, long) = (&[0; 16], &[0; 17]);
        let dst = &mut [0; 16];
        let name = self.name();
        let functions = self.functions;
        for map in Map::ALL {
            let what = || format!("{name} {map:?} of lengths that differ");
            self.report
                .panics(what, || map.apply(functions, dst, long, short, 0));
            if matches!(map, Map::Add | Map::Sub | Map::Mul) {
                self.report
                    .panics(what, || map.apply(functions, dst, short, long, 0));
            }
        }
        let what = || format!("{name} inner product of lengths that differ");
        for (a, b) in [(&short[..], &long[..]), (long, short)] {
            self.report.panics(what, || (functions.inner_product)(a, b));
        }
    }

    fn check_all_pairs(&mut self) {
        let all: Vec<u32> = (0..self.modulus).collect();
        let dst = &mut vec![0; all.len()];
        for a in 0..self.modulus {
            let row = vec![a; all.len()];
            for map in Map::ALL {
                map.apply(self.functions, dst, &row, &all, a);
                let what = format!("{} {map:?} of all pairs", self.name());
                self.compare(map, dst, &row, &all, a, &what);
            }
        }
    }
}
