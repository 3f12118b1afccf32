//! The rows, or the columns, of both versions of a sheet in one order.

/// The fate of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineFate {
    /// It is there as before.
    Kept,
    Added,
    /// It is shown in its old place.
    Removed,
    /// It went with the move of this number.
    Moved(usize),
    /// No line, but the place that the move of this number left.
    Left(usize),
}

/// One line as it is shown: its place in each version that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub old: Option<u32>,
    pub new: Option<u32>,
    pub became: LineFate,
}

/// Neighbours with one fate; sheets have a million rows, and mostly nothing
/// happened to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Where it is shown.
    pub start: u32,
    pub count: u32,
    /// Its first line.
    first: Line,
}

impl Run {
    pub(crate) fn became(&self) -> LineFate {
        self.first.became
    }

    pub(crate) fn line(&self, i: u32) -> Line {
        Line {
            old: self.first.old.map(|old| old + i),
            new: self.first.new.map(|new| new + i),
            became: self.first.became,
        }
    }
}

/// Lines that went elsewhere together, and the number of the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedSpan {
    pub number: usize,
    pub src: u32,
    pub len: u32,
    pub dst: u32,
}

/// All lines of an axis as they are shown: the new ones in their order, and the
/// removed ones in their old place, behind the line that they followed.
#[derive(Debug, Default)]
pub(crate) struct Axis {
    runs: Vec<Run>,
    len: u32,
    /// Runs by the first new and by the first old line in them.
    by_new: Vec<(u32, usize)>,
    by_old: Vec<(u32, usize)>,
}

impl Axis {
    /// Lines that are the same in both, or came or went all together.
    pub(crate) fn all(count: u32, became: LineFate) -> Self {
        let mut axis = Self::default();
        let line = Line {
            old: (became != LineFate::Added).then_some(0),
            new: (became != LineFate::Removed).then_some(0),
            became,
        };
        if count > 0 {
            axis.push(line);
            axis.runs[0].count = count;
            axis.len = count;
        }
        axis.indexed()
    }

    /// From the lengths of both sides, where each line went, and what moved.
    pub(crate) fn new(
        (old_len, new_len): (u32, u32),
        to_new: impl Fn(u32) -> Option<u32>,
        to_old: impl Fn(u32) -> Option<u32>,
        blocks: &[MovedSpan],
    ) -> Self {
        let mut by_src = blocks.to_vec();
        by_src.sort_by_key(|block| block.src);
        let mut by_dst = blocks.to_vec();
        by_dst.sort_by_key(|block| block.dst);
        let mut new_len = new_len;
        // What goes behind how many new lines.
        let mut between: Vec<(u32, Line)> = Vec::new();
        let mut behind = 0;
        for old in 0..old_len {
            let new = to_new(old);
            new_len = new_len.max(new.map_or(0, |new| new + 1));
            if let Some(block) = block_at(&by_src, old, |block| block.src) {
                if old == block.src {
                    let left = Line {
                        old: None,
                        new: None,
                        became: LineFate::Left(block.number),
                    };
                    between.push((behind, left));
                }
            } else if let Some(new) = new {
                behind = new + 1;
            } else {
                let gone = Line {
                    old: Some(old),
                    new: None,
                    became: LineFate::Removed,
                };
                between.push((behind, gone));
            }
        }
        between.sort_by_key(|(behind, _)| *behind);
        let mut between = between.into_iter().peekable();
        let mut axis = Self::default();
        for new in 0..=new_len {
            while let Some((_, line)) = between.next_if(|(behind, _)| *behind <= new) {
                axis.push(line);
            }
            if new == new_len {
                break;
            }
            let old = to_old(new);
            let moved = block_at(&by_dst, new, |block| block.dst);
            let became = match (old, moved) {
                (_, Some(block)) => LineFate::Moved(block.number),
                (Some(_), None) => LineFate::Kept,
                (None, None) => LineFate::Added,
            };
            axis.push(Line {
                old,
                new: Some(new),
                became,
            });
        }
        axis.indexed()
    }

    fn push(&mut self, line: Line) {
        let start = self.len;
        self.len += 1;
        match self.runs.last_mut() {
            Some(run)
                if run.line(run.count) == line && !matches!(line.became, LineFate::Left(_)) =>
            {
                run.count += 1;
            }
            _ => self.runs.push(Run {
                start,
                count: 1,
                first: line,
            }),
        }
    }

    fn indexed(mut self) -> Self {
        for (i, run) in self.runs.iter().enumerate() {
            self.by_new.extend(run.first.new.map(|new| (new, i)));
            self.by_old.extend(run.first.old.map(|old| (old, i)));
        }
        self.by_new.sort_unstable();
        self.by_old.sort_unstable();
        self
    }

