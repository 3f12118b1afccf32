//! Finds runs by decreasing length, from the sorted suffixes of a part.

use super::{MatchingBlock, Part, SMALL, Task, suffixes};
use mvdiff_core::Token;
use std::ops::Range;

const NONE: u32 = u32::MAX;

/// A suffix in the order.
#[derive(Clone, Copy, Debug, Default)]
struct Suffix {
    /// Its position in the text, which consists of the old elements, a unique
    /// separator, and the new elements.
    start: u32,
    /// Length of its common prefix with the previous suffix in its list.
    common: u32,
}

/// The suffixes of one part, in order: a range of one of the two lists.
#[derive(Clone, Debug)]
pub(super) struct List {
    range: Range<u32>,
    /// Which of the two lists; subparts of this part are in the other one.
    second: bool,
}

/// The sorted suffixes of a part and of its subparts.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    lists: [Vec<Suffix>; 2],
    /// The positions at which the two halves of the text start.
    starts: [u32; 2],
    /// Start of the second half within the text.
    middle: u32,
    /// For each position in the text, the class of the run of the current length
    /// that starts there.
    class: Vec<u32>,
    /// For each class, its first new position not yet passed.
    head: Vec<u32>,
    /// For each new position, the next one of its class.
    next: Vec<u32>,
    /// For each position in the text, the part that contains it.
    owner: Vec<u32>,
    /// For each token, its symbol in the text plus one; 0 if it has none.
    symbol: Vec<u32>,
    /// Minimum `common` of every range that ends here: index and value, both
    /// increasing.
    minima: Vec<(u32, u32)>,
}

/// A part in positions of the text.
struct Places {
    old: Range<u32>,
    new: Range<u32>,
}

impl Places {
    /// Number of elements of a suffix within the part.
    fn room(&self, start: u32) -> u32 {
        if start < self.old.end {
            self.old.end - start
        } else {
            self.new.end - start
        }
    }
}

impl Ranked {
    /// Sorts the suffixes of a part.
    pub(super) fn sort(&mut self, old: &[Token], new: &[Token], part: &Part) -> List {
        let old = &old[part.old.start as usize..part.old.end as usize];
        let new = &new[part.new.start as usize..part.new.end as usize];
        self.starts = [part.old.start, part.new.start];
        self.middle = old.len() as u32 + 1;
        let most = old.iter().chain(new).map(|t| t.0 as usize + 1).max();
        self.symbol
            .resize(most.unwrap_or(0).max(self.symbol.len()), 0);
        let mut symbols = 0;
        let mut text = Vec::with_capacity(old.len() + new.len() + 1);
        for token in old {
            let symbol = &mut self.symbol[token.0 as usize];
            if *symbol == 0 {
                symbols += 1;
                *symbol = symbols;
            }
            text.push(*symbol - 1);
        }
        // Elements that occur only in new share one symbol: they equal nothing in
        // old.
        let (foreign, end) = (symbols, symbols + 1);
        text.push(end);
        text.extend(new.iter().map(|token| match self.symbol[token.0 as usize] {
            0 => foreign,
            symbol => symbol - 1,
        }));
        for token in old {
            self.symbol[token.0 as usize] = 0;
        }
        let mut shared = vec![false; symbols as usize + 2];
        for symbol in &text[self.middle as usize..] {
            shared[*symbol as usize] = *symbol != foreign;
        }

        let order = suffixes::sort(&text, symbols as usize + 2);
        let common = suffixes::common(&text, &order);
        let list = &mut self.lists[0];
        list.clear();
        let mut least = 0;
        for (&start, &common) in order.iter().zip(&common) {
            least = common.min(least);
            if shared[text[start as usize] as usize] {
                list.push(Suffix {
                    start,
                    common: least,
                });
                least = u32::MAX;
            }
        }
        let len = list.len();
        self.lists[1].resize(len.max(self.lists[1].len()), Suffix::default());
        for places in [&mut self.class, &mut self.next, &mut self.owner] {
            places.resize(text.len().max(places.len()), NONE);
        }
        List {
            range: 0..len as u32,
            second: false,
        }
    }

