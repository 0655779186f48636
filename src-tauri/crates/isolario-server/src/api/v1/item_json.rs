//! Makes the JSON of nodes and media, with addresses that the viewer's browser can fetch.

use super::parameters::not_found;
use super::request_context::{ListSnapshot, ViewerSnapshot};
use super::responses::{
    File, Fixity, Item, Media, NodeTitle, Picture, Term, TermReference, UserName,
};
use crate::api::ApiError;
use isolario_core::actions::batches::pages::{may_have_pages, pages_in};
use isolario_core::actions::view_entity::may_view;
use isolario_db::{
    DbError, FixityRecord, ItemRow, MediaFile, MediaRow, Place, TermName, is_picture, original_of,
    picture_of,
};
use isolario_model::content::{Entity, EntityKind};
use isolario_model::content::{file_url, model_roles};
use isolario_model::fields::iso;
use isolario_model::policy::{ItemFacts, Operation, may};

/// Whether a file may be fetched without a ticket.
#[derive(Clone, Copy)]
struct IsPublic(bool);

impl ListSnapshot<'_> {
    /// A node with its picture.
    pub fn item(&self, row: ItemRow) -> Result<Item, DbError> {
        let media = self.read.item_media(self.model(), row.nid, &self.viewer)?;
        let picture =
            picture_of(&media).map(|(media, file)| self.picture(facts_of(&row), media, file));
        let may = self.item_permissions(&row)?;
        let original = original_of(&media);
        Ok(Item {
            nid: row.nid,
            uuid: row.uuid,
            vid: row.revision,
            node_type: row.bundle,
            title: row.title,
            status: row.published,
            in_review: row.in_review,
            assignee: match row.assignee {
                Some(uid) => self.user(uid)?,
                None => None,
            },
            model: row.model.map(term),
            date: row.date,
            weight: row.weight,
            created: iso(row.created),
            changed: iso(row.changed),
            is_collection: row.is_collection,
            members: row.members,
            picture,
            mime: original.map(|file| file.mime.to_string()),
            pages: original.map(|file| self.pages(file)).transpose()?.flatten(),
            bytes: media
                .iter()
                .filter_map(|one| Some(one.file.as_ref()?.size))
                .sum(),
            media_count: i64::try_from(media.len()).unwrap_or(i64::MAX),
            may,
            fields: None,
        })
    }

    /// A node by its id, if the viewer may see it.
    pub fn item_by_id(&self, nid: i64) -> Result<Option<Item>, DbError> {
        let row = self.read.item(nid, &self.viewer)?;
        row.map(|row| self.item(row)).transpose()
    }

    /// A node's row, or 404 where the viewer may not see it.
    pub fn node(&self, nid: i64) -> Result<ItemRow, ApiError> {
        let row = self.read.item(nid, &self.viewer)?;
        row.ok_or_else(|| not_found("item", nid))
    }
}

