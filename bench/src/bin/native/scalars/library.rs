//! The operations of a library on single elements.

use std::hint::black_box;

use crate::turns::Contender;

/// The number of elements to choose inputs from. With fewer of them, processors learn by heart which
/// way branches go in inversions, and make them three times faster than they are with new inputs.
pub const ELEMENTS: usize = 2048;

/// The number of inputs of an operation without such branches: all of them stay in the first cache.
const FEW: usize = 64;

/// Elements as canonical integers, little-endian.
pub type Inputs = [Vec<u8>];

/// Collects the operations of one library, with the inputs to run them on.
pub struct Library<E> {
    peer: &'static str,
    pub elements: Vec<E>,
    pub words: fn(&E) -> Vec<u64>,
    operations: Vec<(&'static str, Contender)>,
}

impl<E: Copy + 'static> Library<E> {
    /// A library that makes elements of canonical bytes, and words of an element's value.
    pub fn new(
        peer: &'static str,
        inputs: &Inputs,
        from_bytes: impl Fn(&[u8]) -> E,
        words: fn(&E) -> Vec<u64>,
    ) -> Self {
        assert_eq!(inputs.len(), ELEMENTS);
        Self {
            peer,
            elements: inputs.iter().map(|bytes| from_bytes(bytes)).collect(),
            words,
            operations: Vec::new(),
        }
    }

    pub fn finish(self) -> Vec<(&'static str, Contender)> {
        self.operations
    }

    /// An operation on inputs of its own; a call is for one of them, and the next for the next.
    pub fn on<I: 'static, R>(
        &mut self,
        op: &'static str,
        inputs: Vec<I>,
        f: impl Fn(&I) -> R + 'static,
        words: impl Fn(&R) -> Vec<u64>,
    ) {
        let outcome = inputs.iter().flat_map(|input| words(&f(input))).collect();
        let mut next = 0;
        let run = move |mut calls: u32| {
            while calls > 0 {
                let rest = &inputs[next..];
                let count = rest.len().min(calls as usize);
                // Every result exists, one at a time, and none is known from before.
                for input in black_box(&rest[..count]) {
                    black_box(f(input));
                }
                next = (next + count) % inputs.len();
                calls -= count as u32;
            }
        };
        let contender = Contender {
            peer: self.peer,
            outcome,
            run: Box::new(run),
        };
        self.operations.push((op, contender));
    }

    /// Inputs of an operation that takes the same way for all.
    pub fn few(&self) -> Vec<E> {
        self.elements[..FEW].to_vec()
    }

    pub fn unary(&mut self, op: &'static str, f: impl Fn(E) -> E + 'static) {
        self.on(op, self.few(), move |a| f(*a), self.words);
    }

    pub fn binary(&mut self, op: &'static str, f: impl Fn(E, E) -> E + 'static) {
        let pairs = self.groups::<2>();
        self.on(op, pairs, move |[a, b]| f(*a, *b), self.words);
    }

    /// The sum of `N` products.
    pub fn products<const N: usize>(
        &mut self,
        op: &'static str,
        f: impl Fn(&[E; N], &[E; N]) -> E + 'static,
    ) {
        let pairs = self.groups::<N>();
        let inputs = pairs.iter().copied().zip(pairs.iter().rev().copied());
        self.on(op, inputs.collect(), move |(a, b)| f(a, b), self.words);
    }

    pub fn inverse(&mut self, f: impl Fn(E) -> Option<E> + 'static) {
        let words = self.words;
        self.on(
            "inverse",
            self.elements.clone(),
            move |a| f(*a),
            move |inverse| words(&inverse.expect("inputs are not zero")),
        );
    }

    /// Square roots of squares. Which of the two comes out is not asked.
    pub fn sqrt(
        &mut self,
        square: impl Fn(E) -> E + Clone + 'static,
        f: impl Fn(E) -> Option<E> + 'static,
    ) {
        let words = self.words;
        let squares = self.elements.iter().copied().map(square.clone()).collect();
        self.on(
            "sqrt",
            squares,
            move |a| f(*a),
            move |root| words(&square(root.expect("inputs are squares"))),
        );
    }

    /// 1 for squares, -1 for others.
    pub fn legendre<R>(&mut self, f: impl Fn(E) -> R + 'static, sign: impl Fn(&R) -> i32) {
        self.on(
            "legendre",
            self.elements.clone(),
            move |a| f(*a),
            move |symbol| vec![i64::from(sign(symbol)).cast_unsigned()],
        );
    }

    /// Writes bytes of elements of one word, and reads them: two operations.
    ///
    /// What the bytes are is left to the library: `SmallFp` of arkworks writes Montgomery form.
    pub fn bytes(
        &mut self,
        [serialize, deserialize]: [&'static str; 2],
        write: impl Fn(E, &mut [u8; 8]) + Copy + 'static,
        read: impl Fn(&[u8; 8]) -> E + Copy + 'static,
    ) {
        let words = self.words;
        let written = move |a: &E| {
            let mut bytes = [0; 8];
            write(*a, &mut bytes);
            bytes
        };
        let outcome = move |bytes: &[u8; 8]| words(&read(bytes));
        let inputs = self.few().iter().map(written).collect();
        self.on(serialize, self.few(), written, outcome);
        self.on(deserialize, inputs, read, words);
    }

    /// Groups of elements that overlap, one for each element.
    fn groups<const N: usize>(&self) -> Vec<[E; N]> {
        let element = |index: usize| self.elements[index % FEW];
        (0..FEW)
            .map(|start| std::array::from_fn(|offset| element(start + 7 * offset)))
            .collect()
    }
}

/// Little-endian words of a number, as few as it needs.
pub fn words_of(bytes: &[u8]) -> Vec<u64> {
    let mut words: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}
