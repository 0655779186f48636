//! Writes the table `listing`. Each change of the index rows of a resource updates it.

use rusqlite::{OptionalExtension, params};

use super::list_id::ListId;
use super::sort_key::sort_key;
use crate::{DbError, Read, Write};
use isolario_model::content::{EntityKind, TermRole, field_roles, uri_of};

/// The facts of a resource that lists depend on, before a change.
#[derive(Debug, Default)]
pub(crate) struct PreviousFacts {
    /// Nodes that a media belonged to.
    nodes: Vec<i64>,
    /// The external URI of a term.
    uri: Option<String>,
}

/// The facts of a live node by which lists sort and filter.
pub(super) struct ListingFacts {
    node: i64,
    published: bool,
    owner: i64,
    pub(super) is_collection: bool,
    title: String,
    created: i64,
    changed: i64,
    weight: Option<i64>,
    day: Option<i64>,
}

/// The facts by which a node was listed, and the lists it stood in, as the table orders them.
type FormerListing = (ListingFacts, Vec<[i64; 2]>);

impl ListingFacts {
    /// Whether the numbers of `listing_count` stay as they are.
    fn is_counted_like(&self, other: &ListingFacts) -> bool {
        (self.published, self.owner, self.is_collection)
            == (other.published, other.owner, other.is_collection)
    }
}

/// Lists as the table orders them.
fn sorted(lists: &[ListId]) -> Vec<[i64; 2]> {
    let mut columns: Vec<[i64; 2]> = lists.iter().map(|list| list.columns()).collect();
    columns.sort_unstable();
    columns
}

