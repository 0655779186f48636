//! Makes pictures smaller while they are read: blocks of pixels become their mean.

use super::super::refused::DeriveError;
use super::raster::{Header, Raster, Samples, check_memory};
use super::row_sink::RowSink;

/// Rasters below this need no further shrinking to be handled.
const SMALL: u64 = 256 << 20;

/// Takes the rows of a picture from the top, and keeps the mean of blocks of `factor` x `factor` pixels.
pub(super) struct Shrink {
    header: Header,
    factor: u32,
    /// Rows that are in `sums`.
    rows: u32,
    /// Of each column; the inks of a picture with alpha are multiplied by it.
    sums: Vec<u32>,
    kept: Samples,
}

impl Shrink {
    /// For a picture that is wanted with a longest side of `longest`: what is kept has twice that (or as
    /// much, where that is too much to hold), or what there is.
    ///
    /// # Errors
    /// The picture has too many pixels, or none.
    pub fn new(header: Header, longest: u32) -> Result<Shrink, DeriveError> {
        let header = header.check()?;
        let factor = factor(&header, longest);
        let kept = shrunk(&header, factor);
        check_memory(kept.bytes())?;
        let samples = kept.row() * kept.height as usize;
        Ok(Shrink {
            factor,
            rows: 0,
            sums: vec![0; if factor > 1 { header.row() } else { 0 }],
            kept: match header.deep {
                false => Samples::Eight(Vec::with_capacity(samples)),
                true => Samples::Sixteen(Vec::with_capacity(samples)),
            },
            header,
        })
    }

    /// What was kept.
    ///
    /// # Errors
    /// Rows are missing.
    pub fn finish(mut self) -> Result<Raster, DeriveError> {
        if self.rows > 0 {
            self.keep();
        }
        let header = shrunk(&self.header, self.factor);
        let wanted = header.row() * header.height as usize;
        let found = match &self.kept {
            Samples::Eight(samples) => samples.len(),
            Samples::Sixteen(samples) => samples.len(),
        };
        if found != wanted {
            return Err(DeriveError::truncated("picture"));
        }
        Ok(Raster {
            header,
            samples: self.kept,
        })
    }

    fn add_with_alpha(&mut self, row: impl Iterator<Item = u32>, unit: u32) {
        let channels = self.header.channels();
        let mut row = row;
        let mut pixel = [0; 5];
        for sums in self.sums.chunks_exact_mut(channels) {
            for sample in &mut pixel[..channels] {
                *sample = row.next().unwrap_or_default();
            }
            let alpha = pixel[channels - 1];
            for (sum, sample) in sums.iter_mut().zip(&pixel[..channels - 1]) {
                *sum += sample * alpha / unit;
            }
            sums[channels - 1] += alpha;
        }
    }

    fn count_row(&mut self) {
        self.rows += 1;
        if self.rows == self.factor {
            self.keep();
        }
    }

    /// Makes one kept row of the sums.
    fn keep(&mut self) {
        let channels = self.header.channels();
        let block = self.factor as usize * channels;
        let unit = if self.header.deep { u64::from(MAX) } else { 1 };
        for sums in self.sums.chunks(block) {
            let pixels = (sums.len() / channels) as u64 * u64::from(self.rows);
            let mut totals = [0_u64; 5];
            for pixel in sums.chunks_exact(channels) {
                for (total, sum) in totals.iter_mut().zip(pixel) {
                    *total += u64::from(*sum);
                }
            }
            let mean = mean(&totals[..channels], pixels, self.header.alpha, unit);
            match &mut self.kept {
                Samples::Eight(kept) => kept.extend(mean[..channels].iter().map(|one| *one as u8)),
                Samples::Sixteen(kept) => {
                    kept.extend(mean[..channels].iter().map(|one| *one as u16));
                }
            }
        }
        self.sums.fill(0);
        self.rows = 0;
    }
}

impl RowSink for Shrink {
    fn row(&mut self, row: &[u8]) {
        assert_eq!(row.len(), self.header.row(), "a whole row");
        if let (1, Samples::Eight(kept)) = (self.factor, &mut self.kept) {
            kept.extend_from_slice(row);
            return;
        }
        match self.header.alpha {
            false => add(&mut self.sums, row),
            true => self.add_with_alpha(row.iter().map(|sample| u32::from(*sample)), 1),
        }
        self.count_row();
    }

    fn row_of_16(&mut self, row: &[u16]) {
        assert_eq!(row.len(), self.header.row(), "a whole row");
        if let (1, Samples::Sixteen(kept)) = (self.factor, &mut self.kept) {
            kept.extend_from_slice(row);
            return;
        }
        match self.header.alpha {
            false => add(&mut self.sums, row),
            true => self.add_with_alpha(row.iter().map(|sample| u32::from(*sample)), MAX),
        }
        self.count_row();
    }
}

