//! Stores derivatives, by the same action as every upload.

use isolario_model::content::file_url;
use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use serde_json::{Map, Value};

use super::prepare::{DerivativePlace, DerivativeTask};
use crate::actions::ingest::{self, Body};
use crate::actions::upload_media::{Destination, Upload, admit, commit_staged};
use crate::actions::{Author, Precondition, Refusal, write_entity};
use crate::repository::Repository;
use isolario_blobs::{StagedBlob, name};
use isolario_db::{DbError, Ending, Write};
use isolario_disk::faults;
use isolario_model::content::{DerivativeState, EntityKind, FileUri, MimeType};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, Subject, permit};

/// What the derivative process reports about its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivativeOutput {
    pub mime: MimeType,
    /// Without the dot.
    pub extension: String,
}

/// Stages the bytes of a derivative while they are made.
///
/// # Errors
/// As an upload's.
pub async fn stage<S, E>(repository: &Repository, chunks: S) -> Result<StagedBlob, Refusal>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: Display,
{
    let body = Body {
        chunks,
        declared: None,
        checksums: Vec::new(),
        asked: Vec::new(),
    };
    ingest::receive(&repository.blobs, None, body).await
}

/// Stores a derivative: as a media of the original's item and owner, or as the next version of the former derivative.
/// The same transaction sets the state of its job, so it is stored once.
///
/// # Errors
/// `Lost` when the original or the former derivative has changed meanwhile, or when the job was removed; else as an
/// upload's.
pub async fn store_derivative(
    repository: &Arc<Repository>,
    task: &DerivativeTask,
    staged: StagedBlob,
    product: &DerivativeOutput,
) -> Result<(), Refusal> {
    let Some(place) = &task.place else {
        return Err(gone());
    };
    let media_type = media_type(&task.derivative.kind, &product.mime);
    let (fits, stale) = match &place.existing {
        Some(media) if media.bundle == media_type => (Some(media.revision), false),
        Some(_) => (None, true),
        None => (None, false),
    };
    if stale {
        withdraw(repository, task, place).await?;
    }
    let upload = Upload {
        destination: Destination::Use {
            nid: place.nid,
            media_type: media_type.into(),
            use_tid: place.use_tid,
        },
        content_type: Some(product.mime.to_string()),
        location: Some(location(repository, task, &product.extension)),
        expected: fits.map_or(Precondition::Nothing, |revision| {
            Precondition::Revisions(vec![revision])
        }),
    };
    let admission = admit(repository, &Actor::program(), author(task), upload)?;
    let admission = admission.like(&task.original);
    let id = task.derivative.id;
    commit_staged(repository, admission, staged, move |write, uploaded| {
        let mut ending = Ending::new(DerivativeState::Made, None);
        ending.product = Some(uploaded.mid);
        end(write, id, &ending)
    })
    .await?;
    faults::point("derived");
    Ok(())
}

/// Stores the facts that were read out of the original.
///
/// # Errors
/// `Lost` when the job was removed.
pub async fn store_facts(
    repository: &Repository,
    task: &DerivativeTask,
    facts: Map<String, Value>,
) -> Result<(), Refusal> {
    let (id, version) = (
        task.derivative.id,
        (task.derivative.fid, task.derivative.version),
    );
    let write = repository.db.write(move |write| {
        write.set_file_facts(version, &facts, now())?;
        end(write, id, &Ending::new(DerivativeState::Made, None))
    });
    write.await
}

/// Records how a job ended that made no derivative. A derivative of former bytes goes to the trash when none can be
/// made of the current bytes.
///
/// # Errors
/// What the database refuses.
pub async fn record_ending(
    repository: &Arc<Repository>,
    id: i64,
    task: Option<&DerivativeTask>,
    ending: Ending,
) -> Result<(), Refusal> {
    if let Some(task) = task
        && let Some(place) = &task.place
        && matches!(
            ending.state,
            DerivativeState::Refused | DerivativeState::Failed | DerivativeState::Lacking
        )
    {
        withdraw(repository, task, place).await?;
    }
    let write = repository.db.write(move |write| -> Result<(), DbError> {
        write.end_derivative(id, &ending, now())?;
        Ok(())
    });
    Ok(write.await?)
}

/// Moves the derivative of former bytes to the trash, unless somebody has replaced it.
async fn withdraw(
    repository: &Repository,
    task: &DerivativeTask,
    place: &DerivativePlace,
) -> Result<(), Refusal> {
    let Some(existing) = &place.existing else {
        return Ok(());
    };
    let (mid, revision, author) = (existing.id, existing.revision, author(task));
    let write = repository.db.write(move |write| -> Result<(), Refusal> {
        match write.entity(EntityKind::Media, mid)? {
            Some(media) if media.revision == revision => {
                let subject = Subject::of(&media);
                let permitted = permit(&Actor::program(), Operation::Delete, &subject)?;
                Ok(write_entity::delete(write, &permitted, &media, &author)?)
            }
            _ => Err(gone()),
        }
    });
    write.await
}

fn end(write: &mut Write<'_>, id: i64, ending: &Ending) -> Result<(), Refusal> {
    match write.end_derivative(id, ending, now())? {
        true => Ok(()),
        false => Err(gone()),
    }
}

fn gone() -> Refusal {
    Refusal::Lost("Things have changed since work on this began. Nothing was kept.".into())
}

fn author(task: &DerivativeTask) -> Author {
    Author {
        uid: task.original.owner(),
        origin: Origin::Derivative,
        at: now(),
        log: Some(format!(
            "Made of {} (file {}, version {}{})",
            task.file.filename,
            task.file.fid,
            task.file.version,
            adjusted(task)
        )),
        batch: None,
    }
}

/// Region and rotation, where there are any.
fn adjusted(task: &DerivativeTask) -> String {
    let adjustment = task.derivative.adjustment.as_ref();
    adjustment.map_or_else(String::new, |text| format!(", {text}"))
}

fn media_type(kind: &str, mime: &str) -> &'static str {
    match (kind, mime.split('/').next().unwrap_or_default()) {
        ("text", _) => "extracted_text",
        (_, "video") => "video",
        (_, "audio") => "audio",
        _ => "image",
    }
}

/// The address of a derivative, beside the original: `scans/a.tif` → `scans/a-thumbnail.jpg`.
fn location(repository: &Repository, task: &DerivativeTask, extension: &str) -> String {
    let mark = format!("-{}", task.derivative.kind);
    beside(
        repository,
        &task.file.uri,
        task.original.id,
        &mark,
        extension,
    )
}

/// The address of what is made of an original file: that of the file with a mark. `mid` is the media of the original.
pub(in crate::actions) fn beside(
    repository: &Repository,
    original: &FileUri,
    mid: i64,
    mark: &str,
    extension: &str,
) -> String {
    let (directory, basename) = match original.path.rsplit_once('/') {
        Some((directory, basename)) => (format!("{directory}/"), basename),
        None => (String::new(), original.path.as_str()),
    };
    let stem = match basename.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => basename,
    };
    let path = name::marked(&format!("{directory}{stem}.{extension}"), mark);
    let beside = FileUri::new(&original.scheme, &path).to_string();
    match repository.blobs.parse_uri(&beside) {
        Ok(_) => beside,
        // A scheme that is no longer configured, or a path that is too long.
        Err(_) => format!("{}://derivatives/{mid}{mark}.{extension}", file_url::PUBLIC),
    }
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}
