//! The slice operations as one writes them with Plonky3's packed fields. Where there are several
//! natural ways, each is a variant, and the fastest counts.

use p3_field::{
    Field, FieldArray, PackedValue, PrimeCharacteristicRing, batch_multiplicative_inverse_general,
};

fn packed<F: Field>(a: &[F]) -> &[F::Packing] {
    F::Packing::pack_slice(a)
}

fn packed_mut<F: Field>(a: &mut [F]) -> &mut [F::Packing] {
    F::Packing::pack_slice_mut(a)
}

#[inline(always)]
fn unary<F: Field>(dst: &mut [F], a: &[F], f: impl Fn(F::Packing) -> F::Packing) {
    for (dst, &a) in packed_mut(dst).iter_mut().zip(packed(a)) {
        *dst = f(a);
    }
}

#[inline(always)]
fn binary<F: Field>(
    dst: &mut [F],
    a: &[F],
    b: &[F],
    f: impl Fn(F::Packing, F::Packing) -> F::Packing,
) {
    for ((dst, &a), &b) in packed_mut(dst).iter_mut().zip(packed(a)).zip(packed(b)) {
        *dst = f(a, b);
    }
}

#[inline(always)]
pub fn add<F: Field>(dst: &mut [F], a: &[F], b: &[F]) {
    binary(dst, a, b, |a, b| a + b);
}

#[inline(always)]
pub fn sub<F: Field>(dst: &mut [F], a: &[F], b: &[F]) {
    binary(dst, a, b, |a, b| a - b);
}

#[inline(always)]
pub fn mul<F: Field>(dst: &mut [F], a: &[F], b: &[F]) {
    binary(dst, a, b, |a, b| a * b);
}

#[inline(always)]
pub fn neg<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| -a);
}

#[inline(always)]
pub fn double<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| a.double());
}

#[inline(always)]
pub fn halve<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| a.halve());
}

#[inline(always)]
pub fn square<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| a.square());
}

#[inline(always)]
pub fn exp3<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| a.exp_const_u64::<3>());
}

#[inline(always)]
pub fn exp5<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| a.exp_const_u64::<5>());
}

#[inline(always)]
pub fn exp7<F: Field>(dst: &mut [F], a: &[F]) {
    unary(dst, a, |a| a.exp_const_u64::<7>());
}

#[inline(always)]
pub fn scalar_mul<F: Field>(dst: &mut [F], a: &[F], scalar: F) {
    let scalar = F::Packing::from(scalar);
    unary(dst, a, |a| a * scalar);
}

#[inline(always)]
pub fn mul_add<F: Field>(dst: &mut [F], a: &[F], b: &[F]) {
    for ((dst, &a), &b) in packed_mut(dst).iter_mut().zip(packed(a)).zip(packed(b)) {
        *dst += a * b;
    }
}

#[inline(always)]
pub fn butterfly_dif<F: Field>(lo: &mut [F], hi: &mut [F], twiddles: &[F]) {
    let twiddles = packed(twiddles);
    for ((lo, hi), &w) in packed_mut(lo).iter_mut().zip(packed_mut(hi)).zip(twiddles) {
        (*lo, *hi) = (*lo + *hi, (*lo - *hi) * w);
    }
}

#[inline(always)]
pub fn butterfly_dit<F: Field>(lo: &mut [F], hi: &mut [F], twiddles: &[F]) {
    let twiddles = packed(twiddles);
    for ((lo, hi), &w) in packed_mut(lo).iter_mut().zip(packed_mut(hi)).zip(twiddles) {
        let wy = *hi * w;
        (*lo, *hi) = (*lo + wy, *lo - wy);
    }
}

fn total<F: Field>(lanes: F::Packing) -> F {
    lanes.as_slice().iter().copied().sum()
}

#[inline(always)]
pub fn sum_of_packed<F: Field>(a: &[F]) -> F {
    total::<F>(packed(a).iter().copied().sum())
}

/// `N` at a time; the length is a multiple of that.
#[inline(always)]
pub fn sum_by<F: Field, const N: usize>(a: &[F]) -> F {
    let (groups, rest) = packed(a).as_chunks::<N>();
    assert!(rest.is_empty(), "the measured lengths are powers of two");
    let mut sum = F::Packing::ZERO;
    for group in groups {
        sum += F::Packing::sum_array::<N>(group);
    }
    total::<F>(sum)
}

/// `N` at a time; the length is a multiple of that.
#[inline(always)]
pub fn inner_product_by<F: Field, const N: usize>(a: &[F], b: &[F]) -> F {
    let (a, a_rest) = packed(a).as_chunks::<N>();
    let (b, b_rest) = packed(b).as_chunks::<N>();
    assert!(
        a_rest.is_empty() && b_rest.is_empty(),
        "the measured lengths are powers of two"
    );
    let mut sum = F::Packing::ZERO;
    for (a, b) in a.iter().zip(b) {
        sum += F::Packing::dot_product::<N>(a, b);
    }
    total::<F>(sum)
}

/// What `batch_multiplicative_inverse` does, into memory that there is.
#[inline(always)]
pub fn batch_inverse_by_4<F: Field>(dst: &mut [F], a: &[F]) {
    for (dst, a) in dst.chunks_mut(1024).zip(a.chunks(1024)) {
        let (a, rest) = FieldArray::<F, 4>::pack_slice_with_suffix(a);
        assert!(rest.is_empty(), "the measured lengths are powers of two");
        let dst = FieldArray::<F, 4>::pack_slice_mut(dst);
        batch_multiplicative_inverse_general(a, dst, |product| {
            let mut inverse = product;
            batch_multiplicative_inverse_general(&product.0, &mut inverse.0, |x| x.inverse());
            inverse
        });
    }
}

/// One chain of products.
#[inline(always)]
pub fn batch_inverse_of_scalars<F: Field>(dst: &mut [F], a: &[F]) {
    batch_multiplicative_inverse_general(a, dst, |x| x.inverse());
}
