//! What a program costs, without running it.
//!
//! On NVIDIA hardware a product of two words with a 64-bit sum is one slot of the multiplier, a
//! single low half is half a slot; additions, selections and shifts run on another pipe, at two per
//! slot; and 128 instructions issue per clock and multiprocessor. On a CPU the multiplications
//! decide.

use std::fmt;

use super::{Flag, Half, Op, Operand, Program};

/// Counts of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cost {
    /// Multiplier slots, in halves.
    half_slots: u32,
    /// Additions, selections, masks and shifts.
    pub alu: u32,
    /// All instructions.
    pub instructions: u32,
    /// The largest number of words that are needed at one time.
    pub peak_words: u32,
}

impl Cost {
    /// Multiplier slots: for programs of `x y + z + c`, the number of multiplications.
    pub fn slots(&self) -> f64 {
        f64::from(self.half_slots) / 2.0
    }

    /// Modelled time: clocks of one multiprocessor times 128, the largest of what the multiplier
    /// (32 slots a clock), the other pipe (64) and the issue of instructions (128) take.
    pub fn time(&self) -> u32 {
        (2 * self.half_slots)
            .max(2 * self.alu)
            .max(self.instructions)
    }
}

/// One program after the other.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} slots, {} other, {} words live",
            self.slots(),
            self.alu,
            self.peak_words
        )
    }
}

impl Program {
    /// The program's cost.
    pub fn cost(&self) -> Cost {
        let mut cost = Cost {
            peak_words: self.peak_words(),
            ..Cost::default()
        };
        let mut selects = vec![false; self.flags as usize];
        for flag in self.ops.iter().filter_map(Op::selector) {
            selects[flag.index()] = true;
        }
        let mut previous = None;
        for op in &self.ops {
            let (half_slots, alu, instructions) = match op {
                Op::Mul {
                    half: Half::Low, ..
                } => (1, 0, 1),
                Op::Mul {
                    half: Half::High, ..
                }
                | Op::MulWide { .. } => (2, 0, 1),
                // The high half after the low half of the same product is the same instruction.
                Op::MulAdd {
                    half: Half::High, ..
                } if fuses(previous, op) => (1, 0, 0),
                Op::MulAdd {
                    half: Half::High, ..
                } => (2, 0, 1),
                Op::MulAdd {
                    half: Half::Low, ..
                } => (1, 0, 1),
                Op::MulAdd2 { .. } => (2, 4, 5),
                _ => (0, 1, 1),
            };
            // A flag that selects is kept as a mask.
            let masks = match op.flag_out().filter(|flag| selects[flag.index()]) {
                Some(Flag::Carry(_)) => 2,
                Some(Flag::Borrow(_)) => 1,
                None => 0,
            };
            cost.half_slots += half_slots;
            cost.alu += alu + masks;
            cost.instructions += instructions + masks;
            previous = Some(op);
        }
        cost
    }

    /// The largest number of words that are alive between two operations.
    fn peak_words(&self) -> u32 {
        const NEVER: usize = usize::MAX;
        let mut last_use = vec![None; self.stems.len()];
        for (i, op) in self.ops.iter().enumerate() {
            for word in op.operands().filter_map(Operand::word) {
                last_use[word.index()] = Some(i);
            }
        }
        for word in self.outputs.iter().copied().filter_map(Operand::word) {
            last_use[word.index()] = Some(NEVER);
        }
        let inputs = self.inputs.iter().flat_map(|input| &input.words);
        let mut alive = inputs
            .filter(|word| last_use[word.index()].is_some())
            .count();
        let mut peak = alive;
        for (i, op) in self.ops.iter().enumerate() {
            let (first, second) = op.results();
            let results = [Some(first), second].into_iter().flatten();
            alive += results
                .filter(|word| last_use[word.index()].is_some())
                .count();
            for word in op.operands().filter_map(Operand::word) {
                if last_use[word.index()] == Some(i) {
                    alive -= 1;
                    // An operation may read a word twice.
                    last_use[word.index()] = None;
                }
            }
            peak = peak.max(alive);
        }
        u32::try_from(peak).expect("few words")
    }
}

/// Whether `op` is the high half of the product whose low half came just before it.
fn fuses(previous: Option<&Op>, op: &Op) -> bool {
    match (previous, op) {
        (
            Some(Op::MulAdd {
                half: Half::Low,
                x: x0,
                y: y0,
                ..
            }),
            Op::MulAdd {
                half: Half::High,
                x,
                y,
                ..
            },
        ) => (x0, y0) == (x, y),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::testing::moduli;
    use crate::kernel::{Modulus, modular, montgomery, wide};

    fn modulus(wanted: &str) -> Modulus {
        let named = moduli(32).into_iter().find(|(name, _)| *name == wanted);
        named.expect("a modulus of that name").1
    }

    #[test]
    fn products_count_their_words() {
        let product = |karatsuba| wide::Product::Chains { karatsuba };
        let p = modulus("bls12_381_fq");
        assert_eq!(wide::product(&p, product(0)).cost().slots(), 144.0);
        assert_eq!(wide::product(&p, product(1)).cost().slots(), 108.0);
        assert_eq!(wide::product(&p, product(2)).cost().slots(), 81.0);
        assert_eq!(wide::square(&p, product(0)).cost().slots(), 78.0);
    }

    #[test]
    fn scaled_digits_need_no_quotient() {
        use montgomery::{Digits, Strategy, mul};
        let cost = |digits| {
            let strategy = Strategy::Separate {
                karatsuba: 1,
                digits,
            };
            mul(&modulus("bn254_fq"), strategy).unwrap().cost()
        };
        // 48 for the product, 8 times 8 for the reduction, and half a slot for a quotient.
        assert_eq!(cost(Digits::Quotient).slots(), 116.0);
        assert_eq!(cost(Digits::Scaled).slots(), 113.0);
    }

    #[test]
    fn an_addition_holds_its_operands() {
        let cost = modular::add(&modulus("bn254_fq")).cost();
        assert_eq!(cost.slots(), 0.0);
        // Sum, difference, mask, selection.
        assert_eq!(cost.alu, 8 + 8 + 1 + 8);
        assert_eq!(cost.peak_words, 16);
        assert_eq!(cost.to_string(), "0 slots, 25 other, 16 words live");
    }
}
