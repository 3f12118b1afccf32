//! Edits in the forms that models write, each in a reader of its own.
//!
//! The form is detected; prose around the edits is left alone.
//! Every reader turns its input into [`Task`]s: a file, and what is to be done to
//! it. The grammars are in docs/apply.md.

mod aider;
mod apply_patch;
mod beside;
mod cline;
mod conflict;
mod lines;
mod roo;
mod strings;
mod udiff;
mod zed;

use crate::blocks::{Block, BlockError};
use crate::{Edits, ErrorKind};
use beside::Taken;

/// How edits are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`; also as JSON or in tags.
    Roo,
    /// `------- SEARCH`, `=======`, `+++++++ REPLACE`.
    Cline,
    /// Blocks below the names of their files.
    Aider,
    /// A unified diff, whose counts may be wrong or missing.
    Udiff,
    /// `*** Begin Patch`.
    ApplyPatch,
    /// JSON with old and new strings.
    Strings,
    /// `<old_text>` and `<new_text>`.
    Zed,
    /// `<<<<<<< old`, `=======`, `>>>>>>> new`.
    Conflict,
}

/// What is to be done to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The path that the input names, if it does.
    pub path: Option<Vec<u8>>,
    /// The edits.
    pub edits: Edits,
    /// What else happens to the file.
    pub end: End,
    /// The line of the input where it begins, counted from one.
    pub input_line: u32,
    /// Whether it was written as a diff, of a file that may be another one.
    pub is_diff: bool,
}

/// What happens to a file besides its edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// It must be there, and stays.
    #[default]
    Stays,
    /// It is made, and must not be there.
    IsMade,
    /// It goes, if nothing is left of it.
    GoesIfEmpty,
    /// It goes.
    Goes,
    /// It gets another name, which must be free.
    Moves(Vec<u8>),
}

impl Task {
    /// Edits of a file that is there.
    #[must_use]
    pub fn new(path: Option<Vec<u8>>, edits: Edits) -> Self {
        Self {
            path,
            edits,
            end: End::Stays,
            input_line: 1,
            is_diff: false,
        }
    }

    /// Whether the edits may make the file: they look for nothing.
    #[must_use]
    pub fn may_make(&self) -> bool {
        let looks_for_nothing = |block: &Block| block.search.is_empty();
        let read = |text: &[u8], dialect| {
            crate::blocks::parse(text, dialect)
                .is_ok_and(|blocks| blocks.iter().any(looks_for_nothing))
        };
        self.end == End::IsMade
            || match &self.edits {
                Edits::Text(text) => read(text, crate::blocks::Dialect::Single),
                Edits::Items(items) => items
                    .iter()
                    .any(|item| read(&item.content, crate::blocks::Dialect::Multi)),
                Edits::Blocks(blocks) => blocks
                    .first()
                    .is_some_and(|block| looks_for_nothing(block) && block.start_line.is_none()),
            }
    }
}

impl Form {
    /// The form of an input, as far as it can be detected.
    #[must_use]
    pub fn of(input: &[u8]) -> Self {
        let told = |line: &dyn Fn(&[u8]) -> bool| lines::split(input).any(|(_, text)| line(text));
        if roo::is_wrapped(input) {
            Self::Roo
        } else if strings::is_it(input) {
            Self::Strings
        } else if told(&apply_patch::is_marker) {
            Self::ApplyPatch
        } else if zed::is_it(input) {
            Self::Zed
        } else if told(&cline::is_search) {
            Self::Cline
        } else if aider::names_files(input) {
            Self::Aider
        } else if told(&roo::is_search) {
            Self::Roo
        } else if conflict::is_it(input) {
            // Lines of a diff never begin with its markers.
            Self::Conflict
        } else if udiff::is_it(input) {
            Self::Udiff
        } else if strings::is_in_prose(input) {
            Self::Strings
        } else {
            Self::Roo
        }
    }

    /// How it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Roo => "roo",
            Self::Cline => "cline",
            Self::Aider => "aider",
            Self::Udiff => "udiff",
            Self::ApplyPatch => "apply_patch",
            Self::Strings => "strings",
            Self::Zed => "zed",
            Self::Conflict => "conflict",
        }
    }

    /// Reads an input of this form.
    ///
    /// # Errors
    /// What cannot be read, and where; edits of another form beside it.
    pub fn read(self, input: &[u8]) -> Result<Vec<Task>, BlockError> {
        let input = input.strip_prefix(crate::text::BOM).unwrap_or(input);
        let (tasks, taken) = self.read_all(input)?;
        taken.check(self, input)?;
        Ok(tasks)
    }

    /// Reads an input of this form, whatever else it holds.
    ///
    /// # Errors
    /// What cannot be read, and where.
    pub fn read_alone(self, input: &[u8]) -> Result<Vec<Task>, BlockError> {
        let input = input.strip_prefix(crate::text::BOM).unwrap_or(input);
        self.read_all(input).map(|(tasks, _)| tasks)
    }

    /// Refuses an input of this form that holds edits of another one, too.
    ///
    /// # Errors
    /// Where the first of them is.
    pub fn check(self, input: &[u8]) -> Result<(), BlockError> {
        // What cannot be read as models write it may be read to the letter.
        self.read_all(input)
            .map_or(Ok(()), |(_, taken)| taken.check(self, input))
    }

    fn read_all(self, input: &[u8]) -> Result<(Vec<Task>, Taken), BlockError> {
        let mut taken = Taken::default();
        let read = match self {
            Self::Roo => roo::read,
            Self::Cline => cline::read,
            Self::Aider => aider::read,
            Self::Udiff => udiff::read,
            Self::ApplyPatch => apply_patch::read,
            Self::Strings => strings::read,
            Self::Zed => zed::read,
            Self::Conflict => conflict::read,
        };
        let mut tasks = read(input, &mut taken)?;
        for task in &mut tasks {
            task.is_diff = self == Self::Udiff;
        }
        Ok((tasks, taken))
    }
}

/// An input that cannot be read.
fn bad(line: u32, message: impl Into<String>) -> BlockError {
    BlockError {
        found: Some(message.into()),
        ..BlockError::new(ErrorKind::BadForm, line)
    }
}

/// Tasks of the same file one after the other become one.
fn joined(tasks: Vec<Task>) -> Vec<Task> {
    let mut all: Vec<Task> = Vec::new();
    for task in tasks {
        if let Some(last) = all.last_mut()
            && last.path == task.path
            && (&last.end, &task.end) == (&End::Stays, &End::Stays)
            && let (Edits::Blocks(known), Edits::Blocks(more)) = (&mut last.edits, &task.edits)
        {
            known.extend(more.iter().cloned());
        } else {
            all.push(task);
        }
    }
    all
}

/// Blocks of which lines may look like markers, with all ways to split them;
/// nothing if that does not distinguish them, either.
pub(crate) fn loosely(input: &[u8]) -> Option<Vec<Block>> {
    let blocks = roo::MARKERS.read(input, &mut Taken::default()).ok()?;
    Some(blocks.into_iter().map(|(_, block)| block).collect())
}
