//! What a picture is like, without its pixels.

use super::super::iptc::in_photoshop;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::format::Format;
use super::segments::Segments;
use super::{bmp, gif, jpeg2000, png, tiff, webp};

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
    pub exif: Option<Vec<u8>>,
    pub xmp: Option<Vec<u8>>,
    /// IPTC-IIM.
    pub iptc: Option<Vec<u8>>,
}

/// Surveys a picture; `None` where it is of no format that is read here.
///
/// # Errors
/// It is damaged.
pub(in super::super) fn read_properties(
    source: &mut Source,
) -> Result<Option<PictureProperties>, DeriveError> {
    let Some(format) = Format::of_head(&source.head(64)?) else {
        return Ok(None);
    };
    let properties = match format {
        Format::Jpeg => of_jpeg(source)?,
        Format::Png => png::read_properties(source)?,
        Format::Gif => gif::read_properties(source)?,
        Format::Tiff => tiff::read_properties(source)?,
        Format::Jpeg2000 => jpeg2000::read_properties(source)?,
        Format::WebP => webp::read_properties(source)?,
        Format::Bmp => bmp::read_properties(source)?,
        Format::Pdf | Format::Audio | Format::Video => return Ok(None),
    };
    Ok(Some(properties))
}

fn of_jpeg(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let segments = Segments::read(source.rewound()?);
    let segments = segments.map_err(|error| DeriveError::not_read("picture", &error))?;
    let frame = segments.frame;
    let frame = frame.ok_or_else(|| DeriveError::unreadable("The picture has no frame."))?;
    Ok(PictureProperties {
        width: u32::from(frame.width),
        height: u32::from(frame.height),
        colour_space: Some(match frame.channels {
            1 => "grey",
            4 => "CMYK",
            _ => "RGB",
        }),
        bit_depth: Some(u32::from(frame.bits)),
        resolution: segments.resolution,
        profile: segments.profile.is_some(),
        iptc: segments
            .photoshop
            .as_deref()
            .and_then(in_photoshop)
            .map(<[u8]>::to_vec),
        exif: segments.exif,
        xmp: segments.xmp,
        ..PictureProperties::default()
    })
}
