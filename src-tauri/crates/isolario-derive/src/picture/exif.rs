//! What Exif says about how a picture is to be looked at.

use exif::{In, Reader, Tag};

/// What is not said to be otherwise.
pub(in super::super) const UPRIGHT: u16 = 1;

/// The orientation in a TIFF structure; upright where nothing is said, or nothing that can be understood.
pub(in super::super) fn orientation(exif: &[u8]) -> u16 {
    let fields = Reader::new().read_raw(exif.to_vec());
    let fields = fields.as_ref().ok();
    let field = fields.and_then(|fields| fields.get_field(Tag::Orientation, In::PRIMARY));
    let value = field.and_then(|field| field.value.get_uint(0));
    value
        .and_then(|value| u16::try_from(value).ok())
        .unwrap_or(UPRIGHT)
}
