//! Realistic tables: a header, an id, words, amounts, counts, states.

use crate::formula::{Corner, Formula, Mark, Part, Reference};
use crate::model::{Book, Cells, Content, SheetId};
use crate::rng::Rng;
use mvdiff_grid::Value;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

const WORDS: [&str; 32] = [
    "anchor", "birch", "canvas", "drift", "echo", "fathom", "garnet", "hollow", "inlet", "jasper",
    "kiln", "lantern", "meadow", "nimbus", "orchard", "pebble", "quill", "rampart", "saddle",
    "thicket", "upland", "vessel", "wharf", "yonder", "zenith", "cobalt", "ember", "flint",
    "glacier", "heron", "ivory", "juniper",
];
const STATES: [&str; 4] = ["open", "closed", "waiting", "refused"];
const HEADERS: [&str; 7] = ["name", "amount", "count", "state", "paid", "due", "note"];

/// How a table is filled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// What the cells are drawn from.
    pub seed: u64,
    /// Rows, the header among them.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Whether there is a header.
    #[serde(default = "yes")]
    pub header: bool,
    /// Rows above the header, with a text in the first cell of some.
    #[serde(default)]
    pub title_rows: usize,
    /// One row in so many is blank.
    #[serde(default)]
    pub blank_every: usize,
    /// So many different rows, again and again.
    #[serde(default)]
    pub distinct: usize,
    /// Few different words and numbers, so that only the id tells rows apart.
    #[serde(default)]
    pub dull: bool,
    /// What formulas there are.
    #[serde(default)]
    pub formulas: Formulas,
}

fn yes() -> bool {
    true
}

/// What formulas a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formulas {
    /// None.
    #[default]
    None,
    /// A column that computes from its own row.
    OwnRow,
    /// One from its own row, one that carries on from the row above, one with an
    /// absolute reference to the first row of data, and a row of totals.
    Mixed,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnKind {
    Id,
    Words,
    Amount,
    Count,
    State,
    Flag,
    Date,
    OwnRow,
    Running,
    Absolute,
    /// A column that came later.
    Late,
}

/// Fills the rows of a table, also the ones that come later.
#[derive(Clone, Debug)]
pub struct Maker {
    rng: Rng,
    kinds: HashMap<u32, ColumnKind>,
    amount: Option<u32>,
    count: Option<u32>,
    first: u32,
    next: usize,
    dull: bool,
    pool: Vec<HashMap<u32, Content>>,
}

impl Maker {
    /// A new sheet with a table in it.
    pub fn sheet(spec: &TableSpec, name: &str, book: &mut Book) -> (SheetId, Self) {
        let total = usize::from(spec.formulas == Formulas::Mixed);
        let id = book.add_sheet(name, spec.title_rows + spec.rows + total, spec.cols);
        let sheet = book.sheet(id);
        let (rows, cols) = (sheet.rows.clone(), sheet.cols[..spec.cols].to_vec());
        let start = spec.title_rows + usize::from(spec.header);
        let mut maker = Self::new(spec, &cols, rows[start.min(rows.len() - 1)]);
        let mut cells = Cells::new();
        for (at, row) in rows[..spec.title_rows].iter().enumerate() {
            if at % 2 == 0 {
                let title = format!("{} {}", WORDS[at % WORDS.len()], spec.seed % 1000);
                cells.insert((*row, cols[0]), Content::text(title));
            }
        }
        if spec.header {
            let row = rows[spec.title_rows];
            cells.extend(Self::header(&cols).map(|(col, text)| ((row, col), text)));
        }
        let end = spec.title_rows + spec.rows;
        let mut above = None;
        for (at, row) in rows[start..end].iter().enumerate() {
            let blank = spec.blank_every > 0 && at % spec.blank_every == spec.blank_every - 1;
            if !blank {
                maker.fill(*row, above, &cols, &mut cells);
                above = Some(*row);
            }
        }
        if total == 1 {
            maker.totals(rows[end], (rows[start], rows[end - 1]), &cols, &mut cells);
        }
        book.sheet_mut(id).cells = cells;
        (id, maker)
    }

    fn new(spec: &TableSpec, cols: &[u32], first: u32) -> Self {
        let kind = |at: usize| match (at, at % 7) {
            (0, _) => ColumnKind::Id,
            (_, 2) => ColumnKind::Amount,
            (_, 3) => ColumnKind::Count,
            (_, 4) if spec.formulas == Formulas::Mixed => ColumnKind::Running,
            (_, 4) => ColumnKind::State,
            (_, 5) if spec.formulas != Formulas::None => ColumnKind::OwnRow,
            (_, 5) => ColumnKind::Flag,
            (_, 6) if spec.formulas == Formulas::Mixed => ColumnKind::Absolute,
            (_, 6) => ColumnKind::Date,
            _ => ColumnKind::Words,
        };
        let mut maker = Self {
            rng: Rng::named(spec.seed, "table"),
            kinds: cols
                .iter()
                .enumerate()
                .map(|(at, col)| (*col, kind(at)))
                .collect(),
            amount: cols.get(2).copied(),
            count: cols.get(3).copied(),
            first,
            next: 0,
            dull: spec.dull,
            pool: Vec::new(),
        };
        let pool = (0..spec.distinct).map(|_| maker.values(cols)).collect();
        maker.pool = pool;
        maker
    }

