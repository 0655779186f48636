//! Validates the names that clients give files, and makes unused names.

use std::borrow::Cow;

use isolario_model::content::FileUri;

/// Longest segment of a path, in bytes: what file systems allow.
pub const LONGEST_SEGMENT: usize = 255;
/// Longest path, in bytes.
pub const LONGEST_PATH: usize = 1024;

/// Why a name was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("\"{0}\" is not a file address of the form scheme://directory/name.")]
    NotAnAddress(String),
    #[error("The scheme \"{found}\" is not one of this repository's: {known}.")]
    UnknownScheme { found: String, known: String },
    #[error(
        "The path of a file address may not be empty, start or end with a slash, or have two in a row."
    )]
    EmptySegment,
    #[error("The path of a file address may not contain \"{0}\" as a segment.")]
    Relative(String),
    #[error("The path of a file address may not contain {0}.")]
    Character(&'static str),
    #[error("A segment of the path is longer than {LONGEST_SEGMENT} bytes.")]
    LongSegment,
    #[error("The path is longer than {LONGEST_PATH} bytes.")]
    LongPath,
}

/// Reads `scheme://path` and checks every rule. Unicode, spaces and percent signs stay as they are.
///
/// # Errors
/// The first rule the name breaks, as a sentence for the client.
pub fn parse(text: &str, schemes: &[&str]) -> Result<FileUri, NameError> {
    let uri = FileUri::parse(text).ok_or_else(|| NameError::NotAnAddress(printable(text)))?;
    if !schemes.contains(&uri.scheme.as_str()) {
        return Err(NameError::UnknownScheme {
            found: printable(&uri.scheme),
            known: schemes.join(", "),
        });
    }
    check_path(&uri.path)?;
    Ok(uri)
}

/// Checks a path below a scheme.
///
/// # Errors
/// The first rule the path breaks.
pub fn check_path(path: &str) -> Result<(), NameError> {
    if path.len() > LONGEST_PATH {
        return Err(NameError::LongPath);
    }
    path.split('/').try_for_each(check_segment)
}

fn check_segment(segment: &str) -> Result<(), NameError> {
    if segment.is_empty() {
        return Err(NameError::EmptySegment);
    }
    if segment == "." || segment == ".." {
        return Err(NameError::Relative(segment.to_owned()));
    }
    if segment.contains('\\') {
        return Err(NameError::Character("a backslash"));
    }
    if segment.chars().any(char::is_control) {
        return Err(NameError::Character("control characters"));
    }
    if segment.len() > LONGEST_SEGMENT {
        return Err(NameError::LongSegment);
    }
    Ok(())
}

/// The last segment of a name that a client sent.
pub fn basename(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// The same path with a mark between stem and extension: `a/b.png`, `_0` → `a/b_0.png`. A stem that
/// would become too long is cut.
pub fn marked(path: &str, mark: &str) -> String {
    let (directory, basename) = match path.rsplit_once('/') {
        Some((directory, basename)) => (Some(directory), basename),
        None => (None, path),
    };
    let (stem, extension) = match basename.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, Cow::from(format!(".{extension}"))),
        _ => (basename, Cow::from("")),
    };
    let longest = LONGEST_SEGMENT.saturating_sub(mark.len() + extension.len());
    let stem = &stem[..stem.floor_char_boundary(longest)];
    match directory {
        Some(directory) => format!("{directory}/{stem}{mark}{extension}"),
        None => format!("{stem}{mark}{extension}"),
    }
}

/// The first path to try for a version of a file: the path of the file for the first version, a numbered one for a
/// replacement.
pub fn of_version(path: &str, version: i64) -> String {
    match version {
        1 => path.to_owned(),
        replacement => marked(path, &format!(".r{replacement}")),
    }
}

fn printable(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SCHEMES: [&str; 2] = ["public", "fedora"];

    fn accepts(text: &str) -> bool {
        parse(text, &SCHEMES).is_ok()
    }

    #[test]
    fn keeps_unicode_spaces_and_percent_signs() {
        for text in [
            "public://up/with space é.png",
            "public://up/with%20pct.png",
            "fedora://a.png",
            "public://..hidden/a:b?c#d.png",
            "public://com1.tar.gz/CON",
            "public://tail. /A. ",
        ] {
            assert_eq!(
                parse(text, &SCHEMES).map(|uri| uri.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn refuses_what_could_lead_elsewhere() {
        for text in [
            "",
            "a.png",
            "rel/a.png",
            "/tmp/abs.png",
            "../a.png",
            "public:/a.png",
            "://a.png",
            "http://example.org/a.png",
            "zzz://a.png",
            "PUBLIC://a.png",
            "public://",
            "public:///tmp/a.png",
            "public://a//b.png",
            "public://a/",
            "public://../a.png",
            "public://up/../../a.png",
            "public://./a.png",
            "public://a\0.png",
            "public://a\n.png",
            "public://a\u{85}.png",
            "public://a\\b.png",
        ] {
            assert!(!accepts(text), "{text:?} was accepted");
        }
    }

    #[test]
    fn measures_in_bytes() {
        assert!(accepts(&format!("public://{}.png", "a".repeat(251))));
        assert!(!accepts(&format!("public://{}.png", "a".repeat(252))));
        assert!(!accepts(&format!("public://{}.png", "é".repeat(126))));
        let deep = vec!["d".repeat(100); 11].join("/");
        assert_eq!(check_path(&deep), Err(NameError::LongPath));
    }

    #[test]
    fn marks_stand_before_the_extension() {
        assert_eq!(marked("up/a.png", "_0"), "up/a_0.png");
        assert_eq!(marked("a.tar.gz", ".r2"), "a.tar.r2.gz");
        assert_eq!(marked("up.d/README", "_1"), "up.d/README_1");
        assert_eq!(marked(".png", "_1"), ".png_1");
    }

    proptest! {
        #[test]
        fn an_accepted_path_stays_below_its_root(text in "\\PC{0,80}|([a-zé.%/\\\\ ~\0-]{0,12}){0,6}") {
            if check_path(&text).is_ok() {
                let path = std::path::Path::new(&text);
                prop_assert!(path.is_relative());
                let normal = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
                prop_assert!(normal);
                prop_assert_eq!(path.components().count(), text.split('/').count());
            }
        }

        #[test]
        fn a_marked_name_is_allowed_and_another(
            stem in "[a-zé€]{1,200}", extension in "[a-z]{1,5}", number in 0_u32..100_000
        ) {
            let path = format!("dir/{stem}.{extension}");
            prop_assume!(check_path(&path).is_ok());
            let other = marked(&path, &format!("_{number}"));
            prop_assert!(check_path(&other).is_ok());
            prop_assert_ne!(&other, &path);
            prop_assert_eq!(FileUri::new("public", &other).extension(), Some(extension));
        }
    }
}
