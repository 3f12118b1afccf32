//! What is compared, and how.

/// Plain data: start from the default and change fields.
///
/// ```
/// let options = mvdiff_grid::Options::default().with(|o| o.ignore_case = true);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // each is one flag of the command line
pub struct Options {
    /// How rows find each other. Default: by what they hold and where they are.
    pub mode: Mode,
    /// Only sheets of these names, without case; none means all. Default: all.
    pub only_sheets: Vec<String>,
    /// No sheets of these names, without case. Default: none.
    pub ignore_sheets: Vec<String>,
    /// No columns of these names or letters. Default: none.
    pub ignore_columns: Vec<String>,
    /// Compare what formulas came to instead of the formulas. Default false.
    pub values_only: bool,
    /// Compare what formulas came to as well as the formulas. Default false.
    pub cached_values: bool,
    /// Numbers this close are equal. Default: equal at 15 digits.
    pub tolerance: Option<Tolerance>,
    /// Tolerances for columns of these names or letters, which rule over the one for all.
    /// Default: none.
    pub column_tolerances: Vec<(String, Tolerance)>,
    /// Texts that differ only in case are equal. Default false.
    pub ignore_case: bool,
    /// Texts that differ only in white space at their ends are equal. Default
    /// false.
    pub trim: bool,
    /// Kinds of things besides cells that are not compared. Default: none.
    pub ignore: Vec<crate::Aspect>,
    /// The row that holds the names of the columns, from zero. Default: the first
    /// row of different texts that is at least half full.
    pub header_row: Option<u32>,
    /// Most bytes that the cells in a report may take: a small file can say that a
    /// long text is in a million cells. Default 512 MiB.
    pub max_report: u64,
    /// Say what was done to many cells in one way as one operation, such as
    /// [`FormulaFilled`](crate::DiffOp::FormulaFilled). Default false: each cell is an
    /// operation, and [`DiffReport::unfolded`](crate::DiffReport::unfolded) leads back.
    pub acts: bool,
    /// Look up the names of columns and the keys of rows that operations are about, to
    /// be shown next to addresses. Default false.
    pub labels: bool,
    /// Put notes into the report where other options would report less: a tolerance for
    /// numbers that hardly differ, a key for rows that came and went. Default false.
    pub hints: bool,
    /// How moves are found: similarity, guards, budgets.
    pub engine: Engine,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Grid,
            only_sheets: Vec::new(),
            ignore_sheets: Vec::new(),
            ignore_columns: Vec::new(),
            values_only: false,
            cached_values: false,
            tolerance: None,
            column_tolerances: Vec::new(),
            ignore_case: false,
            trim: false,
            ignore: Vec::new(),
            header_row: None,
            max_report: 512 << 20,
            acts: false,
            labels: false,
            hints: false,
            engine: Engine::default(),
        }
    }
}

impl Options {
    /// These options, changed.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// How rows find each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// By what they hold and where they are: a spreadsheet.
    #[default]
    Grid,
    /// By the cells of these columns, names or letters, wherever they are: a
    /// table of a database.
    Keyed(Vec<String>),
    /// By the column that can serve as a key, if there is one.
    AutoKey,
}

/// How far apart two numbers may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// By this much.
    Absolute(f64),
    /// By this share of the larger one.
    Relative(f64),
}

impl Tolerance {
    /// Whether two numbers are close enough.
    #[must_use]
    pub fn allows(self, a: f64, b: f64) -> bool {
        let apart = (a - b).abs();
        match self {
            Self::Absolute(most) => apart <= most,
            Self::Relative(share) => apart <= share * a.abs().max(b.abs()),
        }
    }
}

/// The engine's options; the default is [`Options::grid`](mvdiff_core::Options::grid).
#[derive(Clone, Debug, PartialEq)]
pub struct Engine(pub mvdiff_core::Options);

impl Default for Engine {
    fn default() -> Self {
        Self(mvdiff_core::Options::grid())
    }
}
