//! Old and new lines as git shows a conflict:
//!
//! ```text
//! <<<<<<< old
//! lines to look for
//! =======
//! lines to put there
//! >>>>>>> new
//! ```
//!
//! Lines behind `|||||||` are neither.

use super::beside::Taken;
use super::lines::split;
use super::{Task, bad};
use crate::Edits;
use crate::blocks::{Block, BlockError, finish};

fn is(line: &[u8], sign: u8) -> bool {
    let signs = line.iter().take_while(|b| **b == sign).count();
    // A SEARCH that is not quite one is a mistake, and not the name of a branch.
    let label = line.get(8..).unwrap_or_default().to_ascii_lowercase();
    let named = label.starts_with(b"search") || label.starts_with(b"replace");
    signs == 7 && !named && matches!(line.get(7), None | Some(b' ' | b'\r'))
}

/// Whether the three markers occur in their order.
pub(super) fn is_it(input: &[u8]) -> bool {
    let mut due = [b'<', b'=', b'>'].into_iter().peekable();
    for (_, line) in split(input) {
        due.next_if(|sign| is(line, *sign));
    }
    due.peek().is_none()
}

/// The line where the first of them begins.
pub(super) fn first(input: &[u8]) -> Option<u32> {
    if !is_it(input) {
        return None;
    }
    let mut lines = split(input);
    lines
        .find(|(_, line)| is(line, b'<'))
        .map(|(number, _)| number)
}

pub(super) fn read(input: &[u8], taken: &mut Taken) -> Result<Vec<Task>, BlockError> {
    #[derive(PartialEq)]
    enum At {
        Outside,
        Old,
        Base,
        New,
    }
    let mut blocks = Vec::new();
    let mut block = Block::default();
    let mut at = At::Outside;
    for (number, line) in split(input) {
        if at != At::Outside || is(line, b'<') {
            taken.line(number);
        }
        match at {
            At::Outside if is(line, b'<') => {
                block = Block {
                    input_line: number,
                    ..Block::default()
                };
                at = At::Old;
            }
            At::Outside => {}
            At::Old | At::Base if is(line, b'=') => at = At::New,
            At::Old if is(line, b'|') => at = At::Base,
            At::New if is(line, b'>') => {
                blocks.push(finish(std::mem::take(&mut block)));
                at = At::Outside;
            }
            _ if is(line, b'<') => {
                return Err(bad(number, "a conflict begins before the one above ends"));
            }
            At::Old => block.search.push(line.to_vec()),
            At::New => block.replace.push(line.to_vec()),
            At::Base => {}
        }
    }
    if at != At::Outside || blocks.is_empty() {
        let message = "a conflict is <<<<<<<, old lines, =======, new lines, >>>>>>>";
        return Err(bad(block.input_line.max(1), message));
    }
    Ok(vec![Task::new(None, Edits::Blocks(blocks))])
}
