//! What somebody has decided about how a picture is shown: a crop and a rotation.

use std::str::FromStr;

use thiserror::Error;

/// A rectangle of a picture, in pixels of the whole upright picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// The region that is kept of a picture, and then its rotation. As a text it is `REGION/ROTATION` in the words of the
/// IIIF Image API: `10,20,300,400/90`, `full/180`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Adjustment {
    /// `None`: the whole picture.
    pub crop: Option<Region>,
    /// Clockwise, 0 to 3.
    pub quarter_turns: u8,
}

/// The text is no adjustment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0} is no adjustment: full/90, 10,20,300,400/0")]
pub struct NoAdjustment(pub String);

impl FromStr for Adjustment {
    type Err = NoAdjustment;

    fn from_str(text: &str) -> Result<Adjustment, NoAdjustment> {
        parse(text).ok_or_else(|| NoAdjustment(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Adjustment> {
    let (region, rotation) = text.split_once('/')?;
    let quarter_turns = match rotation {
        "0" => 0,
        "90" => 1,
        "180" => 2,
        "270" => 3,
        _ => return None,
    };
    let crop = match region {
        "full" => None,
        _ => Some(parse_region(region)?),
    };
    Some(Adjustment {
        crop,
        quarter_turns,
    })
}

fn parse_region(text: &str) -> Option<Region> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
    let [x, y, width, height] = numbers.ok()?.try_into().ok()?;
    Some(Region {
        x,
        y,
        width,
        height,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adjustment_is_a_region_and_a_rotation() {
        let turned = Adjustment {
            crop: None,
            quarter_turns: 3,
        };
        assert_eq!("full/270".parse(), Ok(turned));
        let region = Region {
            x: 1,
            y: 2,
            width: 30,
            height: 40,
        };
        let cropped = Adjustment {
            crop: Some(region),
            quarter_turns: 0,
        };
        assert_eq!("1,2,30,40/0".parse(), Ok(cropped));
        for text in [
            "",
            "full",
            "full/45",
            "1,2,3/0",
            "1,2,3,4,5/0",
            "-1,2,3,4/0",
        ] {
            assert!(text.parse::<Adjustment>().is_err(), "{text}");
        }
    }
}
