//! Numbers that grow by rows of products, with an exact upper bound.

use num_bigint::BigUint;

use super::build::{Builder, CarryChain};
use super::{Half, Operand};

/// A number under construction: its words, and a bound on its value. A carry word is added only
/// where the bound can exceed the words.
#[derive(Debug, Clone)]
pub(super) struct Accumulator {
    words: Vec<Operand>,
    /// The value is at most this, from what was added so far.
    bound: BigUint,
    /// The value is at most this, from what the caller knows about the whole.
    cap: Option<BigUint>,
}

impl Accumulator {
    /// The number with the given words, at most `bound`.
    pub fn new(words: Vec<Operand>, bound: BigUint) -> Self {
        Accumulator {
            words,
            bound,
            cap: None,
        }
    }

    pub fn into_words(self) -> Vec<Operand> {
        self.words
    }

    /// The words from `from` on, as many as `count`.
    pub fn words(&self, from: usize, count: usize) -> Vec<Operand> {
        (from..from + count).map(|i| self.get(i)).collect()
    }

    pub fn get(&self, position: usize) -> Operand {
        self.words.get(position).copied().unwrap_or(Operand::ZERO)
    }

    pub fn set(&mut self, position: usize, word: Operand) {
        if position >= self.words.len() {
            self.words.resize(position + 1, Operand::ZERO);
        }
        self.words[position] = word;
    }

    /// Removes a word and returns it; the rest is the smaller number.
    pub fn take(&mut self, position: usize) -> Operand {
        let word = self.get(position);
        if position < self.words.len() {
            self.words[position] = Operand::ZERO;
        }
        word
    }

    /// Adds a word to an empty position.
    pub fn put(&mut self, b: &Builder, position: usize, word: Operand) {
        debug_assert!(self.get(position).is_zero());
        self.raise(BigUint::from(b.max(word)) << b.bits_of(position));
        self.set(position, word);
    }

    /// States that the value is at most `cap`, now and after everything that will be added until
    /// the next cap is set.
    pub fn cap(&mut self, cap: &BigUint) {
        self.cap = Some(cap.clone());
        self.raise(BigUint::ZERO);
    }

    fn raise(&mut self, by: BigUint) {
        self.bound += by;
        if let Some(cap) = self.cap.as_ref().filter(|cap| **cap < self.bound) {
            self.bound.clone_from(cap);
        }
    }

    /// Adds `sum of x_k y_k B^(position + 2k)` and the chain's carry at `position`: one chain of
    /// products whose words do not overlap. Modulo `B^limit`, where there is a limit.
    pub fn add_row(
        &mut self,
        b: &mut Builder,
        position: usize,
        products: &[(Operand, Operand)],
        mut chain: CarryChain,
        limit: Option<usize>,
    ) {
        let maxima = products.iter().flat_map(|(x, y)| {
            let product = u128::from(b.max(*x)) * u128::from(b.max(*y));
            [
                product as u64 & b.word_max(),
                (product >> b.word_bits()) as u64,
            ]
        });
        let row = b.value(maxima) + u32::from(chain.is_pending());
        self.raise(row << b.bits_of(position));
        let end = self.end(b, limit);
        let mut at = position;
        for (x, y) in products {
            if at + 1 >= end {
                // The high half is zero, or beyond the limit.
                if at < end {
                    let low = chain.mul_add_half(b, Half::Low, *x, *y, self.get(at));
                    self.set(at, low);
                }
                chain.discard(b);
                return;
            }
            let (low, high) = chain.mul_add(b, *x, *y, self.get(at), self.get(at + 1));
            self.set(at, low);
            self.set(at + 1, high);
            at += 2;
        }
        self.settle(b, chain, at, end);
    }

    /// Adds `other B^shift`, modulo `B^limit` where there is a limit.
    pub fn add(
        &mut self,
        b: &mut Builder,
        other: &Accumulator,
        shift: usize,
        limit: Option<usize>,
    ) {
        self.raise(&other.bound << b.bits_of(shift));
        let end = self.end(b, limit);
        let mut chain = CarryChain::default();
        let top = end.min(other.words.len() + shift).max(shift);
        for position in shift..top {
            let sum = chain.add(b, self.get(position), other.get(position - shift));
            self.set(position, sum);
        }
        self.settle(b, chain, top, end);
    }

    /// The position from which on all words are zero, by the bound, or beyond the limit.
    fn end(&self, b: &Builder, limit: Option<usize>) -> usize {
        let words = b.words_of(&self.bound);
        limit.map_or(words, |limit| limit.min(words))
    }

    /// Propagates a carry into the words from `position` on, up to `end`.
    fn settle(&mut self, b: &mut Builder, mut chain: CarryChain, position: usize, end: usize) {
        for position in position..end {
            if !chain.is_pending() {
                return;
            }
            let sum = chain.add(b, self.get(position), Operand::ZERO);
            self.set(position, sum);
        }
        chain.discard(b);
    }
}
