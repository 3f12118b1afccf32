//! Makes the two workbooks of a case.

use crate::case::{Case, Literal, SheetSpec, Step};
use crate::editor::Editor;
use crate::formula::{Formula, Mark};
use crate::model::{Book, Content, SheetId};
use crate::rng::Rng;
use crate::table::Maker;
use anyhow::{Result, anyhow, bail};
use mvdiff_grid::{Address, Area, ErrorCode, Refs, Value, date};
use std::collections::HashMap;

/// Both sides of a case, and what was done in between.
///
/// # Errors
/// If a step cannot be done; the message names it.
pub fn make(case: &Case) -> Result<Editor> {
    let mut book = Book::default();
    let mut makers = HashMap::new();
    for spec in &case.sheets {
        let (id, maker) =
            sheet(spec, &mut book).map_err(|e| anyhow!("sheet {:?}: {e}", spec.name))?;
        maker.map(|maker| makers.insert(id, maker));
    }
    let mut bench = Bench {
        editor: Editor::new(book),
        makers,
    };
    bench.all("before", &case.before)?;
    bench.editor = Editor::new(bench.editor.new);
    bench.all("steps", &case.steps)?;
    Ok(bench.editor)
}

/// The workbook and those who fill its tables.
struct Bench {
    editor: Editor,
    makers: HashMap<SheetId, Maker>,
}

fn sheet(spec: &SheetSpec, book: &mut Book) -> Result<(SheetId, Option<Maker>)> {
    let (id, maker) = if let Some(table) = &spec.table {
        let (id, maker) = Maker::sheet(table, &spec.name, book);
        (id, Some(maker))
    } else {
        let widest = spec.cells.iter().map(Vec::len).max().unwrap_or(0);
        (book.add_sheet(&spec.name, spec.cells.len(), widest), None)
    };
    book.sheet_mut(id).visibility = spec.visibility;
    let rows = book.sheet(id).rows.clone();
    fill(book, id, &rows, &spec.cells)?;
    Ok((id, maker))
}

/// Writes rows of literals into these rows.
fn fill(book: &mut Book, id: SheetId, rows: &[u32], cells: &[Vec<Literal>]) -> Result<()> {
    let cols = book.sheet(id).cols.clone();
    for (row, literals) in rows.iter().zip(cells) {
        for (col, literal) in cols.iter().zip(literals) {
            if let Some(content) = content(literal, book, id)? {
                book.sheet_mut(id).cells.insert((*row, *col), content);
            }
        }
    }
    Ok(())
}

/// What a literal stands for in this sheet.
fn content(literal: &Literal, book: &Book, own: SheetId) -> Result<Option<Content>> {
    let value = match literal {
        Literal::Nothing(()) => return Ok(None),
        Literal::Bool(is) => Value::Bool(*is),
        Literal::Number(number) => Value::Number(*number),
        Literal::Text(text) if text.starts_with('=') => {
            let formula = Formula::parse(text, book, own).map_err(|e| anyhow!(e))?;
            return Ok(Some(Content::Formula(formula)));
        }
        Literal::Text(text) => Value::Text(text.clone()),
        Literal::Typed(typed) => {
            if let Some(iso) = &typed.date {
                Value::Date(date::from_iso(iso).ok_or_else(|| anyhow!("{iso:?} is not a date"))?)
            } else if let Some(seconds) = typed.seconds {
                Value::Duration(seconds / 86_400.0)
            } else if let Some(code) = &typed.error {
                Value::Error(ErrorCode::parse(code).ok_or_else(|| anyhow!("no error {code:?}"))?)
            } else if let Some(text) = &typed.text {
                Value::Text(text.clone())
            } else if typed.blank {
                Value::Empty
            } else {
                bail!("a typed cell has one of date, seconds, error, text and blank")
            }
        }
    };
    Ok(Some(Content::Value(value)))
}

