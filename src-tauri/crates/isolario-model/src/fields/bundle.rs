//! The node type, media type or vocabulary of a resource.

use super::property::property;
use super::{FieldType, Property, Shape};

/// `{"target_id": "image", "target_type": "media_type", "target_uuid": "…"}`. Written by the
/// formats from the resource's bundle; clients cannot change it.
pub struct BundleReference;

impl FieldType for BundleReference {
    fn properties(&self) -> &'static [Property] {
        const { &[property("target_id", Shape::Text)] }
    }
}
