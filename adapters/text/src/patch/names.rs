//! Determines the paths in a file header: prefixes, names side by side, and sides
//! that do not exist.

use super::error::PatchErrorKind;
use super::header::{Head, Name, Stamp};
use super::paths::{unquote, whole, without_first};
use super::{Hunk, Status};
use memchr::memchr_iter;
use std::borrow::Cow;

type Pair<'p> = (Cow<'p, [u8]>, Cow<'p, [u8]>);

type Sides<'p> = (Option<Cow<'p, [u8]>>, Option<Cow<'p, [u8]>>);

/// Old path, new path, and status of the file.
pub(super) type Paths<'p> = (Option<Cow<'p, [u8]>>, Option<Cow<'p, [u8]>>, Status);

/// How many positions of a line are tried as the gap between two names.
const MAX_GAPS: usize = 64;

/// Which prefixes may be stripped although the rest differs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefixes {
    /// `a/`, `b/` and git's mnemonic prefixes.
    Git,
    /// `a/` and `b/`.
    Plain,
}

impl Prefixes {
    fn has(self, prefix: &[u8]) -> bool {
        match prefix {
            b"a" | b"b" => true,
            b"c" | b"i" | b"o" | b"w" => self == Self::Git,
            _ => false,
        }
    }
}

/// Splits a path after its first component.
fn split_first_component(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let slash = memchr::memchr(b'/', path)?;
    Some((&path[..slash], &path[slash + 1..]))
}

/// Lengths of the prefixes of both names.
fn prefix_lengths(old: &[u8], new: &[u8], prefixes: Prefixes) -> (usize, usize) {
    if old == new {
        return (0, 0);
    }
    let (Some((old, old_rest)), Some((new, new_rest))) =
        (split_first_component(old), split_first_component(new))
    else {
        return (0, 0);
    };
    let is_pair = old != new && prefixes.has(old) && prefixes.has(new);
    // An empty rest would leave a file without a name.
    if !old_rest.is_empty() && !new_rest.is_empty() && (old_rest == new_rest || is_pair) {
        (old.len() + 1, new.len() + 1)
    } else {
        (0, 0)
    }
}

fn without_prefixes((old, new): Pair<'_>, prefixes: Prefixes) -> Pair<'_> {
    let (of_old, of_new) = prefix_lengths(&old, &new, prefixes);
    (without_first(old, of_old), without_first(new, of_new))
}

/// Strips the prefix of a name whose counterpart is missing: only the letter is
/// known.
fn without_letter(path: Cow<'_, [u8]>, prefixes: Prefixes) -> Cow<'_, [u8]> {
    match split_first_component(&path) {
        Some((first, rest)) if prefixes.has(first) && !rest.is_empty() => {
            let count = first.len() + 1;
            without_first(path, count)
        }
        _ => path,
    }
}

/// Splits two names side by side with `gap` between them, as in
/// `diff --git a/x b/x`; `None` if the start of the second is ambiguous.
pub(super) fn split<'p>(text: &'p [u8], gap: &[u8]) -> Result<Option<Pair<'p>>, PatchErrorKind> {
    if let Some(quoted) = text.strip_prefix(b"\"") {
        let (old, rest) = unquote(quoted)?;
        let Some(new) = rest.strip_prefix(gap) else {
            return Err(PatchErrorKind::Quoting);
        };
        return Ok(Some((Cow::Owned(old), whole(new)?)));
    }
    // An unquoted name contains no quotes if the tool quotes names, but not all
    // do.
    let quote = memchr::memchr(b'"', text).filter(|_| text.ends_with(b"\""));
    if let Some((at, old)) = quote.and_then(|at| Some((at, text[..at].strip_suffix(gap)?))) {
        return Ok(Some((Cow::Borrowed(old), whole(&text[at..])?)));
    }
    Ok(gap_between(text, gap).map(|start| {
        let (old, new) = (&text[..start], &text[start + gap.len()..]);
        (Cow::Borrowed(old), Cow::Borrowed(new))
    }))
}

