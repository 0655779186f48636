//! What a change of many items would do, found out for each of them. Nothing is changed.

use std::sync::Arc;

use super::super::Refusal;
use super::super::view_entity::may_view;
use super::begin::{ItemSource, pages_of};
use super::item_work::{ItemVerdict, ItemWork, judge};
use crate::repository::Repository;
use isolario_db::Read;
use isolario_model::content::{ContentModel, Entity, EntityKind, Item};
use isolario_model::item_change::{ItemChange, PreparedChange, StayReason};
use isolario_model::policy::Actor;

/// Items that are looked at in one snapshot.
const STRETCH: usize = 500;

/// What would become of an item.
#[derive(Debug, Clone, PartialEq)]
pub enum PreviewOutcome {
    Changes,
    Stays(StayReason),
    Denied(String),
    Invalid(String),
}

/// An item of a preview.
#[derive(Debug, Clone, PartialEq)]
pub struct PreviewRow {
    pub nid: i64,
    /// Empty where the actor may not view the item.
    pub title: String,
    pub bundle: String,
    pub outcome: PreviewOutcome,
    /// The fields that would change: name, values before, values after.
    pub fields: Vec<(String, Vec<Item>, Vec<Item>)>,
}

/// What a change would do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChangePreview {
    pub changes: usize,
    pub stays: usize,
    pub denied: usize,
    pub invalid: usize,
    /// The first items that would change, then the first ones that would not.
    pub rows: Vec<PreviewRow>,
    /// The newest revision of a node that was looked at.
    pub seen: i64,
}

/// Finds out what a change would do to each of many items. Of those that change and those that do not, at most
/// `examples` each are told one by one.
///
/// # Errors
/// `Invalid` for a change that makes no sense; `Database`.
pub async fn preview(
    repository: &Arc<Repository>,
    actor: &Actor,
    source: ItemSource,
    change: ItemChange,
    examples: usize,
) -> Result<ChangePreview, Refusal> {
    let change = PreparedChange::new(change, &repository.model).map_err(Refusal::Invalid)?;
    let work = ItemWork::Change {
        change: Box::new(change),
        seen: 0,
    };
    let seen = repository
        .db
        .read(|read| read.newest_node_revision())
        .await?;
    let mut builder = PreviewBuilder {
        model: repository.model.clone(),
        actor: actor.clone(),
        work,
        examples,
        found: ChangePreview::default(),
        others: Vec::new(),
    };
    let mut pages = pages_of(repository, actor, source);
    while let Some(nids) = pages.next().await? {
        for stretch in nids.chunks(STRETCH) {
            let stretch = stretch.to_vec();
            builder = repository
                .db
                .read(move |read| {
                    for nid in stretch {
                        builder.look_at(read, nid)?;
                    }
                    Ok::<_, Refusal>(builder)
                })
                .await?;
        }
    }
    let mut found = builder.found;
    found.rows.append(&mut builder.others);
    found.seen = seen;
    Ok(found)
}

/// A preview that is being made.
struct PreviewBuilder {
    model: Arc<ContentModel>,
    actor: Actor,
    work: ItemWork,
    examples: usize,
    found: ChangePreview,
    /// Items that would not change.
    others: Vec<PreviewRow>,
}

impl PreviewBuilder {
    fn look_at(&mut self, read: &Read<'_>, nid: i64) -> Result<(), Refusal> {
        let item = read.entity(EntityKind::Node, nid)?;
        let verdict = judge(
            read,
            &self.model,
            &self.actor,
            &self.work,
            item.as_ref(),
            None,
        )?;
        let (count, rows) = match verdict {
            ItemVerdict::Changes(_) => (&mut self.found.changes, &mut self.found.rows),
            ItemVerdict::Stays(_) => (&mut self.found.stays, &mut self.others),
            ItemVerdict::Denied(_) => (&mut self.found.denied, &mut self.others),
            ItemVerdict::Invalid(_) => (&mut self.found.invalid, &mut self.others),
        };
        *count += 1;
        if rows.len() < self.examples {
            let is_known = match (&verdict, &item) {
                (ItemVerdict::Denied(_), Some(item)) => may_view(read, &self.actor, item)?,
                _ => true,
            };
            let visible = item.as_ref().filter(|_| is_known);
            rows.push(row(nid, visible, verdict));
        }
        Ok(())
    }
}

fn row(nid: i64, item: Option<&Entity>, verdict: ItemVerdict) -> PreviewRow {
    let mut fields = Vec::new();
    let outcome = match verdict {
        ItemVerdict::Changes(update) => {
            let before = |name: &str| item.map_or(Vec::new(), |item| item.items(name).to_vec());
            let changed = update.into_fields().into_iter();
            fields.extend(changed.map(|(name, after)| (name.clone(), before(&name), after)));
            PreviewOutcome::Changes
        }
        ItemVerdict::Stays(reason) => PreviewOutcome::Stays(reason),
        ItemVerdict::Denied(words) => PreviewOutcome::Denied(words),
        ItemVerdict::Invalid(words) => PreviewOutcome::Invalid(words),
    };
    PreviewRow {
        nid,
        title: item.map_or(String::new(), |item| item.label().to_owned()),
        bundle: item.map_or(String::new(), |item| item.bundle.clone()),
        outcome,
        fields,
    }
}
