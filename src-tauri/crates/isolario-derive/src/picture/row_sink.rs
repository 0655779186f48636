//! Pictures that are read row by row.

use super::raster::Header;

/// What takes the rows of a picture, from the top.
pub(super) trait RowSink {
    /// The next row, 8 bits a sample.
    fn row(&mut self, row: &[u8]);

    /// The next row, 16 bits a sample.
    fn row_of_16(&mut self, row: &[u16]);
}

/// What the rows of a picture are like.
pub(super) struct RowSource {
    pub header: Header,
    /// ICC profile of the pixels.
    pub profile: Option<Vec<u8>>,
    /// Exif 2.32, 4.6.4.A `Orientation`: 1 is upright.
    pub orientation: u16,
}
