//! What a batch does to one item: found out in a snapshot, or in the transaction that makes it.

use super::super::Refusal;
use super::super::delete_item::permitted_deletion;
use super::super::patch_entity::PreparedUpdate;
use super::super::request_body::SentValues;
use super::super::restore::permitted_restoration;
use super::super::trashed_item::whole_entry;
use super::super::view_entity::may_view;
use super::company::Company;
use super::copies::{check_pattern, copy_of};
use super::import_plan::ImportPlan;
use super::merge_plan::MergePlan;
use super::merge_values::{moved_references, taken_over};
use super::page_plan::PagePlan;
use super::rotation::{check_rotation, former_adjustment, picture_of, rotation};
use super::table_plan::TablePlan;
use super::trash_move::{TrashMove, TrashStep};
use super::values::{effect_of, former_values, shared_parents, update_of};
use isolario_db::{Batch, BatchItem, DbError, Read};
use isolario_model::content::{ContentModel, Entity, EntityKind};
use isolario_model::item_change::{ItemChange, ItemEffect, PreparedChange, StayReason};
use isolario_model::policy::{Actor, Operation, may};

/// What is done to the items of a batch.
#[derive(Debug, Clone)]
pub(super) enum ItemWork {
    Change {
        change: Box<PreparedChange>,
        /// The newest revision of a node that the author may have seen; 0 where it is not known.
        seen: i64,
    },
    Delete {
        with_media: bool,
        /// Whether an item that is also in a collection outside of the batch only leaves those inside.
        keep_shared: bool,
    },
    /// Rotates the pictures of items, by so many degrees clockwise.
    Rotate(u16),
    /// Copies items, with titles by a pattern.
    Duplicate(String),
    /// Makes one term of several.
    Merge(MergePlan),
    Restore,
    Purge,
    /// Takes another batch back: values from the second revision to the first.
    Undo {
        /// Whether what that one restored or made is deleted; otherwise what it deleted is restored.
        deletes: bool,
        /// Whether that one rotated pictures.
        rotates: bool,
    },
}

impl ItemWork {
    /// The work of a change.
    ///
    /// # Errors
    /// `Invalid` where it makes no sense for any item.
    pub(super) fn of_change(
        change: ItemChange,
        seen: i64,
        model: &ContentModel,
    ) -> Result<ItemWork, Refusal> {
        Ok(match change {
            ItemChange::Delete {
                with_media,
                keep_shared,
            } => ItemWork::Delete {
                with_media,
                keep_shared,
            },
            ItemChange::Rotate { by } => {
                check_rotation(by)?;
                ItemWork::Rotate(by)
            }
            ItemChange::Duplicate { title } => {
                check_pattern(&title)?;
                ItemWork::Duplicate(title)
            }
            ItemChange::Restore {} => ItemWork::Restore,
            ItemChange::Purge {} => ItemWork::Purge,
            change => {
                let change = PreparedChange::new(change, model).map_err(Refusal::Invalid)?;
                let change = Box::new(change);
                ItemWork::Change { change, seen }
            }
        })
    }

    /// The work of a stored batch.
    ///
    /// # Errors
    /// `Invalid` where this program does not know the change.
    pub(super) fn of(
        read: &Read<'_>,
        batch: &Batch,
        model: &ContentModel,
    ) -> Result<ItemWork, Refusal> {
        if let Some(plan) = MergePlan::of(batch) {
            return Ok(ItemWork::Merge(plan));
        }
        let is_import = ImportPlan::act_of(batch).is_some();
        if is_import || PagePlan::is_of(batch) || TablePlan::is_of(batch) || MergePlan::is_of(batch)
        {
            return Ok(ItemWork::Undo {
                deletes: read.is_undo(batch)? != MergePlan::is_of(batch),
                rotates: false,
            });
        }
        let change: ItemChange = serde_json::from_str(&batch.change)
            .map_err(|_| Refusal::Invalid("This program does not know the change.".into()))?;
        if batch.undoes.is_none() {
            return ItemWork::of_change(change, batch.seen, model);
        }
        let rotates = matches!(change, ItemChange::Rotate { .. });
        let deletes = match change {
            ItemChange::Delete { .. } => !read.is_undo(batch)?,
            ItemChange::Restore {} | ItemChange::Duplicate { .. } => read.is_undo(batch)?,
            _ => false,
        };
        Ok(ItemWork::Undo { deletes, rotates })
    }

    /// Whether it deletes what another batch has made or restored.
    pub(super) fn deletes(&self) -> bool {
        matches!(self, ItemWork::Undo { deletes: true, .. })
    }

