//! The list of items without an original file. What has members, such as a book, is described by the files of these.

use super::filter::{self, Filter};
use super::list_id::ListId;
use super::sql_parts::Query;
use super::visible::{Viewer, hidden, visible_item, visible_media_of_item};
use crate::{DbError, Read, Write};
use isolario_model::content::page_of::PAGE_OF;
use isolario_model::content::roles::FieldRoles;
use isolario_model::content::{TermRole, field_roles, uri_of};
use isolario_model::policy::Visibility;

impl Read<'_> {
    /// Whether a live node has an original file, is a page of that of another node, or has a live member, whoever may see
    /// them.
    pub(super) fn has_content(&self, nid: i64) -> Result<bool, DbError> {
        let [list, of] = ListId::MembersOf(nid).columns();
        let mut statement = self
            .connection
            .prepare_cached("SELECT 1 FROM listing WHERE list = ?1 AND of = ?2")?;
        Ok(statement.exists([list, of])? || self.has_original(nid)?)
    }
}

impl Write<'_> {
    /// A node has got or lost its original file or a member, perhaps.
    pub(crate) fn list_original(&mut self, nid: i64) -> Result<(), DbError> {
        // Most have content and are not listed: then their facts need not be read.
        let is_listed = self.is_listed(nid, ListId::WithoutOriginal)?;
        let has_content = self.has_content(nid)?;
        if has_content && !is_listed {
            return Ok(());
        }
        let without = match has_content {
            true => None,
            false => self.listed(nid)?.filter(|listed| !listed.is_collection),
        };
        match without {
            Some(listed) if !is_listed => self.list_in(&listed, ListId::WithoutOriginal),
            None if is_listed => self.unlist_original(nid),
            _ => Ok(()),
        }
    }

    fn unlist_original(&mut self, nid: i64) -> Result<(), DbError> {
        let [list, of] = ListId::WithoutOriginal.columns();
        self.connection
            .prepare_cached("DELETE FROM listing WHERE node = ?1 AND list = ?2 AND of = ?3")?
            .execute([nid, list, of])?;
        Ok(())
    }
}

/// The list as a filter of other lists.
pub(super) fn without_original(viewer: &Viewer) -> Filter {
    let mut filter = filter::by_list(ListId::WithoutOriginal);
    if viewer.media.is_everything() {
        return filter;
    }
    let mut condition = Query::new("l.is_collection = 0");
    condition.and(&has_no_visible_content("l.node", viewer));
    filter.condition = condition;
    let [list, of] = ListId::All.columns();
    // Whatever is hidden is known only node by node, so every node is a candidate.
    filter.candidates = Query::with(
        "SELECT f.node AS id FROM listing f INDEXED BY listing_nid WHERE f.list = ? AND f.of = ?",
        &[list, of],
    );
    filter
}

/// Nodes whose every original file and every member is hidden from the viewer.
pub(super) fn also_without_original(viewer: &Viewer) -> Option<Query> {
    let media_of = &field_roles().media_of;
    let [members, _] = ListId::MembersOf(0).columns();
    let mut parts = Vec::new();
    if viewer.media.itself != Visibility::Everything {
        let mut with_original = Query::new(&format!(
            "SELECT r.target_id AS id FROM media h INDEXED BY media_hidden
             CROSS JOIN field_reference r ON r.kind = 'media' AND r.id = h.id AND r.field = '{media_of}' AND r.target_kind = 'node'
             WHERE h.deleted IS NULL AND h.published = 0"
        ));
        with_original.and(&hidden("h", viewer.media.itself));
        parts.push(("r.target_id", with_original));
    }
    if !viewer.nodes.is_everything() {
        let with_members =
            "SELECT c.of AS id FROM listing_count c WHERE c.list = ? AND c.nodes > 0";
        parts.push(("c.of", Query::with(with_members, &[members])));
    }
    let [list, of] = ListId::WithoutOriginal.columns();
    let parts = parts.into_iter().map(|(node, mut part)| {
        let listed = format!(
            "NOT EXISTS (SELECT 1 FROM listing o WHERE o.node = {node} AND o.list = ? AND o.of = ?)"
        );
        part.and(&Query::with(&listed, &[list, of]));
        part.and(&has_no_visible_content(node, viewer));
        part
    });
    parts.reduce(|mut all, part| {
        all.push("UNION").append(&part);
        all
    })
}

/// Whether a node has no original file and no member that the viewer may see, and is no page of a file.
fn has_no_visible_content(node: &str, viewer: &Viewer) -> Query {
    let mut query = Query::new("NOT");
    query.append(&has_visible_original(node, viewer));
    query.push(&format!(
        "AND NOT EXISTS (SELECT 1 FROM field_text g WHERE g.kind = 'node' AND g.id = {node} AND g.field = '{PAGE_OF}')"
    ));
    let [members, _] = ListId::MembersOf(0).columns();
    query.and(&Query::with(
        &format!(
            "NOT EXISTS (SELECT 1 FROM listing m INDEXED BY listing_published WHERE m.list = ? AND m.of = {node}"
        ),
        &[members],
    ));
    query
        .and(&visible_item("m", "m.node", &viewer.nodes))
        .push(")");
    query
}

/// Whether a node that the viewer sees has an original file that they may see: through it.
fn has_visible_original(node: &str, viewer: &Viewer) -> Query {
    let FieldRoles {
        media_of,
        media_use,
        external_uri,
        ..
    } = field_roles();
    let mut query = Query::new(&format!(
        "EXISTS (SELECT 1 FROM field_reference o
         CROSS JOIN media v ON v.id = o.id
         CROSS JOIN field_reference u ON u.kind = 'media' AND u.id = o.id AND u.field = '{media_use}' AND u.target_kind = 'taxonomy_term'
         CROSS JOIN field_text t ON t.kind = 'taxonomy_term' AND t.id = u.target_id AND t.field = '{external_uri}' AND t.value = ?
         WHERE o.target_kind = 'node' AND o.target_id = {node} AND o.kind = 'media' AND o.field = '{media_of}'"
    ));
    query.bind(uri_of(TermRole::OriginalFile).to_owned());
    query
        .and(&visible_media_of_item("v", &viewer.media))
        .push(")");
    query
}
