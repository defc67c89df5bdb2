//! Folding by products with `c`.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::Folding;
use crate::kernel::Operand;
use crate::kernel::accumulator::Accumulator;
use crate::kernel::build::{Builder, CarryChain};
use crate::kernel::wide::Product;

/// One fold of a number up to `max`, and what the result is up to.
///
/// At the end of the words of `p` rather than at bit `k` where that does, so that nothing is
/// shifted: there, `c` is multiplied by a power of two. For `c = 1` a shift is less than a product.
pub(super) fn fold(
    b: &mut Builder,
    folding: &Folding<'_>,
    x: &Accumulator,
    max: &BigUint,
) -> (Accumulator, BigUint) {
    let words_end = b.bits_of(folding.words);
    let left = BigUint::one() << (words_end - folding.bits + 1);
    let shifted = folding.c.is_one() || (left + 1u32) * &folding.c > *folding.p;
    let at = if shifted { folding.bits } else { words_end };
    let c = &folding.c << (at - folding.bits);
    let high_max = max >> at;
    let sum_max = (BigUint::one() << at) - 1u32 + &high_max * &c;
    b.note(format!("fold the part above 2^{at}"));
    let (low, high) = if shifted {
        (folding.low(b, x), folding.high(b, x, max))
    } else {
        let low = b.number(x.words(0, folding.words));
        (low, x.words(folding.words, b.words_of(&high_max)))
    };
    let c = b.constant(&c);
    let sum = add(b, folding.product, low, &high, &c, &sum_max);
    (sum, sum_max)
}

/// `sum + x y`, which is at most `max`.
pub(super) fn add(
    b: &mut Builder,
    method: Product,
    mut sum: Accumulator,
    x: &[Operand],
    y: &[Operand],
    max: &BigUint,
) -> Accumulator {
    // A row for each word of the factor that has fewer.
    let rows = y.iter().filter(|word| !word.is_zero()).count();
    let (x, y) = if rows > x.len() { (y, x) } else { (x, y) };
    sum.cap(max);
    match method {
        Product::Rows => {
            for (j, y) in y.iter().enumerate().filter(|(_, y)| !y.is_zero()) {
                add_row(b, &mut sum, j, x, *y, max);
            }
        }
        Product::Chains { .. } => {
            let mut odd = Accumulator::new(Vec::new(), BigUint::zero());
            odd.cap(max);
            for (j, y) in y.iter().enumerate().filter(|(_, y)| !y.is_zero()) {
                for (first, sum) in [(j % 2, &mut sum), (1 - j % 2, &mut odd)] {
                    let row: Vec<_> = x.iter().skip(first).step_by(2).map(|x| (*x, *y)).collect();
                    if !row.is_empty() {
                        sum.add_row(b, first + j, &row, CarryChain::default(), None);
                    }
                }
            }
            sum.add(b, &odd, 0, None);
        }
    }
    sum
}

/// `sum += x y B^position`, where the carry of each product is added to the next.
fn add_row(
    b: &mut Builder,
    sum: &mut Accumulator,
    position: usize,
    x: &[Operand],
    y: Operand,
    max: &BigUint,
) {
    let mut carry = Operand::ZERO;
    let mut words = sum.words(0, b.words_of(max));
    let mut at = position;
    for x in x {
        if at + 1 < words.len() {
            (words[at], carry) = b.mul_add2(*x, y, words[at], carry);
        } else if at < words.len() {
            words[at] = b.mul_add2_low(*x, y, words[at], carry);
            carry = Operand::ZERO;
        }
        at += 1;
    }
    let mut chain = CarryChain::default();
    for word in words.iter_mut().skip(at) {
        *word = chain.add(b, *word, carry);
        carry = Operand::ZERO;
    }
    chain.discard(b);
    *sum = Accumulator::new(words, max.clone());
}
