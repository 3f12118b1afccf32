//! Edits as they come in, carried out on the text of one file.

use crate::blocks::{Block, BlockError, Dialect, Item, parse, unescape};
use crate::ground::Ground;
use crate::report::BlockReport;
use crate::{ErrorKind, Options, compat, forms, plan};

/// What is to be done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edits {
    /// A text with blocks in it.
    Text(Vec<u8>),
    /// Several of them, as the multi-file forms have it.
    Items(Vec<Item>),
    /// Blocks that were made otherwise, from a unified diff.
    Blocks(Vec<Block>),
}

/// What came of edits.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The new text, if at least one block is in it.
    pub text: Option<Vec<u8>>,
    /// What became of each block.
    pub blocks: Vec<BlockReport>,
    /// Why no block is in it: what is wrong with the only one, or that all
    /// failed.
    pub error_kind: Option<ErrorKind>,
}

impl Edited {
    /// Whether every block is in the new text.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.text.is_some() && self.blocks.iter().all(BlockReport::is_done)
    }

    fn new(text: Option<Vec<u8>>, blocks: Vec<BlockReport>, several: bool) -> Self {
        let error_kind = match (&text, &blocks[..]) {
            (Some(_), _) => None,
            (None, [only]) if !several => only.error_kind,
            _ => Some(ErrorKind::AllFailed),
        };
        Self {
            text,
            blocks,
            error_kind,
        }
    }
}

/// Carries edits out on a text.
///
/// # Errors
/// Blocks of [`Edits::Text`] that cannot be read. What cannot be read of
/// several texts is reported as a block that failed.
pub fn edit(text: &[u8], edits: &Edits, options: &Options) -> Result<Edited, BlockError> {
    let (blocks, unread, several) = match edits {
        Edits::Text(blocks) => {
            let read = read(blocks, Dialect::Single, options);
            let read = read.or_else(|error| split(text, blocks, &error).ok_or(error));
            (read?, Vec::new(), false)
        }
        Edits::Blocks(blocks) => (blocks.clone(), Vec::new(), false),
        Edits::Items(items) => {
            let mut blocks = Vec::new();
            let mut unread = Vec::new();
            for item in items {
                match read(&item.content, Dialect::Multi, options) {
                    Ok(read) => blocks.extend(read.into_iter().map(|block| Block {
                        start_line: block.start_line.or(item.start_line.filter(|l| *l > 0)),
                        ..block
                    })),
                    // Its place among the others.
                    Err(error) => unread.push((blocks.len() + unread.len(), error)),
                }
            }
            (blocks, unread, true)
        }
    };
    let done = plan(text, &blocks, options);
    // Nothing to do is done.
    let partial = done.is_partial() || matches!(edits, Edits::Blocks(none) if none.is_empty());
    let mut reports = done.blocks;
    for (index, error) in unread {
        reports.insert(index, BlockReport::unreadable(index, &error));
    }
    for (index, report) in (0..).zip(&mut reports) {
        report.index = index;
    }
    Ok(Edited::new(
        partial.then(|| done.text.into_owned()),
        reports,
        several,
    ))
}

/// As [`edit`], with the answers of Roo Code's multi-search-replace, its
/// faults included.
///
/// # Errors
/// As [`edit`].
pub fn edit_compat(text: &[u8], edits: &Edits, options: &Options) -> Result<Edited, BlockError> {
    let (done, several) = match edits {
        Edits::Text(blocks) => (compat::single(text, blocks, options)?, false),
        Edits::Items(items) => (compat::items(text, items, options), true),
        // It knows no other form.
        Edits::Blocks(_) => return Err(BlockError::new(ErrorKind::NoBlocks, 1)),
    };
    Ok(Edited::new(done.text, done.blocks, several))
}

/// Blocks with separators among their lines: where the text has such lines, and
/// what the blocks look for, it says which of them are separators.
fn split(text: &[u8], blocks: &[u8], error: &BlockError) -> Option<Vec<Block>> {
    let inside = error.kind == ErrorKind::UnescapedMarker && error.block.is_some();
    let blocks = forms::loosely(blocks).filter(|_| inside)?;
    let ground = Ground::new(text, blocks.len());
    let there = |search: &[Vec<u8>]| !ground.places(search).is_empty();
    let known = |block: &Block| {
        block.splits.is_empty()
            || there(&[b"=======".to_vec()]) && {
                let mut ways = block.splits.iter().map(|(search, _)| search);
                there(&block.search) || ways.any(|search| there(search))
            }
    };
    let split = blocks.iter().any(|block| !block.splits.is_empty());
    (split && blocks.iter().all(known)).then_some(blocks)
}

/// Reads blocks; if all brackets were written as entities, as they are meant.
fn read(text: &[u8], dialect: Dialect, options: &Options) -> Result<Vec<Block>, BlockError> {
    match parse(text, dialect) {
        Err(error) if error.kind == ErrorKind::NoBlocks && options.unescape_html => {
            parse(&unescape(text), dialect)
        }
        read => read,
    }
}
