//! The functions to measure: ours on every instruction set, and those of Plonky3.
//!
//! The fields are at the end of this file, each with the operations that our code has on each
//! instruction set. The name of a function is that of its operation, or begins with it where there
//! are several: by these names they are found in assembly, too.

use crate::operands::Operands;

/// A function to measure, with the name of its operation.
///
/// Unsafe to call where the processor lacks the instruction set of the [`Set`].
pub type Function<E> = (&'static str, unsafe fn(&mut Operands<E>));

/// Our functions on one instruction set.
pub struct Set<E: 'static> {
    pub isa: &'static str,
    pub functions: &'static [Function<E>],
}

impl<E> Set<E> {
    /// Whether this processor has the instruction set.
    pub fn is_available(&self) -> bool {
        match self.isa {
            "portable" => true,
            "avx2" => std::arch::is_x86_feature_detected!("avx2"),
            "avx512" => std::arch::is_x86_feature_detected!("avx512f"),
            other => unreachable!("{other} is no instruction set of ours"),
        }
    }
}

/// An element of any library: how it is made, and what it is.
pub trait Element: Copy {
    fn from_integer(value: u64) -> Self;
    fn canonical(self) -> u64;
}

/// A field in all its implementations.
pub trait Field {
    const NAME: &'static str;
    const MODULUS: u64;
    type Ours: Element + 'static;
    type Scalar: Element + 'static;
    type Theirs: Element + 'static;
    /// The better instruction sets come last.
    const OURS: &'static [Set<Self::Ours>];
    /// Ours in portable Rust, not vectorised by the compiler.
    const SCALAR: &'static [Function<Self::Scalar>];
    const PLONKY3: &'static [Function<Self::Theirs>];
}

/// Calls `$f` with the operands of an operation.
macro_rules! call {
    (unary, $f:expr, $o:ident) => {
        $f(&mut $o.dst, &$o.a)
    };
    (binary, $f:expr, $o:ident) => {
        $f(&mut $o.dst, &$o.a, &$o.b)
    };
    (scaled, $f:expr, $o:ident) => {
        $f(&mut $o.dst, &$o.a, $o.scalar)
    };
    (folded, $f:expr, $o:ident) => {
        $o.result = $f(&$o.a)
    };
    (folded_pairs, $f:expr, $o:ident) => {
        $o.result = $f(&$o.a, &$o.b)
    };
    (butterfly, $f:expr, $o:ident) => {
        $f(&mut $o.dst, &mut $o.other, &$o.b)
    };
    (in_place, $f:expr, $o:ident) => {
        $f(&mut $o.dst, &mut $o.other)
    };
}

/// Calls `$f`, which is our function for an operation.
macro_rules! call_ours {
    (add, $f:expr, $o:ident) => {
        call!(binary, $f, $o)
    };
    (sub, $f:expr, $o:ident) => {
        call!(binary, $f, $o)
    };
    (mul, $f:expr, $o:ident) => {
        call!(binary, $f, $o)
    };
    (mul_add, $f:expr, $o:ident) => {
        call!(binary, $f, $o)
    };
    (scalar_mul, $f:expr, $o:ident) => {
        call!(scaled, $f, $o)
    };
    (sum, $f:expr, $o:ident) => {
        call!(folded, $f, $o)
    };
    (inner_product, $f:expr, $o:ident) => {
        call!(folded_pairs, $f, $o)
    };
    (butterfly_dif, $f:expr, $o:ident) => {
        call!(butterfly, $f, $o)
    };
    (butterfly_dit, $f:expr, $o:ident) => {
        call!(butterfly, $f, $o)
    };
    (batch_inverse, $f:expr, $o:ident) => {
        call!(in_place, $f, $o)
    };
    // neg, double, halve, square, exp3, exp5, exp7.
    ($unary:ident, $f:expr, $o:ident) => {
        call!(unary, $f, $o)
    };
}

