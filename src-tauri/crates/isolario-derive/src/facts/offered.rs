//! What a file says about itself that an item's empty fields could be filled with.

use exif::{Context, Exif, In, Tag, Value as Field};
use hayro::hayro_syntax::metadata::Metadata;
use serde_json::{Value, json};

use super::super::iptc;
use super::Facts;
use crate::xmp;

/// What is offered; what came first stays, so the richer sources come first.
#[derive(Default)]
pub(super) struct Offered(Facts);

impl Offered {
    /// As JSON; null where nothing is offered.
    pub fn into_value(self) -> Value {
        match self.0.is_empty() {
            true => Value::Null,
            false => Value::Object(self.0),
        }
    }

    /// What the thing is called.
    pub fn title(&mut self, said: Option<String>) {
        self.text("title", said);
    }

    /// Who made it.
    pub fn creator(&mut self, said: Option<String>) {
        self.texts("creators", said.into_iter().collect());
    }

    /// When, as far as it begins as EDTF does: `1999`, `1999-05`, `1999-05-17`.
    pub fn date(&mut self, said: Option<String>) {
        self.text("date", said.and_then(|said| day(&said)));
    }

    /// XMP (ISO 16684-1).
    pub fn xmp(&mut self, packet: &[u8]) {
        let text = String::from_utf8_lossy(packet);
        let Ok(said) = xmp::properties(text.trim_end_matches('\0')) else {
            return;
        };
        let all = |name: &str| said.get(name).cloned().unwrap_or_default();
        let first = |names: &[&str]| names.iter().find_map(|name| all(name).into_iter().next());
        self.title(first(&["dc:title", "photoshop:Headline"]));
        self.texts("creators", all("dc:creator"));
        self.date(first(&[
            "photoshop:DateCreated",
            "exif:DateTimeOriginal",
            "xmp:CreateDate",
            "dc:date",
        ]));
        self.text("description", first(&["dc:description"]));
        self.text("rights", first(&["dc:rights"]));
        self.texts("subjects", all("dc:subject"));
        let place = [
            "Iptc4xmpCore:Location",
            "photoshop:City",
            "photoshop:State",
            "photoshop:Country",
        ];
        let place: Vec<String> = place.iter().filter_map(|name| first(&[name])).collect();
        self.text("place", Some(place.join(", ")));
    }

    /// IPTC-IIM 4.2, record 2.
    pub fn iptc(&mut self, block: &[u8]) {
        let said = iptc::read(block);
        let all = |number: u8| said.get(&number).cloned().unwrap_or_default();
        let first = |number| all(number).into_iter().next();
        self.title(first(5).or_else(|| first(105)));
        self.texts("creators", all(80));
        self.date(first(55));
        self.text("description", first(120));
        self.text("rights", first(116));
        self.texts("subjects", all(25));
        let place: Vec<String> = [92, 90, 95, 101].into_iter().filter_map(first).collect();
        self.text("place", Some(place.join(", ")));
    }

    /// Exif 2.32, and where the camera was.
    pub fn exif(&mut self, exif: &Exif) {
        // Some programs write the camera's fields beside those of the picture.
        let field = |Tag(context, number)| {
            let beside = Tag(Context::Tiff, number);
            let places = [Tag(context, number), beside].into_iter();
            let mut found = places.filter_map(|tag| exif.get_field(tag, In::PRIMARY));
            found.next().map(|field| &field.value)
        };
        let text = |tag| match field(tag) {
            Some(Field::Ascii(parts)) => {
                let text = String::from_utf8_lossy(parts.first()?).trim().to_owned();
                Some(text)
            }
            _ => None,
        };
        self.text("description", text(Tag::ImageDescription));
        self.creator(text(Tag::Artist));
        self.text("rights", text(Tag::Copyright));
        self.date(text(Tag::DateTimeOriginal));
        let degrees = |tag, hemisphere, negative: &str| {
            let Some(Field::Rational(parts)) = field(tag) else {
                return None;
            };
            // Minutes and seconds are left out, or are 0/0, where nothing is known of them.
            let part = |at: usize| parts.get(at).map(|part| part.to_f64());
            let fine = |at| part(at).filter(|part| part.is_finite()).unwrap_or_default();
            let all = part(0)? + fine(1) / 60.0 + fine(2) / 3600.0;
            let sign = if text(hemisphere).as_deref() == Some(negative) {
                -1.0
            } else {
                1.0
            };
            Some(sign * all).filter(|all| all.is_finite() && all.abs() <= 180.0)
        };
        let latitude = degrees(Tag::GPSLatitude, Tag::GPSLatitudeRef, "S");
        let longitude = degrees(Tag::GPSLongitude, Tag::GPSLongitudeRef, "W");
        if let (Some(latitude), Some(longitude)) = (latitude, longitude) {
            let millionth = |degrees: f64| (degrees * 1e6).round() / 1e6;
            let place = json!({"latitude": millionth(latitude), "longitude": millionth(longitude)});
            self.0.insert("coordinates".to_owned(), place);
        }
    }

