//! What becomes of the files of a watched folder, as `config.toml`, `/api/v1/watched-folders` and the
//! command line say it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::content::{TermRole, uri_of};

/// What a folder inside a watched folder is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subfolders {
    /// It is not looked into.
    #[default]
    Ignored,
    /// Nothing of its own: its files go where all go.
    Flat,
    /// A collection.
    Collections,
    /// A paged object, its files the pages in natural order. Folders in it belong to it.
    Paged,
    /// A compound object, its files the parts in natural order. Folders in it belong to it.
    Compound,
}

/// What happens to a file that is in the repository.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Afterwards {
    /// It stays. When it changes, the repository gets a new version.
    #[default]
    Leave,
    /// It is moved to `done/` in the watched folder.
    Move,
    /// It is removed when the stored bytes have been read and compared with its checksum.
    Delete,
}

/// What becomes of a file whose bytes the repository has already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Duplicates {
    /// An item like any other; the ledger names the other one.
    #[default]
    Ingest,
    /// Nothing. Pages and parts of objects are taken all the same.
    Skip,
    /// The item that has these bytes is put into the collection. Pages and parts are taken all the same.
    Link,
}

/// Which descriptions lie beside the files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sidecar {
    /// None: `.json`, `.xmp` and `metadata.csv` are files like any others.
    None,
    /// Whatever is there when a file's turn comes.
    #[default]
    Any,
    /// `NAME.json` or `NAME.EXT.json`, for which a file waits.
    Json,
    /// `NAME.xmp` or `NAME.EXT.xmp`, for which a file waits.
    Xmp,
    /// A row of `metadata.csv`, for which a file waits.
    Csv,
}

/// How it is found out that something has changed in a folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Poll {
    /// The system tells; on network drives, where it says nothing, by looking now and then.
    #[default]
    Auto,
    /// By looking now and then.
    Always,
}

/// One value of a field, or several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    /// All of them.
    pub fn all(&self) -> Vec<String> {
        match self {
            Texts::One(text) => vec![text.clone()],
            Texts::Many(texts) => texts.clone(),
        }
    }
}

/// A watched folder and what becomes of its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Of the folder, absolute, on this machine.
    #[schema(value_type = String, example = "/srv/scans")]
    pub path: PathBuf,
    /// Number of the collection that items become members of; without it they are in none.
    #[serde(default)]
    pub collection: Option<i64>,
    #[serde(default)]
    pub subfolders: Subfolders,
    /// `auto`, or a model: its name, URI or number. `auto` goes by the MIME type.
    #[serde(default = "auto")]
    pub model: String,
    /// `auto`, or a media type. `auto` goes by the file name extension.
    #[serde(default = "auto")]
    pub media_type: String,
    /// Name, URI or number of the media use.
    #[serde(default = "original_file")]
    pub media_use: String,
    /// Where bytes are kept: `public` or the repository scheme. Without it the latter.
    #[serde(default)]
    pub scheme: Option<String>,
    /// Name of the account that makes everything here and must be allowed to.
    #[serde(default = "administrator")]
    pub owner: String,
    #[serde(default = "yes")]
    pub published: bool,
    /// Values that every item gets, by field name.
    #[serde(default)]
    pub template: BTreeMap<String, Texts>,
    /// Regular expression for file names; its named parts are values of the fields of that name.
    #[serde(default)]
    pub name_pattern: Option<String>,
    /// Whether terms that are named and missing are made.
    #[serde(default)]
    pub create_terms: bool,
    #[serde(default)]
    pub afterwards: Afterwards,
    #[serde(default)]
    pub duplicates: Duplicates,
    #[serde(default)]
    pub sidecar: Sidecar,
    /// How long a file waits for its description.
    #[serde(default = "a_minute")]
    #[schema(minimum = 0.0, maximum = 86400.0)]
    pub sidecar_wait_seconds: f64,
    /// How long size and time of a file must not have changed.
    #[serde(default = "three_seconds")]
    #[schema(minimum = 0.1, maximum = 86400.0)]
    pub settle_seconds: f64,
    #[serde(default)]
    pub poll: Poll,
    /// How often is looked where the system says nothing.
    #[serde(default = "half_a_minute")]
    #[schema(minimum = 0.5, maximum = 86400.0)]
    pub poll_seconds: f64,
}

fn auto() -> String {
    AUTO.into()
}

fn original_file() -> String {
    uri_of(TermRole::OriginalFile).into()
}

fn administrator() -> String {
    "admin".into()
}

fn yes() -> bool {
    true
}

fn a_minute() -> f64 {
    60.0
}

