//! Pairs of sequences with many ties: few kinds of elements, the new side usually
//! derived from the old one.

/// A small deterministic generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// The pair with this number, up to `longest` elements per side.
pub fn pair(seed: u64, longest: usize) -> (Vec<u32>, Vec<u32>) {
    let random = &mut Random::new(seed);
    let kinds = [1, 2, 2, 3, 4, 6, 12, 40][random.below(8)];
    let len = random.below(longest + 1);
    let text = |random: &mut Random, len: usize| -> Vec<u32> {
        match random.below(4) {
            // Runs of one kind, like closing braces.
            0 => {
                let mut text = Vec::new();
                while text.len() < len {
                    let kind = random.below(kinds) as u32;
                    text.extend(std::iter::repeat_n(kind, 1 + random.below(9)));
                }
                text.truncate(len);
                text
            }
            // A repeated pattern.
            1 => {
                let period = 1 + random.below(7);
                let pattern: Vec<u32> = (0..period).map(|_| random.below(kinds) as u32).collect();
                pattern.into_iter().cycle().take(len).collect()
            }
            _ => (0..len).map(|_| random.below(kinds) as u32).collect(),
        }
    };
    let old = text(random, len);
    if random.below(3) == 0 {
        let other = random.below(longest + 1);
        let new = text(random, other);
        return (old, new);
    }
    let mut new = old.clone();
    for _ in 0..random.below(8) {
        let at = random.below(new.len() + 1);
        let end = (at + random.below(6)).min(new.len());
        match random.below(4) {
            0 => drop(new.drain(at..end)),
            1 => {
                let len = random.below(5);
                let more = text(random, len);
                drop(new.splice(at..end, more));
            }
            2 => {
                let block: Vec<u32> = new.drain(at..end).collect();
                let to = random.below(new.len() + 1);
                drop(new.splice(to..to, block));
            }
            _ => {
                if let Some(element) = new.get_mut(at) {
                    *element = random.below(kinds + 1) as u32;
                }
            }
        }
    }
    (old, new)
}
