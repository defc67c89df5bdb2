//! Exact double-length products and squares.

use std::fmt;

use super::accumulator::Accumulator;
use super::build::{BorrowChain, Builder, CarryChain};
use super::candidates::Operation;
use super::truncated::{self, Columns};
use super::{Flag, Modulus, Operand, Program};

/// How a product of several words is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// Row by row with `x y + z + c`, for machines whose product has two words (Rust).
    Rows,
    /// Even and odd columns in two chains of multiply-add, for machines whose multiply-add carries
    /// (CUDA), after some levels of Karatsuba.
    Chains { karatsuba: u32 },
}

impl Product {
    /// Every way for machines with a carrying multiply-add, simple ones first.
    pub fn chains(modulus: &Modulus, operation: Operation) -> Vec<Product> {
        let levels = 0..=max_karatsuba(modulus, operation);
        levels
            .map(|karatsuba| Product::Chains { karatsuba })
            .collect()
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Product::Rows => f.write_str("row-wise"),
            Product::Chains { karatsuba: 0 } => f.write_str("schoolbook"),
            Product::Chains { karatsuba: 1 } => f.write_str("Karatsuba"),
            Product::Chains { karatsuba } => write!(f, "{karatsuba}-level Karatsuba"),
        }
    }
}

/// The levels of Karatsuba that may pay: each halves the words, of which there are an even number.
/// Halves of one or two words never pay; the schoolbook form of a square is half as long, so that
/// its halves have to be longer.
pub(super) fn max_karatsuba(modulus: &Modulus, operation: Operation) -> u32 {
    let fewest = match operation {
        Operation::Mul => 6,
        Operation::Square => 12,
    };
    let words = modulus.significant();
    let halvings = (0..words.trailing_zeros()).take_while(|level| words >> level >= fewest);
    halvings.fold(0, |levels, _| levels + 1)
}

/// `a b`, exactly, in `2 limbs` words, for `a, b < p`.
pub(crate) fn product(modulus: &Modulus, method: Product) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let y = b.residue("b", modulus);
    let result = product_words(&mut b, method, &x, &y);
    b.finish(result, 2 * modulus.limbs)
}

/// `a^2`, exactly, in `2 limbs` words, for `a < p`.
pub(crate) fn square(modulus: &Modulus, method: Product) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let result = square_words(&mut b, method, &x);
    b.finish(result, 2 * modulus.limbs)
}

/// All words of `x y`.
pub(super) fn product_words(
    b: &mut Builder,
    method: Product,
    x: &[Operand],
    y: &[Operand],
) -> Vec<Operand> {
    match method {
        Product::Chains {
            karatsuba: levels @ 1..,
        } if x.len() == y.len() && x.len().is_multiple_of(2) => karatsuba(b, levels, x, y),
        _ => {
            let max = b.value_max(x) * b.value_max(y);
            truncated::columns(b, method, x, y, Columns::ALL, &max)
        }
    }
}

