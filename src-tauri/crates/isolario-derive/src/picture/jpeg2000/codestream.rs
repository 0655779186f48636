//! Where the tiles of a codestream are, and each of them as a codestream of its own (ITU-T T.800, Annex A).

use std::io::{self, Read, Seek, SeekFrom};

use super::super::super::source::Input;

const START: u16 = 0xff4f;
const SIZE: u16 = 0xff51;
const TILE_PART: u16 = 0xff90;
const PACKED_HEADERS: u16 = 0xff60;
/// Lengths of tile-parts and packets, and comments: no tile is read by them.
const UNUSED: [u16; 3] = [0xff55, 0xff57, 0xff64];
/// Bytes of a tile-part's marker segment.
const TILE_PART_SEGMENT: u64 = 12;
/// Of all marker segments before the tiles.
const LARGEST_HEADER: usize = 1 << 20;
/// T.800 has up to 65,535 tiles of 255 parts each; no program writes so many.
const MOST_TILE_PARTS: usize = 1 << 20;

/// A codestream whose tiles are read one after the other.
#[derive(Debug)]
pub(super) struct TiledCodestream {
    /// `SIZ`, without its marker and length.
    size: Vec<u8>,
    /// The marker segments after it.
    segments: Vec<u8>,
    grid: Grid,
    /// By the number of their tile: position in the file and length.
    parts: Vec<(u16, u64, u64)>,
}

/// A.5.1: the image area and the tiles, on the reference grid.
#[derive(Debug, Clone, Copy)]
struct Grid {
    right: u32,
    bottom: u32,
    left: u32,
    top: u32,
    tile_width: u32,
    tile_height: u32,
    tiles_left: u32,
    tiles_top: u32,
}

/// What a tile covers of the image, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TileArea {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

impl TiledCodestream {
    /// Reads the codestream that begins where `input` is. `None` for one that has to be read as a whole: of one tile,
    /// with components of several sizes, or with the headers of its packets apart from them.
    ///
    /// # Errors
    /// The disk fails, or the file ends within the header.
    pub fn read(input: &mut Input, end: u64) -> io::Result<Option<TiledCodestream>> {
        if read_u16(input)? != START || read_u16(input)? != SIZE {
            return Ok(None);
        }
        let size = read_segment(input)?;
        let Some(grid) = Grid::of(&size) else {
            return Ok(None);
        };
        let mut segments = Vec::new();
        loop {
            match read_u16(input)? {
                TILE_PART => break,
                PACKED_HEADERS => return Ok(None),
                // Markers without a segment.
                0xff30..=0xff3f => {}
                marker @ 0xff01.. => {
                    let segment = read_segment(input)?;
                    if !UNUSED.contains(&marker) {
                        push_segment(&mut segments, marker, &segment);
                    }
                }
                _ => return Ok(None),
            }
            if segments.len() > LARGEST_HEADER {
                return Ok(None);
            }
        }
        let Some(parts) = read_parts(input, end)? else {
            return Ok(None);
        };
        Ok(Some(TiledCodestream {
            size,
            segments,
            grid,
            parts,
        }))
    }

    /// Pixels of the whole image.
    pub fn size(&self) -> (u32, u32) {
        (
            self.grid.right - self.grid.left,
            self.grid.bottom - self.grid.top,
        )
    }

    /// Rows and columns of tiles.
    pub fn tiles(&self) -> (u32, u32) {
        self.grid.tiles()
    }

    /// What a tile covers.
    pub fn area(&self, row: u32, column: u32) -> TileArea {
        let [left, top, right, bottom] = self.grid.tile(row, column);
        TileArea {
            left: left - self.grid.left,
            top: top - self.grid.top,
            width: right - left,
            height: bottom - top,
        }
    }

    /// The header of the whole codestream, up to the first tile.
    pub fn header(&self) -> Vec<u8> {
        let mut header = START.to_be_bytes().to_vec();
        push_segment(&mut header, SIZE, &self.size);
        header.extend(&self.segments);
        header.extend(TILE_PART.to_be_bytes());
        header
    }

    /// A codestream whose image is one tile.
    ///
    /// # Errors
    /// The disk fails.
    pub fn read_tile(&self, input: &mut Input, row: u32, column: u32) -> io::Result<Vec<u8>> {
        let mut size = self.size.clone();
        let [left, top, right, bottom] = self.grid.tile(row, column);
        let tile = [
            right,
            bottom,
            left,
            top,
            right - left,
            bottom - top,
            left,
            top,
        ];
        for (place, value) in size[2..34].chunks_exact_mut(4).zip(tile) {
            place.copy_from_slice(&value.to_be_bytes());
        }
        let mut stream = START.to_be_bytes().to_vec();
        push_segment(&mut stream, SIZE, &size);
        stream.extend(&self.segments);
        let number = row * self.grid.tiles().1 + column;
        let from = self
            .parts
            .partition_point(|part| u32::from(part.0) < number);
        for &(_, position, length) in self.parts[from..]
            .iter()
            .take_while(|part| u32::from(part.0) == number)
        {
            input.seek(SeekFrom::Start(position))?;
            let begin = stream.len();
            input.take(length).read_to_end(&mut stream)?;
            let part = &mut stream[begin..];
            if part.len() >= TILE_PART_SEGMENT as usize {
                // `Isot` and `Psot`: the first tile, and what there is of it.
                let length = (part.len() as u32).to_be_bytes();
                part[4..6].fill(0);
                part[6..10].copy_from_slice(&length);
            }
        }
        stream.extend([0xff, 0xd9]);
        Ok(stream)
    }
}

