//! What a file says, as UTF-8.

mod encoding;
mod html;
mod office;

use std::io::Write;

use serde_json::Map;

use super::bounded::Bounded;
use super::refused::DeriveError;
use super::signature::{Signature, identify};
use super::source::Source;
use super::{Derivative, pdf, recognition};

/// Longest plain text or page that is read, bytes.
const LARGEST: u64 = 128 << 20;

/// The text of a file.
///
/// # Errors
/// There is none in it, or it cannot be read.
pub(super) fn extract(
    source: &mut Source,
    target: &mut dyn Write,
) -> Result<Derivative, DeriveError> {
    let mut out = Bounded::default();
    let found = identify(source)?;
    match found.map_or("", Signature::mime) {
        "application/pdf" => pdf::text(source, &mut out)?,
        "application/zip" => return Err(no_text(source)),
        mime if office::knows(mime) => office::text(source, mime, &mut out)?,
        mime if mime.starts_with("image/") => out.push(&recognition::text(source)?),
        "text/html" | "application/xhtml+xml" => html::text(&decoded(source)?, &mut out),
        "" | "text/plain" | "application/xml" | "application/json" => {
            let text = decoded(source)?;
            match source.mime().starts_with("text/html") {
                true => html::text(&text, &mut out),
                false => out.push(&text),
            }
        }
        _ if found.is_some_and(Signature::is_text) => out.push(&decoded(source)?),
        _ => return Err(no_text(source)),
    }
    let text = out.finish();
    if text.is_empty() {
        return Err(DeriveError::unreadable("There is no text in the file."));
    }
    target
        .write_all(text.as_bytes())
        .map_err(DeriveError::not_written)?;
    Ok(Derivative {
        mime: "text/plain",
        extension: "txt",
        facts: Map::new(),
    })
}

fn no_text(source: &Source) -> DeriveError {
    DeriveError::unreadable(format!(
        "The file came as {}, but it is of no format whose text can be read here.",
        source.mime()
    ))
}

/// The characters of a file that is nothing but text.
fn decoded(source: &mut Source) -> Result<String, DeriveError> {
    let bytes = source.whole(LARGEST)?;
    encoding::decode(bytes).ok_or_else(|| no_text(source))
}
