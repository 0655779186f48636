//! Text in pictures, by tesseract.

use std::fs::File;
use std::io::{Seek, Write};
use std::process::Stdio;

use super::picture;
use super::program::Program;
use super::refused::DeriveError;
use super::source::Source;

/// Of the text of a page.
const TEXT: u64 = 4 << 20;

/// What is written in a picture.
///
/// # Errors
/// tesseract is not there, or the picture cannot be read.
pub(super) fn text(source: &mut Source) -> Result<String, DeriveError> {
    let tesseract = Program::find("tesseract", "the text of pictures")?.with(&["stdin", "stdout"]);
    let mut page = Vec::new();
    picture::service_image::service_image(source, &mut page)?;
    let mut text = Vec::new();
    tesseract.run(Stdio::from(in_a_file(&page)?), TEXT, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A file without a name.
fn in_a_file(bytes: &[u8]) -> Result<File, DeriveError> {
    let failed = |error| DeriveError::Failed(format!("A page could not be handed on: {error}."));
    let mut file = isolario_platform::files::without_name().map_err(failed)?;
    file.write_all(bytes)
        .and_then(|()| file.rewind())
        .map_err(failed)?;
    Ok(file)
}
