//! Syntax highlighting of the lines that a page shows.

use super::rows::Rows;
use super::visible_rows::{Piece, PieceKind};
use crate::syntax::Highlighter;
use crate::view::Row;

/// Reads the code of all rows that are not folded, as far as the budget of a page goes.
pub(super) fn read(views: &mut [Rows<'_, '_>], pieces: &[Piece]) {
    let mut words = Highlighter::of_a_page();
    for piece in pieces.iter().filter(|piece| piece.kind == PieceKind::Shown) {
        let file = &views[piece.view].view.files[piece.file];
        let name = file.new.as_ref().or(file.old.as_ref());
        let Some(mut reading) = words.read(name.map_or("", |name| &name[..]), b"") else {
            continue;
        };
        for row in &file.rows[piece.rows.clone()] {
            let Row::Lines { old, new } = row else {
                continue;
            };
            if let Some(old) = old.as_ref().filter(|_| !row.is_quiet() || new.is_none()) {
                words.old_line(&mut reading, old.text);
            }
            if let Some(new) = new {
                words.line(&mut reading, new.text);
            }
            // The other pane says the same, in other bytes.
            if let (Some(old), Some(new)) = (old, new)
                && row.is_quiet()
            {
                words.same(old.text, new.text);
            }
        }
    }
    let words = std::rc::Rc::new(words);
    for view in views {
        view.words = Some(words.clone());
    }
}
