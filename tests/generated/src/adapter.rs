//! [`TestField`] for every generated field, over its [`Operations`].

use std::any::Any;
use std::cmp::Ordering;

use num_bigint::BigUint;

use crate::element::{Operations, PackedFunctions, SliceFunctions, UNARY, Words};
use crate::model::Model;
use crate::test_field::{
    Backend, Binary, Constants, Form, Slice, SliceArguments, TestField, Unary,
};

/// A generated field under a name, with what was asked for.
pub struct Adapter<W> {
    name: &'static str,
    model: Model,
    form: Form,
    operations: Operations<W>,
}

/// Elements on both sides of every slice that a slice function gets; they must not change.
const GUARD: usize = 19;

impl<W: Words> Adapter<W> {
    pub fn new(
        name: &'static str,
        modulus: BigUint,
        form: Form,
        operations: Operations<W>,
    ) -> Adapter<W> {
        Adapter {
            name,
            model: Model::new(modulus),
            form,
            operations,
        }
    }

    /// The stored form of a canonical value.
    fn element(&self, value: &BigUint) -> W {
        (self.operations.from_canonical)(W::from_integer(value)).expect("a canonical value")
    }

    fn elements(&self, values: &[BigUint]) -> Vec<W> {
        values.iter().map(|value| self.element(value)).collect()
    }

    /// The canonical value of a stored form.
    fn integer(&self, stored: W) -> BigUint {
        (self.operations.to_canonical)(stored).to_integer()
    }

    fn integers(&self, stored: &[W]) -> Vec<BigUint> {
        stored.iter().map(|stored| self.integer(*stored)).collect()
    }

    fn guarded(&self, values: &[BigUint]) -> Vec<W> {
        let guard = std::iter::repeat_n(self.operations.one, GUARD);
        let values = values.iter().map(|value| self.element(value));
        guard.clone().chain(values).chain(guard).collect()
    }

    fn unguarded(&self, guarded: &[W]) -> Vec<BigUint> {
        let (before, rest) = guarded.split_at(GUARD);
        let (values, after) = rest.split_at(rest.len() - GUARD);
        assert!(
            before
                .iter()
                .chain(after)
                .all(|stored| *stored == self.operations.one),
            "a slice function wrote outside its slice"
        );
        self.integers(values)
    }
}

/// The inner part of a guarded slice.
fn inner<W>(guarded: &mut [W]) -> &mut [W] {
    let end = guarded.len() - GUARD;
    &mut guarded[GUARD..end]
}

impl<W: Words> TestField for Adapter<W> {
    fn name(&self) -> &str {
        self.name
    }

    fn model(&self) -> &Model {
        &self.model
    }

    fn form(&self) -> Form {
        self.form
    }

    fn words(&self) -> (u32, usize) {
        (W::BITS, W::COUNT)
    }

    fn new_words(&self) -> usize {
        self.operations.new_words
    }

    fn constants(&self) -> Constants {
        let operations = &self.operations;
        Constants {
            modulus: operations.modulus.to_integer(),
            bits: operations.bits,
            bytes: operations.bytes,
            size: operations.size,
            zero: self.integer(operations.zero),
            one: self.integer(operations.one),
            default: self.integer(operations.default),
            two_adicity: operations.two_adicity,
            two_adic_root: self.integer(operations.two_adic_root),
            nonresidue: self.integer(operations.nonresidue),
            generator: operations.generator.map(|stored| self.integer(stored)),
            evaluated: self.integer(operations.evaluated),
        }
    }

    fn binary(&self, operation: Binary, a: &BigUint, b: &BigUint) -> Vec<BigUint> {
        let function = self.operations.binary[operation as usize];
        self.integers(&function(self.element(a), self.element(b)))
    }

    fn unary(&self, operation: Unary, a: &BigUint) -> Vec<BigUint> {
        let a = self.element(a);
        match operation {
            Unary::Neg => self.integers(&(self.operations.neg)(a)),
            Unary::Double => vec![self.integer((self.operations.double)(a))],
            Unary::Halve => vec![self.integer((self.operations.halve)(a))],
            Unary::Square => vec![self.integer((self.operations.square)(a))],
            Unary::Cube => vec![self.integer((self.operations.cube)(a))],
        }
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        let a = self.element(a);
        let inverse = (self.operations.inverse)(a);
        let zero_or_inverse = (self.operations.inverse_constant_time)(a);
        assert_eq!(
            zero_or_inverse,
            inverse.unwrap_or(self.operations.zero),
            "the inverses differ"
        );
        inverse.map(|stored| self.integer(stored))
    }

