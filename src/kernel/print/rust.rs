//! Programs as Rust statements over `u64` words and `bool` flags, usable in `const fn`.

use super::{Names, Printed, with_notes};
use crate::kernel::{Flag, Half, Op, Operand, Program, Word};

/// Prints a program of 64-bit words as Rust statements, one `let` per line.
///
/// Arguments are arrays of words; their words are `a[0]`, `a[1]` and so on.
///
/// The template defines the primitives that [`Printed::primitives`] lists, as `const fn`:
///
/// | primitive | meaning, with `B = 2^64` |
/// |---|---|
/// | `carrying_add(x: u64, y: u64, carry: bool) -> (u64, bool)` | `(s, c)` with `s + B c = x + y + carry` |
/// | `borrowing_sub(x: u64, y: u64, borrow: bool) -> (u64, bool)` | `(d, b)` with `d - B b = x - y - borrow` |
/// | `mul_add2(x: u64, y: u64, z: u64, c: u64) -> (u64, u64)` | `(low, high)` with `low + B high = x y + z + c`, which never overflows |
/// | `select(flag: bool, x: u64, y: u64) -> u64` | `x` where the flag is set, else `y`, without a branch |
/// | `flag_word(flag: bool) -> u64` | 1 where the flag is set, else 0 |
///
/// Everything else is an operator or a method of `u64`: `wrapping_add`, `wrapping_sub`,
/// `wrapping_neg`, `wrapping_mul`, `<<`, `>>`, `|`.
///
/// # Panics
///
/// If the words do not have 64 bits, or if the program holds operations that only CUDA has
/// (halves of products with carry).
pub(crate) fn print(program: &Program) -> Printed {
    assert_eq!(program.word_bits, 64, "Rust programs have 64-bit words");
    let mut printer = Printer {
        names: Names::new(program, |name, i| format!("{name}[{i}]")),
        primitives: Default::default(),
    };
    let mut statements = Vec::new();
    with_notes(program, &mut statements, |op, statements| {
        statements.push(printer.statement(op))
    });
    let outputs = program
        .outputs
        .iter()
        .map(|output| printer.operand(*output))
        .collect();
    Printed {
        inputs: printer.names.inputs,
        statements,
        outputs,
        primitives: printer.primitives,
    }
}

struct Printer {
    names: Names,
    primitives: std::collections::BTreeSet<&'static str>,
}

impl Printer {
    fn operand(&self, operand: Operand) -> String {
        self.names.operand(operand, literal)
    }

    fn call(&mut self, primitive: &'static str, arguments: &[String]) -> String {
        self.primitives.insert(primitive);
        format!("{primitive}({})", arguments.join(", "))
    }

    fn result(&self, word: Word) -> &str {
        self.names.result(word).unwrap_or("_")
    }

    /// The name of the flag that the operation writes, `_` where nothing reads it.
    fn flag_out(&self, op: &Op) -> &str {
        op.flag_out()
            .and_then(|flag| self.names.flags[flag.index()].as_deref())
            .unwrap_or("_")
    }

    fn flag_in(&self, flag: Option<Flag>) -> String {
        flag.map_or("false", |flag| self.names.flag(flag))
            .to_string()
    }

    fn statement(&mut self, op: &Op) -> String {
        let (pattern, value) = self.binding(op);
        format!("let {pattern} = {value};")
    }

