//! Writes the result, with conflict markers as git writes them.

use super::chunks::{Chunk, Clash};
use super::{Favor, MergeOptions, TextConflict, text};
use crate::Lines;

/// The contents of a conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConflictStyle {
    /// Ours and theirs.
    #[default]
    Merge,
    /// Ours, base and theirs.
    Diff3,
    /// Ours, base and theirs, without a common prefix and suffix.
    Zdiff3,
}

/// How to write conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerOptions {
    /// The contents of a conflict.
    pub style: ConflictStyle,
    /// Length of a marker, in characters.
    pub size: usize,
    /// Labels after the markers of ours, base and theirs.
    pub labels: [String; 3],
}

impl Default for MarkerOptions {
    fn default() -> Self {
        Self {
            style: ConflictStyle::Merge,
            size: 7,
            labels: ["ours", "base", "theirs"].map(str::to_owned),
        }
    }
}

/// Output buffer of the result.
struct Output<'m> {
    bytes: Vec<u8>,
    lines: u32,
    options: &'m MergeOptions,
}

impl Output<'_> {
    /// Ends an unterminated line before another one follows.
    fn break_line(&mut self, cr: bool) {
        if !self.bytes.is_empty() && !self.bytes.ends_with(b"\n") {
            self.bytes
                .extend_from_slice(if cr { b"\r\n" } else { b"\n" });
        }
    }

    fn line(&mut self, line: &[u8]) {
        self.break_line(false);
        self.bytes.extend_from_slice(line);
        self.lines += 1;
    }

    fn marker(&mut self, letter: char, label: &str, cr: bool) {
        self.break_line(cr);
        let mark: String = std::iter::repeat_n(letter, self.options.markers.size).collect();
        self.bytes.extend_from_slice(mark.as_bytes());
        if !label.is_empty() {
            self.bytes.push(b' ');
            self.bytes.extend_from_slice(label.as_bytes());
        }
        self.bytes
            .extend_from_slice(if cr { b"\r\n" } else { b"\n" });
        self.lines += 1;
    }
}

/// Writes the result and returns its conflicts.
pub(super) fn write(
    lines: &[Lines<'_>; 3],
    order: &[u32],
    chunks: &[Chunk],
    options: &MergeOptions,
) -> (Vec<u8>, Vec<TextConflict>) {
    let mut out = Output {
        bytes: Vec::new(),
        lines: 0,
        options,
    };
    let mut conflicts = Vec::new();
    for chunk in chunks {
        let (side, own) = match chunk {
            Chunk::Same(places) => {
                for line in &order[places.clone()] {
                    out.line(lines[0].get(*line as usize));
                }
                continue;
            }
            Chunk::Ours(hunk) | Chunk::Both(hunk) => (1, &hunk.lines),
            Chunk::Theirs(hunk) => (2, &hunk.lines),
            Chunk::Common(ours, _) => (1, ours),
            Chunk::Conflict(clash) => {
                conflicts.extend(conflict(&mut out, lines, order, clash));
                continue;
            }
        };
        for line in own {
            out.line(lines[side].get(*line as usize));
        }
    }
    (out.bytes, conflicts)
}

fn conflict(
    out: &mut Output<'_>,
    lines: &[Lines<'_>; 3],
    order: &[u32],
    clash: &Clash,
) -> Option<TextConflict> {
    let base: Vec<u32> = order[clash.place.clone()].to_vec();
    let parts = [&base, &clash.ours, &clash.theirs];
    let favor = out.options.favor;
    if let Some(favor) = favor {
        let taken: &[usize] = match favor {
            Favor::Ours => &[1],
            Favor::Theirs => &[2],
            Favor::Union => &[1, 2],
        };
        for side in taken {
            for line in parts[*side] {
                out.line(lines[*side].get(*line as usize));
            }
        }
        return None;
    }
    let found = TextConflict {
        line: out.lines + 1,
        base: base.iter().map(|line| text(&lines[0], *line)).collect(),
        ours: clash
            .ours
            .iter()
            .map(|line| text(&lines[1], *line))
            .collect(),
        theirs: clash
            .theirs
            .iter()
            .map(|line| text(&lines[2], *line))
            .collect(),
    };
    let cr = has_returns(&lines[1], &clash.ours) && has_returns(&lines[2], &clash.theirs);
    let [ours, old, theirs] = &out.options.markers.labels.clone();
    let style = out.options.markers.style;
    out.marker('<', ours, cr);
    for line in &clash.ours {
        out.line(lines[1].get(*line as usize));
    }
    if style != ConflictStyle::Merge {
        out.marker('|', old, cr);
        for line in &base {
            out.line(lines[0].get(*line as usize));
        }
    }
    out.marker('=', "", cr);
    for line in &clash.theirs {
        out.line(lines[2].get(*line as usize));
    }
    out.marker('>', theirs, cr);
    Some(found)
}

/// Whether the line before these, or the first line of the text, ends with a
/// carriage return.
fn has_returns(lines: &Lines<'_>, own: &[u32]) -> bool {
    let at = own.first().map_or(0, |line| line.saturating_sub(1)) as usize;
    at < lines.len() && lines.get(at).ends_with(b"\r\n")
}
