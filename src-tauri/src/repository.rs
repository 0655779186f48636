//! One open repository: its data directory, database, bytes, model and configuration. Every door
//! works on this.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use crate::actions::resumable_upload::Turns;
use crate::api::RequestLog;
use crate::auth::authenticator::Authenticator;
use crate::backup::BackupNow;
use crate::blobs::Blobs;
use crate::cli::config::Config;
use crate::content::ContentModel;
use crate::db::Db;
use crate::fixity::Audit;
use crate::jobs::Derivatives;
use crate::lan::Lan;
use crate::watch::Watch;

/// Through which door a change came; kept with revisions and events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    Window,
    Rest,
    Command,
    /// A watched folder.
    Watch,
    /// The audit of stored bytes.
    Fixity,
    /// What is made of original files by itself.
    Derivative,
}

impl Door {
    /// Every door.
    pub const ALL: [Door; 6] = [
        Door::Window,
        Door::Rest,
        Door::Command,
        Door::Watch,
        Door::Fixity,
        Door::Derivative,
    ];

    /// The word for it in events and logs.
    pub fn name(self) -> &'static str {
        match self {
            Door::Window => "window",
            Door::Rest => "rest",
            Door::Command => "command",
            Door::Watch => "watch",
            Door::Fixity => "fixity",
            Door::Derivative => "derivative",
        }
    }
}

/// Since when and where a repository is served.
#[derive(Debug, Clone, Copy)]
pub struct Serving {
    /// Unix seconds.
    pub since: i64,
    /// What is spoken here is plain HTTP.
    pub address: SocketAddr,
}

impl Serving {
    /// From now on, at an address.
    pub fn at(address: SocketAddr) -> Serving {
        Serving {
            since: chrono::Utc::now().timestamp(),
            address,
        }
    }

    /// A sentence, where other machines are served without encryption.
    pub fn warning(&self) -> Option<String> {
        (!self.address.ip().is_loopback()).then(|| {
            format!(
                "Other machines can reach {} without encryption: whoever is on the way can read passwords and everything else. [lan] in config.toml serves them encrypted.",
                self.address
            )
        })
    }
}

/// An open repository. Shared by all doors.
pub struct Repository {
    pub directory: PathBuf,
    pub config: Config,
    pub db: Db,
    pub blobs: Blobs,
    pub model: Arc<ContentModel>,
    pub authenticator: Authenticator,
    pub request_log: RequestLog,
    /// The switch of the local network.
    pub lan: Lan,
    /// How things stand in the watched folders.
    pub watch: Watch,
    /// How things stand with what is made of original files.
    pub derivatives: Derivatives,
    /// How fast stored bytes are verified.
    pub audit: Audit,
    /// The backup that somebody has asked for.
    pub backup: BackupNow,
    /// Set when it is served.
    pub serving: OnceLock<Serving>,
    /// Uploads that come in parts, and whose turn it is.
    pub uploading: Turns,
    /// Cancelled when the program is about to close; answers that would never end, end then.
    pub closing: CancellationToken,
}

impl Repository {
    /// Path of the data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}
