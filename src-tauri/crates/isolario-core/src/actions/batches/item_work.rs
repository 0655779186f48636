//! What a batch does to one item: found out in a snapshot, or in the transaction that makes it.

use super::super::Refusal;
use super::super::permitted_references::PermittedReferences;
use super::super::request_body::{SentValues, definition_of};
use super::super::update_entity::{PreparedUpdate, RequestedState, check_wanted, known_bundle};
use super::super::view_entity::{may_view, may_view_file};
use isolario_db::{Batch, DbError, Read};
use isolario_model::content::{ContentModel, Entity, EntityKind};
use isolario_model::item_change::{
    ItemChange, ItemEffect, OriginalFacts, PreparedChange, StayReason,
};
use isolario_model::policy::{Actor, Operation, Subject, may};

/// What is done to the items of a batch.
#[derive(Debug, Clone)]
pub(super) enum ItemWork {
    Change {
        change: Box<PreparedChange>,
        /// The newest revision of a node that the author may have seen; 0 where it is not known.
        seen: i64,
    },
    /// Takes a change back: from the second revision to the first.
    Undo,
}

impl ItemWork {
    /// The work of a stored batch.
    ///
    /// # Errors
    /// `Invalid` where this program does not know the change.
    pub(super) fn of(batch: &Batch, model: &ContentModel) -> Result<ItemWork, Refusal> {
        if batch.undoes.is_some() {
            return Ok(ItemWork::Undo);
        }
        let change: ItemChange = serde_json::from_str(&batch.change)
            .map_err(|_| Refusal::Invalid("This program does not know the change.".into()))?;
        let change = PreparedChange::new(change, model).map_err(Refusal::Invalid)?;
        Ok(ItemWork::Change {
            change: Box::new(change),
            seen: batch.seen,
        })
    }
}

/// What would become of an item.
pub(super) enum ItemVerdict {
    Changes(PreparedUpdate),
    Stays(StayReason),
    /// The actor may not change it.
    Denied(String),
    /// The outcome would break a rule, or somebody else has changed it meanwhile.
    Invalid(String),
}

/// The words for an item that is not there, or not for this actor.
const NOT_THERE: &str = "It does not exist, or you may not see it.";

/// Finds out what becomes of an item. `revisions` are those before and after the change that is taken back.
///
/// # Errors
/// Only what ends the whole batch: the database.
pub(super) fn judge(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    work: &ItemWork,
    item: Option<&Entity>,
    revisions: Option<(i64, i64)>,
) -> Result<ItemVerdict, Refusal> {
    let Some(item) = item else {
        return Ok(ItemVerdict::Denied(NOT_THERE.into()));
    };
    if let Err(denial) = may(actor, Operation::Update, &Subject::of(item)) {
        return Ok(ItemVerdict::Denied(match may_view(read, actor, item)? {
            true => denial.message,
            false => NOT_THERE.into(),
        }));
    }
    settle(try_judge(read, model, actor, work, item, revisions))
}

/// Makes verdicts of the refusals that concern one item only.
pub(super) fn settle(outcome: Result<ItemVerdict, Refusal>) -> Result<ItemVerdict, Refusal> {
    match outcome {
        Err(Refusal::Denied(denial)) => Ok(ItemVerdict::Denied(denial.message)),
        Err(refusal @ (Refusal::Forbidden(_) | Refusal::NotFound { .. })) => {
            Ok(ItemVerdict::Denied(refusal.to_string()))
        }
        Err(
            refusal @ (Refusal::Missing(_)
            | Refusal::Malformed(_)
            | Refusal::Invalid(_)
            | Refusal::InvalidFields(_)
            | Refusal::Conflict(_)
            | Refusal::Lost(_)),
        ) => Ok(ItemVerdict::Invalid(refusal.to_string())),
        other => other,
    }
}

