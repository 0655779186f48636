//! From CIE L*a*b* to sRGB.

/// The colour of a TIFF pixel (its samples spread to 16 bits) with white as D50, in sRGB of 16 bits.
/// `signed`: a* and b* are two's complement (CIELab); otherwise they are offset by half (ICCLab).
pub(super) fn rgb_of_lab([l, a, b]: [u16; 3], signed: bool, bits: u32) -> [u16; 3] {
    let lightness = f32::from(l) / 655.35;
    // With 8 bits a unit is a step; with 16 it is 256 of them.
    let unit = if bits <= 8 { 257.0 } else { 256.0 };
    let chroma = |sample: u16| match signed {
        true => f32::from(sample as i16) / unit,
        false => (f32::from(sample) - 128.0 * unit) / unit,
    };
    let y = (lightness + 16.0) / 116.0;
    let xyz = [
        0.964_22 * cubed(y + chroma(a) / 500.0),
        cubed(y),
        0.825_21 * cubed(y - chroma(b) / 200.0),
    ];
    TO_RGB.map(|row| {
        let linear: f32 = row.iter().zip(xyz).map(|(one, other)| one * other).sum();
        (gamma(linear.clamp(0.0, 1.0)) * 65535.0 + 0.5) as u16
    })
}

/// From XYZ with white as D50 to linear sRGB, by Bradford's adaptation.
const TO_RGB: [[f32; 3]; 3] = [
    [3.133_856, -1.616_866_7, -0.490_614_6],
    [-0.978_768_4, 1.916_141_5, 0.033_454],
    [0.071_945_3, -0.228_991_4, 1.405_242_7],
];

fn cubed(value: f32) -> f32 {
    if value > 6.0 / 29.0 {
        value.powi(3)
    } else {
        (value - 16.0 / 116.0) * 3.0 * (6.0_f32 / 29.0).powi(2)
    }
}

/// IEC 61966-2-1.
fn gamma(linear: f32) -> f32 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_white_and_red() {
        let eight = |l: u16, a: i8, b: i8| {
            let spread = |byte: u8| u16::from(byte) * 257;
            rgb_of_lab([l * 257, spread(a as u8), spread(b as u8)], true, 8).map(|one| one >> 8)
        };
        assert_eq!(eight(0, 0, 0), [0, 0, 0]);
        assert!(eight(255, 0, 0).iter().all(|one| *one >= 254));
        // sRGB's red is L* 54.3, a* 80.8, b* 69.9 under D50.
        let red = eight(138, 81, 70);
        assert!(red[0] > 250 && red[1] < 12 && red[2] < 12, "{red:?}");
    }
}