    /// How many lines are shown.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The lines, one by one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line> {
        let lines = |run: &'_ Run| {
            let run = *run;
            (0..run.count).map(move |i| run.line(i))
        };
        self.runs.iter().flat_map(lines)
    }

    /// The line that is shown here.
    pub(crate) fn line(&self, at: u32) -> Option<Line> {
        let behind = self.runs.partition_point(|run| run.start <= at);
        let run = &self.runs[behind.checked_sub(1)?];
        (at - run.start < run.count).then(|| run.line(at - run.start))
    }

    /// Where a new line is shown.
    pub(crate) fn at_new(&self, new: u32) -> Option<u32> {
        self.find(&self.by_new, new)
    }

    /// Where a new line is shown or, if it lies behind the last of them, would be.
    pub(crate) fn at_new_or_behind(&self, new: u32) -> Option<u32> {
        self.at_new(new).or_else(|| self.behind(&self.by_new, new))
    }

    /// The same for an old line.
    pub(crate) fn at_old_or_behind(&self, old: u32) -> Option<u32> {
        self.at_old(old).or_else(|| self.behind(&self.by_old, old))
    }

    fn behind(&self, index: &[(u32, usize)], line: u32) -> Option<u32> {
        let count = index
            .last()
            .map_or(0, |&(first, run)| first + self.runs[run].count);
        Some(self.len + line.checked_sub(count)?)
    }

    /// Where an old line is shown: with what it became, if it is still there.
    pub(crate) fn at_old(&self, old: u32) -> Option<u32> {
        self.find(&self.by_old, old)
    }

    fn find(&self, index: &[(u32, usize)], line: u32) -> Option<u32> {
        let behind = index.partition_point(|(first, _)| *first <= line);
        let (first, run) = index[behind.checked_sub(1)?];
        let run = &self.runs[run];
        (line - first < run.count).then(|| run.start + line - first)
    }
}

fn block_at(blocks: &[MovedSpan], line: u32, start: fn(&MovedSpan) -> u32) -> Option<MovedSpan> {
    let behind = blocks.partition_point(|block| start(block) <= line);
    let block = blocks[..behind].last()?;
    (line - start(block) < block.len).then_some(*block)
}

#[cfg(test)]
mod tests {
    use super::{Axis, LineFate, MovedSpan};

    /// Old lines 0-5; 1 is gone, 4 and 5 moved to the front, a line came at 3.
    fn axis() -> Axis {
        let to_new = [Some(2), None, Some(4), Some(5), Some(0), Some(1)];
        let to_old = [Some(4), Some(5), Some(0), None, Some(2), Some(3)];
        let (number, src, len, dst) = (7, 4, 2, 0);
        let block = MovedSpan {
            number,
            src,
            len,
            dst,
        };
        Axis::new(
            (6, 6),
            |old| to_new[old as usize],
            |new| to_old[new as usize],
            &[block],
        )
    }

    #[test]
    fn lines_of_both_sides_stand_in_one_order() {
        let shown: Vec<_> = axis()
            .lines()
            .map(|line| (line.old, line.new, line.became))
            .collect();
        let expected = [
            (Some(4), Some(0), LineFate::Moved(7)),
            (Some(5), Some(1), LineFate::Moved(7)),
            (Some(0), Some(2), LineFate::Kept),
            (Some(1), None, LineFate::Removed),
            (None, Some(3), LineFate::Added),
            (Some(2), Some(4), LineFate::Kept),
            (Some(3), Some(5), LineFate::Kept),
            (None, None, LineFate::Left(7)),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn places_are_found_from_either_side() {
        let axis = axis();
        for (at, line) in (0..).zip(axis.lines()) {
            assert_eq!(axis.line(at), Some(line));
            assert!(line.new.is_none_or(|new| axis.at_new(new) == Some(at)));
            assert!(line.old.is_none_or(|old| axis.at_old(old) == Some(at)));
        }
        assert_eq!(axis.line(8), None);
        assert_eq!(axis.runs().len(), 6);
        let gone = Axis::all(3, LineFate::Removed);
        assert_eq!(
            (gone.len(), gone.at_old(2), gone.at_new(0)),
            (3, Some(2), None)
        );
        assert_eq!(Axis::all(0, LineFate::Kept).len(), 0);
        // Six new lines are shown in eight.
        assert_eq!(axis.at_new_or_behind(5), Some(6));
        assert_eq!(axis.at_new_or_behind(6), Some(8));
        assert_eq!(axis.at_old_or_behind(7), Some(9));
    }
}