impl Bench {
    fn all(&mut self, list: &str, steps: &[Step]) -> Result<()> {
        for (at, step) in steps.iter().enumerate() {
            let number = at + 1;
            self.step(step)
                .map_err(|e| anyhow!("{list}, number {number}: {e}"))?;
        }
        Ok(())
    }

    fn sheet(&self, name: Option<&String>) -> Result<SheetId> {
        match name {
            Some(name) => self.editor.new.find(name).map_err(|e| anyhow!(e)),
            None => Ok(self.editor.new.sheets[0].id),
        }
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        let editor = &mut self.editor;
        let named = |name: &String| editor.new.find(name);
        let done = match step {
            Step::Edit { sheet, cell, to } => {
                let id = self.sheet(sheet.as_ref())?;
                let to = content(to, &self.editor.new, id)?;
                self.editor.edit(id, cell.parse()?, to)
            }
            Step::RemoveRows { sheet, at, count } => {
                let id = self.sheet(sheet.as_ref())?;
                self.editor.remove_rows(id, *at, *count)
            }
            Step::RemoveCols { sheet, at, count } => {
                let id = self.sheet(sheet.as_ref())?;
                self.editor.remove_cols(id, *at, *count)
            }
            Step::MoveRows {
                sheet,
                from,
                count,
                to,
                refs,
            } => {
                let id = self.sheet(sheet.as_ref())?;
                match refs {
                    Refs::Follow => self.editor.move_rows(id, *from, *count, *to),
                    Refs::Relative => self.editor.copy_rows_away(id, *from, *count, *to),
                }
            }
            Step::MoveCols {
                sheet,
                from,
                count,
                to,
            } => {
                let id = self.sheet(sheet.as_ref())?;
                self.editor.move_cols(id, *from, *count, *to)
            }
            Step::MoveRect { sheet, area, to } => {
                let id = self.sheet(sheet.as_ref())?;
                self.editor.move_rect(id, parse_area(area)?, to.parse()?)
            }
            Step::RemoveSheet { sheet } => named(sheet).map(|id| editor.remove_sheet(id)),
            Step::RenameSheet { sheet, to } => named(sheet).map(|id| editor.rename_sheet(id, to)),
            Step::MoveSheet { sheet, to } => named(sheet).and_then(|id| editor.move_sheet(id, *to)),
            Step::SetVisibility { sheet, to } => {
                named(sheet).map(|id| editor.set_visibility(id, *to))
            }
            Step::Merge { sheet, area } => {
                let id = self.sheet(sheet.as_ref())?;
                self.editor.toggle_merge(id, parse_area(area)?)
            }
            Step::Name { name, refers_to } => editor.set_name(name, refers_to.as_deref()),
            Step::Date1904 {} => {
                editor.new.date_1904 = true;
                Ok(())
            }
            Step::Share { sheet, col } => {
                let id = self.sheet(sheet.as_ref())?;
                let sheet = self.editor.new.sheet_mut(id);
                let col = *sheet
                    .cols
                    .get(*col)
                    .ok_or_else(|| anyhow!("no column {col}"))?;
                sheet.shared.push(col);
                Ok(())
            }
            Step::EditSome { .. }
            | Step::Fill { .. }
            | Step::InsertRows { .. }
            | Step::InsertCols { .. }
            | Step::Sort { .. }
            | Step::AddSheet { .. } => return self.larger_step(step),
        };
        done.map_err(|e| anyhow!(e))
    }