/// The start of the gap between two unquoted names.
fn gap_between(text: &[u8], gap: &[u8]) -> Option<usize> {
    let at = |start: usize| (&text[..start], &text[start + gap.len()..]);
    let agree = |start: &usize| {
        let (old, new) = at(*start);
        old == new || {
            let (of_old, of_new) = prefix_lengths(old, new, Prefixes::Plain);
            of_old > 0 && old[of_old..] == new[of_new..]
        }
    };
    // If the prefixes have the same length, the gap is in the middle.
    let middle = text.len().checked_sub(gap.len())? / 2;
    if text[middle..].starts_with(gap) && agree(&middle) {
        return Some(middle);
    }
    let first = *gap.first()?;
    let gaps: Vec<usize> = memchr_iter(first, text)
        .filter(|&start| text[start..].starts_with(gap))
        .take(MAX_GAPS)
        .collect();
    if let Some(start) = gaps.iter().copied().find(|start| agree(start)) {
        return Some(start);
    }
    let is_known = |name: &[u8]| {
        name == b"/dev/null"
            || split_first_component(name).is_some_and(|(first, _)| Prefixes::Git.has(first))
    };
    let known = |start: &usize| {
        let (old, new) = at(*start);
        is_known(old) && is_known(new)
    };
    let mut likely = gaps.iter().copied().filter(known);
    match (likely.next(), likely.next()) {
        (Some(start), None) => Some(start),
        _ if gaps.len() == 1 => Some(gaps[0]),
        _ => None,
    }
}

/// The paths in `Binary files A and B differ`, which has no other header.
pub(super) fn of_remark(names: &[u8]) -> Result<Paths<'_>, PatchErrorKind> {
    let (old, new) = split(names, b" and ")?.ok_or(PatchErrorKind::NoPath)?;
    let is_null = |name: &[u8]| name == b"/dev/null";
    match (is_null(&old), is_null(&new)) {
        (true, true) => Err(PatchErrorKind::NoSide),
        (true, false) => Ok((
            None,
            Some(without_letter(new, Prefixes::Plain)),
            Status::Added,
        )),
        (false, true) => Ok((
            Some(without_letter(old, Prefixes::Plain)),
            None,
            Status::Deleted,
        )),
        (false, false) => {
            let (old, new) = without_prefixes((old, new), Prefixes::Plain);
            Ok((Some(old), Some(new), Status::Modified))
        }
    }
}

/// The paths of a file, from renames, then `---` and `+++`, then the `diff --git`
/// line.
pub(super) fn of_head<'p>(
    head: &Head<'p>,
    hunks: &[Hunk<'p>],
) -> Result<Paths<'p>, PatchErrorKind> {
    let (old_absent, new_absent) = absent(head, hunks)?;
    let from_header = |side: &Option<Cow<'p, [u8]>>, is_absent: bool| !is_absent && side.is_none();
    let (mut old, mut new) = (head.from.clone(), head.to.clone());
    if let Some(pair) = below(head)? {
        (old, new) = pair;
    } else if from_header(&old, old_absent) || from_header(&new, new_absent) {
        let pair = written(head)?;
        old = old.or(pair.0);
        new = new.or(pair.1);
    }
    let status = match (old_absent, new_absent) {
        (true, _) => Status::Added,
        (_, true) => Status::Deleted,
        _ if head.from.is_none() && head.to.is_none() => Status::Modified,
        _ if head.is_copy => Status::Copied,
        _ => Status::Renamed,
    };
    let old = old.filter(|_| !old_absent);
    let new = new.filter(|_| !new_absent);
    let named = |path: &Option<Cow<'_, [u8]>>| path.as_deref().is_some_and(|p| !p.is_empty());
    if (!old_absent && !named(&old)) || (!new_absent && !named(&new)) {
        return Err(PatchErrorKind::NoPath);
    }
    Ok((old, new, status))
}

