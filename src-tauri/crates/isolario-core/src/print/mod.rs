//! Items on paper, as PDF: a contact sheet with their pictures, and labels for their boxes and folders.

mod canvas;
mod contact_sheet;
mod fonts;
mod labels;

use bytes::Bytes;

use canvas::Canvas;

/// What is printed of an item.
#[derive(Debug, Clone, Default)]
pub struct PrintedItem {
    pub title: String,
    /// As it is written in the description.
    pub date: Option<String>,
    /// The title of the collection that it is in.
    pub collection: Option<String>,
    /// What it is called on shelves, where its description says so, else its number.
    pub identifier: String,
    /// Of its page; it stands on a label as a QR code.
    pub address: String,
    /// Its picture as JPEG.
    pub picture: Option<Bytes>,
}

/// How items are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Three by four pictures on a page of A4.
    ContactSheet,
    /// Three by eight labels of 70 by 37 mm on a page of A4.
    Labels,
}

/// Why nothing can be printed.
#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be made: {0}")]
pub struct PrintError(String);

/// Prints items; `heading` says what they are, and `font` is a TrueType font.
///
/// # Errors
/// For a font that cannot be read, or what the PDF cannot hold.
pub fn print(
    layout: Layout,
    heading: &str,
    items: &[PrintedItem],
    font: Vec<u8>,
) -> Result<Vec<u8>, PrintError> {
    let mut canvas = Canvas::new(heading, font)?;
    match layout {
        Layout::ContactSheet => contact_sheet::draw(&mut canvas, heading, items),
        Layout::Labels => labels::draw(&mut canvas, items),
    }
    canvas.finish()
}
