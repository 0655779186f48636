//! Where the bytes of a file are fetched: `scheme://path` to the path of a URL and back (interface,
//! Endpoints, "the `url` path from a file's `uri`").

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::content::FileUri;

/// The scheme whose files lie in the public file area.
pub const PUBLIC: &str = "public";
/// First part of the URL of a public file.
pub const PUBLIC_PREFIX: &str = "/sites/default/files/";
/// First part of the URL of a file in any other scheme, before the scheme.
pub const OTHER_PREFIX: &str = "/_flysystem/";

/// Everything but the unreserved characters of RFC 3986, section 2.3, and the slashes between segments.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

/// Percent-encodes a path, its slashes kept.
pub fn encode(path: &str) -> String {
    utf8_percent_encode(path, SEGMENT).to_string()
}

/// URL path of a file, percent-encoded.
pub fn path_of(uri: &FileUri) -> String {
    let path = encode(&uri.path);
    match uri.scheme.as_str() {
        PUBLIC => format!("{PUBLIC_PREFIX}{path}"),
        scheme => format!("{OTHER_PREFIX}{}/{path}", encode(scheme)),
    }
}

/// The file a URL path (still percent-encoded, without query) is about, if it is about one.
pub fn uri_of(path: &str) -> Option<FileUri> {
    if let Some(rest) = path.strip_prefix(PUBLIC_PREFIX) {
        return Some(FileUri::new(PUBLIC, &decode(rest)?));
    }
    let (scheme, rest) = path.strip_prefix(OTHER_PREFIX)?.split_once('/')?;
    let scheme = decode(scheme)?;
    // A public file has one address only.
    (scheme != PUBLIC).then_some(FileUri::new(&scheme, &decode(rest)?))
}

fn decode(text: &str) -> Option<String> {
    let text = percent_decode_str(text).decode_utf8().ok()?;
    Some(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn public_files_have_the_public_path() {
        let uri = FileUri::new("public", "up/with space é.png");
        assert_eq!(
            path_of(&uri),
            "/sites/default/files/up/with%20space%20%C3%A9.png"
        );
        let percent = FileUri::new("public", "with%20pct.png");
        assert_eq!(path_of(&percent), "/sites/default/files/with%2520pct.png");
    }

    #[test]
    fn repository_files_name_their_scheme() {
        let uri = FileUri::new("fedora", "a/x.tif");
        assert_eq!(path_of(&uri), "/_flysystem/fedora/a/x.tif");
        assert_eq!(uri_of("/_flysystem/fedora/a/x.tif"), Some(uri));
    }

    #[test]
    fn a_browser_may_encode_less() {
        let expected = FileUri::new("public", "a(1),b'&c.png");
        assert_eq!(uri_of("/sites/default/files/a(1),b'&c.png"), Some(expected));
    }

    #[test]
    fn other_paths_are_about_no_file() {
        for path in [
            "/node/1",
            "/_flysystem/fedora",
            "/_flysystem/public/a.png",
            "/sites/default/files/%FF.png",
        ] {
            assert_eq!(uri_of(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn an_address_leads_back_to_its_file(scheme in "fedora|public|archive", path in "\\PC{1,40}(/\\PC{1,20}){0,3}") {
            let uri = FileUri::new(&scheme, &path);
            let address = path_of(&uri);
            prop_assert!(address.is_ascii());
            prop_assert!(!address.contains([' ', '?', '#', '"', '<', '>', ',']));
            prop_assert_eq!(uri_of(&address), Some(uri));
        }
    }
}
