//! Numbers that look made up and are the same in each run.

/// Random numbers, each time the same.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// Few numbers often, many seldom, as words are.
    pub fn skewed(&mut self, bound: u64) -> u64 {
        let unit = self.below(1 << 24) as f64 / (1 << 24) as f64;
        ((bound as f64).powf(unit) - 1.0) as u64
    }
}
