//! PNG (third edition): row by row; interlaced ones as a whole.

use std::io::{BufRead, Seek};

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations, Unit};

use super::super::refused::DeriveError;
use super::super::source::{Input, Source};
use super::Picture;
use super::exif_fields::ExifFields;
use super::orientation::UPRIGHT;
use super::properties::PictureProperties;
use super::raster::{ColourModel, Header, check_memory};
use super::row_sink::{RowSink, RowSource};
use super::shrink::Shrink;

/// For texts, profiles and the like.
const BESIDE_THE_PICTURE: usize = 64 << 20;

/// Reads a picture.
pub(super) fn read(source: &mut Source, longest: u32) -> Result<Picture, DeriveError> {
    let mut reader = open(source)?;
    let rows = about(&reader);
    let mut shrink = Shrink::new(rows.header, longest)?;
    match reader.info().interlaced {
        true => push_whole(&mut reader, &mut shrink)?,
        false => push_each(&mut reader, &mut shrink)?,
    }
    Ok(Picture {
        raster: shrink.finish()?,
        profile: rows.profile,
        orientation: rows.orientation,
    })
}

/// What its rows are like; `None` where they do not come one after the other.
pub(super) fn row_source(source: &mut Source) -> Result<Option<RowSource>, DeriveError> {
    let reader = open(source)?;
    Ok((!reader.info().interlaced).then(|| about(&reader)))
}

/// Reads the rows of one that is not interlaced.
pub(super) fn push_rows(source: &mut Source, sink: &mut dyn RowSink) -> Result<(), DeriveError> {
    push_each(&mut open(source)?, sink)
}

fn open(source: &mut Source) -> Result<Reader<&mut Input>, DeriveError> {
    let limits = Limits {
        bytes: BESIDE_THE_PICTURE,
    };
    let mut decoder = Decoder::new_with_limits(source.rewound()?, limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.read_info().map_err(refused)
}

fn about<R: BufRead + Seek>(reader: &Reader<R>) -> RowSource {
    let info = reader.info();
    let said = info.icc_profile.as_ref().filter(|_| info.srgb.is_none());
    let exif = info.exif_metadata.as_deref().and_then(ExifFields::of);
    RowSource {
        header: header(reader),
        profile: said.map(|bytes| bytes.to_vec()),
        orientation: exif.map_or(UPRIGHT, |exif| exif.orientation()),
    }
}

/// Its measures; what stands behind the pixels is not read.
pub(super) fn read_properties(source: &mut Source) -> Result<PictureProperties, DeriveError> {
    let limits = Limits {
        bytes: BESIDE_THE_PICTURE,
    };
    let decoder = Decoder::new_with_limits(source.rewound()?, limits);
    let reader = decoder.read_info().map_err(refused)?;
    let info = reader.info();
    let xmp = info
        .utf8_text
        .iter()
        .find(|text| text.keyword == "XML:com.adobe.xmp");
    let metres = info.pixel_dims.filter(|dims| dims.unit == Unit::Meter);
    let inches = |per_metre: u32| f64::from(per_metre) * 0.0254;
    Ok(PictureProperties {
        width: info.width,
        height: info.height,
        colour_space: Some(match info.color_type {
            ColorType::Grayscale | ColorType::GrayscaleAlpha => "grey",
            ColorType::Indexed => "palette",
            ColorType::Rgb | ColorType::Rgba => "RGB",
        }),
        bit_depth: Some(info.bit_depth as u32),
        alpha: Some(info.color_type.samples() % 2 == 0 || info.trns.is_some()),
        resolution: metres.map(|dims| [inches(dims.xppu), inches(dims.yppu)]),
        profile: info.icc_profile.is_some(),
        exif: info.exif_metadata.as_deref().and_then(ExifFields::of),
        xmp: xmp
            .and_then(|text| text.get_text().ok())
            .map(String::into_bytes),
        ..PictureProperties::default()
    })
}

fn push_each<R: BufRead + Seek>(
    reader: &mut Reader<R>,
    sink: &mut dyn RowSink,
) -> Result<(), DeriveError> {
    let header = header(reader);
    let mut row = vec![0; header.row() << u8::from(header.deep)];
    for _ in 0..header.height {
        if reader.read_row(&mut row).map_err(refused)?.is_none() {
            break;
        }
        push(sink, header.deep, &row);
    }
    Ok(())
}

fn push_whole<R: BufRead + Seek>(
    reader: &mut Reader<R>,
    sink: &mut dyn RowSink,
) -> Result<(), DeriveError> {
    let header = header(reader);
    check_memory(header.bytes())?;
    let mut pixels = vec![0; header.bytes() as usize];
    reader.next_frame(&mut pixels).map_err(refused)?;
    for row in pixels.chunks_exact(header.row() << u8::from(header.deep)) {
        push(sink, header.deep, row);
    }
    Ok(())
}

fn push(sink: &mut dyn RowSink, deep: bool, row: &[u8]) {
    if deep {
        let samples = row.chunks_exact(2);
        let samples: Vec<u16> = samples
            .map(|two| u16::from_be_bytes([two[0], two[1]]))
            .collect();
        sink.row_of_16(&samples);
    } else {
        sink.row(row);
    }
}

fn header<R: BufRead + Seek>(reader: &Reader<R>) -> Header {
    let (colour, depth) = reader.output_color_type();
    Header {
        width: reader.info().width,
        height: reader.info().height,
        colour_model: match colour {
            ColorType::Grayscale | ColorType::GrayscaleAlpha => ColourModel::Gray,
            ColorType::Rgb | ColorType::Rgba | ColorType::Indexed => ColourModel::Rgb,
        },
        alpha: matches!(colour, ColorType::GrayscaleAlpha | ColorType::Rgba),
        deep: depth == BitDepth::Sixteen,
    }
}

fn refused(error: DecodingError) -> DeriveError {
    match error {
        DecodingError::IoError(error) => DeriveError::not_read("picture", &error),
        DecodingError::LimitsExceeded => DeriveError::unreadable(
            "The picture carries more profiles and texts than can be read here.",
        ),
        DecodingError::Format(error) => DeriveError::damaged("picture", error),
        DecodingError::Parameter(error) => DeriveError::damaged("picture", error),
    }
}
