//! What a note says of a blob that is not settled.

use std::fmt;

/// Stands between the name of a blob and the id of its upload, and in no name.
const SEPARATOR: char = '\u{1f}';

/// A blob that is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotedBlob {
    pub(crate) blob: String,
    /// Id of its upload in parts, as the bucket names it.
    pub(crate) upload: Option<String>,
}

impl NotedBlob {
    /// A blob that is not put in parts.
    pub(crate) fn of(blob: String) -> NotedBlob {
        NotedBlob { blob, upload: None }
    }

    /// Reads a note.
    pub(crate) fn parse(note: &str) -> NotedBlob {
        match note.split_once(SEPARATOR) {
            Some((blob, upload)) => NotedBlob {
                blob: blob.to_owned(),
                upload: Some(upload.to_owned()),
            },
            None => NotedBlob::of(note.to_owned()),
        }
    }
}

impl fmt::Display for NotedBlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.upload {
            Some(upload) => write!(f, "{}{SEPARATOR}{upload}", self.blob),
            None => f.write_str(&self.blob),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NotedBlob;

    #[test]
    fn a_note_is_read_as_it_was_written() {
        for upload in [None, Some("2~a/b c".to_owned())] {
            let noted = NotedBlob {
                blob: "bucket/public/a b.png".into(),
                upload,
            };
            assert_eq!(NotedBlob::parse(&noted.to_string()), noted);
        }
    }
}
