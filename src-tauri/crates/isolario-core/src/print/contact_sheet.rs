//! A contact sheet: pictures with what they are called.

use chrono::Utc;

use super::PrintedItem;
use super::canvas::{A4, Canvas, Frame, MM, PrintedPage};

const COLUMNS: usize = 3;
const ROWS: usize = 4;
const MARGIN: f32 = 12.0 * MM;
const HEADING: f32 = 12.0 * MM;
const FOOT: f32 = 8.0 * MM;
const GAP: f32 = 6.0 * MM;
/// Of the lines below a picture.
const CAPTION: f32 = 13.0 * MM;

/// Draws all items, and at least one page.
pub(super) fn draw(canvas: &mut Canvas, heading: &str, items: &[PrintedItem]) {
    let pages = items.len().div_ceil(COLUMNS * ROWS).max(1);
    let today = Utc::now().format("%Y-%m-%d").to_string();
    for page in 0..pages {
        let start = page * COLUMNS * ROWS;
        let shown = items.iter().skip(start).take(COLUMNS * ROWS);
        canvas.page(|sheet| {
            let line = |y: f32, height: f32| Frame {
                x: MARGIN,
                y,
                width: A4.0 - 2.0 * MARGIN,
                height,
            };
            sheet.text(heading, line(MARGIN - 2.0 * MM, HEADING), 13.0, 1);
            for (place, item) in shown.enumerate() {
                cell(sheet, item, frame_of(place));
            }
            let foot = format!("{} / {pages} · {today}", page + 1);
            sheet.text(&foot, line(A4.1 - FOOT - 2.0 * MM, FOOT), 8.0, 1);
        });
    }
}

fn frame_of(place: usize) -> Frame {
    let (column, row) = (place % COLUMNS, place / COLUMNS);
    let width = (A4.0 - 2.0 * MARGIN - GAP * (COLUMNS - 1) as f32) / COLUMNS as f32;
    let height = (A4.1 - 2.0 * MARGIN - HEADING - GAP * (ROWS - 1) as f32) / ROWS as f32;
    Frame {
        x: MARGIN + (width + GAP) * column as f32,
        y: MARGIN + HEADING + (height + GAP) * row as f32,
        width,
        height,
    }
}

fn cell(sheet: &mut PrintedPage<'_, '_>, item: &PrintedItem, frame: Frame) {
    let picture = Frame {
        height: frame.height - CAPTION,
        ..frame
    };
    let is_drawn = item
        .picture
        .as_ref()
        .is_some_and(|bytes| sheet.picture(bytes, picture));
    if !is_drawn {
        sheet.fill(picture, 0.93);
    }
    let caption = Frame {
        y: frame.y + picture.height + 1.0 * MM,
        height: CAPTION - 1.0 * MM,
        ..frame
    };
    let taken = sheet.text(&item.title, caption, 9.0, 2);
    let facts = match &item.date {
        Some(date) => format!("{} · {date}", item.identifier),
        None => item.identifier.clone(),
    };
    let below = Frame {
        y: caption.y + taken,
        ..caption
    };
    sheet.text(&facts, below, 7.5, 1);
}
