//! Columns of products: all of them, the low ones, the high ones.

use num_bigint::BigUint;
use num_traits::Zero;

use super::accumulator::Accumulator;
use super::build::{Builder, CarryChain, limbs};
use super::wide::Product;
use super::{Operand, Program};

/// Which word products `x_i y_j` a product consists of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// Products with `i + j` below this are left out.
    pub first: usize,
    /// The result is taken modulo `B^limit`.
    pub limit: Option<usize>,
    /// Only the products with `i < j`, of a number with itself.
    pub mixed: bool,
}

impl Columns {
    pub const ALL: Columns = Columns {
        first: 0,
        limit: None,
        mixed: false,
    };

    fn contains(self, i: usize, j: usize) -> bool {
        i + j >= self.first
            && self.limit.is_none_or(|limit| i + j < limit)
            && (!self.mixed || i > j)
    }
}

/// The lowest `limbs` words of `a b`, for all `a` and `b` of `limbs` words.
pub(crate) fn lsb_product(word_bits: u32, limbs: usize, method: Product) -> Program {
    let mut b = Builder::new(word_bits);
    let max = b.power(limbs) - 1u32;
    let x = b.input("a", limbs, &max);
    let y = b.input("b", limbs, &max);
    let columns = Columns {
        limit: Some(limbs),
        ..Columns::ALL
    };
    let result = self::columns(&mut b, method, &x, &y, columns, &(&max * &max));
    b.finish(result, limbs)
}

/// `floor(a b / B^limbs)` for all `a` and `b` of `limbs` words, at most [`msb_error`] too small:
/// the word products `a_i b_j` with `i + j` below `first` are left out.
pub(crate) fn msb_product(word_bits: u32, limbs: usize, first: usize, method: Product) -> Program {
    let mut b = Builder::new(word_bits);
    let max = b.power(limbs) - 1u32;
    let x = b.input("a", limbs, &max);
    let y = b.input("b", limbs, &max);
    let columns = Columns {
        first,
        ..Columns::ALL
    };
    let product = self::columns(&mut b, method, &x, &y, columns, &(&max * &max));
    b.finish(product[limbs..].to_vec(), limbs)
}

/// By how much [`msb_product`] can be too small: what is left out, in units of `B^limbs`, rounded
/// up.
pub(crate) fn msb_error(word_bits: u32, limbs: usize, first: usize) -> BigUint {
    let ones = (BigUint::from(1u32) << (word_bits as usize * limbs)) - 1u32;
    let dropped = dropped_max(word_bits, limbs, &ones, first);
    (dropped + ones) >> (word_bits as usize * limbs)
}

/// The first column of the cheapest [`msb_product`] that is at most 1 too small.
pub(crate) fn msb_first_column(word_bits: u32, limbs: usize) -> usize {
    let one = BigUint::from(1u32);
    let close = (1..limbs)
        .rev()
        .find(|first| msb_error(word_bits, limbs, *first) <= one);
    close.unwrap_or(0)
}

/// The largest sum of the word products `x_i y_j B^(i + j)` with `i + j < first`, where `x` has
/// `x_words` words and is otherwise unknown and `y` is known.
pub(super) fn dropped_max(word_bits: u32, x_words: usize, y: &BigUint, first: usize) -> BigUint {
    let bits = |words: usize| words * word_bits as usize;
    let mut sum = BigUint::zero();
    for (j, y) in limbs(y, word_bits).into_iter().enumerate() {
        let rows = x_words.min(first.saturating_sub(j));
        // All ones in so many words.
        let x_max = (BigUint::from(1u32) << bits(rows)) - 1u32;
        sum += (x_max * y) << bits(j);
    }
    sum
}

/// The sum of the word products `x_i y_j B^(i + j)` of the given columns: all its words, from
/// column 0 on. The caller knows that `x y` is at most `max`.
pub(super) fn columns(
    b: &mut Builder,
    method: Product,
    x: &[Operand],
    y: &[Operand],
    columns: Columns,
    max: &BigUint,
) -> Vec<Operand> {
    let mut words = match method {
        Product::Rows => rows(b, x, y, columns, max),
        Product::Chains { .. } => chains(b, x, y, columns, max),
    };
    let length = x.len() + y.len();
    words.resize(
        columns.limit.map_or(length, |limit| limit.min(length)),
        Operand::ZERO,
    );
    words
}

