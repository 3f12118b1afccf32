//! Similarity of two lines.

use rapidfuzz::distance::indel;

/// 1 - (characters to insert and delete) / (characters of both), over code
/// points, as Python's `Levenshtein.ratio`. A replaced character counts as two.
pub(crate) fn ratio(a: &str, b: &str) -> f64 {
    if a == b {
        return 1.0;
    }
    if a.is_ascii() && b.is_ascii() {
        return indel::normalized_similarity(a.bytes(), b.bytes());
    }
    indel::normalized_similarity(a.chars(), b.chars())
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn replacing_counts_twice_and_code_points_count() {
        assert!((ratio("kitten", "sitting") - 8.0 / 13.0).abs() < 1e-15);
        assert!((ratio("\u{e9}t\u{e9}", "ete") - 2.0 / 6.0).abs() < 1e-15);
        assert!((ratio("abc", "xyz")).abs() < 1e-15);
        assert!((ratio("same", "same") - 1.0).abs() < 1e-15);
    }
}
