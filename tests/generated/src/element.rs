//! The interface of a generated `Element`, as a table of functions on its stored words.
//!
//! There are hundreds of element types but few types of words, so the code around the functions
//! is compiled once for each of the latter. [`operations!`] makes the table; it computes nothing.

use std::cmp::Ordering;
use std::fmt::{Debug, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use num_bigint::BigUint;

/// What an element's value consists of: `u32`, `u64` or `[u64; N]`.
pub trait Words: Copy + Eq + Debug + Send + Sync + 'static {
    const BITS: u32;
    const COUNT: usize;
    /// # Panics
    ///
    /// If the value does not fit.
    fn from_integer(value: &BigUint) -> Self;
    fn to_integer(self) -> BigUint;
}

impl Words for u32 {
    const BITS: u32 = 32;
    const COUNT: usize = 1;

    fn from_integer(value: &BigUint) -> u32 {
        value.try_into().expect("fits one word")
    }

    fn to_integer(self) -> BigUint {
        self.into()
    }
}

impl Words for u64 {
    const BITS: u32 = 64;
    const COUNT: usize = 1;

    fn from_integer(value: &BigUint) -> u64 {
        value.try_into().expect("fits one word")
    }

    fn to_integer(self) -> BigUint {
        self.into()
    }
}

impl<const N: usize> Words for [u64; N] {
    const BITS: u32 = 64;
    const COUNT: usize = N;

    fn from_integer(value: &BigUint) -> [u64; N] {
        let mut words = [0; N];
        let digits = value.iter_u64_digits();
        assert!(digits.len() <= N, "{value} does not fit {N} words");
        for (word, digit) in words.iter_mut().zip(digits) {
            *word = digit;
        }
        words
    }

    fn to_integer(self) -> BigUint {
        let digits = self
            .iter()
            .flat_map(|word| [*word as u32, (word >> 32) as u32]);
        BigUint::new(digits.collect())
    }
}

/// What every generated element type has to implement.
pub trait Traits:
    Copy
    + Debug
    + Default
    + Display
    + FromStr<Err: std::error::Error>
    + From<u32>
    + From<u64>
    + Hash
    + Ord
    + Send
    + Sync
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + for<'a> AddAssign<&'a Self>
    + for<'a> SubAssign<&'a Self>
    + for<'a> MulAssign<&'a Self>
    + Sum
    + Product
    + for<'a> Sum<&'a Self>
    + for<'a> Product<&'a Self>
    + 'static
{
}

impl<T> Traits for T where
    T: Copy
        + Debug
        + Default
        + Display
        + FromStr<Err: std::error::Error>
        + From<u32>
        + From<u64>
        + Hash
        + Ord
        + Send
        + Sync
        + Neg<Output = Self>
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + for<'a> Add<&'a Self, Output = Self>
        + for<'a> Sub<&'a Self, Output = Self>
        + for<'a> Mul<&'a Self, Output = Self>
        + AddAssign
        + SubAssign
        + MulAssign
        + for<'a> AddAssign<&'a Self>
        + for<'a> SubAssign<&'a Self>
        + for<'a> MulAssign<&'a Self>
        + Sum
        + Product
        + for<'a> Sum<&'a Self>
        + for<'a> Product<&'a Self>
        + 'static
{
}

/// A generated field. Every `W` among arguments and results is an element's stored form, except
/// where a function says `canonical`.
pub struct Operations<W> {
    /// Canonical.
    pub modulus: W,
    pub bits: u32,
    pub bytes: usize,
    pub size: usize,
    pub zero: W,
    pub one: W,
    pub default: W,
    pub two_adicity: u32,
    pub two_adic_root: W,
    pub nonresidue: W,
    pub generator: Option<W>,
    pub evaluated: W,

    /// `new`, of 64-bit words.
    pub new: fn(&BigUint) -> W,
    pub new_words: usize,
    pub from_canonical: fn(W) -> Option<W>,
    pub to_canonical: fn(W) -> W,
    pub from_stored: fn(W) -> Option<W>,
    /// The element's bytes in memory.
    pub memory: fn(W) -> Vec<u8>,
    pub from_u32: fn(u32) -> W,
    pub from_u64: fn(u64) -> W,
    /// Of exactly `bytes` bytes.
    pub from_le_bytes: fn(&[u8]) -> Option<W>,
    pub to_le_bytes: fn(W) -> Vec<u8>,
    pub from_uniform_bytes: fn(&[u8]) -> W,
    pub parse: fn(&str) -> Result<W, String>,
    pub display: fn(W) -> String,
    pub debug: fn(W) -> String,
    pub compare: fn(W, W) -> [Option<Ordering>; 2],
    pub equal: fn(W, W) -> bool,
    pub hash: fn(W) -> u64,

