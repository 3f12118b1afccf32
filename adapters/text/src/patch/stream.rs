//! Splits a stream into commits and reads their headers.

use super::cursor::{Cursor, bare};

/// Whether a new changeset starts at the current line, which is outside files.
pub(super) fn begins(cursor: Cursor<'_>) -> bool {
    let line = bare(cursor.peek());
    match line.first() {
        Some(b'c') => commit_line(line).is_some() || hg_log_id(line).is_some() || log_line(cursor),
        Some(b'F') => is_mail_line(line),
        Some(b'#') => line == b"# HG changeset patch",
        Some(b'-') => is_svn_rule(line) && svn_revision(cursor.second()).is_some(),
        Some(b'0'..=b'9' | b'a'..=b'f') => log_line(cursor),
        _ => false,
    }
}

/// Whether the message of the changeset that starts with this line is not
/// indented, as with Mercurial and Subversion.
pub(super) fn has_bare_message(line: &[u8]) -> bool {
    line == b"# HG changeset patch" || hg_log_id(line).is_some() || is_svn_rule(line)
}

/// `commit ID`, with or without decoration.
fn commit_line(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"commit ")?;
    let id = hex(rest);
    let rest = &rest[id.len()..];
    (id.len() >= 7 && (rest.is_empty() || rest.starts_with(b" ("))).then_some(id)
}

/// `ID` or `ID subject`: a one-line log. A short id counts only if a file
/// follows, with a blank line between in custom formats.
fn log_line(cursor: Cursor<'_>) -> bool {
    let line = bare(cursor.peek());
    let id = hex(line);
    match line.get(id.len()) {
        None => is_full(id),
        Some(b' ') => is_full(id) || (id.len() >= 7 && is_before_file(cursor)),
        _ => false,
    }
}

/// `ID subject`: a commit without files in a one-line log.
pub(super) fn is_short_line(line: &[u8]) -> bool {
    let id = hex(line);
    id.len() >= 7 && line.get(id.len()) == Some(&b' ')
}

fn is_before_file(mut cursor: Cursor<'_>) -> bool {
    cursor.take();
    if bare(cursor.peek()).is_empty() {
        cursor.take();
    }
    cursor.peek().starts_with(b"diff --git ")
}

fn is_full(id: &[u8]) -> bool {
    matches!(id.len(), 40 | 64)
}

/// The leading hex digits of a text.
fn hex(text: &[u8]) -> &[u8] {
    let is_digit = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    &text[..text.iter().take(65).take_while(is_digit).count()]
}

/// `From WHOM Mon Sep 17 00:00:00 2001`: a mail in a mailbox.
pub(super) fn is_mail_line(line: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    let mut words = rest.split(|&byte| byte == b' ').filter(|w| !w.is_empty());
    words.next().is_some()
        && words.next().is_some_and(|day| DAYS.contains(&day))
        && words.next().is_some_and(|month| MONTHS.contains(&month))
}

/// Whether the text starts with the header fields of a mail.
pub(super) fn is_mail_head(mut cursor: Cursor<'_>) -> bool {
    let is_field = |line: &[u8]| {
        let name = line
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
            .count();
        name > 0 && line[name..].starts_with(b":")
    };
    let mut has_subject = false;
    let mut is_first = true;
    loop {
        let line = bare(cursor.take());
        let is_folded = !is_first && matches!(line.first(), Some(b' ' | b'\t'));
        if line.is_empty() || !(is_folded || is_field(line)) {
            return has_subject && line.is_empty();
        }
        has_subject |= field(line, b"Subject:").is_some();
        is_first = false;
    }
}

fn field<'p>(line: &'p [u8], name: &[u8]) -> Option<&'p [u8]> {
    let start = line.get(..name.len())?;
    start
        .eq_ignore_ascii_case(name)
        .then(|| line[name.len()..].trim_ascii())
}

fn is_svn_rule(line: &[u8]) -> bool {
    line.len() == 72 && line.iter().all(|&byte| byte == b'-')
}

/// `r12 | …`.
fn svn_revision(line: &[u8]) -> Option<&[u8]> {
    let digits = line
        .strip_prefix(b"r")?
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    (digits > 0 && line[1 + digits..].starts_with(b" | ")).then(|| &line[..=digits])
}

/// `changeset:   12:ID`.
fn hg_log_id(line: &[u8]) -> Option<&[u8]> {
    let rest = field(line, b"changeset:")?;
    let colon = rest.iter().position(|&byte| byte == b':')?;
    let id = &rest[colon + 1..];
    (hex(id).len() == id.len() && id.len() >= 7).then_some(id)
}

/// The facts in the header of a changeset.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts<'p> {
    pub(super) commit: Option<&'p [u8]>,
    pub(super) subject: Option<&'p [u8]>,
}

/// Reads the header of a changeset, from its first line.
pub(super) fn facts(head: &[u8]) -> Facts<'_> {
    let mut lines = head.split(|&byte| byte == b'\n').map(bare);
    let first = lines.next().unwrap_or_default();
    if first == b"# HG changeset patch" {
        return hg_facts(lines);
    }
    let (commit, subject) = if let Some(id) = commit_line(first) {
        let mut message = lines.skip_while(|line| !line.is_empty());
        (
            Some(id),
            message.find_map(|line| line.strip_prefix(b"    ")),
        )
    } else if let Some(id) = hg_log_id(first) {
        (Some(id), lines.find_map(|line| field(line, b"summary:")))
    } else if is_svn_rule(first) {
        let revision = lines.next().and_then(svn_revision);
        (revision, lines.skip_while(|line| !line.is_empty()).nth(1))
    } else if let Some(sender) = first.strip_prefix(b"From ") {
        let is_id = |id: &&[u8]| id.len() >= 7 && id.iter().any(|&digit| digit != b'0');
        (Some(hex(sender)).filter(is_id), mail_subject(head))
    } else {
        let id = hex(first);
        (Some(id), first.get(id.len()..))
    };
    Facts {
        commit,
        subject: text(subject),
    }
}

fn hg_facts<'p>(lines: impl Iterator<Item = &'p [u8]>) -> Facts<'p> {
    let mut facts = Facts::default();
    for line in lines {
        if let Some(id) = line.strip_prefix(b"# Node ID ") {
            facts.commit = text(Some(id));
        } else if !line.starts_with(b"# ") && !line.trim_ascii().is_empty() {
            facts.subject = text(Some(line));
            break;
        }
    }
    facts
}

/// The subject of a mail without `[PATCH 1/2]`; if folded, only its first line.
pub(super) fn mail_subject(head: &[u8]) -> Option<&[u8]> {
    let fields = head.split(|&byte| byte == b'\n').map(bare);
    let mut subject = fields
        .take_while(|line| !line.is_empty())
        .find_map(|line| field(line, b"Subject:"))?;
    while let Some(tag) = subject.strip_prefix(b"[") {
        let Some(end) = tag.iter().position(|&byte| byte == b']') else {
            break;
        };
        if !tag[..end]
            .windows(5)
            .any(|w| w.eq_ignore_ascii_case(b"patch"))
        {
            break;
        }
        subject = tag[end + 1..].trim_ascii_start();
    }
    text(Some(subject))
}

/// A text, if it is not empty.
fn text(text: Option<&[u8]>) -> Option<&[u8]> {
    text.map(<[u8]>::trim_ascii).filter(|text| !text.is_empty())
}
