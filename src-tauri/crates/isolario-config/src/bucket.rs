//! `[bytes]`: the bucket that holds the bytes of all files, instead of the data directory (docs/GROWING.md).

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use isolario_disk::regular_file;
use isolario_platform::files::is_closed_to_others;

/// A bucket of an S3-compatible store.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BucketRules {
    pub bucket: String,
    /// Address of the store; `None`: Amazon's, by region.
    #[serde(default)]
    pub endpoint: Option<String>,
    #[serde(default = "region")]
    pub region: String,
    /// Everything lies below this, so that a bucket can have other things, too.
    #[serde(default, deserialize_with = "short")]
    pub prefix: String,
    /// File with the credentials, from the root on; `None`: they are in the environment.
    #[serde(default)]
    pub credentials: Option<PathBuf>,
    /// How much of the bucket is kept on this disk, so that it need not be fetched again.
    #[serde(default = "cache_megabytes")]
    pub cache_megabytes: u64,
    /// How long the store may say nothing, and how long a request is tried again.
    #[serde(default = "timeout_seconds", deserialize_with = "seconds")]
    pub timeout_seconds: u64,
}

/// The longest prefix, in bytes, so that all keys below it are short enough for a store.
const LONGEST_PREFIX: usize = 200;

fn region() -> String {
    "us-east-1".to_owned()
}

fn cache_megabytes() -> u64 {
    10_000
}

fn timeout_seconds() -> u64 {
    60
}

fn short<'de, D: serde::Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let prefix = String::deserialize(source)?;
    match prefix.len() <= LONGEST_PREFIX {
        true => Ok(prefix),
        false => Err(serde::de::Error::custom("expected at most 200 bytes")),
    }
}

fn seconds<'de, D: serde::Deserializer<'de>>(source: D) -> Result<u64, D::Error> {
    let seconds = u64::deserialize(source)?;
    match (1..=3600).contains(&seconds) {
        true => Ok(seconds),
        false => Err(serde::de::Error::custom("expected 1 to 3600 seconds")),
    }
}

/// Who the program is to the store.
#[derive(Clone, PartialEq, Eq)]
pub struct BucketCredentials {
    pub access_key_id: String,
    pub secret_access_key: String,
    pub session_token: Option<String>,
}

impl fmt::Debug for BucketCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BucketCredentials({})", self.access_key_id)
    }
}

const NAMES: [&str; 3] = [
    "aws_access_key_id",
    "aws_secret_access_key",
    "aws_session_token",
];

impl BucketRules {
    /// The credentials from the file, or from the environment where none is named.
    ///
    /// # Errors
    /// In words: what is missing; a file that others may read.
    pub fn read_credentials(&self) -> io::Result<BucketCredentials> {
        match &self.credentials {
            Some(path) => credentials_in(path),
            None => found(
                |name| std::env::var(name.to_uppercase()).ok(),
                "the environment",
            ),
        }
    }
}

/// Reads a file as the programs of Amazon write them: lines `name = value`.
fn credentials_in(path: &Path) -> io::Result<BucketCredentials> {
    let refused = |words: String| io::Error::new(io::ErrorKind::InvalidInput, words);
    let shown = path.display();
    let text = regular_file::read_to_string(path)
        .map_err(|error| refused(format!("{shown} cannot be read: {error}")))?;
    if !is_closed_to_others(&path.metadata()?) {
        return Err(refused(format!(
            "{shown} has credentials and others may read it; `chmod 600` makes it its owner's alone"
        )));
    }
    let value = |wanted: &str| {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        let mut values = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
        values.next().map(|(_, value)| value.trim().to_owned())
    };
    found(value, &shown.to_string())
}

fn found(value: impl Fn(&str) -> Option<String>, place: &str) -> io::Result<BucketCredentials> {
    let [id, secret, token] = NAMES;
    let needed = |name: &str| {
        let found = value(name).filter(|value| !value.is_empty());
        found.ok_or_else(|| {
            let words = format!(
                "there is no {} in {place} for the bucket of [bytes]",
                name.to_uppercase()
            );
            io::Error::new(io::ErrorKind::InvalidInput, words)
        })
    };
    Ok(BucketCredentials {
        access_key_id: needed(id)?,
        secret_access_key: needed(secret)?,
        session_token: value(token).filter(|value| !value.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn rules(credentials: &Path) -> BucketRules {
        toml::from_str(&format!(
            "bucket = \"archive\"\ncredentials = {credentials:?}"
        ))
        .expect("rules")
    }

    #[test]
    fn a_file_that_others_may_read_is_refused() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("credentials");
        let text = "[default]\naws_access_key_id = A\nAWS_SECRET_ACCESS_KEY=s=e/c\n";
        std::fs::write(&path, text).unwrap();
        let mode = |mode| std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        mode(0o640);
        let refused = rules(&path).read_credentials().unwrap_err();
        assert!(refused.to_string().contains("others may read it"));
        mode(0o600);
        let read = rules(&path).read_credentials().unwrap();
        assert_eq!(
            (read.access_key_id.as_str(), read.secret_access_key.as_str()),
            ("A", "s=e/c")
        );
        assert!(!format!("{read:?}").contains("s=e/c"));
    }

    #[test]
    fn what_is_missing_is_named() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("credentials");
        std::fs::write(&path, "aws_access_key_id = A\naws_secret_access_key =\n").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        let words = rules(&path).read_credentials().unwrap_err().to_string();
        assert!(words.contains("no AWS_SECRET_ACCESS_KEY in"), "{words}");
    }
}
