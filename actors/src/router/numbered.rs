//! Maps by the numbers that the router itself gives out. Nobody outside can choose them, so the hash need not be guarded
//! against that and costs next to nothing. What peers choose (request ids) is hashed with care.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by a number of ours.
pub(crate) type ByNumber<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Spreads counted numbers over all bits.
#[derive(Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}
