//! Makes a backup.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{SecondsFormat, Utc};
use tokio::sync::{OwnedMutexGuard, OwnedRwLockReadGuard};
use tokio_util::sync::CancellationToken;

use super::BackupError;
use super::contents::{Contents, ManifestDraft, in_words};
use super::files::{beside, stored_by};
use super::manifest::{DamagedFile, Entry, FORMAT, HEAD, ManifestHead, entries, read_head};
use super::pool::{Pool, make_directory, sum};
use super::target::Target;
use crate::progress::ReportProgress;
use crate::repository::Repository;
use isolario_db::DATABASE;
use isolario_db::{forget_unfinished_uploads, look_into};
use isolario_disk::durable::sync_disk;
use isolario_platform::files;

/// The outcome of a backup.
#[derive(Debug, Clone)]
pub struct Summary {
    pub folder: PathBuf,
    pub head: ManifestHead,
    /// Files that the former backup did not have.
    pub copied: u64,
    /// Their size.
    pub copied_bytes: u64,
    /// Versions of files that lie in a bucket and are not copied.
    pub in_bucket: u64,
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
        if self.in_bucket > 0 {
            let count = self.in_bucket;
            text.push_str(&format!(
                "\n{count} versions of files lie in the bucket and are not copied: its own versioning keeps them (docs/GROWING.md)."
            ));
        }
        if let Some(complaint) = self.complaint() {
            text.push('\n');
            text.push_str(&complaint);
        }
        text
    }

    /// What could not be backed up, one a line.
    pub fn complaint(&self) -> Option<String> {
        let damaged = self.head.damaged.iter();
        let lines =
            damaged.map(|DamagedFile { name, why }| format!("Not backed up: {name}: {why}"));
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Backs up a repository into a folder while the repository is in use. It copies the missing contents only, and
/// verifies their checksums. When the new backup is complete, it removes the contents that the repository no longer
/// has.
///
/// # Errors
/// In plain words. The former backup is then unchanged.
pub(super) async fn back_up(
    repository: &Repository,
    folder: &Path,
    progress: Arc<ReportProgress>,
) -> Result<Summary, BackupError> {
    // Whoever waits may go away: the folder stays taken until the work is done.
    let target = Arc::new(Target::take(folder, &repository.directory)?);
    let folder = target.folder.clone();
    let pool = Arc::new(Pool::open(&folder).map_err(BackupError::disk(&folder))?);
    let former = former_entries(&folder, &*progress)?;
    // Records that were written after the copy would be newer than it, and their work not noted in it.
    let recording = repository.recording.clone().lock_owned().await;
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
    let done = tokio::task::spawn_blocking(move || job.run(former, recording, &*progress)).await;
    done.map_err(|error| BackupError::Broken(error.to_string()))?
}

fn former_entries(
    folder: &Path,
    progress: &ReportProgress,
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
    progress: Arc<ReportProgress>,
) -> Result<(), BackupError> {
    let copy = pool.unfinished(DATABASE);
    match files::remove_file(&copy) {
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
    blobs: isolario_blobs::Blobs,
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
        recording: OwnedMutexGuard<()>,
        progress: &ReportProgress,
    ) -> Result<Summary, BackupError> {
        let mut contents = Contents::new(&self.pool, former, progress);
        let mut draft = ManifestDraft::begin(&self.pool)?;
        beside(&self.data_directory, &mut |wanted| {
            self.go_on()?;
            contents.gather(&wanted, &mut draft)
        })?;
        drop(recording);
        let database = self.pool.unfinished(DATABASE);
        forget_unfinished_uploads(&database)?;
        let in_bucket = look_into(&database, |read| {
            let unsound = read.unsoundness()?;
            if !unsound.is_empty() {
                return Err(BackupError::Unsound(unsound));
            }
            stored_by(&self.blobs, read, &mut |wanted| {
                self.go_on()?;
                contents.gather(&wanted, &mut draft)
            })
        })?;
        self.take_database(&mut draft)?;
        let (copied, copied_bytes) = (contents.copied, contents.copied_bytes);
        let named = std::mem::take(&mut draft.named);
        let head = self.publish(draft)?;
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
            in_bucket,
        })
    }

    fn go_on(&self) -> Result<(), BackupError> {
        match self.closing.is_cancelled() {
            true => Err(BackupError::Broken("the program is closing".into())),
            false => Ok(()),
        }
    }

    fn take_database(&self, draft: &mut ManifestDraft) -> Result<(), BackupError> {
        let copy = self.pool.unfinished(DATABASE);
        let (sha512, size) = sum(&copy).map_err(BackupError::disk(&copy))?;
        let adopted = self.pool.adopt(&copy, &sha512);
        adopted.map_err(BackupError::disk(&copy))?;
        draft.name(&Entry {
            name: DATABASE.into(),
            size,
            sha512,
            modified: None,
        })
    }

    /// Everything on disk, then the manifest, then the head in place of the former one.
    fn publish(&self, draft: ManifestDraft) -> Result<ManifestHead, BackupError> {
        let failed = || BackupError::disk(&self.target.folder);
        let (files, bytes) = (draft.manifest.files, draft.manifest.bytes);
        let (written, manifest_sha512) = draft.manifest.finish().map_err(failed())?;
        let name = format!("manifests/{}.jsonl", &manifest_sha512[..32]);
        let manifest = self.target.folder.join(&name);
        let head = ManifestHead {
            format: FORMAT,
            program: concat!("isolario ", env!("CARGO_PKG_VERSION")).into(),
            repository: self.repository.clone(),
            made: self.made.clone(),
            manifest: name,
            manifest_sha512,
            files,
            bytes,
            damaged: draft.damaged,
        };
        let switch = || -> io::Result<()> {
            make_directory(manifest.parent().unwrap_or(&self.target.folder))?;
            files::rename(written, &manifest)?;
            let new = self.pool.unfinished("head");
            std::fs::write(&new, serde_json::to_vec_pretty(&head)?)?;
            self.sync()?;
            files::rename(new, self.target.folder.join(HEAD))?;
            self.sync()
        };
        switch().map_err(failed())?;
        Ok(head)
    }

    /// Syncs all files together, because a backup has many small ones.
    fn sync(&self) -> io::Result<()> {
        sync_disk(&self.target.folder)
    }

    fn prune_manifests(&self, head: &ManifestHead) -> io::Result<()> {
        let current = self.target.folder.join(&head.manifest);
        for entry in self.target.folder.join("manifests").read_dir()? {
            let path = entry?.path();
            if path != current {
                files::remove_file(path)?;
            }
        }
        Ok(())
    }
}
