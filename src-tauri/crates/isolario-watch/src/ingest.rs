//! Ingests one watched file. The transaction that commits its bytes also sets the state of its row, so it is ingested
//! once, whatever happens in between.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};

use super::draft::{Draft, draft, is_part, refuse_early};
use super::folder::look_of;
use super::objects::{owner, parent, place_of, put_into};
use super::outcome::{back_to_seen, note_refusal, settle};
use super::scan::order;
use super::values::Terms;
use super::{WatchedFolder, now};
use isolario_blobs::Algorithm;
use isolario_blobs::local_source::LocalSource;
use isolario_core::actions::create_entity::{Creation, create_entity_and};
use isolario_core::actions::ingest::Body;
use isolario_core::actions::upload_media::{Destination, Upload, admit, receive_and};
use isolario_core::actions::{Author, Precondition, Refusal};
use isolario_core::file_kinds::mime_of;
use isolario_db::DbError;
use isolario_disk::faults;
use isolario_model::content::{EntityKind, FileLook, WatchState, WatchedFile, field_roles};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;
use isolario_model::watch_rule::{Afterwards, Duplicates};

/// How many files that are gone are compared with a new one, to find a renamed file.
const COMPARED: u32 = 50;

/// Why an attempt did not ingest the file.
enum Halt {
    /// The file has changed, so it must settle again.
    Changed,
    /// The rule skips it, or its bytes are known. The row already says so.
    Settled,
    Refused(Refusal),
}

impl<E: Into<Refusal>> From<E> for Halt {
    fn from(error: E) -> Halt {
        Halt::Refused(error.into())
    }
}

/// Ingests a file, and writes the outcome to its row.
pub async fn ingest(watched: Arc<WatchedFolder>, file: WatchedFile) {
    faults::point("ingesting");
    let outcome = try_to_ingest(&watched, &file).await;
    let noted = match outcome {
        Ok(()) => {
            watched.live(watched.id).took(file.look.size);
            Ok(())
        }
        Err(Halt::Settled) => Ok(()),
        Err(Halt::Changed) => back_to_seen(&watched, file.id).await,
        Err(Halt::Refused(refusal)) => note_refusal(&watched, file, refusal).await,
    };
    if let Err(error) = noted {
        tracing::error!(%error, "it could not be noted what became of a file");
    }
    watched.happened();
}

async fn try_to_ingest(watched: &Arc<WatchedFolder>, file: &WatchedFile) -> Result<(), Halt> {
    let actor = owner(watched).await?;
    open(watched, file).await?;
    if let Some(mid) = file.mid {
        return replace(watched, &actor, file, mid).await;
    }
    if is_known_by_another_name(watched, file).await? || is_left_out(watched, &actor, file).await? {
        return Err(Halt::Settled);
    }
    let draft = draft(watched, &actor, &file.path, Terms::Made).await?;
    refuse_early(watched, &actor, &draft, file.look.size)?;
    let nid = item(watched, &actor, file, &draft).await?;
    faults::point("item made");
    let destination = Destination::Use {
        nid,
        media_type: draft.media_type,
        use_tid: draft.use_tid,
    };
    upload(
        watched,
        &actor,
        file,
        destination,
        &draft.mime,
        Some(draft.location),
    )
    .await
}

/// The file, if it is still as it was when it settled.
async fn open(watched: &WatchedFolder, file: &WatchedFile) -> Result<std::fs::File, Halt> {
    let (folder, path) = (watched.folder.clone(), file.path.clone());
    let opened =
        tokio::task::spawn_blocking(move || -> std::io::Result<(std::fs::File, FileLook)> {
            let open = folder.file(&path)?;
            let look = look_of(&open, &open.metadata()?)?;
            Ok((open, look))
        });
    let opened = opened
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))?;
    match opened {
        Ok((open, look)) if look == file.look => Ok(open),
        Ok(_) => Err(Halt::Changed),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Err(Halt::Refused(
            Refusal::Invalid("The program may not read the file.".into()),
        )),
        Err(_) => Err(Halt::Changed),
    }
}