impl ViewerSnapshot<'_> {
    /// A node that the actor may change; 404 where they may not see it, 401 or 403 where they may not change it.
    pub fn changeable_item(&self, nid: i64) -> Result<Entity, ApiError> {
        let (read, actor) = (self.read, &self.context.actor);
        let item = match read.entity(EntityKind::Node, nid)? {
            Some(item) if may_view(read, actor, &item)? => item,
            _ => return Err(not_found("item", nid)),
        };
        may(actor, Operation::Update, &read.subject(actor, &item)?)
            .map_err(|denial| ApiError::denied(actor, denial))?;
        Ok(item)
    }

    /// A node as the place of others, or 404 where the viewer may not see it.
    pub fn place(&self, nid: i64) -> Result<Place, ApiError> {
        let place = self.read.place(nid, &self.viewer)?;
        place.ok_or_else(|| not_found("item", nid))
    }

    /// The pages of a file, where it has several.
    fn pages(&self, file: &MediaFile) -> Result<Option<i64>, DbError> {
        if !may_have_pages(file.mime.essence()) {
            return Ok(None);
        }
        let facts = self.read.file_facts(file.fid, file.version)?;
        let pages = facts.as_ref().and_then(pages_in);
        Ok(pages.filter(|pages| *pages > 1))
    }

    /// A picture of a node.
    pub fn picture(&self, node: ItemFacts, media: &MediaRow, file: &MediaFile) -> Picture {
        Picture {
            url: self.address(file, self.open(media, &[node]), &[]),
            width: file.width,
            height: file.height,
        }
    }

    /// A media with its file.
    pub fn media(&self, row: MediaRow) -> Result<Media, DbError> {
        let open = self.open(
            &row,
            &self.read.item_facts(&row.nodes, &self.context.actor)?,
        );
        let node = self.first_title(&row.nodes)?;
        let may = self.media_permissions(&row)?;
        let file = row.file;
        Ok(Media {
            mid: row.mid,
            vid: row.revision,
            bundle: row.bundle,
            name: row.name,
            status: row.published,
            mime: file.as_ref().map(|file| file.mime.to_string()),
            size: file.as_ref().map(|file| file.size),
            width: file.as_ref().and_then(|file| file.width),
            height: file.as_ref().and_then(|file| file.height),
            uses: row.uses.into_iter().map(use_of).collect(),
            changed: iso(row.changed),
            node,
            file: file.map(|file| self.file(file, open)).transpose()?,
            adjustment: row.adjustment,
            may,
        })
    }

    /// The first of these nodes that the viewer may see.
    pub(super) fn first_title(&self, nids: &[i64]) -> Result<Option<NodeTitle>, DbError> {
        for &nid in nids {
            let title = self.title(nid)?;
            if title.is_some() {
                return Ok(title);
            }
        }
        Ok(None)
    }

    /// What is said of an item beside something that belongs to it, if the viewer may see the item.
    pub fn title(&self, nid: i64) -> Result<Option<NodeTitle>, DbError> {
        let place = self.read.place(nid, &self.viewer)?;
        let title = place.map(|place| place.title);
        Ok(title.map(|title| NodeTitle { nid, title }))
    }

    /// The picture of an item that the viewer sees.
    pub fn item_picture(&self, nid: i64, facts: ItemFacts) -> Result<Option<String>, DbError> {
        let media = self.read.item_media(self.model(), nid, &self.viewer)?;
        let picture = picture_of(&media);
        Ok(picture.map(|(media, file)| self.picture(facts, media, file).url))
    }

    /// The picture of a media by itself, where its file is one.
    pub fn media_picture(&self, mid: i64) -> Result<Option<String>, DbError> {
        let row = self.read.one_media(self.model(), mid, &self.viewer)?;
        let snapshot = row.map(|row| self.media(row)).transpose()?;
        Ok(snapshot
            .filter(|media| media.mime.as_deref().is_some_and(is_picture))
            .and_then(|media| media.file)
            .map(|file| file.view_url))
    }

    fn file(&self, file: MediaFile, open: IsPublic) -> Result<File, DbError> {
        let record = self.read.fixity(file.fid, file.version)?;
        Ok(File {
            fid: file.fid,
            url: self.context.base.join(&file_url::path_of(&file.uri)),
            download_url: self.address(&file, open, &["download=1"]),
            view_url: self.address(&file, open, &[]),
            uri: file.uri.to_string(),
            filename: file.filename,
            sha512: file.sha512,
            facts: self.read.file_facts(file.fid, file.version)?,
            fixity: record.map(fixity),
        })
    }

    /// The address of a file's bytes. The version makes a browser fetch a replacement anew.
    fn address(&self, file: &MediaFile, open: IsPublic, more: &[&str]) -> String {
        let path = file_url::path_of(&file.uri);
        let mut query: Vec<String> = more.iter().map(|&part| part.to_owned()).collect();
        if file.version > 1 {
            query.push(format!("version={}", file.version));
        }
        if !open.0 {
            let authenticator = &self.context.repository.authenticator;
            let ticket = authenticator.ticket(&self.context.actor, &path);
            query.push(format!("ticket={ticket}"));
        }
        let question = if query.is_empty() { "" } else { "?" };
        let path = format!("{path}{question}{}", query.join("&"));
        self.context.base.join(&path)
    }

    fn open(&self, media: &MediaRow, items: &[ItemFacts]) -> IsPublic {
        let anonymous = &self.context.anonymous.media;
        IsPublic(anonymous.allows(media.published, media.owner, items))
    }

    /// A user by name, where the viewer may know it.
    pub fn user(&self, uid: i64) -> Result<Option<UserName>, DbError> {
        if !self.viewer.users.allows(true, uid) {
            return Ok(None);
        }
        let target = self.read.target(EntityKind::User, uid)?;
        Ok(target.map(|target| UserName {
            uid,
            name: target.label,
        }))
    }
}

/// What decides whether everybody may see an item.
pub fn facts_of(row: &ItemRow) -> ItemFacts {
    ItemFacts {
        published: row.published,
        owner: row.owner,
        collections: Vec::new(),
    }
}

/// A term as items show it.
pub fn term(row: TermName) -> Term {
    let role = |uri: &String| model_roles().role_of(uri);
    Term {
        tid: row.tid,
        role: row.uri.as_ref().and_then(role),
        name: row.name,
        uri: row.uri,
    }
}

fn use_of(row: TermName) -> TermReference {
    TermReference {
        tid: row.tid,
        name: row.name,
    }
}

/// What is known of bytes, written out.
pub fn fixity(record: FixityRecord) -> Fixity {
    Fixity {
        state: record.state.name(),
        verified: iso(record.verified),
        since: iso(record.since),
        detail: Some(record.detail).filter(|detail| !detail.is_empty()),
    }
}