fn three_seconds() -> f64 {
    3.0
}

fn half_a_minute() -> f64 {
    30.0
}

/// The word for "as the file is".
pub const AUTO: &str = "auto";
/// Longest pattern, bytes.
const LONGEST_PATTERN: usize = 1000;
/// Most memory that a pattern may take, bytes.
const LARGEST_PATTERN: usize = 1024 * 1024;
/// Longest time that can be set, seconds.
const A_DAY: f64 = 86_400.0;

impl Rule {
    /// A rule for a folder that leaves everything else as usual.
    pub fn for_folder(path: PathBuf) -> Rule {
        Rule {
            path,
            collection: None,
            subfolders: Subfolders::default(),
            model: auto(),
            media_type: auto(),
            media_use: original_file(),
            scheme: None,
            owner: administrator(),
            published: true,
            template: BTreeMap::new(),
            name_pattern: None,
            create_terms: false,
            afterwards: Afterwards::default(),
            duplicates: Duplicates::default(),
            sidecar: Sidecar::default(),
            sidecar_wait_seconds: a_minute(),
            settle_seconds: three_seconds(),
            poll: Poll::default(),
            poll_seconds: half_a_minute(),
        }
    }

    /// The pattern for file names.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub fn pattern(&self) -> Result<Option<regex::Regex>, String> {
        let Some(text) = &self.name_pattern else {
            return Ok(None);
        };
        if text.len() > LONGEST_PATTERN {
            return Err(format!(
                "The pattern is longer than {LONGEST_PATTERN} bytes."
            ));
        }
        let built = regex::RegexBuilder::new(text)
            .size_limit(LARGEST_PATTERN)
            .dfa_size_limit(LARGEST_PATTERN)
            .build();
        built
            .map(Some)
            .map_err(|error| format!("The pattern cannot be read: {error}"))
    }

    /// Times that cannot be: the field, and why.
    pub fn impossible_times(&self) -> Vec<(&'static str, String)> {
        let times = [
            ("settle_seconds", self.settle_seconds, 0.1),
            ("sidecar_wait_seconds", self.sidecar_wait_seconds, 0.0),
            ("poll_seconds", self.poll_seconds, 0.5),
        ];
        let wrong = times
            .into_iter()
            .filter(|(_, seconds, least)| !(*least..=A_DAY).contains(seconds));
        wrong
            .map(|(name, _, least)| {
                (
                    name,
                    format!("This must be a number from {least} to {A_DAY}."),
                )
            })
            .collect()
    }

    /// How long size and time of a file must not have changed, in milliseconds.
    pub fn settle_time(&self) -> i64 {
        milliseconds(self.settle_seconds)
    }

    /// How long a file waits for its description, in milliseconds.
    pub fn sidecar_time(&self) -> i64 {
        milliseconds(self.sidecar_wait_seconds)
    }

    /// How often is looked where the system says nothing.
    pub fn poll_time(&self) -> Duration {
        Duration::from_secs_f64(self.poll_seconds.clamp(0.5, A_DAY))
    }

    /// Whether files of subfolders are parts of one object.
    pub fn makes_objects(&self) -> bool {
        matches!(self.subfolders, Subfolders::Paged | Subfolders::Compound)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a day has fewer milliseconds"
)]
fn milliseconds(seconds: f64) -> i64 {
    (seconds.clamp(0.0, A_DAY) * 1000.0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_needs_a_path_and_nothing_else() {
        let rule: Rule = serde_json::from_str(r#"{"path": "/srv/scans"}"#).unwrap();
        assert_eq!(rule, Rule::for_folder("/srv/scans".into()));
        let error = serde_json::from_str::<Rule>(r#"{"path": "/a", "colection": 1}"#).unwrap_err();
        assert!(error.to_string().contains("colection"), "{error}");
    }

    #[test]
    fn patterns_are_bounded() {
        let rule = |pattern: &str| Rule {
            name_pattern: Some(pattern.into()),
            ..Rule::for_folder("/a".into())
        };
        assert!(
            rule(r"(?<title>.+)-(?<field_identifier>\d+)")
                .pattern()
                .is_ok()
        );
        for wrong in ["(", r"(\w{500}){500}", &"a".repeat(1001)] {
            assert!(rule(wrong).pattern().is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_possible_ones() {
        let rule = Rule {
            settle_seconds: f64::NAN,
            poll_seconds: 0.0,
            ..Rule::for_folder("/a".into())
        };
        let wrong: Vec<&str> = rule
            .impossible_times()
            .iter()
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(wrong, ["settle_seconds", "poll_seconds"]);
    }
}