/// Row by row: `t += x y_j B^j`, with the carry as a word that becomes the new highest one.
fn rows(
    b: &mut Builder,
    x: &[Operand],
    y: &[Operand],
    columns: Columns,
    max: &BigUint,
) -> Vec<Operand> {
    let mut sum = vec![Operand::ZERO; x.len() + y.len()];
    let words = b.words_of(max);
    let end = columns.limit.map_or(words, |limit| limit.min(words));
    for (j, y) in y.iter().enumerate() {
        let mut carry = Operand::ZERO;
        let mut next = 0;
        for (i, x) in x
            .iter()
            .enumerate()
            .filter(|(i, _)| columns.contains(*i, j))
        {
            next = i + j + 1;
            if next < end {
                (sum[i + j], carry) = b.mul_add2(*x, *y, sum[i + j], carry);
            } else if next == end {
                sum[i + j] = b.mul_add2_low(*x, *y, sum[i + j], carry);
            }
        }
        if (1..end).contains(&next) {
            sum[next] = carry;
        }
    }
    sum
}

/// In two chains: products that start at even columns do not overlap, nor do those at odd columns.
/// The two numbers are added at the end.
fn chains(
    b: &mut Builder,
    x: &[Operand],
    y: &[Operand],
    columns: Columns,
    max: &BigUint,
) -> Vec<Operand> {
    let mut even = Accumulator::new(Vec::new(), BigUint::zero());
    even.cap(max);
    let mut odd = even.clone();
    for (j, y) in y.iter().enumerate() {
        for (parity, sum) in [(0, &mut even), (1, &mut odd)] {
            let row: Vec<usize> = (0..x.len())
                .filter(|i| columns.contains(*i, j) && (i + j) % 2 == parity)
                .collect();
            let products: Vec<_> = row.iter().map(|i| (x[*i], *y)).collect();
            if let Some(first) = row.first() {
                sum.add_row(
                    b,
                    first + j,
                    &products,
                    CarryChain::default(),
                    columns.limit,
                );
            }
        }
    }
    even.add(b, &odd, 0, columns.limit);
    even.into_words()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::testing::{Random, check, run};

    const METHODS: [Product; 2] = [Product::Rows, Product::Chains { karatsuba: 0 }];

    #[test]
    fn low_words() {
        let mut random = Random::new(6);
        for word_bits in [2, 3, 32, 64] {
            for limbs in [1, 2, 3, 5, 8, 12, 17] {
                let modulus = BigUint::from(1u32) << (word_bits as usize * limbs);
                for method in METHODS {
                    let program = lsb_product(word_bits, limbs, method);
                    check(&program, 30, &mut random, |x| &x[0] * &x[1] % &modulus);
                }
            }
        }
    }

    #[test]
    fn high_words_are_at_most_the_stated_error_too_small() {
        let mut random = Random::new(7);
        for word_bits in [2u32, 3, 32, 64] {
            for limbs in [1, 2, 3, 5, 8, 12] {
                let power = BigUint::from(1u32) << (word_bits as usize * limbs);
                for first in 0..limbs {
                    let error = msb_error(word_bits, limbs, first);
                    for method in METHODS {
                        let program = msb_product(word_bits, limbs, first, method);
                        let ones = &power - 1u32;
                        let mut inputs = vec![(ones.clone(), ones)];
                        for _ in 0..20 {
                            let x = random.below(&power, word_bits);
                            inputs.push((x, random.below(&power, word_bits)));
                        }
                        for (x, y) in inputs {
                            let exact = &x * &y / &power;
                            let found = run(&program, &[&x, &y]);
                            assert!(found <= exact && &found + &error >= exact, "{x:x} {y:x}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn words_of_32_bits_leave_out_all_but_the_two_highest_low_columns() {
        for limbs in 3..=64 {
            assert_eq!(msb_first_column(32, limbs), limbs - 2);
        }
        assert_eq!(msb_first_column(32, 1), 0);
        // Left-out columns weigh more where words are small.
        assert_eq!(msb_first_column(2, 8), 5);
    }
}
