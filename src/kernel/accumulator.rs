//! Numbers that grow by rows of products, with an exact upper bound.

use num_bigint::BigUint;

use super::build::{Builder, CarryChain};
use super::{Half, Operand};

/// A number under construction: its words, and a bound on its value. A carry word is added only
/// where the bound can exceed the words.
#[derive(Debug, Clone, Default)]
pub(super) struct Accumulator {
    words: Vec<Operand>,
    /// The value is at most this.
    bound: BigUint,
}

impl Accumulator {
    /// The number with the given words, at most `bound`.
    pub fn new(words: Vec<Operand>, bound: BigUint) -> Self {
        Accumulator { words, bound }
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

    /// Lowers the bound to what the caller knows about the value.
    pub fn clamp(&mut self, bound: &BigUint) {
        if *bound < self.bound {
            self.bound.clone_from(bound);
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
        if chain.is_pending() {
            self.bound += b.power(position);
        }
        let mut at = position;
        for (x, y) in products {
            self.bound += BigUint::from(b.max(*x)) * b.max(*y) * b.power(at);
            if limit == Some(at + 1) {
                // The high half is beyond the limit.
                let low = chain.mul_add_half(b, Half::Low, *x, *y, self.get(at));
                self.set(at, low);
                chain.discard(b);
                return;
            }
            let (low, high) = chain.mul_add(b, *x, *y, self.get(at), self.get(at + 1));
            self.set(at, low);
            self.set(at + 1, high);
            at += 2;
        }
        self.settle(b, chain, at, limit);
    }

    /// Adds `other B^shift`, modulo `B^limit` where there is a limit.
    pub fn add(
        &mut self,
        b: &mut Builder,
        other: &Accumulator,
        shift: usize,
        limit: Option<usize>,
    ) {
        self.bound += &other.bound * b.power(shift);
        let mut chain = CarryChain::default();
        let end = other.words.len() + shift;
        let end = limit.map_or(end, |limit| limit.min(end));
        for position in shift..end {
            let sum = chain.add(b, self.get(position), other.get(position - shift));
            self.set(position, sum);
        }
        self.settle(b, chain, end.max(shift), limit);
    }

    /// Propagates a carry into the words from `position` on, until the bound shows that it is zero.
    fn settle(
        &mut self,
        b: &mut Builder,
        mut chain: CarryChain,
        mut position: usize,
        limit: Option<usize>,
    ) {
        while chain.is_pending() {
            if limit.is_some_and(|limit| position >= limit) || self.bound < b.power(position) {
                chain.discard(b);
                return;
            }
            let sum = chain.add(b, self.get(position), Operand::ZERO);
            self.set(position, sum);
            position += 1;
        }
    }
}
