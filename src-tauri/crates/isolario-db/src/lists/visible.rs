//! Translates the policy into SQL. Only this module makes conditions of `Visibility` and `MediaVisibility`.

use super::sql_parts::Query;
use isolario_model::content::{EntityKind, field_roles};
use isolario_model::policy::{Actor, MediaVisibility, Visibility, media_visibility, visibility};

/// What somebody may see, kind by kind. Every list asks with one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    pub nodes: Visibility,
    pub media: MediaVisibility,
    pub terms: Visibility,
    pub users: Visibility,
}

impl Viewer {
    /// What this actor may see.
    pub fn of(actor: &Actor) -> Viewer {
        Viewer {
            nodes: visibility(actor, EntityKind::Node),
            media: media_visibility(actor),
            terms: visibility(actor, EntityKind::Term),
            users: visibility(actor, EntityKind::User),
        }
    }
}

/// The condition under which a row of the alias (with columns `published` and `owner`) may be seen.
pub(super) fn visible(alias: &str, visibility: Visibility) -> Query {
    match visibility {
        Visibility::Everything => Query::new("1"),
        Visibility::Published => Query::new(&format!("{alias}.published = 1")),
        Visibility::PublishedOrOwnedBy(uid) => Query::with(
            &format!("({alias}.published = 1 OR {alias}.owner = ?)"),
            &[uid],
        ),
        Visibility::OwnedBy(uid) => Query::with(&format!("{alias}.owner = ?"), &[uid]),
        // Not a plain 0: with that, SQLite finds no way to use the index it is told to use.
        Visibility::Nothing => Query::new(&format!("{alias}.published < 0")),
    }
}

/// The condition under which a live media may be seen: a row of the alias, which has the columns of `media`.
pub(super) fn visible_media(alias: &str, media: MediaVisibility) -> Query {
    let media_of = &field_roles().media_of;
    let items = Items {
        of: "field_reference r",
        which: &format!(
            "r.kind = 'media' AND r.id = {alias}.id AND r.field = '{media_of}' AND r.target_kind = 'node'"
        ),
        nid: "r.target_id",
    };
    let mut query = visible(alias, media.itself);
    query.and(&items.show(media.items));
    query
}

/// The condition under which a state of a node, media or term may be seen, current, former or in the trash: a row of the
/// alias with columns `published`, `owner` and `document`.
pub(super) fn visible_state(alias: &str, kind: EntityKind, viewer: &Viewer) -> Query {
    let visibility = match kind {
        EntityKind::Node => viewer.nodes,
        EntityKind::Media => viewer.media.itself,
        EntityKind::Term => viewer.terms,
        EntityKind::File | EntityKind::User => Visibility::Nothing,
    };
    let mut query = visible(alias, visibility);
    if kind == EntityKind::Media {
        let media_of = &field_roles().media_of;
        let items = Items {
            of: &format!("json_each({alias}.document, '$.{media_of}') r"),
            which: "1",
            nid: "r.value ->> '$.target_id'",
        };
        query.and(&items.show(viewer.media.items));
    }
    query
}

/// Where SQL finds the items of a media.
struct Items<'q> {
    of: &'q str,
    which: &'q str,
    nid: &'q str,
}

impl Items<'_> {
    /// The condition under which a media may be seen through its items: through one, or it has none. What has been deleted
    /// is judged by its last state.
    fn show(&self, visibility: Visibility) -> Query {
        let Items { of, which, nid } = self;
        if visibility == Visibility::Everything {
            return Query::new("1");
        }
        let mut query = Query::new(&format!(
            "(EXISTS (SELECT 1 FROM {of} CROSS JOIN node n ON n.id = {nid} WHERE {which}"
        ));
        query.and(&visible("n", visibility));
        query.push(&format!(
            ") OR NOT EXISTS (SELECT 1 FROM {of} WHERE {which}))"
        ));
        query
    }
}

/// The condition under which a row of the alias exists but not for this viewer.
pub(super) fn hidden(alias: &str, visibility: Visibility) -> Query {
    match visibility {
        Visibility::Everything => Query::new("0"),
        Visibility::Published => Query::new(&format!("{alias}.published = 0")),
        Visibility::PublishedOrOwnedBy(uid) => Query::with(
            &format!("{alias}.published = 0 AND {alias}.owner <> ?"),
            &[uid],
        ),
        Visibility::OwnedBy(uid) => Query::with(&format!("{alias}.owner <> ?"), &[uid]),
        Visibility::Nothing => Query::new("1"),
    }
}
