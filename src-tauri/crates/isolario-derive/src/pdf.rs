//! PDF: how a page looks, and what its pages say.

mod words;

use std::sync::Arc;

use hayro::hayro_interpret::{
    Context, InterpreterCache, InterpreterSettings, TransformExt, interpret_page,
};
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::kurbo::Rect;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};

use self::words::Words;
use super::bounded::Bounded;
use super::refused::DeriveError;
use super::source::Source;

/// The file is held as a whole.
const LARGEST: u64 = 512 << 20;

/// Points of an inch.
const POINTS: f32 = 72.0;
/// Pixels of an inch, beyond which a page is drawn no larger …
const DENSEST: f32 = 300.0;
/// … unless its longest side would have fewer than these.
const SMALLEST: f32 = 512.0;

/// A page as it looks: RGB, row by row.
pub(super) struct Page {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

/// Opens a file.
///
/// # Errors
/// It is too large, protected by a password, or no PDF.
pub(super) fn open(source: &mut Source) -> Result<Pdf, DeriveError> {
    let bytes = source.whole(LARGEST)?;
    Pdf::new(Arc::new(bytes)).map_err(|error| {
        DeriveError::unreadable(match error {
            LoadPdfError::Decryption(_) => "The PDF is protected by a password.",
            LoadPdfError::Invalid => "The PDF is damaged: its parts are not where they should be.",
        })
    })
}

/// The page that is asked for, or the first, its longest side as long as asked for; of a large size, at 300 pixels per
/// inch.
///
/// # Errors
/// There is none.
pub(super) fn page(source: &mut Source, longest: u32) -> Result<Page, DeriveError> {
    let number = source.page().unwrap_or(1);
    let pdf = open(source)?;
    let page = number.checked_sub(1).and_then(|at| pdf.pages().get(at));
    let page = page.ok_or_else(|| no_page(&pdf, number))?;
    let (width, height) = page.render_dimensions();
    let side = width.max(height);
    if !side.is_finite() || width.min(height) <= 0.0 {
        return Err(DeriveError::unreadable(format!(
            "Page {number} of the PDF has no size."
        )));
    }
    let scale = (longest as f32 / side).min((DENSEST / POINTS).max(SMALLEST / side));
    if width.min(height) * scale < 1.0 {
        return Err(DeriveError::unreadable(format!(
            "Page {number} of the PDF is but a line."
        )));
    }
    let pixels = PixmapSettings {
        x_scale: scale,
        y_scale: scale,
        bg_color: WHITE,
    };
    let how = RenderSettings::default();
    let settings = InterpreterSettings::default();
    let pixmap = render(page, &RenderCache::new(), &settings, &how, &pixels);
    let pixels = pixmap.data_as_u8_slice().chunks_exact(4);
    Ok(Page {
        width: u32::from(pixmap.width()),
        height: u32::from(pixmap.height()),
        rgb: pixels
            .flat_map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect(),
    })
}

fn no_page(pdf: &Pdf, number: usize) -> DeriveError {
    match pdf.pages().is_empty() {
        true => DeriveError::unreadable("The PDF has no page."),
        false => DeriveError::unreadable(format!("The PDF has no page {number}.")),
    }
}

/// What its pages say, or the one that is asked for, in the order in which it is drawn; a form feed between pages.
///
/// # Errors
/// The file cannot be opened, or has no such page.
pub(super) fn text(source: &mut Source, out: &mut Bounded) -> Result<(), DeriveError> {
    let wanted = source.page();
    let pdf = open(source)?;
    let pages = match wanted {
        None => &pdf.pages()[..],
        Some(number) => {
            let one = number.checked_sub(1).map(|at| at..number);
            let one = one.and_then(|range| pdf.pages().get(range));
            one.ok_or_else(|| no_page(&pdf, number))?
        }
    };
    let cache = InterpreterCache::new();
    for (number, page) in pages.iter().enumerate() {
        if out.is_full() {
            break;
        }
        let (width, height) = page.render_dimensions();
        let whole = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let settings = InterpreterSettings::default();
        let upright = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(upright, whole, &cache, page.xref(), settings);
        let mut words = Words::default();
        interpret_page(page, &mut context, &mut words);
        if number > 0 {
            out.push("\u{c}");
        }
        out.push(words.finish().trim());
        out.push("\n");
    }
    Ok(())
}
