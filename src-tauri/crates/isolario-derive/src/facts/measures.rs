//! Width, length, pages and the like, format by format.

use std::collections::BTreeMap;

use exif::{In, Tag};
use serde_json::{Value, json};

use super::super::audio::Audio;
use super::super::pdf;
use super::super::picture::format::Format;
use super::super::picture::properties::PictureProperties;
use super::super::refused::DeriveError;
use super::super::source::Source;
use super::super::video_header::Film;
use super::Facts;
use super::offered::Offered;

/// What was measured, by the keys of the facts.
#[derive(Default)]
pub(super) struct Measures(Facts);

impl Measures {
    /// Measures a file of that type.
    ///
    /// # Errors
    /// It is damaged.
    pub fn of(source: &mut Source, mime: &str) -> Result<Measures, DeriveError> {
        let mut measures = Measures::default();
        match mime.split('/').next() {
            _ if mime == "application/pdf" => measures.document(source)?,
            Some("image") => {
                if let Some(properties) = Format::read_properties(source)? {
                    measures.picture(properties);
                }
            }
            Some("audio") => measures.recording(&Audio::read(source)?),
            Some("video") => measures.film(source)?,
            _ => {}
        }
        Ok(measures)
    }

    /// Adds them to others.
    pub fn add_to(self, facts: &mut Facts) {
        facts.extend(self.0);
    }

    fn set(&mut self, key: &str, value: impl Into<Value>) {
        let value = value.into();
        if !value.is_null() {
            self.0.insert(key.to_owned(), value);
        }
    }

    fn picture(&mut self, properties: PictureProperties) {
        self.set("width", properties.width);
        self.set("height", properties.height);
        self.set("colour_space", properties.colour_space);
        self.set("bit_depth", properties.bit_depth);
        self.set("alpha", properties.alpha);
        self.set("pages", properties.pages);
        self.set("profile", properties.profile.then_some(true));
        if let Some([x, y]) = properties
            .resolution
            .filter(|two| two.iter().all(|one| one.is_finite()))
        {
            self.set(
                "resolution",
                json!({"x": hundredth(x), "y": hundredth(y), "unit": "pixels per inch"}),
            );
        }
        let mut offered = Offered::default();
        if let Some(xmp) = &properties.xmp {
            offered.xmp(xmp);
        }
        if let Some(iptc) = &properties.iptc {
            offered.iptc(iptc);
        }
        if let Some(exif) = &properties.exif {
            self.set("orientation", exif.orientation());
            if let Some(fields) = exif.parsed() {
                offered.exif(&fields);
                self.set("exif", in_words(&fields));
            }
        }
        self.set("offered", offered.into_value());
    }

    fn document(&mut self, source: &mut Source) -> Result<(), DeriveError> {
        let pdf = pdf::open(source)?;
        self.set("pages", pdf.pages().len());
        if let Some(page) = pdf.pages().first() {
            let (width, height) = page.render_dimensions();
            if width.is_finite() && height.is_finite() {
                // A point is a seventy-second of an inch.
                self.set(
                    "page_size",
                    json!({"width": width, "height": height, "unit": "points"}),
                );
            }
        }
        let mut offered = Offered::default();
        offered.pdf(pdf.metadata());
        self.set("offered", offered.into_value());
        Ok(())
    }

    fn film(&mut self, source: &mut Source) -> Result<(), DeriveError> {
        // Of a container that is not known, its format is fact enough.
        if let Ok(audio) = Audio::of_film(source) {
            self.recording(&audio);
        }
        let film = Film::read(source)?;
        if let Some(seconds) = film.duration {
            self.set("duration", thousandth(seconds));
        }
        if let Some((width, height)) = film.size {
            self.set("width", width);
            self.set("height", height);
        }
        Ok(())
    }

    fn recording(&mut self, audio: &Audio) {
        let properties = audio.properties();
        let seconds = properties.duration().as_secs_f64();
        if seconds > 0.0 {
            self.set("duration", thousandth(seconds));
        }
        self.set("sample_rate", properties.sample_rate());
        self.set("channels", properties.channels());
        self.set("bit_depth", properties.bit_depth());
        self.set(
            "bit_rate",
            properties
                .audio_bitrate()
                .map(|rate| u64::from(rate) * 1000),
        );
        let mut offered = Offered::default();
        offered.title(audio.title());
        offered.creator(audio.artist());
        offered.date(audio.date());
        self.set("album", audio.album());
        self.set("offered", offered.into_value());
    }
}

fn thousandth(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Resolutions are kept per metre or centimetre, in whole numbers.
fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Longest value of a field that is kept: some cameras write their memory into one.
const LONGEST: usize = 200;

/// The fields of the picture itself, by their names.
fn in_words(fields: &exif::Exif) -> Value {
    let own = fields.fields().filter(|field| field.ifd_num == In::PRIMARY);
    let named = own.filter(|field| !matches!(field.tag, Tag::MakerNote | Tag::UserComment));
    let words = named.filter_map(|field| {
        let words = field.display_value().with_unit(fields).to_string();
        let name = field.tag.to_string();
        let known = !name.starts_with("Tag(") && words.len() <= LONGEST;
        known.then(|| (name, Value::from(words.trim_matches('"').trim())))
    });
    let words: BTreeMap<String, Value> = words.collect();
    match words.is_empty() {
        true => Value::Null,
        false => Value::Object(words.into_iter().collect()),
    }
}