    /// Addition, subtraction and multiplication, written in every way.
    pub binary: [fn(W, W) -> [W; 6]; 3],
    /// The same operators: `dst[i] = a op b[i]`.
    pub rows: [fn(&mut [W], W, &[W]); 3],
    pub neg: fn(W) -> [W; 2],
    pub double: fn(W) -> W,
    pub halve: fn(W) -> W,
    pub square: fn(W) -> W,
    pub cube: fn(W) -> W,
    pub pow: fn(W, &[u64]) -> W,
    pub pow_u64: fn(W, u64) -> W,
    pub inverse: fn(W) -> Option<W>,
    pub inverse_constant_time: fn(W) -> W,
    pub batch_inverse: fn(&mut [W], &mut [W]),
    pub legendre: fn(W) -> i32,
    pub sqrt: fn(W) -> Option<W>,
    pub two_adic_root_of: fn(u32) -> Option<W>,
    pub is_zero: fn(W) -> bool,
    /// Of values and of references.
    pub sum: fn(&[W]) -> [W; 2],
    pub product: fn(&[W]) -> [W; 2],

    pub slices: Vec<SliceFunctions<W>>,
}

/// The slice functions of one module.
pub struct SliceFunctions<W> {
    pub name: &'static str,
    pub available: bool,
    pub binary: [fn(&mut [W], &[W], &[W]); 3],
    pub neg: fn(&mut [W], &[W]),
    pub scalar_mul: fn(&mut [W], &[W], W),
    pub sum: fn(&[W]) -> W,
    pub inner_product: fn(&[W], &[W]) -> W,
    /// What only the portable and the dispatching module have.
    pub more: Option<MoreSliceFunctions<W>>,
}

pub struct MoreSliceFunctions<W> {
    pub mul_add: fn(&mut [W], &[W], &[W]),
    pub butterflies: [fn(&mut [W], &mut [W], &[W]); 2],
    pub powers: [fn(&mut [W], &[W]); 3],
    pub batch_inverse: fn(&mut [W], &mut [W]),
}