/// The names of the other lines, if those of the rename only add leading folders:
/// `git diff --no-index` includes the roots, and where the other lines lack them they
/// were removed on purpose.
fn below<'p>(head: &Head<'p>) -> Result<Option<Sides<'p>>, PatchErrorKind> {
    let (Some(from), Some(to)) = (&head.from, &head.to) else {
        return Ok(None);
    };
    if is_verbatim(head, from, to) {
        return Ok(None);
    }
    let (Some(old), Some(new)) = written(head)? else {
        return Ok(None);
    };
    let ends = |longer: &[u8], shorter: &[u8]| {
        let folders = longer.strip_suffix(shorter);
        folders.is_some_and(|folders| folders.ends_with(b"/")) && !shorter.is_empty()
    };
    let pair = ends(from, &old) && ends(to, &new);
    Ok(pair.then_some((Some(old), Some(new))))
}

/// Whether the other lines have exactly the names of the rename: then they have
/// no prefix, and a folder `a` is a folder.
fn is_verbatim(head: &Head<'_>, from: &[u8], to: &[u8]) -> bool {
    match (&head.old, &head.new) {
        (Some(Name::Path(old, _)), Some(Name::Path(new, _))) => **old == *from && **new == *to,
        _ => head
            .git
            .is_some_and(|names| names == [from, b" ", to].concat()),
    }
}

/// Whether the old and the new side are absent.
fn absent(head: &Head<'_>, hunks: &[Hunk<'_>]) -> Result<(bool, bool), PatchErrorKind> {
    if head.is_new && head.is_deleted {
        return Err(PatchErrorKind::Contradiction);
    }
    let old = head.is_new || matches!(head.old, Some(Name::Null));
    let new = head.is_deleted || matches!(head.new, Some(Name::Null));
    if old && new {
        return Err(PatchErrorKind::NoSide);
    }
    // A timestamp or revision counts only if no hunk has lines there: a file may
    // be as old as the epoch, and Subversion prints "revision 0" on both sides.
    let stamped = |name: &Option<Name<'_>>, nothing: fn(&Hunk<'_>) -> bool| match name {
        Some(Name::Path(_, Stamp::Absent)) => true,
        Some(Name::Path(_, Stamp::Zero)) => !hunks.is_empty() && hunks.iter().all(nothing),
        _ => false,
    };
    let by_stamp = (
        stamped(&head.old, |hunk| (hunk.old_start, hunk.old_count) == (0, 0)),
        stamped(&head.new, |hunk| (hunk.new_start, hunk.new_count) == (0, 0)),
    );
    Ok(match (old, new, by_stamp) {
        (false, false, (true, false)) => (true, false),
        (false, false, (false, true)) => (false, true),
        _ => (old, new),
    })
}

/// The names in `---` and `+++`, `diff --git` or `Index:`, if any.
fn written<'p>(head: &Head<'p>) -> Result<Sides<'p>, PatchErrorKind> {
    let path = |name: &Option<Name<'p>>| match name {
        Some(Name::Path(path, _)) => Some(path.clone()),
        _ => None,
    };
    let prefixes = match head.git {
        Some(_) => Prefixes::Git,
        None => Prefixes::Plain,
    };
    let both = |pair| {
        let (old, new) = without_prefixes(pair, prefixes);
        (Some(old), Some(new))
    };
    if let (Some(old), Some(new)) = (path(&head.old), path(&head.new)) {
        return Ok(both((old, new)));
    }
    let halves = match head.git {
        Some(names) => split(names, b" ")?,
        None => None,
    };
    Ok(match (path(&head.old), path(&head.new), halves) {
        (Some(old), _, Some(halves)) if old == halves.0 => both(halves),
        (_, Some(new), Some(halves)) if new == halves.1 => both(halves),
        (Some(old), _, _) => (Some(without_letter(old, prefixes)), None),
        (_, Some(new), _) => (None, Some(without_letter(new, prefixes))),
        (None, None, Some(halves)) => both(halves),
        (None, None, None) => (head.index.clone(), head.index.clone()),
    })
}
