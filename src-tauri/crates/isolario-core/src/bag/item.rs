//! What a bag has of one item, read in one snapshot on behalf of an actor.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::history;
use crate::actions::Refusal;
use crate::actions::account_rules::as_of_now;
use crate::actions::response_context::ResponseContext;
use crate::actions::view_entity::{may_view, visible_shared_target};
use crate::container::names;
use crate::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_model::content::base_fields::base_fields;
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind, FileRecord, field_roles};
use isolario_model::formats::crosswalk::RecordContext;
use isolario_model::formats::file::write_file;
use isolario_model::formats::{json, jsonld};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Folders within each other. What is deeper lies beside what it is in.
const DEEPEST: usize = 8;

/// The part of a bag that tells of an item.
pub(super) struct BaggedItem {
    /// Path of its folder, below the payload.
    pub folder: String,
    /// Documents with their paths in the folder.
    pub documents: Vec<(String, Vec<u8>)>,
    /// Files with their paths in the folder.
    pub files: Vec<(String, FileRecord)>,
    /// Terms that it refers to.
    pub terms: BTreeSet<i64>,
}

/// A term in a bag.
pub(super) struct BaggedTerm {
    /// Below the payload.
    pub path: String,
    pub document: Vec<u8>,
    /// Terms that it refers to.
    pub terms: BTreeSet<i64>,
}

/// Reads what goes into a bag.
pub(super) struct BagReader {
    pub repository: Arc<Repository>,
    pub actor: Actor,
    /// The item that the bag is made of.
    pub top: i64,
    /// Scheme and host of addresses.
    pub base: String,
}

impl BagReader {
    /// An item; `None` for one that has gone or that the actor may no longer view.
    pub fn item(&self, read: &Read<'_>, nid: i64) -> Result<Option<BaggedItem>, Refusal> {
        let actor = as_of_now(read, &self.actor)?;
        let model = self.repository.model();
        let context = self.context(read, &actor, &model);
        let Some(item) = visible(&context, EntityKind::Node, nid)? else {
            return Ok(None);
        };
        let bundle = bundle_of(&context, &item);
        let mut bagged = BaggedItem {
            folder: self.folder(&context, &item)?,
            documents: vec![
                (
                    "item.json".into(),
                    json::encode_entity(&item, &bundle, &context),
                ),
                (
                    "item.jsonld".into(),
                    json::encode(&jsonld::write_entity(&item, &bundle, &context)),
                ),
            ],
            files: Vec::new(),
            terms: terms_of(&context, &item, &bundle)?,
        };
        let config = &self.repository.config;
        if let Some(format) = config.crosswalk.format("oai_dc") {
            let about = RecordContext {
                fields: &context,
                repository: &config.name,
            };
            let record = format.document(&item, &bundle, &about).into_bytes();
            bagged.documents.push(("dublin-core.xml".into(), record));
        }
        let mut media = Vec::new();
        for one in read.media_of(nid)? {
            if may_view(read, &actor, &one)? && self.add_media(&context, &one, &mut bagged)? {
                media.push(one);
            }
        }
        let files = bagged.files.iter();
        let files: Vec<_> = files.map(|(path, file)| (path.as_str(), file)).collect();
        let history = history::write(&context, &item, &media, &files)?;
        bagged
            .documents
            .push(("premis.xml".into(), history.into_bytes()));
        Ok(Some(bagged))
    }

    /// The document of a term, and the terms that it refers to; `None` for one that the actor may not view.
    pub fn term(&self, read: &Read<'_>, tid: i64) -> Result<Option<BaggedTerm>, Refusal> {
        let actor = as_of_now(read, &self.actor)?;
        let model = self.repository.model();
        let context = self.context(read, &actor, &model);
        let Some(term) = visible(&context, EntityKind::Term, tid)? else {
            return Ok(None);
        };
        let bundle = bundle_of(&context, &term);
        let name = names::folder(tid, term.label());
        Ok(Some(BaggedTerm {
            path: format!("terms/{}/{name}.json", term.bundle),
            document: json::encode_entity(&term, &bundle, &context),
            terms: terms_of(&context, &term, &bundle)?,
        }))
    }

