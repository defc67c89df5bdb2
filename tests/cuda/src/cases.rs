//! Operands for the operations: the vectors, edges, and random ones.

use num_bigint::BigUint;
use serde_json::Value;

use crate::field::Field;
use crate::operation::{Kind, OPERATIONS, Operation};
use crate::random::{Random, edges};

/// An operation with its operands.
#[derive(Debug, Clone)]
pub struct Case {
    pub operation: &'static Operation,
    pub operands: Vec<BigUint>,
}

/// How many random cases of each operation.
#[derive(Debug, Clone, Copy)]
pub struct Amount {
    /// Of those that cost up to one multiplication.
    pub fast: usize,
    /// Of those that cost hundreds.
    pub slow: usize,
}

/// Edges (in all pairs, for two operands) and random cases of every operation.
#[must_use]
pub fn cases(field: &Field, amount: Amount) -> Vec<Case> {
    let mut random = Random::new(field.modulus.iter_u64_digits().fold(1, u64::wrapping_add));
    let mut cases = Vec::new();
    for operation in OPERATIONS {
        cases.extend(
            edge_operands(field, operation)
                .into_iter()
                .map(|operands| Case {
                    operation,
                    operands,
                }),
        );
        if operation.operands.is_empty() {
            continue;
        }
        let count = if operation.slow {
            amount.slow
        } else {
            amount.fast
        };
        for _ in 0..count {
            let operands = operation
                .operands
                .iter()
                .map(|kind| random.up_to(&kind.max(field)))
                .collect();
            cases.push(Case {
                operation,
                operands,
            });
        }
    }
    cases
}

fn edge_operands(field: &Field, operation: &Operation) -> Vec<Vec<BigUint>> {
    let of = |kind: &Kind| {
        let mut values = edges(&kind.max(field));
        if *kind == Kind::Integer {
            // Where the checked constructors begin to refuse.
            values.extend((0..3u32).map(|offset| &field.modulus - 1u32 + offset));
            values.retain(|value| *value < field.capacity());
        }
        if operation.slow {
            values.truncate(6);
        }
        values
    };
    match operation.operands {
        [] => vec![Vec::new()],
        [only] => of(only).into_iter().map(|value| vec![value]).collect(),
        [first, second] => {
            let seconds = of(second);
            of(first)
                .iter()
                .flat_map(|a| seconds.iter().map(|b| vec![a.clone(), b.clone()]))
                .collect()
        }
        // Too many combinations: the same edge everywhere.
        all => of(&all[0])
            .into_iter()
            .map(|value| vec![value; all.len()])
            .collect(),
    }
}

/// The published vectors of a field, as cases. The operations' own references are checked against
/// the vectors' results on the way.
///
/// # Panics
///
/// When the vectors are not as they should be.
#[must_use]
pub fn from_vectors(field: &Field, vectors: &Value) -> Vec<Case> {
    assert_eq!(number(&vectors["modulus"]), field.modulus, "{}", field.name);
    let mut cases = Vec::new();
    let mut push = |name: &str, operands: Vec<BigUint>, result: &Value| {
        let operation = Operation::named(name);
        let expected = operation.expected(field, &operands);
        let result = field.stored(&number(result));
        assert_eq!(
            expected,
            [crate::operation::Expected::Exactly(result)],
            "the reference of {name} for {}",
            field.name
        );
        cases.push(Case {
            operation,
            operands,
        });
    };
    for row in list(&vectors["binary"]) {
        let operands = vec![number(&row[0]), number(&row[1])];
        for name in ["add", "sub", "mul"] {
            push(name, operands.clone(), &row[2][name]);
        }
    }
    for row in list(&vectors["unary"]) {
        let operands = vec![number(&row[0])];
        for (name, key) in [
            ("neg", "neg"),
            ("dbl", "double"),
            ("sqr", "square"),
            ("inv", "inverse"),
        ] {
            // The inverse of zero is null there and zero here.
            if !row[1][key].is_null() {
                push(name, operands.clone(), &row[1][key]);
            }
        }
    }
    for row in list(&vectors["pow"]) {
        let operands = vec![number(&row[0]), number(&row[1])];
        if operands[1] < field.capacity() {
            push("pow", operands, &row[2]);
        }
    }
    cases
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A hexadecimal string.
pub(crate) fn number(value: &Value) -> BigUint {
    let text = value.as_str().expect("a string");
    let digits = text.strip_prefix("0x").expect("hexadecimal");
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("digits")
}
