//! Merges terms: what uses them refers to another term of their vocabulary instead, which takes over their names and
//! addresses, and they go to the trash. All of this is one batch.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::Refusal;
use super::super::view_entity::may_view;
use super::begin::{ItemSource, begin_stored};
use super::item_work::ItemWork;
use super::merge_plan::MergePlan;
use super::preview::{ChangePreview, preview_work};
use crate::repository::Repository;
use isolario_db::{Batch, DbError, Read};
use isolario_model::content::{Entity, EntityKind};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Denial, Operation, may};

/// Terms that are merged by one change.
const MOST_TERMS: usize = 200;

/// The field with the terms above a term.
const PARENT: &str = "parent";

/// Writes down a batch that merges terms. The first use moves when it is run.
///
/// # Errors
/// As `preview_merge`; `TooMany` where the actor has many open batches.
pub async fn begin_merge(
    repository: &Arc<Repository>,
    actor: &Actor,
    origin: Origin,
    plan: MergePlan,
) -> Result<Batch, Refusal> {
    let plan = admit(repository, actor, plan).await?;
    let text = plan.to_text().map_err(DbError::from)?;
    begin_stored(repository, actor, origin, ItemSource::Merge(plan), text, 0).await
}

/// Finds out what a merge would do. Nothing is changed.
///
/// # Errors
/// `NotFound` for a term that stays and is not there; `Invalid` for terms that cannot be merged into it; `Denied` where
/// the actor may not change it or delete them.
pub async fn preview_merge(
    repository: &Arc<Repository>,
    actor: &Actor,
    plan: MergePlan,
    examples: usize,
) -> Result<ChangePreview, Refusal> {
    let plan = admit(repository, actor, plan).await?;
    let work = ItemWork::Merge(plan.clone());
    preview_work(repository, actor, ItemSource::Merge(plan), work, examples).await
}

/// The plan with each term once, if it makes sense and the actor may carry it out.
async fn admit(
    repository: &Arc<Repository>,
    actor: &Actor,
    mut plan: MergePlan,
) -> Result<MergePlan, Refusal> {
    let mut known = HashSet::new();
    plan.terms.retain(|tid| known.insert(*tid));
    match plan.terms.len() {
        0 => return Err(Refusal::Invalid("The request names no terms.".into())),
        many if many > MOST_TERMS => {
            let words = format!("At most {MOST_TERMS} terms are merged by one request.");
            return Err(Refusal::Invalid(words));
        }
        _ => {}
    }
    let actor = actor.clone();
    let admitted = repository.db.read(move |read| {
        check(read, &actor, &plan)?;
        Ok::<_, Refusal>(plan)
    });
    admitted.await
}

fn check(read: &Read<'_>, actor: &Actor, plan: &MergePlan) -> Result<(), Refusal> {
    if actor.is_anonymous() {
        return Err(Denial::new("Sign in first.").into());
    }
    let (kind, id) = (EntityKind::Term, plan.into);
    let kept = visible(read, actor, id)?.ok_or(Refusal::NotFound { kind, id })?;
    may(actor, Operation::Update, &read.subject(actor, &kept)?)?;
    for tid in &plan.terms {
        if *tid == kept.id {
            return Err(Refusal::Invalid(
                "A term cannot be merged into itself.".into(),
            ));
        }
        let missing = || Refusal::Invalid(format!("There is no term {tid}."));
        let term = visible(read, actor, *tid)?.ok_or_else(missing)?;
        if term.bundle != kept.bundle {
            return Err(Refusal::Invalid(format!(
                "“{}” and “{}” are terms of different vocabularies.",
                term.label(),
                kept.label()
            )));
        }
        may(actor, Operation::Delete, &read.subject(actor, &term)?)?;
    }
    match terms_above(read, &kept)?
        .into_iter()
        .find(|tid| plan.terms.contains(tid))
    {
        None => Ok(()),
        Some(_) => Err(Refusal::Invalid(format!(
            "“{}” lies below one of the terms. A term cannot be merged into one below it.",
            kept.label()
        ))),
    }
}

fn visible(read: &Read<'_>, actor: &Actor, tid: i64) -> Result<Option<Entity>, DbError> {
    let Some(term) = read.entity(EntityKind::Term, tid)? else {
        return Ok(None);
    };
    Ok(may_view(read, actor, &term)?.then_some(term))
}

/// The terms above a term, at any height.
fn terms_above(read: &Read<'_>, term: &Entity) -> Result<HashSet<i64>, DbError> {
    let (mut above, mut next) = (HashSet::new(), term.references(PARENT));
    while let Some(tid) = next.pop() {
        if above.insert(tid)
            && let Some(parent) = read.entity(EntityKind::Term, tid)?
        {
            next.extend(parent.references(PARENT));
        }
    }
    Ok(above)
}
