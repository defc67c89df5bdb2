//! The checks themselves: they pass on the model put in front of them as a field, and fail on
//! each of many small mistakes built into it.

use std::cmp::Ordering;

use generated_tests::checks;
use generated_tests::model::Model;
use generated_tests::report::Report;
use generated_tests::test_field::{
    Backend, Binary, Constants, Form, Slice, SliceArguments, TestField, Unary,
};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// A correct field, except for at most one mistake.
struct Imitation {
    model: Model,
    mistake: &'static str,
}

/// Every mistake, by the method that makes it. Most show only for some arguments.
const MISTAKES: [&str; 59] = [
    "add: the sum p is left as it is",
    "add: by reference",
    "sub: no borrow",
    "sub: assignment",
    "mul: two largest elements",
    "neg: of zero",
    "double: near half of the modulus",
    "halve: of an odd element",
    "square: of -1",
    "cube: squares",
    "inverse: of zero",
    "inverse: of -1",
    "legendre: of zero",
    "legendre: never -1",
    "sqrt: the larger root",
    "sqrt: of a non-residue",
    "sqrt: not of one",
    "is_zero: of one",
    "pow: to zero",
    "pow: the second limb",
    "pow_u64: the top bit",
    "two_adic_root: beyond the two-adicity",
    "two_adic_root: of half the order",
    "Sum: of nothing",
    "Product: of nothing",
    "new: of the modulus",
    "new: of the largest word",
    "from_canonical: of the modulus",
    "From<u32>: of the largest",
    "From<u64>: of the largest",
    "from_stored: of the modulus",
    "to_stored: the value",
    "memory: the value",
    "from_le_bytes: of the modulus",
    "to_le_bytes: big-endian",
    "from_uniform_bytes: an empty slice",
    "from_uniform_bytes: more than 64 bytes",
    "parse: of the modulus",
    "parse: no hexadecimal",
    "parse: wraps",
    "Display: hexadecimal",
    "cmp: of the stored words",
    "hashes: of everything",
    "==: of anything",
    "MODULUS",
    "BITS",
    "TWO_ADICITY",
    "TWO_ADIC_ROOT",
    "NONRESIDUE",
    "GENERATOR",
    "constant",
    "slice: the last element",
    "slice: the seventeenth element",
    "slice: the length is ignored",
    "slice: changes what it reads",
    "slice: a long sum",
    "slice: a product of largest elements",
    "batch_inverse: zeros",
    "all pairs",
];

impl Imitation {
    fn has(&self, mistake: &str) -> bool {
        assert!(MISTAKES.contains(&mistake), "unknown mistake {mistake}");
        self.mistake == mistake
    }

    fn minus_one(&self) -> BigUint {
        &self.model.modulus - 1u32
    }

    fn r(&self) -> BigUint {
        BigUint::one() << 64u32
    }
}

impl TestField for Imitation {
    fn name(&self) -> &str {
        "imitation"
    }

    fn model(&self) -> &Model {
        &self.model
    }

    fn form(&self) -> Form {
        Form::Montgomery
    }

    fn words(&self) -> (u32, usize) {
        if self.model.bits <= 32 {
            (32, 1)
        } else {
            (64, 1)
        }
    }

    fn new_words(&self) -> usize {
        1
    }

    fn constants(&self) -> Constants {
        let model = &self.model;
        let nonresidue = model.smallest_nonresidue();
        let off_by_one = |mistake| u32::from(self.has(mistake));
        let root = model.pow(&nonresidue, &model.odd_part());
        Constants {
            modulus: &model.modulus + off_by_one("MODULUS"),
            bits: model.bits + off_by_one("BITS"),
            bytes: model.bits.div_ceil(8) as usize,
            size: self.words().0 as usize / 8,
            zero: BigUint::zero(),
            one: BigUint::one(),
            default: BigUint::zero(),
            two_adicity: model.two_adicity - off_by_one("TWO_ADICITY"),
            two_adic_root: root + off_by_one("TWO_ADIC_ROOT"),
            nonresidue: nonresidue + off_by_one("NONRESIDUE"),
            generator: self.has("GENERATOR").then(|| BigUint::from(4u32)),
            evaluated: model.reduce(&15625u32.into()) + off_by_one("constant"),
        }
    }

