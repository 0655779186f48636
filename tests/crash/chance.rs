//! Chances that can be had again: the same seed, the same choices.

/// A generator of numbers (SplitMix64).
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).expect("small")
    }

    /// A sequence of its own.
    pub fn fork(&mut self) -> Chance {
        Chance(self.next())
    }

    /// Up to 300 kB, mostly far less.
    pub fn bytes(&mut self) -> Vec<u8> {
        let most = [100, 5_000, 300_000][self.below(3)];
        let length = 1 + self.below(most);
        let mut bytes = Vec::with_capacity(length + 8);
        while bytes.len() < length {
            bytes.extend(self.next().to_le_bytes());
        }
        bytes.truncate(length);
        bytes
    }
}
