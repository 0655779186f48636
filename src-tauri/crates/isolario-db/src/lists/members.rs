//! What the coming and going of a node does to the lists of its members and parents.

use super::list_id::ListId;
use crate::{DbError, Write};
use isolario_model::content::field_roles;

impl Write<'_> {
    /// The nodes that have got or lost a member, between the lists of it before and after.
    pub(super) fn list_parents(
        &mut self,
        before: &[[i64; 2]],
        after: &[[i64; 2]],
    ) -> Result<(), DbError> {
        let [members, _] = ListId::MembersOf(0).columns();
        let changed = |lists: &[[i64; 2]], others: &[[i64; 2]]| -> Vec<i64> {
            let lists = lists.iter().filter(|list| !others.contains(list));
            let members = lists.filter(|[list, _]| *list == members);
            members.map(|[_, parent]| *parent).collect()
        };
        let parents = [changed(before, after), changed(after, before)].concat();
        parents
            .into_iter()
            .try_for_each(|parent| self.list_original(parent))
    }

    /// Members of a node that has just gone: those without another parent are at the top.
    pub(super) fn unfile_members(&mut self, nid: i64) -> Result<(), DbError> {
        let [members, of] = ListId::MembersOf(nid).columns();
        for is_collection in [false, true] {
            let [top, none] = ListId::at_the_top(is_collection).columns();
            self.connection
                .prepare_cached(
                    "UPDATE listing SET list = ?3, of = ?4, is_branch = 0 WHERE list = ?1 AND of = ?2 AND is_collection = ?5
                     AND NOT EXISTS (SELECT 1 FROM listing o WHERE o.node = listing.node AND o.list = ?1 AND o.of <> ?2)",
                )?
                .execute([members, of, top, none, is_collection.into()])?;
        }
        self.connection
            .prepare_cached("DELETE FROM listing WHERE list = ?1 AND of = ?2")?
            .execute([members, of])?;
        Ok(())
    }

    /// Lists the members of a node that has just come back. Returns whether there are any.
    pub(super) fn file_members(&mut self, nid: i64) -> Result<bool, DbError> {
        let member_of = &field_roles().member_of;
        let members_sql = format!(
            "SELECT id FROM field_reference WHERE target_kind = 'node' AND target_id = ?1
             AND kind = 'node' AND field = '{member_of}'"
        );
        if self.ids(&format!("{members_sql} LIMIT 1"), nid)?.is_empty() {
            return Ok(false);
        }
        let ([members, _], [all, none]) = (ListId::MembersOf(nid).columns(), ListId::All.columns());
        self.connection
            .prepare_cached(&format!(
                "INSERT INTO listing (node, list, of, published, owner, is_collection, title, created, changed, weight, day)
                 SELECT node, ?2, ?1, published, owner, is_collection, title, created, changed, weight, day
                 FROM listing WHERE node IN ({members_sql}) AND list = ?3 AND of = ?4 ON CONFLICT DO NOTHING"
            ))?
            .execute([nid, members, all, none])?;
        let [unfiled, none] = ListId::Unfiled.columns();
        let [collections, _] = ListId::TopCollections.columns();
        self.connection
            .prepare_cached(&format!(
                "DELETE FROM listing WHERE node IN ({members_sql}) AND list IN (?2, ?4) AND of = ?3"
            ))?
            .execute([nid, unfiled, none, collections])?;
        Ok(true)
    }
}
