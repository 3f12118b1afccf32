//! Places whose surroundings are in the text a second time.

use crate::evidence::letters;
use crate::fold::Sum;
use crate::ground::Ground;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// Lines above and below a place that are its surroundings.
const SURROUNDINGS: usize = 14;
/// Letters and digits of a line that says something about its surroundings.
const SAYS: usize = 4;

/// How much of what is around a place is around another one, too, 0 to 1; `height` is how
/// many lines the block has.
pub(crate) fn share(ground: &Ground<'_>, lines: &Range<usize>, height: usize) -> f64 {
    let text = &ground.lines;
    let sums = &ground.sums;
    let around =
        lines.start.saturating_sub(SURROUNDINGS)..(lines.end + SURROUNDINGS).min(text.len());
    // What each line says, and how often it is there.
    let mut wanted: HashMap<Sum, (usize, usize)> = HashMap::new();
    let mut all = 0;
    for line in around.clone().filter(|line| !lines.contains(line)) {
        let says = letters(text.get(line));
        if says >= SAYS {
            wanted.entry(sums[line]).or_insert((says, 0)).1 += 1;
            all += says;
        }
    }
    let height = 2 * SURROUNDINGS + height;
    let elsewhere = (0..sums.len()).filter(|line| !around.contains(line));
    let mut window: VecDeque<usize> = VecDeque::new();
    let mut seen: HashMap<Sum, usize> = HashMap::new();
    let (mut said, mut most) = (0, 0);
    for line in elsewhere.filter(|line| wanted.contains_key(&sums[*line])) {
        window.push_back(line);
        let (says, times) = wanted[&sums[line]];
        let count = seen.entry(sums[line]).or_default();
        *count += 1;
        said += if *count <= times { says } else { 0 };
        while let Some(first) = window
            .front()
            .copied()
            .filter(|first| first + height < line)
        {
            window.pop_front();
            let (says, times) = wanted[&sums[first]];
            let count = seen.entry(sums[first]).or_default();
            said -= if *count <= times { says } else { 0 };
            *count -= 1;
        }
        most = most.max(said);
    }
    most as f64 / all.max(1) as f64
}
