//! The filters of a list of nodes. Each filter has two forms: a condition on a row of `listing` (alias `l`), and a
//! query for all nodes that fit. A rare value is looked up by the query. A common value is checked row by row.

use super::id_set::IdSet;
use super::item_filter::{DateSpan, FieldPresence, FieldShape};
use super::list_id::ListId;
use super::sort_key::sort_key;
use super::sql_parts::Query;
use super::visible::{in_collections, visible, visible_item, visible_media_of_item};
use isolario_model::content::{EntityKind, field_roles};
use isolario_model::policy::{ItemVisibility, MediaVisibility, Visibility};

/// One filter of a list.
#[derive(Debug, Clone)]
pub(super) struct Filter {
    /// Whether a row fits.
    pub(super) condition: Query,
    /// A SELECT of one column `id`: every node that fits, from an index.
    pub(super) candidates: Query,
    pub(super) size: SizeEstimate,
}

/// How the number of nodes of a list that fit a filter is found.
#[derive(Debug, Clone)]
pub(super) enum SizeEstimate {
    /// By the stored counts: as many nodes as an actor with this visibility may see.
    Visible(ItemVisibility),
    /// By the stored counts: as many nodes as are not published.
    Unpublished,
    /// By counting the candidates.
    Candidates,
    /// No index leads to the nodes that fit, so the length of the list stands for their number.
    ListLength,
    /// So many are known to fit that the viewer may see.
    Known(i64),
}

/// No items.
pub(super) fn none() -> Filter {
    Filter {
        condition: visible("l", Visibility::Nothing),
        // Along an index, in which nothing is found.
        candidates: Query::new(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_nid WHERE f.list < 0",
        ),
        size: SizeEstimate::Candidates,
    }
}

/// Items of a model.
pub(super) fn by_model(tid: i64) -> Filter {
    let model = &field_roles().model;
    Filter {
        condition: Query::with(
            &format!(
                "EXISTS (SELECT 1 FROM field_reference f WHERE f.kind = 'node' AND f.id = l.node
                 AND f.field = '{model}' AND f.target_kind = 'taxonomy_term' AND f.target_id = ?)"
            ),
            &[tid],
        ),
        candidates: Query::with(
            &format!(
                "SELECT f.id FROM field_reference f WHERE f.target_kind = 'taxonomy_term' AND f.target_id = ?
                 AND f.kind = 'node' AND f.field = '{model}'"
            ),
            &[tid],
        ),
        size: SizeEstimate::Candidates,
    }
}

/// Items that refer to a term, in whatever field.
pub(super) fn by_term(tid: i64) -> Filter {
    Filter {
        // The term does not lead: a node has few references, a term may have a million.
        condition: Query::with(
            "EXISTS (SELECT 1 FROM field_reference f WHERE f.kind = 'node' AND f.id = l.node
             AND f.target_kind = 'taxonomy_term' AND +f.target_id = ?)",
            &[tid],
        ),
        candidates: Query::with(
            "SELECT f.id FROM field_reference f WHERE f.target_kind = 'taxonomy_term' AND f.target_id = ?
             AND f.kind = 'node'",
            &[tid],
        ),
        size: SizeEstimate::Candidates,
    }
}

/// Items with a media of a type that the viewer may see, as far as they see the item.
pub(super) fn by_media_type(bundle: &str, media: &MediaVisibility) -> Filter {
    let asked = |sql: &str| {
        let mut query = Query::new(sql);
        query.bind(bundle.to_owned());
        query.and(&visible_media_of_item("m", media));
        query
    };
    let media_of = &field_roles().media_of;
    let mut condition = asked(&format!(
        "EXISTS (SELECT 1 FROM field_reference r CROSS JOIN media m ON m.id = r.id AND m.deleted IS NULL
         WHERE r.target_id = l.node AND r.target_kind = 'node' AND r.kind = 'media'
           AND r.field = '{media_of}' AND m.bundle = ?"
    ));
    condition.push(")");
    Filter {
        condition,
        candidates: asked(&format!(
            "SELECT r.target_id AS id FROM media m INDEXED BY media_bundle
             CROSS JOIN field_reference r ON r.kind = 'media' AND r.id = m.id AND r.field = '{media_of}'
               AND r.target_kind = 'node'
             WHERE m.deleted IS NULL AND m.bundle = ?"
        )),
        size: SizeEstimate::Candidates,
    }
}

/// Items with a date that falls into a time, at least in part.
pub(super) fn by_date(span: &DateSpan) -> Filter {
    let asked = |sql: &str| {
        let mut query = Query::new(sql);
        query.push("AND f.field IN (");
        for (number, field) in span.fields.iter().enumerate() {
            query.push(if number == 0 { "?" } else { ", ?" });
            query.bind(field.clone());
        }
        query
            .push(") AND f.first_day <= ? AND f.last_day >= ?")
            .bind(span.last)
            .bind(span.first);
        query
    };
    let mut condition =
        asked("EXISTS (SELECT 1 FROM field_date f WHERE f.kind = 'node' AND f.id = l.node");
    condition.push(")");
    Filter {
        condition,
        candidates: asked("SELECT f.id FROM field_date f WHERE f.kind = 'node'"),
        size: SizeEstimate::Candidates,
    }
}

