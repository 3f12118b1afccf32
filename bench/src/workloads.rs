//! Seeded inputs, each a pair of texts that look like code.

mod code;

use crate::random::Random;
use code::{code_line, edited_line, function};

/// Two versions of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What was there.
    pub old: Vec<u8>,
    /// What is there now.
    pub new: Vec<u8>,
}

/// A named kind of input that can be made in any size.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Short name, such as `T3`.
    pub name: &'static str,
    /// What it is, in a few words, without its size.
    pub about: &'static str,
    /// Lines of the old side in the speed table.
    pub lines: usize,
    /// Largest ratio to the limit that is good enough, if there is a goal.
    pub goal: Option<f64>,
    make: fn(usize) -> Pair,
}

impl Workload {
    /// The two texts, with about `lines` lines on the old side.
    #[must_use]
    pub fn make(&self, lines: usize) -> Pair {
        (self.make)(lines)
    }

    /// The workload of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        WORKLOADS.iter().find(|workload| workload.name == name)
    }
}

/// Everything that is generated, in the order of the tables. `N` stands for
/// "no cliff": inputs on which a careless algorithm is quadratic.
pub const WORKLOADS: &[Workload] = &[
    row("T1", "2% of the lines edited", 10_000, None, few_edits),
    row(
        "T2",
        "0.1% edited, blocks of 200 lines moved",
        1_000_000,
        Some(3.0),
        moved_blocks,
    ),
    row(
        "T3",
        "functions of about 100 lines, shuffled",
        100_000,
        Some(2.0),
        shuffled_functions,
    ),
    row(
        "T4",
        "lines of 50 kinds, 2% edited",
        200_000,
        Some(4.0),
        few_kinds,
    ),
    row(
        "T5r",
        "distinct lines, shuffled one by one",
        20_000,
        Some(4.0),
        shuffled_lines,
    ),
    row(
        "N1",
        "one line repeated, a few of them gone",
        100_000,
        None,
        identical,
    ),
    row(
        "N2",
        "lines of 2 kinds, 2% edited",
        100_000,
        None,
        two_kinds_edited,
    ),
    row(
        "N3",
        "lines of 2 kinds, two independent texts",
        100_000,
        None,
        two_kinds_independent,
    ),
    row("N4", "distinct lines, reversed", 100_000, None, reversed),
    row(
        "N5",
        "distinct lines, none of them left",
        100_000,
        None,
        rewritten,
    ),
];

const fn row(
    name: &'static str,
    about: &'static str,
    lines: usize,
    goal: Option<f64>,
    make: fn(usize) -> Pair,
) -> Workload {
    Workload {
        name,
        about,
        lines,
        goal,
        make,
    }
}

type Lines = Vec<String>;

fn pair(old: &[String], new: &[String]) -> Pair {
    Pair {
        old: old.concat().into_bytes(),
        new: new.concat().into_bytes(),
    }
}

/// A file of functions, cut off after `lines` lines.
fn code(random: &mut Random, lines: usize) -> Lines {
    let mut all = Lines::with_capacity(lines + 200);
    for number in 0.. {
        if all.len() >= lines {
            break;
        }
        all.extend(function(random, number));
    }
    all.truncate(lines);
    all
}

/// `lines` with `count` of them changed, deleted or followed by a new one
/// (three in five, one in five, one in five).
fn edit(random: &mut Random, lines: &[String], count: usize) -> Lines {
    let mut marked = vec![false; lines.len()];
    for _ in 0..count {
        marked[random.below(lines.len())] = true;
    }
    let mut new = Lines::with_capacity(lines.len());
    for (line, marked) in lines.iter().zip(marked) {
        match (marked, random.below(5)) {
            (false, _) => new.push(line.clone()),
            (true, 0) => {}
            (true, 1) => new.extend([line.clone(), code_line(random)]),
            (true, _) => new.push(edited_line(random, line)),
        }
    }
    new
}

fn few_edits(lines: usize) -> Pair {
    let mut random = Random::new(1);
    let old = code(&mut random, lines);
    let new = edit(&mut random, &old, lines / 50);
    pair(&old, &new)
}

fn moved_blocks(lines: usize) -> Pair {
    const BLOCK: usize = 200;
    /// One block in so many leaves: 50 in a million lines.
    const ONE_IN: usize = 100;
    let mut random = Random::new(2);
    let old = code(&mut random, lines);
    let mut blocks: Vec<&[String]> = old.chunks(BLOCK).collect();
    let count = blocks.len().div_ceil(ONE_IN);
    let mut leaving = Vec::with_capacity(count);
    for _ in 0..count {
        leaving.push(blocks.remove(random.below(blocks.len())));
    }
    for block in leaving {
        blocks.insert(random.below(blocks.len() + 1), block);
    }
    let new = edit(&mut random, &blocks.concat(), lines / 1000);
    pair(&old, &new)
}

fn shuffled_functions(lines: usize) -> Pair {
    let mut random = Random::new(3);
    let old: Vec<Lines> = (0..lines / 100)
        .map(|number| function(&mut random, number))
        .collect();
    let new: Vec<Lines> = apart(&mut random, old.len())
        .into_iter()
        .map(|i| old[i].clone())
        .collect();
    pair(&old.concat(), &new.concat())
}

