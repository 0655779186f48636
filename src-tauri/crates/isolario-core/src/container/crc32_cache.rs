//! Checksums that a ZIP tells of its files, kept so that the rest of one is sent without reading what came before it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Files whose checksum is kept, at most.
const MOST: usize = 65_536;

/// The CRC-32 of bytes that were read, by the first half of their SHA-512.
#[derive(Debug, Default)]
pub struct Crc32Cache(Mutex<HashMap<[u8; 32], u32>>);

impl Crc32Cache {
    /// That of bytes with a SHA-512 (hexadecimal).
    pub(super) fn get(&self, sha512: &str) -> Option<u32> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key(sha512)?).copied()
    }

    /// Keeps one. All are forgotten once there are too many.
    pub(super) fn keep(&self, sha512: &str, crc: u32) {
        let Some(key) = key(sha512) else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, crc);
    }
}

fn key(sha512: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    hex::decode_to_slice(sha512.get(..64)?, &mut key).ok()?;
    Some(key)
}
