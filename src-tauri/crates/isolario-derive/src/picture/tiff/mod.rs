//! TIFF 6.0 and BigTIFF: a page that is no preview, row by row, in strips or tiles.

mod fax_rows;
mod layout;
mod lzw;
mod packbits;
mod pixels;
mod rows;

use std::io::{BufRead, Seek};

use self::layout::{Layout, Photometric};
use self::pixels::Pixels;
use self::rows::Rows;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::Picture;
use super::exif_fields::{ExifFields, orientation_of};
use super::properties::PictureProperties;
use super::row_sink::{RowSink, RowSource};
use super::shrink::Shrink;
use super::tiff_directory::{Directory, Pages};

const ICC_PROFILE: u16 = 34675;
const X_RESOLUTION: u16 = 282;
const Y_RESOLUTION: u16 = 283;
const RESOLUTION_UNIT: u16 = 296;
const XMP: u16 = 700;
const IPTC: u16 = 33723;

/// Reads the page that is asked for, or the first.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let rows = row_source(source)?;
    let mut shrink = Shrink::new(rows.header, longest)?;
    push_rows(source, &mut shrink)?;
    Ok(Picture {
        raster: shrink.finish()?,
        profile: rows.profile,
        orientation: rows.orientation,
    })
}

/// What the rows of that page are like.
pub(super) fn row_source(source: &mut Source) -> Result<RowSource, DeriveError> {
    let (page, layout) = open(source)?;
    Ok(RowSource {
        header: Pixels::new(&layout, &page)?.header(),
        profile: page.bytes(ICC_PROFILE).map(<[u8]>::to_vec),
        orientation: orientation_of(&page),
    })
}

/// Reads the rows of that page.
pub(super) fn push_rows(source: &mut Source, sink: &mut dyn RowSink) -> Result<(), DeriveError> {
    let (page, layout) = open(source)?;
    let mut pixels = Pixels::new(&layout, &page)?;
    let mut rows = Rows::new(&layout, &page, source.rewound()?);
    while let Some(row) = rows.next_row()? {
        pixels.push(row, sink);
    }
    Ok(())
}

fn open(source: &mut Source) -> Result<(Directory, Layout), DeriveError> {
    let number = source.page().unwrap_or(1);
    let file = source.rewound()?;
    let page = Pages::of(file)?.numbered(file, number)?;
    let layout = Layout::of(&page)?;
    Ok((page, layout))
}

/// Of the first page, and how many pages there are.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let file = source.rewound()?;
    let page = Pages::of(file)?.numbered(file, 1)?;
    let layout = Layout::of(&page)?;
    let pages = count(source.rewound()?)?;
    let per_inch = match page.number(RESOLUTION_UNIT).unwrap_or(2) {
        2 => 1.0,
        3 => 2.54,
        _ => f64::NAN,
    };
    let across = page.fraction(X_RESOLUTION).unwrap_or(f64::NAN) * per_inch;
    let down = page.fraction(Y_RESOLUTION).unwrap_or(f64::NAN) * per_inch;
    Ok(PictureProperties {
        width: layout.width,
        height: layout.height,
        colour_space: Some(match layout.photometric {
            Photometric::WhiteIsZero | Photometric::BlackIsZero => "grey",
            Photometric::Rgb => "RGB",
            Photometric::Palette => "palette",
            Photometric::Cmyk => "CMYK",
            Photometric::YCbCr => "YCbCr",
            Photometric::Lab { .. } => "Lab",
        }),
        bit_depth: Some(layout.bits),
        alpha: Some(layout.alpha.is_some()),
        pages: Some(pages),
        resolution: Some([across, down]),
        profile: page.bytes(ICC_PROFILE).is_some(),
        xmp: page.bytes(XMP).map(<[u8]>::to_vec),
        iptc: page.bytes(IPTC).map(<[u8]>::to_vec),
        exif: Some(ExifFields::of_page(&page, source.rewound()?)),
    })
}

/// Pages that are not smaller pictures of others.
fn count(file: &mut (impl BufRead + Seek)) -> Result<usize, DeriveError> {
    let mut pages = Pages::of(file)?;
    let mut count = 0;
    while let Some(page) = pages.next_page(file)? {
        count += usize::from(!page.is_reduced());
    }
    Ok(count)
}
