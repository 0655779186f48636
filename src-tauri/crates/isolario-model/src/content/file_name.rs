//! Names of files, and the titles that people read in them.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_no_system_refuses() {
        assert_eq!(safe("a:b?.jpg"), "a_b_.jpg");
        assert_eq!(safe("..."), "file");
    }
}
