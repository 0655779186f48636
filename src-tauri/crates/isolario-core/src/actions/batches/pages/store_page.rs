//! Stores a page: its item, and then its files by the action of every upload.

use std::sync::Arc;

use super::super::super::account_rules::as_of_now;
use super::super::super::create_entity::with_defaults;
use super::super::super::derivatives::{DerivativeOutput, beside};
use super::super::super::upload_media::{
    Destination, Upload, admit as admit_upload, commit_staged,
};
use super::super::super::{Author, Precondition, Refusal, write_entity};
use super::original::admit;
use super::step::{PageTask, term};
use crate::repository::Repository;
use isolario_blobs::StagedBlob;
use isolario_db::{BatchItem, BatchItemState, DbError, Read, Write};
use isolario_disk::faults;
use isolario_model::content::entity::reference_item;
use isolario_model::content::page_of::PageOf;
use isolario_model::content::{ContentModel, Entity, EntityKind, TermRole, field_roles};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, Subject, permit};

/// A file that was made of a page.
pub type PageFile = (StagedBlob, DerivativeOutput);

/// What a file of a page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageUse {
    /// The page as a file of its own.
    Original,
    /// The page as it is drawn.
    Picture,
    Thumbnail,
    Text,
}

impl PageUse {
    fn role(self) -> TermRole {
        match self {
            PageUse::Original => TermRole::OriginalFile,
            PageUse::Picture => TermRole::ServiceFile,
            PageUse::Thumbnail => TermRole::ThumbnailImage,
            PageUse::Text => TermRole::ExtractedText,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            PageUse::Thumbnail => "-thumbnail",
            _ => "",
        }
    }
}

/// Stores a page. It is done when its original or its picture is stored, which is the last of its files; a start after a crash goes on where this ended. Returns false
/// where the batch has ended before.
///
/// # Errors
/// What concerns this page alone, or what ends the batch.
pub async fn store_page(
    repository: &Arc<Repository>,
    actor: &Actor,
    task: &PageTask,
    files: Vec<(PageUse, PageFile)>,
) -> Result<bool, Refusal> {
    let _storing = repository.row_storing.lock().await;
    let (nid, is_new) = match task.nid {
        Some(nid) => (nid, false),
        None => match create_page(repository, actor, task).await? {
            Some(nid) => (nid, true),
            None => return Ok(false),
        },
    };
    faults::point("page");
    let stored = store_files(repository, actor, task, nid, files).await;
    if stored.is_err() && is_new {
        withdraw(repository, task, nid).await?;
    }
    stored.map(|()| true)
}

async fn create_page(
    repository: &Arc<Repository>,
    actor: &Actor,
    task: &PageTask,
) -> Result<Option<i64>, Refusal> {
    let (model, actor) = (repository.model(), actor.clone());
    let (id, number, author) = (task.batch.id, task.number, task.author());
    let plan = task.plan.clone();
    repository
        .db
        .write(move |write| {
            if write.batch(id)?.is_none_or(|batch| batch.ended.is_some()) {
                return Ok(None);
            }
            let actor = as_of_now(write, &actor)?;
            let book = admit(write, &model, &actor, plan.nid)?.item;
            let mut page = draft(write, &model, &book, author.uid)?;
            page.set_value("title", plan.title_of(number));
            page.set_page_of(&PageOf {
                fid: plan.fid,
                version: plan.version,
                number,
            });
            if let Some(before) = plan.before {
                page.set_value(&field_roles().weight, before.saturating_add(number));
            }
            let permitted = permit(&actor, Operation::Create, &write.subject(&actor, &page)?)?;
            let page = write_entity::create(write, &permitted, &model, page, &author)?;
            Ok(Some(page.id))
        })
        .await
}

/// A page of an item, for the same people as the item.
fn draft(
    read: &Read<'_>,
    model: &ContentModel,
    book: &Entity,
    owner: i64,
) -> Result<Entity, Refusal> {
    let bundle = model.bundle(EntityKind::Node, &book.bundle);
    let missing = || Refusal::Missing(format!("There is no bundle {} any more.", book.bundle));
    let mut page = with_defaults(bundle.ok_or_else(missing)?, owner);
    let fields = field_roles();
    for field in ["status", "langcode", &fields.access_terms] {
        page.set(field, book.items(field).to_vec());
    }
    page.set(
        &fields.model,
        vec![reference_item(term(read, TermRole::Page)?)],
    );
    page.set(&fields.member_of, vec![reference_item(book.id)]);
    Ok(page)
}

