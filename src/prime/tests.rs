use num_traits::Num;
use proptest::prelude::*;

use super::*;

fn decimal(text: &str) -> BigUint {
    text.parse().expect("a decimal number")
}

fn power_of_two(exponent: u32) -> BigUint {
    BigUint::one() << exponent
}

fn passes_strong_test(n: &BigUint, base: u32) -> bool {
    strong_test(n, base).is_none()
}

fn failed(n: &BigUint) -> FailedTest {
    match check(n) {
        Primality::Composite(Evidence::FailedTest(test)) => test,
        other => panic!("{n}: {other:?}"),
    }
}

/// The factor that `check` names, which must be a proper one.
fn named_factor(n: &BigUint) -> BigUint {
    match check(n) {
        Primality::Composite(Evidence::Factor(factor)) => {
            assert!(
                !factor.is_one() && factor < *n && (n % &factor).is_zero(),
                "{n}: {factor}"
            );
            factor
        }
        other => panic!("{n}: {other:?}"),
    }
}

/// Whether each number below `bound` is prime, by Eratosthenes' sieve.
fn sieve(bound: usize) -> Vec<bool> {
    let mut prime = vec![true; bound];
    prime[..2].fill(false);
    for n in 2..bound {
        if prime[n] {
            prime[n..]
                .iter_mut()
                .step_by(n)
                .skip(1)
                .for_each(|multiple| *multiple = false);
        }
    }
    prime
}

fn is_prime_by_division(n: u64) -> bool {
    n > 1
        && (2..)
            .take_while(|divisor| divisor * divisor <= n)
            .all(|divisor| !n.is_multiple_of(divisor))
}

/// The Carmichael numbers `(6k + 1)(12k + 1)(18k + 1)` with all three factors prime, for `k` from
/// `start` on.
fn carmichael_numbers(start: u64) -> impl Iterator<Item = BigUint> {
    (start..).filter_map(|k| {
        let factors = [6, 12, 18].map(|step| BigUint::from(step * k + 1));
        factors
            .iter()
            .all(is_prime)
            .then(|| factors.iter().product())
    })
}

#[test]
fn the_table_holds_the_small_primes() {
    let expected = sieve(SMALL_PRIME_BOUND as usize);
    for (n, &prime) in expected.iter().enumerate() {
        assert_eq!(SMALL_PRIMES.contains(&(n as u32)), prime, "{n}");
    }
}

#[test]
fn every_number_below_2_to_the_16() {
    for (n, prime) in sieve(1 << 16).into_iter().enumerate() {
        assert_eq!(is_prime(&n.into()), prime, "{n}");
    }
    assert_eq!(check(&0u32.into()), Primality::Neither);
    assert_eq!(check(&1u32.into()), Primality::Neither);
}

/// Where trial division no longer decides, and where words end.
#[test]
fn ranges_of_larger_numbers() {
    for middle in [u64::from(SMALL_PRIME_BOUND).pow(2), 1 << 32, 1 << 36] {
        for n in middle - 150..middle + 150 {
            assert_eq!(is_prime(&n.into()), is_prime_by_division(n), "{n}");
        }
    }
}

/// The tests proper, on numbers that `check` would divide instead: each lets through exactly
/// its published pseudoprimes (OEIS A001262 and A217255), and no number passes both.
#[test]
fn strong_pseudoprimes_are_the_published_ones() {
    let mut base_2 = Vec::new();
    let mut lucas = Vec::new();
    for (n, prime) in sieve(100_000).into_iter().enumerate().skip(5).step_by(2) {
        let n_big = BigUint::from(n);
        let square = n_big.sqrt().pow(2) == n_big;
        let passes_base_2 = passes_strong_test(&n_big, 2);
        let passes_lucas = !square && lucas::strong_test(&n_big).is_none();
        if prime {
            assert!(passes_base_2 && passes_lucas, "{n}");
            assert!(
                n <= 41
                    || MILLER_RABIN_BASES
                        .iter()
                        .all(|&b| passes_strong_test(&n_big, b))
            );
        } else {
            base_2.extend(passes_base_2.then_some(n));
            lucas.extend(passes_lucas.then_some(n));
        }
    }
    assert_eq!(
        base_2,
        [
            2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141, 52633, 65281, 74665, 80581,
            85489, 88357, 90751
        ]
    );
    assert_eq!(
        lucas,
        [
            5459, 5777, 10877, 16109, 18971, 22499, 24569, 25199, 40309, 58519, 75077, 97439
        ]
    );
}

