//! A program without `std` in its field: which functions the front takes is decided when it is
//! compiled. `FIELDS` is the generated `mod.rs`.

#![no_std]

extern crate std;

use std::println;
use std::vec::Vec;

include!(env!("FIELDS"));

use baby_bear::{Element, portable, slice};

fn main() {
    let mut x = Element::from(3u32);
    let mut next = || {
        x = x.square() + Element::ONE;
        x
    };
    for length in 0..70 {
        let a: Vec<Element> = (0..length).map(|_| next()).collect();
        let b: Vec<Element> = (0..length).map(|_| next()).collect();
        let (mut by_slice, mut by_portable) = (a.clone(), a.clone());
        slice::mul(&mut by_slice, &a, &b);
        portable::mul(&mut by_portable, &a, &b);
        assert_eq!(by_slice, by_portable);
        slice::sub(&mut by_slice, &a, &b);
        portable::sub(&mut by_portable, &a, &b);
        assert_eq!(by_slice, by_portable);
        assert_eq!(
            slice::inner_product(&a, &b),
            portable::inner_product(&a, &b)
        );
    }
    println!(
        "checked, compiled for AVX-512: {}",
        cfg!(target_feature = "avx512f")
    );
}