    fn binary(&self, operation: Binary, a: &BigUint, b: &BigUint) -> Vec<BigUint> {
        let mut result = vec![operation.expected(&self.model, a, b); 2];
        match operation {
            Binary::Add => {
                if self.has("add: the sum p is left as it is") && a + b == self.model.modulus {
                    result[0].clone_from(&self.model.modulus);
                }
                if self.has("add: by reference") {
                    result[1] = self.model.sub(a, b);
                }
            }
            Binary::Sub => {
                if self.has("sub: no borrow") && b > a {
                    result[0] = self.model.sub(b, a);
                }
                if self.has("sub: assignment") {
                    result[1] = self.model.sub(b, a);
                }
            }
            Binary::Mul => {
                let largest = self.minus_one();
                if self.has("mul: two largest elements") && *a == largest && *b == largest {
                    result[0] = largest;
                }
            }
        }
        result
    }

    fn unary(&self, operation: Unary, a: &BigUint) -> Vec<BigUint> {
        let wrong = match operation {
            Unary::Neg => self.has("neg: of zero") && a.is_zero(),
            Unary::Double => {
                self.has("double: near half of the modulus")
                    && *a == (&self.model.modulus + 1u32) >> 1
            }
            Unary::Halve => self.has("halve: of an odd element") && a.bit(0),
            Unary::Square => self.has("square: of -1") && *a == self.minus_one(),
            Unary::Cube => self.has("cube: squares"),
        };
        let right = operation.expected(&self.model, a);
        vec![if wrong {
            self.model.mul(a, a) + 1u32
        } else {
            right
        }]
    }

    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        if self.has("inverse: of zero") && a.is_zero() {
            return Some(BigUint::zero());
        }
        if self.has("inverse: of -1") && *a == self.minus_one() {
            return Some(BigUint::one());
        }
        self.model.inverse(a)
    }

    fn legendre(&self, a: &BigUint) -> i32 {
        match self.model.legendre(a) {
            0 if self.has("legendre: of zero") => 1,
            -1 if self.has("legendre: never -1") => 1,
            symbol => symbol,
        }
    }

    fn sqrt(&self, a: &BigUint) -> Option<BigUint> {
        if self.model.legendre(a) == -1 {
            return self.has("sqrt: of a non-residue").then(|| a.clone());
        }
        if self.has("sqrt: not of one") && a.is_one() {
            return None;
        }
        let root = tonelli_shanks(&self.model, a);
        let other = self.model.neg(&root);
        if self.has("sqrt: the larger root") {
            return Some(root.max(other));
        }
        Some(root.min(other))
    }

    fn is_zero(&self, a: &BigUint) -> bool {
        a.is_zero() || self.has("is_zero: of one") && a.is_one()
    }

    fn pow(&self, a: &BigUint, exponent: &[u64]) -> BigUint {
        let mut exponent = exponent.to_vec();
        if self.has("pow: the second limb") {
            exponent.truncate(1);
        }
        if self.has("pow: to zero") && exponent.is_empty() {
            return BigUint::zero();
        }
        let integer = exponent
            .iter()
            .rev()
            .fold(BigUint::zero(), |integer, limb| (integer << 64u32) + limb);
        self.model.pow(a, &integer)
    }

    fn pow_u64(&self, a: &BigUint, exponent: u64) -> BigUint {
        let mask = u64::MAX >> u32::from(self.has("pow_u64: the top bit"));
        self.model.pow(a, &(exponent & mask).into())
    }

    fn two_adic_root(&self, log2_order: u32) -> Option<BigUint> {
        let model = &self.model;
        let root = model.pow(&model.smallest_nonresidue(), &model.odd_part());
        if log2_order > model.two_adicity {
            return self
                .has("two_adic_root: beyond the two-adicity")
                .then_some(root);
        }
        let halved = u32::from(self.has("two_adic_root: of half the order"));
        let squarings = model.two_adicity - log2_order + halved;
        Some(model.pow(&root, &(BigUint::one() << squarings)))
    }

    fn sum(&self, a: &[BigUint]) -> Vec<BigUint> {
        if self.has("Sum: of nothing") && a.is_empty() {
            return vec![BigUint::one()];
        }
        vec![self.model.sum(a)]
    }

    fn product(&self, a: &[BigUint]) -> Vec<BigUint> {
        if self.has("Product: of nothing") && a.is_empty() {
            return vec![BigUint::zero()];
        }
        vec![self.model.product(a)]
    }

    fn reduced(&self, value: &BigUint) -> BigUint {
        if self.has("new: of the modulus") && *value == self.model.modulus {
            return value.clone();
        }
        if self.has("new: of the largest word") && *value == self.r() - 1u32 {
            return BigUint::zero();
        }
        self.model.reduce(value)
    }

    fn checked(&self, value: &BigUint) -> Option<BigUint> {
        if self.has("from_canonical: of the modulus") && *value == self.model.modulus {
            return Some(BigUint::zero());
        }
        (*value < self.model.modulus).then(|| value.clone())
    }

    fn from_u32(&self, value: u32) -> BigUint {
        if self.has("From<u32>: of the largest") && value == u32::MAX {
            return BigUint::zero();
        }
        self.model.reduce(&value.into())
    }

    fn from_u64(&self, value: u64) -> BigUint {
        if self.has("From<u64>: of the largest") && value == u64::MAX {
            return BigUint::zero();
        }
        self.model.reduce(&value.into())
    }

    fn from_stored(&self, stored: &BigUint) -> Option<BigUint> {
        if self.has("from_stored: of the modulus") && *stored == self.model.modulus {
            return Some(BigUint::zero());
        }
        let r = BigUint::one() << self.words().0;
        let inverse = self.model.inverse(&self.model.reduce(&r))?;
        (*stored < self.model.modulus).then(|| self.model.mul(stored, &inverse))
    }

    fn to_stored(&self, a: &BigUint) -> BigUint {
        if self.has("to_stored: the value") {
            return a.clone();
        }
        self.model.reduce(&(a << self.words().0))
    }

    fn memory(&self, a: &BigUint) -> BigUint {
        if self.has("memory: the value") {
            return a.clone();
        }
        self.model.reduce(&(a << self.words().0))
    }

    fn from_bytes(&self, bytes: &[u8]) -> Option<BigUint> {
        let value = BigUint::from_bytes_le(bytes);
        if self.has("from_le_bytes: of the modulus") && value == self.model.modulus {
            return Some(BigUint::zero());
        }
        (value < self.model.modulus).then_some(value)
    }

    fn to_bytes(&self, a: &BigUint) -> Vec<u8> {
        let mut bytes = a.to_bytes_le();
        bytes.resize(self.model.bits.div_ceil(8) as usize, 0);
        if self.has("to_le_bytes: big-endian") {
            bytes.reverse();
        }
        bytes
    }

    fn from_uniform_bytes(&self, bytes: &[u8]) -> BigUint {
        if self.has("from_uniform_bytes: an empty slice") && bytes.is_empty() {
            return BigUint::one();
        }
        let mut bytes = bytes;
        if self.has("from_uniform_bytes: more than 64 bytes") && bytes.len() > 64 {
            bytes = &bytes[..64];
        }
        self.model.reduce(&BigUint::from_bytes_le(bytes))
    }

    fn parse(&self, text: &str) -> Result<BigUint, String> {
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(digits) if !self.has("parse: no hexadecimal") => (digits, 16),
            _ => (text, 10),
        };
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = BigUint::parse_bytes(digits.as_bytes(), radix)
            .filter(|_| plain)
            .ok_or("no number")?;
        if self.has("parse: of the modulus") && value == self.model.modulus {
            return Ok(BigUint::zero());
        }
        let value = if self.has("parse: wraps") {
            value % self.r()
        } else {
            value
        };
        if value < self.model.modulus {
            Ok(value)
        } else {
            Err("too large".into())
        }
    }

    fn display(&self, a: &BigUint) -> String {
        if self.has("Display: hexadecimal") {
            return format!("{a:x}");
        }
        a.to_string()
    }

    fn debug(&self, a: &BigUint) -> String {
        a.to_string()
    }

    fn compare(&self, a: &BigUint, b: &BigUint) -> Ordering {
        if self.has("cmp: of the stored words") {
            return self.to_stored(a).cmp(&self.to_stored(b));
        }
        a.cmp(b)
    }

    fn equal(&self, a: &BigUint, b: &BigUint) -> (bool, bool) {
        if self.has("==: of anything") {
            return (true, true);
        }
        (a == b, a == b && !self.has("hashes: of everything"))
    }

    fn backends(&self) -> Vec<Backend> {
        vec![Backend {
            name: "slice",
            available: true,
            functions: Slice::ALL[..3].to_vec(),
        }]
    }

    fn slice(
        &self,
        _backend: usize,
        function: Slice,
        mut arguments: SliceArguments,
    ) -> (SliceArguments, Option<BigUint>) {
        let model = &self.model;
        let largest = self.minus_one();
        let operation = match function {
            Slice::Sum => {
                let sum = model.sum(&arguments[0]);
                return (arguments, Some(sum));
            }
            Slice::InnerProduct => {
                let product = model.inner_product(&arguments[0], &arguments[1]);
                return (arguments, Some(product));
            }
            Slice::Add => Binary::Add,
            Slice::Sub => Binary::Sub,
            Slice::Mul => Binary::Mul,
            _ => unreachable!("not among the functions"),
        };
        let [dst, a, b] = arguments.as_mut_slice() else {
            unreachable!("three slices");
        };
        let same = dst.len() == a.len() && a.len() == b.len();
        assert!(same || self.has("slice: the length is ignored"));
        for (i, (dst, (a, b))) in dst.iter_mut().zip(a.iter().zip(b.iter())).enumerate() {
            *dst = operation.expected(model, a, b);
            if self.has("slice: the seventeenth element") && i == 16 {
                dst.clone_from(a);
            }
            let product = self.has("slice: a product of largest elements");
            if product && operation == Binary::Mul && *a == largest && *b == largest {
                dst.clone_from(&largest);
            }
        }
        if self.has("slice: the last element")
            && let Some(last) = dst.last_mut()
        {
            last.set_zero();
        }
        if self.has("slice: changes what it reads") {
            a.clone_from(dst);
        }
        (arguments, None)
    }

    fn long_sum(&self, _: usize, function: Slice, value: &BigUint, length: usize) -> BigUint {
        let term = match function {
            Slice::Sum => value.clone(),
            _ => value * value,
        };
        let overflow = self.has("slice: a long sum") && length > 1 << 17;
        self.model.reduce(&(term * length)) + u32::from(overflow)
    }

    fn batch_inverse(&self, values: &[BigUint], scratch: usize) -> Vec<BigUint> {
        assert!(scratch >= values.len());
        let zero = BigUint::from(u32::from(self.has("batch_inverse: zeros")));
        let inverse = |value| self.model.inverse(value).unwrap_or_else(|| zero.clone());
        values.iter().map(inverse).collect()
    }

    fn all_pairs(&self) -> Result<u64, String> {
        if self.has("all pairs") {
            return Err("all pairs: a difference".into());
        }
        Ok(1)
    }
}