impl Read<'_> {
    /// To be asked before a resource's index rows are replaced.
    pub(crate) fn listed_before(
        &self,
        kind: EntityKind,
        id: i64,
    ) -> Result<PreviousFacts, DbError> {
        Ok(match kind {
            EntityKind::Media => PreviousFacts {
                nodes: self.nodes_of_media(id)?,
                uri: None,
            },
            EntityKind::Term => PreviousFacts {
                nodes: Vec::new(),
                uri: self.external_uri(id)?,
            },
            _ => PreviousFacts::default(),
        })
    }

    pub(super) fn ids(&self, sql: &str, parameter: i64) -> Result<Vec<i64>, DbError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([parameter], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn listed(&self, nid: i64) -> Result<Option<ListingFacts>, DbError> {
        let fields = field_roles();
        let mut statement = self.connection.prepare_cached(
            "SELECT n.published, n.owner, n.label, n.created, n.changed,
               (SELECT CAST(value AS INTEGER) FROM field_number WHERE kind = 'node' AND id = n.id
                AND field = ?2 AND delta = 0),
               coalesce(
                 (SELECT first_day FROM field_date WHERE kind = 'node' AND id = n.id AND field = ?3 AND delta = 0),
                 (SELECT first_day FROM field_date WHERE kind = 'node' AND id = n.id AND field = ?4 AND delta = 0),
                 (SELECT first_day FROM field_date WHERE kind = 'node' AND id = n.id AND field = ?5 AND delta = 0))
             FROM node n WHERE n.id = ?1 AND n.deleted IS NULL",
        )?;
        let [first, second, third] = fields.listed_dates();
        let is_collection = self.is_collection(nid)?;
        let asked = params![nid, fields.weight, first, second, third];
        let listed = statement.query_row(asked, |row| {
            Ok(ListingFacts {
                node: nid,
                published: row.get(0)?,
                owner: row.get(1)?,
                title: sort_key(&row.get::<_, String>(2)?),
                created: row.get(3)?,
                changed: row.get(4)?,
                weight: row.get(5)?,
                day: row.get(6)?,
                is_collection,
            })
        });
        Ok(listed.optional()?)
    }

    /// Whether a node stays in its lists, and is seen by those who saw it before. What is new is in none yet.
    pub(crate) fn keeps_its_lists(&self, nid: i64) -> Result<bool, DbError> {
        let Some((before, mut stood_in)) = self.former_listing(nid)? else {
            return self.is_live(nid);
        };
        let Some(listed) = self.listed(nid)? else {
            return Ok(false);
        };
        stood_in.retain(|list| *list != ListId::WithoutOriginal.columns());
        let lists = self.lists_by_place(&listed)?;
        Ok(before.is_counted_like(&listed) && stood_in == sorted(&lists))
    }

    fn is_live(&self, nid: i64) -> Result<bool, DbError> {
        let sql = "SELECT 1 FROM node WHERE id = ?1 AND deleted IS NULL";
        Ok(self.connection.prepare_cached(sql)?.exists([nid])?)
    }

    /// The facts by which a node was listed, and the lists it stood in.
    fn former_listing(&self, nid: i64) -> Result<Option<FormerListing>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT list, of, published, owner, is_collection, title, created, changed, weight, day
             FROM listing WHERE node = ?1 ORDER BY list, of",
        )?;
        let mut rows = statement.query([nid])?;
        let mut former = None;
        while let Some(row) = rows.next()? {
            let list = [row.get(0)?, row.get(1)?];
            if let Some((_, lists)) = &mut former {
                Vec::push(lists, list);
                continue;
            }
            let listed = ListingFacts {
                node: nid,
                published: row.get(2)?,
                owner: row.get(3)?,
                is_collection: row.get(4)?,
                title: row.get(5)?,
                created: row.get(6)?,
                changed: row.get(7)?,
                weight: row.get(8)?,
                day: row.get(9)?,
            };
            former = Some((listed, vec![list]));
        }
        Ok(former)
    }

    fn live_parents(&self, nid: i64) -> Result<Vec<i64>, DbError> {
        let member_of = &field_roles().member_of;
        let sql = format!(
            "SELECT DISTINCT r.target_id FROM field_reference r
             CROSS JOIN node p ON p.id = r.target_id AND p.deleted IS NULL
             WHERE r.kind = 'node' AND r.id = ?1 AND r.field = '{member_of}' AND r.target_kind = 'node'"
        );
        self.ids(&sql, nid)
    }

    fn lists_of(&self, listed: &ListingFacts) -> Result<Vec<ListId>, DbError> {
        let mut lists = self.lists_by_place(listed)?;
        if !listed.is_collection && !self.has_content(listed.node)? {
            lists.push(ListId::WithoutOriginal);
        }
        Ok(lists)
    }

    /// The lists that do not depend on files and members.
    fn lists_by_place(&self, listed: &ListingFacts) -> Result<Vec<ListId>, DbError> {
        let mut lists = vec![ListId::All];
        let parents = self.live_parents(listed.node)?;
        if parents.is_empty() {
            lists.push(ListId::at_the_top(listed.is_collection));
        }
        lists.extend(parents.into_iter().map(ListId::MembersOf));
        if !listed.published {
            lists.push(ListId::Unpublished);
        }
        Ok(lists)
    }

    pub(super) fn is_listed(&self, nid: i64, list: ListId) -> Result<bool, DbError> {
        let [list, of] = list.columns();
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM listing WHERE node = ?1 AND list = ?2 AND of = ?3")?;
        Ok(statement.exists([nid, list, of])?)
    }
}

