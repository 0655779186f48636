//! Reads files with terms.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;

use bytes::Bytes;
use futures_util::Stream;

use super::super::begin::FOLDER;
use super::super::problem::unreadable;
use super::super::receive::receive_file;
use super::super::source::{SourceFormat, read_rows};
use super::from_graph::{terms_of_json_ld, terms_of_turtle};
use super::from_rows::terms_of_rows;
use super::source_term::SourceTerms;
use crate::actions::Refusal;
use crate::repository::Repository;
use isolario_disk::regular_file;

/// Bytes of a file.
const MOST_BYTES: u64 = 64 << 20;
/// Objects and lists within one another.
const DEEPEST: usize = 100;

/// The terms of a file, before they are compared with a vocabulary.
pub struct TermFile(pub(super) SourceTerms);

/// The format of a file with terms.
#[derive(Clone, Copy)]
enum TermFormat {
    Table(SourceFormat),
    Turtle,
    JsonLd,
}

impl TermFormat {
    fn of_name(name: &str) -> Result<TermFormat, Refusal> {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        match extension.map(str::to_lowercase).as_deref() {
            Some("ttl" | "turtle" | "nt") => Ok(TermFormat::Turtle),
            Some("jsonld" | "json") => Ok(TermFormat::JsonLd),
            _ => {
                let words = "The name of the file does not end in .csv, .tsv, .txt, .xlsx, .ods, .ttl, .nt, .jsonld or .json.";
                SourceFormat::of_name(name)
                    .map(TermFormat::Table)
                    .map_err(|_| unreadable(words))
            }
        }
    }
}

/// Reads terms of a file of this name from a stream.
///
/// # Errors
/// `Invalid` for what has no terms, `TooLarge`, `Malformed` where the stream breaks off; what the disk refuses.
pub async fn receive_terms<E: Display>(
    repository: &Repository,
    name: &str,
    chunks: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> Result<TermFile, Refusal> {
    let format = TermFormat::of_name(name)?;
    let folder = repository.directory.join(FOLDER);
    let staged = receive_file(repository, Some(MOST_BYTES), chunks).await?;
    std::fs::create_dir_all(&folder).map_err(|error| Refusal::disk(&error))?;
    let read = tokio::task::spawn_blocking(move || {
        let opened = staged.reader().map_err(|error| Refusal::disk(&error))?;
        read_format(opened.into_inner(), format, &folder)
    });
    read.await
        .map_err(|error| Refusal::Storage(error.to_string()))?
}

/// Reads the terms of a file.
///
/// # Errors
/// `Invalid` for what has no terms, `TooLarge`; what the disk refuses.
pub async fn read_term_file(repository: &Repository, file: &Path) -> Result<TermFile, Refusal> {
    let format = TermFormat::of_name(&file.to_string_lossy())?;
    let (file, folder) = (file.to_owned(), repository.directory.join(FOLDER));
    let read = tokio::task::spawn_blocking(move || {
        let opened = regular_file::open(&file).map_err(|error| {
            Refusal::Missing(format!("{} cannot be read: {error}.", file.display()))
        })?;
        read_format(opened, format, &folder)
    });
    read.await
        .map_err(|error| Refusal::Storage(error.to_string()))?
}

fn read_format(mut file: File, format: TermFormat, folder: &Path) -> Result<TermFile, Refusal> {
    let unread = |error: io::Error| Refusal::Storage(format!("It cannot be read: {error}."));
    if file.metadata().map_err(unread)?.len() > MOST_BYTES {
        return Err(Refusal::TooLarge(format!(
            "The file may not be larger than {MOST_BYTES} bytes."
        )));
    }
    let terms = match format {
        TermFormat::Table(format) => terms_of_rows(&read_rows(file, format, folder)?)?,
        TermFormat::Turtle => terms_of_turtle(file)?,
        TermFormat::JsonLd => {
            refuse_deep(&mut file).map_err(unread)??;
            terms_of_json_ld(file)?
        }
    };
    Ok(TermFile(terms))
}

/// Reading JSON-LD recurses, so what is deeply nested would use up the stack.
fn refuse_deep(file: &mut File) -> io::Result<Result<(), Refusal>> {
    let mut input = BufReader::new(&*file);
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    let (mut is_text, mut is_escaped) = (false, false);
    loop {
        let bytes = input.fill_buf()?;
        for byte in bytes {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_text => is_escaped = true,
                b'"' => is_text = !is_text,
                b'{' | b'[' if !is_text => depth += 1,
                b'}' | b']' if !is_text => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        let read = bytes.len();
        input.consume(read);
        if read == 0 || deepest > DEEPEST {
            break;
        }
    }
    file.rewind()?;
    Ok(match deepest > DEEPEST {
        true => Err(unreadable(format!(
            "The file has more than {DEEPEST} objects within one another."
        ))),
        false => Ok(()),
    })
}