/// Karatsuba's product in its additive form: with `x = x0 + x1 H` and `y = y0 + y1 H`,
/// `x0 y1 + x1 y0 = (x0 + x1) (y0 + y1) - x0 y0 - x1 y1`, where no difference is negative.
fn karatsuba(b: &mut Builder, levels: u32, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let method = Product::Chains {
        karatsuba: levels - 1,
    };
    let half = x.len() / 2;
    let (x0, x1) = x.split_at(half);
    let (y0, y1) = y.split_at(half);

    // The middle part, and the words it needs: everything about it is computed modulo that power.
    let middle_max = b.value_max(x0) * b.value_max(y1) + b.value_max(x1) * b.value_max(y0);
    let words = b.words_of(&middle_max).max(half);

    b.note(format!(
        "Karatsuba of {} words: product of the sums of the halves",
        x.len()
    ));
    let (x_sum, x_carry) = sum(b, x0, x1);
    let (y_sum, y_carry) = sum(b, y0, y1);
    let mut middle = product_words(b, method, &x_sum, &y_sum);
    middle.truncate(words);
    // The sums are `s + carry H`: complete the product by the masked sums.
    if let (true, Some(x_carry), Some(y_carry)) = (words > 2 * half, x_carry, y_carry) {
        let one = b.mask(y_carry, Operand::Constant(1));
        middle.push(b.mask(x_carry, one));
    }
    let mut middle = b.number(middle);
    middle.cap(&((b.value_max(x0) + b.value_max(x1)) * (b.value_max(y0) + b.value_max(y1))));
    for (carry, sum) in [(x_carry, &y_sum), (y_carry, &x_sum)] {
        let Some(carry) = carry else { continue };
        let masked = sum
            .iter()
            .take(words - half)
            .map(|word| b.mask(carry, *word))
            .collect();
        let masked = b.number(masked);
        middle.add(b, &masked, half, Some(words));
    }

    let low = product_words(b, method, x0, y0);
    let high = product_words(b, method, x1, y1);
    b.note("middle part: without the low and the high product");
    let mut middle = middle.words(0, words);
    for product in [&low, &high] {
        let mut chain = BorrowChain::default();
        for (i, word) in middle.iter_mut().enumerate() {
            let part = product.get(i).copied().unwrap_or(Operand::ZERO);
            *word = chain.sub(b, *word, part);
        }
        chain.discard(b);
    }
    let middle = Accumulator::new(middle, middle_max);

    let mut result = b.number([low, high].concat());
    result.cap(&(b.value_max(x) * b.value_max(y)));
    result.add(b, &middle, half, None);
    result.words(0, 4 * half)
}

/// The words of `x + y`, which have equal lengths, and the carry above them.
fn sum(b: &mut Builder, x: &[Operand], y: &[Operand]) -> (Vec<Operand>, Option<Flag>) {
    let mut chain = CarryChain::default();
    let words = x.iter().zip(y).map(|(x, y)| chain.add(b, *x, *y)).collect();
    (words, chain.into_flag().map(Flag::Carry))
}

/// All words of `x^2`.
pub(super) fn square_words(b: &mut Builder, method: Product, x: &[Operand]) -> Vec<Operand> {
    match method {
        Product::Chains {
            karatsuba: levels @ 1..,
        } if x.len().is_multiple_of(2) => karatsuba_square(b, levels, x),
        _ => schoolbook_square(b, method, x),
    }
}

/// With `x = x0 + x1 H`: `2 x0 x1 = x0^2 + x1^2 - |x0 - x1|^2`.
fn karatsuba_square(b: &mut Builder, levels: u32, x: &[Operand]) -> Vec<Operand> {
    let method = Product::Chains {
        karatsuba: levels - 1,
    };
    let (x0, x1) = x.split_at(x.len() / 2);
    let middle_max = b.value_max(x0) * b.value_max(x1) * 2u32;
    let words = b.words_of(&middle_max).max(x.len());

    let low = square_words(b, method, x0);
    let high = square_words(b, method, x1);
    b.note(format!(
        "Karatsuba square of {} words: difference of the halves",
        x.len()
    ));
    let distance = absolute_difference(b, x0, x1);
    let square = square_words(b, method, &distance);
    b.note("middle part: the squares of the halves less that square");
    let mut middle = b.number(low.clone());
    let high_square = b.number(high.clone());
    middle.add(b, &high_square, 0, Some(words));
    let mut chain = BorrowChain::default();
    let middle = (0..words)
        .map(|i| {
            let part = square.get(i).copied().unwrap_or(Operand::ZERO);
            chain.sub(b, middle.get(i), part)
        })
        .collect();
    chain.discard(b);
    let middle = Accumulator::new(middle, middle_max);

    let mut result = b.number([low, high].concat());
    let max = b.value_max(x);
    result.cap(&(&max * &max));
    result.add(b, &middle, x.len() / 2, None);
    result.words(0, 2 * x.len())
}