    /// The document information of a PDF (ISO 32000-2, 14.3.3).
    pub fn pdf(&mut self, said: &Metadata) {
        let text = |bytes: &Option<Box<[u8]>>| bytes.as_deref().map(pdf_text);
        self.title(text(&said.title));
        self.creator(text(&said.author));
        self.text("description", text(&said.subject));
        let date = said.creation_date.as_ref();
        self.date(date.map(|date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)));
    }

    fn text(&mut self, key: &str, said: Option<String>) {
        let said = said.map(|said| plain(&said));
        if let Some(said) = said.filter(|said| !said.is_empty()) {
            self.0.entry(key).or_insert_with(|| Value::from(said));
        }
    }

    fn texts(&mut self, key: &str, said: Vec<String>) {
        let said: Vec<String> = said.iter().map(|one| plain(one)).collect();
        let said: Vec<String> = said.into_iter().filter(|one| !one.is_empty()).collect();
        if !said.is_empty() {
            self.0.entry(key).or_insert_with(|| Value::from(said));
        }
    }
}

/// Without the characters that no field takes.
fn plain(said: &str) -> String {
    let is_plain = |c: &char| !c.is_control() || ['\t', '\n', '\r'].contains(c);
    let plain: String = said.chars().filter(is_plain).collect();
    plain.trim().to_owned()
}

/// PDFDocEncoding, which is Latin 1 but for a few signs, or UTF-16 or UTF-8 with their marks.
fn pdf_text(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => {
            let units = rest
                .chunks_exact(2)
                .map(|two| u16::from_be_bytes([two[0], two[1]]));
            String::from_utf16_lossy(&units.collect::<Vec<u16>>())
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The day of `1999:05:17 10:11:12`, `19990517`, `1999-05-17T10:11`, or as much of it as is there.
fn day(said: &str) -> Option<String> {
    let said: String = said
        .trim()
        .chars()
        .take_while(|one| !"T ".contains(*one))
        .collect();
    let digits: String = said.chars().filter(char::is_ascii_digit).collect();
    let number = |from: usize, to: usize| digits.get(from..to)?.parse::<u32>().ok();
    let year = digits.get(..4).filter(|year| *year != "0000")?;
    let month = number(4, 6).filter(|month| (1..=12).contains(month));
    let date = number(6, 8).filter(|date| (1..=31).contains(date));
    Some(match (month, date) {
        (Some(month), Some(date)) => format!("{year}-{month:02}-{date:02}"),
        (Some(month), None) => format!("{year}-{month:02}"),
        _ => year.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_in_many_ways() {
        for said in [
            "1999:05:17 10:11:12",
            "19990517",
            "1999-05-17T10:11:12+02:00",
        ] {
            assert_eq!(day(said).as_deref(), Some("1999-05-17"), "{said}");
        }
        assert_eq!(day("1999-05").as_deref(), Some("1999-05"));
        assert_eq!(day("1999").as_deref(), Some("1999"));
        assert_eq!(day("0000:00:00 00:00:00"), None);
        assert_eq!(day("yesterday"), None);
    }

    #[test]
    fn nothing_is_offered_that_no_field_takes() {
        let mut offered = Offered::default();
        offered.title(Some(" Port\u{0}o\u{1b}vecchio\n\u{0}".into()));
        offered.creator(Some("\u{1}".into()));
        assert_eq!(offered.into_value(), json!({"title": "Portovecchio"}));
    }
}
