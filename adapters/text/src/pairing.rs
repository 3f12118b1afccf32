//! Pairs deleted with inserted lines that are edits of each other, for showing
//! them side by side where a patch only lists deletions and insertions.

use crate::line::without_newline;
use crate::similarity::similarity;

/// Most pairs of old and new lines for which all are compared.
const MOST_PAIRS: usize = 1 << 10;
/// With more, how many lines to look ahead on the other side.
const AHEAD: usize = 4;

/// Pairs of similar lines, in the order of both sides, with the highest total
/// similarity. Lines that are not similar are in no pair.
///
/// ```
/// let old = [&b"let total = sum(items);"[..]];
/// let new = [&b"// In cents."[..], b"let total = sum(lines);"];
/// assert_eq!(mvdiff_text::pair_lines(&old, &new), [(0, 1)]);
/// ```
#[must_use]
pub fn pair_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return nearby(old, new);
    }
    let width = new.len() + 1;
    // The best total from a pair of positions on, and the similarity of the lines
    // there.
    let mut best = vec![0.0_f32; (old.len() + 1) * width];
    let mut alike = vec![0.0_f32; old.len() * new.len()];
    for o in (0..old.len()).rev() {
        for n in (0..new.len()).rev() {
            let here = similarity_of(old[o], new[n]);
            alike[o * new.len() + n] = here;
            let paired = here + best[(o + 1) * width + n + 1];
            let apart = best[(o + 1) * width + n].max(best[o * width + n + 1]);
            best[o * width + n] = if here > 0.0 { paired.max(apart) } else { apart };
        }
    }
    let (mut o, mut n) = (0, 0);
    let mut pairs = Vec::new();
    while o < old.len() && n < new.len() {
        let here = alike[o * new.len() + n];
        let sum = best[o * width + n];
        if here > 0.0 && here + best[(o + 1) * width + n + 1] >= sum {
            pairs.push((o, n));
            (o, n) = (o + 1, n + 1);
        } else if best[(o + 1) * width + n] >= sum {
            o += 1;
        } else {
            n += 1;
        }
    }
    pairs
}

/// For many lines: pairs each with the first similar one among the next few.
fn nearby(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let (mut n, mut pairs) = (0, Vec::new());
    for (o, line) in old.iter().enumerate() {
        let ahead = n..new.len().min(n + AHEAD);
        if let Some(found) = ahead.clone().find(|&at| similarity_of(line, new[at]) > 0.0) {
            pairs.push((o, found));
            n = found + 1;
        } else if old.len() - o <= new.len() - n {
            // The other side has at least as many lines left, so advance it, too.
            n += 1;
        }
    }
    pairs
}

/// Similarity of two lines; 0 for blank lines and brackets.
fn similarity_of(old: &[u8], new: &[u8]) -> f32 {
    let [old, new] = [old, new].map(|line| without_newline(line).trim_ascii());
    let says = |line: &[u8]| line.iter().any(u8::is_ascii_alphanumeric) || !line.is_ascii();
    if says(old) && says(new) {
        similarity(old, new)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<'l>(lines: &[&'l str]) -> Vec<&'l [u8]> {
        lines.iter().map(|line| line.as_bytes()).collect()
    }

    fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
        pair_lines(&bytes(old), &bytes(new))
    }

    #[test]
    fn the_line_that_is_alike_is_found_among_others() {
        let old = ["    return connect(host, port)\n"];
        let new = [
            "    if timeout is None:\n",
            "        timeout = 30\n",
            "    return connect(host, port, timeout)\n",
        ];
        assert_eq!(pairs(&old, &new), [(0, 2)]);
        assert_eq!(pairs(&new, &old), [(2, 0)]);
    }

    #[test]
    fn pairs_keep_the_order_of_both_sides() {
        let old = ["let first = one(1);", "let second = two(2);"];
        let new = ["let second = two(3);", "let first = one(4);"];
        assert_eq!(pairs(&old, &new).len(), 1);
    }

    #[test]
    fn brackets_and_blank_lines_are_in_no_pair() {
        assert_eq!(pairs(&["}\n", "\n"], &["}\n", "\n", ")\n"]), []);
    }

    #[test]
    fn long_runs_are_paired_nearby() {
        let old: Vec<String> = (0..400)
            .map(|i| format!("value number {i} is here"))
            .collect();
        let mut new: Vec<String> = old
            .iter()
            .map(|line| line.replace("here", "there"))
            .collect();
        new.insert(0, "a line that came".into());
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (
            old.iter().map(String::as_bytes).collect(),
            new.iter().map(String::as_bytes).collect(),
        );
        let pairs = pair_lines(&old, &new);
        assert_eq!(pairs.len(), 400);
        assert!(pairs.iter().all(|(o, n)| n - o == 1));
    }
}
