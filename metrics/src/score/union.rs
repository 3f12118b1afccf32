//! Finds the places that either edit changed, and the lines that replace them.

use crate::difflib::{Opcode, Tag};
use std::ops::Range;

/// The stretches of the base that either edit replaced or deleted, in order;
/// overlapping or adjacent ones are joined.
pub(super) fn blocks(edits: &[Vec<Opcode>; 2]) -> Vec<Range<u32>> {
    let changed = |opcodes: &[Opcode]| -> Vec<Range<u32>> {
        let changed = opcodes
            .iter()
            .filter(|o| matches!(o.tag, Tag::Replace | Tag::Delete));
        changed.map(|o| o.old.clone()).collect()
    };
    let mut spans = changed(&edits[0]);
    spans.extend(changed(&edits[1]));
    // Two sorted runs, which the sort merges.
    spans.sort_by_key(|span| span.start);
    let mut blocks: Vec<Range<u32>> = Vec::new();
    for span in spans {
        match blocks.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => blocks.push(span),
        }
    }
    blocks
}

/// The lines that replace the base in an edit, block by block, in order.
pub(super) struct Replacements<'o> {
    opcodes: &'o [Opcode],
    /// The first opcode that overlaps the current block.
    first: usize,
    counts: Vec<u32>,
}

impl<'o> Replacements<'o> {
    pub(super) fn new(opcodes: &'o [Opcode]) -> Self {
        Self {
            opcodes,
            first: 0,
            counts: Vec::new(),
        }
    }

    /// For each line of a block, the number of lines that replace it.
    pub(super) fn counts(&mut self, block: Range<u32>) -> &[u32] {
        while self.opcodes[self.first].old.end <= block.start {
            self.first += 1;
        }
        self.counts.clear();
        for opcode in self.reaching(block.clone()) {
            let lines = overlap(&opcode.old, &block);
            match opcode.tag {
                Tag::Equal => self.counts.extend(lines.map(|_| 1)),
                Tag::Delete => self.counts.extend(lines.map(|_| 0)),
                Tag::Replace => {
                    // Spread evenly, rounded down at both ends.
                    let share = |line: u32| {
                        let done = u64::from(line - opcode.old.start);
                        (done * opcode.new.len() as u64 / opcode.old.len() as u64) as u32
                    };
                    self.counts
                        .extend(lines.map(|line| share(line + 1) - share(line)));
                }
                Tag::Insert => {}
            }
        }
        &self.counts
    }

    /// Calls `tell` with the lines that replace a block, in order. Inserted lines
    /// are in no block.
    pub(super) fn each_range(&self, block: Range<u32>, mut tell: impl FnMut(Range<u32>)) {
        for opcode in self.reaching(block.clone()) {
            match opcode.tag {
                Tag::Equal => {
                    let lines = overlap(&opcode.old, &block);
                    let to = |line: u32| line - opcode.old.start + opcode.new.start;
                    tell(to(lines.start)..to(lines.end));
                }
                // A block always contains the whole opcode.
                Tag::Replace => tell(opcode.new.clone()),
                Tag::Delete | Tag::Insert => {}
            }
        }
    }

    fn reaching(&self, block: Range<u32>) -> impl Iterator<Item = &'o Opcode> + use<'o> {
        let from_here = self.opcodes[self.first..].iter();
        from_here
            .take_while(move |o| o.old.start < block.end)
            .filter(|o| o.tag != Tag::Insert)
    }
}

fn overlap(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// For every slot in which either edit inserted lines, in order, the lines of
/// both.
pub(super) fn slots<'o, I: Iterator<Item = &'o Opcode>>(
    inserts: [I; 2],
) -> impl Iterator<Item = (u32, [Range<u32>; 2])> {
    let mut inserts = inserts.map(Iterator::peekable);
    std::iter::from_fn(move || {
        let [a, b] = &mut inserts;
        let slot = |insert: Option<&&Opcode>| insert.map(|o| o.old.start);
        let [of_a, of_b] = [slot(a.peek()), slot(b.peek())];
        let slot = of_a.into_iter().chain(of_b).min()?;
        let take = |insert: &mut std::iter::Peekable<I>| {
            let insert = insert.next_if(|o| o.old.start == slot);
            insert.map_or(0..0, |o| o.new.clone())
        };
        Some((slot, [take(a), take(b)]))
    })
}
