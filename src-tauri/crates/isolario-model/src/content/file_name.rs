//! Names of files: the titles that people read in them, and those that are passed over.

/// Ends of the names of files that programs have not finished.
const UNFINISHED: [&str; 11] = [
    "part",
    "partial",
    "crdownload",
    "download",
    "tmp",
    "temp",
    "filepart",
    "swp",
    "swx",
    "lock",
    "!ut",
];
/// Files that operating systems leave in folders.
const OF_THE_SYSTEM: [&str; 3] = ["thumbs.db", "desktop.ini", "__macosx"];

/// The name without its extension.
pub fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The title that an item gets from its file's name: no extension, no underscores, no control characters, no doubled
/// spaces.
pub fn title(name: &str) -> String {
    let is_gap = |letter: char| letter == '_' || letter.is_whitespace() || letter.is_control();
    let words = stem(name).split(is_gap).filter(|word| !word.is_empty());
    let title = words.collect::<Vec<_>>().join(" ");
    let title = if title.is_empty() {
        safe_letters(name)
    } else {
        title
    };
    title.chars().take(255).collect()
}

/// The name without the letters that some system does not allow in one.
pub fn safe_letters(name: &str) -> String {
    let reserved = |letter: char| letter.is_control() || r#"\/:*?"<>|"#.contains(letter);
    let letters = name.chars();
    letters
        .map(|letter| if reserved(letter) { '_' } else { letter })
        .collect()
}

/// The lower-case extension; empty where there is none.
pub fn extension(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => String::new(),
    }
}

/// A file name that every system can hold, for the last part of a file's address.
pub fn safe(name: &str) -> String {
    let cleaned = safe_letters(name);
    let cleaned = cleaned.trim_matches(|letter: char| letter == '.' || letter.is_whitespace());
    match cleaned {
        "" => "file".into(),
        cleaned => cleaned.into(),
    }
}

/// Whether a name is that of an unfinished file, or of one that no person made.
pub fn is_passed_over(name: &str) -> bool {
    let lower = name.to_lowercase();
    let extension = lower
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension);
    name.starts_with('.')
        || name.starts_with("~$")
        || name.ends_with('~')
        || UNFINISHED.contains(&extension)
        || OF_THE_SYSTEM.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_no_system_refuses() {
        assert_eq!(safe("a:b?.jpg"), "a_b_.jpg");
        assert_eq!(safe("..."), "file");
    }

    #[test]
    fn what_is_not_whole_is_passed_over() {
        for name in [
            ".DS_Store",
            "~$letter.docx",
            "a.tif.part",
            "a.crdownload",
            "A.TMP",
            "Thumbs.db",
            "a.txt~",
        ] {
            assert!(is_passed_over(name), "{name}");
        }
        for name in ["a.tif", "part.jpg", "temp", "a.b.pdf"] {
            assert!(!is_passed_over(name), "{name}");
        }
    }
}
