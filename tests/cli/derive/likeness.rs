//! How far two pictures are apart for the eye.

use image::{Rgb, RgbImage};

/// Side of the blocks whose means are compared: what compression does within them is not seen.
const BLOCK: u32 = 4;

/// The mean difference of the pictures' blocks in CIE L*a*b*, in units of which the eye just tells one or two; of pictures
/// of different sizes infinite.
pub fn distance(one: &RgbImage, other: &RgbImage) -> f64 {
    if one.dimensions() != other.dimensions() {
        return f64::INFINITY;
    }
    let mut sum = 0.0;
    let mut blocks = 0.0;
    for y in (0..one.height()).step_by(BLOCK as usize) {
        for x in (0..one.width()).step_by(BLOCK as usize) {
            let (one, other) = (block(one, x, y), block(other, x, y));
            let squares = one
                .iter()
                .zip(other)
                .map(|(one, other)| (one - other).powi(2));
            sum += squares.sum::<f64>().sqrt();
            blocks += 1.0;
        }
    }
    sum / blocks
}

/// A picture laid on white.
pub fn read(bytes: &[u8]) -> RgbImage {
    let picture = image::load_from_memory(bytes)
        .expect("a JPEG or PNG")
        .to_rgba8();
    let mut laid = RgbImage::new(picture.width(), picture.height());
    for (pixel, laid) in picture.pixels().zip(laid.pixels_mut()) {
        let [r, g, b, alpha] = pixel.0.map(u32::from);
        *laid = Rgb([r, g, b].map(|one| ((one * alpha + 255 * (255 - alpha)) / 255) as u8));
    }
    laid
}

/// The mean colour of a block in L*a*b*.
fn block(picture: &RgbImage, left: u32, top: u32) -> [f64; 3] {
    let mut sum = [0.0; 3];
    let mut pixels = 0.0;
    for y in top..(top + BLOCK).min(picture.height()) {
        for x in left..(left + BLOCK).min(picture.width()) {
            let linear = picture.get_pixel(x, y).0.map(linear);
            sum = [sum[0] + linear[0], sum[1] + linear[1], sum[2] + linear[2]];
            pixels += 1.0;
        }
    }
    lab(sum.map(|one| one / pixels))
}

fn linear(sample: u8) -> f64 {
    let value = f64::from(sample) / 255.0;
    if value <= 0.040_45 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}

fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let bent = |value: f64| {
        if value > 0.008_856 {
            value.cbrt()
        } else {
            7.787 * value + 16.0 / 116.0
        }
    };
    let x = bent((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47);
    let y = bent(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let z = bent((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn the_eye_tells_colours_and_turns_apart() {
    let gray = RgbImage::from_pixel(8, 8, Rgb([128; 3]));
    let nearly = RgbImage::from_pixel(8, 8, Rgb([129; 3]));
    let red = RgbImage::from_pixel(8, 8, Rgb([255, 0, 0]));
    assert!(distance(&gray, &nearly) < 1.0);
    assert!(distance(&gray, &red) > 50.0);
    assert!(distance(&gray, &RgbImage::new(8, 9)).is_infinite());
}
