//! The kinds of derivatives.

use std::str::FromStr;

use thiserror::Error;

use super::picture::raw::RAW;

/// A kind of derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A small picture; `picture/thumbnail.rs` has its size.
    Thumbnail,
    /// A copy that is shown instead of a large or rare original: a picture (`picture/service_image.rs`) or a video.
    Service,
    /// The text of the file, as UTF-8.
    Text,
    /// The facts about the file, as JSON with the keys of docs/DERIVATIVES.md.
    Facts,
    /// A large picture cut into tiles, at each size. It is made when somebody views the picture closely, by no job.
    Tiles,
    /// One page of a TIFF as a file of its own. It is made for an item of that page, by no job of its own.
    Page,
}

/// The name is of no kind.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no kind of derivative named {0}")]
pub struct UnknownKind(pub String);

impl Kind {
    /// All kinds that jobs make, the quickest first.
    pub const ALL: [Kind; 4] = [Kind::Facts, Kind::Thumbnail, Kind::Text, Kind::Service];
    /// The others.
    const WITHOUT_JOB: [Kind; 2] = [Kind::Tiles, Kind::Page];

    /// The name, as it stands in the configuration and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Thumbnail => "thumbnail",
            Kind::Service => "service",
            Kind::Text => "text",
            Kind::Facts => "facts",
            Kind::Tiles => "tiles",
            Kind::Page => "page",
        }
    }

    /// The other program that makes this kind of files that Isolario cannot read: of videos, and the text of pictures.
    pub fn other_program(self) -> Option<&'static str> {
        match self {
            Kind::Thumbnail | Kind::Service => Some("ffmpeg"),
            Kind::Text => Some("tesseract"),
            Kind::Facts | Kind::Tiles | Kind::Page => None,
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Kind, UnknownKind> {
        let mut kinds = Kind::ALL.into_iter().chain(Kind::WITHOUT_JOB);
        let found = kinds.find(|kind| kind.as_str() == name);
        found.ok_or_else(|| UnknownKind(name.to_owned()))
    }
}

const PICTURES: [&str; 14] = [
    "image/jpeg",
    "image/pjpeg",
    "image/png",
    "image/gif",
    "image/tiff",
    "image/tiff-fx",
    "image/jp2",
    "image/jpx",
    "image/jpm",
    "image/j2c",
    "image/webp",
    "image/bmp",
    "image/x-bmp",
    "image/x-ms-bmp",
];

/// Documents whose text can be read, beside `text/…` and those of OpenDocument.
const DOCUMENTS: [&str; 10] = [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/xhtml+xml",
    "application/xml",
    "application/json",
    "application/geo+json",
    "application/ld+json",
    "application/yaml",
    "message/rfc822",
];

/// Which kinds there are for files of a MIME type (parameters and case do not matter).
pub fn kinds_for(mime: &str) -> &'static [Kind] {
    let essence = mime.split(';').next().unwrap_or_default().trim();
    let essence = essence.to_ascii_lowercase();
    let family = essence.split('/').next().unwrap_or_default();
    match family {
        "image" if PICTURES.contains(&essence.as_str()) => {
            &[Kind::Facts, Kind::Thumbnail, Kind::Text, Kind::Service]
        }
        "image" if RAW.contains(&essence.as_str()) => {
            &[Kind::Facts, Kind::Thumbnail, Kind::Service]
        }
        "video" => &[Kind::Facts, Kind::Thumbnail, Kind::Service],
        "audio" => &[Kind::Facts, Kind::Thumbnail],
        "text" => &[Kind::Facts, Kind::Text],
        _ if essence == "application/pdf" => &[Kind::Facts, Kind::Thumbnail, Kind::Text],
        _ if DOCUMENTS.contains(&essence.as_str())
            || essence.starts_with("application/vnd.oasis.opendocument.") =>
        {
            &[Kind::Facts, Kind::Text]
        }
        _ => &[Kind::Facts],
    }
}

/// Whether files of a MIME type are pictures: they can be cut into tiles, cropped and rotated.
pub fn is_picture(mime: &str) -> bool {
    let family = mime.split('/').next().unwrap_or_default().trim();
    family.eq_ignore_ascii_case("image") && kinds_for(mime).contains(&Kind::Service)
}

/// Whether files of a MIME type may have pages, each of which can become a file or a picture of its own.
pub fn has_pages(mime: &str) -> bool {
    ["image/tiff", "image/tiff-fx", "application/pdf"].contains(&mime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_name() {
        for kind in Kind::ALL.into_iter().chain(Kind::WITHOUT_JOB) {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        assert!("thumb".parse::<Kind>().is_err());
    }

    #[test]
    fn parameters_of_a_mime_type_do_not_matter() {
        assert_eq!(kinds_for("Image/JPEG; q=1"), kinds_for("image/jpeg"));
        assert!(kinds_for("image/jpeg").contains(&Kind::Thumbnail));
        assert_eq!(kinds_for("application/x-unknown"), [Kind::Facts]);
        let mimes = [
            "Image/JPEG; q=1",
            "image/x-nikon-nef",
            "image/svg+xml",
            "video/mp4",
        ];
        assert_eq!(mimes.map(is_picture), [true, true, false, false]);
    }
}