/// A picture that is in memory already; with 16 bits a sample in the order of this machine.
///
/// # Errors
/// It has too many pixels, or none.
pub(super) fn all(header: Header, pixels: &[u8], longest: u32) -> Result<Raster, DeriveError> {
    let mut shrink = Shrink::new(header, longest)?;
    for row in pixels.chunks_exact(header.row() << u8::from(header.deep)) {
        if header.deep {
            let samples = row.chunks_exact(2);
            let samples = samples.map(|two| u16::from_ne_bytes([two[0], two[1]]));
            shrink.row_of_16(&samples.collect::<Vec<u16>>());
        } else {
            shrink.row(row);
        }
    }
    shrink.finish()
}

const MAX: u32 = 65535;

fn add<S: Copy + Into<u32>>(sums: &mut [u32], row: &[S]) {
    for (sum, sample) in sums.iter_mut().zip(row) {
        *sum += (*sample).into();
    }
}

/// The mean of a block. With alpha, `totals` are of inks times alpha divided by `unit`.
fn mean(totals: &[u64], pixels: u64, alpha: bool, unit: u64) -> [u64; 5] {
    let mut mean = [0; 5];
    let inks = totals.len() - usize::from(alpha);
    let (factor, weight) = match alpha {
        true => (unit, totals[inks]),
        false => (1, pixels),
    };
    for (mean, total) in mean.iter_mut().zip(&totals[..inks]) {
        *mean = (total * factor + weight / 2)
            .checked_div(weight)
            .unwrap_or_default();
    }
    if alpha {
        mean[inks] = (totals[inks] + pixels / 2) / pixels;
    }
    mean
}

/// By how much to shrink a picture that is wanted with a longest side of `longest`.
fn factor(header: &Header, longest: u32) -> u32 {
    let side = header.width.max(header.height);
    let fine = (side / (2 * longest)).max(1);
    if shrunk(header, fine).bytes() <= SMALL {
        return fine;
    }
    (side / longest).max(1)
}

fn shrunk(header: &Header, factor: u32) -> Header {
    Header {
        width: header.width.div_ceil(factor),
        height: header.height.div_ceil(factor),
        ..*header
    }
}

#[cfg(test)]
mod tests {
    use super::super::raster::ColourModel;
    use super::*;

    fn header(width: u32, height: u32, alpha: bool, deep: bool) -> Header {
        Header {
            width,
            height,
            colour_model: ColourModel::Gray,
            alpha,
            deep,
        }
    }

    #[test]
    fn a_block_becomes_its_mean() {
        let mut shrink = Shrink::new(header(5, 4, false, false), 1).unwrap();
        for row in [[0, 10, 4, 4, 9], [0, 10, 4, 4, 9], [1; 5], [3; 5]] {
            shrink.row(&row);
        }
        let raster = shrink.finish().unwrap();
        assert_eq!((raster.header.width, raster.header.height), (3, 2));
        assert_eq!(raster.samples, Samples::Eight(vec![5, 4, 9, 2, 2, 2]));
    }

    #[test]
    fn what_is_clear_has_no_colour() {
        let mut shrink = Shrink::new(header(4, 2, true, false), 1).unwrap();
        shrink.row(&[200, 255, 17, 0, 9, 255, 9, 255]);
        shrink.row(&[100, 255, 99, 0, 9, 255, 9, 255]);
        let raster = shrink.finish().unwrap();
        assert_eq!(raster.samples, Samples::Eight(vec![150, 128, 9, 255]));
    }

    #[test]
    fn sixteen_bits_stay_sixteen() {
        let mut shrink = Shrink::new(header(4, 2, true, true), 1).unwrap();
        shrink.row_of_16(&[60000, 65535, 0, 65535, 7, 65535, 7, 65535]);
        shrink.row_of_16(&[60000, 65535, 0, 65535, 7, 65535, 7, 65535]);
        let raster = shrink.finish().unwrap();
        assert_eq!(
            raster.samples,
            Samples::Sixteen(vec![30000, 65535, 7, 65535])
        );
    }

    #[test]
    fn a_picture_without_its_last_rows_is_truncated() {
        let mut shrink = Shrink::new(header(2, 3, false, false), 4).unwrap();
        shrink.row(&[1, 2]);
        assert_eq!(shrink.finish(), Err(DeriveError::truncated("picture")));
    }

    #[test]
    fn more_pixels_than_anybody_has_are_refused() {
        let refused = Shrink::new(header(60_000, 60_000, false, false), 512).err();
        assert!(refused.unwrap().to_string().contains("60000 x 60000"));
    }
}
