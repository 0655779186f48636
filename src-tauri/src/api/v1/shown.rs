//! How nodes and media look in answers: with addresses that the viewer's browser can fetch.

use super::asked::Asked;
use super::fixity::fixity;
use super::parameters::not_found;
use super::shapes::{File, Item, Media, NodeTitle, Picture, Term, TermReference, UserName};
use crate::api::ApiError;
use crate::blobs::address;
use crate::content::{ContentModel, EntityKind};
use crate::db::{
    DbError, ItemRow, MediaFile, MediaRow, Read, TermName, Viewer, is_picture, original_of,
    picture_of,
};
use crate::fields::iso;

/// One snapshot of the database as one viewer sees it.
pub struct Shown<'r> {
    pub read: &'r Read<'r>,
    pub asked: &'r Asked,
    pub viewer: Viewer,
}

/// Whether a file may be fetched without a ticket.
#[derive(Clone, Copy)]
struct Open(bool);

impl<'r> Shown<'r> {
    pub(super) fn new(read: &'r Read<'r>, asked: &'r Asked) -> Shown<'r> {
        Shown {
            read,
            asked,
            viewer: Viewer::of(&asked.actor),
        }
    }

    /// The content model of the repository.
    pub fn model(&self) -> &ContentModel {
        &self.asked.repository.model
    }

    /// A node with its picture.
    pub fn item(&self, row: ItemRow) -> Result<Item, DbError> {
        let media = self.read.item_media(self.model(), row.nid, &self.viewer)?;
        let picture = picture_of(&media).map(|(media, file)| self.picture(&row, media, file));
        let may = self.item_acts(&row);
        Ok(Item {
            nid: row.nid,
            uuid: row.uuid,
            vid: row.revision,
            node_type: row.bundle,
            title: row.title,
            status: row.published,
            model: row.model.map(term),
            date: row.date,
            weight: row.weight,
            created: iso(row.created),
            changed: iso(row.changed),
            is_collection: row.is_collection,
            members: row.members,
            picture,
            mime: original_of(&media).map(|file| file.mime.clone()),
            media_count: i64::try_from(media.len()).unwrap_or(i64::MAX),
            may,
            fields: None,
        })
    }

    /// A picture of a node.
    pub fn picture(&self, row: &ItemRow, media: &MediaRow, file: &MediaFile) -> Picture {
        Picture {
            url: self.address(file, self.open(media, Some(row)), &[]),
            width: file.width,
            height: file.height,
        }
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

    /// A media with its file. The file is left out where the viewer may not see the node it belongs to.
    pub fn media(&self, row: MediaRow) -> Result<Media, DbError> {
        let (node, barred) = self.node_of(&row)?;
        let open = self.open(&row, node.as_ref());
        let may = self.media_acts(&row);
        let file = row.file.filter(|_| !barred);
        Ok(Media {
            mid: row.mid,
            vid: row.revision,
            bundle: row.bundle,
            name: row.name,
            status: row.published,
            mime: file.as_ref().map(|file| file.mime.clone()),
            size: file.as_ref().map(|file| file.size),
            width: file.as_ref().and_then(|file| file.width),
            height: file.as_ref().and_then(|file| file.height),
            uses: row.uses.into_iter().map(use_of).collect(),
            changed: iso(row.changed),
            node: node.map(|node| NodeTitle {
                nid: node.nid,
                title: node.title,
            }),
            file: file.map(|file| self.file(file, open)).transpose()?,
            may,
        })
    }

    /// The node of a media, and whether there is one that the viewer may not see.
    fn node_of(&self, media: &MediaRow) -> Result<(Option<ItemRow>, bool), DbError> {
        let Some(nid) = media.node else {
            return Ok((None, false));
        };
        let node = self.read.item(nid, &self.viewer)?;
        let barred = node.is_none() && self.read.target(EntityKind::Node, nid)?.is_some();
        Ok((node, barred))
    }

    /// The picture of a media by itself, where its file is one.
    pub fn media_picture(&self, mid: i64) -> Result<Option<String>, DbError> {
        let row = self.read.one_media(self.model(), mid, &self.viewer)?;
        let shown = row.map(|row| self.media(row)).transpose()?;
        Ok(shown
            .filter(|media| media.mime.as_deref().is_some_and(is_picture))
            .and_then(|media| media.file)
            .map(|file| file.view_url))
    }

    fn file(&self, file: MediaFile, open: Open) -> Result<File, DbError> {
        let record = self.read.fixity(file.fid, file.version)?;
        Ok(File {
            fid: file.fid,
            url: self.asked.base.join(&address::path_of(&file.uri)),
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
    fn address(&self, file: &MediaFile, open: Open, more: &[&str]) -> String {
        let path = address::path_of(&file.uri);
        let mut query: Vec<String> = more.iter().map(|&part| part.to_owned()).collect();
        if file.version > 1 {
            query.push(format!("version={}", file.version));
        }
        if !open.0 {
            let uid = self.asked.actor.uid;
            let ticket = self.asked.repository.authenticator.ticket(uid, &path);
            query.push(format!("ticket={ticket}"));
        }
        let question = if query.is_empty() { "" } else { "?" };
        let path = format!("{path}{question}{}", query.join("&"));
        self.asked.base.join(&path)
    }

    fn open(&self, media: &MediaRow, node: Option<&ItemRow>) -> Open {
        let anonymous = &self.asked.anonymous;
        let node_open = node.is_none_or(|node| anonymous.nodes.allows(node.published, node.owner));
        Open(node_open && anonymous.media.allows(media.published, media.owner))
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

/// A term as items show it.
pub fn term(row: TermName) -> Term {
    Term {
        tid: row.tid,
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