impl Write<'_> {
    /// To be called after a resource's row and index rows have changed.
    pub(crate) fn refresh_lists(
        &mut self,
        kind: EntityKind,
        id: i64,
        before: &PreviousFacts,
    ) -> Result<(), DbError> {
        match kind {
            EntityKind::Media => {
                let mut nodes = self.nodes_of_media(id)?;
                nodes.extend(&before.nodes);
                nodes
                    .into_iter()
                    .try_for_each(|nid| self.defer_index(nid, None))
            }
            EntityKind::Term => self.list_term(id, before),
            EntityKind::Node | EntityKind::File | EntityKind::User => Ok(()),
        }
    }

    pub(crate) fn list_node(&mut self, nid: i64) -> Result<(), DbError> {
        let former = self.former_listing(nid)?;
        let stood_in = former.as_ref().map_or(&[][..], |(_, lists)| lists);
        let Some(listed) = self.listed(nid)? else {
            self.unlist(nid)?;
            self.unfile_members(nid)?;
            return self.list_parents(stood_in, &[]);
        };
        let lists = self.lists_of(&listed)?;
        let stands_in = sorted(&lists);
        if let Some((before, _)) = &former {
            if before.is_counted_like(&listed) && stood_in == stands_in {
                return self.update_keys(before, &listed);
            }
            self.unlist(nid)?;
        }
        lists
            .into_iter()
            .try_for_each(|list| self.list_in(&listed, list))?;
        if former.is_none() && self.file_members(nid)? {
            self.list_original(nid)?;
        }
        self.list_parents(stood_in, &stands_in)
    }

    fn unlist(&mut self, nid: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM listing WHERE node = ?1")?
            .execute([nid])?;
        Ok(())
    }

    /// Writes the sort keys that have changed, and only those: each has an index in every list.
    fn update_keys(&mut self, before: &ListingFacts, after: &ListingFacts) -> Result<(), DbError> {
        let keys: [(&str, bool, &dyn rusqlite::ToSql); 5] = [
            ("title", before.title != after.title, &after.title),
            ("created", before.created != after.created, &after.created),
            ("changed", before.changed != after.changed, &after.changed),
            ("weight", before.weight != after.weight, &after.weight),
            ("day", before.day != after.day, &after.day),
        ];
        let changed: Vec<_> = keys
            .into_iter()
            .filter(|(_, differs, _)| *differs)
            .collect();
        if changed.is_empty() {
            return Ok(());
        }
        let columns: Vec<String> = changed
            .iter()
            .map(|(name, ..)| format!("{name} = ?"))
            .collect();
        let sql = format!("UPDATE listing SET {} WHERE node = ?", columns.join(", "));
        let mut values: Vec<&dyn rusqlite::ToSql> = changed.iter().map(|(.., key)| *key).collect();
        values.push(&after.node);
        self.connection
            .prepare_cached(&sql)?
            .execute(values.as_slice())?;
        Ok(())
    }

    pub(super) fn list_in(&mut self, listed: &ListingFacts, list: ListId) -> Result<(), DbError> {
        let [list, of] = list.columns();
        self.connection
            .prepare_cached(
                "INSERT INTO listing (node, list, of, published, owner, is_collection, title, created, changed, weight, day)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                listed.node,
                list,
                of,
                listed.published,
                listed.owner,
                listed.is_collection,
                listed.title,
                listed.created,
                listed.changed,
                listed.weight,
                listed.day
            ])?;
        Ok(())
    }

    /// A term's words; and when it began or ceased to mean *collection* or *original file*, what uses it.
    fn list_term(&mut self, tid: i64, before: &PreviousFacts) -> Result<(), DbError> {
        // Whoever follows the change of a term finds the nodes that refer to it.
        self.write_due_index()?;
        self.index_term(tid)?;
        self.place_term(tid)?;
        let after = self.external_uri(tid)?;
        if after == before.uri {
            return Ok(());
        }
        let mattered = |role| {
            let uri = uri_of(role);
            [&before.uri, &after]
                .iter()
                .any(|it| it.as_deref() == Some(uri))
        };
        if mattered(TermRole::Collection) {
            let model = &field_roles().model;
            let sql = format!(
                "SELECT id FROM field_reference WHERE target_kind = 'taxonomy_term' AND target_id = ?1
                 AND kind = 'node' AND field = '{model}'"
            );
            let nodes = self.ids(&sql, tid)?;
            nodes.into_iter().try_for_each(|nid| self.list_node(nid))?;
        }
        if mattered(TermRole::OriginalFile) {
            let (media_of, media_use) = (&field_roles().media_of, &field_roles().media_use);
            let sql = format!(
                "SELECT DISTINCT o.target_id FROM field_reference u
                 CROSS JOIN field_reference o ON o.kind = 'media' AND o.id = u.id AND o.field = '{media_of}' AND o.target_kind = 'node'
                 WHERE u.target_kind = 'taxonomy_term' AND u.target_id = ?1 AND u.kind = 'media' AND u.field = '{media_use}'"
            );
            let nodes = self.ids(&sql, tid)?;
            nodes
                .into_iter()
                .try_for_each(|nid| self.list_original(nid))?;
        }
        Ok(())
    }
}