    fn header(cols: &[u32]) -> impl Iterator<Item = (u32, Content)> {
        let header = |(at, col): (usize, &u32)| {
            let name = match at {
                0 => "id".to_owned(),
                _ if at < 8 => HEADERS[at - 1].to_owned(),
                _ => format!("{} {}", HEADERS[(at - 1) % 7], (at - 1) / 7 + 1),
            };
            (*col, Content::text(name))
        };
        let all: Vec<(u32, Content)> = cols.iter().enumerate().map(header).collect();
        all.into_iter()
    }

    /// Puts what belongs there into the cells of a row below another.
    pub fn fill(&mut self, row: u32, above: Option<u32>, cols: &[u32], cells: &mut Cells) {
        let values = if self.pool.is_empty() {
            self.values(cols)
        } else {
            self.rng.pick(&self.pool.clone()).clone()
        };
        for col in cols {
            let formula = self.formula(row, above, *col, cols);
            let content = formula.or_else(|| values.get(col).cloned());
            content.map(|content| cells.insert((row, *col), content));
        }
    }

    /// Puts what belongs there into the cells of a column that came later.
    pub fn fill_col(&mut self, col: u32, rows: &[u32], header: Option<u32>, cells: &mut Cells) {
        self.kinds.insert(col, ColumnKind::Late);
        for row in rows {
            let content = if header == Some(*row) {
                Content::text(format!(
                    "{} {}",
                    self.rng.pick(&WORDS),
                    self.rng.below(1000)
                ))
            } else {
                self.value(ColumnKind::Late)
            };
            cells.insert((*row, col), content);
        }
    }

    fn values(&mut self, cols: &[u32]) -> HashMap<u32, Content> {
        self.next += 1;
        let mut values = HashMap::new();
        for col in cols {
            let kind = *self.kinds.get(col).unwrap_or(&ColumnKind::Late);
            values.insert(*col, self.value(kind));
        }
        values
    }

    fn value(&mut self, kind: ColumnKind) -> Content {
        let rng = &mut self.rng;
        match kind {
            ColumnKind::Words if self.dull => Content::text(*rng.pick(&STATES)),
            ColumnKind::Amount | ColumnKind::Count if self.dull => {
                Content::number(rng.below(4) as f64)
            }
            ColumnKind::Id => Content::number((1000 + self.next * 7 + rng.below(3)) as f64),
            ColumnKind::Amount => Content::number(rng.below(100_000) as f64 / 100.0),
            ColumnKind::Count => Content::number(rng.below(50) as f64),
            ColumnKind::State => Content::text(*rng.pick(&STATES)),
            ColumnKind::Flag => Content::Value(Value::Bool(rng.percent(50))),
            ColumnKind::Date => Content::Value(Value::Date((45_000 + rng.below(900)) as f64)),
            ColumnKind::Late => {
                Content::text(format!("late {} {}", rng.pick(&WORDS), rng.below(10_000)))
            }
            _ => {
                let (a, b) = (*rng.pick(&WORDS), *rng.pick(&WORDS));
                Content::text(format!("{a} {b} {}", rng.below(10_000)))
            }
        }
    }

    fn formula(&self, row: u32, above: Option<u32>, col: u32, cols: &[u32]) -> Option<Content> {
        let kind = self.kinds.get(&col)?;
        let (amount, count) = (self.amount?, self.count?);
        if !cols.contains(&amount) || !cols.contains(&count) {
            return None;
        }
        let refers = |row, col| Part::Refers(Reference::cell(row, col));
        let text = |text: &str| Part::Text(text.to_owned());
        let parts = match kind {
            ColumnKind::OwnRow => vec![
                refers(row, amount),
                text("*"),
                refers(row, count),
                text("+1"),
            ],
            ColumnKind::Running => match above {
                Some(above) => vec![refers(above, col), text("+"), refers(row, amount)],
                None => vec![refers(row, amount)],
            },
            ColumnKind::Absolute => {
                let mark = |id| Some(Mark { id, absolute: true });
                let fixed = Corner {
                    row: mark(self.first),
                    col: mark(amount),
                };
                let fixed = Reference {
                    sheet: None,
                    first: fixed,
                    last: None,
                };
                let round = [
                    text("ROUND("),
                    refers(row, count),
                    text("/"),
                    Part::Refers(fixed),
                ];
                round.into_iter().chain([text(",2)")]).collect()
            }
            _ => return None,
        };
        Some(Content::Formula(Formula(parts)))
    }

    fn totals(&self, row: u32, ends: (u32, u32), cols: &[u32], cells: &mut Cells) {
        cells.insert((row, cols[0]), Content::text("Total"));
        for col in self.amount.iter().chain(&self.count) {
            let sum = Reference::range((ends.0, *col), (ends.1, *col));
            let parts = vec![
                Part::Text("SUM(".to_owned()),
                Part::Refers(sum),
                Part::Text(")".to_owned()),
            ];
            cells.insert((row, *col), Content::Formula(Formula(parts)));
        }
    }

    /// Another value of the same kind; none for a formula or a blank.
    pub fn edited(&mut self, content: Option<&Content>) -> Option<Content> {
        let rng = &mut self.rng;
        let Content::Value(value) = content? else {
            return None;
        };
        Some(Content::Value(match value {
            Value::Number(number) => Value::Number(number + (1 + rng.below(9)) as f64),
            Value::Bool(is) => Value::Bool(!is),
            Value::Date(days) => Value::Date(days + (1 + rng.below(30)) as f64),
            Value::Text(text) if text.is_empty() => return None,
            Value::Text(_) => Value::Text(format!(
                "edited {} {}",
                rng.pick(&WORDS),
                rng.below(100_000)
            )),
            Value::Empty | Value::Duration(_) | Value::Error(_) => return None,
        }))
    }
}
