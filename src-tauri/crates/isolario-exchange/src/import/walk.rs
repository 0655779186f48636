//! Which nodes an import reads: everything, or what is below a collection.

use std::collections::{HashSet, VecDeque};

use isolario_model::content::uri_of;
use isolario_model::content::{EntityKind, TermRole, field_roles};

use super::Import;
use crate::mapping::Arrival;
use crate::paged_list::PagedList;
use crate::remote::RemoteEntity;
use crate::report::Outcome;
use crate::site::SiteError;
use crate::stop::Stop;

/// The list of all nodes that a site of this program has.
const ALL_NODES: &str = "/views/nodes";
/// Ids in a row without a node after which no further one is expected.
const LONGEST_GAP: u32 = 500;

impl Import<'_> {
    pub(super) async fn run(&mut self, collection: Option<i64>) -> Result<(), Stop> {
        self.site.check_sign_in().await?;
        if self.site.bag().is_some_and(|bag| bag.items() == 0) {
            return self.plain_files(collection).await;
        }
        match collection {
            Some(nid) => self.collection(nid).await?,
            None => self.everything().await?,
        }
        self.complete().await
    }

    /// A collection and what is below it, parents before members.
    async fn collection(&mut self, nid: i64) -> Result<(), Stop> {
        let mut known = HashSet::from([nid]);
        let mut queue = VecDeque::from([nid]);
        while let Some(nid) = queue.pop_front() {
            if !self.node(nid).await? {
                continue;
            }
            let path = format!("/node/{nid}/members");
            for member in self.ids(&path).await? {
                if known.insert(member) {
                    queue.push_back(member);
                }
            }
        }
        Ok(())
    }

    async fn ids(&mut self, path: &str) -> Result<Vec<i64>, Stop> {
        let (site, mut ids) = (self.site, Vec::new());
        let mut list = PagedList::new(site, path, EntityKind::Node);
        loop {
            match list.next().await {
                Ok(Some(page)) => {
                    self.lose_entries(path, EntityKind::Node, page.unreadable);
                    ids.extend(page.entities.iter().map(|entity| entity.id));
                }
                Ok(None) => return Ok(ids),
                Err(error) => {
                    let error = self.endure(error)?;
                    let words = format!("The list {path} cannot be read: {error}");
                    self.report.lose_unread(EntityKind::Node, 0, words);
                    return Ok(ids);
                }
            }
        }
    }

    /// Every node: by the list of the site, where it has one, or else by walking the ids upward.
    async fn everything(&mut self) -> Result<(), Stop> {
        let mut list = PagedList::new(self.site, ALL_NODES, EntityKind::Node);
        let mut is_first = true;
        loop {
            match list.next().await {
                Ok(Some(page)) if !page.entities.is_empty() => {
                    for entity in page.entities {
                        self.node(entity.id).await?;
                    }
                }
                Ok(_) if !is_first => return Ok(()),
                Ok(_) | Err(SiteError::Refused { .. } | SiteError::NotJson) if is_first => {
                    return self.upward().await;
                }
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            is_first = false;
        }
    }

    async fn upward(&mut self) -> Result<(), Stop> {
        let (mut nid, mut gap) = (0, 0);
        while gap < LONGEST_GAP {
            nid += 1;
            let is_there = self.node(nid).await?;
            gap = if is_there { 0 } else { gap + 1 };
        }
        Ok(())
    }

    /// A node with its media. Returns whether the site has such a node.
    async fn node(&mut self, nid: i64) -> Result<bool, Stop> {
        self.go_on()?;
        self.say();
        let Some(node) = self.fetch(EntityKind::Node, nid).await? else {
            let arrival = self.arrived.get(&(EntityKind::Node, nid)).copied();
            if let Some(arrival) = arrival {
                self.note(nid, arrival).await?;
            }
            return Ok(arrival.is_some());
        };
        let linked = node.media.clone();
        self.bring(node).await?;
        let arrival = self.arrived.get(&(EntityKind::Node, nid)).copied();
        if matches!(arrival, Some(Arrival::Here(_) | Arrival::Planned)) {
            self.media_of(nid, linked).await?;
        }
        if let Some(arrival) = arrival {
            self.note(nid, arrival).await?;
        }
        Ok(true)
    }

    /// The media of a node. The original file comes last: what the program derives from it must not take the places of
    /// derivatives that come with the site.
    async fn media_of(&mut self, nid: i64, linked: Vec<i64>) -> Result<(), Stop> {
        let mut media = match self.listed_media(nid).await? {
            Some(media) => media,
            None => self.linked_media(linked).await?,
        };
        for one in &media {
            self.bring_references(one, &[EntityKind::Term]).await?;
        }
        let original = self
            .repository
            .db
            .read_here(|read| read.term_by_uri(uri_of(TermRole::OriginalFile)))?;
        let original = original.map(Arrival::Here);
        let media_use = &field_roles().media_use;
        media.sort_by_key(|one| {
            let uses = one.references(media_use, EntityKind::Term);
            let mut uses = uses
                .iter()
                .map(|term| self.arrived.get(&(term.kind, term.id)).copied());
            uses.any(|term| term.is_some() && term == original)
        });
        for one in media {
            self.bring(one).await?;
        }
        Ok(())
    }

    async fn listed_media(&mut self, nid: i64) -> Result<Option<Vec<RemoteEntity>>, Stop> {
        let site = self.site;
        let path = format!("/node/{nid}/media");
        let mut list = PagedList::new(site, &path, EntityKind::Media);
        let mut media = Vec::new();
        loop {
            match list.next().await {
                Ok(Some(page)) => {
                    self.lose_entries(&path, EntityKind::Media, page.unreadable);
                    media.extend(page.entities);
                }
                Ok(None) => return Ok(Some(media)),
                Err(error) => {
                    self.endure(error)?;
                    return Ok(None);
                }
            }
        }
    }

    fn lose_entries(&mut self, path: &str, kind: EntityKind, entries: usize) {
        for _ in 0..entries {
            self.report.count(kind, Outcome::Failed);
            let reason = format!("The list {path} has an entry that cannot be read.");
            self.report.lose_unread(kind, 0, reason);
        }
    }

    /// The media that the Link headers of a node name, for a site without lists of media.
    async fn linked_media(&mut self, linked: Vec<i64>) -> Result<Vec<RemoteEntity>, Stop> {
        let mut media = Vec::new();
        for mid in linked {
            media.extend(self.fetch(EntityKind::Media, mid).await?);
        }
        Ok(media)
    }

    /// Sets the references to what came later than what refers to it.
    async fn complete(&mut self) -> Result<(), Stop> {
        self.is_last = true;
        for (kind, id) in std::mem::take(&mut self.waiting) {
            self.go_on()?;
            if let Some(remote) = self.fetch(kind, id).await? {
                self.take(remote).await?;
            }
        }
        Ok(())
    }
}