    fn places(&self, part: &Part) -> Places {
        let [old, new] = self.starts;
        let middle = self.middle;
        Places {
            old: part.old.start - old..part.old.end - old,
            new: part.new.start - new + middle..part.new.end - new + middle,
        }
    }

    /// Takes all runs of the maximum length in a part, and adds the parts between
    /// them to the remaining work.
    pub(super) fn split(&mut self, part: Part, list: &List, todo: &mut Vec<Task>) {
        let places = self.places(&part);
        let suffixes = &self.lists[usize::from(list.second)];
        let suffixes = &suffixes[list.range.start as usize..list.range.end as usize];
        let len = longest(suffixes, &places, part.bound);
        if len == 0 {
            return;
        }
        let classes = classify(suffixes, &places, len, &mut self.class);
        self.head.clear();
        self.head.resize(classes as usize, NONE);
        for place in places.new.clone().rev() {
            let class = self.class[place as usize];
            if class != NONE {
                self.next[place as usize] = self.head[class as usize];
                self.head[class as usize] = place;
            }
        }
        let first = todo.len();
        let rest = self.walk(&places, part, len, todo);
        todo.push(Task::Rows(rest, None));
        // Reversed, because work is taken from the end.
        todo[first..].reverse();
        if len > 1 {
            self.hand_down(list, &mut todo[first..]);
        } else {
            todo[first..].iter_mut().for_each(|task| {
                if let Task::Rows(part, _) = task {
                    part.bound = 0;
                }
            });
        }
    }

    /// Walks along old and takes every run of length `len` whose counterpart
    /// comes next in new. Adds the parts before each run to the remaining work,
    /// and returns the last part.
    fn walk(&mut self, places: &Places, part: Part, len: u32, todo: &mut Vec<Task>) -> Part {
        let (mut old, mut new) = (places.old.start, places.new.start);
        let [old_start, new_start] = self.starts;
        let position = |old: u32, new: u32| (old + old_start, new - self.middle + new_start);
        let mut left = Part::new(part.old, part.new, len - 1);
        let mut place = old;
        while place + len <= places.old.end {
            let class = self.class[place as usize];
            if class == NONE {
                place += 1;
                continue;
            }
            let head = &mut self.head[class as usize];
            while *head < new {
                *head = self.next[*head as usize];
            }
            if *head == NONE {
                place += 1;
                continue;
            }
            let at = position(place, *head);
            let run = MatchingBlock {
                old: at.0,
                new: at.1,
                len,
            };
            todo.push(Task::Rows(left.before(run), None));
            todo.push(Task::Found(run));
            (old, new) = (place + len, *head + len);
            left = Part {
                bound: len - 1,
                ..left.behind(run)
            };
            place = old;
        }
        Part::new(left.old, left.new, len - 1)
    }

