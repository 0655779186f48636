//! The least of many values, without sorting all of them.

use std::ops::Range;

/// Keeps the least so many values.
pub struct Least<T> {
    limit: usize,
    values: Vec<T>,
    /// No value above this is among the least.
    highest: Option<T>,
}

impl<T: Ord + Clone> Least<T> {
    /// Of so many values.
    pub fn new(limit: usize) -> Least<T> {
        Least {
            limit,
            values: Vec::new(),
            highest: None,
        }
    }

    /// The greatest value that is among the least so far, once there are enough.
    pub fn highest(&self) -> Option<&T> {
        self.highest.as_ref()
    }

    /// Takes a value.
    pub fn push(&mut self, value: T) {
        if self.limit == 0
            || self
                .highest
                .as_ref()
                .is_some_and(|highest| value > *highest)
        {
            return;
        }
        self.values.push(value);
        if self.values.len() >= 2 * self.limit {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.values.len() >= self.limit {
            let (_, highest, _) = self.values.select_nth_unstable(self.limit - 1);
            self.highest = Some(highest.clone());
            self.values.truncate(self.limit);
        }
    }

    /// The least values in their order, after those that are skipped.
    pub fn page(mut self, skipped: usize) -> Vec<T> {
        self.values.sort_unstable();
        self.values.truncate(self.limit);
        self.values.drain(..skipped.min(self.values.len()));
        self.values
    }
}

/// What stands at some places if the values are put in their order.
pub fn part<T: Ord>(mut values: Vec<T>, places: Range<usize>) -> Vec<T> {
    let places = places.start..places.end.min(values.len());
    if places.is_empty() {
        return Vec::new();
    }
    if places.end < values.len() {
        values.select_nth_unstable(places.end);
        values.truncate(places.end);
    }
    if places.start > 0 {
        values.select_nth_unstable(places.start);
    }
    let mut part = values.split_off(places.start);
    part.sort_unstable();
    part
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_the_least(
            values in prop::collection::vec(0..50, 0..200),
            limit in 0_usize..30,
            skipped in 0_usize..10,
        ) {
            let mut least = Least::new(limit);
            values.iter().for_each(|value| least.push(*value));
            let mut expected = values.clone();
            expected.sort_unstable();
            let expected: Vec<i32> = expected.into_iter().take(limit).skip(skipped).collect();
            prop_assert_eq!(part(values, skipped..limit), expected.clone());
            prop_assert_eq!(least.page(skipped), expected);
        }
    }
}
