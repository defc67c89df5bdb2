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
    pub binary_assign: [fn(&mut [W], &[W]); 3],
    /// In the order of [`UNARY`].
    pub unary: [fn(&mut [W], &[W]); 7],
    pub unary_in_place: [fn(&mut [W]); 7],
    pub pow: fn(&mut [W], &[W], u64),
    pub pow_in_place: fn(&mut [W], u64),
    pub scalar_mul: fn(&mut [W], &[W], W),
    pub scalar_mul_in_place: fn(&mut [W], W),
    pub scalar_mul_add: fn(&mut [W], &[W], W),
    pub mul_add: fn(&mut [W], &[W], &[W]),
    pub sum: fn(&[W]) -> W,
    pub inner_product: fn(&[W], &[W]) -> W,
    /// Decimation in frequency and in time.
    pub butterflies: [fn(&mut [W], &mut [W], &[W]); 2],
    pub butterflies_scalar: [fn(&mut [W], &mut [W], W); 2],
    pub batch_inverse: fn(&mut [W], &mut [W]),
    /// From stored words to canonical ones.
    pub to_canonical: fn(&mut [W]),
    /// Back; whether all are below the modulus.
    pub from_canonical: fn(&mut [W]) -> bool,
    /// Of the modules of vectors.
    pub packed: Option<PackedFunctions<W>>,
}

/// The functions of one operand.
pub const UNARY: [&str; 7] = ["neg", "double", "halve", "square", "exp3", "exp5", "exp7"];

