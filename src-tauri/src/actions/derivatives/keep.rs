//! What was made comes in, by the same action as every upload.

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;
use serde_json::{Map, Value};

use super::prepare::{Place, Task};
use crate::actions::arrival::{self, Body};
use crate::actions::upload_media::{Destination, Upload, admit, keep_staged};
use crate::actions::{Author, Expected, Refusal, store};
use crate::auth::Actor;
use crate::blobs::{Staged, address, name};
use crate::content::{DerivativeState, EntityKind, FileUri};
use crate::db::{DbError, Ending, Write};
use crate::faults;
use crate::repository::{Door, Repository};

/// What the maker says of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub mime: String,
    /// Without the dot.
    pub extension: String,
}

/// Takes the bytes of a product in as they are made.
///
/// # Errors
/// As an upload's.
pub async fn stage<S, E>(repository: &Repository, chunks: S) -> Result<Staged, Refusal>
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
    arrival::receive(&repository.blobs, body).await
}

/// Makes a product known: as a media of the original's item and owner, or as the next version of the one that was
/// made before. In the same transaction its row says that it is made, so it is kept once.
///
/// # Errors
/// `Lost` when the original or what is in the product's place has changed meanwhile, or when nobody wants the product
/// any more; else as an upload's.
pub async fn keep(
    repository: &Arc<Repository>,
    task: &Task,
    staged: Staged,
    product: &Product,
) -> Result<(), Refusal> {
    let Some(place) = &task.place else {
        return Err(gone());
    };
    let media_type = media_type(&task.derivative.kind, &product.mime);
    let (fits, stale) = match &place.standing {
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
        content_type: Some(product.mime.clone()),
        location: Some(location(repository, task, &product.extension)),
        expected: fits.map_or(Expected::Nothing, |revision| {
            Expected::Revisions(vec![revision])
        }),
    };
    let admission = admit(repository, &Actor::program(), author(task), upload).await?;
    let admission = admission.like(&task.original);
    let id = task.derivative.id;
    keep_staged(repository, admission, staged, move |write, uploaded| {
        let mut ending = Ending::new(DerivativeState::Made, None);
        ending.product = Some(uploaded.mid);
        end(write, id, &ending)
    })
    .await?;
    faults::point("derived");
    Ok(())
}

/// Keeps what the bytes of the original say about themselves.
///
/// # Errors
/// `Lost` when nobody wants to know any more.
pub async fn keep_facts(
    repository: &Repository,
    task: &Task,
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

/// Notes how the work on a product ended that was not made. What shows former bytes goes into the trash where of the
/// present ones nothing can be made.
///
/// # Errors
/// What the database refuses.
pub async fn note(
    repository: &Arc<Repository>,
    id: i64,
    task: Option<&Task>,
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

/// Puts what was made of former bytes into the trash, if it is still what it was.
async fn withdraw(repository: &Repository, task: &Task, place: &Place) -> Result<(), Refusal> {
    let Some(standing) = &place.standing else {
        return Ok(());
    };
    let (mid, revision, author) = (standing.id, standing.revision, author(task));
    let write = repository.db.write(move |write| -> Result<(), Refusal> {
        match write.entity(EntityKind::Media, mid)? {
            Some(media) if media.revision == revision => Ok(store::delete(write, &media, &author)?),
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

fn author(task: &Task) -> Author {
    Author {
        uid: task.original.owner(),
        door: Door::Derivative,
        at: now(),
        log: Some(format!(
            "Made of {} (file {}, version {})",
            task.file.filename, task.file.fid, task.file.version
        )),
    }
}

fn media_type(kind: &str, mime: &str) -> &'static str {
    match (kind, mime.split('/').next().unwrap_or_default()) {
        ("text", _) => "extracted_text",
        (_, "video") => "video",
        (_, "audio") => "audio",
        _ => "image",
    }
}

/// Beside the original, under its name with a mark: `scans/a.tif` → `scans/a-thumbnail.jpg`.
fn location(repository: &Repository, task: &Task, extension: &str) -> String {
    let (original, kind) = (&task.file.uri, &task.derivative.kind);
    let (directory, basename) = match original.path.rsplit_once('/') {
        Some((directory, basename)) => (format!("{directory}/"), basename),
        None => (String::new(), original.path.as_str()),
    };
    let stem = match basename.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => basename,
    };
    let path = name::marked(
        &format!("{directory}{stem}.{extension}"),
        &format!("-{kind}"),
    );
    let beside = FileUri::new(&original.scheme, &path).to_string();
    match repository.blobs.parse_uri(&beside) {
        Ok(_) => beside,
        // A scheme that is no longer configured, or a path that is too long.
        Err(_) => format!(
            "{}://derivatives/{}-{kind}.{extension}",
            address::PUBLIC,
            task.original.id
        ),
    }
}

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}
