//! The parameters of an image request: region, size, rotation, quality and format (Image API 3.0 and 2.1.1, 4).

use thiserror::Error;

use crate::Version;
use crate::decimal::{decimal, pixels};

/// Why a request is not answered with an image. It is a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RequestError(pub String);

/// Which part of an image (4.1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Region {
    Full,
    /// The largest square, from the middle.
    Square,
    /// Left, top, width and height in pixels.
    Pixels([u32; 4]),
    /// Left, top, width and height in hundredths of the image.
    Percent([f64; 4]),
}

/// How large a region is to be returned (4.2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    pub kind: SizeKind,
    /// Whether it may be larger than the region.
    pub upscale: bool,
}

/// The measures of a size, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SizeKind {
    /// `full` of version 2: the size of the region.
    Full,
    /// As large as the server returns it.
    Max,
    Percent(f64),
    Width(u32),
    Height(u32),
    Exact(u32, u32),
    /// As large as it fits.
    Within(u32, u32),
}

/// Mirrored at the vertical axis first, then turned clockwise (4.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation {
    pub mirrored: bool,
    /// 0 up to, but not including, 360.
    pub degrees: f64,
}

/// The colours of an answer (4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quality {
    /// Those of the image.
    Default,
    Gray,
    /// Black or white.
    Bitonal,
}

/// The format of an answer (4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    Webp,
}

impl Format {
    pub(crate) const ALL: [Format; 3] = [Format::Jpeg, Format::Png, Format::Webp];

    /// The name in addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::Webp => "webp",
        }
    }

    /// The media type.
    pub fn mime(self) -> &'static str {
        match self {
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
            Format::Webp => "image/webp",
        }
    }
}

impl Quality {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Quality::Default => "default",
            Quality::Gray => "gray",
            Quality::Bitonal => "bitonal",
        }
    }
}

/// A request for an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImageRequest {
    pub version: Version,
    pub region: Region,
    pub size: Size,
    pub rotation: Rotation,
    pub quality: Quality,
    pub format: Format,
}

impl ImageRequest {
    /// Reads the four last segments of an address, without percent encoding; `file` is `{quality}.{format}`.
    ///
    /// # Errors
    /// A parameter has another form than the version gives it.
    pub fn parse(
        version: Version,
        [region, size, rotation, file]: [&str; 4],
    ) -> Result<ImageRequest, RequestError> {
        let (quality, format) = file
            .rsplit_once('.')
            .ok_or_else(|| invalid("name", file, "a quality and a format, such as default.jpg"))?;
        Ok(ImageRequest {
            version,
            region: parse_region(region)
                .ok_or_else(|| invalid("region", region, "full, square, x,y,w,h or pct:x,y,w,h"))?,
            size: parse_size(version, size)
                .ok_or_else(|| invalid("size", size, size_forms(version)))?,
            rotation: parse_rotation(rotation).ok_or_else(|| {
                invalid(
                    "rotation",
                    rotation,
                    "degrees from 0 to 360, with ! before them to mirror",
                )
            })?,
            quality: parse_quality(quality)
                .ok_or_else(|| invalid("quality", quality, "default, color, gray or bitonal"))?,
            format: Format::ALL
                .into_iter()
                .find(|one| one.as_str() == format)
                .ok_or_else(|| invalid("format", format, "jpg, png or webp"))?,
        })
    }
}

fn invalid(parameter: &str, text: &str, forms: &str) -> RequestError {
    let shown: String = text.chars().take(80).collect();
    RequestError(format!(
        "The {parameter} {shown:?} is not readable. It may be {forms}."
    ))
}

fn size_forms(version: Version) -> &'static str {
    match version {
        Version::Two => "full, max, w,  ,h  pct:n  w,h or !w,h",
        Version::Three => "max, w,  ,h  pct:n  w,h or !w,h, with ^ before it to enlarge",
    }
}

fn parse_region(text: &str) -> Option<Region> {
    match text {
        "full" => Some(Region::Full),
        "square" => Some(Region::Square),
        _ => match text.strip_prefix("pct:") {
            Some(numbers) => four(numbers, decimal).map(Region::Percent),
            None => four(text, pixels).map(Region::Pixels),
        },
    }
}

fn four<N: Copy + Default>(text: &str, number: impl Fn(&str) -> Option<N>) -> Option<[N; 4]> {
    let mut parts = text.split(',');
    let mut numbers = [N::default(); 4];
    for place in &mut numbers {
        *place = number(parts.next()?)?;
    }
    parts.next().is_none().then_some(numbers)
}

fn parse_size(version: Version, text: &str) -> Option<Size> {
    let (upscale, text) = match (version, text.strip_prefix('^')) {
        (Version::Two, None) => (true, text),
        (Version::Two, Some(_)) => return None,
        (Version::Three, None) => (false, text),
        (Version::Three, Some(rest)) => (true, rest),
    };
    let kind = match text {
        "max" => SizeKind::Max,
        "full" if version == Version::Two => SizeKind::Full,
        _ => parse_measures(text)?,
    };
    // `max` of version 2 enlarges nothing.
    let upscale = upscale && !(version == Version::Two && kind == SizeKind::Max);
    Some(Size { kind, upscale })
}

fn parse_measures(text: &str) -> Option<SizeKind> {
    if let Some(hundredths) = text.strip_prefix("pct:") {
        return decimal(hundredths).map(SizeKind::Percent);
    }
    let (within, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (width, height) = text.split_once(',')?;
    match (within, width, height) {
        (false, "", height) => pixels(height).map(SizeKind::Height),
        (false, width, "") => pixels(width).map(SizeKind::Width),
        (false, width, height) => Some(SizeKind::Exact(pixels(width)?, pixels(height)?)),
        (true, width, height) => Some(SizeKind::Within(pixels(width)?, pixels(height)?)),
    }
}

fn parse_rotation(text: &str) -> Option<Rotation> {
    let (mirrored, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let degrees = decimal(text).filter(|degrees| *degrees <= 360.0)?;
    Some(Rotation {
        mirrored,
        degrees: degrees % 360.0,
    })
}

fn parse_quality(text: &str) -> Option<Quality> {
    match text {
        // The colours of the image are what there is.
        "default" | "color" => Some(Quality::Default),
        "gray" => Some(Quality::Gray),
        "bitonal" => Some(Quality::Bitonal),
        _ => None,
    }
}
