//! The direction of a list.

use crate::api::openapi::values;

/// Words for the direction of a list, and whether it goes down.
pub(super) const DIRECTIONS: [(&str, bool); 2] = [("asc", false), ("desc", true)];

values::schemas! {
    /// In which direction a list goes.
    Direction => values::one_of(values::names(&DIRECTIONS));
}
