//! The expected answer for a pair, as JSON.

use super::{RandomKind, draft::Draft, name};
use crate::model::Sheet;
use crate::positions::Positions;
use crate::truth::{Matching, operations};
use anyhow::Result;
use mvdiff_grid::{CellData, DiffOp};
use serde_json::{Map, Value as Json, json};

/// Rows, columns and cells of the table that changed, and the operations of the
/// whole workbook.
pub fn truth(draft: &Draft, kind: RandomKind) -> Result<Vec<u8>> {
    let editor = &draft.editor;
    let (old, new) = (editor.old.sheet(draft.sheet), editor.new.sheet(draft.sheet));
    let ops = operations(editor, Matching::Positions);
    let mut truth = Map::new();
    let mut lists: [Vec<Json>; 8] = Default::default();
    let [
        moved_rows,
        moved_cols,
        added_rows,
        removed_rows,
        added_cols,
        removed_cols,
        edits,
        rects,
    ] = &mut lists;
    let moved = |src: u32, count: u32, dst: u32| -> Json {
        (0..count).map(|i| json!([src + i, dst + i])).collect()
    };
    for op in ops.iter().filter(|op| op.sheet() == Some(&new.name)) {
        match op {
            DiffOp::BlockMovedRows {
                src_start_row,
                row_count,
                dst_start_row,
                ..
            } => {
                moved_rows.push(moved(*src_start_row, *row_count, *dst_start_row));
            }
            DiffOp::BlockMovedColumns {
                src_start_col,
                col_count,
                dst_start_col,
                ..
            } => {
                moved_cols.push(moved(*src_start_col, *col_count, *dst_start_col));
            }
            DiffOp::BlockMovedRect {
                src_start_row: row,
                src_start_col: col,
                row_count,
                col_count,
                dst_start_row,
                dst_start_col,
                ..
            } => rects.push(json!([
                row,
                col,
                row_count,
                col_count,
                dst_start_row,
                dst_start_col
            ])),
            DiffOp::RowAdded { row_idx, .. } => added_rows.push(json!(row_idx)),
            DiffOp::RowRemoved { row_idx, .. } => removed_rows.push(json!(row_idx)),
            DiffOp::ColumnAdded { col_idx, .. } => added_cols.push(json!(col_idx)),
            DiffOp::ColumnRemoved { col_idx, .. } => removed_cols.push(json!(col_idx)),
            DiffOp::CellEdited { addr, .. } => edits.push(json!([addr.0.row, addr.0.col])),
            _ => {}
        }
    }
    let names = [
        "moved_rows",
        "moved_cols",
        "added_rows",
        "removed_rows",
        "added_cols",
        "removed_cols",
        "edits",
        "rects",
    ];
    truth.insert("kind".into(), json!(name(kind)));
    truth.extend(
        names
            .map(str::to_owned)
            .into_iter()
            .zip(lists.map(Json::Array)),
    );
    let ((rows, cols), (new_rows, new_cols)) = (old.extent(), new.extent());
    truth.insert("shape".into(), json!([rows, cols, new_rows, new_cols]));
    // Rows that nothing distinguishes could have come and gone in many ways,
    // and of sorted rows many sets could be the ones that moved.
    let exact = editor.sorted.is_empty() && kind != RandomKind::Duplicates;
    truth.insert("exact".into(), json!(exact));
    truth.insert("ideal".into(), json!(ops.len()));
    truth.insert("sheet".into(), json!(new.name));
    truth.insert("did".into(), json!(draft.did));
    truth.insert(
        "ops".into(),
        serde_json::to_value(crate::expect::patterns(&ops)?)?,
    );
    let was = Positions::new(&editor.old, &editor.old);
    let is = Positions::new(&editor.new, &editor.old);
    truth.insert("old".into(), cells(old, &was)?);
    truth.insert("new".into(), cells(new, &is)?);
    let mut bytes = serde_json::to_vec_pretty(&truth)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The cells of a sheet by address.
fn cells(sheet: &Sheet, places: &Positions<'_>) -> Result<Json> {
    let filled = sheet.placed().filter(|(_, content)| !content.is_empty());
    let cells = filled.map(|(at, content)| {
        let cell: CellData = content.render(places, sheet.id);
        Ok((at.to_string(), serde_json::to_value(cell)?))
    });
    Ok(Json::Object(cells.collect::<Result<Map<String, Json>>>()?))
}
