//! Which items are to be indexed again after events.

use std::collections::BTreeSet;

use super::ancestors::ParentFacts;
use super::terms::{TermCache, TermFacts};
use isolario_db::{DbError, Event, Read};
use isolario_model::content::{Entity, EntityKind, field_roles};
use isolario_model::origin::Origin;

/// More items than these wait until all others are indexed.
const FEW: usize = 100;

/// Items whose documents are no longer true.
#[derive(Debug, Default)]
pub(crate) struct AffectedItems {
    /// Those of the events themselves.
    pub direct: BTreeSet<i64>,
    /// The many that show something that has changed: a term, a collection.
    pub wide: BTreeSet<i64>,
}

impl AffectedItems {
    /// The items of events.
    pub fn of(read: &Read<'_>, events: &[Event]) -> Result<AffectedItems, DbError> {
        let mut items = AffectedItems::default();
        for event in events {
            items.add(read, event)?;
        }
        Ok(items)
    }

    fn add(&mut self, read: &Read<'_>, event: &Event) -> Result<(), DbError> {
        match event.kind {
            EntityKind::Node => self.add_node(read, event),
            EntityKind::Media => self.add_media(read, event),
            EntityKind::Term => self.add_term(read, event),
            EntityKind::File if event.origin == Origin::Fixity.name() => Ok(()),
            EntityKind::File => self.add_file(read, event.entity_id),
            EntityKind::User => Ok(()),
        }
    }

    fn many(&mut self, items: Vec<i64>) {
        match items.len() <= FEW {
            true => self.direct.extend(items),
            false => self.wide.extend(items),
        }
    }

    fn add_node(&mut self, read: &Read<'_>, event: &Event) -> Result<(), DbError> {
        self.direct.insert(event.entity_id);
        let states = states(read, event)?;
        let is_same = states.is_some_and(|(before, after)| {
            let terms = TermCache::default();
            let of = |state: &Entity| ParentFacts::of(read, &terms, state);
            matches!((of(&before), of(&after)), (Ok(before), Ok(after)) if before == after)
        });
        if event.action != "create" && !is_same {
            self.many(read.nodes_below(event.entity_id)?);
        }
        Ok(())
    }

    /// The event names the items of its state; those of the state before are no longer there.
    fn add_media(&mut self, read: &Read<'_>, event: &Event) -> Result<(), DbError> {
        self.direct.extend(&event.parents);
        if let Some((before, _)) = states(read, event)? {
            self.direct
                .extend(before.references(&field_roles().media_of));
        }
        Ok(())
    }

    fn add_term(&mut self, read: &Read<'_>, event: &Event) -> Result<(), DbError> {
        let tid = event.entity_id;
        let facts = states(read, event)?;
        let facts = facts.map(|(before, after)| (TermFacts::of(&before), TermFacts::of(&after)));
        if event.action == "create" || facts.as_ref().is_some_and(|(one, other)| one == other) {
            return Ok(());
        }
        let nodes = read.nodes_referring_to(EntityKind::Term, tid)?;
        // What was a collection may be none any more, or the other way round.
        if facts.is_none_or(|(before, after)| before.uri != after.uri) {
            for nid in &nodes {
                self.many(read.nodes_below(*nid)?);
            }
        }
        self.many(nodes);
        self.many(read.nodes_of_media_with_term(tid)?);
        Ok(())
    }

    fn add_file(&mut self, read: &Read<'_>, fid: i64) -> Result<(), DbError> {
        for media in read.media_using_file(fid)? {
            self.direct.extend(read.nodes_of_media(media.id)?);
        }
        Ok(())
    }
}

/// The states of a resource before and after an update; none if it was no update, or they are purged.
fn states(read: &Read<'_>, event: &Event) -> Result<Option<(Entity, Entity)>, DbError> {
    let (kind, id) = (event.kind, event.entity_id);
    let Some(revision) = event.revision.filter(|_| event.action == "update") else {
        return Ok(None);
    };
    let current = match read.entity(kind, id)? {
        Some(current) => Some(current),
        None => read.deleted_entity(kind, id)?,
    };
    let (Some(current), Some(former)) = (current, read.revision_before(kind, id, revision)?) else {
        return Ok(None);
    };
    let before = read.at_revision(&current, former)?;
    Ok(before.zip(read.at_revision(&current, revision)?))
}
