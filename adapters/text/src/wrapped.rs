//! Statements that were rewrapped.

/// Most lines of one statement that are examined.
const MOST_LINES: usize = 16;
/// Minimum length of the common start, without white space.
const LEAST: usize = 10;

/// Whether two texts start with the same statement, wrapped differently: ignoring
/// white space, a line of one ends where a line of the other does, and the first
/// lines differ.
pub(crate) fn is_rewrapped<'l>(
    old: impl Iterator<Item = &'l [u8]>,
    new: impl Iterator<Item = &'l [u8]>,
) -> bool {
    let (mut old, mut new) = (old.take(MOST_LINES), new.take(MOST_LINES));
    let (mut a, mut b): (&[u8], &[u8]) = (&[], &[]);
    let mut common = 0;
    let mut lines = [0, 0];
    loop {
        let ended = [a.is_empty(), b.is_empty()];
        if ended == [true, true] && common > 0 {
            return common >= LEAST && lines[0] != lines[1];
        }
        if ended[0] {
            let Some(line) = old.next() else { return false };
            a = line.trim_ascii();
            lines[0] += 1;
        }
        if ended[1] {
            let Some(line) = new.next() else { return false };
            b = line.trim_ascii();
            lines[1] += 1;
        }
        if a.is_empty() || b.is_empty() {
            return false;
        }
        while let (Some((x, rest)), Some((y, more))) = (a.split_first(), b.split_first()) {
            if x.is_ascii_whitespace() {
                a = rest;
            } else if y.is_ascii_whitespace() {
                b = more;
            } else if x == y {
                (a, b) = (rest, more);
                common += 1;
            } else {
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str) -> bool {
        is_rewrapped(
            old.lines().map(str::as_bytes),
            new.lines().map(str::as_bytes),
        )
    }

    #[test]
    fn the_joined_text_counts() {
        assert!(check(
            "call(first,\n     second);\nnext",
            "call(first, second);\nother"
        ));
        assert!(check(
            "a.builder().first()\n .second();",
            "a.builder()\n .first()\n .second();"
        ));
        assert!(!check("call(first,\n     second);", "call(first, third);"));
        assert!(!check("call(first, second);", "call(first,  second);"));
        assert!(!check("f(\n);", "f();"));
    }
}