    fn legendre(&self, a: &BigUint) -> i32 {
        (self.operations.legendre)(self.element(a))
    }

    fn sqrt(&self, a: &BigUint) -> Option<BigUint> {
        (self.operations.sqrt)(self.element(a)).map(|stored| self.integer(stored))
    }

    fn is_zero(&self, a: &BigUint) -> bool {
        (self.operations.is_zero)(self.element(a))
    }

    fn pow(&self, a: &BigUint, exponent: &[u64]) -> BigUint {
        self.integer((self.operations.pow)(self.element(a), exponent))
    }

    fn pow_u64(&self, a: &BigUint, exponent: u64) -> BigUint {
        self.integer((self.operations.pow_u64)(self.element(a), exponent))
    }

    fn two_adic_root(&self, log2_order: u32) -> Option<BigUint> {
        (self.operations.two_adic_root_of)(log2_order).map(|stored| self.integer(stored))
    }

    fn sum(&self, a: &[BigUint]) -> Vec<BigUint> {
        self.integers(&(self.operations.sum)(&self.elements(a)))
    }

    fn product(&self, a: &[BigUint]) -> Vec<BigUint> {
        self.integers(&(self.operations.product)(&self.elements(a)))
    }

    fn reduced(&self, value: &BigUint) -> BigUint {
        self.integer((self.operations.new)(value))
    }

    fn checked(&self, value: &BigUint) -> Option<BigUint> {
        let stored = (self.operations.from_canonical)(W::from_integer(value));
        stored.map(|stored| self.integer(stored))
    }

    fn from_u32(&self, value: u32) -> BigUint {
        self.integer((self.operations.from_u32)(value))
    }

    fn from_u64(&self, value: u64) -> BigUint {
        self.integer((self.operations.from_u64)(value))
    }

    fn from_stored(&self, stored: &BigUint) -> Option<BigUint> {
        let stored = (self.operations.from_stored)(W::from_integer(stored));
        stored.map(|stored| self.integer(stored))
    }

    fn to_stored(&self, a: &BigUint) -> BigUint {
        self.element(a).to_integer()
    }

    fn memory(&self, a: &BigUint) -> BigUint {
        BigUint::from_bytes_le(&(self.operations.memory)(self.element(a)))
    }

    fn from_bytes(&self, bytes: &[u8]) -> Option<BigUint> {
        (self.operations.from_le_bytes)(bytes).map(|stored| self.integer(stored))
    }

    fn to_bytes(&self, a: &BigUint) -> Vec<u8> {
        (self.operations.to_le_bytes)(self.element(a))
    }

    fn from_uniform_bytes(&self, bytes: &[u8]) -> BigUint {
        self.integer((self.operations.from_uniform_bytes)(bytes))
    }

    fn parse(&self, text: &str) -> Result<BigUint, String> {
        (self.operations.parse)(text).map(|stored| self.integer(stored))
    }

    fn display(&self, a: &BigUint) -> String {
        (self.operations.display)(self.element(a))
    }

    fn debug(&self, a: &BigUint) -> String {
        (self.operations.debug)(self.element(a))
    }

    fn compare(&self, a: &BigUint, b: &BigUint) -> Ordering {
        let [total, partial] = (self.operations.compare)(self.element(a), self.element(b));
        assert_eq!(total, partial, "cmp and partial_cmp differ");
        total.expect("a total order")
    }

    fn equal(&self, a: &BigUint, b: &BigUint) -> (bool, bool) {
        let (a, b) = (self.element(a), self.element(b));
        let hash = self.operations.hash;
        ((self.operations.equal)(a, b), hash(a) == hash(b))
    }

    fn backends(&self) -> Vec<Backend> {
        let describe = |functions: &SliceFunctions<W>| Backend {
            name: functions.name,
            available: functions.available,
            functions: Slice::ALL.to_vec(),
        };
        self.operations.slices.iter().map(describe).collect()
    }

    fn slice(
        &self,
        backend: usize,
        function: Slice,
        arguments: SliceArguments,
    ) -> (SliceArguments, Option<BigUint>) {
        let functions = &self.operations.slices[backend];
        let mut slices: Vec<Vec<W>> = arguments
            .iter()
            .map(|values| self.guarded(values))
            .collect();
        if function == Slice::FromCanonical {
            for (word, value) in inner(&mut slices[0]).iter_mut().zip(&arguments[0]) {
                *word = W::from_integer(value);
            }
        }
        let result = match slices.as_mut_slice() {
            [a] => call_1(functions, function, inner(a)),
            [a, b] => call_2(functions, function, inner(a), inner(b)),
            [a, b, c] => call_3(functions, function, inner(a), inner(b), inner(c)),
            _ => unreachable!("slice functions take up to three arguments"),
        };
        let mut after: SliceArguments = slices.iter().map(|slice| self.unguarded(slice)).collect();
        if function == Slice::ToCanonical {
            let words = inner(&mut slices[0]);
            after[0] = words.iter().map(|word| word.to_integer()).collect();
        }
        (after, result.map(|stored| self.integer(stored)))
    }