async fn sum(watched: &WatchedFolder, file: &WatchedFile) -> Result<String, Halt> {
    let open = open(watched, file).await?;
    let source = LocalSource::of(open).await.map_err(unreadable)?;
    Ok(source.sha512().await.map_err(unreadable)?)
}

fn unreadable(error: std::io::Error) -> Refusal {
    Refusal::Storage(format!("The file cannot be read: {error}."))
}

/// Makes a new version of a file that was ingested and has changed. A file with another time but the same bytes becomes
/// none.
async fn replace(
    watched: &Arc<WatchedFolder>,
    actor: &Actor,
    file: &WatchedFile,
    mid: i64,
) -> Result<(), Halt> {
    let sha512 = sum(watched, file).await?;
    if file.sha512.as_ref() == Some(&sha512) {
        settle(watched, file.id, |row| row.state = WatchState::Done).await?;
        return Err(Halt::Settled);
    }
    let mime = mime_of(&file.path);
    upload(
        watched,
        actor,
        file,
        Destination::Source { mid },
        &mime,
        None,
    )
    .await
    .map_err(|halt| match halt {
        Halt::Refused(Refusal::NotFound { .. }) => Halt::Refused(Refusal::Invalid(
            "The file has changed, but what it had become has been deleted.".into(),
        )),
        other => other,
    })
}

/// Finds the row of a file that was renamed after its ingest.
async fn is_known_by_another_name(
    watched: &WatchedFolder,
    file: &WatchedFile,
) -> Result<bool, Halt> {
    if watched.rule.afterwards != Afterwards::Leave {
        return Ok(false);
    }
    let (db, id) = (&watched.repository.db, watched.id);
    let mut others = db.read_here(|read| read.watched_files_alike(id, &file.look, COMPARED))?;
    others.retain(|other| {
        watched
            .folder
            .look(&other.path)
            .is_ok_and(|look| look.is_none())
    });
    if others.is_empty() {
        return Ok(false);
    }
    let sha512 = sum(watched, file).await?;
    let Some(mut other) = others
        .into_iter()
        .find(|other| other.sha512.as_ref() == Some(&sha512))
    else {
        return Ok(false);
    };
    let (folder, place_key) = order(&watched.rule, &file.path);
    let gone = file.id;
    (other.path, other.look) = (file.path.clone(), file.look);
    (other.since, other.changed) = (file.since, now());
    db.write(move |write| -> Result<(), DbError> {
        write.delete_watched_file(gone)?;
        write.update_watched_file(&other)?;
        write.place_watched_file(other.id, &folder, &place_key)
    })
    .await?;
    Ok(true)
}

/// Skips or links a file whose bytes the repository has, if the rule says so. It never does so with a page, because all
/// blank pages are alike.
async fn is_left_out(
    watched: &WatchedFolder,
    actor: &Actor,
    file: &WatchedFile,
) -> Result<bool, Halt> {
    if watched.rule.duplicates == Duplicates::Ingest
        || is_part(watched, &file.path)
        || file.nid.is_some()
    {
        return Ok(false);
    }
    let sha512 = sum(watched, file).await?;
    let db = &watched.repository.db;
    let Some(twin) = db.read_here(|read| read.item_with_bytes(&sha512, None))? else {
        return Ok(false);
    };
    let mut reason = format!("The repository has these bytes already, in item {twin}.");
    if watched.rule.duplicates == Duplicates::Link
        && let Some(collection) = parent(watched, actor, &file.path).await?
    {
        put_into(watched, actor, twin, collection).await?;
        reason.push_str(" It is in the collection now.");
    }
    let untidy = watched.rule.afterwards == Afterwards::Move;
    settle(watched, file.id, move |row| {
        (row.state, row.twin, row.untidy) = (WatchState::Skipped, Some(twin), untidy);
        (row.sha512, row.reason) = (Some(sha512), Some(reason));
    })
    .await?;
    Ok(true)
}

