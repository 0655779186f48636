//! Reads a picture of many tiles row by row, a row of tiles at a time.

use std::io::{self, Read, Seek, SeekFrom};

use hayro_jpeg2000::{DecodeSettings, DecoderContext, Image};

use super::super::super::refused::DeriveError;
use super::super::super::source::{Input, Source};
use super::super::orientation::UPRIGHT;
use super::super::raster::{Header, check_memory};
use super::super::row_sink::{RowSink, RowSource};
use super::codestream::TiledCodestream;
use super::{BYTES_OF_A_SAMPLE, header, pixels, profile, refused};

/// Boxes before the codestream: the colour profile is the largest of them.
const LARGEST_BOX: u64 = 16 << 20;
/// Boxes that are looked at before there is a codestream.
const MOST_BOXES: usize = 1000;

/// A picture of many tiles.
struct TiledPicture {
    /// The boxes of a JP2 that say how the pixels are to be read, and the beginning of that which holds the codestream.
    boxes: Vec<u8>,
    codestream: TiledCodestream,
    header: Header,
    profile: Option<Vec<u8>>,
}

/// What the rows are like; `None` where the picture is to be read as a whole.
///
/// # Errors
/// The disk fails, or the picture is damaged or too large.
pub(in super::super) fn row_source(source: &mut Source) -> Result<Option<RowSource>, DeriveError> {
    let picture = TiledPicture::read(source)?;
    Ok(picture.map(|picture| RowSource {
        header: picture.header,
        profile: picture.profile,
        orientation: UPRIGHT,
    }))
}

/// Reads the rows of a picture that has a row source.
///
/// # Errors
/// The disk fails, or the picture is damaged.
pub(in super::super) fn push_rows(
    source: &mut Source,
    sink: &mut dyn RowSink,
) -> Result<(), DeriveError> {
    let picture = TiledPicture::read(source)?;
    let whole = || DeriveError::unreadable("The picture is read as a whole.");
    let picture = picture.ok_or_else(whole)?;
    for row in 0..picture.codestream.tiles().0 {
        let strip = picture.read_strip(source.rewound()?, row)?;
        for line in strip.chunks_exact(picture.header.row()) {
            sink.row(line);
        }
    }
    Ok(())
}

impl TiledPicture {
    fn read(source: &mut Source) -> Result<Option<TiledPicture>, DeriveError> {
        let end = source.length();
        let found = find(source.rewound()?, end);
        let Some((boxes, codestream)) = found.map_err(not_read)? else {
            return Ok(None);
        };
        let bytes = [&boxes[..], &codestream.header()].concat();
        let image = Image::new(&bytes, &DecodeSettings::default()).map_err(refused)?;
        let mut header = header(&image)?.check()?;
        if (header.width, header.height) != codestream.size() {
            return Ok(None);
        }
        let tile = codestream.area(0, 0);
        let rows = u64::from(tile.height) * header.row() as u64;
        let tile = u64::from(tile.width) * u64::from(tile.height) * header.channels() as u64;
        if check_memory(rows + tile * BYTES_OF_A_SAMPLE).is_err() {
            return Ok(None);
        }
        header.alpha &= !super::is_of_inks(&header);
        Ok(Some(TiledPicture {
            profile: profile(&image),
            header,
            boxes,
            codestream,
        }))
    }

    /// The pixels of a row of tiles.
    fn read_strip(&self, input: &mut Input, row: u32) -> Result<Vec<u8>, DeriveError> {
        let height = self.codestream.area(row, 0).height as usize;
        let mut strip = vec![0; height * self.header.row()];
        for column in 0..self.codestream.tiles().1 {
            let area = self.codestream.area(row, column);
            let tile = self.codestream.read_tile(input, row, column);
            let bytes = [&self.boxes[..], &tile.map_err(not_read)?].concat();
            let image = Image::new(&bytes, &DecodeSettings::default()).map_err(refused)?;
            let mut context = DecoderContext::default();
            let decoded = image.decode(&mut context).map_err(refused)?;
            let mut header = header(&image)?;
            let tile = pixels(&mut header, &decoded)?;
            if (header.width, header.height) != (area.width, area.height)
                || header.channels() != self.header.channels()
            {
                return Err(DeriveError::damaged("picture", "a tile has another size"));
            }
            let left = area.left as usize * header.channels();
            let lines = strip.chunks_exact_mut(self.header.row());
            for (line, of_tile) in lines.zip(tile.chunks_exact(header.row())) {
                line[left..left + of_tile.len()].copy_from_slice(of_tile);
            }
        }
        Ok(strip)
    }
}

/// T.800 I.4: goes to the codestream, and gathers the boxes that the reader of a tile needs, too.
fn find(input: &mut Input, end: u64) -> io::Result<Option<(Vec<u8>, TiledCodestream)>> {
    let mut head = [0; 4];
    input.read_exact(&mut head)?;
    input.rewind()?;
    if head == [0xff, 0x4f, 0xff, 0x51] {
        let codestream = TiledCodestream::read(input, end)?;
        return Ok(codestream.map(|codestream| (Vec::new(), codestream)));
    }
    let mut boxes = Vec::new();
    for _ in 0..MOST_BOXES {
        let begin = input.stream_position()?;
        let mut head = [0; 8];
        input.read_exact(&mut head)?;
        let (length, kind) = head.split_at(4);
        let mut length = u64::from(u32::from_be_bytes(length.try_into().unwrap_or_default()));
        if length == 1 {
            let mut long = [0; 8];
            input.read_exact(&mut long)?;
            length = u64::from_be_bytes(long);
        }
        let past = match length {
            0 => end,
            length => begin.saturating_add(length).min(end),
        };
        let content = past.saturating_sub(input.stream_position()?);
        match kind {
            b"jp2c" => {
                boxes.extend(b"\0\0\0\0jp2c");
                let codestream = TiledCodestream::read(input, past)?;
                return Ok(codestream.map(|codestream| (boxes, codestream)));
            }
            b"jP  " | b"ftyp" | b"jp2h" if content <= LARGEST_BOX => {
                boxes.extend((content as u32 + 8).to_be_bytes());
                boxes.extend(kind);
                input.take(content).read_to_end(&mut boxes)?;
            }
            _ => {}
        }
        if past <= begin {
            break;
        }
        input.seek(SeekFrom::Start(past))?;
    }
    Ok(None)
}

fn not_read(error: io::Error) -> DeriveError {
    DeriveError::not_read("picture", &error)
}