    fn long_sum(&self, backend: usize, function: Slice, value: &BigUint, length: usize) -> BigUint {
        let functions = &self.operations.slices[backend];
        let mut values = vec![self.element(value); length];
        let result = match function {
            Slice::Sum => call_1(functions, function, &mut values),
            _ => call_2(functions, function, &mut values.clone(), &mut values),
        };
        self.integer(result.expect("a sum"))
    }

    fn batch_inverse(&self, values: &[BigUint], scratch: usize) -> Vec<BigUint> {
        let mut values = self.elements(values);
        let mut scratch = vec![self.operations.one; scratch];
        (self.operations.batch_inverse)(&mut values, &mut scratch);
        self.integers(&values)
    }

    fn operations32(&self) -> Option<&Operations<u32>> {
        let operations: &dyn Any = &self.operations;
        operations.downcast_ref()
    }

    fn packed(&self, backend: usize, values: &[BigUint]) -> Result<u64, String> {
        let functions = &self.operations.slices[backend];
        let values = self.elements(values);
        let mut cases = refuses(functions, &values, self.operations.modulus)?;
        let portable = &self.operations.slices[0];
        if let Some(packed) = &functions.packed {
            for (a, b) in values
                .chunks_exact(packed.width)
                .zip(values[1..].chunks_exact(packed.width))
            {
                cases += compare_packed(packed, portable, a, b)?;
            }
        }
        Ok(cases)
    }

    fn all_pairs(&self) -> Result<u64, String> {
        let p = u32::try_from(&self.model.modulus).expect("a small modulus");
        assert!(p < 1 << 16);
        let all: Vec<W> = (0..p).map(|value| self.element(&value.into())).collect();
        let mut results = all.clone();
        let mut cases = 0;
        for (x, a) in (0..p).zip(&all) {
            for operation in Binary::ALL {
                (self.operations.rows[operation as usize])(&mut results, *a, &all);
                for (y, result) in (0..p).zip(&results) {
                    let expected = match operation {
                        Binary::Add => (x + y) % p,
                        Binary::Sub => (x + p - y) % p,
                        Binary::Mul => x * y % p,
                    };
                    if *result != all[expected as usize] {
                        return Err(format!("{operation:?} of {x} and {y}, expected {expected}"));
                    }
                    cases += 1;
                }
            }
        }
        Ok(cases)
    }
}

/// Whether `from_canonical` refuses a word that is not below the modulus, wherever it is.
fn refuses<W: Words>(
    functions: &SliceFunctions<W>,
    values: &[W],
    modulus: W,
) -> Result<u64, String> {
    let mut words = values.to_vec();
    (functions.to_canonical)(&mut words);
    for index in 0..words.len() {
        let mut wrong = words.clone();
        wrong[index] = modulus;
        let before = wrong.clone();
        if (functions.from_canonical)(&mut wrong) {
            return Err(format!("FromCanonical takes the modulus at {index}"));
        }
        if wrong != before {
            return Err(format!("FromCanonical changes what it refuses at {index}"));
        }
    }
    Ok(words.len() as u64)
}