    fn context<'c>(
        &'c self,
        read: &'c Read<'c>,
        actor: &'c Actor,
        model: &'c ContentModel,
    ) -> ResponseContext<'c> {
        ResponseContext {
            read,
            model,
            actor,
            base: &self.base,
        }
    }

    /// Adds a media that people brought; what was derived is derived again elsewhere.
    fn add_media(
        &self,
        context: &ResponseContext<'_>,
        media: &Entity,
        bagged: &mut BaggedItem,
    ) -> Result<bool, DbError> {
        let bundle = bundle_of(context, media);
        let fid = bundle
            .file_field()
            .and_then(|field| media.reference(&field.name));
        if let Some(fid) = fid {
            let origin = context.read.origin_of_bytes(media.id, fid)?;
            if origin.as_deref() == Some(Origin::Derivative.name()) {
                return Ok(false);
            }
            if let Some(file) = context.read.file(fid)? {
                let name = names::file(media.id, &file.filename);
                let document = json::encode(&write_file(&file, context));
                let path = format!("media/{}.file.json", media.id);
                bagged.documents.push((path, document));
                bagged.files.push((format!("files/{name}"), file));
            }
        }
        let document = json::encode_entity(media, &bundle, context);
        let path = format!("media/{}.json", media.id);
        bagged.documents.push((path, document));
        bagged.terms.extend(terms_of(context, media, &bundle)?);
        Ok(true)
    }

    /// The path of an item's folder: those of the visible items within the bag that it is in, from the top on.
    fn folder(&self, context: &ResponseContext<'_>, item: &Entity) -> Result<String, DbError> {
        let read = context.read;
        let mut path = Vec::new();
        let mut at = item.clone();
        while at.id != self.top {
            path.push(names::folder(at.id, at.label()));
            let mut above = None;
            for parent in at.references(&field_roles().member_of) {
                if read.is_self_or_ancestor(parent, self.top)?
                    && let Some(parent) = visible(context, EntityKind::Node, parent)?
                {
                    above = Some(parent);
                    break;
                }
            }
            match above {
                Some(above) if path.len() < MOST_CLIMBED => at = above,
                _ => break,
            }
        }
        if let Some(top) = visible(context, EntityKind::Node, self.top)? {
            path.push(names::folder(top.id, top.label()));
        }
        path.reverse();
        if path.len() > DEEPEST {
            path.drain(DEEPEST - 1..path.len() - 1);
        }
        Ok(path.join("/"))
    }
}

/// Items that are asked for their parents, at most.
const MOST_CLIMBED: usize = 64;

fn visible(
    context: &ResponseContext<'_>,
    kind: EntityKind,
    id: i64,
) -> Result<Option<Entity>, DbError> {
    match context.read.entity(kind, id)? {
        Some(found) if may_view(context.read, context.actor, &found)? => Ok(Some(found)),
        _ => Ok(None),
    }
}

fn bundle_of(context: &ResponseContext<'_>, entity: &Entity) -> Arc<Bundle> {
    let known = context.model.bundle(entity.kind, &entity.bundle).cloned();
    known.unwrap_or_else(|| Bundle::unknown(entity.kind, &entity.bundle))
}

/// The terms that a resource refers to, as far as the actor may view them.
fn terms_of(
    context: &ResponseContext<'_>,
    entity: &Entity,
    bundle: &Bundle,
) -> Result<BTreeSet<i64>, DbError> {
    let mut terms = BTreeSet::new();
    let fields = base_fields(entity.kind).iter().chain(&bundle.fields);
    for field in fields.filter(|field| field.target_kind() == Some(EntityKind::Term)) {
        for tid in entity.references(&field.name) {
            if visible_shared_target(context.read, context.actor, EntityKind::Term, tid)?.is_some()
            {
                terms.insert(tid);
            }
        }
    }
    Ok(terms)
}