/// Items that have a value of a field, or none.
pub(super) fn by_having(having: &FieldPresence) -> Filter {
    let table = having.shape.table();
    let asked = |sql: &str| {
        let mut query = Query::new(sql);
        query.bind(having.field.clone());
        query
    };
    let exists = format!(
        "EXISTS (SELECT 1 FROM {table} f WHERE f.kind = 'node' AND f.id = l.node AND f.field = ?)"
    );
    // What has none stands in no index; references are found by their targets only.
    let leads = having.has && having.shape != FieldShape::Reference;
    Filter {
        condition: asked(&format!("{}{exists}", if having.has { "" } else { "NOT " })),
        candidates: asked(&format!(
            "SELECT f.id FROM {table} f WHERE f.kind = 'node' AND f.field = ?"
        )),
        size: if leads {
            SizeEstimate::Candidates
        } else {
            SizeEstimate::ListLength
        },
    }
}

/// Items of a node type.
pub(super) fn by_bundle(bundle: &str) -> Filter {
    let with_bundle = |sql: &str| {
        let mut query = Query::new(sql);
        query.bind(bundle.to_owned());
        query
    };
    Filter {
        condition: with_bundle(
            "EXISTS (SELECT 1 FROM node f WHERE f.id = l.node AND f.bundle = ?)",
        ),
        candidates: with_bundle(&format!(
            "SELECT f.id FROM field_text f INDEXED BY field_text_value
             WHERE f.kind = 'node' AND f.field = '{}' AND f.value = ? COLLATE NOCASE",
            EntityKind::Node.bundle_field()
        )),
        size: SizeEstimate::Candidates,
    }
}

/// Items of a set. Its ids are distinct, and of nodes that the viewer may see.
pub(super) fn by_set(set: &IdSet) -> Filter {
    Filter {
        condition: set.has("l.node"),
        candidates: set.first(),
        size: SizeEstimate::Known(set.count()),
    }
}

/// Items that stand in another list too.
pub(super) fn by_list(list: ListId) -> Filter {
    let columns = list.columns();
    Filter {
        condition: Query::with(
            "EXISTS (SELECT 1 FROM listing f WHERE f.node = l.node AND f.list = ? AND f.of = ?)",
            &columns,
        ),
        candidates: Query::with(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_nid WHERE f.list = ? AND f.of = ?",
            &columns,
        ),
        size: SizeEstimate::Candidates,
    }
}

/// Collections of a title, as titles are sorted: whatever the case of its letters.
pub(super) fn by_collection_title(list: ListId, title: &str) -> Filter {
    let [list, of] = list.columns();
    let key = sort_key(title);
    let mut condition = Query::new("l.title = ?");
    condition.bind(key.clone());
    let mut candidates = Query::with(
        "SELECT f.node AS id FROM listing f INDEXED BY listing_collection
         WHERE f.list = ? AND f.of = ? AND f.is_collection = 1 AND f.title = ?",
        &[list, of],
    );
    candidates.bind(key);
    Filter {
        condition,
        candidates,
        size: SizeEstimate::Candidates,
    }
}

/// Items that are published, or not.
pub(super) fn by_status(list: ListId, published: bool) -> Filter {
    let [list, of] = list.columns();
    Filter {
        condition: Query::with("l.published = ?", &[i64::from(published)]),
        candidates: Query::with(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_published
             WHERE f.list = ? AND f.of = ? AND f.published = ?",
            &[list, of, i64::from(published)],
        ),
        size: match published {
            true => SizeEstimate::Visible(ItemVisibility::everywhere(Visibility::Published)),
            false => SizeEstimate::Unpublished,
        },
    }
}

/// Items changed since a time (Unix seconds).
pub(super) fn by_change(since: i64) -> Filter {
    let [list, of] = ListId::All.columns();
    Filter {
        condition: Query::with("l.changed >= ?", &[since]),
        candidates: Query::with(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_changed
             WHERE f.list = ? AND f.of = ? AND f.changed >= ?",
            &[list, of, since],
        ),
        size: SizeEstimate::Candidates,
    }
}

/// What the viewer may see of a list.
pub(super) fn by_visibility(list: ListId, items: &ItemVisibility) -> Filter {
    let mut candidates = seen_everywhere(list, items.everywhere);
    if !items.in_collections.is_empty() {
        candidates
            .push("UNION SELECT c.id FROM (")
            .append(&in_collections(items))
            .push(") c CROSS JOIN listing l ON l.node = c.id WHERE l.list = 0 AND l.of = 0")
            .and(&visible_item("l", "l.node", items));
    }
    Filter {
        condition: visible_item("l", "l.node", items),
        candidates,
        size: SizeEstimate::Visible(items.clone()),
    }
}

/// A SELECT of one column `id`: the nodes of a list that may be seen by a rule.
fn seen_everywhere(list: ListId, everywhere: Visibility) -> Query {
    let [list, of] = list.columns();
    let published = "SELECT f.node AS id FROM listing f INDEXED BY listing_published
         WHERE f.list = ? AND f.of = ? AND f.published = 1";
    let own = "SELECT f.node AS id FROM listing f INDEXED BY listing_published
         WHERE f.list = ? AND f.of = ? AND f.published = 0 AND f.owner = ?";
    match everywhere {
        Visibility::Published => Query::with(published, &[list, of]),
        Visibility::PublishedOrOwnedBy(uid) => Query::with(
            &format!("{published} UNION ALL {own}"),
            &[list, of, list, of, uid],
        ),
        _ => {
            let mut all = Query::with(
                "SELECT f.node AS id FROM listing f INDEXED BY listing_nid WHERE f.list = ? AND f.of = ? AND",
                &[list, of],
            );
            all.append(&visible("f", everywhere));
            all
        }
    }
}
