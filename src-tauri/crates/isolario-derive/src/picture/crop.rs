//! Crops a picture. It is read as large as the kept region needs, not as the whole would need.

use super::super::adjustment::Region;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::Picture;
use super::format::Format;
use super::orientation::stored_place;
use super::raster::{Header, Raster, Samples};

/// Pixels that are read for the sake of a small region, at most: a reader may hold some more than it was asked for.
const MOST_PIXELS: f64 = 33_554_432.0;

/// The crop of a picture whose size is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crop {
    region: Region,
    /// Width and height of the whole picture, as its file stores it.
    whole: (u32, u32),
}

impl Crop {
    /// The crop of a file to a region.
    ///
    /// # Errors
    /// The file does not say how large its picture is, or is damaged.
    pub fn of(source: &mut Source, region: Region) -> Result<Crop, DeriveError> {
        let properties = Format::read_properties(source)?;
        let unmeasured =
            || DeriveError::unreadable("The file does not say how large its picture is.");
        let properties = properties.ok_or_else(unmeasured)?;
        Ok(Crop {
            region,
            whole: (properties.width, properties.height),
        })
    }

    /// How long the longest side of the whole picture has to be, so that that of the region is `longest`.
    pub fn longest_of_whole(&self, longest: u32) -> u32 {
        let side = self.whole.0.max(self.whole.1);
        if longest >= side {
            return longest;
        }
        let kept = f64::from(self.region.width.max(self.region.height).max(1));
        let wanted = f64::from(longest) * f64::from(side) / kept;
        let pixels = f64::from(self.whole.0) * f64::from(self.whole.1);
        let most = f64::from(side) * (MOST_PIXELS / pixels).sqrt();
        (wanted.min(most).ceil() as u32).clamp(longest, side)
    }

    /// What is kept of the picture, whatever its size is by now.
    ///
    /// # Errors
    /// The region lies outside.
    pub fn cut(&self, picture: Picture) -> Result<Picture, DeriveError> {
        let region = self.stored_region(picture.orientation)?;
        let Header { width, height, .. } = picture.raster.header;
        let across = scaled((region.x, region.width), self.whole.0, width);
        let down = scaled((region.y, region.height), self.whole.1, height);
        Ok(Picture {
            raster: cut(&picture.raster, across, down),
            ..picture
        })
    }

    /// The region in the picture as its file stores it.
    fn stored_region(&self, orientation: u16) -> Result<Region, DeriveError> {
        let Region {
            x,
            y,
            width,
            height,
        } = self.region;
        let (wide, high) = match orientation {
            5..=8 => (self.whole.1, self.whole.0),
            _ => self.whole,
        };
        let ends = |from: u32, length: u32, all: u32| {
            let end = from.checked_add(length)?;
            (length > 0 && end <= all).then(|| end - 1)
        };
        let Some((right, bottom)) = ends(x, width, wide).zip(ends(y, height, high)) else {
            return Err(DeriveError::unreadable(format!(
                "The crop lies outside of the picture, which has {wide} x {high} pixels."
            )));
        };
        let place = stored_place(orientation, (self.whole.0 as usize, self.whole.1 as usize));
        let one = place(x as usize, y as usize);
        let other = place(right as usize, bottom as usize);
        Ok(Region {
            x: one.0.min(other.0) as u32,
            y: one.1.min(other.1) as u32,
            width: one.0.abs_diff(other.0) as u32 + 1,
            height: one.1.abs_diff(other.1) as u32 + 1,
        })
    }
}

/// Start and length of what is kept of a side, when the side has become another length: at least a pixel.
fn scaled((from, length): (u32, u32), whole: u32, side: u32) -> (usize, usize) {
    let at = |place: u32| {
        let exact = f64::from(place) * f64::from(side) / f64::from(whole);
        exact.round() as u32
    };
    let start = at(from).min(side - 1);
    let end = at(from + length).clamp(start + 1, side);
    (start as usize, (end - start) as usize)
}

fn cut(raster: &Raster, across: (usize, usize), down: (usize, usize)) -> Raster {
    let header = raster.header;
    Raster {
        header: Header {
            width: across.1 as u32,
            height: down.1 as u32,
            ..header
        },
        samples: match &raster.samples {
            Samples::Eight(samples) => Samples::Eight(cut_rows(samples, &header, across, down)),
            Samples::Sixteen(samples) => Samples::Sixteen(cut_rows(samples, &header, across, down)),
        },
    }
}

fn cut_rows<S: Copy>(
    samples: &[S],
    header: &Header,
    (left, width): (usize, usize),
    (top, height): (usize, usize),
) -> Vec<S> {
    let channels = header.channels();
    let mut kept = Vec::with_capacity(width * height * channels);
    for row in samples.chunks_exact(header.row()).skip(top).take(height) {
        kept.extend_from_slice(&row[left * channels..(left + width) * channels]);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::raster::ColourModel;
    use super::*;

    /// `ab` over `cd` over `ef`, as a file keeps it that lies on its side.
    fn lying() -> Picture {
        let header = Header {
            width: 3,
            height: 2,
            colour_model: ColourModel::Gray,
            alpha: false,
            deep: false,
        };
        Picture {
            raster: Raster {
                header,
                samples: Samples::Eight(b"bdface".to_vec()),
            },
            profile: None,
            orientation: 6,
        }
    }

    fn crop(x: u32, y: u32, width: u32, height: u32, whole: (u32, u32)) -> Crop {
        let region = Region {
            x,
            y,
            width,
            height,
        };
        Crop { region, whole }
    }

    #[test]
    fn a_region_is_found_in_a_picture_on_its_side() {
        let samples = |crop: Crop| crop.cut(lying()).map(|picture| picture.raster.samples);
        let eight = |bytes: &[u8]| Ok(Samples::Eight(bytes.to_vec()));
        assert_eq!(samples(crop(0, 0, 2, 1, (3, 2))), eight(b"ba"));
        assert_eq!(samples(crop(1, 1, 1, 2, (3, 2))), eight(b"df"));
        assert!(samples(crop(1, 1, 2, 1, (3, 2))).is_err());
    }

    #[test]
    fn a_region_keeps_a_pixel_however_small_the_picture_was_read() {
        let tiny = crop(40, 40, 3, 3, (300, 200));
        let kept = tiny.cut(lying()).map(|picture| picture.raster.header);
        let kept = kept.unwrap();
        assert_eq!((kept.width, kept.height), (1, 1));
    }

    #[test]
    fn more_is_read_for_a_small_region_up_to_a_bound() {
        let small = crop(0, 0, 500, 250, (4000, 3000));
        assert_eq!(small.longest_of_whole(512), 4000);
        assert_eq!(
            crop(0, 0, 2000, 10, (4000, 3000)).longest_of_whole(512),
            1024
        );
        let huge = crop(0, 0, 500, 500, (20_000, 20_000));
        assert_eq!(huge.longest_of_whole(4096), 5793);
        assert_eq!(huge.longest_of_whole(1 << 30), 1 << 30);
        assert_eq!(crop(0, 0, 9, 9, (90, 90)).longest_of_whole(512), 512);
    }
}