    /// Passes on the suffixes to each part among the tasks, if it is worth it.
    fn hand_down(&mut self, list: &List, tasks: &mut [Task]) {
        // For each part that gets a list, its last suffix so far and its end.
        let mut parts: Vec<Heir> = Vec::new();
        for (number, task) in tasks.iter_mut().enumerate() {
            let Task::Rows(part, _) = task else { continue };
            if part.bound == 0
                || part.rows() * part.columns() <= SMALL * (part.rows() + part.columns())
            {
                continue;
            }
            let places = self.places(part);
            for range in [places.old, places.new] {
                let owner = &mut self.owner[range.start as usize..range.end as usize];
                owner.fill(parts.len() as u32);
            }
            parts.push(Heir {
                task: number,
                ..Heir::default()
            });
        }
        if parts.is_empty() {
            return;
        }
        let [one, other] = &mut self.lists;
        let (from, to) = if list.second {
            (other, one)
        } else {
            (one, other)
        };
        let suffixes = &from[list.range.start as usize..list.range.end as usize];
        for suffix in suffixes {
            let owner = self.owner[suffix.start as usize];
            if owner != NONE {
                parts[owner as usize].count += 1;
            }
        }
        let mut start = list.range.start;
        for heir in &mut parts {
            heir.start = start;
            start += heir.count;
            heir.end = heir.start;
        }
        self.minima.clear();
        for (index, suffix) in (0..).zip(suffixes) {
            while self
                .minima
                .last()
                .is_some_and(|(_, least)| *least >= suffix.common)
            {
                self.minima.pop();
            }
            self.minima.push((index, suffix.common));
            let owner = self.owner[suffix.start as usize];
            if owner == NONE {
                continue;
            }
            let heir = &mut parts[owner as usize];
            let common = match heir.last {
                None => 0,
                Some(before) => {
                    let since = self.minima.partition_point(|(at, _)| *at <= before);
                    self.minima[since].1
                }
            };
            to[heir.end as usize] = Suffix {
                start: suffix.start,
                common,
            };
            heir.end += 1;
            heir.last = Some(index);
        }
        for heir in parts {
            let task = &mut tasks[heir.task];
            let Task::Rows(part, _) = task else { continue };
            let part = part.clone();
            let places = self.places(&part);
            for range in [places.old, places.new] {
                self.owner[range.start as usize..range.end as usize].fill(NONE);
            }
            let list = List {
                range: heir.start..heir.end,
                second: !list.second,
            };
            *task = Task::Ranked(part, list);
        }
    }
}

/// A part that inherits suffixes.
#[derive(Clone, Debug, Default)]
struct Heir {
    /// Its index among the tasks.
    task: usize,
    count: u32,
    start: u32,
    end: u32,
    /// The index of its last suffix in the parent's list.
    last: Option<u32>,
}

/// The maximum length of a run that occurs on both sides of a part.
fn longest(suffixes: &[Suffix], places: &Places, bound: u32) -> u32 {
    let is_old = |suffix: &Suffix| suffix.start < places.old.end;
    // Neighbours from both sides: their common prefix may extend beyond the part,
    // which gives an upper bound; clipped to the part it gives a lower one.
    let (mut least, mut most) = (0, 0);
    for pair in suffixes.windows(2) {
        if is_old(&pair[0]) != is_old(&pair[1]) {
            let common = pair[1].common;
            most = most.max(common);
            let room = places.room(pair[0].start).min(places.room(pair[1].start));
            least = least.max(common.min(room));
        }
    }
    most = most.min(bound);
    least = least.min(most);
    while least < most {
        let len = least + (most - least).div_ceil(2);
        if has_run(suffixes, places, len) {
            least = len;
        } else {
            most = len - 1;
        }
    }
    least
}

/// Whether a run of length `len` occurs on both sides of a part.
fn has_run(suffixes: &[Suffix], places: &Places, len: u32) -> bool {
    let mut seen = [false; 2];
    for suffix in suffixes {
        if suffix.common < len {
            seen = [false; 2];
        }
        if places.room(suffix.start) >= len {
            seen[usize::from(suffix.start < places.old.end)] = true;
            if seen == [true; 2] {
                return true;
            }
        }
    }
    false
}

/// Numbers the runs of length `len`, giving equal runs equal numbers. Returns the
/// number of classes.
fn classify(suffixes: &[Suffix], places: &Places, len: u32, class: &mut [u32]) -> u32 {
    for range in [&places.old, &places.new] {
        class[range.start as usize..range.end as usize].fill(NONE);
    }
    let mut number = 0;
    for suffix in suffixes {
        if suffix.common < len {
            number += 1;
        }
        if places.room(suffix.start) >= len {
            class[suffix.start as usize] = number;
        }
    }
    number + 1
}
