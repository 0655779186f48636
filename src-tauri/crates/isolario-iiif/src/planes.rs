//! Pixels in memory.

use std::io;

use thiserror::Error;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum RenderError {
    #[error("the tiles are not readable: {0}")]
    Tiles(#[from] io::Error),
    #[error("the image cannot be made: {0}")]
    Image(String),
}

impl RenderError {
    pub(crate) fn image(error: impl ToString) -> RenderError {
        RenderError::Image(error.to_string())
    }
}

/// Samples of 8 bits, a plane for each channel: gray, or red, green and blue. The code of the resizer for pixels of
/// several channels would make the program larger.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planes {
    pub width: u32,
    pub height: u32,
    pub channels: Vec<Vec<u8>>,
    /// How much of each pixel is there; none where all of them are.
    pub alpha: Option<Vec<u8>>,
}
