//! TIFF 6.0 and BigTIFF: the first page that is no preview, row by row, in strips or tiles.

pub(super) mod directory;
mod fax_rows;
mod layout;
mod lzw;
mod packbits;
mod pixels;
mod rows;

use std::io::{BufRead, Seek};

use self::directory::{Directory, Pages};
use self::layout::Layout;
use self::pixels::Pixels;
use self::rows::Rows;
use super::super::refused::Refused;
use super::super::source::Source;
use super::shrink::Shrink;
use super::{Picture, exif};

const ICC_PROFILE: u16 = 34675;
const ORIENTATION: u16 = 274;

/// Reads the first page.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, Refused> {
    let file = source.from_start()?;
    let page = first_page(file)?;
    let layout = Layout::of(&page)?;
    let mut pixels = Pixels::new(&layout, &page)?;
    let mut shrink = Shrink::new(pixels.header(), longest)?;
    let mut rows = Rows::new(&layout, &page, file);
    while let Some(row) = rows.next_row()? {
        pixels.push(row, &mut shrink);
    }
    Ok(Picture {
        raster: shrink.finish()?,
        profile: page.bytes(ICC_PROFILE).map(<[u8]>::to_vec),
        orientation: page
            .number(ORIENTATION)
            .and_then(|value| u16::try_from(value).ok())
            .unwrap_or(exif::UPRIGHT),
    })
}

/// The first page that is not a smaller picture of another one.
fn first_page(file: &mut (impl BufRead + Seek)) -> Result<Directory, Refused> {
    let mut pages = Pages::of(file)?;
    let mut first = None;
    while let Some(page) = pages.next_page(file)? {
        if !page.is_reduced() {
            return Ok(page);
        }
        first.get_or_insert(page);
    }
    first.ok_or_else(|| Refused::unreadable("The TIFF has no page."))
}
