//! Translates the policy into SQL. Only this module makes conditions of `Visibility` and `MediaVisibility`.

use super::sql_parts::Query;
use crate::subject::all_above;
use isolario_model::content::{EntityKind, field_roles};
use isolario_model::policy::{
    Actor, InCollection, ItemVisibility, MediaVisibility, Visibility, item_visibility,
    media_visibility, review_duty, visibility,
};

/// What somebody may see, kind by kind. Every list asks with one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    pub nodes: ItemVisibility,
    pub media: MediaVisibility,
    pub terms: Visibility,
    pub users: Visibility,
    /// User id; 0 for nobody in particular.
    pub uid: i64,
    /// Which items in review wait for the viewer, where nobody is assigned.
    pub review_duty: ItemVisibility,
}

impl Viewer {
    /// What this actor may see.
    pub fn of(actor: &Actor) -> Viewer {
        Viewer {
            nodes: item_visibility(actor),
            media: media_visibility(actor),
            terms: visibility(actor, EntityKind::Term),
            users: visibility(actor, EntityKind::User),
            uid: actor.uid,
            review_duty: review_duty(actor),
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

/// The condition under which a row of a node may be seen: a row of the alias, as for `visible`. `nid` is its column with
/// the id of the node.
pub(super) fn visible_item(alias: &str, nid: &str, items: &ItemVisibility) -> Query {
    item_seen(alias, &format!("SELECT {nid}"), items)
}

/// As `visible_item`, for a node and a SELECT of it and of the nodes that it is directly in.
fn item_seen(alias: &str, above: &str, items: &ItemVisibility) -> Query {
    let everywhere = visible(alias, items.everywhere);
    if items.is_everything() {
        return everywhere;
    }
    or_in_collections(everywhere, &items.in_collections, |one| {
        let mut there = visible(alias, one.items);
        there.and(&in_collection(above, one.collection));
        there
    })
}

/// The condition that one of the nodes of a SELECT is in a collection, at any depth, or is it.
fn in_collection(nodes: &str, collection: i64) -> Query {
    let above = all_above(nodes);
    let mut query = Query::new(&format!(
        "EXISTS ({above} SELECT 1 FROM above WHERE id = ?)"
    ));
    query.bind(collection);
    query
}

/// A condition, or what is more for those who were given roles in collections.
fn or_in_collections(
    everywhere: Query,
    in_collections: &[InCollection],
    there: impl Fn(&InCollection) -> Query,
) -> Query {
    if in_collections.is_empty() {
        return everywhere;
    }
    let mut query = Query::new("(");
    query.append(&everywhere);
    for one in in_collections {
        query.push("OR").append(&there(one));
    }
    query.push(")");
    query
}

/// The condition under which a live media may be seen: a row of the alias, which has the columns of `media`.
pub(super) fn visible_media(alias: &str, media: &MediaVisibility) -> Query {
    let media_of = &field_roles().media_of;
    let items = Items {
        of: "field_reference r",
        which: &format!(
            "r.kind = 'media' AND r.id = {alias}.id AND r.field = '{media_of}' AND r.target_kind = 'node'"
        ),
        nid: "r.target_id",
    };
    items.show(alias, media)
}

/// As `visible_media`, for a media of an item that the viewer sees.
pub(super) fn visible_media_of_item(alias: &str, media: &MediaVisibility) -> Query {
    match media.items.in_collections.is_empty() {
        true => visible(alias, media.itself),
        false => visible_media(alias, media),
    }
}

/// The condition under which a state of a node, media or term may be seen, current, former or in the trash: a row of the
/// alias with columns `id`, `published`, `owner` and `document`.
pub(super) fn visible_state(alias: &str, kind: EntityKind, viewer: &Viewer) -> Query {
    match kind {
        EntityKind::Node => {
            let member_of = &field_roles().member_of;
            let above = format!(
                "SELECT {alias}.id UNION ALL SELECT p.value ->> '$.target_id' FROM json_each({alias}.document, '$.{member_of}') p"
            );
            item_seen(alias, &above, &viewer.nodes)
        }
        EntityKind::Media => {
            let media_of = &field_roles().media_of;
            let items = Items {
                of: &format!("json_each({alias}.document, '$.{media_of}') r"),
                which: "1",
                nid: "r.value ->> '$.target_id'",
            };
            items.show(alias, &viewer.media)
        }
        EntityKind::Term => visible(alias, viewer.terms),
        EntityKind::File | EntityKind::User => visible(alias, Visibility::Nothing),
    }
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
    fn show(&self, alias: &str, media: &MediaVisibility) -> Query {
        let mut everywhere = visible(alias, media.itself);
        if !media.items.is_everything() {
            everywhere
                .push("AND (")
                .append(&self.one(&visible("n", media.items.everywhere)));
            let Items { of, which, .. } = self;
            everywhere.push(&format!(
                "OR NOT EXISTS (SELECT 1 FROM {of} WHERE {which}))"
            ));
        }
        or_in_collections(everywhere, &media.items.in_collections, |one| {
            let mut item = visible("n", one.items);
            item.and(&in_collection("SELECT n.id", one.collection));
            let mut there = visible(alias, one.media);
            there.and(&self.one(&item));
            there
        })
    }

    /// The condition that one of the items, a node `n`, fulfils another.
    fn one(&self, condition: &Query) -> Query {
        let Items { of, which, nid } = self;
        let mut query = Query::new(&format!(
            "EXISTS (SELECT 1 FROM {of} CROSS JOIN node n ON n.id = {nid} WHERE {which}"
        ));
        query.and(condition).push(")");
        query
    }
}

/// The condition under which a row of the alias exists but not for this viewer, by the rule that holds everywhere.
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

/// A SELECT of one column `id`: the collections in which somebody has roles and the nodes below them, each once, as far as
/// the rule that holds everywhere may hide them.
pub(super) fn in_collections(items: &ItemVisibility) -> Query {
    let states = published_states(items.everywhere);
    let collections = items.in_collections.iter().map(|one| one.collection);
    let collections = format!("{:?}", collections.collect::<Vec<i64>>());
    let mut query = Query::new(&format!(
        "WITH RECURSIVE below (node) AS (
           SELECT value FROM json_each(?)
           UNION
           SELECT b.node FROM below CROSS JOIN listing b INDEXED BY listing_branch
             ON b.list = 1 AND b.is_branch = 1 AND b.of = below.node)
         SELECT value AS id FROM json_each(?)
         UNION
         SELECT m.node FROM below CROSS JOIN listing m INDEXED BY listing_published
           ON m.list = 1 AND m.of = below.node WHERE m.published {states}"
    ));
    query.bind(collections.clone()).bind(collections);
    query
}

/// The condition of `published` in which a rule may hide something.
pub(super) fn published_states(everywhere: Visibility) -> &'static str {
    match everywhere {
        Visibility::Published | Visibility::PublishedOrOwnedBy(_) => "= 0",
        _ => "IN (0, 1)",
    }
}
