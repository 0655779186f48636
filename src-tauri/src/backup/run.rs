//! Making a backup.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{SecondsFormat, Utc};
use tokio::sync::OwnedRwLockReadGuard;
use tokio_util::sync::CancellationToken;

use super::contents::{Contents, Gathered, in_words};
use super::files::{beside, kept_by};
use super::manifest::{DATABASE, Damage, Entry, FORMAT, HEAD, Head, entries, read_head};
use super::pool::{Pool, make_directory, sum};
use super::target::Target;
use super::{BackupError, Progress};
use crate::db::{forget_unfinished_uploads, in_copy};
use crate::repository::Repository;

/// What a backup has done.
#[derive(Debug, Clone)]
pub struct Summary {
    pub folder: PathBuf,
    pub head: Head,
    /// Files that were not there yet.
    pub copied: u64,
    /// Their size.
    pub copied_bytes: u64,
}

impl Summary {
    /// What a person wants to know.
    pub fn in_words(&self) -> String {
        let mut text = format!(
            "{} holds {} now: {} files, {}. {} of them were new ({}).",
            self.folder.display(),
            self.head.repository,
            self.head.files,
            in_words(self.head.bytes),
            self.copied,
            in_words(self.copied_bytes),
        );
        if let Some(complaint) = self.complaint() {
            text.push('\n');
            text.push_str(&complaint);
        }
        text
    }

    /// What could not be backed up, one a line.
    pub fn complaint(&self) -> Option<String> {
        let damaged = self.head.damaged.iter();
        let lines = damaged.map(|Damage { name, why }| format!("Not backed up: {name}: {why}"));
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Backs a repository up into a folder, while it goes on. Only what is not there yet is copied, and
/// read through its checksum; what the repository no longer has goes from the folder once the new
/// backup counts.
///
/// # Errors
/// In plain words; the former backup is untouched then.
pub(super) async fn back_up(
    repository: &Repository,
    folder: &Path,
    progress: Arc<Progress>,
) -> Result<Summary, BackupError> {
    // Whoever waits may go away: the folder stays taken until the work is done.
    let target = Arc::new(Target::take(folder, &repository.directory)?);
    let folder = target.folder.clone();
    let pool = Arc::new(Pool::open(&folder).map_err(BackupError::disk(&folder))?);
    let former = former_entries(&folder, &*progress)?;
    // What the copy of the database says of places has to hold until the last file is read.
    let staying = repository.blobs.staying().await;
    let made = Utc::now();
    copy_database(repository, &pool, progress.clone()).await?;
    let job = Run {
        data_directory: repository.directory.clone(),
        blobs: repository.blobs.clone(),
        _staying: staying,
        pool,
        closing: repository.closing.clone(),
        target,
        repository: repository.config.name.clone(),
        made: made.to_rfc3339_opts(SecondsFormat::Secs, true),
    };
    let done = tokio::task::spawn_blocking(move || job.run(former, &*progress)).await;
    done.map_err(|error| BackupError::Broken(error.to_string()))?
}

fn former_entries(
    folder: &Path,
    progress: &Progress,
) -> Result<HashMap<String, Entry>, BackupError> {
    let Some(head) = read_head(folder)? else {
        return Ok(HashMap::new());
    };
    match entries(folder, &head) {
        Err(BackupError::Damaged { why, .. }) => {
            progress(format!(
                "The former backup is damaged, everything is copied anew: {why}"
            ));
            Ok(HashMap::new())
        }
        outcome => outcome,
    }
}

async fn copy_database(
    repository: &Repository,
    pool: &Pool,
    progress: Arc<Progress>,
) -> Result<(), BackupError> {
    let copy = pool.unfinished(DATABASE);
    match std::fs::remove_file(&copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(BackupError::disk(copy)(error));
        }
        _ => {}
    }
    let said = std::sync::atomic::AtomicU32::new(0);
    let copied = repository.db.copy_to(&copy, move |done, all| {
        let tenth = u64::from(done) * 10 / u64::from(all.max(1));
        let tenth = u32::try_from(tenth).unwrap_or(10);
        if said.swap(tenth, std::sync::atomic::Ordering::Relaxed) != tenth {
            progress(format!("Database: {} % …", tenth * 10));
        }
    });
    Ok(copied.await?)
}

/// One run, off the async threads.
struct Run {
    data_directory: PathBuf,
    blobs: crate::blobs::Blobs,
    _staying: OwnedRwLockReadGuard<()>,
    pool: Arc<Pool>,
    closing: CancellationToken,
    target: Arc<Target>,
    repository: String,
    made: String,
}

impl Run {
    fn run(
        self,
        former: HashMap<String, Entry>,
        progress: &Progress,
    ) -> Result<Summary, BackupError> {
        let mut contents = Contents::new(&self.pool, former, progress);
        let mut gathered = Gathered::begin(&self.pool)?;
        let database = self.pool.unfinished(DATABASE);
        forget_unfinished_uploads(&database)?;
        in_copy(&database, |read| {
            let unsound = read.unsoundness()?;
            if !unsound.is_empty() {
                return Err(BackupError::Unsound(unsound));
            }
            kept_by(&self.blobs, read, &mut |wanted| {
                self.go_on()?;
                contents.gather(&wanted, &mut gathered)
            })
        })?;
        beside(&self.data_directory, &mut |wanted| {
            contents.gather(&wanted, &mut gathered)
        })?;
        self.take_database(&mut gathered)?;
        let (copied, copied_bytes) = (contents.copied, contents.copied_bytes);
        let named = std::mem::take(&mut gathered.named);
        let head = self.publish(gathered)?;
        // From here on the new backup counts.
        let pruned = self
            .pool
            .prune(&named)
            .and_then(|_| self.prune_manifests(&head));
        pruned.map_err(BackupError::disk(&self.target.folder))?;
        Ok(Summary {
            folder: self.target.folder.clone(),
            head,
            copied,
            copied_bytes,
        })
    }

