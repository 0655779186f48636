//! Office documents: zipped XML (ECMA-376; OASIS OpenDocument 1.3). Unpacked piece by piece, never as a whole.

use std::io::{BufRead, BufReader, Read, Seek};

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use super::super::bounded::Bounded;
use super::super::refused::DeriveError;
use super::super::source::Source;

/// Of one part, unpacked: a long novel has a hundredth of it.
const PART: u64 = 256 << 20;
/// Parts that are read: sheets, slides.
const PARTS: usize = 1000;

/// How the XML of a family of documents keeps its text.
struct Dialect {
    /// Elements whose characters are text.
    text: &'static [&'static str],
    /// Elements that end a line.
    line: &'static [&'static str],
    /// Elements that stand for a tab, at their end.
    tab: &'static [&'static str],
}

const WORD: Dialect = Dialect {
    text: &["t", "delText"],
    line: &["p", "br", "cr"],
    tab: &["tab"],
};
const SLIDES: Dialect = Dialect {
    text: &["t"],
    line: &["p", "br"],
    tab: &["tc"],
};
const SHEETS: Dialect = Dialect {
    text: &["t", "v"],
    line: &["row"],
    tab: &["c"],
};
const STRINGS: Dialect = Dialect {
    text: &["t"],
    line: &["si"],
    tab: &[],
};
const OPEN_DOCUMENT: Dialect = Dialect {
    text: &["p", "h"],
    line: &["p", "h", "line-break", "table-row"],
    tab: &["tab", "table-cell"],
};

const WORD_MIME: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET_MIME: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SLIDES_MIME: &str =
    "application/vnd.openxmlformats-officedocument.presentationml.presentation";

/// Whether documents of this type can be read.
pub(in super::super) fn knows(mime: &str) -> bool {
    [WORD_MIME, SHEET_MIME, SLIDES_MIME].contains(&mime)
        || mime.starts_with("application/vnd.oasis.opendocument.")
}

/// Adds the text of a document.
///
/// # Errors
/// It is damaged.
pub(in super::super) fn text(
    source: &mut Source,
    mime: &str,
    out: &mut Bounded,
) -> Result<(), DeriveError> {
    let mut archive = ZipArchive::new(source.rewound()?).map_err(refused)?;
    match mime {
        WORD_MIME => {
            for part in [
                "word/document.xml",
                "word/footnotes.xml",
                "word/endnotes.xml",
            ] {
                add_part(&mut archive, part, &WORD, out, &[])?;
            }
        }
        SLIDES_MIME => {
            for number in 1..=PARTS {
                let part = format!("ppt/slides/slide{number}.xml");
                if !add_part(&mut archive, &part, &SLIDES, out, &[])? {
                    break;
                }
            }
        }
        SHEET_MIME => {
            let mut strings = Bounded::default();
            add_part(
                &mut archive,
                "xl/sharedStrings.xml",
                &STRINGS,
                &mut strings,
                &[],
            )?;
            let strings = strings.finish();
            let strings: Vec<&str> = strings.lines().collect();
            for number in 1..=PARTS {
                let part = format!("xl/worksheets/sheet{number}.xml");
                if !add_part(&mut archive, &part, &SHEETS, out, &strings)? {
                    break;
                }
            }
        }
        _ => {
            add_part(&mut archive, "content.xml", &OPEN_DOCUMENT, out, &[])?;
        }
    }
    Ok(())
}

/// Adds the text of a part of the archive, if it is there. `strings` are what cells of a sheet name by number.
fn add_part<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    name: &str,
    dialect: &Dialect,
    out: &mut Bounded,
    strings: &[&str],
) -> Result<bool, DeriveError> {
    let part = match archive.by_name(name) {
        Ok(part) => part,
        Err(ZipError::FileNotFound) => return Ok(false),
        Err(error) => return Err(refused(error)),
    };
    if part.size() > PART {
        return Err(DeriveError::unreadable(format!(
            "The document unpacks to more than {} MB.",
            PART >> 20
        )));
    }
    add(BufReader::new(part.take(PART)), dialect, out, strings)?;
    Ok(true)
}

fn add(
    part: impl BufRead,
    dialect: &Dialect,
    out: &mut Bounded,
    strings: &[&str],
) -> Result<(), DeriveError> {
    let mut reader = Reader::from_reader(part);
    let mut buffer = Vec::new();
    // How many elements with text the reader is in, and whether the cell names a shared string.
    let (mut depth, mut shared) = (0_u32, false);
    while !out.is_full() {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(damaged)? {
            Event::Start(tag) => {
                let name = tag.local_name();
                depth += u32::from(dialect.text.contains(&name.as_ref()));
                if name.as_ref() == "c" {
                    let kind = tag.try_get_attribute("t").map_err(damaged)?;
                    shared = kind.is_some_and(|kind| kind.value.as_ref() == "s");
                }
            }
            Event::End(tag) => {
                let name = tag.local_name();
                depth = depth.saturating_sub(u32::from(dialect.text.contains(&name.as_ref())));
                end(name.as_ref(), dialect, out);
            }
            Event::Empty(tag) => match tag.local_name().as_ref() {
                "s" if depth > 0 => out.push(" "),
                name => end(name, dialect, out),
            },
            Event::Text(text) if depth > 0 => match shared.then(|| text.trim().parse::<usize>()) {
                Some(Ok(number)) => out.push(strings.get(number).unwrap_or(&"")),
                _ => out.push(&text),
            },
            Event::CData(text) if depth > 0 => out.push(&text),
            Event::GeneralRef(reference) if depth > 0 => {
                let whole = format!("&{};", &*reference);
                out.push(&unescape(&whole).unwrap_or_default());
            }
            Event::Eof => break,
            _ => {}
        }
    }
    out.end_line();
    Ok(())
}

fn end(name: &str, dialect: &Dialect, out: &mut Bounded) {
    if dialect.line.contains(&name) {
        out.end_line();
    } else if dialect.tab.contains(&name) {
        out.push("\t");
    }
}

fn damaged(error: impl std::fmt::Display) -> DeriveError {
    DeriveError::damaged("document", error)
}

fn refused(error: ZipError) -> DeriveError {
    match error {
        ZipError::Io(error) => DeriveError::not_read("document", &error),
        error => damaged(error),
    }
}
