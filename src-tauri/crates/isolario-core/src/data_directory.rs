//! Finds, locks and opens the data directory of a repository.

mod database;
mod lock;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use self::lock::{Lock, LockError};
use crate::actions::resumable_upload;
use crate::actions::{Refusal, relocate, seed};
use crate::check::{Aspect, CheckedRepository, Report, check};
use crate::container::Crc32Cache;
use crate::progress::ReportProgress;
use crate::repository::{
    CurrentModel, Repository, SearchState, Signal, TileJobs, UploadLocks, make_records_due,
};
use crate::{audit_log, records};
use isolario_auth::hosts::AllowedHosts;
use isolario_auth::{Authenticator, FailedSignIns, KeyError};
use isolario_blobs::Blobs;
use isolario_config::allowed_folders::AllowedFolders;
use isolario_config::{Config, ConfigError};
use isolario_db::DATABASE;
use isolario_db::{Db, DbError};
use isolario_disk::disk_fault::DiskFault;
use isolario_disk::durable;
use isolario_platform::files::{self, set_mode};

/// Why a data directory could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("There is no place for data on this system. Name one with --data DIR.")]
    NoPlace,
    /// Another program holds it.
    #[error("{path} is in use by another Isolario{process}.", path = path.display(), process = in_words(*.process))]
    Held { path: PathBuf, process: Option<u32> },
    #[error("{path} holds other things and no repository. Name an empty or a new directory.", path = path.display())]
    Foreign { path: PathBuf },
    /// There is no usable database beside the files of a repository.
    #[error("The database in {path} {why}: `isolario rebuild` makes it again from the records, or a backup can be restored into another directory.", path = path.display())]
    LostDatabase { path: PathBuf, why: String },
    /// The database is older than the records, or another one, and would overwrite them; or they cannot tell.
    #[error("The database in {path} does not fit the records beside it ({why}): `isolario rebuild` makes it again from the records, `isolario rebuild --records` keeps it and moves the records aside.", path = path.display())]
    OtherDatabase { path: PathBuf, why: String },
    #[error("Restoring a backup into {path} broke off. Empty the directory and restore again.", path = path.display())]
    HalfRestored { path: PathBuf },
    #[error("{path} cannot be used: {error}.", path = path.display())]
    Directory {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Database(#[from] DbError),
    /// The unfinished resumable uploads could not be read.
    #[error(transparent)]
    Uploads(#[from] Refusal),
}

fn in_words(process: Option<u32>) -> String {
    process.map_or_else(String::new, |id| format!(" (process {id})"))
}

/// The directory that was asked for, otherwise the default of the platform.
///
/// # Errors
/// `OpenError::NoPlace` for an account without a home.
pub fn place(asked_for: Option<PathBuf>) -> Result<PathBuf, OpenError> {
    match asked_for {
        Some(path) => Ok(path),
        None => directories::ProjectDirs::from("", "", "isolario")
            .map(|places| places.data_dir().to_owned())
            .ok_or(OpenError::NoPlace),
    }
}

/// A data directory that this program holds.
pub struct DataDirectory {
    path: PathBuf,
    lock: Lock,
    pub config: Config,
}

impl DataDirectory {
    /// Makes the directory if it is missing, locks it and reads its configuration.
    ///
    /// # Errors
    /// In plain words; `OpenError::Held` when another program was here first.
    pub fn hold(path: &Path) -> Result<DataDirectory, OpenError> {
        let failed = |error| unusable(path, error);
        durable::make_directory(durable::above(path), durable::PRIVATE_DIRECTORY)
            .map_err(failed)?;
        make(path).map_err(failed)?;
        let path = files::canonicalize(path).map_err(failed)?;
        if is_foreign(&path).map_err(failed)? {
            return Err(OpenError::Foreign { path });
        }
        if !path.join(DATABASE).exists() {
            // This run made it, or one that was killed.
            durable::sync_directory(durable::above(&path)).map_err(failed)?;
            close_to_others(&path);
        }
        let lock = Lock::take(&path).map_err(|error| not_held(&path, error))?;
        database::refuse_unfit(&path)?;
        let config = Config::open(&path.join("config.toml"))?;
        Ok(DataDirectory { path, lock, config })
    }

    /// Locks an existing directory, whatever the state of its database.
    ///
    /// # Errors
    /// In plain words; `OpenError::Held` when another program was here first.
    pub fn take(path: PathBuf) -> Result<DataDirectory, OpenError> {
        if !path.join(DATABASE).exists() {
            close_to_others(&path);
        }
        let lock = Lock::take(&path).map_err(|error| not_held(&path, error))?;
        let config = Config::open(&path.join("config.toml"))?;
        Ok(DataDirectory { path, lock, config })
    }

    /// Locks an existing directory for reading, which may be read-only.
    ///
    /// # Errors
    /// In plain words; `OpenError::Held` when another program was here first.
    pub fn inspect(path: &Path) -> Result<DataDirectory, OpenError> {
        let path = files::canonicalize(path).map_err(|error| unusable(path, error))?;
        let lock = Lock::take_to_look(&path).map_err(|error| not_held(&path, error))?;
        let config = Config::read(&path.join("config.toml"))?;
        Ok(DataDirectory { path, lock, config })
    }

    /// Its path, without links and dots.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Stores the port in the configuration, so that addresses stay the same.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep_port(&mut self, port: u16) -> Result<(), ConfigError> {
        let path = self.path.join("config.toml");
        Config::store(&path, "server", "port", i64::from(port))?;
        self.config.server.port = Some(port);
        Ok(())
    }

    /// Checks the repository while nobody else changes it. It changes nothing: it does not migrate, seed or remove
    /// anything.
    pub async fn check(self, say: Arc<ReportProgress>) -> Report {
        let found = database::unreadable(&self.path).and_then(|unreadable| match unreadable {
            None => Db::inspect(&self.path.join(DATABASE)).map(Ok),
            Some(words) => Ok(Err(words)),
        });
        let blobs = match Blobs::inspect(&self.path, &self.config) {
            Ok(blobs) => blobs,
            Err(error) => {
                let words = format!("{error}.");
                return Report::broken_off(&self.path, Aspect::Bytes, &words);
            }
        };
        let words = match found {
            Ok(Ok(db)) => {
                let subject = CheckedRepository {
                    blobs,
                    directory: self.path,
                    db,
                    in_use: false,
                };
                return check(subject, say, &CancellationToken::new()).await;
            }
            Ok(Err(words)) => words,
            Err(error) => format!("It cannot be read: {error}."),
        };
        Report::broken_off(&self.path, Aspect::Database, &words)
    }

    /// Opens the repository. It seeds a new one, and removes what a crash left.
    ///
    /// # Errors
    /// In plain words.
    pub async fn open(self, hosts: AllowedHosts) -> Result<OpenRepository, OpenError> {
        let failed = |error| unusable(&self.path, error);
        let keys = self.path.join("keys");
        make(&keys).map_err(failed)?;
        let db = Db::open(&self.path.join(DATABASE))?;
        let model = seed::seed(&db).await?;
        // Not before the database: records without one are what is left of a repository.
        make(&records::directory(&self.path)).map_err(failed)?;
        let blobs = Blobs::open(&self.path, &self.config).map_err(failed)?;
        claim_bucket(&blobs, &db, &self.path).await?;
        sweep(&blobs, &db, &self.path).await?;
        relocate::carry_out(&db, &blobs).await?;
        let failed_sign_ins = FailedSignIns::open(&self.path, &self.config.log);
        let authenticator = Authenticator::open(&keys, hosts, db.clone(), failed_sign_ins).await?;
        let openid_connect = self.config.openid_connect.clone();
        let authenticator = authenticator.with_openid_connect(openid_connect);
        let folders = allowed_folders(&self.path, &self.config, &db)?;
        // What this run made in there, or one that was killed.
        durable::sync_directory(&self.path).map_err(failed)?;
        let repository = Repository {
            authenticator,
            folders,
            derivatives: Signal::default(),
            batches: Signal::default(),
            search: SearchState::default(),
            tile_jobs: TileJobs::default(),
            page_turn: tokio::sync::Semaphore::new(1),
            row_storing: tokio::sync::Mutex::default(),
            import_turn: Arc::default(),
            harvest_turn: tokio::sync::Mutex::default(),
            checksums_in_zips: Crc32Cache::default(),
            uploading: UploadLocks::default(),
            closing: CancellationToken::new(),
            moving_bytes: tokio::sync::Mutex::default(),
            recording: Arc::default(),
            directory: self.path,
            current_model: CurrentModel::new(model, &self.config),
            config: self.config,
            db,
            blobs,
        };
        Ok(OpenRepository {
            repository: Arc::new(repository),
            _lock: self.lock,
        })
    }
}

/// Adds the table of allowed folders to an older configuration, with the folders that are watched already.
fn allowed_folders(path: &Path, config: &Config, db: &Db) -> Result<AllowedFolders, DbError> {
    let folders = AllowedFolders::new(path, config);
    if config.folders.is_none() {
        let watched = db.read_here(|read| read.watch_rules())?;
        folders.adopt(watched.iter().map(|rule| Path::new(&rule.path)));
    }
    Ok(folders)
}

/// An open repository with its lock.
pub struct OpenRepository {
    pub repository: Arc<Repository>,
    _lock: Lock,
}

fn unusable(path: &Path, error: std::io::Error) -> OpenError {
    let path = path.to_owned();
    OpenError::Directory { path, error }
}

fn not_held(path: &Path, error: LockError) -> OpenError {
    match error {
        LockError::Held(process) => OpenError::Held {
            path: path.to_owned(),
            process,
        },
        LockError::File(error) => unusable(path, error),
    }
}

fn make(path: &Path) -> std::io::Result<()> {
    durable::create(path, durable::PRIVATE_DIRECTORY)
}

/// Removes the rights of others from an existing directory that gets a new repository. The owner may grant them again
/// later.
fn close_to_others(path: &Path) {
    if let Err(error) = set_mode(path, durable::PRIVATE_DIRECTORY) {
        tracing::warn!(%error, "other accounts of this machine may be able to read the data directory");
    }
}

/// The names that a data directory may have before its database is made.
const OWN: [&str; 21] = [
    audit_log::FILE,
    "backups",
    "cache",
    "config.toml",
    "config.toml.new",
    "crosswalk.json",
    "isolario.lock",
    "control.sock",
    "keys",
    "files",
    "incoming",
    "isolario-bucket",
    "logs",
    "ocfl",
    "records",
    "reserve",
    "search",
    "staging",
    "tiles",
    "unsettled",
    "uploads",
];

/// Whether the directory holds things of somebody else, among which ours would be lost.
fn is_foreign(path: &Path) -> std::io::Result<bool> {
    if path.join(DATABASE).exists() {
        return Ok(false);
    }
    for entry in path.read_dir()? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        let ours = OWN.contains(&name.as_ref()) || name.starts_with("isolario");
        if !ours && !name.starts_with('.') && name != "lost+found" {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A bucket that does not answer is looked at later, unless it is new. Metadata and what is cached can be read meanwhile.
async fn claim_bucket(blobs: &Blobs, db: &Db, path: &Path) -> Result<(), OpenError> {
    let prepare = async || make_records_due(db).await;
    let is_known = blobs.knows_its_bucket();
    match blobs.claim_bucket(prepare).await {
        Err(error) if is_known && matches!(DiskFault::of(&error), DiskFault::Store(_)) => {
            tracing::warn!("{error} Uploads are refused until it does.");
            Ok(())
        }
        outcome => outcome.map_err(|error| unusable(path, error)),
    }
}

async fn sweep(blobs: &Blobs, db: &Db, path: &Path) -> Result<(), OpenError> {
    let failed = |error| unusable(path, error);
    let unsettled = blobs.unsettled().map_err(failed)?;
    let known = db
        .read(move |read| -> Result<HashSet<String>, DbError> {
            let mut known = HashSet::new();
            for blob in unsettled {
                if read.blob_is_known(&blob)? {
                    known.insert(blob);
                }
            }
            Ok(known)
        })
        .await?;
    let parts = resumable_upload::clear_up(blobs, db).await?;
    let swept = blobs.sweep(&known).await.map_err(failed)? + parts;
    if swept > 0 {
        tracing::info!(swept, "unfinished uploads were cleared up");
    }
    Ok(())
}
