//! The items that wait for somebody: those they are assigned to, and those in review for anybody who may publish them.

use super::filter::{Filter, SizeEstimate};
use super::sql_parts::Query;
use super::visible::{Viewer, visible_item};
use isolario_model::content::entity::{ASSIGNEE, IN_REVIEW, MODERATION_STATE};

/// The items that wait for the viewer.
pub(super) fn waiting_for(viewer: &Viewer) -> Filter {
    let mut condition = Query::with(
        &format!(
            "(EXISTS (SELECT 1 FROM field_reference f WHERE f.kind = 'node' AND f.id = l.node AND f.field = '{ASSIGNEE}'
               AND f.target_kind = 'user' AND +f.target_id = ?)
             OR EXISTS (SELECT 1 FROM field_text f WHERE f.kind = 'node' AND f.id = l.node
               AND f.field = '{MODERATION_STATE}' AND f.value = '{IN_REVIEW}')"
        ),
        &[viewer.uid],
    );
    condition.push("AND").append(&unassigned("l.node"));
    condition
        .and(&visible_item("l", "l.node", &viewer.review_duty))
        .push(")");
    let mut candidates = Query::with(
        &format!(
            "SELECT f.id FROM field_reference f WHERE f.target_kind = 'user' AND f.target_id = ?
               AND f.kind = 'node' AND f.field = '{ASSIGNEE}'
             UNION ALL
             SELECT f.id FROM field_text f CROSS JOIN listing l ON l.node = f.id AND l.list = 0 AND l.of = 0
             WHERE f.kind = 'node' AND f.field = '{MODERATION_STATE}' AND f.value COLLATE NOCASE = '{IN_REVIEW}' AND"
        ),
        &[viewer.uid],
    );
    candidates
        .append(&unassigned("f.id"))
        .and(&visible_item("l", "l.node", &viewer.review_duty));
    Filter {
        condition,
        candidates,
        size: SizeEstimate::Candidates,
    }
}

/// The condition that nobody is assigned to a node.
fn unassigned(nid: &str) -> Query {
    Query::new(&format!(
        "NOT EXISTS (SELECT 1 FROM field_reference a WHERE a.kind = 'node' AND a.id = {nid} AND a.field = '{ASSIGNEE}')"
    ))
}
