//! `config.toml` in the data directory: what the owner of a repository decides about it.

pub mod allowed_folders;
mod bucket;
mod derivatives;
mod edit;
mod error;
mod file_rules;
mod folders;
mod harvesting;
mod lan;
mod limits;
mod openid_connect;
mod rest;
mod tokens;

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use isolario_disk::durable::{USUAL_FILE, replace};
use isolario_disk::regular_file;
use isolario_model::content::file_url::PUBLIC;
use isolario_model::formats::crosswalk::Crosswalk;
use isolario_model::watch_rule::Rule;
use isolario_platform::files;

pub use bucket::{BucketCredentials, BucketRules};
pub use derivatives::DerivativeRules;
pub use error::ConfigError;
pub use file_rules::FileRules;
pub use folders::FolderRules;
pub use harvesting::HarvestRules;
pub use lan::LanRules;
pub use limits::Limits;
pub use openid_connect::OpenIdConnectRules;
pub use rest::{AuthenticationType, MethodRules, RestRules};
pub use tokens::TokenRules;

/// The configuration of one repository, with defaults for what the file leaves out.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Name of the repository, as people see it.
    pub name: String,
    /// Public address without a trailing slash; JSON-LD ids are made from it once it is set.
    pub base_url: Option<String>,
    /// Scheme of files in the object repository (`fedora` in `fedora://…`).
    #[serde(deserialize_with = "scheme_of_objects")]
    pub repository_scheme: String,
    /// Time zone that accounts name as theirs, as in the IANA database.
    pub time_zone: String,
    pub server: ServerRules,
    pub lan: LanRules,
    pub limits: Limits,
    pub tokens: TokenRules,
    pub rest: RestRules,
    pub log: LogRules,
    pub backup: BackupRules,
    /// `None`: the bytes lie in the data directory.
    #[serde(default)]
    pub bytes: Option<BucketRules>,
    pub fixity: FixityRules,
    pub derivatives: DerivativeRules,
    pub files: FileRules,
    /// `None` in a file that is older than this table.
    #[serde(default)]
    pub folders: Option<FolderRules>,
    pub harvesting: HarvestRules,
    /// `None`: people sign in here alone.
    #[serde(default)]
    pub openid_connect: Option<OpenIdConnectRules>,
    /// Folders that are watched.
    pub watch: Vec<Rule>,
    /// The metadata formats: the shipped ones, and those of `crosswalk.json` beside the file.
    #[serde(skip)]
    pub crosswalk: Crosswalk,
}

/// Where the server listens, and under which names it answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerRules {
    pub address: IpAddr,
    /// `None` until the first start has found a free one.
    pub port: Option<u16>,
    /// Host names, without port, beside those of this machine.
    pub allowed_hosts: Vec<String>,
}

/// How requests are logged.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogRules {
    /// Whether requests are written to `logs/requests.log`.
    pub requests: bool,
    /// Size at which a new log file is begun, in megabytes.
    pub megabytes: u64,
    /// How many full log files are kept.
    pub kept_files: usize,
}

/// Backups that are made by themselves.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BackupRules {
    /// Folder to back up into; `None`: no backup is made by itself.
    pub directory: Option<PathBuf>,
    /// Hours between two backups.
    #[serde(deserialize_with = "hours")]
    pub every_hours: u32,
}

fn hours<'de, D: serde::Deserializer<'de>>(source: D) -> Result<u32, D::Error> {
    let hours = u32::deserialize(source)?;
    match (1..=8760).contains(&hours) {
        true => Ok(hours),
        false => Err(serde::de::Error::custom("expected 1 to 8760 hours")),
    }
}

/// How stored bytes are read again and compared with their checksums.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FixityRules {
    pub enabled: bool,
    /// How long a pass over all files may take; 0 begins the next as soon as one ends.
    #[serde(deserialize_with = "days")]
    pub pass_days: i64,
    /// However much there is to read.
    #[serde(deserialize_with = "positive")]
    pub max_mb_per_second: f64,
}

fn days<'de, D: serde::Deserializer<'de>>(source: D) -> Result<i64, D::Error> {
    let days = i64::deserialize(source)?;
    match (0..=36_500).contains(&days) {
        true => Ok(days),
        false => Err(serde::de::Error::custom("expected 0 to 36500 days")),
    }
}

fn positive<'de, D: serde::Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(source)?;
    match number.is_finite() && number > 0.0 {
        true => Ok(number),
        false => Err(serde::de::Error::custom("expected a number above 0")),
    }
}

const FIRST: &str = include_str!("default_config.toml");
/// Metadata formats of the repository itself (docs/HARVESTING.md).
const CROSSWALK: &str = "crosswalk.json";