/// A random order of `0..count` in which no number follows its predecessor.
fn apart(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    random.shuffle(&mut order);
    // Two or three functions may have no such order.
    let follows = |order: &[usize]| {
        order
            .windows(2)
            .position(|w| w[1] == w[0] + 1)
            .filter(|_| count > 3)
    };
    while let Some(at) = follows(&order) {
        order.swap(at, random.below(count));
    }
    order
}

/// `lines` with about `share` in a thousand replaced by one of `kinds`, deleted
/// or followed by one of `kinds`.
fn edit_among(random: &mut Random, lines: &[String], kinds: &[String], share: usize) -> Lines {
    let mut new = Lines::with_capacity(lines.len());
    for line in lines {
        match (random.below(1000) < share, random.below(3)) {
            (false, _) => new.push(line.clone()),
            (true, 0) => {}
            (true, 1) => new.extend([line.clone(), random.pick(kinds).clone()]),
            (true, _) => new.push(random.pick(kinds).clone()),
        }
    }
    new
}

fn of_kinds(random: &mut Random, kinds: &[String], lines: usize) -> Lines {
    (0..lines).map(|_| random.pick(kinds).clone()).collect()
}

fn few_kinds(lines: usize) -> Pair {
    let mut random = Random::new(4);
    let kinds: Lines = (0..50).map(|_| code_line(&mut random)).collect();
    let old = of_kinds(&mut random, &kinds, lines);
    let new = edit_among(&mut random, &old, &kinds, 20);
    pair(&old, &new)
}

fn distinct(random: &mut Random, lines: usize) -> Lines {
    let numbered = |number: usize| {
        let line = code_line(random);
        format!("{} // {number}\n", line.trim_end())
    };
    (0..lines).map(numbered).collect()
}

fn shuffled_lines(lines: usize) -> Pair {
    let mut random = Random::new(5);
    let old = distinct(&mut random, lines);
    let mut new = old.clone();
    random.shuffle(&mut new);
    pair(&old, &new)
}

fn identical(lines: usize) -> Pair {
    let line = code_line(&mut Random::new(6));
    let old = vec![line; lines];
    pair(&old, &old[..lines - 7])
}

fn two_kinds_edited(lines: usize) -> Pair {
    let mut random = Random::new(7);
    let kinds = [code_line(&mut random), code_line(&mut random)];
    let old = of_kinds(&mut random, &kinds, lines);
    let new = edit_among(&mut random, &old, &kinds, 20);
    pair(&old, &new)
}

fn two_kinds_independent(lines: usize) -> Pair {
    let mut random = Random::new(8);
    let kinds = [code_line(&mut random), code_line(&mut random)];
    let old = of_kinds(&mut random, &kinds, lines);
    let new = of_kinds(&mut random, &kinds, lines);
    pair(&old, &new)
}

fn reversed(lines: usize) -> Pair {
    let old = distinct(&mut Random::new(9), lines);
    let new: Lines = old.iter().rev().cloned().collect();
    pair(&old, &new)
}

fn rewritten(lines: usize) -> Pair {
    let both = distinct(&mut Random::new(11), 2 * lines);
    pair(&both[..lines], &both[lines..])
}

#[cfg(test)]
mod tests {
    use super::{Random, WORKLOADS, Workload, apart};
    use mvdiff_text::LineProblem;

    #[test]
    fn every_workload_is_the_same_each_time_and_of_the_size_asked_for() {
        for workload in WORKLOADS {
            let pair = workload.make(5_000);
            assert_eq!(pair, workload.make(5_000), "{}", workload.name);
            let lines = memchr::memchr_iter(b'\n', &pair.old).count();
            assert!(
                (4_500..5_500).contains(&lines),
                "{}: {lines} lines",
                workload.name
            );
            let width = pair.old.len() / lines;
            assert!(
                (25..60).contains(&width),
                "{}: {width} bytes a line",
                workload.name
            );
        }
    }

    /// Every function is one block, kept or moved, and nothing is left over.
    #[test]
    fn shuffled_functions_are_found_whole() {
        let pair = Workload::named("T3").expect("T3").make(100_000);
        let problem = LineProblem::of_texts(&pair.old, &pair.new).expect("short texts");
        let diff = mvdiff_core::diff(&problem, &mvdiff_text::options()).expect("lines");
        let lines = memchr::memchr_iter(b'\n', &pair.old).count();
        let paired: u32 = diff.script.runs().iter().map(|run| run.len).sum();
        assert_eq!(paired as usize, lines);
        let functions = pair.old.windows(7).filter(|w| *w == b"pub fn ").count();
        assert_eq!(diff.script.runs().len(), functions);
    }

    /// Fifty blocks moved: a few more moves than that at most.
    #[test]
    fn moved_blocks_are_not_told_as_crumbs() {
        let pair = Workload::named("T2").expect("T2").make(100_000);
        let problem = LineProblem::of_texts(&pair.old, &pair.new).expect("short texts");
        let diff = mvdiff_core::diff(&problem, &mvdiff_text::options()).expect("lines");
        assert!(
            diff.script.moves().len() <= 7,
            "{}",
            diff.script.moves().len()
        );
    }

    #[test]
    fn no_two_functions_stay_neighbours() {
        let order = apart(&mut Random::new(0), 500);
        assert!(order.windows(2).all(|w| w[1] != w[0] + 1));
    }
}
