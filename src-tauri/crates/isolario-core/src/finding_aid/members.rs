//! What is in a collection, page by page, each member as its part of the finding aid.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{FindingAidFormat, field_list};
use crate::actions::Refusal;
use crate::actions::account_rules::as_of_now;
use crate::actions::response_context::ResponseContext;
use crate::actions::view_entity::may_view;
use crate::repository::Repository;
use isolario_db::{Cursor, ItemFilter, ItemSort, Order, Read, Start, Viewer};
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind};
use isolario_model::formats::crosswalk::{RecordContext, component_of_finding_aid, field_texts};
use isolario_model::policy::Actor;

/// Members that are read in one snapshot.
const PAGE: usize = 100;

/// A collection or an item of a finding aid.
pub(super) struct Member {
    pub nid: i64,
    pub title: String,
    pub address: String,
    pub is_collection: bool,
    /// What is said of it, in the format.
    pub text: String,
}

/// What members are read with.
pub(super) struct Members {
    pub repository: Arc<Repository>,
    pub actor: Actor,
    pub base: String,
    pub format: FindingAidFormat,
}

/// The members of one collection that have not been read yet.
pub(super) struct Level {
    pub nid: i64,
    waiting: VecDeque<Member>,
    /// Where the next page starts; `None` after the last.
    next: Option<Option<Cursor>>,
}

impl Members {
    /// Where a node is.
    pub fn address(&self, nid: i64) -> String {
        format!("{}{}", self.base, EntityKind::Node.path(nid))
    }

    /// One node; `None` where there is none for the actor.
    pub async fn one(&self, nid: i64) -> Result<Option<Member>, Refusal> {
        let (reader, model) = (self.reader(), self.repository.model());
        let read = self.repository.db.read(move |read| {
            let actor = as_of_now(read, &reader.actor)?;
            reader.member(read, &model, &actor, nid)
        });
        read.await
    }

    /// The members of a collection, from the first.
    pub fn of(&self, nid: i64) -> Level {
        Level {
            nid,
            waiting: VecDeque::new(),
            next: Some(None),
        }
    }

    fn reader(&self) -> Members {
        Members {
            repository: self.repository.clone(),
            actor: self.actor.clone(),
            base: self.base.clone(),
            format: self.format,
        }
    }

    async fn page(
        &self,
        collection: i64,
        after: Option<Cursor>,
    ) -> Result<(VecDeque<Member>, Option<Cursor>), Refusal> {
        let (reader, model) = (self.reader(), self.repository.model());
        let read = self.repository.db.read_lists(move |read| {
            let actor = as_of_now(read, &reader.actor)?;
            let filter = ItemFilter {
                collection: Some(collection),
                ..ItemFilter::default()
            };
            let order = Order {
                sort: ItemSort::Weight,
                descending: false,
            };
            let viewer = Viewer::of(&actor);
            let page = read.item_page(&filter, &viewer, order, Start::After(after), PAGE)?;
            let mut members = VecDeque::new();
            for nid in page.rows {
                members.extend(reader.member(read, &model, &actor, nid)?);
            }
            Ok((members, page.next))
        });
        read.await
    }

    fn member(
        &self,
        read: &Read<'_>,
        model: &ContentModel,
        actor: &Actor,
        nid: i64,
    ) -> Result<Option<Member>, Refusal> {
        let place = read.place(nid, &Viewer::of(actor))?;
        let item = read.entity(EntityKind::Node, nid)?;
        let (Some(place), Some(item)) = (place, item) else {
            return Ok(None);
        };
        if !may_view(read, actor, &item)? {
            return Ok(None);
        }
        let fields = ResponseContext {
            read,
            model,
            actor,
            base: &self.base,
        };
        Ok(Some(Member {
            nid,
            title: place.title,
            address: self.address(nid),
            is_collection: place.is_collection,
            text: self.text(&item, &fields),
        }))
    }

    fn text(&self, item: &Entity, fields: &ResponseContext<'_>) -> String {
        let unknown = Bundle::unknown(item.kind, &item.bundle);
        let bundle = fields.model.bundle(item.kind, &item.bundle);
        let bundle = bundle.map_or(&unknown, |bundle| bundle);
        match self.format {
            FindingAidFormat::Html => field_list::write(bundle, &field_texts(item, bundle, fields)),
            FindingAidFormat::Ead3 => {
                let repository = &self.repository.config.name;
                component_of_finding_aid(item, bundle, &RecordContext { fields, repository })
            }
        }
    }
}

impl Level {
    /// The next member; `None` after the last.
    pub async fn next(&mut self, members: &Members) -> Result<Option<Member>, Refusal> {
        while self.waiting.is_empty() {
            let Some(after) = self.next.take() else {
                return Ok(None);
            };
            let (page, next) = members.page(self.nid, after).await?;
            self.waiting = page;
            self.next = next.map(Some);
        }
        Ok(self.waiting.pop_front())
    }
}
