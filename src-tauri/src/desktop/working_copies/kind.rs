//! Which files are handed to other programs: those that are looked at or written in, never those that run.

use crate::desktop::words::{Refusals, fill};

/// Whole families, by the part before the slash.
const FAMILIES: [&str; 4] = ["image", "audio", "video", "font"];

/// Beginnings of the names of office formats; those with macros end in `macroEnabled` and are left out.
const OFFICE: [&str; 3] = [
    "application/vnd.oasis.opendocument.",
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.sun.xml.",
];

/// Documents, data and archives.
const SINGLE: [&str; 30] = [
    "application/csv",
    "application/epub+zip",
    "application/geo+json",
    "application/gpx+xml",
    "application/gzip",
    "application/json",
    "application/ld+json",
    "application/mods+xml",
    "application/msword",
    "application/pdf",
    "application/rtf",
    "application/tei+xml",
    "application/vnd.google-earth.kml+xml",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/x-7z-compressed",
    "application/x-tar",
    "application/xml",
    "application/zip",
    "text/calendar",
    "text/csv",
    "text/html",
    "text/markdown",
    "text/plain",
    "text/rtf",
    "text/tab-separated-values",
    "text/vcard",
    "text/vtt",
    "text/x-markdown",
    "text/xml",
];

/// How what runs begins: ELF, DOS and Windows programs, scripts, and starters of the desktop.
const RUNS: [&[u8]; 4] = [b"\x7fELF", b"MZ", b"#!", b"[Desktop Entry]"];

/// Refuses what is no document by its declared type or by what its name says.
pub fn refuse_what_runs(mime: &str, name: &str, words: &Refusals) -> Result<(), String> {
    let by_name = mime_guess::from_path(name);
    let named = by_name.iter().all(|guess| is_document(guess.essence_str()));
    if is_document(mime) && named {
        return Ok(());
    }
    Err(fill(&words.runs, &[("name", name), ("mime", mime)]))
}

/// Refuses what begins like a program. `first` are the first bytes of the file, 16 of them if there are as many.
pub fn refuse_program(first: &[u8], name: &str, words: &Refusals) -> Result<(), String> {
    match RUNS.iter().any(|start| first.starts_with(start)) {
        true => Err(fill(&words.is_program, &[("name", name)])),
        false => Ok(()),
    }
}

fn is_document(mime: &str) -> bool {
    let essence = mime.split(';').next().unwrap_or(mime).trim();
    let essence = essence.to_ascii_lowercase();
    let family = essence.split('/').next().unwrap_or_default();
    FAMILIES.contains(&family)
        || SINGLE.contains(&essence.as_str())
        || OFFICE.iter().any(|start| essence.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{refuse_program, refuse_what_runs};
    use crate::desktop::words::Words;

    #[test]
    fn hands_over_what_is_looked_at_or_written_in() {
        let words = Words::english().refusals;
        for (mime, name) in [
            ("image/tiff", "map.tif"),
            ("IMAGE/PNG", "map.png"),
            ("text/plain; charset=utf-8", "notes.txt"),
            ("application/vnd.oasis.opendocument.text", "letter.odt"),
            ("application/pdf", "no extension"),
        ] {
            assert_eq!(refuse_what_runs(mime, name, &words), Ok(()), "{name}");
        }
    }

    #[test]
    fn refuses_what_runs_by_type_and_by_name() {
        let words = Words::english().refusals;
        for (mime, name) in [
            ("application/x-desktop", "map.png"),
            ("application/x-shellscript", "map"),
            ("application/java-archive", "map.jar"),
            ("application/octet-stream", "map"),
            ("image/png", "map.exe"),
            ("image/png", "map.sh"),
            ("text/javascript", "map.js"),
            ("application/vnd.ms-excel.sheet.macroEnabled.12", "a.xlsm"),
        ] {
            assert!(
                refuse_what_runs(mime, name, &words).is_err(),
                "{mime} {name}"
            );
        }
    }

    #[test]
    fn refuses_programs_that_are_called_pictures() {
        let words = Words::english().refusals;
        assert!(refuse_program(b"#!/bin/sh\n", "map.png", &words).is_err());
        assert!(refuse_program(b"\x7fELF\x02\x01\x01", "map.png", &words).is_err());
        assert!(refuse_program(b"[Desktop Entry]\n", "map.png", &words).is_err());
        assert_eq!(refuse_program(b"\x89PNG\r\n", "map.png", &words), Ok(()));
        assert_eq!(refuse_program(b"", "empty.png", &words), Ok(()));
    }
}
