//! Heights, widths, hidden and grouped lines.

use super::raw::{self, Element};
use crate::cell_map::CellMap;
use crate::{DiffOp, LineState, MAX_COLS};
use std::collections::BTreeMap;

/// What becomes of a row or a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LineChange {
    pub state: Option<LineState>,
    /// Its height or width; none inside for one that is not set.
    #[allow(clippy::option_option, reason = "no change, and a change to none")]
    pub size: Option<Option<f64>>,
}

impl LineChange {
    fn state_on(&self, tag: &str) -> String {
        let Some(state) = self.state else {
            return tag.to_owned();
        };
        let yes = |is: bool| is.then_some("1");
        let level = state.level.to_string();
        let tag = raw::set(tag, "hidden", yes(state.hidden));
        let tag = raw::set(&tag, "outlineLevel", (state.level > 0).then_some(&level));
        raw::set(&tag, "collapsed", yes(state.collapsed))
    }

    pub fn on_row(&self, tag: &str) -> String {
        let tag = self.state_on(tag);
        match self.size {
            None => tag,
            Some(size) => {
                let said = size.map(|size| size.to_string());
                let tag = raw::set(&tag, "ht", said.as_deref());
                raw::set(&tag, "customHeight", size.map(|_| "1"))
            }
        }
    }

    fn on_column(&self, tag: &str) -> String {
        let tag = self.state_on(tag);
        match self.size {
            None => tag,
            Some(size) => {
                let said = size.map(|size| size.to_string());
                let tag = raw::set(&tag, "width", said.as_deref());
                raw::set(&tag, "customWidth", size.map(|_| "1"))
            }
        }
    }
}

/// What happened to the rows and the columns of a sheet.
#[derive(Default)]
pub(super) struct LineChanges {
    pub rows: BTreeMap<u32, LineChange>,
    pub cols: BTreeMap<u32, LineChange>,
}

impl LineChanges {
    pub fn take(&mut self, op: &DiffOp) {
        match op {
            DiffOp::RowsHidden {
                start_row,
                row_count,
                to,
                ..
            } => {
                for row in *start_row..start_row.saturating_add(*row_count) {
                    self.rows.entry(row).or_default().state = Some(*to);
                }
            }
            DiffOp::ColumnsHidden {
                start_col,
                col_count,
                to,
                ..
            } => {
                for col in *start_col..start_col.saturating_add(*col_count) {
                    self.cols.entry(col).or_default().state = Some(*to);
                }
            }
            DiffOp::RowHeight {
                start_row,
                row_count,
                to,
                ..
            } => {
                for row in *start_row..start_row.saturating_add(*row_count) {
                    self.rows.entry(row).or_default().size = Some(*to);
                }
            }
            DiffOp::ColumnWidth {
                start_col,
                col_count,
                to,
                ..
            } => {
                for col in *start_col..start_col.saturating_add(*col_count) {
                    self.cols.entry(col).or_default().size = Some(*to);
                }
            }
            _ => {}
        }
    }

    /// The new `cols` element, empty if there is nothing to say; and the styles of
    /// columns, first, last, style.
    pub fn columns(
        &self,
        cols: Option<&Element<'_>>,
        map: &CellMap,
        prefix: &str,
    ) -> (String, Vec<(u32, u32, u32)>) {
        let old: Vec<Element<'_>> = cols.map(Element::children).unwrap_or_default();
        let spans: Vec<(u32, u32)> = old
            .iter()
            .map(|col| {
                (
                    col.number("min").unwrap_or(1),
                    col.number("max").unwrap_or(1),
                )
            })
            .collect();
        let back = map.cols.inverse();
        let mut runs: Vec<(u32, u32, String)> = Vec::new();
        for col in 0..MAX_COLS {
            // A column that came is as any other, unless the report says how it looks; one
            // that came in at the edge is as the last one.
            let at = back.get(col).and_then(|from| {
                let from = from.min(MAX_COLS - 1);
                let mut spans = spans.iter();
                spans.position(|(min, max)| (*min..=*max).contains(&(from + 1)))
            });
            let change = self.cols.get(&col);
            let tag = match (at, change) {
                (None, None) => continue,
                (at, change) => {
                    let plain = format!("<{prefix}col/>");
                    let tag = at.map_or(plain, |at| {
                        let tag = raw::set(old[at].tag, "min", None);
                        raw::set(&tag, "max", None)
                    });
                    let tag = match tag.strip_suffix("/>") {
                        Some(_) => tag,
                        None => format!("{}/>", tag.trim_end_matches('>')),
                    };
                    change.map_or(tag.clone(), |change| change.on_column(&tag))
                }
            };
            if !tag.contains('=') {
                // It is a column like any other.
                continue;
            }
            match runs.last_mut() {
                Some((_, last, same)) if *last + 1 == col && *same == tag => *last = col,
                _ => runs.push((col, col, tag)),
            }
        }
        let styles = runs.iter().filter_map(|(first, last, tag)| {
            let style = raw::attribute(tag, "style")?.trim().parse().ok()?;
            Some((*first, *last, style))
        });
        let styles = styles.collect();
        if runs.is_empty() {
            return (String::new(), styles);
        }
        let inner: String = runs
            .iter()
            .map(|(first, last, tag)| {
                let name = format!("<{prefix}col");
                let rest = tag.strip_prefix(&name).unwrap_or(tag);
                format!("{name} min=\"{}\" max=\"{}\"{rest}", first + 1, last + 1)
            })
            .collect();
        (format!("<{prefix}cols>{inner}</{prefix}cols>"), styles)
    }
}