    fn binding(&mut self, op: &Op) -> (String, String) {
        let result = self.result(op.results().0).to_string();
        let pair = format!("({result}, {})", self.flag_out(op));
        let flag_in = self.flag_in(op.flag_in());
        match *op {
            Op::Add {
                x,
                y,
                carry_in: Some(_),
                ..
            } if x.is_zero() && y.is_zero() => (result, self.call("flag_word", &[flag_in])),
            Op::Add {
                x,
                y,
                carry_out: None,
                carry_in: None,
                ..
            } => (
                result,
                format!("{}.wrapping_add({})", self.operand(x), self.operand(y)),
            ),
            Op::Add { x, y, .. } => {
                let arguments = [self.operand(x), self.operand(y), flag_in];
                (pair, self.call("carrying_add", &arguments))
            }
            Op::Sub {
                x,
                y,
                borrow_out: None,
                borrow_in: None,
                ..
            } if x.is_zero() => (result, format!("{}.wrapping_neg()", self.operand(y))),
            Op::Sub {
                x: Operand::Word(x),
                y,
                borrow_out: None,
                borrow_in: None,
                ..
            } => (
                result,
                format!("{}.wrapping_sub({})", self.result(x), self.operand(y)),
            ),
            Op::Sub { x, y, .. } => {
                let arguments = [self.operand(x), self.operand(y), flag_in];
                (pair, self.call("borrowing_sub", &arguments))
            }
            Op::Mul {
                half: Half::Low,
                x,
                y,
                ..
            } => (
                result,
                format!("{}.wrapping_mul({})", self.operand(x), self.operand(y)),
            ),
            Op::MulAdd2 {
                high, x, y, z, c, ..
            } => {
                let pair = format!("({result}, {})", self.result(high));
                let arguments = [x, y, z, c].map(|operand| self.operand(operand));
                (pair, self.call("mul_add2", &arguments))
            }
            Op::Select { flag, x, y, .. } => {
                let flag = self.names.flag(flag).to_string();
                let arguments = [flag, self.operand(x), self.operand(y)];
                (result, self.call("select", &arguments))
            }
            Op::Mask { flag, x, .. } => {
                let arguments = [
                    self.names.flag(flag).to_string(),
                    self.operand(x),
                    "0".to_string(),
                ];
                (result, self.call("select", &arguments))
            }
            Op::ShiftLeft { x, by, .. } => (result, format!("{} << {by}", self.operand(x))),
            Op::ShiftRight { x, by, .. } => (result, format!("{} >> {by}", self.operand(x))),
            Op::Funnel { low, high, by, .. } => {
                let (low, high) = (self.operand(low), self.operand(high));
                (result, format!("({low} >> {by}) | ({high} << {})", 64 - by))
            }
            Op::Mul {
                half: Half::High, ..
            }
            | Op::MulWide { .. }
            | Op::MulAdd { .. } => {
                panic!("halves of products are operations of CUDA programs: {op:?}")
            }
        }
    }
}

/// Small numbers in decimal, others in hexadecimal in groups of four digits.
fn literal(value: u64) -> String {
    if value < 10 {
        return value.to_string();
    }
    let digits = format!("{value:x}");
    let mut text = String::from("0x");
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 4 == 0 {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::kernel::{Modulus, modular, montgomery};

    fn modulus(p: &str) -> Modulus {
        let p = BigUint::parse_bytes(p.as_bytes(), 16).unwrap();
        let limbs = (p.bits() as usize).div_ceil(64);
        Modulus {
            p,
            word_bits: 64,
            limbs,
        }
    }

    #[test]
    fn addition_without_a_spare_bit() {
        let printed = print(&modular::add(&modulus("ffffffffffffffffffffffffffffff61")));
        let expected = [
            "let (s0, carry0) = carrying_add(a[0], b[0], false);",
            "let (s1, carry1) = carrying_add(a[1], b[1], carry0);",
            "let s2 = flag_word(carry1);",
            "// less p, unless that is negative",
            "let (d0, borrow0) = borrowing_sub(s0, 0xffff_ffff_ffff_ff61, false);",
            "let (d1, borrow1) = borrowing_sub(s1, 0xffff_ffff_ffff_ffff, borrow0);",
            "let (_, borrow2) = borrowing_sub(s2, 0, borrow1);",
            "let r0 = select(borrow2, s0, d0);",
            "let r1 = select(borrow2, s1, d1);",
        ];
        assert_eq!(printed.statements, expected);
        assert_eq!(printed.outputs, ["r0", "r1"]);
        let primitives = ["borrowing_sub", "carrying_add", "flag_word", "select"];
        assert!(printed.primitives.into_iter().eq(primitives));
    }

    #[test]
    fn a_limb_that_is_zero_has_no_products() {
        // p = 2^191 + 29
        let modulus = modulus("80000000000000000000000000000000000000000000001d");
        let printed = print(&montgomery::mul(&modulus, montgomery::Strategy::Rows).unwrap());
        assert_eq!(
            printed.statements[1],
            "let (t0, c0) = mul_add2(a[0], b[0], 0, 0);"
        );
        let products = printed
            .statements
            .iter()
            .filter(|line| line.contains("mul_add2"));
        assert_eq!(products.count(), 9 + 6);
    }

    #[test]
    fn literals_are_grouped() {
        assert_eq!(literal(9), "9");
        assert_eq!(literal(10), "0xa");
        assert_eq!(literal(0x1_2345), "0x1_2345");
        assert_eq!(literal(u64::MAX), "0xffff_ffff_ffff_ffff");
    }
}
