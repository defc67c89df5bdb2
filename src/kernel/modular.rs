//! Addition and its relatives modulo `p`: residues below `p` in, the residue below `p` out.

use num_bigint::BigUint;

use super::build::{BorrowChain, Builder, CarryChain};
use super::{Flag, Modulus, Operand, Program};

/// `a + b`.
pub(crate) fn add(modulus: &Modulus) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let y = b.residue("b", modulus);
    let result = sum_modulo(&mut b, &x, &y, &modulus.p);
    b.finish(result, modulus.limbs)
}

/// `2 a`.
pub(crate) fn double(modulus: &Modulus) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let result = sum_modulo(&mut b, &x, &x, &modulus.p);
    b.finish(result, modulus.limbs)
}

/// `a - b`.
pub(crate) fn sub(modulus: &Modulus) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    let y = b.residue("b", modulus);
    b.stem("d");
    let mut chain = BorrowChain::default();
    let difference: Vec<Operand> = x
        .iter()
        .zip(&y)
        .map(|(x, y)| chain.sub(&mut b, *x, *y))
        .collect();
    let borrow = chain.into_flag().map(Flag::Borrow);
    let result = add_back(&mut b, &difference, borrow, &modulus.p);
    b.finish(result, modulus.limbs)
}

/// `-a`, with `-0 = 0`.
pub(crate) fn neg(modulus: &Modulus) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    b.note("0 - a borrows where a is not zero");
    let mut chain = BorrowChain::default();
    for word in &x {
        chain.sub(&mut b, Operand::ZERO, *word);
    }
    let nonzero = chain.into_flag().map(Flag::Borrow);
    b.note("p - a, or 0 - 0");
    let p = b.constant(&modulus.p);
    let p: Vec<Operand> = p.into_iter().map(|limb| b.mask_if(nonzero, limb)).collect();
    b.stem("r");
    let mut chain = BorrowChain::default();
    let result = x
        .iter()
        .zip(p)
        .map(|(x, p)| chain.sub(&mut b, p, *x))
        .collect();
    chain.discard(&mut b);
    b.finish(result, modulus.limbs)
}

/// `a / 2`.
pub(crate) fn halve(modulus: &Modulus) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.residue("a", modulus);
    b.note("floor(a / 2), plus (p + 1) / 2 where a is odd: always below p");
    let lowest_bit = b.shift_left(x[0], b.word_bits() - 1);
    let mut chain = CarryChain::default();
    chain.add(&mut b, lowest_bit, lowest_bit);
    let odd = chain.into_flag().map(Flag::Carry);
    let half_p = b.constant(&((&modulus.p + 1u32) >> 1));
    let half_p: Vec<Operand> = half_p
        .into_iter()
        .map(|limb| b.mask_if(odd, limb))
        .collect();
    let shifted: Vec<Operand> = (0..x.len())
        .map(|i| b.funnel(x[i], x.get(i + 1).copied().unwrap_or(Operand::ZERO), 1))
        .collect();
    b.stem("r");
    let mut chain = CarryChain::default();
    let result = shifted
        .iter()
        .enumerate()
        .map(|(i, word)| {
            chain.add(
                &mut b,
                *word,
                half_p.get(i).copied().unwrap_or(Operand::ZERO),
            )
        })
        .collect();
    chain.discard(&mut b);
    b.finish(result, modulus.limbs)
}

/// `a + b` of double-length numbers below `limit`, which is a multiple of `p`, less `limit` where
/// the sum reaches it. With the limit of a reduction (`montgomery::wide_limit`,
/// `barrett::wide_limit`), sums of any number of products stay reducible.
pub(crate) fn wide_add(modulus: &Modulus, limit: &BigUint) -> Program {
    let mut b = Builder::new(modulus.word_bits);
    let x = b.input("a", 2 * modulus.limbs, &(limit - 1u32));
    let y = b.input("b", 2 * modulus.limbs, &(limit - 1u32));
    let result = sum_modulo(&mut b, &x, &y, limit);
    b.finish(result, 2 * modulus.limbs)
}

/// `x + y` for `x, y < p`, modulo `p`.
fn sum_modulo(b: &mut Builder, x: &[Operand], y: &[Operand], p: &BigUint) -> Vec<Operand> {
    b.stem("s");
    let mut chain = CarryChain::default();
    let mut sum: Vec<Operand> = x.iter().zip(y).map(|(x, y)| chain.add(b, *x, *y)).collect();
    let max = p * 2u32 - 2u32;
    if max < b.power(sum.len()) {
        chain.discard(b);
    } else {
        sum.push(chain.into_word(b));
    }
    subtract_multiples(b, sum, &max, p)
}