/// The text of a configuration, which may be a link to where its owner keeps it.
fn text_of(path: &Path) -> std::io::Result<String> {
    regular_file::read_to_string(&files::canonicalize(path)?)
}

impl Config {
    /// Reads the file, writing one with the defaults and what they mean where there is none. A new name
    /// follows with the data directory.
    ///
    /// # Errors
    /// The words name the line and the key.
    pub fn open(path: &Path) -> Result<Config, ConfigError> {
        if !path.exists() {
            let made = replace(path, FIRST.as_bytes(), USUAL_FILE);
            made.map_err(|error| ConfigError::file(path, error))?;
        }
        Config::read(path)
    }

    /// Reads the file as it is, defaults where there is none.
    ///
    /// # Errors
    /// As `open`.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let crosswalk = crosswalk_of(&path.with_file_name(CROSSWALK))?;
        if !path.exists() {
            return Ok(Config {
                crosswalk,
                ..Config::default()
            });
        }
        let text = text_of(path).map_err(|error| ConfigError::file(path, error))?;
        let read: Config = toml::from_str(&text).map_err(|error| ConfigError::Content {
            path: path.to_owned(),
            error,
        })?;
        Ok(Config { crosswalk, ..read })
    }
}

/// The shipped metadata formats, and those of the file where there is one.
fn crosswalk_of(path: &Path) -> Result<Crosswalk, ConfigError> {
    if !path.exists() {
        return Ok(Crosswalk::default());
    }
    let text = text_of(path).map_err(|error| ConfigError::file(path, error))?;
    Crosswalk::with(&text).map_err(|error| ConfigError::Crosswalk {
        path: path.to_owned(),
        error,
    })
}

/// A scheme (RFC 3986, section 3.1) that no other files have.
fn scheme_of_objects<'de, D: serde::Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let scheme = String::deserialize(source)?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    match is_scheme && scheme != PUBLIC {
        true => Ok(scheme),
        false => Err(serde::de::Error::custom(format!(
            "`{scheme}` is no scheme for the repository's files: letters, digits and `+-.`, not `{PUBLIC}`"
        ))),
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            name: "Isolario".into(),
            base_url: None,
            repository_scheme: "fedora".into(),
            time_zone: "UTC".into(),
            server: ServerRules::default(),
            lan: LanRules::default(),
            limits: Limits::default(),
            tokens: TokenRules::default(),
            rest: RestRules::default(),
            log: LogRules::default(),
            backup: BackupRules::default(),
            bytes: None,
            fixity: FixityRules::default(),
            derivatives: DerivativeRules::default(),
            files: FileRules::default(),
            folders: Some(FolderRules::default()),
            harvesting: HarvestRules::default(),
            openid_connect: None,
            watch: Vec::new(),
            crosswalk: Crosswalk::default(),
        }
    }
}

impl Default for ServerRules {
    fn default() -> Self {
        ServerRules {
            address: IpAddr::from([127, 0, 0, 1]),
            port: None,
            allowed_hosts: Vec::new(),
        }
    }
}

impl Default for LogRules {
    fn default() -> Self {
        LogRules {
            requests: true,
            megabytes: 10,
            kept_files: 5,
        }
    }
}

impl Default for BackupRules {
    fn default() -> Self {
        BackupRules {
            directory: None,
            every_hours: 24,
        }
    }
}

impl Default for FixityRules {
    fn default() -> Self {
        FixityRules {
            enabled: true,
            pass_days: 90,
            max_mb_per_second: 10.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_says_what_the_defaults_are() {
        let written: Config = toml::from_str(FIRST).expect("the first file can be read");
        assert_eq!(format!("{written:?}"), format!("{:?}", Config::default()));
    }

    #[test]
    fn an_unknown_key_is_named() {
        let error = toml::from_str::<Config>("[server]\nadress = \"::1\"").expect_err("refused");
        assert!(error.to_string().contains("adress"), "{error}");
    }

    #[test]
    fn the_repository_scheme_is_a_scheme_of_its_own() {
        let scheme = |name: &str| {
            let read = toml::from_str::<Config>(&format!("repository_scheme = {name:?}"));
            read.map(|config| config.repository_scheme)
        };
        assert_eq!(scheme("s3+ocfl").expect("a scheme"), "s3+ocfl");
        for wrong in ["", "public", "1st", "a b", "a/b", "a:", "é"] {
            let error = scheme(wrong).expect_err(wrong).to_string();
            assert!(error.contains("repository_scheme"), "{error}");
        }
    }
}
