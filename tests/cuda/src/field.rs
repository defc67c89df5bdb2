//! Reference arithmetic, by num-bigint.

use num_bigint::BigUint;
use num_traits::{One, Zero};

/// A field under test, with nothing taken from the generator.
#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub modulus: BigUint,
    /// Stored times R, or as it is.
    pub montgomery: bool,
    /// In TOML, when it is not `auto`.
    pub reduction: Option<&'static str>,
    /// The inverse of [`Field::capacity`], kept because it takes long.
    r_inverse: BigUint,
}

impl Field {
    /// A field with `reduction = "auto"`.
    #[must_use]
    pub fn new(name: &str, modulus: BigUint) -> Field {
        let one = BigUint::one();
        let mersenne = modulus.bits() <= 64 && (&modulus & (&modulus + &one)).is_zero();
        let goldilocks = modulus == (&one << 64u32) - (&one << 32u32) + &one;
        let mut field = Field {
            name: name.to_owned(),
            modulus,
            montgomery: !mersenne && !goldilocks,
            reduction: None,
            r_inverse: BigUint::ZERO,
        };
        field.r_inverse = field.inverse(&field.capacity());
        field
    }

    /// The field with this reduction, under a name of its own.
    #[must_use]
    pub fn with_reduction(&self, reduction: &'static str) -> Field {
        Field {
            name: format!("{}_{reduction}", self.name),
            modulus: self.modulus.clone(),
            montgomery: reduction == "montgomery",
            reduction: Some(reduction),
            r_inverse: self.r_inverse.clone(),
        }
    }

    /// Its `[[field]]` table.
    #[must_use]
    pub fn toml(&self) -> String {
        let reduction = self
            .reduction
            .map(|reduction| format!("reduction = \"{reduction}\"\n"));
        format!(
            "[[field]]\nname = \"{}\"\nmodulus = \"{:#x}\"\ntargets = [\"cuda\"]\n{}",
            self.name,
            self.modulus,
            reduction.unwrap_or_default()
        )
    }

    /// Words of an element: two for each started 64 bits.
    #[must_use]
    pub fn limbs(&self) -> usize {
        2 * usize::try_from(self.modulus.bits().div_ceil(64)).expect("fits")
    }

    /// `2^(32 limbs)`: one more than the largest integer of as many words as an element.
    #[must_use]
    pub fn capacity(&self) -> BigUint {
        BigUint::one() << (32 * self.limbs())
    }

    /// What is kept in memory for a canonical value.
    #[must_use]
    pub fn stored(&self, canonical: &BigUint) -> BigUint {
        if self.montgomery {
            canonical * self.capacity() % &self.modulus
        } else {
            canonical.clone()
        }
    }

    /// The canonical value of what is kept in memory.
    #[must_use]
    pub fn canonical(&self, stored: &BigUint) -> BigUint {
        if self.montgomery {
            stored * &self.r_inverse % &self.modulus
        } else {
            stored % &self.modulus
        }
    }

    /// `reduce` takes numbers below this: R p for Montgomery's reduction, else p^2.
    #[must_use]
    pub fn wide_limit(&self) -> BigUint {
        if self.montgomery {
            self.capacity() * &self.modulus
        } else {
            self.modulus.pow(2)
        }
    }

    /// 0 for 0.
    #[must_use]
    pub fn inverse(&self, canonical: &BigUint) -> BigUint {
        canonical.modpow(&(&self.modulus - 2u32), &self.modulus)
    }
}