/// The smallest numbers that pass the strong test to the first 1, 2, 3, ... prime bases
/// (OEIS A014233), and two composites made by F. Arnault to pass many.
#[test]
fn pseudoprimes_to_the_first_bases_are_refused() {
    let made_for_11_bases = "1195068768795265792518361315725116351898245581";
    for (number, bases) in [
        ("2047", 1),
        ("1373653", 2),
        ("25326001", 3),
        ("3215031751", 4),
        ("2152302898747", 5),
        ("3474749660383", 6),
        ("341550071728321", 8),
        ("3825123056546413051", 11),
        ("318665857834031151167461", 12),
        ("3317044064679887385961981", 13),
        (made_for_11_bases, 11),
    ] {
        let n = decimal(number);
        for &base in &SMALL_PRIMES[..bases] {
            assert!(passes_strong_test(&n, base), "{n} {base}");
        }
        assert_ne!(check(&n), Primality::Prime, "{n}");
    }
    assert!(matches!(
        failed(&decimal("3317044064679887385961981")),
        FailedTest::Lucas { .. }
    ));
}

/// "Constructing Carmichael numbers which are strong pseudoprimes to several bases" (1995): a
/// composite of 397 digits that passes the strong test to every prime base below 307.
#[test]
fn arnaults_number_is_refused() {
    let p = decimal(
        "296744956686855105501541746429053327307719917998530433509950755312768387531717701995942385\
         96428121188033664754218345562493168782883",
    );
    let related = |factor: u32| (&p - 1u32) * factor + 1u32;
    let n = &p * related(313) * related(353);
    assert_eq!(n.to_string().len(), 397);
    assert!(
        SMALL_PRIMES
            .iter()
            .take_while(|&&base| base < 307)
            .all(|&b| passes_strong_test(&n, b))
    );
    assert!(!passes_strong_test(&n, 307));
    assert!(matches!(failed(&n), FailedTest::Lucas { .. }));
}

/// Fermat and Mersenne numbers pass the strong test to base 2, prime or not.
#[test]
fn the_lucas_test_decides_where_base_2_is_blind() {
    for exponent in [64, 128, 256] {
        let n = power_of_two(exponent) + 1u32;
        assert!(passes_strong_test(&n, 2));
        assert_ne!(check(&n), Primality::Prime, "2^{exponent} + 1");
    }
    for exponent in [67, 101, 103, 109, 137, 139, 149, 257, 1061] {
        let n = power_of_two(exponent) - 1u32;
        assert!(passes_strong_test(&n, 2));
        assert_ne!(check(&n), Primality::Prime, "2^{exponent} - 1");
    }
}

#[test]
fn carmichael_numbers_are_refused() {
    for number in [
        "561",
        "1105",
        "1729",
        "2465",
        "2821",
        "6601",
        "8911",
        "41041",
        "825265",
        "321197185",
        "5394826801",
        "232250619601",
        "9746347772161",
        "1436697831295441",
        "60977817398996785",
        "7156857700403137441",
        "1791562810662585767521",
        "87674969936234821377601",
    ] {
        named_factor(&decimal(number));
    }
    for start in [1, 1 << 10, 1 << 20, 1 << 40, 1 << 58] {
        for n in carmichael_numbers(start).take(3) {
            assert_ne!(check(&n), Primality::Prime, "{n}");
        }
    }
}

#[test]
fn squares_are_refused() {
    // The squares of the two known Wieferich primes pass the strong test to base 2.
    for root in [1093u32, 3511] {
        assert!(passes_strong_test(&BigUint::from(root).pow(2), 2));
        assert_eq!(named_factor(&BigUint::from(root).pow(2)), root.into());
    }
    for root in [
        power_of_two(31) - 1u32,
        power_of_two(89) - 1u32,
        power_of_two(521) - 1u32,
    ] {
        assert_eq!(named_factor(&root.pow(2)), root);
        assert_ne!(check(&root.pow(3)), Primality::Prime);
        assert_eq!(named_factor(&root.pow(4)), root.pow(2));
    }
}

