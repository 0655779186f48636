//! The address a resource has beside its own. Only its empty form is known here.

use super::property::property;
use super::{FieldType, Property, Shape};

/// `{"alias": null, "pid": null, "langcode": "en"}`.
pub struct PathAlias;

impl FieldType for PathAlias {
    fn properties(&self) -> &'static [Property] {
        const {
            &[
                property("alias", Shape::Text),
                property("pid", Shape::Integer),
                property("langcode", Shape::Text),
            ]
        }
    }
}
