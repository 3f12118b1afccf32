//! Texts of a grid, each once, in one piece of memory.

use mvdiff_core::Interner;
use xxhash_rust::xxh3::xxh3_64;

/// Texts by number.
#[derive(Clone, Debug)]
pub(crate) struct StringPool {
    all: String,
    /// Where each text ends in `all`; it begins where the one before ends.
    ends: Vec<u32>,
    known: Interner,
}

impl Default for StringPool {
    fn default() -> Self {
        Self {
            all: String::new(),
            ends: Vec::new(),
            known: Interner::with_capacity(0),
        }
    }
}

impl StringPool {
    /// The number of this text.
    pub fn intern(&mut self, text: &str) -> u32 {
        let Self { all, ends, known } = self;
        let id = known
            .intern(hash(text), |seen| slice(all, ends, seen.0) == text)
            .0;
        if id as usize == ends.len() {
            all.push_str(text);
            ends.push(u32::try_from(all.len()).expect("a limit on text was checked before"));
        }
        id
    }

    /// The text of this number.
    #[inline]
    pub fn get(&self, id: u32) -> &str {
        slice(&self.all, &self.ends, id)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// How long they are together.
    pub fn bytes(&self) -> usize {
        self.all.len()
    }

    /// Gives back what is not needed once no text comes any more.
    pub fn shrink(&mut self) {
        self.all.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.known = Interner::with_capacity(0);
    }
}

/// The hash of a text, the same in every grid.
pub(crate) fn hash(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

fn slice<'t>(all: &'t str, ends: &[u32], id: u32) -> &'t str {
    let start = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &all[start as usize..ends[id as usize] as usize]
}