#[test]
fn known_primes_are_accepted() {
    let power = power_of_two;
    for exponent in [13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279] {
        assert!(is_prime(&(power(exponent) - 1u32)), "2^{exponent} - 1");
    }
    for (name, p) in [
        ("the largest prime of 64 bits", power(64) - 59u32),
        ("the smallest prime of 65 bits", power(64) + 13u32),
        ("Goldilocks", power(64) - power(32) + 1u32),
        ("Curve25519", power(255) - 19u32),
        ("secp256k1", power(256) - power(32) - 977u32),
        ("P-192", power(192) - power(64) - 1u32),
        ("P-224", power(224) - power(96) + 1u32),
        (
            "P-256",
            power(256) - power(224) + power(192) + power(96) - 1u32,
        ),
        (
            "P-384",
            power(384) - power(128) - power(96) + power(32) - 1u32,
        ),
        ("Curve448", power(448) - power(224) - 1u32),
    ] {
        assert!(is_prime(&p), "{name}");
        assert_ne!(
            check(&(&p * (power(127) - 1u32))),
            Primality::Prime,
            "{name}"
        );
    }
}

#[test]
fn every_prime_of_one_word_less_one_factors_completely() {
    // The products of two primes of 32 bits are the hardest numbers of one word.
    let primes: Vec<u64> = [5u64, 17, 65, 99, 107, 135]
        .map(|less| (1 << 32) - less)
        .to_vec();
    for &p in &primes {
        for &q in &primes {
            let factorization = factorize(&(BigUint::from(p) * q));
            assert!(factorization.is_complete(), "{p} {q}");
            let expected = match p.cmp(&q) {
                std::cmp::Ordering::Less => vec![(p.into(), 1), (q.into(), 1)],
                std::cmp::Ordering::Equal => vec![(p.into(), 2)],
                std::cmp::Ordering::Greater => vec![(q.into(), 1), (p.into(), 1)],
            };
            assert_eq!(factorization.primes, expected);
        }
    }
}

#[test]
fn what_the_budget_does_not_factor_is_left_as_the_rest() {
    let rest = (power_of_two(127) - 1u32) * (power_of_two(255) - 19u32);
    let factorization = factorize(&(&rest * 12u32));
    assert_eq!(factorization.primes, [(2u32.into(), 2), (3u32.into(), 1)]);
    assert_eq!(factorization.rest, rest);
    assert!(!factorization.is_complete());
    assert_eq!(find_factor(&rest), None);
}

#[test]
fn factorizations_of_the_smallest_numbers() {
    for n in 1u32..2000 {
        let factorization = factorize(&n.into());
        assert!(factorization.is_complete());
        let product: BigUint = factorization
            .primes
            .iter()
            .map(|(prime, exponent)| prime.pow(*exponent))
            .product();
        assert_eq!(product, n.into());
        assert!(
            factorization.primes.is_sorted()
                && factorization.primes.iter().all(|(q, _)| is_prime(q))
        );
    }
}

#[test]
fn generators_of_every_small_prime() {
    for (p, _) in sieve(400)
        .into_iter()
        .enumerate()
        .skip(3)
        .filter(|(_, prime)| *prime)
    {
        let p_big = BigUint::from(p);
        let primes = factorize(&(p - 1).into()).distinct_primes();
        let order = |g: usize| {
            let powers = std::iter::successors(Some(g), |power| Some(power * g % p));
            powers.take_while(|&power| power != 1).count() + 1
        };
        for g in 1..p {
            let expected = primes.iter().find(|&q| ((p - 1) / order(g) % q).is_zero());
            assert_eq!(
                failing_prime(&g.into(), &p_big, &primes),
                expected,
                "{g} mod {p}"
            );
        }
        let smallest = (1..p).find(|&g| order(g) == p - 1).map(BigUint::from);
        assert_eq!(smallest_generator(&p_big, &primes), smallest, "{p}");
    }
}

/// A prime made so that every number below 2707 is a square modulo it: the searches end.
#[test]
fn a_prime_without_small_generators() {
    let odd_primes = SMALL_PRIMES
        .iter()
        .skip(1)
        .take_while(|&&prime| prime < 2700);
    let step = odd_primes.fold(BigUint::from(8u32), |product, &prime| product * prime);
    let p = step * (power_of_two(150) + 163u32) + 1u32;
    assert!(passes_strong_test(&p, 2707));
    assert_eq!(smallest_nonresidue(&p), 2707u32.into());
    let factorization = factorize(&(&p - 1u32));
    assert_eq!(
        smallest_generator(&p, &factorization.distinct_primes()),
        None
    );
}

