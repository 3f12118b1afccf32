//! A random number generator whose numbers never change.

/// `SplitMix64`. Written out, because what the well-known crates draw from a seed
/// may change with their versions, and every checked-in byte hangs on it.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The numbers of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The numbers of a seed and a word, so that what is drawn for one purpose
    /// does not shift what is drawn for another.
    #[must_use]
    pub fn named(seed: u64, name: &str) -> Self {
        let mut rng = Self(seed ^ 0x6d76_6469_6666_0001);
        for byte in name.bytes() {
            rng.0 = rng.next_u64() ^ u64::from(byte);
        }
        rng
    }

    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, and without, `end`.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is no number below 0");
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }

    /// A number from `first` to `last`, both included.
    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// So many of these, no one twice, in no order; all if there are fewer.
    pub fn sample<T: Clone>(&mut self, from: &[T], count: usize) -> Vec<T> {
        let mut rest = from.to_vec();
        let count = count.min(rest.len());
        for i in 0..count {
            let other = self.between(i, rest.len() - 1);
            rest.swap(i, other);
        }
        rest.truncate(count);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_numbers_never_change() {
        let mut rng = Rng::new(1);
        let drawn: Vec<usize> = (0..6).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, [566, 745, 971, 444, 444, 762]);
    }
}
