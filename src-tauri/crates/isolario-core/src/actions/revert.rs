//! Reverts a node, media or term to a former revision. A revert is an ordinary update, with its validation, its
//! revision and its event.

mod bytes;

use std::sync::Arc;

use super::patch_entity::{PreparedUpdate, RequestedState, check_wanted, known_bundle, make};
use super::request_body::{SentValues, definition_of, no_such_field};
use super::upload_media::permit_shared;
use super::view_entity::may_view;
use super::{Author, Precondition, Refusal};
use crate::repository::Repository;
use bytes::{FileRevert, bring_back};
pub(super) use bytes::{location, renew, stage_former};
use isolario_db::{DbError, Read};
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::entity::{PUBLISH_ON, UNPUBLISH_ON};
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, FieldDefinition, FileRecord, picture_adjustment,
};
use isolario_model::policy::{Actor, Operation, permit};

/// The revision to revert to.
#[derive(Debug, Clone)]
pub struct RevertTarget {
    pub revision: i64,
    /// Only these fields; when empty, all fields that can be set.
    pub fields: Option<Vec<String>>,
    /// The reason given, if any.
    pub log: Option<String>,
    /// Revision that the resource must have.
    pub expected: Precondition,
}

/// A revert that was validated.
struct RevertPlan {
    change: PreparedUpdate,
    /// The files that had other bytes then, each with its version of then.
    bytes: Vec<FileRecord>,
}

/// Reverts a resource. Returns it as committed. When a file of a media had other bytes then, the same transaction makes
/// these a new version of the file. With several such files, each but the last makes a revision of its own.
///
/// # Errors
/// `NotFound` and `Missing` for a resource or revision that the actor may not view; `Denied`; then as `patch_entity`,
/// because a former value may refer to a resource that is gone or that the actor may not set.
/// `Storage` when the former bytes are lost or damaged.
pub async fn revert(
    repository: &Arc<Repository>,
    current: Entity,
    revert: RevertTarget,
    actor: &Actor,
    mut author: Author,
) -> Result<Entity, Refusal> {
    let mut expected = revert.expected.clone();
    let mut current = current;
    let RevertPlan { change, mut bytes } = {
        let (model, actor, current) = (repository.model(), actor.clone(), current.clone());
        let ask = move |read: &Read<'_>| check(read, &model, &current, revert, &actor);
        repository.db.read(ask).await?
    };
    author.log = change.log.clone();
    let last = bytes.pop();
    let step = |former, change| FileRevert {
        former,
        change,
        actor: actor.clone(),
        author: author.clone(),
    };
    for former in bytes {
        let step = step(former, PreparedUpdate::default());
        current = bring_back(repository, &current, step, expected).await?;
        expected = Precondition::Revisions(vec![current.revision]);
    }
    match last {
        Some(former) => bring_back(repository, &current, step(former, change), expected).await,
        None => set_back(repository, &current, actor, change, author, expected).await,
    }
}

/// Writes the former values.
async fn set_back(
    repository: &Repository,
    current: &Entity,
    actor: &Actor,
    change: PreparedUpdate,
    author: Author,
    expected: Precondition,
) -> Result<Entity, Refusal> {
    let (kind, id, model) = (current.kind, current.id, repository.model());
    let actor = actor.clone();
    let write = repository.db.write(move |write| {
        let current = write.entity(kind, id)?;
        let current = current.ok_or(Refusal::NotFound { kind, id })?;
        let permitted = permit(&actor, Operation::Revert, &write.subject(&actor, &current)?)?;
        expected.refuse_lost_race(&current)?;
        make(
            write,
            &permitted,
            &model,
            current,
            &change,
            (&actor, &author),
        )
    });
    write.await
}