async fn store_files(
    repository: &Arc<Repository>,
    actor: &Actor,
    task: &PageTask,
    nid: i64,
    files: Vec<(PageUse, PageFile)>,
) -> Result<(), Refusal> {
    // Beside the original, the program makes what it makes of every original, whatever the actor may.
    let program = Actor::program();
    for (purpose, file) in files {
        let actor = if purpose == PageUse::Original {
            actor
        } else {
            &program
        };
        store_file(repository, actor, task, nid, purpose, file).await?;
    }
    Ok(())
}

async fn store_file(
    repository: &Arc<Repository>,
    actor: &Actor,
    task: &PageTask,
    nid: i64,
    purpose: PageUse,
    (staged, output): PageFile,
) -> Result<(), Refusal> {
    let original = &task.original;
    let digits = task.plan.pages.to_string().len();
    let mark = format!("-page-{:0digits$}{}", task.number, purpose.mark());
    let uri = &original.file.uri;
    let extension = uri.extension().filter(|_| purpose == PageUse::Original);
    let extension = extension.unwrap_or(output.extension);
    let media_type = match purpose {
        PageUse::Text => "extracted_text",
        _ => original.page_media_type(),
    };
    let use_tid = repository
        .db
        .read(move |read| term(read, purpose.role()))
        .await?;
    let upload = Upload {
        destination: Destination::Use {
            nid,
            media_type: media_type.to_owned(),
            use_tid,
        },
        content_type: Some(output.mime.to_string()),
        location: Some(beside(
            repository,
            uri,
            original.media.id,
            &mark,
            &extension,
        )),
        expected: Precondition::Nothing,
    };
    let author = match purpose {
        PageUse::Original => task.author(),
        _ => Author {
            origin: Origin::Derivative,
            ..task.author()
        },
    };
    let admission = admit_upload(repository, actor, author, upload)?;
    let admission = admission.like(&original.media);
    let is_last = matches!(purpose, PageUse::Original | PageUse::Picture);
    let (id, number) = (task.batch.id, task.number);
    commit_staged(repository, admission, staged, move |write, _| {
        if is_last {
            finish(write, id, number, nid)?;
        }
        Ok(())
    })
    .await?;
    Ok(())
}

fn finish(write: &mut Write<'_>, id: i64, number: i64, nid: i64) -> Result<(), Refusal> {
    let page = write.entity(EntityKind::Node, nid)?;
    let media = write.media_of(nid)?.len();
    let row = BatchItem {
        position: number,
        kind: EntityKind::Node,
        id: nid,
        state: BatchItemState::Changed,
        revisions: page.map(|page| (page.revision, page.revision)),
        parts: Some(i64::try_from(media).unwrap_or(i64::MAX)),
        message: None,
    };
    write.add_batch_item_at(id, number, nid)?;
    Ok(write.end_batch_items(id, &[row])?)
}

/// Takes a page away that has no file.
async fn withdraw(repository: &Arc<Repository>, task: &PageTask, nid: i64) -> Result<(), Refusal> {
    let author = task.author();
    let write = repository.db.write(move |write| -> Result<(), Refusal> {
        if let Some(page) = write.entity(EntityKind::Node, nid)? {
            let permitted = permit(&Actor::program(), Operation::Delete, &Subject::of(&page))?;
            write_entity::delete(write, &permitted, &page, &author)?;
        }
        Ok(())
    });
    write.await
}

/// Notes that a page could not be made, and why.
///
/// # Errors
/// What the database refuses.
pub async fn refuse_page(
    repository: &Arc<Repository>,
    task: &PageTask,
    reason: &str,
) -> Result<(), DbError> {
    let (id, number, nid) = (task.batch.id, task.number, task.plan.nid);
    let row = BatchItem {
        position: number,
        kind: EntityKind::Node,
        id: nid,
        state: BatchItemState::Refused,
        revisions: None,
        parts: None,
        message: Some(format!("Page {number}: {reason}")),
    };
    let write = repository.db.write(move |write| -> Result<(), DbError> {
        write.add_batch_item_at(id, number, nid)?;
        write.end_batch_items(id, &[row])
    });
    write.await
}