fn try_judge(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    work: &ItemWork,
    item: &Entity,
    revisions: Option<(i64, i64)>,
) -> Result<ItemVerdict, Refusal> {
    let bundle = known_bundle(model, item)?;
    let sent = match work {
        ItemWork::Undo => former_values(read, model, item, revisions)?,
        ItemWork::Change { change, seen } => {
            let facts = match change.needs_facts() {
                true => original_facts(read, model, actor, item.id)?,
                false => None,
            };
            let references = PermittedReferences::new(read, actor);
            let effect = change.effect(bundle, item, facts.as_ref(), &references);
            let effect = references.settle(effect)??;
            if let ItemEffect::Changes(fields) = &effect {
                let names = fields.iter().map(|(field, _)| field.name.as_str());
                refuse_meanwhile(read, item, *seen, names)?;
            }
            effect
        }
    };
    let fields = match sent {
        ItemEffect::Changes(fields) => fields,
        ItemEffect::Stays(reason) => return Ok(ItemVerdict::Stays(reason)),
    };
    let wanted = RequestedState {
        sent: fields,
        to_the_letter: false,
        log: None,
    };
    let update = check_wanted(read, bundle, item, wanted, actor)?;
    Ok(match update.is_empty() {
        true => ItemVerdict::Stays(StayReason::Same),
        false => ItemVerdict::Changes(update),
    })
}

/// Refuses to overwrite a field that somebody has changed since the author of the change looked.
fn refuse_meanwhile<'n>(
    read: &Read<'_>,
    item: &Entity,
    seen: i64,
    mut fields: impl Iterator<Item = &'n str>,
) -> Result<(), Refusal> {
    if seen == 0 || item.revision <= seen {
        return Ok(());
    }
    let then = read.node_revision_then(item.id, seen)?;
    let then = then.map(|revision| read.at_revision(item, revision));
    let Some(then) = then.transpose()?.flatten() else {
        return Ok(());
    };
    match fields.any(|name| then.items(name) != item.items(name)) {
        true => Err(Refusal::Lost(
            "Somebody else has changed this meanwhile. Their change was kept.".into(),
        )),
        false => Ok(()),
    }
}

/// The fields that a revision changed, with their values before it.
fn former_values<'m>(
    read: &Read<'_>,
    model: &'m ContentModel,
    item: &Entity,
    revisions: Option<(i64, i64)>,
) -> Result<ItemEffect<'m>, Refusal> {
    let gone = || Refusal::Missing("The state before the change is no longer there.".into());
    let (before, after) = revisions.ok_or_else(gone)?;
    let former = read.at_revision(item, before)?.ok_or_else(gone)?;
    let then = read.at_revision(item, after)?.ok_or_else(gone)?;
    let bundle = known_bundle(model, item)?;
    let fields = changed_fields(&former, &then);
    if fields
        .iter()
        .all(|name| item.items(name) == former.items(name))
    {
        return Ok(ItemEffect::Stays(StayReason::Same));
    }
    if fields
        .iter()
        .any(|name| item.items(name) != then.items(name))
    {
        return Err(Refusal::Lost(
            "Somebody has changed this since. Their change was kept.".into(),
        ));
    }
    let known = fields.iter().filter_map(|name| {
        let definition = definition_of(bundle, name)?;
        Some((definition, former.items(name).to_vec()))
    });
    let sent: SentValues<'m> = known.collect();
    Ok(ItemEffect::Changes(sent))
}

/// The fields in which two states differ, without those that say who made them.
fn changed_fields<'e>(former: &'e Entity, then: &'e Entity) -> Vec<&'e str> {
    let kind = former.kind;
    let signature = [
        "changed",
        kind.revision_time_field(),
        kind.revision_user_field(),
        kind.revision_log_field(),
    ];
    let mut names: Vec<&str> = former
        .values
        .keys()
        .chain(then.values.keys())
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !signature.contains(name) && former.items(name) != then.items(name));
    names
}

/// What the first original file of an item that has facts says about itself, as far as the actor may view it.
fn original_facts(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    nid: i64,
) -> Result<Option<OriginalFacts>, DbError> {
    for media in read.media_of(nid)? {
        let field = model
            .bundle(EntityKind::Media, &media.bundle)
            .and_then(|bundle| bundle.file_field());
        let Some(fid) = field.and_then(|field| media.reference(&field.name)) else {
            continue;
        };
        let Some(file) = read.file(fid)? else {
            continue;
        };
        let facts = read.file_facts(fid, file.version)?;
        let offered = facts.and_then(|mut facts| facts.remove("offered"));
        if let Some(serde_json::Value::Object(offered)) = offered
            && may_view_file(read, actor, &file)?
        {
            return Ok(Some(OriginalFacts {
                filename: file.filename,
                offered,
            }));
        }
    }
    Ok(None)
}
