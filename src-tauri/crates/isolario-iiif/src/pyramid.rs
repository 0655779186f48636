//! An image in tiles at each of its sizes.

use std::io;

use serde::Deserialize;

/// The measures of a pyramid, in pixels. Level 0 has the size of the image, each next one half of that before, rounded
/// up; the last one has one tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Pyramid {
    pub width: u32,
    pub height: u32,
    /// Side of a tile. Those at the right and at the bottom are smaller.
    pub side: u32,
}

impl Pyramid {
    /// How many levels there are.
    pub fn levels(&self) -> u32 {
        let mut level = 0;
        while self.at(level).0.max(self.at(level).1) > self.side.max(1) {
            level += 1;
        }
        level + 1
    }

    /// Width and height of a level.
    pub fn at(&self, level: u32) -> (u32, u32) {
        let halved = |length: u32| u64::from(length).div_ceil(1 << level.min(32)) as u32;
        (halved(self.width), halved(self.height))
    }
}

/// Reads the JPEG of a tile by its level, column and row.
pub type ReadTile<'r> = dyn FnMut(u32, u32, u32) -> io::Result<Vec<u8>> + 'r;
