//! What the measured functions read and write.

/// Slices of equal length, and what goes with them. Every measured function takes and leaves its
/// operands here, so that all of them have one type.
pub struct Operands<E> {
    pub a: Slice<E>,
    pub b: Slice<E>,
    /// At first the same as `a`, so that what works in place can be compared with what does not.
    pub dst: Slice<E>,
    /// Written by butterflies beside `dst`; scratch space of batch inversion.
    pub other: Slice<E>,
    pub scalar: E,
    /// The result of an operation that has a single one.
    pub result: E,
}

impl<E: Copy> Operands<E> {
    /// Pseudorandom nonzero operands, the same numbers for every type of element.
    pub fn new(n: usize, modulus: u64, element: impl Fn(u64) -> E) -> Self {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            // xorshift64* by Marsaglia and Vigna.
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            element(state.wrapping_mul(0x2545_f491_4f6c_dd1d) % (modulus - 1) + 1)
        };
        let scalar = next();
        let a = Slice::new(n, 0, &mut next);
        let b = Slice::new(n, 1, &mut next);
        let mut dst = Slice::new(n, 2, &mut next);
        let other = Slice::new(n, 3, &mut next);
        dst.copy_from_slice(&a);
        Self {
            a,
            b,
            dst,
            other,
            scalar,
            result: scalar,
        }
    }
}

/// A slice at a chosen place within a page of memory.
///
/// Where a slice lies makes a difference to the caches. Ours and theirs lie in the same places.
pub struct Slice<E> {
    storage: Vec<E>,
    start: usize,
    n: usize,
}

const PAGE: usize = 4096;

impl<E: Copy> Slice<E> {
    /// `n` elements; those with different `place`s do not compete for the same lines of a cache.
    fn new(n: usize, place: usize, mut element: impl FnMut() -> E) -> Self {
        let page = PAGE / size_of::<E>();
        let storage = vec![element(); n + 2 * page];
        let to_page = storage.as_ptr().align_offset(PAGE);
        assert!(to_page < page, "a vector is aligned to its elements");
        let start = to_page + place * page / 4;
        let mut slice = Self { storage, start, n };
        slice.fill_with(element);
        slice
    }
}

impl<E> std::ops::Deref for Slice<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.storage[self.start..self.start + self.n]
    }
}

impl<E> std::ops::DerefMut for Slice<E> {
    fn deref_mut(&mut self) -> &mut [E] {
        &mut self.storage[self.start..self.start + self.n]
    }
}
