//! What is tested: one table of operations, from which the C++ is written and the expected results
//! are computed.

use std::fmt;

use num_bigint::BigUint;
use num_traits::Zero;

use crate::field::Field;

/// What an operand or a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A field element: canonical here, in the stored form in memory.
    Element,
    /// An integer of as many words as an element.
    Integer,
    /// An integer of twice as many words: a sum of products of stored elements.
    Wide,
    /// A bool or a small number: one word.
    Word,
}

/// What a result has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    Exactly(BigUint),
    /// From the first to the second.
    Between(BigUint, BigUint),
    /// Equal to it modulo p, and not above what `reduce` accepts.
    Congruent(BigUint),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Expected::Exactly(value) => write!(f, "{value:#x}"),
            Expected::Between(low, high) => write!(f, "from {low:#x} to {high:#x}"),
            Expected::Congruent(value) => write!(f, "congruent to {value:#x} and reducible"),
        }
    }
}

type Reference = fn(&Field, &[BigUint]) -> Vec<BigUint>;

/// One operation of the element type.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    pub name: &'static str,
    pub operands: &'static [Kind],
    pub results: &'static [Kind],
    /// C++ from operands `a`, `b`, ... to results `x`, `y`, ..., which are declared.
    pub code: &'static str,
    reference: Reference,
    /// How far from the reference a result may be.
    slack: Slack,
    /// Whether it takes thousands of multiplications.
    pub slow: bool,
}

/// See [`Operation::slack`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slack {
    None,
    /// Up to 1 less: low columns of a product are left out.
    One,
    /// By a multiple of p.
    Multiple,
}

use Kind::{Element, Integer, Wide, Word};

const fn exact(
    name: &'static str,
    operands: &'static [Kind],
    results: &'static [Kind],
    code: &'static str,
    reference: Reference,
) -> Operation {
    Operation {
        name,
        operands,
        results,
        code,
        reference,
        slack: Slack::None,
        slow: false,
    }
}

