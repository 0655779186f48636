//! The inventory of an object (OCFL 1.1, section 3.5): the bytes that it holds, and the versions and names that they
//! have.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use aws_lc_rs::digest;
use serde::{Deserialize, Serialize};

use super::Signature;
use crate::disk_name::portable_name;

/// Name of the file.
pub(super) const INVENTORY: &str = "inventory.json";
/// Name of the file that has its digest.
pub(super) const SIDECAR: &str = "inventory.json.sha512";
/// Value of `type`.
pub(super) const TYPE: &str = "https://ocfl.io/1.1/spec/#inventory";
/// Value of `digestAlgorithm`.
pub(super) const ALGORITHM: &str = "sha512";

/// Number of a version, from 1; written `v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct VersionNumber(u32);

impl VersionNumber {
    pub(super) const FIRST: VersionNumber = VersionNumber(1);

    pub(super) fn next(self) -> VersionNumber {
        VersionNumber(self.0.saturating_add(1))
    }

    /// The version before, if this is not the first.
    pub(super) fn previous(self) -> Option<VersionNumber> {
        (self.0 > 1).then(|| VersionNumber(self.0 - 1))
    }

    /// Reads `v1`. The versions of this program are not padded with zeros.
    pub(super) fn parse(text: &str) -> Option<VersionNumber> {
        let digits = text.strip_prefix('v')?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        let number = digits.parse().ok().filter(|_| plain)?;
        Some(VersionNumber(number))
    }
}

impl fmt::Display for VersionNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl From<VersionNumber> for String {
    fn from(number: VersionNumber) -> String {
        number.to_string()
    }
}

impl TryFrom<String> for VersionNumber {
    type Error = String;
    fn try_from(text: String) -> Result<VersionNumber, String> {
        VersionNumber::parse(&text).ok_or_else(|| format!("{text} is no version"))
    }
}

/// The inventory of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Inventory {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) digest_algorithm: String,
    pub(super) head: VersionNumber,
    /// Content paths by digest (SHA-512, hexadecimal).
    pub(super) manifest: BTreeMap<String, Vec<String>>,
    pub(super) versions: BTreeMap<VersionNumber, Version>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Version {
    /// RFC 3339.
    pub(super) created: String,
    /// Logical paths by digest.
    pub(super) state: BTreeMap<String, Vec<String>>,
    message: String,
    pub(super) user: User,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct User {
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

/// The one file of a version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'a> {
    /// SHA-512, hexadecimal.
    pub(super) sha512: &'a str,
    /// Logical path.
    pub(super) path: &'a str,
    /// Path, from the object, of the same bytes in an earlier version.
    pub(super) kept: Option<&'a str>,
}

impl Inventory {
    /// The names of the file and of its sidecar.
    pub(crate) const NAMES: [&str; 2] = [INVENTORY, SIDECAR];

    /// The inventory of an object before its first version.
    pub(super) fn without_versions(id: String) -> Inventory {
        Inventory {
            id,
            kind: TYPE.into(),
            digest_algorithm: ALGORITHM.into(),
            head: VersionNumber::FIRST,
            manifest: BTreeMap::new(),
            versions: BTreeMap::new(),
        }
    }

    /// The inventory of an object with its first version.
    pub(super) fn first(id: String, content: Content<'_>, signature: &Signature) -> Inventory {
        let mut inventory = Inventory::without_versions(id);
        inventory.add(content, signature);
        inventory
    }

    /// The bytes of the file and of its sidecar.
    ///
    /// # Errors
    /// None that is known.
    pub(crate) fn files(&self) -> io::Result<[Vec<u8>; 2]> {
        let bytes = self.to_bytes()?;
        let sidecar = sidecar_of(&bytes).into_bytes();
        Ok([bytes, sidecar])
    }

    /// The inventory with one more version.
    pub(super) fn next(mut self, content: Content<'_>, signature: &Signature) -> Inventory {
        self.head = self.head.next();
        self.add(content, signature);
        self
    }

    fn add(&mut self, content: Content<'_>, signature: &Signature) {
        if content.kept.is_none() {
            self.add_content(content.sha512, self.own_path(content.path));
        }
        self.add_version(content.sha512, content.path, signature);
    }

    /// Adds bytes at a path in the object.
    pub(super) fn add_content(&mut self, sha512: &str, path: String) {
        let paths = self.manifest.entry(sha512.to_owned());
        paths.or_default().push(path);
    }

    /// Adds the version `head`, whose one file has these bytes.
    pub(super) fn add_version(&mut self, sha512: &str, path: &str, signature: &Signature) {
        let version = Version {
            created: rfc3339(signature.at),
            state: BTreeMap::from([(sha512.to_owned(), vec![path.to_owned()])]),
            message: signature.message.clone(),
            user: User {
                name: signature.name.clone(),
                address: signature.address.clone(),
            },
        };
        self.versions.insert(self.head, version);
    }

    /// The path in the object of the bytes that the newest version adds. It has no directories of the logical path,
    /// because a version has one file, and a directory costs as much as a file.
    pub(super) fn own_path(&self, logical: &str) -> String {
        let name = logical.rsplit('/').next().unwrap_or(logical);
        format!("{}/content/{}", self.head, portable_name(name))
    }

    /// Paths, from the object, of all bytes with a digest (SHA-512, hexadecimal).
    pub(super) fn content_paths(&self, sha512: &str) -> &[String] {
        self.manifest.get(sha512).map_or(&[], Vec::as_slice)
    }

    /// Reads an inventory that has the digest of its sidecar.
    ///
    /// # Errors
    /// `InvalidData` when it has another digest or this program did not make it. No version is built on a damaged one.
    pub(crate) fn read(bytes: &[u8], sidecar: &[u8]) -> io::Result<Inventory> {
        if sidecar != sidecar_of(bytes).as_bytes() {
            return Err(damaged("has another digest than its sidecar"));
        }
        let inventory: Inventory =
            serde_json::from_slice(bytes).map_err(|error| damaged(&error.to_string()))?;
        match inventory.versions.contains_key(&inventory.head) {
            true => Ok(inventory),
            false => Err(damaged("has no head")),
        }
    }

    /// The inventory as JSON.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        serde_json::to_vec_pretty(self).map_err(io::Error::other)
    }
}

