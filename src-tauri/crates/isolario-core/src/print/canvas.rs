//! Pages of A4 that are drawn upon. Lengths are in points (1/72 inch), from the upper left corner.

use bytes::Bytes;
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::TextDirection;
use qrcode::{Color, EcLevel, QrCode};

use super::PrintError;
use super::fonts::Fonts;

/// Points of a millimetre.
pub(super) const MM: f32 = 72.0 / 25.4;
/// Width and height of A4.
pub(super) const A4: (f32, f32) = (210.0 * MM, 297.0 * MM);

/// A document that grows page by page.
pub(super) struct Canvas {
    document: Document,
    fonts: Fonts,
}

/// A page that is drawn upon.
pub(super) struct PrintedPage<'s, 'd> {
    surface: &'s mut Surface<'d>,
    fonts: &'s mut Fonts,
}

/// A frame in which something stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

impl Canvas {
    pub(super) fn new(title: &str, font: Vec<u8>) -> Result<Canvas, PrintError> {
        let fonts = Fonts::new(font)?;
        let mut document = Document::new();
        document.set_metadata(Metadata::new().title(title.to_owned()));
        Ok(Canvas { document, fonts })
    }

    /// Draws another page.
    pub(super) fn page(&mut self, draw: impl FnOnce(&mut PrintedPage<'_, '_>)) {
        let (width, height) = A4;
        let Some(settings) = PageSettings::from_wh(width, height) else {
            return;
        };
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        draw(&mut PrintedPage {
            surface: &mut surface,
            fonts: &mut self.fonts,
        });
        surface.finish();
        page.finish();
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, PrintError> {
        let finished = self.document.finish();
        finished.map_err(|error| PrintError(format!("{error:?}")))
    }
}

impl PrintedPage<'_, '_> {
    /// Writes a text in at most so many lines of a size, in a frame from its top on; what does not fit ends with an
    /// ellipsis. Returns the height that it takes.
    pub(super) fn text(&mut self, text: &str, frame: Frame, size: f32, lines: usize) -> f32 {
        let leading = size * 1.25;
        let broken = break_lines(text, frame.width / size, lines);
        self.ink(0.1);
        let font = self.fonts.of(text);
        for (number, line) in broken.iter().enumerate() {
            let at = Point::from_xy(frame.x, frame.y + size + leading * number as f32);
            self.surface
                .draw_text(at, font.clone(), size, line, false, TextDirection::Auto);
        }
        leading * broken.len() as f32
    }

    /// Draws a picture as large as it fits into a frame; false where it is no JPEG.
    pub(super) fn picture(&mut self, bytes: &Bytes, frame: Frame) -> bool {
        let Ok(image) = Image::from_jpeg(bytes.to_vec().into(), true) else {
            return false;
        };
        let (width, height) = image.size();
        if width == 0 || height == 0 {
            return false;
        }
        let scale = (frame.width / width as f32).min(frame.height / height as f32);
        let (wide, high) = (width as f32 * scale, height as f32 * scale);
        let (x, y) = (
            frame.x + (frame.width - wide) / 2.0,
            frame.y + (frame.height - high) / 2.0,
        );
        let Some(size) = Size::from_wh(wide, high) else {
            return false;
        };
        self.surface
            .push_transform(&Transform::from_translate(x, y));
        self.surface.draw_image(image, size);
        self.surface.pop();
        true
    }

    /// Fills a frame with a grey, from 0 (black) to 1 (white).
    pub(super) fn fill(&mut self, frame: Frame, grey: f32) {
        let Some(rect) = Rect::from_xywh(frame.x, frame.y, frame.width, frame.height) else {
            return;
        };
        let mut path = PathBuilder::new();
        path.push_rect(rect);
        if let Some(path) = path.finish() {
            self.ink(grey);
            self.surface.draw_path(&path);
        }
    }

    /// Draws the QR code of a text, with its quiet zone inside of the frame.
    pub(super) fn qr_code(&mut self, text: &str, frame: Frame) {
        const QUIET: usize = 2;
        let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
            return;
        };
        let size = code.width();
        let module = frame.width / (size + 2 * QUIET) as f32;
        let mut path = PathBuilder::new();
        for (at, color) in code.to_colors().into_iter().enumerate() {
            if color == Color::Dark {
                let (x, y) = ((at % size + QUIET) as f32, (at / size + QUIET) as f32);
                let (x, y) = (frame.x + x * module, frame.y + y * module);
                path.move_to(x, y);
                path.line_to(x + module, y);
                path.line_to(x + module, y + module);
                path.line_to(x, y + module);
                path.close();
            }
        }
        if let Some(path) = path.finish() {
            self.ink(0.0);
            self.surface.draw_path(&path);
        }
    }

    fn ink(&mut self, grey: f32) {
        let grey = (grey * 255.0) as u8;
        self.surface.set_fill(Some(Fill {
            paint: rgb::Color::new(grey, grey, grey).into(),
            opacity: NormalizedF32::ONE,
            rule: krilla::paint::FillRule::default(),
        }));
    }
}

/// Lines of at most so many em. Letters are taken to be as wide as those of a sans serif are on the average, and wide ones
/// twice as wide.
fn break_lines(text: &str, em: f32, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let joined = match line.is_empty() {
            true => word.to_owned(),
            false => format!("{line} {word}"),
        };
        if width(&joined) <= em {
            line = joined;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut rest = word;
        while width(rest) > em {
            let end = fitting(rest, em);
            lines.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
        line = rest.to_owned();
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while width(last) + 1.0 > em && last.pop().is_some() {}
            last.push('…');
        }
    }
    lines
}

/// The byte at which a word is broken; at least one letter stands before it.
fn fitting(word: &str, em: f32) -> usize {
    let mut ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let first = ends.next().unwrap_or(word.len());
    let fits = ends.take_while(|end| width(&word[..*end]) <= em);
    fits.last().unwrap_or(first)
}

fn width(text: &str) -> f32 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.28,
        ' ' | 't' | 'f' | 'r' | '-' | '(' | ')' => 0.34,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.9,
        c if c.is_uppercase() => 0.7,
        c if u32::from(c) >= 0x2E80 => 1.0,
        _ => 0.56,
    };
    text.chars().map(letter).sum()
}
