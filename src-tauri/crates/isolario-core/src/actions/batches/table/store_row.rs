//! Carries out a row whose item gets files: first the item, then each file by the action of every upload. The row waits in
//! the batch until its last file is stored, so that a restart goes on at the file that is missing.

use std::sync::Arc;
use std::time::Duration;

use super::super::part::author_of;
use super::super::table_plan::TablePlan;
use super::super::trash_move::{TrashMove, TrashStep};
use super::files::NamedFile;
use super::open_table::OpenTable;
use super::problem::in_words;
use super::row_file::TableRow;
use super::row_part::{RowPart, add_made};
use crate::actions::account_rules::as_of_now;
use crate::actions::delete_item::permitted_deletion;
use crate::actions::ingest::unfit;
use crate::actions::upload_media::{Destination, Upload, admit, commit_staged};
use crate::actions::write_with_reserve::write_with_reserve;
use crate::actions::{Author, Precondition, Refusal, relocate};
use crate::repository::Repository;
use isolario_blobs::local_source::LocalSource;
use isolario_blobs::{StageError, StagedBlob};
use isolario_db::{BatchItem, BatchItemState, Write};
use isolario_disk::faults;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;

/// How long an import waits while too many uploads run.
const BUSY: Duration = Duration::from_millis(500);

/// A row whose item is made or changed, and whose files are yet to be stored.
struct BegunRow {
    /// Whether the import made the item, how many files it has, and its revisions.
    item: BatchItem,
    /// Those that it lacks, or what has become wrong with them since the item was made.
    files: Result<Vec<NamedFile>, String>,
    author: Author,
    number: u64,
}

/// Carries out a row with its files. They are on disk when this returns.
///
/// # Errors
/// What ends the batch: the author's account has changed, the disk or the database fails.
pub(super) async fn store_row(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    (table, plan): (OpenTable, TablePlan),
    (place, row): (i64, TableRow),
) -> Result<OpenTable, Refusal> {
    let _storing = repository.row_storing.lock().await;
    let (model, asking) = (repository.model(), actor.clone());
    let begun = repository.db.write(move |write| {
        let part = RowPart {
            model: &model,
            actor: &as_of_now(write, &asking)?,
            table: &table,
            plan: &plan,
        };
        let begun = part.begin_row(write, id, place, &row)?;
        Ok::<_, Refusal>((table, plan, begun))
    });
    let (table, plan, begun) = begun.await?;
    if let Some(begun) = begun {
        faults::point("row");
        store_files(repository, actor, id, plan, begun).await?;
    }
    Ok(table)
}

impl RowPart<'_> {
    /// Makes or changes the item of a row, unless a former run has done so; `None` where nothing more is to be done.
    fn begin_row(
        &self,
        write: &mut Write<'_>,
        id: i64,
        place: i64,
        row: &TableRow,
    ) -> Result<Option<BegunRow>, Refusal> {
        let batch = write.batch(id)?;
        let Some(batch) = batch.filter(|batch| batch.ended.is_none()) else {
            return Ok(None);
        };
        let author = author_of(&batch);
        let former = write.batch_items(id, place, 1)?.into_iter();
        let item = match former.into_iter().find(|item| item.position == place) {
            Some(item) => item,
            None => {
                let (item, terms) = self.row(write, &batch, &author, place, row)?;
                write.add_batch_item_at(id, place, item.id)?;
                if item.state == BatchItemState::Refused {
                    write.end_batch_items(id, &[item])?;
                    return Ok(None);
                }
                let waiting = waiting(item);
                write.note_batch_item(id, &waiting)?;
                add_made(write, self.plan, &batch, EntityKind::Term, &terms)?;
                waiting
            }
        };
        let entity = write.entity(EntityKind::Node, item.id)?;
        let context = self.context(write, &|_| Ok(None));
        let (files, problems) = context.files_of(row, entity.as_ref())?;
        if files.is_empty() && problems.is_empty() {
            write.end_batch_items(id, &[settled(item)])?;
            return Ok(None);
        }
        let files = match problems.is_empty() {
            true => Ok(files),
            false => Err(in_words(&problems)),
        };
        Ok(Some(BegunRow {
            item,
            files,
            author,
            number: row.number,
        }))
    }
}

fn waiting(item: BatchItem) -> BatchItem {
    let state = BatchItemState::Waiting;
    BatchItem { state, ..item }
}

/// The row when all of its files are stored.
fn settled(item: BatchItem) -> BatchItem {
    let state = match item.revisions {
        Some(_) => BatchItemState::Changed,
        None => BatchItemState::Unchanged,
    };
    BatchItem { state, ..item }
}

