//! Picture adjustments: how what is made of an original picture is cropped and rotated. The original stays as it is.

use std::fmt::{self, Display, Formatter};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Entity, Item};

/// Where a media keeps its adjustment. No field has this name, so no client reads or writes it as one, while revisions,
/// records and backups hold it like one.
pub const KEPT_AS: &str = "@picture_adjustment";
/// The property that says which bytes the adjustment is for.
const BYTES: &str = "sha512";

/// A rectangle, in pixels of the whole upright picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Crop {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    #[schema(minimum = 1)]
    pub width: u32,
    #[schema(minimum = 1)]
    pub height: u32,
}

impl Crop {
    /// Whether there is something in it, and all of it lies in a picture of this width and height.
    pub fn is_within(&self, (width, height): (u32, u32)) -> bool {
        let fits = |from: u32, length: u32, all: u32| {
            length > 0 && from.checked_add(length).is_some_and(|end| end <= all)
        };
        fits(self.x, self.width, width) && fits(self.y, self.height, height)
    }
}

/// The crop of an original picture, and then its rotation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureAdjustment {
    /// Degrees clockwise: 0, 90, 180 or 270.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 270, multiple_of = 90)]
    pub rotation: u16,
    /// `null` for the whole picture.
    #[serde(default, deserialize_with = "object_or_null")]
    pub crop: Option<Crop>,
}

/// By itself serde takes a list for a crop, in the order in which its members stand here.
fn object_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Crop>, D::Error> {
    let members = Option::<Item>::deserialize(deserializer)?;
    let crop = members.map(|members| serde_json::from_value(Value::Object(members)));
    crop.transpose().map_err(D::Error::custom)
}

impl PictureAdjustment {
    /// The adjustment that a media keeps for bytes, in the items of `KEPT_AS`.
    pub fn kept(items: &[Item], sha512: &str) -> Option<PictureAdjustment> {
        let mut item = items.first()?.clone();
        let bytes = item.remove(BYTES)?;
        let adjustment = serde_json::from_value(Value::Object(item)).ok()?;
        (bytes == sha512).then_some(adjustment)
    }

    fn items(&self, sha512: &str) -> Vec<Item> {
        let Ok(Value::Object(mut item)) = serde_json::to_value(self) else {
            return Vec::new();
        };
        item.insert(BYTES.to_owned(), sha512.into());
        vec![item]
    }
}

/// `REGION/ROTATION` in the words of the IIIF Image API, as derivatives are asked for.
impl Display for PictureAdjustment {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        match &self.crop {
            None => write!(to, "full/{}", self.rotation),
            Some(Crop {
                x,
                y,
                width,
                height,
            }) => write!(to, "{x},{y},{width},{height}/{}", self.rotation),
        }
    }
}

impl Entity {
    /// The adjustment of the picture with these bytes.
    pub fn picture_adjustment(&self, sha512: &str) -> Option<PictureAdjustment> {
        PictureAdjustment::kept(self.items(KEPT_AS), sha512)
    }

    /// Keeps an adjustment for a picture with these bytes, or none.
    pub fn adjust_picture(&mut self, adjustment: Option<PictureAdjustment>, sha512: &str) {
        let changed = adjustment.filter(|one| *one != PictureAdjustment::default());
        let items = changed.map(|adjustment| adjustment.items(sha512));
        self.set(KEPT_AS, items.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::EntityKind;

    const CROP: Crop = Crop {
        x: 10,
        y: 20,
        width: 300,
        height: 400,
    };

    #[test]
    fn an_adjustment_is_kept_for_the_bytes_that_it_was_made_for() {
        let mut media = Entity::new(EntityKind::Media, "image");
        let turned = PictureAdjustment {
            rotation: 90,
            crop: Some(CROP),
        };
        media.adjust_picture(Some(turned), "ab");
        assert_eq!(media.picture_adjustment("ab"), Some(turned));
        assert_eq!(media.picture_adjustment("cd"), None);
        media.adjust_picture(Some(PictureAdjustment::default()), "ab");
        assert!(media.values.is_empty(), "none is kept as none");
    }

    #[test]
    fn a_crop_lies_within_the_picture() {
        assert!(CROP.is_within((310, 420)));
        assert!(!CROP.is_within((309, 420)));
        assert!(!CROP.is_within((310, 419)));
        assert!(!Crop { width: 0, ..CROP }.is_within((310, 420)));
        let far = Crop {
            x: u32::MAX,
            ..CROP
        };
        assert!(!far.is_within((u32::MAX, 420)));
    }

    #[test]
    fn a_text_asks_for_the_derivative() {
        let turned = PictureAdjustment {
            rotation: 270,
            crop: None,
        };
        assert_eq!(turned.to_string(), "full/270");
        let cropped = PictureAdjustment {
            rotation: 0,
            crop: Some(CROP),
        };
        assert_eq!(cropped.to_string(), "10,20,300,400/0");
    }
}