impl Grid {
    /// `None` where tiles cannot be read alone.
    fn of(size: &[u8]) -> Option<Grid> {
        let mut numbers = size.get(2..34)?.chunks_exact(4).map(|bytes| {
            let bytes = bytes.try_into().unwrap_or_default();
            u32::from_be_bytes(bytes)
        });
        let mut next = || numbers.next();
        let grid = Grid {
            right: next()?,
            bottom: next()?,
            left: next()?,
            top: next()?,
            tile_width: next()?,
            tile_height: next()?,
            tiles_left: next()?,
            tiles_top: next()?,
        };
        let within = grid.left < grid.right
            && grid.top < grid.bottom
            && grid.tiles_left <= grid.left
            && grid.tiles_top <= grid.top
            && grid.tiles_left.checked_add(grid.tile_width)? > grid.left
            && grid.tiles_top.checked_add(grid.tile_height)? > grid.top;
        let components = size.get(36..)?.chunks_exact(3);
        let alike = components.into_iter().all(|part| part[1..] == [1, 1]);
        if !within || !alike {
            return None;
        }
        let (rows, columns) = grid.tiles();
        (rows.checked_mul(columns)? > 1 && rows * columns <= 0xffff).then_some(grid)
    }

    fn tiles(&self) -> (u32, u32) {
        (
            (self.bottom - self.tiles_top).div_ceil(self.tile_height),
            (self.right - self.tiles_left).div_ceil(self.tile_width),
        )
    }

    /// B.3: left, top, right and bottom of a tile.
    fn tile(&self, row: u32, column: u32) -> [u32; 4] {
        let left = self.tiles_left + column * self.tile_width;
        let top = self.tiles_top + row * self.tile_height;
        [
            left.max(self.left),
            top.max(self.top),
            left.saturating_add(self.tile_width).min(self.right),
            top.saturating_add(self.tile_height).min(self.bottom),
        ]
    }
}

/// The tile-parts from the first one on, whose marker was read, in the order of their tiles.
fn read_parts(input: &mut Input, end: u64) -> io::Result<Option<Vec<(u16, u64, u64)>>> {
    let mut parts = Vec::new();
    let mut position = input.stream_position()? - 2;
    while end.saturating_sub(position) > TILE_PART_SEGMENT {
        let mut segment = [0; TILE_PART_SEGMENT as usize - 2];
        input.read_exact(&mut segment)?;
        let number = u16::from_be_bytes([segment[2], segment[3]]);
        let length = u32::from_be_bytes([segment[4], segment[5], segment[6], segment[7]]);
        let length = match u64::from(length) {
            0 => end - position,
            length @ TILE_PART_SEGMENT.. => length.min(end - position),
            _ => return Ok(None),
        };
        if parts.len() == MOST_TILE_PARTS {
            return Ok(None);
        }
        parts.push((number, position, length));
        position += length;
        if end.saturating_sub(position) <= TILE_PART_SEGMENT {
            break;
        }
        // Keeps what is buffered, as small tile-parts follow each other closely.
        let here = input.stream_position()?;
        input.seek_relative(position as i64 - here as i64)?;
        if read_u16(input)? != TILE_PART {
            break;
        }
    }
    // Parts of a tile stay in their order.
    parts.sort_by_key(|part| part.0);
    Ok(Some(parts))
}

fn read_u16(input: &mut Input) -> io::Result<u16> {
    let mut bytes = [0; 2];
    input.read_exact(&mut bytes)?;
    Ok(u16::from_be_bytes(bytes))
}

/// A marker segment, without its length.
fn read_segment(input: &mut Input) -> io::Result<Vec<u8>> {
    let length = read_u16(input)?.saturating_sub(2);
    let mut segment = vec![0; usize::from(length)];
    input.read_exact(&mut segment)?;
    Ok(segment)
}

fn push_segment(stream: &mut Vec<u8>, marker: u16, segment: &[u8]) {
    stream.extend(marker.to_be_bytes());
    stream.extend((segment.len() as u16 + 2).to_be_bytes());
    stream.extend(segment);
}
