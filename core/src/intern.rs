//! Maps contents to small integers; a hash collision is never taken for equality.

/// The identity of an element: equal tokens are equal elements.
///
/// Tokens come from one [`Interner`] for both sides of a problem and count up
/// from zero, so that algorithms can use them as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token(pub u32);

/// Gives equal contents equal [`Token`]s.
///
/// The table holds hashes and never owns contents. On a hash hit it asks the
/// caller to compare, so a collision can cost a comparison but cannot hide a
/// change.
///
/// ```
/// use mvdiff_core::{Interner, Token};
///
/// let words = ["to", "be", "or", "not", "to", "be"];
/// let mut first = Vec::new(); // the word each token was created for
/// let mut interner = Interner::with_capacity(words.len());
/// let tokens: Vec<Token> = words
///     .iter()
///     .map(|word| {
///         let hash = word.len() as u64; // a terrible hash is still correct
///         let token = interner.intern(hash, |seen| first[seen.0 as usize] == *word);
///         if token.0 as usize == first.len() {
///             first.push(*word);
///         }
///         token
///     })
///     .collect();
/// assert_eq!(tokens[0], tokens[4]);
/// assert_ne!(tokens[0], tokens[1]);
/// ```
#[derive(Clone, Debug)]
pub struct Interner {
    /// High half: high half of the hash, which also determines the slot, so that
    /// the table can grow by itself. Low half: token + 1; 0 means free.
    slots: Vec<u64>,
    count: u32,
}

impl Interner {
    /// Creates a table with room for `elements` distinct contents before it
    /// grows.
    #[must_use]
    pub fn with_capacity(elements: usize) -> Self {
        let slots = (elements.max(8) + elements / 4).next_power_of_two();
        Self {
            slots: vec![0; slots],
            count: 0,
        }
    }

    /// Number of distinct contents interned.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether nothing is interned yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    /// Interns the contents with this `hash`. `same(token)` returns whether they
    /// equal the contents that `token` was created for.
    ///
    /// A token equal to the previous [`len`](Self::len) is new: the caller must
    /// remember its contents.
    #[inline]
    pub fn intern(&mut self, hash: u64, mut same: impl FnMut(Token) -> bool) -> Token {
        let mut slot = self.slot(hash);
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            if (entry ^ hash) & HIGH == 0 {
                let token = Token((entry as u32) - 1);
                if same(token) {
                    return token;
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let token = Token(self.count);
        self.count += 1;
        self.slots[slot] = hash & HIGH | u64::from(self.count);
        if self.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        token
    }

    /// Looks up the contents with this `hash`. `same(token)` returns whether they
    /// equal the contents that `token` was created for.
    #[must_use]
    pub fn get(&self, hash: u64, mut same: impl FnMut(Token) -> bool) -> Option<Token> {
        let mut slot = self.slot(hash);
        while self.slots[slot] != 0 {
            let entry = self.slots[slot];
            let token = Token((entry as u32) - 1);
            if (entry ^ hash) & HIGH == 0 && same(token) {
                return Some(token);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// Looks up a key that is its own hash. Only the high half is compared.
    #[must_use]
    pub fn find(&self, hash: u64) -> Option<Token> {
        let mut slot = self.slot(hash);
        while self.slots[slot] != 0 {
            if (self.slots[slot] ^ hash) & HIGH == 0 {
                return Some(Token((self.slots[slot] as u32) - 1));
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// Prefetches the slots for these hashes, so that their cache misses overlap
    /// instead of occurring one after the other.
    #[inline]
    pub fn warm(&self, hashes: &[u64]) {
        let touched = hashes
            .iter()
            .fold(0, |sum, &hash| sum ^ self.slots[self.slot(hash)]);
        std::hint::black_box(touched);
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![0; old.len() * 2];
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut slot = self.slot(entry);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = entry;
        }
    }
}

const HIGH: u64 = !0 << 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_hashes_of_different_contents_stay_apart() {
        let contents = ["a", "b", "a", "c", "b"];
        let mut first: Vec<&str> = Vec::new();
        let mut interner = Interner::with_capacity(0);
        let tokens: Vec<u32> = contents
            .iter()
            .map(|c| {
                let token = interner.intern(7, |t| first[t.0 as usize] == *c);
                if token.0 as usize == first.len() {
                    first.push(c);
                }
                token.0
            })
            .collect();
        assert_eq!(tokens, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn looking_up_adds_nothing_and_tells_contents_apart() {
        let mut interner = Interner::with_capacity(1);
        let contents = ["a", "b"];
        for (at, content) in contents.iter().enumerate() {
            let token = interner.intern(7 << 40, |seen| contents[seen.0 as usize] == *content);
            assert_eq!(token.0 as usize, at);
        }
        let get =
            |content: &str| interner.get(7 << 40, |seen| contents[seen.0 as usize] == content);
        assert_eq!(
            ["a", "b", "c"].map(get),
            [Some(Token(0)), Some(Token(1)), None]
        );
        assert_eq!(interner.get(8 << 40, |_| true), None);
        assert_eq!(interner.len(), 2);
    }

    #[test]
    fn growing_keeps_every_token() {
        let mut interner = Interner::with_capacity(1);
        let hash = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for i in 0..1000 {
            assert_eq!(
                interner.intern(hash(i), |t| u64::from(t.0) == i).0,
                i as u32
            );
        }
        for i in 0..1000 {
            assert_eq!(
                interner.intern(hash(i), |t| u64::from(t.0) == i).0,
                i as u32
            );
        }
        assert_eq!(interner.len(), 1000);
    }
}
