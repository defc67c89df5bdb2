//! Generated headers compiled to machine code: for one architecture, or for all with
//! `FIELDGEN_CUDA_ARCHES=all`.

use std::path::Path;

use cuda_tests::field::Field;
use cuda_tests::{moduli, run, suite, tools};

const CACHE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/cubin");

const ARCHES: &[&str] = &[
    "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120",
];

/// Up to this many limbs, field operations must not need local memory.
const REGISTERS_SUFFICE_TO: usize = 12;

#[test]
fn headers_compile_without_spills() {
    let Some(nvcc) = tools::nvcc() else {
        return;
    };
    let (arches, some): (&[&str], &[&str]) = match std::env::var("FIELDGEN_CUDA_ARCHES").as_deref()
    {
        Ok("all") => (ARCHES, &[]),
        Ok(other) => panic!("FIELDGEN_CUDA_ARCHES is `{other}`; only `all` is known"),
        Err(_) => (
            &["sm_86"],
            &["goldilocks", "bn254_fq", "bls12_377_fq_barrett"],
        ),
    };
    let mut fields: Vec<Field> = moduli::with_vectors()
        .into_iter()
        .chain(moduli::with_vectors_and_canonical())
        .map(|(field, _)| field)
        .collect();
    if !some.is_empty() {
        fields.retain(|field| some.contains(&field.name.as_str()));
    }
    let cache = Path::new(CACHE);
    let headers = suite::generate(&cache.join("named"), &fields);
    let items: Vec<_> = arches
        .iter()
        .flat_map(|arch| fields.iter().zip(&headers).map(move |pair| (*arch, pair)))
        .collect();
    suite::for_each(&items, |(arch, (field, headers))| {
        let usages = run::cubin(cache, &nvcc, field, headers, arch)?;
        if usages.is_empty() {
            return Err(format!("{} on {arch}: no report by ptxas", field.name));
        }
        let spills: Vec<_> = usages
            .iter()
            .filter(|usage| usage.local_bytes > 0 && field.limbs() <= REGISTERS_SUFFICE_TO)
            .collect();
        if spills.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "{} on {arch} uses local memory: {spills:?}",
                field.name
            ))
        }
    });
}
