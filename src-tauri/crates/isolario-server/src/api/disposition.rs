//! `Content-Disposition`: the name of a file that is sent or received, and whether a browser may
//! show it (RFC 6266, RFC 8187).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use isolario_model::content::MimeType;

/// What need not be encoded in an extended parameter (RFC 8187, `attr-char`).
const EXTENDED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// Whether a browser can show the bytes without running anything of theirs.
pub fn is_harmless(mime: &MimeType) -> bool {
    let essence = mime.essence();
    let (kind, name) = essence.split_once('/').unwrap_or_default();
    match kind {
        "image" => !name.starts_with("svg"),
        "audio" | "video" => true,
        _ => essence == "application/pdf" || essence == "text/plain",
    }
}

/// The header for a file that is sent.
pub fn write(inline: bool, filename: &str) -> String {
    let kind = if inline { "inline" } else { "attachment" };
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"\"\\%".contains(&byte);
    if filename.bytes().all(is_plain) {
        return format!("{kind}; filename=\"{filename}\"");
    }
    let plain: String = filename
        .chars()
        .map(|c| match c {
            '"' | '\\' | '%' => '_',
            ' '..='~' => c,
            _ => '_',
        })
        .collect();
    let extended = utf8_percent_encode(filename, EXTENDED);
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{extended}")
}

/// The file name in a header that was received; the extended form wins.
pub fn filename(header: &str) -> Option<String> {
    let parameters = parameters(header);
    let named = |wanted: &str| {
        let found = parameters
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.clone())
    };
    named("filename*")
        .and_then(|value| decode_extended(&value))
        .or_else(|| named("filename"))
        .filter(|name| !name.is_empty())
}

fn decode_extended(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_language, encoded) = rest.split_once('\'')?;
    if !charset.eq_ignore_ascii_case("utf-8") {
        return None;
    }
    let decoded = percent_decode_str(encoded).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

/// Parameters after the disposition type, quotes undone.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    let mut rest = header.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim_matches([' ', '\t', ';']).to_owned();
        let (value, remaining) = value(after.trim_start());
        parameters.push((name, value));
        rest = remaining;
    }
    parameters
}

/// A token or quoted string, and what follows it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        return (text[..end].trim_end().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_cannot_run_is_shown() {
        let shown = |text: &str| is_harmless(&MimeType::from(text.to_owned()));
        for mime in [
            "image/png",
            "IMAGE/JPEG",
            "audio/mpeg",
            "video/mp4",
            "application/pdf",
            "text/plain; charset=utf-8",
        ] {
            assert!(shown(mime), "{mime}");
        }
        for mime in [
            "text/html",
            "image/svg+xml",
            "Image/SVG",
            "text/xml",
            "application/xhtml+xml",
            "",
            "x",
            "text/css",
        ] {
            assert!(!shown(mime), "{mime}");
        }
    }

    #[test]
    fn plain_names_need_one_form() {
        assert_eq!(write(true, "a b.png"), "inline; filename=\"a b.png\"");
        assert_eq!(
            write(false, "é\"1.png"),
            "attachment; filename=\"__1.png\"; filename*=UTF-8''%C3%A9%221.png"
        );
    }

    #[test]
    fn names_are_read_in_every_form() {
        for (header, name) in [
            ("file; filename=\"pic.png\"", Some("pic.png")),
            ("attachment;filename=pic.png", Some("pic.png")),
            (
                "file; filename=\"x.jpg\"; filename*=utf-8''%C3%A9.jpg",
                Some("é.jpg"),
            ),
            (
                "file; filename*=UTF-16''x.jpg; filename=\"y.jpg\"",
                Some("y.jpg"),
            ),
            (
                "file; FILENAME=\"a;b \\\"c\\\".png\"",
                Some("a;b \"c\".png"),
            ),
            ("file; filename=\"\"", None),
            ("file", None),
            ("", None),
        ] {
            assert_eq!(filename(header).as_deref(), name, "{header}");
        }
    }

    proptest! {
        #[test]
        fn a_written_name_is_read_again(name in "\\PC{1,40}") {
            let header = write(false, &name);
            prop_assert!(header.is_ascii());
            prop_assert_eq!(filename(&header), Some(name));
        }

        #[test]
        fn any_header_can_be_read(header in "\\PC{0,60}|[a-z;=\"\\\\*' ]{0,40}") {
            filename(&header);
        }
    }
}
