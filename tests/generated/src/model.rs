//! Prime-field arithmetic by `num-bigint`: what every result is compared with. Slow and plain.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// The field of integers modulo an odd prime.
#[derive(Debug, Clone)]
pub struct Model {
    pub modulus: BigUint,
    pub bits: u32,
    /// The largest `s` with `2^s | p - 1`.
    pub two_adicity: u32,
}

impl Model {
    pub fn new(modulus: BigUint) -> Model {
        let two_adicity = (&modulus - 1u32).trailing_zeros().expect("p > 1");
        Model {
            bits: u32::try_from(modulus.bits()).expect("a small number"),
            two_adicity: u32::try_from(two_adicity).expect("a small number"),
            modulus,
        }
    }

    /// `(p - 1) / 2^two_adicity`.
    pub fn odd_part(&self) -> BigUint {
        (&self.modulus - 1u32) >> self.two_adicity
    }

    pub fn reduce(&self, a: &BigUint) -> BigUint {
        a % &self.modulus
    }

    pub fn add(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + b) % &self.modulus
    }

    pub fn sub(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + &self.modulus - b) % &self.modulus
    }

    pub fn mul(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a * b) % &self.modulus
    }

    pub fn neg(&self, a: &BigUint) -> BigUint {
        self.sub(&BigUint::zero(), a)
    }

    pub fn halve(&self, a: &BigUint) -> BigUint {
        if a.is_even() {
            a >> 1
        } else {
            (a + &self.modulus) >> 1
        }
    }

    pub fn pow(&self, a: &BigUint, exponent: &BigUint) -> BigUint {
        a.modpow(exponent, &self.modulus)
    }

    pub fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        a.modinv(&self.modulus)
    }

    /// The Legendre symbol, by the reciprocity law of the Jacobi symbol.
    pub fn legendre(&self, a: &BigUint) -> i32 {
        let mut a = self.reduce(a);
        let mut n = self.modulus.clone();
        let mut sign = 1;
        while !a.is_zero() {
            let twos = a.trailing_zeros().expect("a is not zero");
            a >>= twos;
            if twos % 2 == 1 && matches!(low_bits(&n, 8), 3 | 5) {
                sign = -sign;
            }
            std::mem::swap(&mut a, &mut n);
            if low_bits(&a, 4) == 3 && low_bits(&n, 4) == 3 {
                sign = -sign;
            }
            a %= &n;
        }
        if n.is_one() { sign } else { 0 }
    }

    /// Whether `root` is what `sqrt` must return for `a`: the smaller of the two roots, or nothing
    /// where there is none.
    pub fn is_smaller_root(&self, a: &BigUint, root: Option<&BigUint>) -> bool {
        match root {
            None => self.legendre(a) == -1,
            Some(root) => self.mul(root, root) == *a && *root <= self.neg(root),
        }
    }

    pub fn smallest_nonresidue(&self) -> BigUint {
        (2u32..)
            .map(BigUint::from)
            .find(|candidate| self.legendre(candidate) == -1)
            .expect("half of all non-zero elements are non-residues")
    }

    pub fn sum(&self, a: &[BigUint]) -> BigUint {
        a.iter().sum::<BigUint>() % &self.modulus
    }

    pub fn product(&self, a: &[BigUint]) -> BigUint {
        a.iter().fold(self.reduce(&BigUint::one()), |product, a| {
            self.mul(&product, a)
        })
    }

    pub fn inner_product(&self, a: &[BigUint], b: &[BigUint]) -> BigUint {
        assert_eq!(a.len(), b.len());
        let products = a.iter().zip(b).map(|(a, b)| a * b);
        products.sum::<BigUint>() % &self.modulus
    }
}

/// `n mod modulus` for a small power of two.
fn low_bits(n: &BigUint, modulus: u32) -> u32 {
    n.iter_u32_digits().next().unwrap_or(0) % modulus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legendre_agrees_with_euler() {
        for p in [3u32, 5, 7, 11, 13, 17, 97, 101, 257, 65537] {
            let model = Model::new(p.into());
            for a in 0..p.min(300) {
                let a = BigUint::from(a);
                let euler = model.pow(&a, &((&model.modulus - 1u32) >> 1));
                let expected = if euler.is_zero() {
                    0
                } else if euler.is_one() {
                    1
                } else {
                    -1
                };
                assert_eq!(model.legendre(&a), expected, "({a} / {p})");
            }
        }
    }
}