pub fn hash<T: Hash>(value: T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The object representation of an element.
pub fn memory<E: Traits>(element: &E) -> Vec<u8> {
    let data = std::ptr::from_ref(element).cast::<u8>();
    // SAFETY: an element is `#[repr(transparent)]` over integers, so that each of its bytes is
    // initialised; the slice covers exactly the element.
    unsafe { std::slice::from_raw_parts(data, size_of::<E>()) }.to_vec()
}

/// Stored words as the elements that they are.
///
/// # Safety
///
/// `E` is `#[repr(transparent)]` over `W`, and every word is the stored form of an element.
pub unsafe fn elements<W: Words, E: Traits>(words: &[W]) -> &[E] {
    const { assert!(size_of::<W>() == size_of::<E>() && align_of::<W>() == align_of::<E>()) };
    // SAFETY: the layouts are the same, by the caller's promise.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

/// As [`elements`], to be written.
///
/// # Safety
///
/// As for [`elements`].
pub unsafe fn elements_mut<W: Words, E: Traits>(words: &mut [W]) -> &mut [E] {
    const { assert!(size_of::<W>() == size_of::<E>() && align_of::<W>() == align_of::<E>()) };
    // SAFETY: the layouts are the same, by the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
}

/// The [`Operations`] of a generated module:
/// `operations!(path::to::module, word: u32, generator: yes, avx512: no)`, where `word` is `u32`,
/// `u64` or `[u64; N]`.
#[macro_export]
macro_rules! operations {
    ($module:path, word: $word:tt, generator: $generator:ident, avx512: $avx512:ident) => {{
        use $module as module;
        use $crate::element::{self, MoreSliceFunctions, Operations, SliceFunctions, Words};

        type Field = module::Element;
        type Word = $word;
        type Wide = $crate::operations!(@wide $word);

        const FIVE: Wide = $crate::operations!(@five $word);
        const EVALUATED: Field = Field::new(FIVE).double().halve().square().cube();
        const MODULUS: Word = Field::MODULUS;
        const ONE: Word = Field::ONE.to_stored();
        const _: Word = Field::ONE.to_canonical();
        const _: () = assert!(Field::from_canonical(MODULUS).is_none());
        const _: () = assert!(Field::from_stored(MODULUS).is_none());

        fn field(stored: Word) -> Field {
            Field::from_stored(stored).expect("the stored form of an element")
        }
        fn fields(stored: &[Word]) -> &[Field] {
            // SAFETY: `Field` is `#[repr(transparent)]` over `Word`; the adapter passes only what
            // it got from the field.
            unsafe { element::elements(stored) }
        }
        fn fields_mut(stored: &mut [Word]) -> &mut [Field] {
            // SAFETY: as above.
            unsafe { element::elements_mut(stored) }
        }

        Operations::<Word> {
            modulus: MODULUS,
            bits: Field::BITS,
            bytes: Field::BYTES,
            size: size_of::<Field>(),
            zero: Field::ZERO.to_stored(),
            one: ONE,
            default: Field::default().to_stored(),
            two_adicity: Field::TWO_ADICITY,
            two_adic_root: Field::TWO_ADIC_ROOT.to_stored(),
            nonresidue: Field::NONRESIDUE.to_stored(),
            generator: $crate::operations!(@generator $generator),
            evaluated: EVALUATED.to_stored(),

            new: |value| Field::new(Wide::from_integer(value)).to_stored(),
            new_words: <Wide as Words>::COUNT,
            from_canonical: |value| Field::from_canonical(value).map(Field::to_stored),
            to_canonical: |a| field(a).to_canonical(),
            from_stored: |stored| Field::from_stored(stored).map(Field::to_stored),
            memory: |a| element::memory(&field(a)),
            from_u32: |value| Field::from(value).to_stored(),
            from_u64: |value| Field::from(value).to_stored(),
            from_le_bytes: |bytes| {
                let bytes: &[u8; Field::BYTES] = bytes.try_into().expect("BYTES bytes");
                Field::from_le_bytes(bytes).map(Field::to_stored)
            },
            to_le_bytes: |a| {
                let bytes: [u8; Field::BYTES] = field(a).to_le_bytes();
                bytes.to_vec()
            },
            from_uniform_bytes: |bytes| Field::from_uniform_bytes(bytes).to_stored(),
            parse: |text| match text.parse::<Field>() {
                Ok(a) => Ok(a.to_stored()),
                Err(error) => Err(error.to_string()),
            },
            display: |a| field(a).to_string(),
            debug: |a| format!("{:?}", field(a)),
            compare: |a, b| {
                let (a, b) = (field(a), field(b));
                [Some(a.cmp(&b)), a.partial_cmp(&b)]
            },
            equal: |a, b| field(a) == field(b),
            hash: |a| element::hash(field(a)),

            binary: [
                $crate::operations!(@binary + +=),
                $crate::operations!(@binary - -=),
                $crate::operations!(@binary * *=),
            ],
            rows: [
                $crate::operations!(@row +),
                $crate::operations!(@row -),
                $crate::operations!(@row *),
            ],
            neg: |a| [-field(a), -&field(a)].map(Field::to_stored),
            double: |a| field(a).double().to_stored(),
            halve: |a| field(a).halve().to_stored(),
            square: |a| field(a).square().to_stored(),
            cube: |a| field(a).cube().to_stored(),
            pow: |a, exponent| field(a).pow(exponent).to_stored(),
            pow_u64: |a, exponent| field(a).pow_u64(exponent).to_stored(),
            inverse: |a| field(a).inverse().map(Field::to_stored),
            inverse_constant_time: |a| field(a).inverse_constant_time().to_stored(),
            batch_inverse: |values, scratch| {
                Field::batch_inverse(fields_mut(values), fields_mut(scratch));
            },
            legendre: |a| field(a).legendre(),
            sqrt: |a| field(a).sqrt().map(Field::to_stored),
            two_adic_root_of: |log2_order| {
                Field::two_adic_root(log2_order).map(Field::to_stored)
            },
            is_zero: |a| field(a).is_zero(),
            sum: |a| {
                let sums: [Field; 2] = [fields(a).iter().sum(), fields(a).iter().copied().sum()];
                sums.map(Field::to_stored)
            },
            product: |a| {
                let products: [Field; 2] =
                    [fields(a).iter().product(), fields(a).iter().copied().product()];
                products.map(Field::to_stored)
            },

            slices: [
                Some($crate::operations!(@slices portable)),
                Some($crate::operations!(@slices slice)),
                $crate::operations!(@avx512 $avx512),
            ]
            .into_iter()
            .flatten()
            .collect(),
        }
    }};

    (@wide u32) => { u64 };
    (@wide u64) => { u64 };
    (@wide [u64; $count:literal]) => { [u64; $count] };

    (@five u32) => { 5 };
    (@five u64) => { 5 };
    (@five [u64; $count:literal]) => {{
        let mut words = [0; $count];
        words[0] = 5;
        words
    }};

    (@generator yes) => { Some(Field::GENERATOR.to_stored()) };
    (@generator no) => { None };

    (@binary $operator:tt $assign:tt) => {
        |a, b| {
            let (a, b) = (field(a), field(b));
            let (mut assigned, mut assigned_by_reference) = (a, a);
            assigned $assign b;
            assigned_by_reference $assign &b;
            [
                a $operator b,
                a $operator &b,
                &a $operator b,
                &a $operator &b,
                assigned,
                assigned_by_reference,
            ]
            .map(Field::to_stored)
        }
    };

    (@row $operator:tt) => {
        |dst, a, b| {
            let a = field(a);
            for (dst, b) in fields_mut(dst).iter_mut().zip(fields(b)) {
                *dst = a $operator *b;
            }
        }
    };

    (@slices $slices:ident) => {
        SliceFunctions::<Word> {
            name: stringify!($slices),
            available: true,
            binary: [
                |dst, a, b| module::$slices::add(fields_mut(dst), fields(a), fields(b)),
                |dst, a, b| module::$slices::sub(fields_mut(dst), fields(a), fields(b)),
                |dst, a, b| module::$slices::mul(fields_mut(dst), fields(a), fields(b)),
            ],
            neg: |dst, a| module::$slices::neg(fields_mut(dst), fields(a)),
            scalar_mul: |dst, a, scalar| {
                module::$slices::scalar_mul(fields_mut(dst), fields(a), field(scalar));
            },
            sum: |a| module::$slices::sum(fields(a)).to_stored(),
            inner_product: |a, b| {
                module::$slices::inner_product(fields(a), fields(b)).to_stored()
            },
            more: Some(MoreSliceFunctions {
                mul_add: |dst, a, b| {
                    module::$slices::mul_add(fields_mut(dst), fields(a), fields(b));
                },
                butterflies: [
                    |lo, hi, twiddles| {
                        let (lo, hi) = (fields_mut(lo), fields_mut(hi));
                        module::$slices::butterfly_dif(lo, hi, fields(twiddles));
                    },
                    |lo, hi, twiddles| {
                        let (lo, hi) = (fields_mut(lo), fields_mut(hi));
                        module::$slices::butterfly_dit(lo, hi, fields(twiddles));
                    },
                ],
                powers: [
                    |dst, a| module::$slices::exp3(fields_mut(dst), fields(a)),
                    |dst, a| module::$slices::exp5(fields_mut(dst), fields(a)),
                    |dst, a| module::$slices::exp7(fields_mut(dst), fields(a)),
                ],
                batch_inverse: |values, scratch| {
                    module::$slices::batch_inverse(fields_mut(values), fields_mut(scratch));
                },
            }),
        }
    };

    (@avx512 no) => { None };
    (@avx512 yes) => {{
        #[cfg(not(target_arch = "x86_64"))]
        let functions = None;
        // SAFETY: the functions are called only where `available` is true, and that is whether
        // the processor has the features that they are compiled for.
        #[cfg(target_arch = "x86_64")]
        let functions = Some(SliceFunctions::<Word> {
            name: "avx512",
            available: std::arch::is_x86_feature_detected!("avx512f"),
            binary: [
                |dst, a, b| unsafe {
                    module::avx512::add(fields_mut(dst), fields(a), fields(b));
                },
                |dst, a, b| unsafe {
                    module::avx512::sub(fields_mut(dst), fields(a), fields(b));
                },
                |dst, a, b| unsafe {
                    module::avx512::mul(fields_mut(dst), fields(a), fields(b));
                },
            ],
            neg: |dst, a| unsafe { module::avx512::neg(fields_mut(dst), fields(a)) },
            scalar_mul: |dst, a, scalar| unsafe {
                module::avx512::scalar_mul(fields_mut(dst), fields(a), field(scalar));
            },
            sum: |a| unsafe { module::avx512::sum(fields(a)) }.to_stored(),
            inner_product: |a, b| {
                unsafe { module::avx512::inner_product(fields(a), fields(b)) }.to_stored()
            },
            more: None,
        });
        functions
    }};
}