    /// Steps that take more than one change.
    fn larger_step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::EditSome {
                sheet,
                count,
                seed,
                rows,
                cols,
            } => {
                let id = self.sheet(sheet.as_ref())?;
                let (height, width) = self.editor.new.sheet(id).extent();
                let [rows, cols] = [
                    rows.unwrap_or([1, height - 1]),
                    cols.unwrap_or([0, width - 1]),
                ];
                self.edit_some(id, *count, *seed, [rows, cols])
            }
            Step::Fill {
                sheet,
                area,
                formula,
            } => self.fill_down(self.sheet(sheet.as_ref())?, parse_area(area)?, formula),
            Step::InsertRows {
                sheet,
                at,
                count,
                cells,
            } => self.insert_rows(self.sheet(sheet.as_ref())?, *at, *count, cells.as_deref()),
            Step::InsertCols {
                sheet,
                at,
                count,
                cells,
            } => self.insert_cols(self.sheet(sheet.as_ref())?, *at, *count, cells.as_deref()),
            Step::Sort {
                sheet,
                by,
                descending,
                rows,
            } => self.sort(self.sheet(sheet.as_ref())?, by, *descending, *rows),
            Step::AddSheet { name, at, cells } => {
                let spec = SheetSpec {
                    name: name.clone(),
                    table: None,
                    cells: cells.clone(),
                    visibility: mvdiff_grid::Visibility::Visible,
                };
                let book = &mut self.editor.new;
                sheet(&spec, book)?;
                let added = book.sheets.pop().ok_or_else(|| anyhow!("no sheet"))?;
                let at = at.unwrap_or(book.sheets.len()).min(book.sheets.len());
                book.sheets.insert(at, added);
                Ok(())
            }
            _ => unreachable!("`step` does the others"),
        }
    }

    fn maker(&mut self, id: SheetId) -> Result<&mut Maker> {
        let maker = self.makers.get_mut(&id);
        maker.ok_or_else(|| anyhow!("only a table can draw cells; give them as `cells`"))
    }

    fn edit_some(
        &mut self,
        id: SheetId,
        count: usize,
        seed: u64,
        [rows, cols]: [[usize; 2]; 2],
    ) -> Result<()> {
        let sheet = self.editor.new.sheet(id);
        let rows = sheet.rows[rows[0]..=rows[1]].to_vec();
        let cols = sheet.cols[cols[0]..=cols[1]].to_vec();
        let mut rng = Rng::named(seed, "edits");
        let all: Vec<(u32, u32)> = rows
            .iter()
            .flat_map(|row| cols.iter().map(move |col| (*row, *col)))
            .collect();
        let mut left = count;
        for key in rng.sample(&all, all.len()) {
            if left == 0 {
                break;
            }
            let was = self.editor.new.sheet(id).cells.get(&key).cloned();
            if let Some(edited) = self.maker(id)?.edited(was.as_ref()) {
                self.editor.new.sheet_mut(id).cells.insert(key, edited);
                left -= 1;
            }
        }
        if left > 0 {
            bail!("there are not {count} cells to edit");
        }
        Ok(())
    }

    /// Relative references go along with the cell, as when a formula is filled down.
    fn fill_down(&mut self, id: SheetId, area: Area, formula: &str) -> Result<()> {
        let book = &self.editor.new;
        let first = Formula::parse(formula, book, id).map_err(|e| anyhow!(e))?;
        let sheet = book.sheet(id).clone();
        let shift = |mark: &mut Mark, axis: &[u32], by: u32| -> Result<()> {
            let at = axis.iter().position(|line| *line == mark.id);
            let to = at.map(|at| at + by as usize).filter(|_| !mark.absolute);
            if let Some(to) = to {
                mark.id = *axis
                    .get(to)
                    .ok_or_else(|| anyhow!("{formula:?} leads too far"))?;
            }
            Ok(())
        };
        for row in area.first.row..=area.last.row {
            for col in area.first.col..=area.last.col {
                let mut formula = first.clone();
                for reference in formula.references_mut().filter(|r| r.sheet.is_none()) {
                    for corner in std::iter::once(&mut reference.first).chain(&mut reference.last) {
                        let (down, right) = (row - area.first.row, col - area.first.col);
                        corner
                            .row
                            .iter_mut()
                            .try_for_each(|m| shift(m, &sheet.rows, down))?;
                        corner
                            .col
                            .iter_mut()
                            .try_for_each(|m| shift(m, &sheet.cols, right))?;
                    }
                }
                let key = sheet.key(Address::new(row, col)).map_err(|e| anyhow!(e))?;
                let cells = &mut self.editor.new.sheet_mut(id).cells;
                cells.insert(key, Content::Formula(formula));
            }
        }
        Ok(())
    }

    fn insert_rows(
        &mut self,
        id: SheetId,
        at: usize,
        count: usize,
        cells: Option<&[Vec<Literal>]>,
    ) -> Result<()> {
        let count = cells.map_or(count, <[Vec<Literal>]>::len);
        let rows = self
            .editor
            .insert_rows(id, at, count)
            .map_err(|e| anyhow!(e))?;
        if let Some(cells) = cells {
            return fill(&mut self.editor.new, id, &rows, cells);
        }
        let width = self.editor.new.sheet(id).extent().1;
        let cols = self.editor.new.sheet(id).cols[..width].to_vec();
        for (i, row) in rows.iter().enumerate() {
            let above = (at + i)
                .checked_sub(1)
                .map(|above| self.editor.new.sheet(id).rows[above]);
            let mut made = HashMap::new();
            self.maker(id)?
                .fill(*row, above.filter(|_| at > 1), &cols, &mut made);
            self.editor.new.sheet_mut(id).cells.extend(made);
        }
        Ok(())
    }

    fn insert_cols(
        &mut self,
        id: SheetId,
        at: usize,
        count: usize,
        cells: Option<&[Vec<Literal>]>,
    ) -> Result<()> {
        let count = cells.map_or(count, <[Vec<Literal>]>::len);
        let cols = self
            .editor
            .insert_cols(id, at, count)
            .map_err(|e| anyhow!(e))?;
        let height = self.editor.new.sheet(id).extent().0;
        let rows = self.editor.new.sheet(id).rows.clone();
        for (i, col) in cols.iter().enumerate() {
            let Some(literals) = cells.and_then(|cells| cells.get(i)) else {
                let mut made = HashMap::new();
                self.maker(id)?
                    .fill_col(*col, &rows[..height], Some(rows[0]), &mut made);
                self.editor.new.sheet_mut(id).cells.extend(made);
                continue;
            };
            for (row, literal) in rows.iter().zip(literals) {
                if let Some(content) = content(literal, &self.editor.new, id)? {
                    let cells = &mut self.editor.new.sheet_mut(id).cells;
                    cells.insert((*row, *col), content);
                }
            }
        }
        Ok(())
    }

    fn sort(
        &mut self,
        id: SheetId,
        by: &[usize],
        descending: bool,
        rows: Option<[usize; 2]>,
    ) -> Result<()> {
        let sheet = self.editor.new.sheet(id);
        let [first, last] = rows.unwrap_or([1, sheet.extent().0 - 1]);
        let key = |row: usize, by: usize| {
            let content = sheet.cells.get(&(sheet.rows[first + row], sheet.cols[by]));
            match content {
                Some(Content::Value(Value::Number(number) | Value::Date(number))) => (*number, ""),
                Some(Content::Value(Value::Text(text))) => (f64::INFINITY, text.as_str()),
                _ => (f64::INFINITY, ""),
            }
        };
        let mut order: Vec<usize> = (0..=last - first).collect();
        order.sort_by(|a, b| {
            let compared = by.iter().map(|by| {
                let (a, b) = (key(*a, *by), key(*b, *by));
                a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1))
            });
            let order = compared.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then);
            if descending { order.reverse() } else { order }
        });
        self.editor
            .reorder_rows(id, first, &order)
            .map_err(|e| anyhow!(e))
    }
}

fn parse_area(text: &str) -> Result<Area> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    Ok(Area {
        first: first.parse()?,
        last: last.parse()?,
    })
}
