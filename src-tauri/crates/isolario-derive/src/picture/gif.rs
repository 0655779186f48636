//! GIF 87a and 89a: the first frame.

use gif::{ColorOutput, DecodeOptions, DecodingError, MemoryLimit};

use super::super::refused::DeriveError;
use super::super::source::Source;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header, check_memory};
use super::{Picture, shrink};

/// Reads the first frame, at its place on the screen that the file describes.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(source.rewound()?).map_err(refused)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let header = Header {
        width: width as u32,
        height: height as u32,
        colour_model: ColourModel::Rgb,
        alpha: true,
        deep: false,
    };
    check_memory(header.check()?.bytes())?;
    let info = decoder.next_frame_info().map_err(refused)?;
    let frame = info.ok_or_else(|| DeriveError::truncated("picture"))?;
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let (wide, high) = (usize::from(frame.width), usize::from(frame.height));
    if wide == 0 || high == 0 {
        return Err(DeriveError::damaged("picture", "its first frame is empty"));
    }
    check_memory(header.bytes() + (wide * high * 4) as u64)?;
    let mut pixels = vec![0; wide * high * 4];
    decoder.read_into_buffer(&mut pixels).map_err(refused)?;
    let mut screen = vec![0; width * height * 4];
    let visible = wide.min(width.saturating_sub(left)) * 4;
    for (y, row) in pixels.chunks_exact(wide * 4).enumerate() {
        if visible > 0 && top + y < height {
            let at = ((top + y) * width + left) * 4;
            screen[at..at + visible].copy_from_slice(&row[..visible]);
        }
    }
    Ok(Picture {
        raster: shrink::all(header, &screen, longest)?,
        profile: decoder.icc_profile().map(<[u8]>::to_vec),
        orientation: UPRIGHT,
    })
}

/// More frames are not counted.
const FRAMES: usize = 100_000;

/// Its measures, and how many frames it has.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    let mut decoder = options.read_info(source.rewound()?).map_err(refused)?;
    let mut frames = 0;
    while frames < FRAMES && decoder.next_frame_info().map_err(refused)?.is_some() {
        frames += 1;
    }
    Ok(PictureProperties {
        width: u32::from(decoder.width()),
        height: u32::from(decoder.height()),
        colour_space: Some("palette"),
        bit_depth: Some(8),
        pages: Some(frames),
        profile: decoder.icc_profile().is_some(),
        xmp: decoder.xmp_metadata().map(<[u8]>::to_vec),
        ..PictureProperties::default()
    })
}

fn refused(error: DecodingError) -> DeriveError {
    match error {
        DecodingError::Io(error) => DeriveError::not_read("picture", &error),
        error => DeriveError::damaged("picture", error),
    }
}
