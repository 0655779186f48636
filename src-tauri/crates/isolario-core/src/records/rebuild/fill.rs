//! Writes the records into a new database: first all rows, then their index rows, because lists depend on other rows.

use std::path::Path;
use std::sync::Arc;

use futures_util::future::join_all;

use super::{RebuildError, RebuildReport};
use crate::actions::source_metadata::files_of;
use crate::actions::write_entity;
use crate::progress::ReportProgress;
use crate::records::path::RecordSubject;
use crate::records::read::{each, single};
use isolario_db::{Db, DbError, Write};
use isolario_model::content::record::{Identity, Numbers, Record};
use isolario_model::content::{ContentModel, EntityKind};
use isolario_model::policy::{Actor, permit_roles, permit_server};

/// Records of one commit.
const BATCH: usize = 256;
/// Ids that are skipped above the highest known one, because resources without a record may have had them.
pub(super) const GAP: i64 = 1000;

/// Writes all records into the database.
pub(super) async fn fill(
    db: &Db,
    records: &Path,
    rebuilt: &mut RebuildReport,
    progress: &ReportProgress,
) -> Result<(), RebuildError> {
    let model = model(records)?;
    let kept = model.clone();
    db.write(move |write| write.set_content_model(&permit_server(&Actor::program())?, &kept))
        .await?;
    let at = chrono::Utc::now().timestamp();
    for kind in [
        "role",
        "user",
        "file",
        "taxonomy_term",
        "media",
        "node",
        "saved_search",
        "redirect",
    ] {
        progress(format!("Reading records: {kind} …"));
        let put = move |write: &mut Write<'_>, record: &Record| put(write, record, at);
        take_in(db, records, kind, put, rebuilt, true).await?;
    }
    let model = Arc::new(model);
    for kind in ["taxonomy_term", "media", "node"] {
        progress(format!("Making lists: {kind} …"));
        let model = model.clone();
        let index = move |write: &mut Write<'_>, record: &Record| index(write, &model, record);
        take_in(db, records, kind, index, rebuilt, false).await?;
    }
    let numbers = numbers(records, rebuilt);
    let identity = identity(records, rebuilt);
    db.write(move |write| {
        write.number_trash()?;
        let permitted = permit_server(&Actor::program())?;
        if let Some(identity) = &identity {
            write.put_identity(&permitted, identity)?;
        }
        write.put_numbers(&permitted, &numbers)?;
        write.skip_numbers(&permitted, GAP)?;
        write.forget_records()
    })
    .await?;
    Ok(())
}

fn model(records: &Path) -> Result<ContentModel, RebuildError> {
    match single(records, &RecordSubject::ContentModel) {
        Some(Ok(Record::ContentModel(model))) => Ok(model),
        Some(Ok(_)) => Err(RebuildError::NoModel("it is of another kind".into())),
        Some(Err(why)) => Err(RebuildError::NoModel(why)),
        None => Err(RebuildError::NoModel("it is not there".into())),
    }
}

fn numbers(records: &Path, rebuilt: &mut RebuildReport) -> Numbers {
    match single(records, &RecordSubject::Numbers) {
        Some(Ok(Record::Numbers(numbers))) => return numbers,
        Some(Err(why)) => rebuilt.left_out.push(why),
        _ => {}
    }
    Numbers::default()
}

/// `None` where nobody has named the repository.
fn identity(records: &Path, rebuilt: &mut RebuildReport) -> Option<Identity> {
    match single(records, &RecordSubject::Identity)? {
        Ok(Record::Identity(identity)) => return Some(identity),
        Ok(_) => {}
        Err(why) => rebuilt.left_out.push(why),
    }
    None
}

