//! JPEG (ITU-T T.81): baseline, extended, progressive and lossless, with Huffman coding.

use jpeg_decoder::{Decoder, Error, ImageInfo, PixelFormat, UnsupportedFeature};

use super::super::iptc::in_photoshop;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header, check_memory};
use super::segments::{Frame, Segments};
use super::{Picture, shrink};

/// Reads a picture; a large one at an eighth, a quarter or half of its size, as its blocks allow.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let segments = Segments::read(source.rewound()?);
    let segments = segments.map_err(|error| DeriveError::not_read("picture", &error))?;
    if let Some(frame) = &segments.frame {
        check_memory(coefficients(frame))?;
    }
    let mut decoder = Decoder::new(source.rewound()?);
    decoder.read_info().map_err(refused)?;
    let asked = u16::try_from(longest).unwrap_or(u16::MAX);
    decoder.scale(asked, asked).map_err(refused)?;
    let header = |info: ImageInfo| Header {
        width: u32::from(info.width),
        height: u32::from(info.height),
        colour_model: colour_model(info.pixel_format),
        alpha: false,
        deep: info.pixel_format == PixelFormat::L16,
    };
    let unread = || DeriveError::unreadable("The picture has no frame.");
    check_memory(header(decoder.info().ok_or_else(unread)?).check()?.bytes())?;
    let mut pixels = decoder.decode().map_err(refused)?;
    let header = header(decoder.info().ok_or_else(unread)?);
    if header.colour_model == ColourModel::Cmyk && !segments.adobe {
        pixels
            .iter_mut()
            .for_each(|colour_model| *colour_model = 255 - *colour_model);
    }
    Ok(Picture {
        raster: shrink::all(header, &pixels, longest)?,
        profile: segments.profile,
        orientation: segments.exif.map_or(UPRIGHT, |exif| exif.orientation()),
    })
}

/// Bytes of what a picture in several scans keeps until the last one.
fn coefficients(frame: &Frame) -> u64 {
    if frame.progressive {
        frame.samples * 2
    } else {
        0
    }
}

/// What its segments say.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
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

fn colour_model(format: PixelFormat) -> ColourModel {
    match format {
        PixelFormat::L8 | PixelFormat::L16 => ColourModel::Gray,
        PixelFormat::RGB24 => ColourModel::Rgb,
        PixelFormat::CMYK32 => ColourModel::Cmyk,
    }
}

fn refused(error: Error) -> DeriveError {
    match error {
        Error::Io(error) => DeriveError::not_read("picture", &error),
        Error::Format(words) => DeriveError::damaged("picture", words),
        Error::Unsupported(feature) => DeriveError::unreadable(match feature {
            UnsupportedFeature::ArithmeticEntropyCoding => {
                "The picture is a JPEG with arithmetic coding, which cannot be read here."
                    .to_owned()
            }
            UnsupportedFeature::SamplePrecision(bits) => {
                format!(
                    "The picture is a JPEG with {bits} bits a sample, which cannot be read here."
                )
            }
            _ => "The picture is a JPEG of a rare kind, which cannot be read here.".to_owned(),
        }),
        Error::Internal(error) => DeriveError::damaged("picture", error),
    }
}
