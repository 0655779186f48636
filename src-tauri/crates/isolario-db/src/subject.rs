//! The facts by which the policy decides, with the collections that something is in.

use isolario_model::content::{Entity, EntityKind, Target, field_roles};
use isolario_model::policy::{Actor, Subject};

use crate::{DbError, Read};

impl Read<'_> {
    /// The facts of a node, media or term, as it is or was. Who has no roles in collections is judged without these.
    pub fn subject<'e>(&self, actor: &Actor, entity: &'e Entity) -> Result<Subject<'e>, DbError> {
        let nodes = match entity.kind {
            EntityKind::Node => {
                let mut nodes = entity.references(&field_roles().member_of);
                nodes.push(entity.id);
                nodes
            }
            EntityKind::Media => entity.references(&field_roles().media_of),
            _ => Vec::new(),
        };
        Ok(Subject::of(entity).in_collections(self.collections_for(&[actor], &nodes)?))
    }

    /// As `subject`, for what something refers to.
    pub fn target_subject<'e>(
        &self,
        actor: &Actor,
        target: &'e Target,
    ) -> Result<Subject<'e>, DbError> {
        let nodes = match target.kind {
            EntityKind::Node => vec![target.id],
            EntityKind::Media if actor.depends_on_collections() => {
                self.nodes_of_media(target.id)?
            }
            _ => Vec::new(),
        };
        Ok(Subject::of_target(target).in_collections(self.collections_for(&[actor], &nodes)?))
    }

    /// These nodes and all above them, if one of the actors has roles in collections; otherwise none.
    pub fn collections_for(&self, actors: &[&Actor], nodes: &[i64]) -> Result<Vec<i64>, DbError> {
        if nodes.is_empty() || !actors.iter().any(|actor| actor.depends_on_collections()) {
            return Ok(Vec::new());
        }
        self.with_all_above(nodes)
    }

    /// These nodes and all that they are in, at any depth.
    pub fn with_all_above(&self, nodes: &[i64]) -> Result<Vec<i64>, DbError> {
        let above = all_above("SELECT value FROM json_each(?1)");
        let mut statement = self
            .connection
            .prepare_cached(&format!("{above} SELECT id FROM above"))?;
        let nodes = serde_json::to_string(nodes)?;
        let above = statement.query_map([nodes], |row| row.get(0))?;
        Ok(above.collect::<Result<_, _>>()?)
    }
}

/// The table expression `above`: the nodes of a SELECT, and all that they are in, at any depth. What is live is in nothing
/// by way of the trash; what is in the trash is where it was at last.
pub(crate) fn all_above(nodes: &str) -> String {
    let member_of = &field_roles().member_of;
    format!(
        "WITH RECURSIVE above (id) AS ({nodes}
           UNION
           SELECT r.target_id FROM above CROSS JOIN field_reference r
             ON r.kind = 'node' AND r.id = above.id AND r.field = '{member_of}' AND r.target_kind = 'node'
             CROSS JOIN node p ON p.id = r.target_id AND p.deleted IS NULL
           UNION
           SELECT p.value ->> '$.target_id' FROM above
             CROSS JOIN node t ON t.id = above.id AND t.deleted IS NOT NULL
             CROSS JOIN json_each(t.document, '$.{member_of}') p)"
    )
}
