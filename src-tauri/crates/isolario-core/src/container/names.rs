//! Names of files and folders in a bag: every system can write them, and none needs an escape in a manifest.

use isolario_blobs::name::check_path;

/// Letters of a folder's name after its number.
const LONGEST_WORDS: usize = 40;
/// Bytes of a file's name after its number.
const LONGEST_NAME: usize = 150;

/// The name of a folder: a number, which makes it unique, and what people recognise it by.
pub(crate) fn folder(id: i64, label: &str) -> String {
    let mut words = String::new();
    for letter in label.chars() {
        if words.len() >= LONGEST_WORDS {
            break;
        }
        match letter {
            _ if letter.is_ascii_alphanumeric() => words.push(letter.to_ascii_lowercase()),
            _ if !words.is_empty() && !words.ends_with('-') => words.push('-'),
            _ => {}
        }
    }
    match words.trim_end_matches('-') {
        "" => id.to_string(),
        words => format!("{id}-{words}"),
    }
}

/// The name of a file: a number, which makes it unique, and its own name.
pub(crate) fn file(id: i64, name: &str) -> String {
    let portable: String = name.chars().map(portable).collect();
    let (stem, extension) = match portable.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 16 => {
            (stem, format!(".{extension}"))
        }
        _ => (portable.as_str(), String::new()),
    };
    let stem = &stem[..stem.floor_char_boundary(LONGEST_NAME)];
    let name = format!("{id}-{stem}{extension}");
    name.trim_end_matches(['.', ' ']).to_owned()
}

/// A letter that needs no escape anywhere. File systems normalise others, and manifests escape `%`.
fn portable(letter: char) -> char {
    match letter {
        ' ' | '-' | '.' | '_' | '(' | ')' | ',' | '+' | '=' | '@' => letter,
        _ if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    }
}

/// Whether a path can be written by every system.
pub(crate) fn is_portable(path: &str) -> bool {
    check_path(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_portable_and_tell_what_they_name() {
        assert_eq!(
            folder(12, "Map of the Quay: 1571"),
            "12-map-of-the-quay-1571"
        );
        assert_eq!(folder(13, "地図"), "13");
        assert_eq!(file(4, "../CON.tif"), "4-.._CON.tif");
        assert_eq!(file(5, "50%\r\nrabatt. "), "5-50___rabatt");
        assert_eq!(file(6, "Länder.tar.gz"), "6-L_nder.tar.gz");
        let long = file(7, &format!("{}.jpeg", "x".repeat(400)));
        assert!(long.ends_with(".jpeg") && long.len() < 200);
        for name in [folder(1, "con"), file(2, "a:b*c?.TIF."), long] {
            assert!(is_portable(&name), "{name}");
        }
    }
}
