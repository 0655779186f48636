//! Addresses that people give: aliases of resources, and redirects.

/// First segments of the paths that the program has itself. No other address begins with one, so a request for one of
/// these is never looked up.
pub const OWN_SEGMENTS: [&str; 29] = [
    "_flysystem",
    ".well-known",
    "admin",
    "api",
    "assets",
    "entity",
    "favicon.ico",
    "favicon.svg",
    "file",
    "icon.svg",
    "iiif",
    "islandora_workbench_integration",
    "jwt",
    "linkset",
    "media",
    "node",
    "oai",
    "openapi.json",
    "opensearch.xml",
    "robots.txt",
    "session",
    "sitemap.xml",
    "sites",
    "taxonomy",
    "term_from_authority_link",
    "term_from_term_name",
    "term_from_uri",
    "user",
    "views",
];

/// Greatest length of an address, in characters.
pub const LONGEST: usize = 255;

/// Whether a path begins as the program's own do.
pub fn is_own(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    let first = first.unwrap_or_default();
    first.is_empty()
        || OWN_SEGMENTS
            .iter()
            .any(|own| own.eq_ignore_ascii_case(first))
}

/// The form in which addresses are compared: without a slash at the end, in lower case. `path` begins with a slash and is
/// not percent-encoded.
pub fn key(path: &str) -> String {
    path.trim_end_matches('/').to_lowercase()
}

/// What is wrong with a path as an address, in words; `None` if nothing is.
pub fn complaint(path: &str) -> Option<String> {
    let segments = || path.trim_matches('/').split('/');
    let letter = |letter: char| letter.is_control() || "?#\\%".contains(letter);
    if !path.starts_with('/') {
        Some("must begin with a slash.".into())
    } else if path.chars().count() > LONGEST {
        Some(format!("may not be longer than {LONGEST} characters."))
    } else if segments().any(|segment| matches!(segment, "" | "." | "..")) {
        Some("may not have an empty segment, nor \".\" or \"..\" as one.".into())
    } else if path.contains(letter) {
        Some("may not contain \"?\", \"#\", \"%\", \"\\\" or control characters.".into())
    } else if is_own(path) {
        Some("begins with a word that is kept for the addresses of the program.".into())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_an_address_is_said() {
        for path in ["/maps", "/maps/of/the west", "/Käse", "/nodes/5", "/a.b"] {
            assert_eq!(complaint(path), None, "{path}");
        }
        let long = format!("/{}", "a".repeat(LONGEST));
        for path in [
            "", "/", "maps", "/a//b", "/../a", "/a/..", "/a?b", "/a#b", "/a%20b", "/a\nb",
            "/node/5", "/NODE/5", "/views/x", &long,
        ] {
            assert!(complaint(path).is_some(), "{path}");
        }
        assert_eq!(key("/Maps/"), "/maps");
        assert_eq!(key("/KÄSE"), "/käse");
    }
}
