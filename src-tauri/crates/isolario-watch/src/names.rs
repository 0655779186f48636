//! Names of files: which ones are ignored, and their natural order.

use std::fmt::Write;

pub use isolario_model::content::file_name::{extension, is_passed_over, stem, title};
use isolario_model::watch_rule::{Rule, Sidecar};

/// The folder for files that were ingested.
pub const DONE: &str = "done";
/// The folder for files that could not be ingested.
pub const FAILED: &str = "failed";
/// The table that describes the files of its folder.
pub const TABLE: &str = "metadata.csv";

/// Whether a file is a sidecar, by a rule.
pub fn is_sidecar(rule: &Rule, name: &str) -> bool {
    let lower = name.to_lowercase();
    rule.sidecar != Sidecar::None
        && (lower == TABLE || lower.ends_with(".json") || lower.ends_with(".xmp"))
}

/// The folder part and the last part of a path with `/`.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// A sort key for the natural order of names: numbers by their value, letters regardless of case.
pub fn place_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 8);
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let end = rest
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(rest.len());
            let digits = rest[..end].trim_start_matches('0');
            // The longer number is the greater one. Writing to a string cannot fail.
            let _ = write!(key, "0{:04}{digits}", digits.len());
            rest = &rest[end..];
        } else {
            key.extend(first.to_lowercase());
            rest = &rest[first.len_utf8()..];
        }
    }
    // Names that differ in case or zeros only still have an order of their own.
    key.push('\0');
    key.push_str(name);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_one_another_as_people_count() {
        let mut names = [
            "p10.tif", "P2.tif", "p1.tif", "p002.tif", "p1a.tif", "q1.tif", "p.tif",
        ];
        names.sort_by_key(|name| place_key(name));
        assert_eq!(
            names,
            [
                "p.tif", "p1.tif", "p1a.tif", "P2.tif", "p002.tif", "p10.tif", "q1.tif"
            ]
        );
    }

    #[test]
    fn titles_are_for_people() {
        assert_eq!(title("Map_of__Venice 1500.tif"), "Map of Venice 1500");
        assert_eq!(title(".tif"), ".tif");
        assert_eq!(title("a\u{1}b\n\u{9b}c.tif"), "a b c");
        assert_eq!(title("\u{1}.tif"), "_.tif");
    }
}