/// The functions of packed elements, over slices of exactly their number.
pub struct PackedFunctions<W> {
    pub width: usize,
    pub binary: [fn(&[W], &[W]) -> Vec<W>; 3],
    pub unary: [fn(&[W]) -> Vec<W>; 7],
    pub pow: fn(&[W], u64) -> Vec<W>,
    pub scalar_mul: fn(&[W], W) -> Vec<W>,
    pub broadcast: fn(W) -> Vec<W>,
    pub interleave: fn(&[W], &[W], usize) -> [Vec<W>; 2],
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
/// `operations!(path::to::module, word: u32, generator: yes, vectors: no)`, where `word` is `u32`,
/// `u64` or `[u64; N]`.
#[macro_export]
macro_rules! operations {
    ($module:path, word: $word:tt, generator: $generator:ident, vectors: $vectors:ident) => {{
        use $module as module;
        use $crate::element::{self, Operations, Words};

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
                vec![
                    $crate::operations!(@slices portable, true, None),
                    $crate::operations!(@slices slice, true, None),
                ],
                $crate::operations!(@vectors $vectors),
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

    // Functions of vectors are called only where `available` is true, and that is whether the
    // processor has the features that they are compiled for; the others are safe.
    (@slices $slices:ident, $available:expr, $packed:expr) => {{
        #![allow(unused_unsafe, reason = "safe functions are called in the same way")]
        $crate::element::SliceFunctions::<Word> {
            name: stringify!($slices),
            available: $available,
            binary: [
                $crate::operations!(@three $slices add),
                $crate::operations!(@three $slices sub),
                $crate::operations!(@three $slices mul),
            ],
            binary_assign: [
                $crate::operations!(@two $slices add_assign),
                $crate::operations!(@two $slices sub_assign),
                $crate::operations!(@two $slices mul_assign),
            ],
            unary: [
                $crate::operations!(@two $slices neg),
                $crate::operations!(@two $slices double),
                $crate::operations!(@two $slices halve),
                $crate::operations!(@two $slices square),
                $crate::operations!(@two $slices exp3),
                $crate::operations!(@two $slices exp5),
                $crate::operations!(@two $slices exp7),
            ],
            unary_in_place: [
                $crate::operations!(@one $slices neg_in_place),
                $crate::operations!(@one $slices double_in_place),
                $crate::operations!(@one $slices halve_in_place),
                $crate::operations!(@one $slices square_in_place),
                $crate::operations!(@one $slices exp3_in_place),
                $crate::operations!(@one $slices exp5_in_place),
                $crate::operations!(@one $slices exp7_in_place),
            ],
            pow: |dst, a, exponent| unsafe {
                module::$slices::pow(fields_mut(dst), fields(a), exponent);
            },
            pow_in_place: |a, exponent| unsafe {
                module::$slices::pow_in_place(fields_mut(a), exponent);
            },
            scalar_mul: |dst, a, scalar| unsafe {
                module::$slices::scalar_mul(fields_mut(dst), fields(a), field(scalar));
            },
            scalar_mul_in_place: |a, scalar| unsafe {
                module::$slices::scalar_mul_in_place(fields_mut(a), field(scalar));
            },
            scalar_mul_add: |dst, a, scalar| unsafe {
                module::$slices::scalar_mul_add(fields_mut(dst), fields(a), field(scalar));
            },
            mul_add: $crate::operations!(@three $slices mul_add),
            sum: |a| unsafe { module::$slices::sum(fields(a)) }.to_stored(),
            inner_product: |a, b| {
                unsafe { module::$slices::inner_product(fields(a), fields(b)) }.to_stored()
            },
            butterflies: [
                |lo, hi, twiddles| unsafe {
                    let (lo, hi) = (fields_mut(lo), fields_mut(hi));
                    module::$slices::butterfly_dif(lo, hi, fields(twiddles));
                },
                |lo, hi, twiddles| unsafe {
                    let (lo, hi) = (fields_mut(lo), fields_mut(hi));
                    module::$slices::butterfly_dit(lo, hi, fields(twiddles));
                },
            ],
            butterflies_scalar: [
                |lo, hi, twiddle| unsafe {
                    let (lo, hi) = (fields_mut(lo), fields_mut(hi));
                    module::$slices::butterfly_dif_scalar(lo, hi, field(twiddle));
                },
                |lo, hi, twiddle| unsafe {
                    let (lo, hi) = (fields_mut(lo), fields_mut(hi));
                    module::$slices::butterfly_dit_scalar(lo, hi, field(twiddle));
                },
            ],
            batch_inverse: |values, scratch| unsafe {
                module::$slices::batch_inverse(fields_mut(values), fields_mut(scratch));
            },
            to_canonical: |values| {
                let _: &mut [Word] = unsafe { module::$slices::to_canonical(fields_mut(values)) };
            },
            from_canonical: |words| {
                let values: Option<&mut [Field]> =
                    unsafe { module::$slices::from_canonical(words) };
                values.is_some()
            },
            packed: $packed,
        }
    }};

    (@one $slices:ident $name:ident) => {
        |a| unsafe { module::$slices::$name(fields_mut(a)) }
    };
    (@two $slices:ident $name:ident) => {
        |a, b| unsafe { module::$slices::$name(fields_mut(a), fields(b)) }
    };
    (@three $slices:ident $name:ident) => {
        |dst, a, b| unsafe { module::$slices::$name(fields_mut(dst), fields(a), fields(b)) }
    };

    (@vectors no) => { vec![] };
    (@vectors yes) => {{
        #[cfg(not(target_arch = "x86_64"))]
        let modules = vec![];
        #[cfg(target_arch = "x86_64")]
        let modules = vec![
            $crate::operations!(
                @slices avx2,
                std::arch::is_x86_feature_detected!("avx2"),
                Some($crate::operations!(@packed avx2))
            ),
            $crate::operations!(
                @slices avx512,
                std::arch::is_x86_feature_detected!("avx512f"),
                Some($crate::operations!(@packed avx512))
            ),
        ];
        modules
    }};

    (@packed $isa:ident) => {{
        use module::$isa::Packed;

        fn packed(stored: &[Word]) -> Packed {
            Packed::new(fields(stored).try_into().expect("WIDTH elements"))
        }
        fn stored(packed: Packed) -> Vec<Word> {
            packed.to_array().map(Field::to_stored).to_vec()
        }

        // Called as the slice functions are.
        $crate::element::PackedFunctions::<Word> {
            width: Packed::WIDTH,
            binary: [
                |a, b| stored(unsafe { packed(a).add(packed(b)) }),
                |a, b| stored(unsafe { packed(a).sub(packed(b)) }),
                |a, b| stored(unsafe { packed(a).mul(packed(b)) }),
            ],
            unary: [
                |a| stored(unsafe { packed(a).neg() }),
                |a| stored(unsafe { packed(a).double() }),
                |a| stored(unsafe { packed(a).halve() }),
                |a| stored(unsafe { packed(a).square() }),
                |a| stored(unsafe { packed(a).exp3() }),
                |a| stored(unsafe { packed(a).exp5() }),
                |a| stored(unsafe { packed(a).exp7() }),
            ],
            pow: |a, exponent| stored(unsafe { packed(a).pow(exponent) }),
            scalar_mul: |a, scalar| stored(unsafe { packed(a).scalar_mul(field(scalar)) }),
            broadcast: |a| stored(Packed::broadcast(field(a))),
            interleave: |a, b, block| {
                let (even, odd) = unsafe { packed(a).interleave(packed(b), block) };
                [stored(even), stored(odd)]
            },
        }
    }};
}
