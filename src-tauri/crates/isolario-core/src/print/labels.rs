//! Labels for boxes and folders: what an item is called, and a QR code that opens its page.

use super::PrintedItem;
use super::canvas::{A4, Canvas, Frame, MM, PrintedPage};

const COLUMNS: usize = 3;
const ROWS: usize = 8;
/// Of a label; such sheets of A4 have many makers.
const SIZE: (f32, f32) = (70.0 * MM, 37.0 * MM);
/// What printers do not reach.
const PADDING: f32 = 5.0 * MM;
const CODE: f32 = 20.0 * MM;

/// Draws all items, and at least one page.
pub(super) fn draw(canvas: &mut Canvas, items: &[PrintedItem]) {
    let pages = items.chunks(COLUMNS * ROWS);
    let none: &[PrintedItem] = &[];
    let pages = pages.chain(items.is_empty().then_some(none));
    for page in pages {
        canvas.page(|sheet| {
            for (place, item) in page.iter().enumerate() {
                label(sheet, item, place);
            }
        });
    }
}

fn label(sheet: &mut PrintedPage<'_, '_>, item: &PrintedItem, place: usize) {
    let top = (A4.1 - SIZE.1 * ROWS as f32) / 2.0;
    let x = SIZE.0 * (place % COLUMNS) as f32 + PADDING;
    let y = top + SIZE.1 * (place / COLUMNS) as f32 + PADDING;
    let text = Frame {
        x,
        y,
        width: SIZE.0 - 2.0 * PADDING - CODE - 2.0 * MM,
        height: SIZE.1 - 2.0 * PADDING,
    };
    let mut at = y;
    let lines = [
        (Some(&item.identifier), 11.0, 1),
        (Some(&item.title), 9.0, 3),
        (item.date.as_ref(), 8.0, 1),
        (item.collection.as_ref(), 7.5, 2),
    ];
    for (words, size, lines) in lines {
        if let Some(words) = words {
            at += sheet.text(words, Frame { y: at, ..text }, size, lines) + 0.5 * MM;
        }
    }
    let code = Frame {
        x: x + SIZE.0 - 2.0 * PADDING - CODE,
        y: y + (SIZE.1 - 2.0 * PADDING - CODE) / 2.0,
        width: CODE,
        height: CODE,
    };
    sheet.qr_code(&item.address, code);
}