/// A module with our functions for an instruction set.
macro_rules! ours {
    (portable, $($rest:tt)*) => {
        ours!(#[doc = "Portable."] portable, $($rest)*);
    };
    (avx2, $($rest:tt)*) => {
        ours!(#[target_feature(enable = "avx2")] avx2, $($rest)*);
    };
    (avx512, $($rest:tt)*) => {
        ours!(#[target_feature(enable = "avx512f")] avx512, $($rest)*);
    };
    (#[$attribute:meta] $module:ident, $element:ty, $functions:path, $($op:ident)*) => {
        pub mod $module {
            use $functions as ours;

            use crate::kernels::{Function, Operands};

            $(
                #[inline(never)]
                #[$attribute]
                pub fn $op(operands: &mut Operands<$element>) {
                    call_ours!($op, ours::$op, operands);
                }
            )*

            pub const FUNCTIONS: &[Function<$element>] = &[$((stringify!($op), $op)),*];
        }
    };
}

/// The module with the functions of Plonky3: name, operation, how to call it, what to call.
macro_rules! plonky3 {
    ($element:ty; $($name:ident: $op:ident, $shape:ident, $function:expr;)*) => {
        pub mod plonky3 {
            use crate::kernels::{Function, Operands};
            use crate::packed as theirs;

            $(
                #[inline(never)]
                pub fn $name(operands: &mut Operands<$element>) {
                    call!($shape, $function, operands);
                }
            )*

            pub const FUNCTIONS: &[Function<$element>] = &[$((stringify!($op), $name)),*];
        }
    };
}

macro_rules! element {
    ($element:ty, $from_integer:expr, $canonical:expr) => {
        impl super::Element for $element {
            fn from_integer(value: u64) -> Self {
                $from_integer(value)
            }

            fn canonical(self) -> u64 {
                $canonical(self)
            }
        }
    };
}

macro_rules! field {
    (
        $name:ident, $modulus:expr, $theirs:ty,
        portable: [$($portable:ident)*]
        $($isa:ident: [$($op:ident)*])*
    ) => {
        pub mod $name {
            use p3_field::{PrimeCharacteristicRing, PrimeField64};

            use crate::generated::$name::Element as Ours;
            use scalar::generated::$name::Element as Scalar;
            use $theirs as Theirs;

            ours!(portable, super::Ours, crate::generated::$name::portable, $($portable)*);
            $(ours!($isa, super::Ours, crate::generated::$name::$isa, $($op)*);)*

            pub mod not_vectorised {
                ours!(
                    portable, scalar::generated::$name::Element,
                    scalar::generated::$name::portable, $($portable)*
                );
            }

            plonky3! {
                super::Theirs;
                add: add, binary, theirs::add;
                sub: sub, binary, theirs::sub;
                neg: neg, unary, theirs::neg;
                double: double, unary, theirs::double;
                halve: halve, unary, theirs::halve;
                mul: mul, binary, theirs::mul;
                square: square, unary, theirs::square;
                scalar_mul: scalar_mul, scaled, theirs::scalar_mul;
                mul_add: mul_add, binary, theirs::mul_add;
                sum_of_packed: sum, folded, theirs::sum_of_packed;
                sum_by_8: sum, folded, theirs::sum_by::<_, 8>;
                inner_product_by_4: inner_product, folded_pairs, theirs::inner_product_by::<_, 4>;
                inner_product_by_8: inner_product, folded_pairs, theirs::inner_product_by::<_, 8>;
                exp3: exp3, unary, theirs::exp3;
                exp5: exp5, unary, theirs::exp5;
                exp7: exp7, unary, theirs::exp7;
                butterfly_dif: butterfly_dif, butterfly, theirs::butterfly_dif;
                butterfly_dit: butterfly_dit, butterfly, theirs::butterfly_dit;
                batch_inverse_by_4: batch_inverse, unary, theirs::batch_inverse_by_4;
                batch_inverse_of_scalars: batch_inverse, unary, theirs::batch_inverse_of_scalars;
            }

            pub struct Field;

            impl super::Field for Field {
                const NAME: &'static str = stringify!($name);
                const MODULUS: u64 = $modulus;
                type Ours = Ours;
                type Scalar = Scalar;
                type Theirs = Theirs;
                const OURS: &'static [super::Set<Ours>] = &[
                    super::Set { isa: "portable", functions: portable::FUNCTIONS },
                    $(super::Set { isa: stringify!($isa), functions: $isa::FUNCTIONS },)*
                ];
                const SCALAR: &'static [super::Function<Scalar>] =
                    not_vectorised::portable::FUNCTIONS;
                const PLONKY3: &'static [super::Function<Theirs>] = plonky3::FUNCTIONS;
            }

            element!(Ours, Ours::new, |x: Ours| x.to_canonical().into());
            element!(Scalar, Scalar::new, |x: Scalar| x.to_canonical().into());
            element!(Theirs, Theirs::from_u64, |x: Theirs| x.as_canonical_u64());
        }
    };
}

field! {
    baby_bear, (1 << 31) - (1 << 27) + 1, p3_baby_bear::BabyBear,
    portable: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
    avx2: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
    avx512: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
}

field! {
    koala_bear, (1 << 31) - (1 << 24) + 1, p3_koala_bear::KoalaBear,
    portable: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
    avx2: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
    avx512: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
}

field! {
    mersenne31, (1 << 31) - 1, p3_mersenne_31::Mersenne31,
    portable: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
    avx2: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
    avx512: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
}

field! {
    goldilocks, 0xffff_ffff_0000_0001, p3_goldilocks::Goldilocks,
    portable: [
        add sub neg double halve mul square scalar_mul mul_add sum inner_product exp3 exp5 exp7
        butterfly_dif butterfly_dit batch_inverse
    ]
}
