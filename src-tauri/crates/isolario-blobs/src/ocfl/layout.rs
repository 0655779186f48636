//! The paths of objects below the storage root: extension 0003, hashed n-tuples. The directory of an object is named by
//! its identifier.

use std::path::PathBuf;

use aws_lc_rs::digest;
use serde_json::{Value, json};

/// Registered name of the extension.
pub(super) const NAME: &str = "0003-hash-and-id-n-tuple-storage-layout";
const DESCRIPTION: &str = "Objects lie in directories named by the first characters of the SHA-256 digest of their identifier, each in a directory named by its identifier, percent-encoded.";
/// One level of 4,096 directories. They soon all exist, so a new object seldom needs a new one. Of a million objects,
/// each directory has about 250.
const TUPLE_SIZE: usize = 3;
const NUMBER_OF_TUPLES: usize = 1;
/// The longest name of the directory of an object before the extension cuts it.
const LONGEST: usize = 100;

/// The contents of `ocfl_layout.json`.
pub(super) fn declaration() -> Value {
    json!({ "extension": NAME, "description": DESCRIPTION })
}

/// The contents of the `config.json` of the extension.
pub(super) fn parameters() -> Value {
    json!({
        "extensionName": NAME,
        "digestAlgorithm": "sha256",
        "tupleSize": TUPLE_SIZE,
        "numberOfTuples": NUMBER_OF_TUPLES,
    })
}

/// Path of an object from the storage root.
pub(super) fn path_of(id: &str) -> PathBuf {
    let digest = hex::encode(digest::digest(&digest::SHA256, id.as_bytes()));
    let tuples = (0..NUMBER_OF_TUPLES).map(|at| &digest[at * TUPLE_SIZE..(at + 1) * TUPLE_SIZE]);
    let mut path: PathBuf = tuples.collect();
    let mut name = encode(id);
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name = format!("{name}-{digest}");
    }
    path.push(name);
    path
}

/// Percent-encodes as the extension wants it: in lower case, all but ASCII letters, digits, `-`, `_`.
fn encode(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            other => name.push_str(&format!("%{other:02x}")),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use std::path::Component;

    use percent_encoding::percent_decode_str;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_those_of_the_examples_of_the_extension() {
        assert_eq!(encode("..hor/rib:le-$id"), "%2e%2ehor%2frib%3ale-%24id");
        // The digest is given with the examples.
        let path = path_of("..hor/rib:le-$id");
        assert_eq!(path, PathBuf::from("487/%2e%2ehor%2frib%3ale-%24id"));
        let long = "abcdefghij".repeat(26);
        let path = path_of(&long);
        assert_eq!(
            path,
            PathBuf::from(format!(
                "55b/{}-55b432806f4e270da0cf23815ed338742179002153cd8d896f23b3e2d8a14359",
                &long[..100]
            ))
        );
    }

    proptest! {
        #[test]
        fn every_identity_has_a_place_of_its_own_below_the_root(id in "\\PC{1,300}") {
            let path = path_of(&id);
            let parts: Vec<Component<'_>> = path.components().collect();
            prop_assert_eq!(parts.len(), NUMBER_OF_TUPLES + 1);
            let normal = parts.iter().all(|part| matches!(part, Component::Normal(_)));
            prop_assert!(normal);
            let name = path.file_name().unwrap().to_str().unwrap();
            prop_assert!(name.len() <= LONGEST + 65);
            if name.len() <= LONGEST {
                let decoded = percent_decode_str(name).decode_utf8().unwrap();
                prop_assert_eq!(decoded, id);
            }
        }
    }
}
