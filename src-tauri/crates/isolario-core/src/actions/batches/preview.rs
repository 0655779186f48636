//! What a change of many items would do, found out for each of them. Nothing is changed.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::super::Refusal;
use super::super::view_entity::may_view;
use super::begin::{ItemSource, pages_of};
use super::company::Company;
use super::item_work::{ItemVerdict, ItemWork, Judge, resource_of};
use super::trash_move::TrashMove;
use crate::repository::Repository;
use isolario_db::{BatchItem, BatchItemState, DbError, Lists, TrashContent, Viewer};
use isolario_model::content::{ContentModel, Entity, EntityKind, Item, field_roles};
use isolario_model::item_change::{ItemChange, StayReason};
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
    pub kind: EntityKind,
    pub id: i64,
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
    /// How many items get other values, by the name of the field.
    pub fields: BTreeMap<String, usize>,
    /// Media and files that are deleted, restored or purged with items.
    pub media: usize,
    pub files: usize,
    /// Members of deleted items that are not deleted with them.
    pub members: i64,
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
    let work = ItemWork::of_change(change, 0, &repository.model())?;
    preview_work(repository, actor, source, work, examples).await
}

/// As `preview`, for work that was found to make sense.
///
/// # Errors
/// `Database`.
pub(super) async fn preview_work(
    repository: &Arc<Repository>,
    actor: &Actor,
    source: ItemSource,
    work: ItemWork,
    examples: usize,
) -> Result<ChangePreview, Refusal> {
    let seen = repository
        .db
        .read(|read| read.newest_node_revision())
        .await?;
    // Only a deletion asks which others are deleted with an item. Otherwise a page of ids at a time is enough.
    let mut nodes = HashSet::new();
    if matches!(work, ItemWork::Delete { .. }) {
        let mut pages = pages_of(repository, actor, source.clone());
        while let Some(page) = pages.next().await? {
            let page = page.into_iter();
            nodes.extend(page.filter_map(|(kind, id)| (kind == EntityKind::Node).then_some(id)));
        }
    }
    let mut builder = PreviewBuilder {
        model: repository.model(),
        actor: actor.clone(),
        work,
        company: Company::Nodes(nodes),
        examples,
        found: ChangePreview::default(),
        others: Vec::new(),
    };
    let mut pages = pages_of(repository, actor, source);
    while let Some(page) = pages.next().await? {
        for stretch in page.chunks(STRETCH) {
            let stretch = stretch.to_vec();
            builder = repository
                .db
                .read_lists(move |read| {
                    for target in stretch {
                        builder.look_at(read, target)?;
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
    company: Company,
    examples: usize,
    found: ChangePreview,
    /// Items that would not change.
    others: Vec<PreviewRow>,
}

impl PreviewBuilder {
    fn look_at(&mut self, read: &Lists<'_>, target: (EntityKind, i64)) -> Result<(), Refusal> {
        let judge = Judge {
            model: &self.model,
            actor: &self.actor,
            work: &self.work,
            company: &self.company,
        };
        let mut row = not_begun(target);
        let item = resource_of(read, &judge, &mut row)?;
        let verdict = judge.judge(read, &row, item.as_ref())?;
        match &verdict {
            ItemVerdict::Changes(update) => {
                for name in update.names() {
                    *self.found.fields.entry(name.to_owned()).or_default() += 1;
                }
            }
            ItemVerdict::Moves(moved) => self.count_parts(read, moved, item.as_ref())?,
            _ => {}
        }
        let (count, rows) = match verdict {
            ItemVerdict::Changes(_) | ItemVerdict::Moves(_) | ItemVerdict::Makes(_) => {
                (&mut self.found.changes, &mut self.found.rows)
            }
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
            rows.push(preview_row(target, visible, verdict));
        }
        Ok(())
    }

    /// Counts what goes or comes with an item; `item` is there when it is deleted.
    fn count_parts(
        &mut self,
        read: &Lists<'_>,
        moved: &TrashMove<'_>,
        item: Option<&Entity>,
    ) -> Result<(), DbError> {
        for part in moved.others() {
            match part {
                TrashContent::Entity(_) => self.found.media += 1,
                TrashContent::File(_) => self.found.files += 1,
            }
        }
        let Some(item) = item.filter(|item| item.kind == EntityKind::Node) else {
            return Ok(());
        };
        self.found.members += read.member_count(item.id, &Viewer::of(&self.actor))?;
        for parent in item.references(&field_roles().member_of) {
            self.found.members -= i64::from(self.company.includes(read, parent)?);
        }
        Ok(())
    }
}

/// The row of an item in a batch that is not begun.
fn not_begun((kind, id): (EntityKind, i64)) -> BatchItem {
    BatchItem {
        position: 0,
        kind,
        id,
        state: BatchItemState::Waiting,
        revisions: None,
        parts: None,
        message: None,
    }
}

fn preview_row(
    (kind, id): (EntityKind, i64),
    item: Option<&Entity>,
    verdict: ItemVerdict<'_>,
) -> PreviewRow {
    let mut fields = Vec::new();
    let mut title = item.map_or(String::new(), |item| item.label().to_owned());
    let outcome = match verdict {
        ItemVerdict::Changes(update) => {
            let before = |name: &str| item.map_or(Vec::new(), |item| item.items(name).to_vec());
            let changed = update.into_fields().into_iter();
            fields.extend(changed.map(|(name, after)| (name.clone(), before(&name), after)));
            PreviewOutcome::Changes
        }
        ItemVerdict::Moves(moved) => {
            title = moved.label().to_owned();
            PreviewOutcome::Changes
        }
        ItemVerdict::Makes(copy) => {
            title = copy.label().to_owned();
            PreviewOutcome::Changes
        }
        ItemVerdict::Stays(reason) => PreviewOutcome::Stays(reason),
        ItemVerdict::Denied(words) => PreviewOutcome::Denied(words),
        ItemVerdict::Invalid(words) => PreviewOutcome::Invalid(words),
    };
    PreviewRow {
        kind,
        id,
        title,
        bundle: item.map_or(String::new(), |item| item.bundle.clone()),
        outcome,
        fields,
    }
}
