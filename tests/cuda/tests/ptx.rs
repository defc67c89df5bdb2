//! What the device compiler makes of generated headers, executed by the interpreter.

use std::path::Path;

use cuda_tests::cases::{Amount, cases, from_vectors};
use cuda_tests::field::Field;
use cuda_tests::{moduli, run, suite, tools};

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/ptx");

/// Whether all fields are to be tested and not only one of each kind.
fn everything() -> bool {
    std::env::var_os("FIELDGEN_CUDA_ALL").is_some()
}

#[test]
fn named_fields_agree_with_their_vectors() {
    let Some(nvcc) = tools::nvcc() else {
        return;
    };
    let mut named = moduli::with_vectors();
    named.extend(moduli::with_vectors_and_canonical());
    if !everything() {
        // Each with a reduction or a size of its own.
        const SOME: &[&str] = &[
            "goldilocks",
            "bn254_fq",
            "bls12_377_fq",
            "secp256k1_fp",
            "bn254_fr_barrett",
            "secp256k1_fp_special",
        ];
        named.retain(|(field, _)| SOME.contains(&field.name.as_str()));
    }
    let (fields, vectors): (Vec<_>, Vec<_>) = named.into_iter().unzip();
    let cache = Path::new(CACHE);
    let headers = suite::generate(&cache.join("named"), &fields);
    let items: Vec<_> = fields.iter().zip(&vectors).zip(&headers).collect();
    suite::for_each(&items, |((field, vectors), headers)| {
        let module = run::ptx(cache, &nvcc, field, headers)?;
        let mut all = from_vectors(field, vectors);
        all.extend(cases(
            field,
            Amount {
                fast: 1000,
                slow: 5,
            },
        ));
        run::on_ptx(&module, field, &all)
    });
}

#[test]
fn other_primes_are_right() {
    let Some(nvcc) = tools::nvcc() else {
        return;
    };
    let mut fields = moduli::shaped();
    fields.extend(moduli::random());
    if !everything() {
        const SOME: &[&str] = &[
            "mersenne61",
            "below_2_64",
            "above_2_64",
            "p256_special",
            "random_161",
        ];
        fields.retain(|field| SOME.contains(&field.name.as_str()));
    }
    let cache = Path::new(CACHE);
    let headers = suite::generate(&cache.join("other"), &fields);
    let items: Vec<_> = fields.iter().zip(&headers).collect();
    suite::for_each(&items, |(field, headers)| {
        let module = run::ptx(cache, &nvcc, field, headers)?;
        let amount = Amount { fast: 300, slow: 2 };
        run::on_ptx(&module, field, &cases(field, amount))
    });
}

#[test]
fn nvrtc_compiles_headers_alone() {
    let (Some(library), Some(compiler)) = (tools::nvrtc(), tools::host_compiler()) else {
        return;
    };
    let fields: Vec<Field> = moduli::shaped()
        .into_iter()
        .filter(|field| ["below_2_255", "p224_barrett"].contains(&field.name.as_str()))
        .collect();
    let cache = Path::new(CACHE);
    let headers = suite::generate(&cache.join("nvrtc"), &fields);
    let items: Vec<_> = fields.iter().zip(&headers).collect();
    suite::for_each(&items, |(field, headers)| {
        let module = run::nvrtc_ptx(cache, &compiler, &library, field, headers)?;
        let amount = Amount { fast: 300, slow: 2 };
        run::on_ptx(&module, field, &cases(field, amount))
    });
}

/// The interpreter must see what goes wrong without `volatile`: then it would also see the
/// compiler move a carry for any other reason.
#[test]
fn carries_that_the_compiler_may_move_are_noticed() {
    let Some(nvcc) = tools::nvcc() else {
        return;
    };
    let fields: Vec<Field> = moduli::with_vectors()
        .into_iter()
        .map(|(field, _)| field)
        .filter(|field| field.name == "bn254_fq")
        .collect();
    let cache = Path::new(CACHE);
    let mut headers = suite::generate(&cache.join("volatile"), &fields).remove(0);
    for (_, text) in &mut headers {
        *text = text.replace("asm volatile", "asm");
    }
    let module = run::ptx(cache, &nvcc, &fields[0], &headers).expect("compiles");
    let amount = Amount { fast: 100, slow: 1 };
    let result = run::on_ptx(&module, &fields[0], &cases(&fields[0], amount));
    assert!(result.is_err(), "nothing was noticed");
}