    /// Whether it frees disk space, and so must succeed where there is none.
    pub(super) fn frees_space(&self) -> bool {
        matches!(
            self,
            ItemWork::Delete { .. } | ItemWork::Purge | ItemWork::Undo { deletes: true, .. }
        )
    }

    /// Whether bytes may have to follow what becomes of their files.
    pub(super) fn moves_bytes(&self) -> bool {
        !matches!(
            self,
            ItemWork::Change { .. } | ItemWork::Rotate(_) | ItemWork::Duplicate(_)
        )
    }
}

/// What would become of an item.
pub(super) enum ItemVerdict<'t> {
    Changes(PreparedUpdate),
    Moves(TrashMove<'t>),
    /// A copy is made.
    Makes(Box<Entity>),
    Stays(StayReason),
    /// The actor may not change it.
    Denied(String),
    /// The outcome would break a rule, or somebody else has changed it meanwhile.
    Invalid(String),
}

/// The words for an item that is not there, or not for this actor.
const NOT_THERE: &str = "It does not exist, or you may not see it.";

/// Makes verdicts of the refusals that concern one item only.
///
/// # Errors
/// The others, which end the batch.
pub(super) fn settle<'t>(
    outcome: Result<ItemVerdict<'t>, Refusal>,
) -> Result<ItemVerdict<'t>, Refusal> {
    match outcome {
        Err(Refusal::Denied(denial)) => Ok(ItemVerdict::Denied(denial.message)),
        Err(refusal @ (Refusal::Forbidden(_) | Refusal::NotFound { .. } | Refusal::Missing(_))) => {
            Ok(ItemVerdict::Denied(refusal.to_string()))
        }
        Err(refusal) if refusal.is_of_one() => Ok(ItemVerdict::Invalid(refusal.to_string())),
        other => other,
    }
}

/// The live resource that a row of a batch names, as far as its values matter: a node, or the media whose picture is
/// rotated. The row of an item whose picture is to be rotated names that media afterwards.
///
/// # Errors
/// What the database refuses.
pub(super) fn resource_of(
    read: &Read<'_>,
    judge: &Judge<'_>,
    row: &mut BatchItem,
) -> Result<Option<Entity>, DbError> {
    if let (ItemWork::Rotate(_), EntityKind::Node) = (judge.work, row.kind)
        && let Some(media) = picture_of(read, judge.model, judge.actor, row.id)?
    {
        (row.kind, row.id) = (media.kind, media.id);
        return Ok(Some(media));
    }
    match (row.kind, judge.work) {
        (EntityKind::Node, _) => read.entity(row.kind, row.id),
        (_, ItemWork::Merge(_)) => read.entity(row.kind, row.id),
        (EntityKind::Media | EntityKind::Term, ItemWork::Undo { .. }) if row.parts.is_none() => {
            read.entity(row.kind, row.id)
        }
        _ => Ok(None),
    }
}

/// Finds out what becomes of the items of a batch.
pub(super) struct Judge<'a> {
    pub(super) model: &'a ContentModel,
    pub(super) actor: &'a Actor,
    pub(super) work: &'a ItemWork,
    pub(super) company: &'a Company,
}