/// Calls a function with every record of a kind. A record that is refused does not stop the others.
async fn take_in<F>(
    db: &Db,
    records: &Path,
    kind: &str,
    change: F,
    rebuilt: &mut RebuildReport,
    count: bool,
) -> Result<(), RebuildError>
where
    F: Fn(&mut Write<'_>, &Record) -> Result<(), DbError> + Clone + Send + 'static,
{
    let (sender, mut batches) = tokio::sync::mpsc::channel(2);
    let (records, kind) = (records.to_owned(), kind.to_owned());
    let reading = tokio::task::spawn_blocking(move || {
        let mut batch = Vec::with_capacity(BATCH);
        let walked = each(&records, &kind, &mut |found| {
            batch.push(found);
            if batch.len() == BATCH {
                // Nobody listens when the database has failed.
                let _ = sender.blocking_send(std::mem::take(&mut batch));
            }
        });
        let _ = sender.blocking_send(batch);
        walked.map_err(|error| RebuildError::Disk {
            path: records,
            error,
        })
    });
    while let Some(batch) = batches.recv().await {
        let mut writes = Vec::new();
        for found in batch {
            match found {
                Ok(record) => writes.push(take_one(db, record, change.clone())),
                Err(why) if count => rebuilt.left_out.push(why),
                Err(_) => {}
            }
        }
        for (record, outcome) in join_all(writes).await {
            match outcome {
                Ok(()) if count => rebuilt.count(&record),
                Ok(()) => {}
                Err(DbError::Closed) => return Err(DbError::Closed.into()),
                Err(error) => rebuilt
                    .left_out
                    .push(format!("{}: {error}", name_of(&record))),
            }
        }
    }
    reading
        .await
        .unwrap_or_else(|_| Err(DbError::Closed.into()))
}

async fn take_one<F>(db: &Db, record: Record, change: F) -> (Arc<Record>, Result<(), DbError>)
where
    F: Fn(&mut Write<'_>, &Record) -> Result<(), DbError> + Send + 'static,
{
    let record = Arc::new(record);
    let taken = record.clone();
    let outcome = db.write(move |write| change(write, &taken)).await;
    (record, outcome)
}

fn put(write: &mut Write<'_>, record: &Record, at: i64) -> Result<(), DbError> {
    let permitted = permit_server(&Actor::program())?;
    match record {
        Record::Entity(entity) => write.put_entity(&permitted, entity),
        Record::File(file) => write.put_file(&permitted, file),
        Record::User(account) => write.put_account(&permitted, account, at),
        Record::Role(role) => write.put_role(&permit_roles(&Actor::program())?, role),
        Record::SavedSearch(search) => write.put_saved_search(&permitted, search),
        Record::Redirect(redirect) => write.put_redirect(&permitted, redirect),
        Record::ContentModel(_) | Record::Identity(_) | Record::Numbers(_) => Ok(()),
    }
}

fn index(write: &mut Write<'_>, model: &ContentModel, record: &Record) -> Result<(), DbError> {
    match record {
        Record::Entity(entity) if entity.deleted.is_none() => {
            // One that was refused before has nothing to be found.
            match write.entity(entity.kind, entity.id)? {
                Some(kept) => {
                    if kept.kind == EntityKind::Media {
                        write.note_files(kept.revision, &files_of(model, &kept))?;
                    }
                    write_entity::make_findable(write, model, &kept)
                }
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

fn name_of(record: &Record) -> String {
    match record {
        Record::Entity(entity) => format!("{} {}", entity.kind.target_type(), entity.id),
        Record::File(file) => format!("file {}", file.fid),
        Record::User(account) => format!("account {}", account.name),
        Record::Role(role) => format!("role {}", role.name),
        Record::SavedSearch(search) => format!("saved search {}", search.id),
        Record::Redirect(redirect) => format!("redirect {}", redirect.source),
        Record::ContentModel(_) => "content model".into(),
        Record::Identity(_) => "identity".into(),
        Record::Numbers(_) => "numbers".into(),
    }
}

impl RebuildReport {
    fn count(&mut self, record: &Record) {
        let (number, deleted) = match record {
            Record::Entity(entity) => (
                match entity.kind {
                    EntityKind::Media => &mut self.media,
                    EntityKind::Term => &mut self.terms,
                    _ => &mut self.nodes,
                },
                entity.deleted.is_some(),
            ),
            Record::File(file) => (&mut self.files, file.deleted.is_some()),
            Record::User(_) => (&mut self.accounts, false),
            Record::Role(_) => (&mut self.roles, false),
            Record::SavedSearch(search) => (&mut self.saved_searches, search.deleted.is_some()),
            Record::Redirect(_) => (&mut self.redirects, false),
            Record::ContentModel(_) | Record::Identity(_) | Record::Numbers(_) => return,
        };
        *number += 1;
        self.deleted += u64::from(deleted);
    }
}