/// A former revision of a resource, if the actor may view it.
///
/// # Errors
/// `Missing` when the actor may view no such revision.
pub fn former_state(
    read: &Read<'_>,
    actor: &Actor,
    current: &Entity,
    revision: i64,
) -> Result<Entity, Refusal> {
    match read.at_revision(current, revision)? {
        Some(former) if may_view(read, actor, &former)? => Ok(former),
        _ => Err(Refusal::Missing(format!(
            "There is no revision {revision} of this."
        ))),
    }
}

fn check(
    read: &Read<'_>,
    model: &ContentModel,
    current: &Entity,
    revert: RevertTarget,
    actor: &Actor,
) -> Result<RevertPlan, Refusal> {
    let former = former_state(read, actor, current, revert.revision)?;
    let permitted = permit(actor, Operation::Revert, &read.subject(actor, current)?)?;
    let bundle = known_bundle(model, current)?;
    let sent = values_of(&former, bundle, revert.fields.as_deref())?;
    let bytes = other_bytes(read, &former, &sent)?;
    for file in &bytes {
        permit_shared(read, actor, &permitted, file)?;
    }
    let reason = || format!("Back to revision {}", revert.revision);
    let wanted = RequestedState {
        sent,
        to_the_letter: true,
        log: Some(revert.log.unwrap_or_else(reason)),
    };
    let brings_picture_back = wanted.sent.iter().any(|(definition, _)| {
        let source = bundle.file_field();
        source.is_some_and(|source| source.name == definition.name)
    });
    let mut change = check_wanted(read, bundle, current, wanted, actor)?;
    if brings_picture_back {
        let adjustment = former.items(picture_adjustment::KEPT_AS).to_vec();
        change.set(picture_adjustment::KEPT_AS, adjustment);
    }
    Ok(RevertPlan { change, bytes })
}

/// The files of a former revision that had other bytes then than now.
fn other_bytes(
    read: &Read<'_>,
    former: &Entity,
    sent: &SentValues<'_>,
) -> Result<Vec<FileRecord>, DbError> {
    if former.kind != EntityKind::Media {
        return Ok(Vec::new());
    }
    let named: Vec<i64> = sent
        .iter()
        .filter(|(definition, _)| definition.target_kind() == Some(EntityKind::File))
        .flat_map(|(definition, _)| former.references(&definition.name))
        .collect();
    let mut other = Vec::new();
    for (fid, version) in read.files_of_revision(former.revision)? {
        let pair = (read.file(fid)?, read.file_at_version(fid, version)?);
        if let (true, (Some(now), Some(then))) = (named.contains(&fid), pair)
            && now.sha512 != then.sha512
        {
            other.push(then);
        }
    }
    Ok(other)
}

/// The values of a former revision, as if a client had sent them.
fn values_of<'m>(
    former: &Entity,
    bundle: &'m Bundle,
    only: Option<&[String]>,
) -> Result<SentValues<'m>, Refusal> {
    if let Some(name) = only.and_then(|names| {
        let mut names = names.iter();
        names.find(|name| definition_of(bundle, name).is_none())
    }) {
        return Err(no_such_field(bundle, name));
    }
    let log = former.kind.revision_log_field();
    let definitions = base_fields(bundle.kind).iter().chain(&bundle.fields);
    let wanted = definitions.filter(|definition| {
        let named = only.is_none_or(|names| names.contains(&definition.name));
        named && !definition.computed && definition.name != log && !is_over(former, definition)
    });
    Ok(wanted
        .map(|definition| (definition, former.items(&definition.name).to_vec()))
        .collect())
}

/// Whether it is a time of the schedule that has passed: what it said has happened, and does not happen again.
fn is_over(former: &Entity, definition: &FieldDefinition) -> bool {
    let (publish, unpublish) = former.schedule();
    let time = match definition.name.as_str() {
        PUBLISH_ON => publish,
        UNPUBLISH_ON => unpublish,
        _ => None,
    };
    time.is_some_and(|time| time <= chrono::Utc::now().timestamp())
}

#[cfg(test)]
mod tests;
