//! What a request asks of an image whose size is known.

use crate::Version;
use crate::decimal::canonical;
use crate::image_request::{
    Format, ImageRequest, Quality, Region, RequestError, Rotation, Size, SizeKind,
};
use crate::pyramid::Pyramid;

/// Pixels of an answer. More would take too much memory.
pub const MAX_AREA: u64 = 16_000_000;
/// Pixels of a side of an answer: what WebP can hold.
pub const MAX_SIDE: u32 = 16_383;

/// The pixels of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rendition {
    pub version: Version,
    /// Left, top, width and height of the region in the image. It lies within the image and is not empty.
    pub region: [u32; 4],
    /// Width and height before it is turned.
    pub size: (u32, u32),
    pub rotation: Rotation,
    pub quality: Quality,
    pub format: Format,
    /// Whether the region is the whole image.
    full: bool,
    /// Whether it has the largest size that is returned without enlarging.
    max: bool,
}

impl Rendition {
    /// What a request asks of an image.
    ///
    /// # Errors
    /// The region is empty or outside, or the size is none, too large, or larger than the region without `^`.
    pub fn of(request: &ImageRequest, image: &Pyramid) -> Result<Rendition, RequestError> {
        let region = region_of(request.region, image)?;
        let [_, _, width, height] = region;
        let size = size_of(request.size, request.version, (width, height))?;
        if size.0 == 0 || size.1 == 0 {
            return Err(refused("The size has no pixels."));
        }
        let area = u64::from(size.0) * u64::from(size.1);
        if area > MAX_AREA || size.0.max(size.1) > MAX_SIDE {
            return Err(RequestError(format!(
                "The size is {} x {} pixels. Images of at most {} million pixels and {MAX_SIDE} pixels a side are returned; max asks for as many.",
                size.0,
                size.1,
                MAX_AREA / 1_000_000
            )));
        }
        Ok(Rendition {
            version: request.version,
            region,
            size,
            rotation: request.rotation,
            quality: request.quality,
            format: request.format,
            full: region == [0, 0, image.width, image.height],
            max: size == within_limits(width, height),
        })
    }

    /// The last four segments of its canonical address (Image API 3.0 and 2.1.1, 4.7).
    pub fn canonical(&self) -> String {
        let [left, top, width, height] = self.region;
        let region = match self.full {
            true => "full".to_owned(),
            false => format!("{left},{top},{width},{height}"),
        };
        let rotation = canonical(self.rotation.degrees);
        let mirror = if self.rotation.mirrored { "!" } else { "" };
        format!(
            "{region}/{}/{mirror}{rotation}/{}.{}",
            self.canonical_size(width, height),
            self.quality.as_str(),
            self.format.as_str()
        )
    }

    fn canonical_size(&self, region_width: u32, region_height: u32) -> String {
        let (width, height) = self.size;
        let larger = width > region_width || height > region_height;
        match self.version {
            Version::Two if self.size == (region_width, region_height) => "full".to_owned(),
            Version::Two if height == proportional(region_height, width, region_width) => {
                format!("{width},")
            }
            Version::Two => format!("{width},{height}"),
            Version::Three if self.max => "max".to_owned(),
            Version::Three if larger => format!("^{width},{height}"),
            Version::Three => format!("{width},{height}"),
        }
    }
}

fn refused(words: &str) -> RequestError {
    RequestError(words.to_owned())
}

fn region_of(region: Region, image: &Pyramid) -> Result<[u32; 4], RequestError> {
    let (width, height) = (image.width, image.height);
    let [left, top, wide, high] = match region {
        Region::Full => [0, 0, width, height],
        Region::Square => {
            let side = width.min(height);
            [(width - side) / 2, (height - side) / 2, side, side]
        }
        Region::Pixels(numbers) => numbers,
        Region::Percent([left, top, wide, high]) => {
            let of = |length: u32, hundredths: f64| {
                (f64::from(length) * hundredths / 100.0).round() as u32
            };
            [
                of(width, left),
                of(height, top),
                of(width, wide),
                of(height, high),
            ]
        }
    };
    if wide == 0 || high == 0 {
        return Err(refused("The region has no pixels."));
    }
    if left >= width || top >= height {
        return Err(RequestError(format!(
            "The region begins outside the image, which has {width} x {height} pixels."
        )));
    }
    Ok([left, top, wide.min(width - left), high.min(height - top)])
}

fn size_of(size: Size, version: Version, region: (u32, u32)) -> Result<(u32, u32), RequestError> {
    let (width, height) = region;
    let scaled = |scale: f64| {
        let of = |length: u32| (f64::from(length) * scale).round() as u32;
        (of(width), of(height))
    };
    let wanted = match size.kind {
        SizeKind::Full => region,
        // What has no declared limits is as large as it can be.
        SizeKind::Max => within_limits(width, height),
        SizeKind::Percent(hundredths) => scaled(hundredths / 100.0),
        SizeKind::Width(wide) => (wide, proportional(height, wide, width)),
        SizeKind::Height(high) => (proportional(width, high, height), high),
        SizeKind::Exact(wide, high) => (wide, high),
        SizeKind::Within(wide, high) => {
            let across = f64::from(wide) / f64::from(width);
            let along = f64::from(high) / f64::from(height);
            let scale = across.min(along);
            let (fitted_width, fitted_height) = scaled(scale);
            // What is thin keeps a pixel.
            (
                fitted_width.max(wide.min(1)),
                fitted_height.max(high.min(1)),
            )
        }
    };
    if version == Version::Three && !size.upscale && (wanted.0 > width || wanted.1 > height) {
        return Err(RequestError(format!(
            "The size is larger than the region, which has {width} x {height} pixels. A ^ before the size asks to enlarge."
        )));
    }
    Ok(wanted)
}

/// `length * part / whole`; at least one pixel where `part` has one.
fn proportional(length: u32, part: u32, whole: u32) -> u32 {
    let exact = f64::from(length) * f64::from(part) / f64::from(whole);
    (exact.round() as u32).max(part.min(1))
}

/// The largest size of a region that is returned: its own, or that of the limits.
pub(crate) fn within_limits(width: u32, height: u32) -> (u32, u32) {
    let (wide, high) = (f64::from(width), f64::from(height));
    let by_area = (MAX_AREA as f64 / (wide * high)).sqrt();
    let by_side = f64::from(MAX_SIDE) / wide.max(high);
    let scale = by_area.min(by_side);
    if scale >= 1.0 {
        return (width, height);
    }
    let of = |length: f64| ((length * scale).floor() as u32).clamp(1, MAX_SIDE);
    (of(wide), of(high))
}
