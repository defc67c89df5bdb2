//! Programs as CUDA statements over `u32` words, with the carry in the hardware's flag.

use super::{Names, Printed, with_notes};
use crate::kernel::{Flag, Half, Op, Operand, Program, Word};

/// Prints a program of 32-bit words as CUDA statements, one per line.
///
/// The header defines the primitives that [`Printed::primitives`] lists. On the device each is
/// the PTX instruction of its name (`.` written `_`, type `u32`); on the host the same arithmetic
/// in portable C++. There is one flag, `CC`, of which carries and borrows are two readings: an
/// instruction named `..c..` reads it, one named `.._cc` writes it.
///
/// | primitive | meaning, with `B = 2^32` |
/// |---|---|
/// | `u32 add_cc(u32 x, u32 y)` | `x + y`, `CC` = carry |
/// | `u32 addc(u32 x, u32 y)` | `x + y + CC` |
/// | `u32 addc_cc(u32 x, u32 y)` | `x + y + CC`, `CC` = carry |
/// | `u32 sub_cc(u32 x, u32 y)` | `x - y`, `CC` = borrow |
/// | `u32 subc(u32 x, u32 y)` | `x - y - CC` |
/// | `u32 subc_cc(u32 x, u32 y)` | `x - y - CC`, `CC` = borrow |
/// | `u32 mul_lo(u32 x, u32 y)`, `mul_hi` | low, high word of `x y` |
/// | `void mul_wide(u32 &low, u32 &high, u32 x, u32 y)` | both words of `x y` |
/// | `u32 mad_lo(u32 x, u32 y, u32 z)`, `mad_hi` | low, high word of `x y`, plus `z` |
/// | `u32 mad_lo_cc(u32 x, u32 y, u32 z)`, `mad_hi_cc` | the same, `CC` = carry |
/// | `u32 madc_lo(u32 x, u32 y, u32 z)`, `madc_hi` | low, high word of `x y`, plus `z + CC` |
/// | `u32 madc_lo_cc(u32 x, u32 y, u32 z)`, `madc_hi_cc` | the same, `CC` = carry |
/// | `u32 carry_mask()` | `CC` after an addition as a mask: `B - 1` where set, else 0 (`0 - addc(0, 0)`); keeps `CC` |
/// | `u32 borrow_mask()` | `CC` after a subtraction as a mask (`subc(0, 0)`); keeps `CC` |
/// | `u32 neg(u32 x)` | `-x mod B`, computed as `~x + 1` by an addition that the compiler leaves alone: after `sub 0, x` it would split the products of `x` |
/// | `u32 select(u32 mask, u32 x, u32 y)` | `x` where the mask is not 0, else `y` |
/// | `u32 funnel_shift(u32 low, u32 high, u32 by)` | `(low + B high) >> by` modulo `B`, `0 < by < 32` |
///
/// Everything else is an operator: `+`, `-`, `&` (with a mask), `<<`, `>>`.
///
/// # Panics
///
/// If the words do not have 32 bits; if a flag is read after another has been written (the builder
/// has to order its operations); or if the program holds `MulAdd2`, which is for Rust.
pub(crate) fn print(program: &Program) -> Printed {
    assert_eq!(program.word_bits, 32, "CUDA programs have 32-bit words");
    let mut selects = vec![false; program.flags as usize];
    for flag in program.ops.iter().filter_map(Op::selector) {
        selects[flag.index()] = true;
    }
    let mut printer = Printer {
        names: Names::new(program, |name, i| format!("{name}{i}")),
        selects,
        hardware: None,
        primitives: Default::default(),
    };
    let mut statements = Vec::new();
    with_notes(program, &mut statements, |op, statements| {
        printer.statement(op, statements)
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
    /// Which flags select or mask, and are kept as words for that.
    selects: Vec<bool>,
    /// The flag that the hardware holds.
    hardware: Option<Flag>,
    primitives: std::collections::BTreeSet<&'static str>,
}

impl Printer {
    fn operand(&self, operand: Operand) -> String {
        self.names.operand(operand, literal)
    }

    fn call(&mut self, primitive: &'static str, operands: &[Operand]) -> String {
        self.primitives.insert(primitive);
        let operands: Vec<String> = operands
            .iter()
            .map(|operand| self.operand(*operand))
            .collect();
        format!("{primitive}({})", operands.join(", "))
    }

    fn flag_is_read(&self, flag: Option<Flag>) -> bool {
        flag.is_some_and(|flag| self.names.flags[flag.index()].is_some())
    }

    fn statement(&mut self, op: &Op, statements: &mut Vec<String>) {
        if let Some(flag) = op.flag_in() {
            assert!(
                self.hardware == Some(flag),
                "{flag:?} is read while the hardware holds {:?}: {op:?}",
                self.hardware
            );
        }
        let text = self.expression(op);
        statements.push(match *op {
            Op::MulWide { low, high, x, y } => self.wide(low, high, x, y),
            _ => match self.names.result(op.results().0) {
                Some(name) => format!("const u32 {name} = {text};"),
                None => format!("{text};"),
            },
        });
        if !self.flag_is_read(op.flag_out()) {
            return;
        }
        self.hardware = op.flag_out();
        if let Some(flag) = op.flag_out().filter(|flag| self.selects[flag.index()]) {
            let mask = match flag {
                Flag::Carry(_) => self.call("carry_mask", &[]),
                Flag::Borrow(_) => self.call("borrow_mask", &[]),
            };
            statements.push(format!("const u32 {} = {mask};", self.names.flag(flag)));
        }
    }

    /// A product whose words are both new.
    fn wide(&mut self, low: Word, high: Word, x: Operand, y: Operand) -> String {
        self.primitives.insert("mul_wide");
        let name = |word| self.names.result(word).unwrap_or("unused").to_string();
        let (low, high) = (name(low), name(high));
        let (x, y) = (self.operand(x), self.operand(y));
        format!("u32 {low}, {high}; mul_wide({low}, {high}, {x}, {y});")
    }

    fn expression(&mut self, op: &Op) -> String {
        let carries = (op.flag_in().is_some(), self.flag_is_read(op.flag_out()));
        match *op {
            Op::Add { x, y, .. } => match carries {
                (false, false) => format!("{} + {}", self.operand(x), self.operand(y)),
                (false, true) => self.call("add_cc", &[x, y]),
                (true, false) => self.call("addc", &[x, y]),
                (true, true) => self.call("addc_cc", &[x, y]),
            },
            Op::Sub { x, y, .. } => match carries {
                (false, false) if x.is_zero() => self.call("neg", &[y]),
                (false, false) => format!("{} - {}", self.operand(x), self.operand(y)),
                (false, true) => self.call("sub_cc", &[x, y]),
                (true, false) => self.call("subc", &[x, y]),
                (true, true) => self.call("subc_cc", &[x, y]),
            },
            Op::Mul {
                half: Half::Low,
                x,
                y,
                ..
            } => self.call("mul_lo", &[x, y]),
            Op::Mul {
                half: Half::High,
                x,
                y,
                ..
            } => self.call("mul_hi", &[x, y]),
            Op::MulWide { .. } => String::new(),
            Op::MulAdd {
                half, x, y, addend, ..
            } => {
                let primitive = match (half, carries) {
                    (Half::Low, (false, false)) => "mad_lo",
                    (Half::Low, (false, true)) => "mad_lo_cc",
                    (Half::Low, (true, false)) => "madc_lo",
                    (Half::Low, (true, true)) => "madc_lo_cc",
                    (Half::High, (false, false)) => "mad_hi",
                    (Half::High, (false, true)) => "mad_hi_cc",
                    (Half::High, (true, false)) => "madc_hi",
                    (Half::High, (true, true)) => "madc_hi_cc",
                };
                self.call(primitive, &[x, y, addend])
            }
            Op::Select { flag, x, y, .. } => {
                self.primitives.insert("select");
                let mask = self.names.flag(flag);
                format!("select({mask}, {}, {})", self.operand(x), self.operand(y))
            }
            Op::Mask { flag, x, .. } => {
                format!("{} & {}", self.names.flag(flag), self.operand(x))
            }
            Op::ShiftLeft { x, by, .. } => format!("{} << {by}", self.operand(x)),
            Op::ShiftRight { x, by, .. } => format!("{} >> {by}", self.operand(x)),
            Op::Funnel { low, high, by, .. } => {
                self.primitives.insert("funnel_shift");
                format!(
                    "funnel_shift({}, {}, {by})",
                    self.operand(low),
                    self.operand(high)
                )
            }
            Op::MulAdd2 { .. } => panic!("a product with two addends is for Rust: {op:?}"),
        }
    }
}

/// Small numbers in decimal, others in hexadecimal, unsigned.
fn literal(value: u64) -> String {
    if value < 10 {
        format!("{value}u")
    } else {
        format!("{value:#x}u")
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::kernel::build::{BorrowChain, Builder, CarryChain};
    use crate::kernel::{Modulus, modular};

    #[test]
    fn a_limb_that_is_always_zero_costs_nothing() {
        let p = (BigUint::from(1u32) << 32) + 15u32;
        let modulus = Modulus {
            p,
            word_bits: 32,
            limbs: 4,
        };
        let printed = print(&modular::sub(&modulus));
        let expected = [
            "const u32 d0 = sub_cc(a0, b0);",
            "const u32 d1 = subc_cc(a1, b1);",
            "const u32 borrow1 = borrow_mask();",
            "// plus p where that was negative",
            "const u32 m0 = borrow1 & 0xfu;",
            "const u32 m1 = borrow1 & 1u;",
            "const u32 r0 = add_cc(d0, m0);",
            "const u32 r1 = addc(d1, m1);",
        ];
        assert_eq!(printed.statements, expected);
        assert_eq!(printed.outputs, ["r0", "r1", "0u", "0u"]);
        assert_eq!(
            printed.inputs[0].words,
            [Some("a0".into()), Some("a1".into()), None, None]
        );
    }

    #[test]
    #[should_panic(expected = "is read while the hardware holds")]
    fn a_flag_is_read_before_the_next_is_written() {
        let mut b = Builder::new(32);
        let x = b.input("x", 2, &BigUint::from(u64::MAX));
        let mut sum = CarryChain::default();
        let s0 = sum.add(&mut b, x[0], x[1]);
        let mut difference = BorrowChain::default();
        let d0 = difference.sub(&mut b, x[0], x[1]);
        let d1 = difference.sub(&mut b, x[1], x[0]);
        difference.discard(&mut b);
        let s1 = sum.into_word(&mut b);
        print(&b.finish(vec![s0, s1, d0, d1], 4));
    }
}
