//! What there is of the pages of an item's original file.

use super::super::begin::visible_batch;
use super::begin::open_batch;
use super::original::{MOST_PAGES, PagedOriginal, admit};
use crate::actions::view_entity::visible_target;
use isolario_db::{Batch, DbError, Lists};
use isolario_model::content::{ContentModel, Entity, EntityKind};
use isolario_model::policy::Actor;

/// The pages of an item's original file, as an actor may see them.
#[derive(Debug)]
pub struct PagesState {
    /// How many pages the file has, where that is known.
    pub pages: Option<i64>,
    /// How many of them are items.
    pub made: i64,
    /// The batch that is making them.
    pub batch: Option<Batch>,
    /// Whether the actor may have them made, as far as their number allows it.
    pub may_make: bool,
}

/// The state of the pages of an item's original file; `None` where it is of no format that has pages.
///
/// # Errors
/// What the database refuses.
pub fn pages_state(
    read: &Lists<'_>,
    model: &ContentModel,
    actor: &Actor,
    item: &Entity,
) -> Result<Option<PagesState>, DbError> {
    let Some(original) = PagedOriginal::of(read, model, actor, item)? else {
        return Ok(None);
    };
    let pages = original.pages(read)?;
    let mut made = 0;
    for (_, nid) in read.pages_of_file(original.file.fid, original.file.version)? {
        made += i64::from(visible_target(read, actor, EntityKind::Node, nid)?.is_some());
    }
    let batch = open_batch(read, item.id)?;
    let is_possible = pages.is_none_or(|pages| (2..=MOST_PAGES).contains(&pages));
    Ok(Some(PagesState {
        pages,
        made,
        batch: batch.filter(|batch| visible_batch(read, actor, batch.id).is_ok()),
        may_make: is_possible && admit(read, model, actor, item.id).is_ok(),
    }))
}