async fn store_files(
    repository: &Arc<Repository>,
    actor: &Actor,
    id: i64,
    plan: TablePlan,
    begun: BegunRow,
) -> Result<(), Refusal> {
    let BegunRow {
        mut item,
        files,
        author,
        number,
    } = begun;
    let files = match files {
        Ok(files) => files,
        Err(words) => {
            let words = format!("Row {number}: {words}");
            return give_up(repository, id, item, &author, words).await;
        }
    };
    let plan = Arc::new(plan);
    let last = files.len().saturating_sub(1);
    for (index, file) in files.iter().enumerate() {
        let task = FileTask {
            batch: id,
            plan: plan.clone(),
            item: item.clone(),
            is_last: index == last,
        };
        match store_file(repository, actor, &author, file, task).await {
            Ok(()) => item.parts = item.parts.map(|parts| parts + 1),
            Err(refusal) => {
                let words = format!("Row {number}: {}: {refusal}", file.text);
                let ends_batch = !refusal.is_of_one();
                give_up(repository, id, item, &author, words).await?;
                return if ends_batch { Err(refusal) } else { Ok(()) };
            }
        }
    }
    Ok(())
}

/// A file that is stored for a row.
#[derive(Clone)]
struct FileTask {
    batch: i64,
    plan: Arc<TablePlan>,
    /// The row before.
    item: BatchItem,
    is_last: bool,
}

impl FileTask {
    /// Notes in the transaction of the file that it is stored.
    fn note(&self, write: &mut Write<'_>, mid: i64, revision: i64) -> Result<(), Refusal> {
        let mut item = self.item.clone();
        match &mut item.parts {
            Some(parts) => *parts += 1,
            // The item was there before. The media is taken back by itself.
            None => {
                if let Some(batch) = write.batch(self.batch)? {
                    let media = [(mid, revision)];
                    add_made(write, &self.plan, &batch, EntityKind::Media, &media)?;
                }
            }
        }
        match self.is_last {
            true => write.end_batch_items(self.batch, &[settled(item)])?,
            false => write.note_batch_item(self.batch, &item)?,
        }
        Ok(())
    }
}

async fn store_file(
    repository: &Arc<Repository>,
    actor: &Actor,
    author: &Author,
    file: &NamedFile,
    task: FileTask,
) -> Result<(), Refusal> {
    let staged = stage(repository, file).await?;
    let asking = actor.clone();
    let actor = repository
        .db
        .read(move |read| as_of_now(read, &asking))
        .await?;
    let upload = Upload {
        destination: Destination::Use {
            nid: task.item.id,
            media_type: file.media_type.to_owned(),
            use_tid: file.media_use,
        },
        content_type: Some(file.mime.clone()),
        location: Some(file.address.clone()),
        expected: Precondition::Nothing,
    };
    let admission = admit(repository, &actor, author.clone(), upload)?;
    commit_staged(repository, admission, staged, move |write, uploaded| {
        task.note(write, uploaded.mid, uploaded.revision)
    })
    .await?;
    faults::point("row file");
    Ok(())
}

async fn stage(repository: &Repository, file: &NamedFile) -> Result<StagedBlob, Refusal> {
    loop {
        let source = LocalSource::open(&file.path).await;
        let source =
            source.map_err(|error| Refusal::Missing(format!("It cannot be read: {error}.")))?;
        let chunks = Box::pin(source.into_stream());
        let staged = repository.blobs.stage(chunks, Some(file.size), &[]).await;
        match staged {
            Err(StageError::Busy) => tokio::time::sleep(BUSY).await,
            staged => return staged.map_err(|error| unfit(error, "It was not stored.")),
        }
    }
}

/// Ends a row that lacks a file. An item that the import has made for it goes to the trash with the files that it has.
async fn give_up(
    repository: &Arc<Repository>,
    id: i64,
    item: BatchItem,
    author: &Author,
    words: String,
) -> Result<(), Refusal> {
    let (model, blobs, author) = (repository.model(), repository.blobs.clone(), author.clone());
    let change = move |write: &mut Write<'_>| -> Result<(), Refusal> {
        let mut row = settled(item.clone());
        row.message = Some(words.clone());
        if item.parts.is_some() {
            let target = (EntityKind::Node, item.id);
            // Somebody may have deleted it meanwhile.
            if write.target(target.0, target.1)?.is_some() {
                let parts = permitted_deletion(write, &model, &Actor::program(), target, true)?;
                let step = TrashStep::Delete;
                let deletion = TrashMove {
                    step,
                    parts,
                    target,
                };
                deletion.make(write, &model, &blobs, &author)?;
            }
            (row.state, row.revisions, row.parts) = (BatchItemState::Refused, None, None);
        }
        Ok(write.end_batch_items(id, &[row])?)
    };
    write_with_reserve(repository, change).await?;
    relocate::follow(&repository.db, &repository.blobs).await;
    Ok(())
}