/// Published values: `p`, smallest generator, primes of `p - 1`.
#[test]
fn known_generators() {
    let bls12_381_fr = BigUint::from_str_radix(
        "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
        16,
    );
    for (p, generator) in [
        (power_of_two(31) - power_of_two(27) + 1u32, 31u32),
        (power_of_two(31) - power_of_two(24) + 1u32, 3),
        (power_of_two(31) - 1u32, 7),
        (power_of_two(64) - power_of_two(32) + 1u32, 7),
        (power_of_two(23) - power_of_two(13) + 1u32, 10),
        (998_244_353u32.into(), 3),
        (bls12_381_fr.unwrap(), 7),
        (power_of_two(251) + (power_of_two(192) * 17u32) + 1u32, 3),
        (power_of_two(255) - 19u32, 2),
        (power_of_two(256) - power_of_two(32) - 977u32, 3),
    ] {
        let factorization = factorize(&(&p - 1u32));
        assert!(factorization.is_complete(), "{p}");
        let primes = factorization.distinct_primes();
        assert_eq!(
            smallest_generator(&p, &primes),
            Some(generator.into()),
            "{p}"
        );
    }
}

/// An odd number of exactly `bits` bits.
fn odd(bits: std::ops::Range<u32>) -> impl Strategy<Value = BigUint> {
    (bits, prop::collection::vec(any::<u32>(), 40)).prop_map(|(bits, digits)| {
        let low = BigUint::new(digits) % power_of_two(bits);
        low | power_of_two(bits - 1) | BigUint::one()
    })
}

/// The first prime from an odd number on.
fn next_prime(mut n: BigUint) -> BigUint {
    while !is_prime(&n) {
        n += 2u32;
    }
    n
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn words_agree_with_trial_division(n in 0u64..1 << 40) {
        prop_assert_eq!(is_prime(&n.into()), is_prime_by_division(n));
    }

    #[test]
    fn products_are_composite(a in odd(2..300), b in odd(2..300)) {
        prop_assert_ne!(check(&(a * b)), Primality::Prime);
    }

    #[test]
    fn products_of_primes_are_composite(a in odd(14..160), b in odd(14..160)) {
        let n = next_prime(a) * next_prime(b);
        prop_assert!(matches!(check(&n), Primality::Composite(_)));
    }

    /// A prime has a generator, and only a prime has one of this order: an independent proof.
    #[test]
    fn numbers_of_one_word_called_prime_are_proven(n in odd(30..64)) {
        let p = next_prime(n);
        let factorization = factorize(&(&p - 1u32));
        prop_assert!(factorization.is_complete());
        let primes = factorization.distinct_primes();
        let generator = smallest_generator(&p, &primes).expect("a generator");
        prop_assert!(generator.modpow(&(&p - 1u32), &p).is_one());
    }

    #[test]
    fn factorizations_multiply_back(n in odd(2..64), twos in 0u32..80) {
        let n = n << twos;
        let factorization = factorize(&n);
        prop_assert!(factorization.is_complete());
        let product: BigUint =
            factorization.primes.iter().map(|(prime, exponent)| prime.pow(*exponent)).product();
        prop_assert_eq!(product, n);
        prop_assert!(factorization.primes.iter().all(|(prime, _)| is_prime(prime)));
    }

    #[test]
    fn gcd_divides_both_and_leaves_nothing_in_common(a in odd(2..200), b in odd(2..200), c in odd(2..100)) {
        let [a, b] = [a * &c, b * &c];
        let divisor = gcd(a.clone(), b.clone());
        prop_assert!((&a % &divisor).is_zero() && (&b % &divisor).is_zero());
        prop_assert!((&divisor % &c).is_zero());
        prop_assert!(gcd(a / &divisor, b / &divisor).is_one());
    }

    #[test]
    fn words_have_inverses(word in any::<u64>()) {
        let odd = word | 1;
        prop_assert_eq!(odd.wrapping_mul(inverse_of_word(odd)), 1);
    }
}
