//! Which way up a picture is (Exif 2.32, 4.6.4.A `Orientation`).

use super::colour::SrgbPicture;

/// What is not said to be otherwise.
pub(super) const UPRIGHT: u16 = 1;

/// Of the quarter turns clockwise, 0 to 3, the orientation that asks for them.
pub(super) const QUARTER_TURNS: [u16; 4] = [UPRIGHT, 6, 3, 8];

/// Where the pixel of a place in the upright picture is found in the stored one, which has this width and height.
pub(super) fn stored_place(
    orientation: u16,
    (width, height): (usize, usize),
) -> Box<dyn Fn(usize, usize) -> (usize, usize)> {
    let (right, bottom) = (width - 1, height - 1);
    match orientation {
        2 => Box::new(move |x, y| (right - x, y)),
        3 => Box::new(move |x, y| (right - x, bottom - y)),
        4 => Box::new(move |x, y| (x, bottom - y)),
        5 => Box::new(|x, y| (y, x)),
        6 => Box::new(move |x, y| (y, bottom - x)),
        7 => Box::new(move |x, y| (right - y, bottom - x)),
        8 => Box::new(move |x, y| (right - y, x)),
        _ => Box::new(|x, y| (x, y)),
    }
}

/// The picture as it is to be looked at. Values that Exif does not know mean upright.
pub(super) fn upright(picture: SrgbPicture, orientation: u16) -> SrgbPicture {
    if !(2..=8).contains(&orientation) {
        return picture;
    }
    let (width, height) = (picture.width as usize, picture.height as usize);
    let place = stored_place(orientation, (width, height));
    let (wide, high) = match orientation {
        5..=8 => (height, width),
        _ => (width, height),
    };
    let mut bytes = Vec::with_capacity(picture.bytes.len());
    for y in 0..high {
        for x in 0..wide {
            let (x, y) = place(x, y);
            let at = (y * width + x) * picture.channels;
            bytes.extend_from_slice(&picture.bytes[at..at + picture.channels]);
        }
    }
    SrgbPicture {
        width: wide as u32,
        height: high as u32,
        bytes,
        ..picture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab` over `cd` over `ef`, as a file keeps it with each orientation (TIFF 6.0, `Orientation`).
    const KEPT: [(u16, u32, &[u8; 6]); 8] = [
        (1, 2, b"abcdef"),
        (2, 2, b"badcfe"),
        (3, 2, b"fedcba"),
        (4, 2, b"efcdab"),
        (5, 3, b"acebdf"),
        (6, 3, b"bdface"),
        (7, 3, b"fdbeca"),
        (8, 3, b"ecafdb"),
    ];

    #[test]
    fn each_orientation_is_turned_upright() {
        for (orientation, width, bytes) in KEPT {
            let kept = SrgbPicture {
                width,
                height: 6 / width,
                channels: 1,
                bytes: bytes.to_vec(),
            };
            let upright = upright(kept, orientation);
            assert_eq!((upright.width, upright.height), (2, 3), "{orientation}");
            assert_eq!(upright.bytes, b"abcdef", "{orientation}");
        }
    }
}