/// The value of `words`, which is at most `max`, modulo `p`: as many conditional subtractions as
/// the maximum demands.
pub(super) fn subtract_multiples(
    b: &mut Builder,
    mut words: Vec<Operand>,
    max: &BigUint,
    p: &BigUint,
) -> Vec<Operand> {
    let p_words = b.constant(p);
    let mut max = max.clone();
    while max >= *p {
        b.note("less p, unless that is negative");
        max = (&max - p).max(p - 1u32);
        b.stem("d");
        let mut chain = BorrowChain::default();
        let difference: Vec<Operand> = words
            .iter()
            .enumerate()
            .map(|(i, word)| chain.sub(b, *word, p_words.get(i).copied().unwrap_or(Operand::ZERO)))
            .collect();
        let borrow = chain.into_flag().map(Flag::Borrow).expect("p is not zero");
        // What is left fits into fewer words.
        words.truncate((max.bits() as usize).div_ceil(b.word_bits() as usize));
        b.stem("r");
        for (word, difference) in words.iter_mut().zip(difference) {
            *word = b.select(borrow, *word, difference);
        }
    }
    words
}

/// `difference + p` where the flag is set, else `difference`; in as many words as `difference`.
pub(super) fn add_back(
    b: &mut Builder,
    difference: &[Operand],
    negative: Option<Flag>,
    p: &BigUint,
) -> Vec<Operand> {
    b.note("plus p where that was negative");
    let p: Vec<Operand> = b
        .constant(p)
        .into_iter()
        .map(|limb| b.mask_if(negative, limb))
        .collect();
    b.stem("r");
    let mut chain = CarryChain::default();
    let result = difference
        .iter()
        .enumerate()
        .map(|(i, word)| chain.add(b, *word, p.get(i).copied().unwrap_or(Operand::ZERO)))
        .collect();
    chain.discard(b);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::testing::{Random, check, check_all, moduli, tight};

    /// Each operation with the function it computes.
    fn operations(modulus: &Modulus) -> Vec<(Program, impl Fn(&[BigUint]) -> BigUint)> {
        type Expected = fn(&[BigUint], &BigUint) -> BigUint;
        let table: [(Program, Expected); 5] = [
            (add(modulus), |x, p| (&x[0] + &x[1]) % p),
            (sub(modulus), |x, p| (&x[0] + p - &x[1]) % p),
            (neg(modulus), |x, p| (p - &x[0]) % p),
            (double(modulus), |x, p| &x[0] * 2u32 % p),
            (halve(modulus), |x, p| &x[0] * ((p + 1u32) / 2u32) % p),
        ];
        let p = modulus.p.clone();
        let bind = move |(program, expected): (Program, Expected)| {
            let p = p.clone();
            (program, move |x: &[BigUint]| expected(x, &p))
        };
        table.map(bind).into()
    }

    #[test]
    fn named_moduli() {
        let mut random = Random::new(3);
        for word_bits in [32, 64] {
            for (_, modulus) in moduli(word_bits) {
                for (program, expected) in operations(&modulus) {
                    check(&program, 50, &mut random, expected);
                }
            }
        }
    }

    #[test]
    fn every_length() {
        let mut random = Random::new(4);
        for bits in 2..=768 {
            for word_bits in [32, 64] {
                for (program, expected) in operations(&tight(&random.odd(bits), word_bits)) {
                    check(&program, 2, &mut random, expected);
                }
            }
        }
    }

    #[test]
    fn tiny_words_exhaustively() {
        for (word_bits, max_bits) in [(2, 6), (3, 6), (4, 6)] {
            for p in (3u32..1 << max_bits).step_by(2) {
                let modulus = tight(&BigUint::from(p), word_bits);
                for (program, expected) in operations(&modulus) {
                    check_all(&program, expected);
                }
            }
        }
    }

    #[test]
    fn sums_of_wide_numbers() {
        let mut random = Random::new(5);
        for word_bits in [32, 64] {
            for (_, modulus) in moduli(word_bits) {
                for limit in [
                    crate::kernel::montgomery::wide_limit(&modulus),
                    crate::kernel::barrett::wide_limit(&modulus),
                ] {
                    let program = wide_add(&modulus, &limit);
                    check(&program, 30, &mut random, |x| (&x[0] + &x[1]) % &limit);
                }
            }
        }
    }
}
