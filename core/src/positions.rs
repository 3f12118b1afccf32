//! Maps from positions and orders by position: small integers that no attacker
//! chooses.

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

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// Indices below `count`, stably sorted by key.
pub(crate) fn order_by(count: usize, key: impl Fn(usize) -> u32) -> Vec<u32> {
    const DIGIT: u32 = 11;
    const FEW: usize = 256;
    let mut order: Vec<u32> = (0..count as u32).collect();
    if order.is_sorted_by_key(|&c| key(c as usize)) {
        return order;
    }
    if count < FEW {
        order.sort_by_key(|&c| key(c as usize));
        return order;
    }
    // From the lowest digit to the highest, each in one counting pass.
    let keys: Vec<u32> = (0..count).map(key).collect();
    let varies = keys.iter().fold(0, |bits, key| bits | (key ^ keys[0]));
    let mut next = vec![0; count];
    for shift in (0..u32::BITS).step_by(DIGIT as usize) {
        let digit = |c: u32| (keys[c as usize] >> shift) as usize & ((1 << DIGIT) - 1);
        if (varies >> shift) & ((1 << DIGIT) - 1) == 0 {
            continue;
        }
        let mut place = [0u32; 1 << DIGIT];
        for c in 0..count as u32 {
            place[digit(c)] += 1;
        }
        let mut before = 0;
        for count in &mut place {
            (*count, before) = (before, before + *count);
        }
        for &c in &order {
            let at = &mut place[digit(c)];
            next[*at as usize] = c;
            *at += 1;
        }
        std::mem::swap(&mut order, &mut next);
    }
    order
}

/// A key that orders as the numbers do, the highest first.
pub(crate) fn highest_first(number: f32) -> u32 {
    let bits = number.to_bits();
    let ordered = if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    };
    !ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_stable_however_many_there_are() {
        for count in [0, 1, 7, 255, 256, 5000] {
            for span in [3, 1 << 11, 1 << 22, u32::MAX] {
                let key = |c: usize| (c as u32).wrapping_mul(0x9e37_79b9) % span;
                let mut expected: Vec<u32> = (0..count as u32).collect();
                expected.sort_by_key(|&c| key(c as usize));
                assert_eq!(order_by(count, key), expected, "{count} {span}");
            }
        }
    }

    #[test]
    fn higher_numbers_come_first() {
        let numbers = [f32::MAX, 2.0, 1.5, 0.0, -0.0, -1.5, f32::MIN];
        assert!(numbers.is_sorted_by_key(|number| highest_first(*number)));
        assert_eq!(highest_first(2.0), highest_first(2.0));
    }
}
