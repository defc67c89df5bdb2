//! "Did you mean ...?"

/// The candidate that `word` was most likely meant to be; `None` where nothing is near.
///
/// Near is an edit distance of at most a third of the longer of the two, and of one in short
/// words, if that leaves a letter of both. Of equally near candidates the first one wins.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            let lengths = [word.chars().count(), candidate.chars().count()];
            let [shorter, longer] = [lengths[0].min(lengths[1]), lengths[0].max(lengths[1])];
            *distance <= (longer / 3).max(1) && *distance < shorter
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, substitutions and swaps of neighbours (each letter moved
/// at most once) that turn `a` into `b`; case does not count.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    // Three rows of the table: for the prefix of `a` two letters, one letter and no letter shorter.
    let mut before_previous = vec![0; b.len() + 1];
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substitution = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substitution.min(previous[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_previous[j - 2] + 1);
            }
        }
        before_previous = std::mem::replace(&mut previous, row);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("modulus", "modulus", 0),
            ("Modulus", "modulus", 0),
            ("modlus", "modulus", 1),
            ("mdoulus", "modulus", 1),
            ("moduluss", "modulus", 1),
            ("kitten", "sitting", 3),
            ("", "abc", 3),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn only_near_words_are_offered() {
        let keys = ["name", "modulus", "targets", "reduction"];
        assert_eq!(nearest("modlus", keys), Some("modulus"));
        assert_eq!(nearest("target", keys), Some("targets"));
        assert_eq!(nearest("nane", keys), Some("name"));
        assert_eq!(nearest("colour", keys), None);
        assert_eq!(nearest("", keys), None);
        assert_eq!(nearest("c", ["a", "b"]), None);
        assert_eq!(nearest("C", ["a", "c"]), Some("c"));
    }
}