/// The item of a file: the one of an earlier attempt, or a new one.
async fn item(
    watched: &Arc<WatchedFolder>,
    actor: &Actor,
    file: &WatchedFile,
    draft: &Draft,
) -> Result<i64, Halt> {
    let db = &watched.repository.db;
    if let Some(nid) = file.nid
        && db
            .read_here(|read| read.target(EntityKind::Node, nid))?
            .is_some()
    {
        return Ok(nid);
    }
    let mut body = draft.body.clone();
    if let Some(parent) = parent(watched, actor, &file.path).await? {
        body.entry(field_roles().member_of.as_str())
            .or_insert_with(|| json!([{ "target_id": parent }]));
    }
    let place = place_of(watched, file)?;
    if let Some(place) = place {
        body.insert(field_roles().weight.clone(), json!([{ "value": place }]));
    }
    let body = Value::Object(body).to_string().into_bytes();
    let (author, id) = (Author::new(actor, Origin::Watch), file.id);
    let (item, model) = (Creation::of_item(body), &watched.repository.model());
    let made = create_entity_and(db, model, item, actor, author, move |write, node| {
        Ok(write.set_watched_item(id, node.id, place)?)
    });
    Ok(made.await?.id)
}

async fn upload(
    watched: &Arc<WatchedFolder>,
    actor: &Actor,
    file: &WatchedFile,
    destination: Destination,
    mime: &str,
    location: Option<String>,
) -> Result<(), Halt> {
    let repository = &watched.repository;
    let upload = Upload {
        destination,
        content_type: Some(mime.to_owned()),
        location,
        expected: Precondition::Unsaid,
    };
    let admission = admit(repository, actor, Author::new(actor, Origin::Watch), upload)?;
    let source = open(watched, file).await?;
    let chunks = Box::pin(unchanged(watched, file, source).await?);
    let body = Body {
        chunks,
        declared: Some(file.look.size),
        checksums: Vec::new(),
        asked: Vec::new(),
    };
    let (id, untidy) = (file.id, watched.rule.afterwards != Afterwards::Leave);
    let done = receive_and(repository, admission, body, move |write, uploaded| {
        let Some(mut row) = write.watched_file(id)? else {
            return Ok(());
        };
        let mut sums = uploaded.checksums.iter();
        let sum = sums.find(|sum| sum.algorithm == Algorithm::Sha512);
        row.sha512 = sum.map(isolario_blobs::Checksum::hex);
        let twin = match &row.sha512 {
            Some(sha512) => write.item_with_bytes(sha512, row.nid)?,
            None => None,
        };
        row.reason = twin.map(|twin| format!("The same bytes are in item {twin}, too."));
        (row.state, row.mid, row.twin, row.untidy) =
            (WatchState::Done, Some(uploaded.mid), twin, untidy);
        (row.changed, row.attempts) = (now(), 0);
        Ok(write.update_watched_file(&row)?)
    });
    done.await?;
    faults::point("taken");
    Ok(())
}

/// The bytes of a file. The stream ends with an error if the file has changed meanwhile.
async fn unchanged(
    watched: &Arc<WatchedFolder>,
    file: &WatchedFile,
    open: std::fs::File,
) -> Result<impl Stream<Item = std::io::Result<Bytes>> + use<>, Halt> {
    let source = LocalSource::of(open).await.map_err(unreadable)?;
    let (watched, path, look) = (watched.clone(), file.path.clone(), file.look);
    let last = stream::once(async move {
        match watched.folder.look(&path)? {
            Some(now) if now == look => Ok(Bytes::new()),
            _ => Err(std::io::Error::other("the file was changed meanwhile")),
        }
    });
    Ok(source.into_stream().chain(last))
}