impl Judge<'_> {
    /// Finds out what becomes of an item; `item` is what `resource_of` found.
    ///
    /// # Errors
    /// Only what ends the whole batch: the database.
    pub(super) fn judge<'t>(
        &self,
        read: &Read<'t>,
        row: &BatchItem,
        item: Option<&Entity>,
    ) -> Result<ItemVerdict<'t>, Refusal> {
        settle(self.try_judge(read, row, item))
    }

    fn try_judge<'t>(
        &self,
        read: &Read<'t>,
        row: &BatchItem,
        item: Option<&Entity>,
    ) -> Result<ItemVerdict<'t>, Refusal> {
        let target = (row.kind, row.id);
        let moves = |step, parts| {
            Ok(ItemVerdict::Moves(TrashMove {
                step,
                parts,
                target,
            }))
        };
        match (self.work, row.parts) {
            (ItemWork::Restore, _) | (ItemWork::Undo { deletes: false, .. }, Some(_)) => {
                let parts = permitted_restoration(read, self.model, self.actor, target)?;
                moves(TrashStep::Restore, parts)
            }
            (ItemWork::Purge, _) => {
                let purge = Operation::Purge;
                let parts = whole_entry(read, self.model, self.actor, purge, target)?;
                moves(TrashStep::Purge, parts)
            }
            (ItemWork::Undo { deletes: true, .. }, Some(parts)) => {
                let deletion = self.deletion(read, target, parts > 0)?;
                if row
                    .revisions
                    .is_some_and(|(_, left)| left != deletion.revision())
                {
                    return Err(Refusal::Lost(
                        "Somebody has changed this since. Their change was kept.".into(),
                    ));
                }
                Ok(ItemVerdict::Moves(deletion))
            }
            (
                ItemWork::Delete {
                    with_media,
                    keep_shared,
                },
                _,
            ) => {
                let is_inside = |nid| self.company.includes(read, nid);
                if let Some(item) = item.filter(|_| *keep_shared)
                    && let Some(kept) = shared_parents(read, self.model, item, is_inside)?
                {
                    return self.values(read, item, kept);
                }
                let deletion = self.deletion(read, target, *with_media)?;
                Ok(ItemVerdict::Moves(deletion))
            }
            (ItemWork::Duplicate(pattern), _) => match item {
                Some(item) if may_view(read, self.actor, item)? => {
                    let copy = copy_of(read, self.model, self.actor, item, pattern)?;
                    Ok(ItemVerdict::Makes(Box::new(copy)))
                }
                _ => Ok(ItemVerdict::Denied(NOT_THERE.into())),
            },
            (ItemWork::Merge(plan), _)
                if row.kind == EntityKind::Term && plan.terms.contains(&row.id) =>
            {
                if read.entity(EntityKind::Term, plan.into)?.is_none() {
                    let words = "The term that was to stay has been deleted since.";
                    return Err(Refusal::Lost(words.into()));
                }
                Ok(ItemVerdict::Moves(self.deletion(read, target, false)?))
            }
            (
                ItemWork::Change { .. }
                | ItemWork::Rotate(_)
                | ItemWork::Merge(_)
                | ItemWork::Undo { .. },
                _,
            ) => self.change(read, row, item),
        }
    }

    fn deletion<'t>(
        &self,
        read: &Read<'t>,
        target: (EntityKind, i64),
        with_media: bool,
    ) -> Result<TrashMove<'t>, Refusal> {
        let parts = permitted_deletion(read, self.model, self.actor, target, with_media)?;
        let step = TrashStep::Delete;
        Ok(TrashMove {
            step,
            parts,
            target,
        })
    }

    fn change<'t>(
        &self,
        read: &Read<'t>,
        row: &BatchItem,
        item: Option<&Entity>,
    ) -> Result<ItemVerdict<'t>, Refusal> {
        let Some(item) = item else {
            return Ok(ItemVerdict::Denied(NOT_THERE.into()));
        };
        if let Err(denial) = may(
            self.actor,
            Operation::Update,
            &read.subject(self.actor, item)?,
        ) {
            return Ok(ItemVerdict::Denied(
                match may_view(read, self.actor, item)? {
                    true => denial.message,
                    false => NOT_THERE.into(),
                },
            ));
        }
        let effect = match self.work {
            ItemWork::Change { change, seen } => {
                effect_of(read, self.model, self.actor, item, change, *seen)?
            }
            ItemWork::Rotate(_) if item.kind == EntityKind::Node => {
                return Ok(ItemVerdict::Stays(StayReason::NoPicture));
            }
            ItemWork::Rotate(by) => {
                return Ok(verdict_of(rotation(read, self.model, item, *by)?));
            }
            ItemWork::Merge(plan) => {
                let sent = match (item.kind, item.id) == (EntityKind::Term, plan.into) {
                    true => taken_over(read, self.model, item, plan)?,
                    false => moved_references(self.model, item, plan)?,
                };
                return self.values(read, item, sent);
            }
            ItemWork::Undo { rotates: true, .. } if item.kind == EntityKind::Media => {
                return Ok(verdict_of(former_adjustment(read, item, row.revisions)?));
            }
            _ => former_values(read, self.model, item, row.revisions)?,
        };
        match effect {
            ItemEffect::Changes(sent) => self.values(read, item, sent),
            ItemEffect::Stays(reason) => Ok(ItemVerdict::Stays(reason)),
        }
    }

    fn values<'t>(
        &self,
        read: &Read<'_>,
        item: &Entity,
        sent: SentValues<'_>,
    ) -> Result<ItemVerdict<'t>, Refusal> {
        let update = update_of(read, self.model, self.actor, item, sent)?;
        Ok(verdict_of(update))
    }
}

fn verdict_of<'t>(update: PreparedUpdate) -> ItemVerdict<'t> {
    match update.is_empty() {
        true => ItemVerdict::Stays(StayReason::Same),
        false => ItemVerdict::Changes(update),
    }
}
