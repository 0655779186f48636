//! Begins to make the pages of an item's original file into items.

use std::sync::Arc;

use super::super::super::Refusal;
use super::super::begin::{found, new_batch, visible_batch};
use super::super::page_plan::PagePlan;
use super::original::{admit, refuse_number};
use crate::repository::Repository;
use isolario_db::{Batch, DbError, Read};
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// The title of a page where the request names none.
pub const PATTERN: &str = "{title}, page {page}";
/// Longest pattern of titles, in characters.
pub const LONGEST_PATTERN: usize = 255;
/// Files of one account whose pages are being made, or wait for that.
const MOST_OPEN: usize = 500;

/// A batch that makes pages.
#[derive(Debug)]
pub struct BegunPages {
    pub batch: Batch,
    /// Whether it was begun by this request, and is to be run.
    pub is_new: bool,
}

/// Writes down a batch that makes the pages of an item's original file. While another one does that for the same item,
/// it is that one. Pages that there are already are not made again.
///
/// # Errors
/// `Missing`, `Denied`, `Invalid` as `admit` says; `InvalidFields` for a pattern without `{page}`; `Conflict` where
/// derivatives are switched off, or somebody else makes the pages; `TooMany`.
pub async fn begin_pages(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    nid: i64,
    pattern: Option<String>,
) -> Result<BegunPages, Refusal> {
    let pattern = checked(pattern)?;
    let enabled = repository.config.derivatives.enabled;
    let (model, actor) = (repository.model(), actor.clone());
    repository
        .db
        .write(move |write| {
            let original = admit(write, &model, &actor, nid)?;
            if let Some(pages) = original.pages(write)? {
                refuse_number(pages)?;
            }
            if !enabled {
                return Err(Refusal::Conflict(
                    "Derivatives are switched off, and so are the pages of files.".into(),
                ));
            }
            if let Some(batch) = open_batch(write, nid)? {
                let batch = visible_batch(write, &actor, batch.id).map_err(|_| {
                    Refusal::Conflict("Somebody else is making the pages of this item.".into())
                })?;
                let is_new = false;
                return Ok(BegunPages { batch, is_new });
            }
            refuse_many(write, actor.uid)?;
            let plan = PagePlan {
                nid,
                mid: original.media.id,
                fid: original.file.fid,
                version: original.file.version,
                title: original.item.label().to_owned(),
                pattern,
                pages: 0,
                before: None,
            };
            let text = plan.to_text().map_err(DbError::from)?;
            let id = write.add_batch(&new_batch(&actor, origin, text, None, 0))?;
            write.run_batch(id)?;
            let batch = found(write, id)?;
            Ok(BegunPages {
                batch,
                is_new: true,
            })
        })
        .await
}

/// The batch that is making the pages of an item.
///
/// # Errors
/// What the database refuses.
pub fn open_batch(read: &Read<'_>, nid: i64) -> Result<Option<Batch>, DbError> {
    let mut open = read.open_batches()?.into_iter();
    Ok(open.find(|batch| PagePlan::of(batch).is_some_and(|plan| plan.nid == nid)))
}

fn checked(pattern: Option<String>) -> Result<String, Refusal> {
    let pattern = pattern.unwrap_or_else(|| PATTERN.to_owned());
    let fault = if !pattern.contains("{page}") {
        (
            ViolationCode::Required,
            "The title of a page holds its number: {page}.".to_owned(),
        )
    } else if pattern.chars().count() > LONGEST_PATTERN {
        let words = format!("The title may not be longer than {LONGEST_PATTERN} characters.");
        (ViolationCode::TooLong, words)
    } else if pattern.chars().any(char::is_control) {
        let words = "The title may not hold control characters.".to_owned();
        (ViolationCode::ControlCharacter, words)
    } else {
        return Ok(pattern);
    };
    Err(Violation::of_field("title", fault.0, fault.1).into())
}

fn refuse_many(read: &Read<'_>, uid: i64) -> Result<(), Refusal> {
    let open = read.open_batches()?;
    let own = open
        .iter()
        .filter(|batch| batch.uid == uid && PagePlan::is_of(batch));
    match own.count() {
        many if many >= MOST_OPEN => Err(Refusal::TooMany(format!(
            "The pages of {MOST_OPEN} files are being made. Wait until some have ended."
        ))),
        _ => Ok(()),
    }
}
