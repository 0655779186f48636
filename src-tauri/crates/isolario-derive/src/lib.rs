//! Makes derivatives of the bytes of a file: a thumbnail, a service image, a text, facts. It uses no database, no
//! repository and no network. It runs only in a process of its own (`isolario derive`), because a file may be hostile.
//! docs/DERIVATIVES.md lists the formats.

mod adjustment;
mod audio;
mod bounded;
mod facts;
mod iptc;
mod kind;
mod pdf;
mod picture;
mod program;
mod recognition;
mod refused;
mod signature;
mod source;
mod text;
mod video;
mod video_header;
pub mod xmp;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use adjustment::{Adjustment, NoAdjustment, Region};
pub use kind::{Kind, UnknownKind, has_pages, is_picture, kinds_for};
use picture::format::Format;
pub use program::{PROGRAMS, path_of};
pub use refused::DeriveError;
use serde_json::{Map, Value};
pub use source::Source;

/// A derivative whose bytes were written.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivative {
    /// MIME type of the derivative.
    pub mime: &'static str,
    /// What its file name ends with, without the dot.
    pub extension: &'static str,
    /// What is known of the derivative, by the keys of docs/DERIVATIVES.md: `width` and `height` of a picture.
    pub facts: Map<String, Value>,
}

/// Makes a derivative of a file and writes it to `target`. It may take much time and memory. The process bounds both.
///
/// # Errors
/// The reason, for a curator. What was written to `target` is then useless.
pub fn derive(
    kind: Kind,
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let work = AssertUnwindSafe(|| make(kind, source, target));
    catch_unwind(work).unwrap_or_else(|_| {
        let words = "The file is damaged, or of a kind that its reader does not know.";
        Err(DeriveError::Unreadable(words.to_owned()))
    })
}

fn make(
    kind: Kind,
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    if source.page().is_some_and(|page| page != 1) && !is_paged(source) {
        return Err(DeriveError::unreadable(
            "Only TIFF and PDF files have pages.",
        ));
    }
    match kind {
        Kind::Thumbnail => picture::thumbnail::thumbnail(source, target),
        Kind::Service if is_video(source)? => video::web_copy(source, target),
        Kind::Service => picture::service_image::service_image(source, target),
        Kind::Text => text::extract(source, target),
        Kind::Facts => facts::write(source, target),
        Kind::Tiles => picture::tiles::tiles(source, target),
        Kind::Page => picture::tiff_page::cut(source, target),
    }
}

/// Whether a file is of a format whose pages can be asked for one by one.
fn is_paged(source: &mut Source) -> bool {
    matches!(Format::of(source), Ok(Format::Tiff | Format::Pdf))
}

fn is_video(source: &mut Source) -> Result<bool, DeriveError> {
    let found = signature::identify(source)?;
    Ok(found.is_some_and(|found| found.mime().starts_with("video/")))
}
