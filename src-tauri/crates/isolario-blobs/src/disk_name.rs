//! Names of files on disk that every system can hold, so that a data directory can move between systems.
//!
//! Windows has no names with `: * ? " < > |`, with a dot or a space at the end, or of a device (Microsoft, "Naming
//! Files, Paths, and Namespaces"). Windows and macOS take names that differ only in case, and macOS those that differ
//! only in their Unicode normal form, for one name.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::name::{self, LONGEST_PATH, LONGEST_SEGMENT};

/// The path on disk of a path of an address, in lower case and in normal form C. Paths that a system takes for one give
/// one here, so whoever makes a file under it learns that the name is in use, on every system.
pub(super) fn folded_path(path: &str) -> String {
    let normal = const { ComposingNormalizerBorrowed::new_nfc() };
    // By way of upper case: `ς` and `σ`, or `ſ` and `s`, have one of these.
    let folded = path.to_uppercase().to_lowercase();
    portable_path(&normal.normalize(&folded))
}

/// A path each of whose names every system can hold. Of a path that is too long, the last name remains.
pub(super) fn portable_path(path: &str) -> String {
    let names: Vec<String> = path.split('/').map(portable_name).collect();
    let portable = names.join("/");
    match portable.len() > LONGEST_PATH {
        true => name::basename(&portable).to_owned(),
        false => portable,
    }
}

/// A name that every system can hold: what one cannot hold is percent-encoded. The encoding is for readers only: nobody
/// decodes it, as the database has the name on disk and the address.
pub fn portable_name(name: &str) -> String {
    let mut portable = String::with_capacity(name.len());
    let is_device = is_device(name);
    for (at, character) in name.char_indices() {
        let is_last = at + character.len_utf8() == name.len();
        let is_reserved = match character {
            ':' | '*' | '?' | '"' | '<' | '>' | '|' => true,
            '.' | ' ' => is_last,
            _ => is_device && at == 0,
        };
        match is_reserved {
            // In lower case, as folded names are.
            true => portable.push_str(&format!("%{:02x}", u32::from(character))),
            false => portable.push(character),
        }
    }
    match portable.len() > LONGEST_SEGMENT {
        true => cut(&portable),
        false => portable,
    }
}

/// As much of a name as fits.
fn cut(name: &str) -> String {
    let shorter = name::marked(name, "");
    let fitting = &shorter[..shorter.floor_char_boundary(LONGEST_SEGMENT)];
    fitting.trim_end_matches([' ', '.']).to_owned()
}

/// Whether Windows reserves a name for a device, whatever follows the first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let stem = stem.to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|number| {
            let mut characters = number.chars();
            let digit = characters.next();
            characters.next().is_none()
                && digit.is_some_and(|digit| "0123456789¹²³".contains(digit))
        })
    };
    matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) || numbered("COM")
        || numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_every_system_holds_stay() {
        for name in [
            "a.png",
            "with space é.png",
            "with%20pct.png",
            ".hidden",
            "console.txt",
            "Ω—.tif",
        ] {
            assert_eq!(portable_name(name), name);
        }
    }

    #[test]
    fn what_a_system_cannot_hold_is_encoded() {
        for (name, on_disk) in [
            ("a:b?c*.png", "a%3ab%3fc%2a.png"),
            ("<\"|>", "%3c%22%7c%3e"),
            ("tail.", "tail%2e"),
            ("tail ", "tail%20"),
            ("...", "..%2e"),
            ("CON", "%43ON"),
            ("nul.tar.gz", "%6eul.tar.gz"),
            ("aux .png", "%61ux .png"),
            ("COM¹.txt", "%43OM¹.txt"),
        ] {
            assert_eq!(portable_name(name), on_disk);
        }
    }

    #[test]
    fn twins_have_one_path() {
        for (one, other) in [
            ("Up/A.TXT", "up/a.txt"),
            ("e\u{301}.png", "É.png"),
            ("ΟΔΟΣ", "οδος"),
            ("Up:/x", "up%3A/X"),
        ] {
            assert_eq!(folded_path(one), folded_path(other));
        }
        assert_ne!(folded_path("a.txt"), folded_path("ä.txt"));
    }

    proptest! {
        #[test]
        fn a_path_on_disk_is_held_by_every_system(path in "\\PC{1,300}|([a-zA-Zé:?. |]{1,80}/){0,5}[A-Z:*. ]{1,255}") {
            prop_assume!(name::check_path(&path).is_ok());
            for path in [folded_path(&path), portable_path(&path)] {
                prop_assert!(name::check_path(&path).is_ok(), "{path}");
                for name in path.split('/') {
                    prop_assert!(!name.contains([':', '*', '?', '"', '<', '>', '|']));
                    prop_assert!(!name.ends_with([' ', '.']));
                    prop_assert!(!is_device(name));
                }
                prop_assert_eq!(portable_path(&path), path);
            }
        }
    }
}
