//! The part of git's answer before the patch: an entry for each file.

use std::collections::HashMap;

/// The ids of what git compared. A patch names none of a file that was only
/// renamed or changed its mode.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ids(HashMap<Vec<u8>, Vec<u8>>);

impl Ids {
    /// The old blob of the file that is now at `path`.
    pub(crate) fn old(&self, path: &[u8]) -> Option<&[u8]> {
        self.0.get(path).map(Vec::as_slice)
    }
}

/// Takes the entries off the patch: `:mode mode id id status`, then a path or,
/// for a rename, two, each with a NUL behind it; and one more NUL at the end.
pub(super) fn split(answer: &[u8]) -> (Ids, &[u8]) {
    let mut ids = Ids::default();
    let mut rest = answer;
    while rest.starts_with(b":") {
        let Some((entry, behind)) = entry(rest) else {
            return (ids, rest);
        };
        if let Some((path, id)) = entry {
            ids.0.insert(path.to_vec(), id.to_vec());
        }
        rest = behind;
    }
    (ids, rest.strip_prefix(b"\0").unwrap_or(rest))
}

type Entry<'a> = Option<(&'a [u8], &'a [u8])>;

/// One entry and what is behind it.
fn entry(from: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (meta, rest) = field(from)?;
    let words: Vec<&[u8]> = meta.split(|byte| *byte == b' ').collect();
    let status = words.last()?;
    let (first, rest) = field(rest)?;
    let renamed = status.starts_with(b"R") || status.starts_with(b"C");
    let (path, rest) = if renamed { field(rest)? } else { (first, rest) };
    Some((words.get(2).map(|id| (path, *id)), rest))
}

fn field(from: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = from.iter().position(|byte| *byte == 0)?;
    Some((&from[..end], &from[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn entries_stand_before_the_patch() {
        let answer = b":100644 100755 aa 00 M\0f\0:100644 100644 bb bb R100\0g\0h\0\0diff --git\n";
        let (ids, patch) = split(answer);
        assert_eq!(patch, b"diff --git\n");
        assert_eq!(ids.old(b"f"), Some(&b"aa"[..]));
        assert_eq!(ids.old(b"h"), Some(&b"bb"[..]));
        assert_eq!(ids.old(b"g"), None);
    }

    #[test]
    fn no_difference_is_no_entry() {
        assert_eq!(split(b"").1, b"");
    }
}
