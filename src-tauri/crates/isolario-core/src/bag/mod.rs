//! An item with everything below it as a bag (BagIt 1.0, RFC 8493): its files, its descriptions in the customary formats,
//! its history and the terms that it refers to (docs/BAGS.md). `check` and `files` read those of others, too.
//!
//! Items are read one after the other, each in a snapshot of its own, and written at once. What grows with the bag, the
//! manifest, waits on the disk.

mod check;
mod fault;
mod files;
mod history;
mod identity;
mod item;
mod manifest;
mod receive;
mod write;
mod zip_files;

pub use check::{CheckedBag, check_bag};
pub use fault::BagFault;
pub use files::BagFiles;
pub use identity::derived_uuid;
pub use receive::{StagedBag, receive_bag, remove_staged};

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::Utc;
use futures_util::Stream;

use crate::actions::Refusal;
use crate::actions::view_entity::visible_target;
use crate::byte_stream::made_while_read;
use crate::container::{Container, FolderContainer, ZipContainer, names};
use crate::export::ExportError;
use crate::progress::ReportProgress;
use crate::repository::Repository;
use isolario_blobs::local_copy::write_copy;
use isolario_db::DbError;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;
use item::BagReader;
use write::BagWriter;

/// Why a bag ended early.
#[derive(Debug, thiserror::Error)]
pub enum BagError {
    /// The policy, the content or the database says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It cannot be written: the disk is full, or the reader has gone.
    #[error("the bag cannot be written: {0}")]
    Output(#[from] std::io::Error),
    /// Files whose bytes are not those that arrived.
    #[error("these files are damaged:\n{}", .0.join("\n"))]
    Damaged(Vec<String>),
}

impl From<BagError> for Refusal {
    fn from(error: BagError) -> Refusal {
        match error {
            BagError::Refused(refusal) => refusal,
            BagError::Output(error) => Refusal::disk(&error),
            damaged @ BagError::Damaged(_) => Refusal::Storage(damaged.to_string()),
        }
    }
}

impl From<ExportError> for BagError {
    fn from(error: ExportError) -> BagError {
        match error {
            ExportError::Refused(refusal) => BagError::Refused(refusal),
            ExportError::Output(error) => BagError::Output(error),
        }
    }
}

impl From<DbError> for BagError {
    fn from(error: DbError) -> BagError {
        BagError::Refused(error.into())
    }
}

/// What a bag holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BagSummary {
    pub items: u64,
    /// Of the payload.
    pub files: u64,
    pub bytes: u64,
}

/// A bag that is about to be written.
pub struct Bag {
    reader: Arc<BagReader>,
    /// Name of the repository.
    organization: String,
    title: String,
    uuid: String,
}

impl Bag {
    /// Begins a bag of an item with everything below it that the actor may view. `base` is the scheme and host of
    /// addresses.
    ///
    /// # Errors
    /// `NotFound` for an item that is not there for the actor.
    pub async fn begin(
        repository: &Arc<Repository>,
        actor: &Actor,
        nid: i64,
        base: &str,
    ) -> Result<Bag, Refusal> {
        let asking = actor.clone();
        let found = repository.db.read(move |read| {
            let kind = EntityKind::Node;
            let target = visible_target(read, &asking, kind, nid)?;
            let target = target.ok_or(Refusal::NotFound { kind, id: nid })?;
            Ok::<_, Refusal>((target, read.identity()?.name))
        });
        let (target, name) = found.await?;
        let base = repository.config.base_url.as_deref().unwrap_or(base);
        Ok(Bag {
            reader: Arc::new(BagReader {
                repository: repository.clone(),
                actor: actor.clone(),
                top: nid,
                base: base.to_owned(),
            }),
            organization: name.unwrap_or_else(|| repository.config.name.clone()),
            title: target.label,
            uuid: target.uuid,
        })
    }

    /// A name for it: number and title.
    #[must_use]
    pub fn name(&self) -> String {
        names::folder(self.reader.top, &self.title)
    }

    /// The bytes of a ZIP with the bag in one folder. They are made while they are read. A stream that ends with an error
    /// is no whole bag.
    pub fn into_zip(
        self,
        folder: String,
        say: Arc<ReportProgress>,
    ) -> impl Stream<Item = Result<Bytes, BagError>> + Send + 'static {
        self.zip(folder, say, Arc::default())
    }

    fn zip(
        self,
        folder: String,
        say: Arc<ReportProgress>,
        summary: Arc<Mutex<BagSummary>>,
    ) -> impl Stream<Item = Result<Bytes, BagError>> + Send + 'static {
        made_while_read(async move |output| {
            let staging = self.reader.repository.directory.join("staging");
            let zip = ZipContainer::new(output, &staging, Utc::now(), 0)?;
            let container = Container::Zip(zip, folder);
            let written = BagWriter::new(self, container, say)?.write().await?;
            *summary.lock().unwrap_or_else(PoisonError::into_inner) = written;
            Ok(())
        })
    }

    /// Writes a ZIP on this machine. It is complete or untouched.
    ///
    /// # Errors
    /// What the bag refuses, and what the disk does.
    pub async fn into_zip_file(
        self,
        target: &Path,
        say: Arc<ReportProgress>,
    ) -> Result<BagSummary, BagError> {
        let folder = target.file_stem().and_then(|stem| stem.to_str());
        let folder = folder.filter(|stem| names::is_portable(stem));
        let folder = folder.map_or_else(|| self.name(), str::to_owned);
        let summary = Arc::new(Mutex::new(BagSummary::default()));
        let bytes = Box::pin(self.zip(folder, say, summary.clone()));
        match write_copy(target, bytes).await {
            Ok(()) => Ok(*summary.lock().unwrap_or_else(PoisonError::into_inner)),
            // The reason of the bag itself, where it has ended early.
            Err(error) => Err(error.downcast().unwrap_or_else(BagError::Output)),
        }
    }

    /// Writes a folder on this machine, or goes on with one. It gets its name when it is whole.
    ///
    /// # Errors
    /// As `into_zip_file`.
    pub async fn into_folder(
        self,
        target: &Path,
        say: Arc<ReportProgress>,
    ) -> Result<BagSummary, BagError> {
        let container = Container::Folder(FolderContainer::open(target)?);
        BagWriter::new(self, container, say)?.write().await
    }
}