/// Packed elements against portable slice functions.
fn compare_packed<W: Words>(
    packed: &PackedFunctions<W>,
    portable: &SliceFunctions<W>,
    a: &[W],
    b: &[W],
) -> Result<u64, String> {
    let mut cases = 0;
    let mut compare = |what: &str, got: Vec<W>, expected: &[W]| {
        cases += 1;
        if got == expected {
            Ok(())
        } else {
            Err(format!(
                "{what} of {a:x?} and {b:x?}: {got:x?}, expected {expected:x?}"
            ))
        }
    };
    let mut expected = a.to_vec();
    for (i, operation) in Binary::ALL.iter().enumerate() {
        (portable.binary[i])(&mut expected, a, b);
        compare(
            &format!("packed {operation:?}"),
            (packed.binary[i])(a, b),
            &expected,
        )?;
    }
    for (i, name) in UNARY.iter().enumerate() {
        (portable.unary[i])(&mut expected, a);
        compare(&format!("packed {name}"), (packed.unary[i])(a), &expected)?;
    }
    for exponent in [0, 1, 2, 11, u64::MAX] {
        (portable.pow)(&mut expected, a, exponent);
        compare("packed pow", (packed.pow)(a, exponent), &expected)?;
    }
    (portable.scalar_mul)(&mut expected, a, b[0]);
    compare("packed scalar_mul", (packed.scalar_mul)(a, b[0]), &expected)?;
    compare("broadcast", (packed.broadcast)(a[0]), &vec![a[0]; a.len()])?;
    let mut block = 1;
    while block <= packed.width {
        let [even, odd] = (packed.interleave)(a, b, block);
        if block == packed.width {
            compare("interleave", even, a)?;
            compare("interleave", odd, b)?;
            break;
        }
        let pairs = || a.chunks(2 * block).zip(b.chunks(2 * block));
        let first: Vec<W> = pairs()
            .flat_map(|(a, b)| [&a[..block], &b[..block]].concat())
            .collect();
        let second: Vec<W> = pairs()
            .flat_map(|(a, b)| [&a[block..], &b[block..]].concat())
            .collect();
        compare("interleave", even, &first)?;
        compare("interleave", odd, &second)?;
        block *= 2;
    }
    Ok(cases)
}

fn call_1<W: Words>(functions: &SliceFunctions<W>, function: Slice, a: &mut [W]) -> Option<W> {
    match function {
        Slice::Sum => return Some((functions.sum)(a)),
        Slice::NegInPlace => (functions.unary_in_place[0])(a),
        Slice::DoubleInPlace => (functions.unary_in_place[1])(a),
        Slice::HalveInPlace => (functions.unary_in_place[2])(a),
        Slice::SquareInPlace => (functions.unary_in_place[3])(a),
        Slice::Exp3InPlace => (functions.unary_in_place[4])(a),
        Slice::Exp5InPlace => (functions.unary_in_place[5])(a),
        Slice::Exp7InPlace => (functions.unary_in_place[6])(a),
        Slice::PowInPlace => (functions.pow_in_place)(a, Slice::EXPONENT),
        Slice::ToCanonical => (functions.to_canonical)(a),
        Slice::FromCanonical => assert!((functions.from_canonical)(a), "canonical words refused"),
        other => unreachable!("{other:?} takes more than one argument"),
    }
    None
}

fn call_2<W: Words>(
    functions: &SliceFunctions<W>,
    function: Slice,
    a: &mut [W],
    b: &mut [W],
) -> Option<W> {
    match function {
        Slice::InnerProduct => return Some((functions.inner_product)(a, b)),
        Slice::Neg => (functions.unary[0])(a, b),
        Slice::Double => (functions.unary[1])(a, b),
        Slice::Halve => (functions.unary[2])(a, b),
        Slice::Square => (functions.unary[3])(a, b),
        Slice::Exp3 => (functions.unary[4])(a, b),
        Slice::Exp5 => (functions.unary[5])(a, b),
        Slice::Exp7 => (functions.unary[6])(a, b),
        Slice::Pow => (functions.pow)(a, b, Slice::EXPONENT),
        Slice::AddAssign => (functions.binary_assign[0])(a, b),
        Slice::SubAssign => (functions.binary_assign[1])(a, b),
        Slice::MulAssign => (functions.binary_assign[2])(a, b),
        Slice::ScalarMulInPlace => (functions.scalar_mul_in_place)(a, b[0]),
        Slice::BatchInverse => (functions.batch_inverse)(a, b),
        other => unreachable!("{other:?} does not take two arguments"),
    }
    None
}

fn call_3<W: Words>(
    functions: &SliceFunctions<W>,
    function: Slice,
    a: &mut [W],
    b: &mut [W],
    c: &mut [W],
) -> Option<W> {
    match function {
        Slice::Add => (functions.binary[0])(a, b, c),
        Slice::Sub => (functions.binary[1])(a, b, c),
        Slice::Mul => (functions.binary[2])(a, b, c),
        Slice::ScalarMul => (functions.scalar_mul)(a, b, c[0]),
        Slice::ScalarMulAdd => (functions.scalar_mul_add)(a, b, c[0]),
        Slice::MulAdd => (functions.mul_add)(a, b, c),
        Slice::ButterflyDif => (functions.butterflies[0])(a, b, c),
        Slice::ButterflyDit => (functions.butterflies[1])(a, b, c),
        Slice::ButterflyDifScalar => (functions.butterflies_scalar[0])(a, b, c[0]),
        Slice::ButterflyDitScalar => (functions.butterflies_scalar[1])(a, b, c[0]),
        other => unreachable!("{other:?} does not take three arguments"),
    }
    None
}