/// `|x - y|` for numbers of equally many words.
fn absolute_difference(b: &mut Builder, x: &[Operand], y: &[Operand]) -> Vec<Operand> {
    let mut backward = BorrowChain::default();
    let negated: Vec<Operand> = x
        .iter()
        .zip(y)
        .map(|(x, y)| backward.sub(b, *y, *x))
        .collect();
    backward.discard(b);
    let mut forward = BorrowChain::default();
    let difference: Vec<Operand> = x
        .iter()
        .zip(y)
        .map(|(x, y)| forward.sub(b, *x, *y))
        .collect();
    match forward.into_flag().map(Flag::Borrow) {
        None => difference,
        Some(negative) => {
            let pairs = negated.iter().zip(&difference);
            pairs
                .map(|(negated, difference)| b.select(negative, *negated, *difference))
                .collect()
        }
    }
}

/// All words of `x^2`: every product of different words once, doubled, and the squares.
fn schoolbook_square(b: &mut Builder, method: Product, x: &[Operand]) -> Vec<Operand> {
    let words = 2 * x.len();
    b.note("products of different words");
    let max = b.value_max(x) * b.value_max(x);
    let columns = Columns {
        mixed: true,
        ..Columns::ALL
    };
    let mixed = truncated::columns(b, method, x, x, columns, &(&max >> 1));
    b.note("doubled, and the squares");
    let doubled: Vec<Operand> = (0..words)
        .map(|i| {
            let below = if i == 0 { Operand::ZERO } else { mixed[i - 1] };
            b.funnel(below, mixed[i], b.word_bits() - 1)
        })
        .collect();
    match method {
        Product::Chains { .. } => {
            let mut result = b.number(doubled);
            result.cap(&max);
            let squares: Vec<_> = x.iter().map(|word| (*word, *word)).collect();
            result.add_row(b, 0, &squares, CarryChain::default(), None);
            result.words(0, words)
        }
        Product::Rows => {
            let squares: Vec<Operand> = x
                .iter()
                .map(|word| b.mul_add2(*word, *word, Operand::ZERO, Operand::ZERO))
                .flat_map(|(low, high)| [low, high])
                .collect();
            let mut result = b.number(doubled);
            result.cap(&max);
            let squares = b.number(squares);
            result.add(b, &squares, 0, None);
            result.words(0, words)
        }
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::kernel::testing::{Random, check, check_all, moduli, tight};

    const METHODS: [Product; 5] = [
        Product::Rows,
        Product::Chains { karatsuba: 0 },
        Product::Chains { karatsuba: 1 },
        Product::Chains { karatsuba: 2 },
        Product::Chains { karatsuba: 3 },
    ];

    fn check_products(modulus: &Modulus, samples: usize, random: &mut Random) {
        for method in METHODS {
            check(&product(modulus, method), samples, random, |x| {
                &x[0] * &x[1]
            });
            check(&square(modulus, method), samples, random, |x| &x[0] * &x[0]);
        }
    }

    #[test]
    fn named_moduli() {
        let mut random = Random::new(1);
        for word_bits in [32, 64] {
            for (_, modulus) in moduli(word_bits) {
                check_products(&modulus, 20, &mut random);
            }
        }
    }

    #[test]
    fn every_limb_count() {
        let mut random = Random::new(2);
        for limbs in [1, 2, 3, 4, 5, 6, 7, 10, 12, 17, 18, 24, 40, 64] {
            for word_bits in [7, 32, 64] {
                let all_ones: BigUint = (BigUint::from(1u32) << (limbs * word_bits)) - 1u32;
                check_products(&tight(&all_ones, word_bits), 8, &mut random);
            }
        }
    }

    #[test]
    fn tiny_words_exhaustively() {
        for (word_bits, limbs) in [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (2, 3), (2, 4)] {
            let all_ones: BigUint = (BigUint::from(1u32) << (limbs * word_bits)) - 1u32;
            for p in [all_ones.clone(), all_ones / 3u32 * 2u32 + 1u32] {
                let modulus = tight(&p, word_bits);
                for method in METHODS {
                    check_all(&product(&modulus, method), |x| &x[0] * &x[1]);
                    check_all(&square(&modulus, method), |x| &x[0] * &x[0]);
                }
            }
        }
    }
}
