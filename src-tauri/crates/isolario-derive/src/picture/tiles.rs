//! Cuts a large picture into tiles, so that a viewer shows each of its pixels and loads but those in view.

use std::io::Write;

use super::super::Derivative;
use super::super::adjustment::Adjustment;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::colour::{self, SrgbPicture};
use super::format::Format;
use super::orientation::UPRIGHT;
use super::pyramid::{PyramidWriter, SIDE};
use super::raster::{Header, Raster, Samples};
use super::row_sink::{RowSink, RowSource};
use super::{made, picture};

/// Longer than any side: the picture keeps its size.
const ANY_SIZE: u32 = 1 << 30;

/// Makes the zip that `PyramidWriter` writes, on white where the picture is transparent. Of what is read row by row and
/// is upright, no more is held than the rows of some tiles.
pub(in super::super) fn tiles(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let format = Format::of(source)?;
    if !format.is_picture() && format != Format::Pdf {
        let words = "Only pictures and pages are cut into tiles.";
        return Err(DeriveError::unreadable(words));
    }
    let rows = match source.adjustment() == Adjustment::default() {
        true => format.row_source(source)?,
        false => None,
    };
    let rows = rows.filter(|rows| rows.orientation == UPRIGHT);
    let Some(rows) = rows else {
        return of_whole(&picture(source, ANY_SIZE)?.on_white(), target);
    };
    let size = (rows.header.width, rows.header.height);
    let mut strips = Strips::new(rows, target)?;
    format.push_rows(source, &mut strips)?;
    strips.finish()?;
    Ok(made(size, "application/zip", "zip"))
}

fn of_whole(picture: &SrgbPicture, target: &mut dyn Write) -> Result<Derivative, DeriveError> {
    let mut pyramid = PyramidWriter::new(picture.size(), target)?;
    let row = picture.width as usize * picture.channels;
    for bytes in picture.bytes.chunks(row * SIDE as usize) {
        pyramid.push(SrgbPicture {
            height: (bytes.len() / row) as u32,
            bytes: bytes.to_vec(),
            ..*picture
        })?;
    }
    pyramid.finish()?;
    Ok(made(picture.size(), "application/zip", "zip"))
}

/// Takes rows, and gives a pyramid as many as a row of tiles has.
struct Strips<'t> {
    rows: RowSource,
    pyramid: PyramidWriter<'t>,
    /// Of the rows that are held.
    samples: Samples,
    held: u32,
    taken: u32,
    failure: Option<DeriveError>,
}

impl<'t> Strips<'t> {
    fn new(rows: RowSource, target: &'t mut dyn Write) -> Result<Strips<'t>, DeriveError> {
        let header = rows.header.check()?;
        Ok(Strips {
            pyramid: PyramidWriter::new((header.width, header.height), target)?,
            samples: none_of(&header),
            rows,
            held: 0,
            taken: 0,
            failure: None,
        })
    }

    fn count_row(&mut self) {
        self.held += 1;
        self.taken += 1;
        if self.held == SIDE || self.taken == self.rows.header.height {
            let pushed = self.push();
            self.failure = self.failure.take().or(pushed.err());
        }
    }

    fn push(&mut self) -> Result<(), DeriveError> {
        let header = Header {
            height: self.held,
            ..self.rows.header
        };
        let samples = std::mem::replace(&mut self.samples, none_of(&header));
        self.held = 0;
        let raster = Raster { header, samples };
        let coloured = colour::to_srgb(raster, self.rows.profile.as_deref())?;
        self.pyramid.push(coloured.on_white())
    }

    fn finish(self) -> Result<(), DeriveError> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.pyramid.finish(),
        }
    }

    /// Whether rows are still of use.
    fn wants_more(&self) -> bool {
        self.failure.is_none() && self.taken < self.rows.header.height
    }
}

fn none_of(header: &Header) -> Samples {
    match header.deep {
        false => Samples::Eight(Vec::new()),
        true => Samples::Sixteen(Vec::new()),
    }
}

impl RowSink for Strips<'_> {
    fn row(&mut self, row: &[u8]) {
        if let (true, Samples::Eight(samples)) = (self.wants_more(), &mut self.samples) {
            samples.extend_from_slice(row);
            self.count_row();
        }
    }

    fn row_of_16(&mut self, row: &[u16]) {
        if let (true, Samples::Sixteen(samples)) = (self.wants_more(), &mut self.samples) {
            samples.extend_from_slice(row);
            self.count_row();
        }
    }
}
