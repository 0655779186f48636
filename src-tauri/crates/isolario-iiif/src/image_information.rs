//! The information document of an image, `info.json` (Image API 3.0, 5; 2.1.1, 5).

use serde_json::{Value, json};

use crate::Version;
use crate::pyramid::Pyramid;
use crate::rendition::{MAX_AREA, MAX_SIDE, within_limits};

/// What the document says besides what the image itself has.
#[derive(Debug, Clone, Default)]
pub struct ImageInformation {
    /// The address of the image service, without `/info.json`.
    pub id: String,
    /// An address that says what may be done with the image.
    pub rights: Option<String>,
    /// Services for the image, such as that of authorisation.
    pub services: Vec<Value>,
}

const FEATURES: [&str; 12] = [
    "baseUriRedirect",
    "canonicalLinkHeader",
    "cors",
    "jsonldMediaType",
    "mirroring",
    "profileLinkHeader",
    "regionByPct",
    "regionByPx",
    "regionSquare",
    "rotationArbitrary",
    "rotationBy90s",
    "sizeUpscaling",
];

/// The information document of an image.
pub fn image_information(version: Version, about: &ImageInformation, image: &Pyramid) -> Value {
    let levels = 0..image.levels();
    let sizes = levels.clone().rev().map(|level| image.at(level));
    let sizes = sizes.filter(|size| u64::from(size.0) * u64::from(size.1) <= MAX_AREA);
    let sizes: Vec<Value> = sizes
        .filter(|size| size.0.max(size.1) <= MAX_SIDE)
        .map(|(width, height)| json!({"width": width, "height": height}))
        .collect();
    // An image within the limits is returned as it is.
    let limits = match within_limits(image.width, image.height) == (image.width, image.height) {
        true => json!({}),
        false => json!({"maxWidth": MAX_SIDE, "maxHeight": MAX_SIDE, "maxArea": MAX_AREA}),
    };
    let factors: Vec<u32> = levels.map(|level| 1 << level).collect();
    let tiles = json!([{"width": image.side, "scaleFactors": factors}]);
    let common = json!({
        "@context": version.context(),
        "protocol": "http://iiif.io/api/image",
        "width": image.width,
        "height": image.height,
        "sizes": sizes,
        "tiles": tiles,
    });
    let own = match version {
        Version::Three => merged(
            limits,
            json!({
                "id": about.id,
                "type": "ImageService3",
                "profile": "level2",
                "preferredFormats": ["jpg"],
                "extraFormats": ["webp"],
                "extraQualities": ["color", "gray", "bitonal"],
                "extraFeatures": FEATURES,
                "rights": about.rights,
                "service": about.services,
            }),
        ),
        Version::Two => json!({
            "@id": about.id,
            "profile": [version.profile(), merged(limits, json!({
                "formats": ["jpg", "png", "webp"],
                "qualities": ["default", "color", "gray", "bitonal"],
                "supports": FEATURES_OF_TWO,
            }))],
            "license": about.rights,
            "service": about.services,
        }),
    };
    merged(common, own)
}

const FEATURES_OF_TWO: [&str; 9] = [
    "baseUriRedirect",
    "canonicalLinkHeader",
    "cors",
    "jsonldMediaType",
    "mirroring",
    "profileLinkHeader",
    "regionSquare",
    "rotationArbitrary",
    "sizeAboveFull",
];

/// Both objects as one, without what has no value.
fn merged(first: Value, second: Value) -> Value {
    let members = [first, second].into_iter().flat_map(|object| match object {
        Value::Object(members) => members,
        _ => serde_json::Map::new(),
    });
    let empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    Value::Object(members.filter(|(_, value)| !empty(value)).collect())
}
