//! What a picture is like, without its pixels.

use super::exif_fields::ExifFields;

/// What is known of a picture.
#[derive(Debug, Default)]
pub(in super::super) struct PictureProperties {
    pub width: u32,
    pub height: u32,
    pub colour_space: Option<&'static str>,
    /// Bits of a sample.
    pub bit_depth: Option<u32>,
    pub alpha: Option<bool>,
    /// Of formats that have pages or frames.
    pub pages: Option<usize>,
    /// Pixels per inch, across and down.
    pub resolution: Option<[f64; 2]>,
    /// Whether there is a colour profile.
    pub profile: bool,
    pub exif: Option<ExifFields>,
    pub xmp: Option<Vec<u8>>,
    /// IPTC-IIM.
    pub iptc: Option<Vec<u8>>,
}
