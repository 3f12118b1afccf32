//! Suffix array with longest common prefixes.

/// Empty entry.
const NONE: u32 = u32::MAX;

/// The starts of all suffixes of `text`, in lexicographic order. Symbols are
/// below `symbols`; a suffix that is a prefix of another one comes before it.
///
/// Uses induced sorting (SA-IS). The suffixes that are less than their successor
/// and follow one that is not (the valleys) determine the order of all others in
/// two passes. They are named by their first stretch and, if names repeat, sorted
/// recursively.
pub(super) fn sort(text: &[u32], symbols: usize) -> Vec<u32> {
    let len = text.len();
    if len <= 1 {
        return (0..len as u32).collect();
    }
    // Whether a suffix is less than its successor; the last one is not.
    let mut rises = vec![false; len];
    for i in (0..len - 1).rev() {
        rises[i] = text[i] < text[i + 1] || text[i] == text[i + 1] && rises[i + 1];
    }
    let is_valley = |i: usize| i > 0 && rises[i] && !rises[i - 1];
    let valleys: Vec<u32> = (1..len as u32).filter(|i| is_valley(*i as usize)).collect();
    let buckets = Buckets::new(text, symbols);
    let mut order = vec![NONE; len];
    buckets.induce(text, &rises, &valleys, &mut order);
    if valleys.len() > 1 {
        let sorted: Vec<u32> = order
            .iter()
            .copied()
            .filter(|i| is_valley(*i as usize))
            .collect();
        let (names, count) = name(text, &valleys, &sorted);
        let ranks = if count < valleys.len() {
            sort(&names, count)
        } else {
            let mut ranks = vec![0; names.len()];
            for (valley, name) in names.iter().enumerate() {
                ranks[*name as usize] = valley as u32;
            }
            ranks
        };
        let valleys: Vec<u32> = ranks.iter().map(|rank| valleys[*rank as usize]).collect();
        buckets.induce(text, &rises, &valleys, &mut order);
    }
    order
}

/// Names the stretches from valley to valley, in text order: equal stretches get
/// equal names, smaller ones lower names. Also returns the number of names.
fn name(text: &[u32], valleys: &[u32], sorted: &[u32]) -> (Vec<u32>, usize) {
    // The valley that starts at each position of the text.
    let mut number = vec![NONE; text.len()];
    for (valley, start) in valleys.iter().enumerate() {
        number[*start as usize] = valley as u32;
    }
    let stretch = |start: u32| {
        let next = number[start as usize] as usize + 1;
        // Up to and including the next valley; the last stretch ends with the
        // text.
        let end = valleys
            .get(next)
            .map_or(text.len(), |end| *end as usize + 1);
        (&text[start as usize..end], next == valleys.len())
    };
    let mut names = vec![0; valleys.len()];
    let mut name = 0;
    for (at, start) in sorted.iter().enumerate() {
        if at > 0 && {
            let (one, last) = stretch(sorted[at - 1]);
            let (other, other_last) = stretch(*start);
            last || other_last || one != other
        } {
            name += 1;
        }
        names[number[*start as usize] as usize] = name;
    }
    (names, name as usize + 1)
}

/// The ranges of suffixes by first symbol.
struct Buckets {
    /// The start of each symbol's range; the last entry is the length.
    starts: Vec<u32>,
}

impl Buckets {
    fn new(text: &[u32], symbols: usize) -> Self {
        let mut starts = vec![0; symbols + 1];
        for symbol in text {
            starts[*symbol as usize + 1] += 1;
        }
        for i in 0..symbols {
            starts[i + 1] += starts[i];
        }
        Self { starts }
    }

    /// Induces the order of all suffixes from that of the valleys. If the valleys
    /// are not sorted yet, the result is the order of their stretches.
    fn induce(&self, text: &[u32], rises: &[bool], valleys: &[u32], order: &mut [u32]) {
        let symbols = self.starts.len() - 1;
        order.fill(NONE);
        let mut ends = self.starts[1..].to_vec();
        for valley in valleys.iter().rev() {
            let end = &mut ends[text[*valley as usize] as usize];
            *end -= 1;
            order[*end as usize] = *valley;
        }
        // Falling suffixes, from the front: each comes after one placed before.
        let mut starts = self.starts[..symbols].to_vec();
        let mut put = |order: &mut [u32], i: u32| {
            let start = &mut starts[text[i as usize] as usize];
            order[*start as usize] = i;
            *start += 1;
        };
        // The empty suffix is the smallest; the last suffix precedes it.
        put(order, text.len() as u32 - 1);
        for at in 0..text.len() {
            let i = order[at];
            if i != NONE && i > 0 && !rises[i as usize - 1] {
                put(order, i - 1);
            }
        }
        // Rising suffixes, from the back; the valleys are placed again.
        ends.copy_from_slice(&self.starts[1..]);
        for at in (0..text.len()).rev() {
            let i = order[at];
            if i != NONE && i > 0 && rises[i as usize - 1] {
                let end = &mut ends[text[i as usize - 1] as usize];
                *end -= 1;
                order[*end as usize] = i - 1;
            }
        }
    }
}

/// For each suffix in the order, the length of its common prefix with the
/// previous one; 0 for the first.
pub(super) fn common(text: &[u32], order: &[u32]) -> Vec<u32> {
    let len = text.len();
    let mut rank = vec![0u32; len];
    for (at, start) in order.iter().enumerate() {
        rank[*start as usize] = at as u32;
    }
    let mut common = vec![0; len];
    let mut shared = 0;
    for i in 0..len {
        let at = rank[i] as usize;
        if at == 0 {
            shared = 0;
            continue;
        }
        let j = order[at - 1] as usize;
        let rest = text[i + shared..].iter().zip(&text[j + shared..]);
        shared += rest.take_while(|(a, b)| a == b).count();
        common[at] = shared as u32;
        shared = shared.saturating_sub(1);
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All texts over a few symbols up to a length, compared with plain sorting.
    #[test]
    fn the_order_is_that_of_the_suffixes() {
        for (symbols, longest) in [(1u32, 12u32), (2, 11), (3, 7), (4, 6)] {
            for len in 0..=longest {
                for number in 0..symbols.pow(len) {
                    let text: Vec<u32> = (0..len)
                        .map(|i| number / symbols.pow(i) % symbols)
                        .collect();
                    check(&text, symbols as usize);
                }
            }
        }
    }

    fn check(text: &[u32], symbols: usize) {
        let order = sort(text, symbols);
        let mut truth: Vec<u32> = (0..text.len() as u32).collect();
        truth.sort_by_key(|start| &text[*start as usize..]);
        assert_eq!(order, truth, "{text:?}");
        let common = common(text, &order);
        for at in 1..order.len() {
            let [a, b] = [order[at - 1], order[at]].map(|start| &text[start as usize..]);
            let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            assert_eq!(common[at] as usize, shared, "{text:?}");
        }
    }
}
