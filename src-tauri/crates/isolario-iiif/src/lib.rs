//! The IIIF Image API, versions 3.0 and 2.1.1, over a pyramid of JPEG tiles: what a request asks for, what an image says
//! of itself, and the pixels of an answer.

mod decimal;
mod encode;
mod image_information;
mod image_request;
mod planes;
mod pyramid;
mod render;
mod rendition;
mod rotate;
#[cfg(test)]
mod tests;

pub use image_information::{ImageInformation, image_information};
pub use image_request::{
    Format, ImageRequest, Quality, Region, RequestError, Rotation, Size, SizeKind,
};
pub use planes::RenderError;
pub use pyramid::{Pyramid, ReadTile};
pub use render::render;
pub use rendition::{MAX_AREA, MAX_SIDE, Rendition};

/// A version of the Image API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// 2.1.1
    Two,
    /// 3.0
    Three,
}

impl Version {
    /// The number in its addresses.
    pub fn number(self) -> u8 {
        match self {
            Version::Two => 2,
            Version::Three => 3,
        }
    }

    /// The context of its information documents.
    pub fn context(self) -> String {
        format!("http://iiif.io/api/image/{}/context.json", self.number())
    }

    /// The compliance level that all of this has.
    pub fn profile(self) -> String {
        format!("http://iiif.io/api/image/{}/level2.json", self.number())
    }
}
