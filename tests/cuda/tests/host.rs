//! Generated headers compiled for the host: no warning, and every result right.

use std::path::Path;

use cuda_tests::cases::{Amount, cases, from_vectors};
use cuda_tests::field::Field;
use cuda_tests::{moduli, run, suite, tools};

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/host");

#[test]
fn named_fields_agree_with_their_vectors() {
    let Some(compiler) = tools::host_compiler() else {
        return;
    };
    let mut named = moduli::with_vectors();
    named.extend(moduli::with_vectors_and_canonical());
    let (fields, vectors): (Vec<_>, Vec<_>) = named.into_iter().unzip();
    let cache = Path::new(CACHE);
    let headers = suite::generate(&cache.join("named"), &fields);
    let items: Vec<_> = fields.iter().zip(&vectors).zip(&headers).collect();
    suite::for_each(&items, |((field, vectors), headers)| {
        let optimise = field.limbs() <= 12;
        let program = run::host_program(cache, &compiler, field, headers, optimise)?;
        let mut all = from_vectors(field, vectors);
        let amount = Amount {
            fast: 2000,
            slow: 20,
        };
        all.extend(cases(field, amount));
        run::on_host(&program, field, &all)
    });
}

/// Checks fields without vectors, of which there are many.
fn check(name: &str, fields: &[Field]) {
    let Some(compiler) = tools::host_compiler() else {
        return;
    };
    let cache = Path::new(CACHE);
    let headers = suite::generate(&cache.join(name), fields);
    let items: Vec<_> = fields.iter().zip(&headers).collect();
    suite::for_each(&items, |(field, headers)| {
        let program = run::host_program(cache, &compiler, field, headers, false)?;
        run::on_host(
            &program,
            field,
            &cases(field, Amount { fast: 500, slow: 3 }),
        )
    });
}

#[test]
fn shaped_primes_are_right() {
    check("shaped", &moduli::shaped());
}

#[test]
fn the_most_limbs_are_right() {
    check("most_limbs", &[moduli::most_limbs()]);
}

#[test]
fn random_primes_are_right() {
    check("random", &moduli::random());
}