fn tonelli_shanks(model: &Model, a: &BigUint) -> BigUint {
    let odd = model.odd_part();
    let mut c = model.pow(&model.smallest_nonresidue(), &odd);
    let mut t = model.pow(a, &odd);
    let mut root = model.pow(a, &((&odd + 1u32) >> 1));
    let mut order = model.two_adicity;
    while !t.is_zero() && !t.is_one() {
        let mut square = t.clone();
        let mut i = 0;
        while !square.is_one() {
            square = model.mul(&square, &square);
            i += 1;
        }
        let b = model.pow(&c, &(BigUint::one() << (order - i - 1)));
        c = model.mul(&b, &b);
        t = model.mul(&t, &c);
        root = model.mul(&root, &b);
        order = i;
    }
    if t.is_zero() { t } else { root }
}

fn run(modulus: u64, mistake: &'static str) -> Report {
    let field = Imitation {
        model: Model::new(modulus.into()),
        mistake,
    };
    let fields: [Box<dyn TestField>; 1] = [Box::new(field)];
    Report::over(&fields, |field, report| {
        checks::all(field, report);
        if field.model().bits <= 12 {
            checks::exhaustive(field, report);
        }
    })
}

/// One that is exhausted, one whose sums are long, and one that fills its word.
const MODULI: [u64; 3] = [193, (1 << 31) - (1 << 27) + 1, 0xffff_ffff_ffff_ffc5];

#[test]
fn checks_pass_on_a_correct_field() {
    for modulus in MODULI {
        run(modulus, "").finish("a correct field");
    }
}

#[test]
fn checks_fail_on_every_mistake() {
    for mistake in MISTAKES {
        // The failure has to name what is wrong: the part before the colon.
        let what = mistake.split(':').next().unwrap_or(mistake).to_lowercase();
        let names_it =
            |failure: &String| failure["imitation".len()..].to_lowercase().contains(&what);
        let noticed = MODULI
            .iter()
            .any(|modulus| run(*modulus, mistake).failures().iter().any(names_it));
        assert!(noticed, "`{mistake}` is not noticed");
    }
    println!("{} mistakes, all noticed", MISTAKES.len());
}