/// The sidecar of these bytes.
pub(super) fn sidecar_of(inventory: &[u8]) -> String {
    let digest = hex::encode(digest::digest(&digest::SHA512, inventory));
    format!("{digest} {INVENTORY}\n")
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the inventory of an object {why}"),
    )
}

fn rfc3339(at: i64) -> String {
    let time = chrono::DateTime::from_timestamp(at, 0).unwrap_or_default();
    time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn signature(name: &str, message: &str, at: i64) -> Signature {
        Signature {
            name: name.into(),
            address: None,
            message: message.into(),
            at,
        }
    }

    #[test]
    fn the_same_bytes_are_named_once_and_again_only_if_they_were_lost() {
        let signature = signature("admin", "Stored", 0);
        let content = |sha512, kept| Content {
            sha512,
            path: "a.txt",
            kept,
        };
        let inventory = Inventory::first("urn:uuid:x".into(), content("aa", None), &signature)
            .next(content("bb", None), &signature)
            .next(content("aa", Some("v1/content/a.txt")), &signature);
        assert_eq!(inventory.head.to_string(), "v3");
        assert_eq!(inventory.content_paths("aa"), ["v1/content/a.txt"]);
        assert_eq!(inventory.content_paths("bb"), ["v2/content/a.txt"]);
        assert_eq!(inventory.content_paths("cc"), [""; 0]);
        let again = inventory.next(content("aa", None), &signature);
        let paths = ["v1/content/a.txt", "v4/content/a.txt"];
        assert_eq!(again.content_paths("aa"), paths);
    }

    #[test]
    fn versions_are_written_without_zeros() {
        for wrong in ["", "v", "1", "v0", "v01", "v+1", "v1 ", "v4294967296"] {
            assert_eq!(VersionNumber::parse(wrong), None, "{wrong}");
        }
        assert_eq!(VersionNumber::parse("v10").unwrap().to_string(), "v10");
        assert!(VersionNumber::parse("v10") > VersionNumber::parse("v9"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            path in "[^/\0]{1,20}(/[^/\0]{1,10}){0,3}", name in "\\PC{0,20}", message in "\\PC{0,40}",
            at in 0_i64..4_000_000_000, digests in proptest::collection::vec("[0-9a-f]{128}", 1..12)
        ) {
            let signature = signature(&name, &message, at);
            let content = |sha512| Content { sha512, path: &path, kept: None };
            let first = Inventory::first("urn:uuid:x".into(), content(&digests[0]), &signature);
            let inventory = digests[1..].iter().fold(first, |inventory, sha512| {
                inventory.next(content(sha512), &signature)
            });
            let bytes = inventory.to_bytes().unwrap();
            let sidecar = sidecar_of(&bytes);
            prop_assert_eq!(Inventory::read(&bytes, sidecar.as_bytes()).unwrap(), inventory);
            let mut damaged = bytes.clone();
            damaged[0] ^= 1;
            prop_assert!(Inventory::read(&damaged, sidecar.as_bytes()).is_err());
        }
    }
}
