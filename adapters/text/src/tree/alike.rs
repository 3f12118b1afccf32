//! Similarity of two files, by their common pieces in any order.

use xxhash_rust::xxh3::xxh3_64;

/// Lines are cut into pieces of this many bytes, as in git.
const LONGEST: usize = 64;

/// The pieces of a file, by hash, with the total bytes of each.
pub(super) struct Pieces {
    list: Vec<(u64, u64)>,
    size: u64,
}

impl Pieces {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut list: Vec<(u64, u64)> = Vec::with_capacity(bytes.len() / 32 + 1);
        for line in mvdiff_lines::split(bytes) {
            for piece in line.chunks(LONGEST) {
                // Line endings do not count as a difference between files.
                let hash = match piece.strip_suffix(b"\r\n") {
                    Some(text) => xxh3_64(&[text, b"\n"].concat()),
                    None => xxh3_64(piece),
                };
                list.push((hash, piece.len() as u64));
            }
        }
        list.sort_unstable();
        list.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        Self {
            list,
            size: bytes.len() as u64,
        }
    }

    /// Cost of a comparison.
    pub(super) fn steps(&self, other: &Self) -> u64 {
        (self.list.len() + other.list.len()) as u64
    }

    /// Upper bound of the similarity of two files, by their sizes.
    pub(super) fn bound(&self, other: &Self) -> Share {
        Share {
            common: self.size.min(other.size),
            size: self.size.max(other.size),
        }
    }

    /// Similarity of two files.
    pub(super) fn share(&self, other: &Self) -> Share {
        let (mut a, mut b) = (self.list.iter().peekable(), other.list.iter().peekable());
        let mut common = 0;
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.0.cmp(&y.0) {
                std::cmp::Ordering::Less => drop(a.next()),
                std::cmp::Ordering::Greater => drop(b.next()),
                std::cmp::Ordering::Equal => {
                    common += x.1.min(y.1);
                    a.next();
                    b.next();
                }
            }
        }
        Share {
            common,
            ..self.bound(other)
        }
    }
}

/// Common bytes, relative to the size of the larger file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    common: u64,
    size: u64,
}

impl Share {
    /// Two identical files.
    pub(super) const ALL: Self = Self { common: 1, size: 1 };

    /// Whether the similarity is at least `least`.
    pub(super) fn reaches(self, least: f32) -> bool {
        self.size > 0 && self.common as f64 >= f64::from(least) * self.size as f64
    }

    /// In percent; 100 only for identical files.
    pub(super) fn percent(self) -> u64 {
        let percent = self.common.saturating_mul(100) / self.size.max(1);
        percent.min(if self == Self::ALL { 100 } else { 99 })
    }
}

impl Ord for Share {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (a, b) = (
            u128::from(self.common) * u128::from(other.size),
            u128::from(other.common) * u128::from(self.size),
        );
        a.cmp(&b)
    }
}

impl PartialOrd for Share {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_common_counts_wherever_it_stands() {
        let share = |a: &str, b: &str| {
            let share = Pieces::of(a.as_bytes()).share(&Pieces::of(b.as_bytes()));
            share.percent()
        };
        assert_eq!(share("a\nb\nc\nd\n", "d\nc\nx\ny\n"), 50);
        assert_eq!(share("a\na\na\n", "a\n"), 33);
        assert_eq!(share("a\r\nb\r\n", "a\nb\n"), 66);
        assert_eq!(share("b\na\n", "a\nb\n"), 99, "not the same file");
        let long = "x".repeat(64);
        assert_eq!(share(&(long.clone() + "a"), &(long + "b")), 98);
    }
}
