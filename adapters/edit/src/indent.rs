//! Indentation carried over: a block may be indented otherwise than the file.

use crate::fold;
use crate::text::Lines;

/// The white space that a line starts with.
pub(crate) fn of(line: &[u8]) -> &[u8] {
    &line[..fold::leading_space(line)]
}

/// A line of a block and the line of the text that it stands for: how both are
/// indented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor<'i> {
    pub block: &'i [u8],
    pub text: &'i [u8],
}

/// How a text and a block are indented, as far as is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    text: IndentKind,
    /// Columns of a level; of tabs, one tab.
    text_unit: Option<usize>,
    block_unit: Option<usize>,
    /// Whether levels of the block are levels of the text, of another width perhaps.
    scales: bool,
    /// Whether new lines are indented with what the text is: then those that are not are
    /// meant so, as in a string of several lines.
    is_own: bool,
}

/// What indentation consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum IndentKind {
    /// None, or both.
    #[default]
    Unknown,
    Spaces,
    Tabs,
}

fn kind(indent: &[u8]) -> IndentKind {
    match indent.first() {
        Some(b' ') if indent.iter().all(|b| *b == b' ') => IndentKind::Spaces,
        Some(b'\t') if indent.iter().all(|b| *b == b'\t') => IndentKind::Tabs,
        _ => IndentKind::Unknown,
    }
}

/// Lines of the text around a place that tell its style.
const AROUND: usize = 2000;

impl Style {
    pub(crate) fn new<'l>(
        lines: &Lines<'_>,
        near: usize,
        block: impl Iterator<Item = &'l [u8]>,
        mut new: impl Iterator<Item = &'l [u8]>,
        mut known: impl Iterator<Item = Anchor<'l>>,
    ) -> Self {
        let around = near.saturating_sub(AROUND)..(near + AROUND).min(lines.len());
        let (text, text_unit) = survey(lines.range(around));
        let (_, block_unit) = survey(block);
        let (own, unit) = (block_unit.unwrap_or(1), text_unit.unwrap_or(1));
        let scales = |anchor: Anchor<'_>| anchor.block.len() * unit == anchor.text.len() * own;
        Self {
            text,
            text_unit,
            block_unit,
            scales: known.all(scales),
            is_own: text != IndentKind::Unknown && new.any(|line| kind(of(line)) == text),
        }
    }

    /// Whether the text is indented with tabs and this is not, or the other way
    /// round.
    pub(crate) fn turns(&self, indent: &[u8]) -> bool {
        !self.is_own
            && matches!(
                (self.text, kind(indent)),
                (IndentKind::Tabs, IndentKind::Spaces) | (IndentKind::Spaces, IndentKind::Tabs)
            )
    }
}

/// What lines are indented with, if all with the same, and by how much a line
/// usually goes deeper than the one before.
fn survey<'l>(lines: impl Iterator<Item = &'l [u8]>) -> (IndentKind, Option<usize>) {
    let mut found: Option<IndentKind> = None;
    let mut steps = [0u32; 17];
    let mut before = None;
    for line in lines.filter(|line| !fold::is_blank(line)) {
        let indent = of(line);
        if !indent.is_empty() {
            let kind = kind(indent);
            found = Some(match found {
                None => kind,
                Some(same) if same == kind => same,
                Some(_) => IndentKind::Unknown,
            });
        }
        if let Some(before) = before.replace(indent.len()) {
            let step = indent.len().saturating_sub(before);
            if (1..steps.len()).contains(&step) {
                steps[step] += 1;
            }
        }
    }
    let usual = (1..steps.len()).rev().max_by_key(|step| steps[*step]);
    let unit = usual.filter(|step| steps[*step] > 0);
    (found.unwrap_or_default(), unit)
}

/// How a line of the block's new text, indented by `indent`, is to be indented
/// in the text: as the line that it was, if it was one and is an edit of it, or
/// as those `near` it, which come in the order of their nearness.
pub(crate) fn carry(
    indent: &[u8],
    own: Option<Anchor<'_>>,
    near: &[Anchor<'_>],
    style: impl Fn() -> Style,
) -> Vec<u8> {
    let mut anchors = own.iter().chain(near);
    if let Some(same) = anchors.find(|anchor| anchor.block == indent) {
        return same.text.to_vec();
    }
    let Some(nearest) = own.iter().chain(near).next() else {
        return indent.to_vec();
    };
    if let Some(turned) = turned(indent, own.iter().chain(near)) {
        return turned;
    }
    let taken_over = near.iter().all(|anchor| anchor.block == anchor.text);
    let bare = near.iter().all(|anchor| anchor.text.is_empty());
    if taken_over && !bare {
        return indent.to_vec();
    }
    if let Some(deeper) = indent.strip_prefix(nearest.block) {
        return [nearest.text, &deepen(deeper, nearest, style())].concat();
    }
    let cut = match nearest.block.strip_prefix(indent) {
        Some(cut) => deepen(cut, nearest, style()).len(),
        None => nearest.block.len().saturating_sub(indent.len()),
    };
    nearest.text[..nearest.text.len().saturating_sub(cut)].to_vec()
}

/// An indentation with tabs for blanks or blanks for tabs, if all that is known of
/// the text is indented as the block is but for that.
fn turned<'i>(indent: &[u8], anchors: impl Iterator<Item = &'i Anchor<'i>>) -> Option<Vec<u8>> {
    let anchors: Vec<&Anchor<'_>> = anchors.collect();
    let has_tabs = |indent: &[u8]| indent.contains(&b'\t');
    let columns = |indent: &[u8], unit: usize| {
        let widths = indent.iter().map(|b| if *b == b'\t' { unit } else { 1 });
        widths.sum::<usize>()
    };
    let plain = |indent: &[u8]| indent.iter().all(|b| b"\t ".contains(b));
    let known = |a: &&&Anchor<'_>| !a.block.is_empty() && plain(a.block) && plain(a.text);
    let blanks = anchors.iter().filter(known).all(|a| !has_tabs(a.text));
    let told = anchors.iter().filter(known).any(|a| has_tabs(a.block));
    if !blanks || !told || !plain(indent) {
        return None;
    }
    [2, 4, 8, 3].into_iter().find_map(|unit| {
        let fits = |a: &&Anchor<'_>| columns(a.block, unit) == a.text.len();
        anchors
            .iter()
            .all(fits)
            .then(|| vec![b' '; columns(indent, unit)])
    })
}

