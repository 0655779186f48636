//! What a batch makes of the values of an item, and what sets them back.

use super::super::Refusal;
use super::super::patch_entity::{PreparedUpdate, RequestedState, check_wanted, known_bundle};
use super::super::permitted_references::PermittedReferences;
use super::super::request_body::{SentValues, definition_of};
use super::super::view_entity::may_view_file;
use isolario_db::{DbError, Read};
use isolario_model::content::entity::reference_item;
use isolario_model::content::{ContentModel, Entity, EntityKind, field_roles};
use isolario_model::item_change::{ItemEffect, OriginalFacts, PreparedChange, StayReason};
use isolario_model::policy::Actor;

/// Validates other values of some fields of an item. Nothing changes where they are the present ones.
///
/// # Errors
/// `Forbidden` for a field that the actor may not change, `Invalid` for values that break a rule.
pub(super) fn update_of(
    read: &Read<'_>,
    model: &ContentModel,
    actor: &Actor,
    item: &Entity,
    sent: SentValues<'_>,
) -> Result<PreparedUpdate, Refusal> {
    let wanted = RequestedState {
        sent,
        to_the_letter: false,
        log: None,
    };
    check_wanted(read, known_bundle(model, item)?, item, wanted, actor)
}

/// What a change makes of an item. `seen` is the newest revision of a node that the author may have seen; 0 where it is
/// not known.
///
/// # Errors
/// Where its values cannot be those of the field, or somebody has changed the field since.
pub(super) fn effect_of<'m>(
    read: &Read<'_>,
    model: &'m ContentModel,
    actor: &Actor,
    item: &Entity,
    change: &PreparedChange,
    seen: i64,
) -> Result<ItemEffect<'m>, Refusal> {
    let facts = match change.needs_facts() {
        true => original_facts(read, model, actor, item.id)?,
        false => None,
    };
    let references = PermittedReferences::new(read, actor);
    let effect = change.effect(
        known_bundle(model, item)?,
        item,
        facts.as_ref(),
        &references,
    );
    let effect = references.settle(effect)??;
    if let ItemEffect::Changes(fields) = &effect {
        let names = fields.iter().map(|(field, _)| field.name.as_str());
        refuse_meanwhile(read, item, seen, names)?;
    }
    Ok(effect)
}

/// The parents that an item keeps which stays in a collection outside; `None` where it is in none, or in no other.
///
/// # Errors
/// What the database refuses.
pub(super) fn shared_parents<'m>(
    read: &Read<'_>,
    model: &'m ContentModel,
    item: &Entity,
    is_inside: impl Fn(i64) -> Result<bool, DbError>,
) -> Result<Option<SentValues<'m>>, Refusal> {
    let name = &field_roles().member_of;
    let parents = item.references(name);
    let mut others = Vec::new();
    for parent in &parents {
        if !is_inside(*parent)? && read.entity(EntityKind::Node, *parent)?.is_some() {
            others.push(reference_item(*parent));
        }
    }
    if others.is_empty() || others.len() == parents.len() {
        return Ok(None);
    }
    let field = definition_of(known_bundle(model, item)?, name);
    Ok(field.map(|field| vec![(field, others)]))
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
///
/// # Errors
/// `Lost` where somebody has changed one of them since; `Missing` where the former state is not there any more.
pub(super) fn former_values<'m>(
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