/// Every operation of every field.
pub const OPERATIONS: &[Operation] = &[
    exact(
        "add",
        &[Element, Element],
        &[Element],
        "x = a + b;",
        |f, v| vec![(&v[0] + &v[1]) % &f.modulus],
    ),
    exact(
        "sub",
        &[Element, Element],
        &[Element],
        "x = a - b;",
        |f, v| vec![(&f.modulus + &v[0] - &v[1]) % &f.modulus],
    ),
    exact(
        "mul",
        &[Element, Element],
        &[Element],
        "x = a * b;",
        |f, v| vec![&v[0] * &v[1] % &f.modulus],
    ),
    exact("neg", &[Element], &[Element], "x = -a;", |f, v| {
        vec![(&f.modulus - &v[0]) % &f.modulus]
    }),
    exact("dbl", &[Element], &[Element], "x = dbl(a);", |f, v| {
        vec![2u32 * &v[0] % &f.modulus]
    }),
    exact("sqr", &[Element], &[Element], "x = sqr(a);", |f, v| {
        vec![&v[0] * &v[0] % &f.modulus]
    }),
    Operation {
        slow: true,
        ..exact("inv", &[Element], &[Element], "x = inv(a);", |f, v| {
            vec![f.inverse(&v[0])]
        })
    },
    Operation {
        slow: true,
        ..exact(
            "pow",
            &[Element, Integer],
            &[Element],
            "x = pow(a, b);",
            |f, v| vec![v[0].modpow(&v[1], &f.modulus)],
        )
    },
    exact(
        "from_canonical",
        &[Integer],
        &[Word, Element],
        "x = element::from_canonical(a, y);",
        |f, v| checked(f, &v[0], v[0].clone()),
    ),
    exact(
        "to_canonical",
        &[Element],
        &[Integer],
        "x = a.to_canonical();",
        |_, v| vec![v[0].clone()],
    ),
    exact(
        "from_stored",
        &[Integer],
        &[Word, Element],
        "x = element::from_stored(a, y);",
        |f, v| checked(f, &v[0], f.canonical(&v[0])),
    ),
    exact(
        "to_stored",
        &[Element],
        &[Integer],
        "x = a.to_stored();",
        |f, v| vec![f.stored(&v[0])],
    ),
    exact(
        "mul_wide",
        &[Element, Element],
        &[Wide],
        "x = mul_wide(a, b);",
        |f, v| vec![f.stored(&v[0]) * f.stored(&v[1])],
    ),
    exact(
        "sqr_wide",
        &[Element],
        &[Wide],
        "x = sqr_wide(a);",
        |f, v| vec![f.stored(&v[0]).pow(2)],
    ),
    Operation {
        slack: Slack::Multiple,
        ..exact("wide_add", &[Wide, Wide], &[Wide], "x = a + b;", |_, v| {
            vec![&v[0] + &v[1]]
        })
    },
    exact("reduce", &[Wide], &[Element], "x = reduce(a);", |f, v| {
        // The stored result is T / R or T; the value is one R less again.
        vec![f.canonical(&if f.montgomery {
            f.canonical(&v[0])
        } else {
            v[0].clone()
        })]
    }),
    // 512 times a b + c d: sums of any number of products are reduced once.
    exact(
        "sum_of_products",
        &[Element, Element, Element, Element],
        &[Element],
        "wide sum = mul_wide(a, b) + mul_wide(c, d); \
         for (u32 i = 0; i < 9; ++i) sum = sum + sum; x = reduce(sum);",
        |f, v| vec![512u32 * (&v[0] * &v[1] + &v[2] * &v[3]) % &f.modulus],
    ),
    exact(
        "mul_lsb",
        &[Integer, Integer],
        &[Integer],
        "x = mul_lsb(a, b);",
        |f, v| vec![&v[0] * &v[1] % f.capacity()],
    ),
    Operation {
        slack: Slack::One,
        ..exact(
            "mul_msb",
            &[Integer, Integer],
            &[Integer],
            "x = mul_msb(a, b);",
            |f, v| vec![&v[0] * &v[1] / f.capacity()],
        )
    },
    exact(
        "equal",
        &[Element, Element],
        &[Word, Word],
        "x = a == b; y = a != b;",
        |_, v| {
            let equal = u32::from(v[0] == v[1]);
            vec![equal.into(), (1 - equal).into()]
        },
    ),
    exact(
        "is_zero",
        &[Element],
        &[Word],
        "x = a.is_zero();",
        |_, v| vec![u32::from(v[0].is_zero()).into()],
    ),
    exact(
        "constants",
        &[],
        &[Element, Element, Integer, Word, Word],
        "x = element::zero(); y = element::one(); z = element::modulus(); \
         u = element::BITS; v = element::TWO_ADICITY;",
        |f, _| {
            vec![
                BigUint::ZERO,
                1u32.into(),
                f.modulus.clone(),
                f.modulus.bits().into(),
                (&f.modulus - 1u32).trailing_zeros().unwrap_or(0).into(),
            ]
        },
    ),
    // The root has order 2^TWO_ADICITY exactly: half its order makes it -1. The non-residue, and
    // the generator where there is one, are not squares by Euler's criterion.
    Operation {
        slow: true,
        ..exact(
            "roots",
            &[],
            &[Element, Element, Element],
            "x = element::two_adic_root(); for (u32 i = 1; i < element::TWO_ADICITY; ++i) x = sqr(x); \
             integer half = (-element::one()).to_canonical(); \
             for (u32 i = 0; i < element::LIMBS; ++i) half.limbs[i] = (half.limbs[i] >> 1) | \
             (i + 1 < element::LIMBS ? half.limbs[i + 1] << 31 : 0); \
             y = pow(element::nonresidue(), half); \
             z = pow(generator_or_nonresidue(x, 0), half);",
            |f, _| vec![&f.modulus - 1u32; 3],
        )
    },
];

/// The flag and the value of a checked constructor, whose value is 0 when it refuses.
fn checked(field: &Field, integer: &BigUint, canonical: BigUint) -> Vec<BigUint> {
    if *integer < field.modulus {
        vec![1u32.into(), canonical]
    } else {
        vec![0u32.into(), 0u32.into()]
    }
}

