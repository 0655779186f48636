//! Sets of documents of a segment, one bit for each.

/// A set of numbers below a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    bound: u32,
}

impl Bits {
    /// No number.
    pub fn none(bound: u32) -> Bits {
        Bits {
            words: vec![0; bound.div_ceil(64) as usize],
            bound,
        }
    }

    /// All numbers.
    pub fn all(bound: u32) -> Bits {
        let mut words = vec![u64::MAX; bound.div_ceil(64) as usize];
        if let (Some(last), 1..) = (words.last_mut(), bound % 64) {
            *last = (1 << (bound % 64)) - 1;
        }
        Bits { words, bound }
    }

    /// The numbers of words of 64 bits, those below the bound.
    pub fn of(bound: u32, words: impl Iterator<Item = u64>) -> Bits {
        let mut bits = Bits::all(bound);
        let words = words.chain(std::iter::repeat(0));
        for (own, word) in bits.words.iter_mut().zip(words) {
            *own &= word;
        }
        bits
    }

    /// The numbers are below this.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Adds a number, which must be below the bound.
    pub fn insert(&mut self, number: u32) {
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    /// Adds numbers in their order, which must be below the bound.
    pub fn insert_ordered(&mut self, numbers: &[u32]) {
        let (mut place, mut word) = (0, 0);
        for number in numbers {
            if *number as usize / 64 != place {
                self.words[place] |= word;
                (place, word) = (*number as usize / 64, 0);
            }
            word |= 1 << (number % 64);
        }
        if let Some(last) = self.words.get_mut(place) {
            *last |= word;
        }
    }

    /// How many of some numbers it has.
    pub fn count_of(&self, numbers: &[u32]) -> usize {
        let has = numbers.iter().map(|number| usize::from(self.has(*number)));
        has.sum()
    }

    /// Whether it has the number.
    pub fn has(&self, number: u32) -> bool {
        let word = self.words.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// How many numbers it has.
    pub fn count(&self) -> usize {
        let ones = self.words.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Leaves what the other has, too.
    pub fn keep(&mut self, other: &Bits) {
        self.combine(other, |own, other| own & other);
    }

    /// Removes what the other has.
    pub fn remove(&mut self, other: &Bits) {
        self.combine(other, |own, other| own & !other);
    }

    /// Adds what the other has.
    pub fn add(&mut self, other: &Bits) {
        self.combine(other, |own, other| own | other);
    }

    fn combine(&mut self, other: &Bits, both: impl Fn(u64, u64) -> u64) {
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            *own = both(*own, *other);
        }
    }

    /// The numbers in their order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.words).flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let lowest = rest.trailing_zeros();
                rest &= rest - 1;
                Some(index * 64 + lowest)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn bits(numbers: &BTreeSet<u32>, bound: u32) -> Bits {
        let mut bits = Bits::none(bound);
        numbers.iter().for_each(|number| bits.insert(*number));
        bits
    }

    proptest! {
        #[test]
        fn they_are_sets(
            left in prop::collection::btree_set(0_u32..200, 0..40),
            right in prop::collection::btree_set(0_u32..200, 0..40),
        ) {
            let changed = |change: fn(&mut Bits, &Bits)| {
                let mut changed = bits(&left, 200);
                change(&mut changed, &bits(&right, 200));
                changed
            };
            let ordered: Vec<u32> = right.iter().copied().collect();
            let mut added = bits(&left, 200);
            prop_assert_eq!(added.count_of(&ordered), (&left & &right).len());
            added.insert_ordered(&ordered);
            for (changed, expected) in [
                (added, &left | &right),
                (changed(Bits::keep), &left & &right),
                (changed(Bits::remove), &left - &right),
                (changed(Bits::add), &left | &right),
            ] {
                prop_assert_eq!(changed.count(), expected.len());
                prop_assert_eq!(changed.is_empty(), expected.is_empty());
                prop_assert!((0..200).all(|number| changed.has(number) == expected.contains(&number)));
                prop_assert_eq!(changed.iter().collect::<BTreeSet<u32>>(), expected);
            }
        }

        #[test]
        fn all_of_them_are_all_of_them(bound in 0_u32..200) {
            let numbers: Vec<u32> = (0..bound).collect();
            let words = std::iter::repeat_n(u64::MAX, 2);
            let lowest = Bits::of(bound, words).iter().collect::<Vec<u32>>();
            prop_assert_eq!(lowest.as_slice(), &numbers[..numbers.len().min(128)]);
            prop_assert_eq!(Bits::all(bound).iter().collect::<Vec<u32>>(), numbers);
        }
    }
}
