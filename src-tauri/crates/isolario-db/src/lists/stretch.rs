//! The two parts of a list in an order.

/// A stretch of a list that one index walk covers: the rows with a key, then the rows without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch {
    Keyed,
    Unkeyed,
}
