//! Randomness and keyed hashes.

use aws_lc_rs::{digest, hmac, rand};

/// `N` random bytes, in hexadecimal digits.
pub fn random_hex<const N: usize>() -> String {
    hex::encode(random_bytes::<N>())
}

/// `N` random bytes from the system.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // The library's generator seeds itself from the system and fails only where the system has no
    // randomness at all; nothing secret can be made there.
    rand::fill(&mut bytes).expect("the system has randomness");
    bytes
}

/// Digits that a double click selects as one word.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Digits with 256 bits of chance.
const LENGTH: usize = 43;

/// 256 random bits in digits that a double click selects as one word.
pub fn random_word() -> String {
    // Bytes above the last multiple of 62 would make the first digits likelier.
    let bytes = std::iter::repeat_with(random_bytes::<LENGTH>).flatten();
    let digits = bytes.filter(|byte| *byte < 248);
    let digits = digits.map(|byte| char::from(DIGITS[usize::from(byte % 62)]));
    digits.take(LENGTH).collect()
}

/// A key that lives as long as the program runs.
pub fn launch_key() -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, &random_bytes::<32>())
}

/// SHA-256, in hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(digest::digest(&digest::SHA256, bytes))
}