    fn go_on(&self) -> Result<(), BackupError> {
        match self.closing.is_cancelled() {
            true => Err(BackupError::Broken("the program is closing".into())),
            false => Ok(()),
        }
    }

    fn take_database(&self, gathered: &mut Gathered) -> Result<(), BackupError> {
        let copy = self.pool.unfinished(DATABASE);
        let (sha512, size) = sum(&copy).map_err(BackupError::disk(&copy))?;
        let adopted = self.pool.adopt(&copy, &sha512);
        adopted.map_err(BackupError::disk(&copy))?;
        gathered.name(&Entry {
            name: DATABASE.into(),
            size,
            sha512,
            modified: None,
        })
    }

    /// Everything on disk, then the manifest, then the head in place of the former one.
    fn publish(&self, gathered: Gathered) -> Result<Head, BackupError> {
        let failed = || BackupError::disk(&self.target.folder);
        let (files, bytes) = (gathered.manifest.files, gathered.manifest.bytes);
        let (written, manifest_sha512) = gathered.manifest.finish().map_err(failed())?;
        let name = format!("manifests/{}.jsonl", &manifest_sha512[..32]);
        let manifest = self.target.folder.join(&name);
        let head = Head {
            format: FORMAT,
            program: concat!("isolario ", env!("CARGO_PKG_VERSION")).into(),
            repository: self.repository.clone(),
            made: self.made.clone(),
            manifest: name,
            manifest_sha512,
            files,
            bytes,
            damaged: gathered.damaged,
        };
        let switch = || -> io::Result<()> {
            make_directory(manifest.parent().unwrap_or(&self.target.folder))?;
            std::fs::rename(written, &manifest)?;
            let new = self.pool.unfinished("head");
            std::fs::write(&new, serde_json::to_vec_pretty(&head)?)?;
            self.sync()?;
            std::fs::rename(new, self.target.folder.join(HEAD))?;
            self.sync()
        };
        switch().map_err(failed())?;
        Ok(head)
    }

    /// A backup is many small files: they go to the disk together.
    fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(std::fs::File::open(
            &self.target.folder,
        )?)?)
    }

    fn prune_manifests(&self, head: &Head) -> io::Result<()> {
        let current = self.target.folder.join(&head.manifest);
        for entry in self.target.folder.join("manifests").read_dir()? {
            let path = entry?.path();
            if path != current {
                std::fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}