impl Kind {
    /// Its size in memory.
    #[must_use]
    pub fn words(self, field: &Field) -> usize {
        match self {
            Element | Integer => field.limbs(),
            Wide => 2 * field.limbs(),
            Word => 1,
        }
    }

    /// Its size in memory rounded up to 16 bytes, which the widest accesses want as alignment.
    #[must_use]
    pub fn slot(self, field: &Field) -> usize {
        self.words(field).next_multiple_of(4)
    }

    /// The largest operand that operations are right for.
    #[must_use]
    pub fn max(self, field: &Field) -> BigUint {
        match self {
            Element => &field.modulus - 1u32,
            Integer => field.capacity() - 1u32,
            Wide => field.wide_limit() - 1u32,
            Word => u32::MAX.into(),
        }
    }

    /// What stands in memory for `value`, with its padding.
    #[must_use]
    pub fn to_words(self, field: &Field, value: &BigUint) -> Vec<u32> {
        let mut words = match self {
            Element => field.stored(value),
            Integer | Wide | Word => value.clone(),
        }
        .to_u32_digits();
        words.resize(self.slot(field), 0);
        words
    }

    /// The C++ type.
    #[must_use]
    pub fn cpp(self) -> &'static str {
        match self {
            Element => "element",
            Integer => "integer",
            Wide => "wide",
            Word => "u32",
        }
    }
}

impl Operation {
    /// # Panics
    ///
    /// When there is none of this name.
    #[must_use]
    pub fn named(name: &str) -> &'static Operation {
        OPERATIONS
            .iter()
            .find(|operation| operation.name == name)
            .unwrap_or_else(|| panic!("no operation `{name}`"))
    }

    #[must_use]
    pub fn operand_words(&self, field: &Field) -> usize {
        self.operands.iter().map(|kind| kind.slot(field)).sum()
    }

    #[must_use]
    pub fn result_words(&self, field: &Field) -> usize {
        self.results.iter().map(|kind| kind.slot(field)).sum()
    }

    /// The words of operands in memory.
    #[must_use]
    pub fn marshal(&self, field: &Field, operands: &[BigUint]) -> Vec<u32> {
        self.operands
            .iter()
            .zip(operands)
            .flat_map(|(kind, value)| kind.to_words(field, value))
            .collect()
    }

    /// What the results are, as they stand in memory.
    #[must_use]
    pub fn expected(&self, field: &Field, operands: &[BigUint]) -> Vec<Expected> {
        let results = (self.reference)(field, operands);
        assert_eq!(results.len(), self.results.len(), "{}", self.name);
        results
            .iter()
            .zip(self.results)
            .map(|(value, kind)| {
                let value = match kind {
                    Element => field.stored(value),
                    Integer | Wide | Word => value.clone(),
                };
                match self.slack {
                    Slack::None => Expected::Exactly(value),
                    Slack::One => {
                        let least = &value - BigUint::from(1u32).min(value.clone());
                        Expected::Between(least, value)
                    }
                    Slack::Multiple => Expected::Congruent(value),
                }
            })
            .collect()
    }

    /// Compares results in memory with what they should be; says what is wrong.
    ///
    /// # Errors
    ///
    /// A description of the first difference.
    pub fn check(
        &self,
        field: &Field,
        operands: &[BigUint],
        results: &[u32],
    ) -> Result<(), String> {
        let mut rest = results;
        for (index, (kind, expected)) in self
            .results
            .iter()
            .zip(self.expected(field, operands))
            .enumerate()
        {
            let (slot, next) = rest.split_at(kind.slot(field));
            rest = next;
            let got = BigUint::from_slice(&slot[..kind.words(field)]);
            let good = match &expected {
                Expected::Exactly(value) => got == *value,
                Expected::Between(low, high) => *low <= got && got <= *high,
                Expected::Congruent(value) => {
                    got <= kind.max(field) && &got % &field.modulus == value % &field.modulus
                }
            };
            if !good {
                let operands: Vec<String> = operands
                    .iter()
                    .map(|operand| format!("{operand:#x}"))
                    .collect();
                return Err(format!(
                    "{} {} of {}: result {index} is {got:#x}, not {expected}",
                    field.name,
                    self.name,
                    operands.join(" and ")
                ));
            }
        }
        Ok(())
    }
}
