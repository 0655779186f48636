//! Finds the targets of references of every kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::{OptionalExtension, params};

use super::entity::table;
use super::{DbError, Read};
use isolario_model::content::{EntityKind, FileFacts, FileUri, MimeType, Target, field_roles};
use isolario_model::policy::{Actor, ItemFacts};

/// What decides about who may see a media.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFacts {
    pub id: i64,
    pub published: bool,
    /// User id.
    pub owner: i64,
    /// The nodes that it belongs to, deleted or not.
    pub items: Vec<ItemFacts>,
}

impl Read<'_> {
    /// The live resource, file or account of a kind with an id.
    pub fn target(&self, kind: EntityKind, id: i64) -> Result<Option<Target>, DbError> {
        Ok(self.shared_target(kind, id)?.map(Arc::unwrap_or_clone))
    }

    /// As `target`, without a copy of what is cached.
    pub fn shared_target(&self, kind: EntityKind, id: i64) -> Result<Option<Arc<Target>>, DbError> {
        match self.known {
            Some(known) => known.or_find(kind, id, || self.find_target(kind, id)),
            None => Ok(self.find_target(kind, id)?.map(Arc::new)),
        }
    }

    fn find_target(&self, kind: EntityKind, id: i64) -> Result<Option<Target>, DbError> {
        match kind {
            EntityKind::File => self.file_target(id),
            EntityKind::User => self.user_target(id),
            EntityKind::Node | EntityKind::Media | EntityKind::Term => self.entity_target(kind, id),
        }
    }

    /// Live media that hold a file in any field, in the order of their ids.
    pub fn media_using_file(&self, fid: i64) -> Result<Vec<Target>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM field_reference
             WHERE target_kind = 'file' AND target_id = ?1 AND kind = 'media'",
        )?;
        let ids = statement.query_map([fid], |row| row.get(0))?;
        // Asked to sort, SQLite would read all references of media instead of the few to this file.
        let ids: BTreeSet<i64> = ids.collect::<Result<_, _>>()?;
        let media = ids.into_iter().map(|id| self.target(EntityKind::Media, id));
        media.filter_map(Result::transpose).collect()
    }

    /// The facts by which the policy decides who may view the live media that hold a file in any field.
    ///
    /// The collections of the items are read for these actors, where one has roles in collections.
    pub fn media_facts_of_file(
        &self,
        fid: i64,
        actors: &[&Actor],
    ) -> Result<Vec<MediaFacts>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT m.id, m.published, m.owner, belongs.target_id, n.published, n.owner
             FROM field_reference holds
             CROSS JOIN media m ON m.id = holds.id AND m.deleted IS NULL
             LEFT JOIN field_reference belongs ON belongs.kind = 'media' AND belongs.id = m.id
               AND belongs.field = ?2 AND belongs.target_kind = 'node'
             LEFT JOIN node n ON n.id = belongs.target_id
             WHERE holds.target_kind = 'file' AND holds.target_id = ?1 AND holds.kind = 'media'",
        )?;
        let mut rows = statement.query(params![fid, field_roles().media_of])?;
        let mut media: Vec<MediaFacts> = Vec::new();
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let place = media.iter().position(|known| known.id == id);
            let place = place.unwrap_or(media.len());
            if place == media.len() {
                media.push(MediaFacts {
                    id,
                    published: row.get(1)?,
                    owner: row.get(2)?,
                    items: Vec::new(),
                });
            }
            if row.get::<_, Option<i64>>(3)?.is_some() {
                // A node that never existed is hidden.
                let nid: i64 = row.get(3)?;
                media[place].items.push(ItemFacts {
                    published: row.get::<_, Option<bool>>(4)?.unwrap_or(false),
                    owner: row.get::<_, Option<i64>>(5)?.unwrap_or(0),
                    collections: self.collections_for(actors, &[nid])?,
                });
            }
        }
        Ok(media)
    }

    /// The nodes that a live media belongs to.
    pub fn nodes_of_media(&self, mid: i64) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT target_id FROM field_reference
             WHERE kind = 'media' AND id = ?1 AND field = ?2 AND target_kind = 'node' ORDER BY delta",
        )?;
        let nodes = statement.query_map(params![mid, field_roles().media_of], |row| row.get(0))?;
        Ok(nodes.collect::<Result<_, _>>()?)
    }

    /// The facts by which the policy decides who may view these nodes, deleted or not. A node that never existed is
    /// hidden.
    ///
    /// Their collections are read where the actor has roles in collections.
    pub fn item_facts(&self, nids: &[i64], actor: &Actor) -> Result<Vec<ItemFacts>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT published, owner FROM node WHERE id = ?1")?;
        let facts = nids.iter().map(|nid| {
            let found = statement.query_row([nid], |row| Ok((row.get(0)?, row.get(1)?)));
            let (published, owner): (bool, i64) = found.optional()?.unwrap_or((false, 0));
            Ok(ItemFacts {
                published,
                owner,
                collections: self.collections_for(&[actor], &[*nid])?,
            })
        });
        facts.collect()
    }

    /// The id of the live resource, file or account of a kind with a UUID.
    pub fn id_of_uuid(&self, kind: EntityKind, uuid: &str) -> Result<Option<i64>, DbError> {
        let sql = match kind {
            EntityKind::File => "SELECT fid FROM file WHERE uuid = ?1 AND deleted IS NULL".into(),
            EntityKind::User => "SELECT uid FROM user WHERE uuid = ?1".into(),
            _ => format!(
                "SELECT id FROM {} WHERE uuid = ?1 AND deleted IS NULL",
                table(kind)
            ),
        };
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([uuid], |row| row.get(0)).optional()?)
    }

    /// Whether a UUID is or was in use.
    pub fn uuid_is_taken(&self, kind: EntityKind, uuid: &str) -> Result<bool, DbError> {
        let sql = format!("SELECT 1 FROM {} WHERE uuid = ?1", table(kind));
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.exists([uuid])?)
    }

    /// The first live term with that external URI.
    pub fn term_by_uri(&self, uri: &str) -> Result<Option<i64>, DbError> {
        Ok(self.terms_by_uri(uri, 1)?.pop())
    }

    /// Live terms with that external URI, by id.
    pub fn terms_by_uri(&self, uri: &str, limit: i64) -> Result<Vec<i64>, DbError> {
        self.terms_by_address(&field_roles().external_uri, uri, limit)
    }

    /// The first live term with that address in an authority file.
    pub fn term_by_authority(&self, uri: &str) -> Result<Option<i64>, DbError> {
        Ok(self.terms_by_authority(uri, 1)?.pop())
    }

    /// Live terms with that address in an authority file, by id.
    pub fn terms_by_authority(&self, uri: &str, limit: i64) -> Result<Vec<i64>, DbError> {
        self.terms_by_address(&field_roles().authority_link, uri, limit)
    }

    fn terms_by_address(&self, field: &str, uri: &str, limit: i64) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM field_text WHERE kind = 'taxonomy_term' AND field = ?1
             AND value = ?2 COLLATE NOCASE ORDER BY id LIMIT ?3",
        )?;
        let found = statement.query_map(params![field, uri, limit], |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The first live term of a vocabulary with that name, whatever its case.
    pub fn term_by_name(&self, vocabulary: &str, name: &str) -> Result<Option<i64>, DbError> {
        Ok(self.terms_by_name(Some(vocabulary), name, 1)?.pop())
    }

    /// Live terms of a vocabulary, or of any, with that name, whatever its case, by id.
    pub fn terms_by_name(
        &self,
        vocabulary: Option<&str>,
        name: &str,
        limit: i64,
    ) -> Result<Vec<i64>, DbError> {
        let sql = match vocabulary {
            Some(_) => {
                "SELECT id FROM taxonomy_term WHERE bundle = ?1 AND label = ?2 COLLATE NOCASE
                 AND deleted IS NULL ORDER BY id LIMIT ?3"
            }
            None => {
                "SELECT id FROM taxonomy_term WHERE ?1 IS NULL AND label = ?2 COLLATE NOCASE
                 AND deleted IS NULL ORDER BY id LIMIT ?3"
            }
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map(params![vocabulary, name, limit], |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Whether `ancestor` is the node itself or one of its ancestors.
    pub fn is_self_or_ancestor(&self, node: i64, ancestor: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "WITH RECURSIVE above(id) AS (
               VALUES (?1)
               UNION
               SELECT r.target_id FROM above CROSS JOIN field_reference r
                 ON r.kind = 'node' AND r.id = above.id AND r.field = ?3 AND r.target_kind = 'node'
             ) SELECT 1 FROM above WHERE id = ?2",
        )?;
        Ok(statement.exists(params![node, ancestor, field_roles().member_of])?)
    }

    /// Whether `above` is the term itself or a term above it.
    pub fn is_term_or_above(&self, term: i64, above: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "WITH RECURSIVE above(id) AS (
               VALUES (?1)
               UNION
               SELECT r.target_id FROM above CROSS JOIN field_reference r
                 ON r.kind = 'taxonomy_term' AND r.id = above.id AND r.field = 'parent'
                 AND r.target_kind = 'taxonomy_term'
             ) SELECT 1 FROM above WHERE id = ?2",
        )?;
        Ok(statement.exists(params![term, above])?)
    }

    fn entity_target(&self, kind: EntityKind, id: i64) -> Result<Option<Target>, DbError> {
        let sql = match kind {
            EntityKind::Media => {
                "SELECT uuid, bundle, label, published, owner FROM media WHERE id = ?1 AND deleted IS NULL"
            }
            EntityKind::Term => {
                "SELECT uuid, bundle, label, published, owner FROM taxonomy_term WHERE id = ?1 AND deleted IS NULL"
            }
            _ => {
                "SELECT uuid, bundle, label, published, owner FROM node WHERE id = ?1 AND deleted IS NULL"
            }
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let target = statement
            .query_row([id], |row| {
                Ok(Target {
                    kind,
                    id,
                    uuid: row.get(0)?,
                    bundle: row.get(1)?,
                    label: row.get(2)?,
                    published: row.get(3)?,
                    owner: row.get(4)?,
                    uri: None,
                    file: None,
                })
            })
            .optional()?;
        match target {
            Some(mut target) if kind == EntityKind::Term => {
                target.uri = self.external_uri(id)?;
                Ok(Some(target))
            }
            other => Ok(other),
        }
    }

    /// The external URI of a term.
    pub fn external_uri(&self, tid: i64) -> Result<Option<String>, DbError> {
        self.address_of_term(tid, &field_roles().external_uri)
    }

    /// The URI of a term in an authority file.
    pub fn authority_uri(&self, tid: i64) -> Result<Option<String>, DbError> {
        self.address_of_term(tid, &field_roles().authority_link)
    }

    fn address_of_term(&self, tid: i64, field: &str) -> Result<Option<String>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT value FROM field_text WHERE kind = 'taxonomy_term' AND id = ?1
             AND field = ?2 AND delta = 0",
        )?;
        let found = statement.query_row(params![tid, field], |row| row.get(0));
        Ok(found.optional()?)
    }

    fn file_target(&self, fid: i64) -> Result<Option<Target>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.uuid, f.filename, f.permanent, f.uid, f.uri, v.mime, v.size, v.width, v.height FROM file f
             JOIN file_version v ON v.fid = f.fid AND v.version = f.version
             WHERE f.fid = ?1 AND f.deleted IS NULL",
        )?;
        let target = statement.query_row([fid], |row| {
            let uri: String = row.get(4)?;
            let facts = (
                MimeType::from(row.get::<_, String>(5)?),
                row.get(6)?,
                row.get(7)?,
                row.get(8)?,
            );
            Ok(Target {
                kind: EntityKind::File,
                id: fid,
                uuid: row.get(0)?,
                bundle: String::new(),
                label: row.get(1)?,
                published: row.get(2)?,
                owner: row.get(3)?,
                uri: None,
                file: FileUri::parse(&uri).map(|uri| FileFacts {
                    uri,
                    mime: facts.0,
                    size: facts.1,
                    width: facts.2,
                    height: facts.3,
                }),
            })
        });
        Ok(target.optional()?)
    }

    fn user_target(&self, uid: i64) -> Result<Option<Target>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT uuid, name, active FROM user WHERE uid = ?1")?;
        let target = statement.query_row([uid], |row| {
            Ok(Target {
                kind: EntityKind::User,
                id: uid,
                uuid: row.get(0)?,
                bundle: String::new(),
                label: row.get(1)?,
                published: row.get(2)?,
                owner: uid,
                uri: None,
                file: None,
            })
        });
        Ok(target.optional()?)
    }
}