/// Further levels, in the way of the text.
fn deepen(more: &[u8], at: &Anchor<'_>, style: Style) -> Vec<u8> {
    let text = match kind(at.text) {
        IndentKind::Unknown if at.text.is_empty() && !style.is_own => style.text,
        known => known,
    };
    match (kind(more), text) {
        (IndentKind::Spaces, IndentKind::Tabs) => {
            let unit = match (kind(at.block), kind(at.text)) {
                (IndentKind::Spaces, IndentKind::Tabs)
                    if at.block.len().is_multiple_of(at.text.len()) =>
                {
                    at.block.len() / at.text.len()
                }
                _ => style.block_unit.unwrap_or(4),
            };
            if unit < 2 || !more.len().is_multiple_of(unit) {
                // Alignment rather than levels.
                return more.to_vec();
            }
            vec![b'\t'; more.len() / unit]
        }
        (IndentKind::Tabs, IndentKind::Spaces) => {
            let unit = match (kind(at.block), kind(at.text)) {
                (IndentKind::Tabs, IndentKind::Spaces)
                    if at.text.len().is_multiple_of(at.block.len()) =>
                {
                    at.text.len() / at.block.len()
                }
                _ => style.text_unit.unwrap_or(4),
            };
            vec![b' '; more.len() * unit]
        }
        (IndentKind::Spaces, IndentKind::Spaces) => match (style.block_unit, style.text_unit) {
            // Levels of another width, and what is known of them fits.
            (Some(own), Some(unit))
                if own != unit
                    && style.scales
                    && !at.block.is_empty()
                    && at.block.len() * unit == at.text.len() * own
                    && more.len().is_multiple_of(own) =>
            {
                vec![b' '; more.len() / own * unit]
            }
            _ => more.to_vec(),
        },
        _ => more.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(indent: &str, anchors: &[(&str, &str)], style: Style) -> String {
        let anchors: Vec<Anchor<'_>> = anchors
            .iter()
            .map(|(block, text)| Anchor {
                block: block.as_bytes(),
                text: text.as_bytes(),
            })
            .collect();
        String::from_utf8(carry(indent.as_bytes(), None, &anchors, || style)).unwrap()
    }

    #[test]
    fn levels_that_the_block_shows_are_taken_from_the_text() {
        let style = Style::default();
        assert_eq!(
            carried("\t", &[("\t\t", "        "), ("\t", "    ")], style),
            "    "
        );
        assert_eq!(
            carried("    ", &[("  ", "   "), ("    ", "    ")], style),
            "    "
        );
        assert_eq!(carried("  ", &[("  ", "  ")], style), "  ");
    }

    #[test]
    fn further_levels_are_written_as_the_text_writes_them() {
        let style = Style::default();
        assert_eq!(
            carried("            ", &[("        ", "\t\t")], style),
            "\t\t\t"
        );
        assert_eq!(carried("\t\t", &[("\t", "  ")], style), "    ");
        assert_eq!(carried("    ", &[("", "        ")], style), "            ");
        let wider = Style {
            text: IndentKind::Spaces,
            text_unit: Some(4),
            block_unit: Some(2),
            scales: true,
            is_own: false,
        };
        assert_eq!(carried("    ", &[("  ", "    ")], wider), "        ");
        let tabs = Style {
            text: IndentKind::Tabs,
            text_unit: Some(1),
            block_unit: Some(4),
            scales: true,
            is_own: false,
        };
        assert_eq!(carried("    ", &[("", "")], tabs), "\t");
    }

    #[test]
    fn fewer_levels_are_cut_off() {
        let style = Style::default();
        assert_eq!(carried("", &[("      ", "    ")], style), "");
        assert_eq!(carried("    ", &[("        ", "\t\t")], style), "\t");
        assert_eq!(carried("", &[("    ", "    ")], style), "");
    }
}
