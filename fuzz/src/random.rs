//! Numbers that are the same each time.

/// A generator of numbers (splitmix64).
pub struct Random(u64);

impl Random {
    /// The numbers of one run of a target.
    #[must_use]
    pub fn new(seed: u64, target: &str, run: u64) -> Self {
        let name = target
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        let start = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ name;
        Self(start.wrapping_add(run.wrapping_mul(0xd134_2543_de82_ef95)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below another, which is not zero; 0 if it is.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            end => (self.next() % end as u64) as usize,
        }
    }

    /// One of several; none of none.
    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        all.get(self.below(all.len()))
    }

    /// Whether one in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
