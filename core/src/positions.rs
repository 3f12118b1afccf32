//! Hash maps keyed by positions: small integers that no attacker chooses.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map from positions.
pub(crate) type PositionMap<K, V> = HashMap<K, V, BuildHasherDefault<PositionHasher>>;
/// A set of positions.
pub(crate) type PositionSet<K> = HashSet<K, BuildHasherDefault<PositionHasher>>;

/// Hashes with one multiplication per integer: the standard hasher took a tenth
/// of the time of diffing a shuffled text.
#[derive(Clone, Copy, Default)]
pub(crate) struct PositionHasher(u64);

impl Hasher for PositionHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
