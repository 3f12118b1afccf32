//! What an input holds beside the edits that were read from it: prose, or edits of
//! another form, which must not be left out silently.

use super::lines::split;
use super::{Form, apply_patch, bad, cline, conflict, roo, strings, udiff, zed};
use crate::blocks::BlockError;
use std::ops::Range;

/// The lines of an input that edits were read from.
#[derive(Debug, Default)]
pub(super) struct Taken(Vec<Range<u32>>);

impl Taken {
    pub(super) fn line(&mut self, number: u32) {
        self.lines(number..number + 1);
    }

    /// Takes lines in; they come in their order.
    pub(super) fn lines(&mut self, lines: Range<u32>) {
        match self.0.last_mut() {
            Some(last) if last.end >= lines.start => last.end = last.end.max(lines.end),
            _ => self.0.push(lines),
        }
    }

    /// The input without these lines; the others keep their numbers.
    fn rest(&self, input: &[u8]) -> Vec<u8> {
        let mut taken = self.0.iter().peekable();
        let mut rest = Vec::new();
        for (number, line) in split(input) {
            while taken.next_if(|lines| lines.end <= number).is_some() {}
            if !taken.peek().is_some_and(|lines| lines.contains(&number)) {
                rest.extend_from_slice(line);
            }
            rest.push(b'\n');
        }
        rest
    }

    /// Refuses an input that holds further edits.
    pub(super) fn check(&self, form: Form, input: &[u8]) -> Result<(), BlockError> {
        if self.0.is_empty() {
            // There is nothing beside nothing.
            return Ok(());
        }
        let rest = self.rest(input);
        let first = |is: &dyn Fn(&[u8]) -> bool| {
            let mut lines = split(&rest);
            lines.find(|(_, line)| is(line)).map(|(number, _)| number)
        };
        let block = |line: &[u8]| {
            let line = line.trim_ascii_start();
            cline::is_any_search(line) || roo::is_search(line)
        };
        let others = [
            first(&apply_patch::is_marker),
            first(&block),
            zed::first(&rest),
            conflict::first(&rest),
            udiff::first(&rest),
            strings::first(&rest),
        ];
        let Some(line) = others.into_iter().flatten().min() else {
            return Ok(());
        };
        Err(bad(
            line,
            format!(
                "another edit is here, beside those read as {}; give edits of one form at a time",
                form.name()
            ),
        ))
    }
}
