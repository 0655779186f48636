//! What narrows a list of nodes. Each filter is both a condition on a row of `listing` (alias `l`)
//! and a question for all candidates, so that a rare value is looked up and a common one is
//! checked along the way.

use super::items::{DateSpan, Having};
use super::place::Place;
use super::query::Query;
use super::sort_key::sort_key;
use super::visible::visible;
use crate::auth::Visibility;

/// One narrowing of a list.
#[derive(Debug, Clone)]
pub(super) struct Filter {
    /// Whether a row fits.
    pub(super) condition: Query,
    /// A SELECT of one column `id`: every node that fits, from an index.
    pub(super) candidates: Query,
    pub(super) size: Size,
}

/// How it is known how many nodes of a list fit.
#[derive(Debug, Clone)]
pub(super) enum Size {
    /// The kept counts say it: those that somebody with such a view sees.
    SeenWith(Visibility),
    /// The kept counts say it: all that are not published.
    Unpublished,
    /// The candidates are to be counted.
    Counted,
    /// No index leads to them: each row is asked.
    Asked,
    /// As `Counted`; of very many candidates it is quicker to ask for each row whether it is one.
    Words { of_row: Query },
}

/// Items of a model.
pub(super) fn by_model(tid: i64) -> Filter {
    Filter {
        condition: Query::with(
            "EXISTS (SELECT 1 FROM field_reference f WHERE f.kind = 'node' AND f.id = l.node
             AND f.field = 'field_model' AND f.target_kind = 'taxonomy_term' AND f.target_id = ?)",
            &[tid],
        ),
        candidates: Query::with(
            "SELECT f.id FROM field_reference f WHERE f.target_kind = 'taxonomy_term' AND f.target_id = ?
             AND f.kind = 'node' AND f.field = 'field_model'",
            &[tid],
        ),
        size: Size::Counted,
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
        size: Size::Counted,
    }
}

/// Items with a media of a type that the viewer may see.
pub(super) fn by_media_type(bundle: &str, visibility: Visibility) -> Filter {
    let asked = |sql: &str| {
        let mut query = Query::new(sql);
        query.bind(bundle.to_owned());
        query.and(&visible("m", visibility));
        query
    };
    let mut condition = asked(
        "EXISTS (SELECT 1 FROM field_reference r CROSS JOIN media m ON m.id = r.id AND m.deleted IS NULL
         WHERE r.target_id = l.node AND r.target_kind = 'node' AND r.kind = 'media'
           AND r.field = 'field_media_of' AND m.bundle = ?",
    );
    condition.push(")");
    Filter {
        condition,
        candidates: asked(
            "SELECT r.target_id AS id FROM media m INDEXED BY media_bundle
             CROSS JOIN field_reference r ON r.kind = 'media' AND r.id = m.id AND r.field = 'field_media_of'
               AND r.target_kind = 'node'
             WHERE m.deleted IS NULL AND m.bundle = ?",
        ),
        size: Size::Counted,
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
        size: Size::Counted,
    }
}

/// Items that have a value of a field, or none.
pub(super) fn by_having(having: &Having) -> Filter {
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
    let leads = having.has && having.shape != super::items::FieldShape::Reference;
    Filter {
        condition: asked(&format!("{}{exists}", if having.has { "" } else { "NOT " })),
        candidates: asked(&format!(
            "SELECT f.id FROM {table} f WHERE f.kind = 'node' AND f.field = ?"
        )),
        size: if leads { Size::Counted } else { Size::Asked },
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
        candidates: with_bundle(
            "SELECT f.id FROM node f INDEXED BY node_bundle WHERE f.bundle = ? AND f.deleted IS NULL",
        ),
        size: Size::Counted,
    }
}

/// Items whose title and metadata answer a full-text question; none at all when nothing was asked.
pub(super) fn by_words(words: Option<String>) -> Filter {
    let Some(words) = words else {
        return Filter {
            condition: Query::new("0"),
            candidates: Query::new("SELECT node AS id FROM listing WHERE 0"),
            size: Size::Counted,
        };
    };
    let asked = |sql: &str| {
        let mut query = Query::new(sql);
        query.bind(words.clone());
        query
    };
    let candidates = asked("SELECT f.rowid AS id FROM item_text f WHERE f.item_text MATCH ?");
    let mut condition = Query::new("l.node IN (");
    condition.append(&candidates).push(")");
    Filter {
        condition,
        candidates,
        size: Size::Words {
            of_row: asked(
                "EXISTS (SELECT 1 FROM item_text f WHERE f.item_text MATCH ? AND f.rowid = l.node)",
            ),
        },
    }
}

/// Items that stand in another list too.
pub(super) fn by_place(place: Place) -> Filter {
    let columns = place.columns();
    Filter {
        condition: Query::with(
            "EXISTS (SELECT 1 FROM listing f WHERE f.node = l.node AND f.list = ? AND f.of = ?)",
            &columns,
        ),
        candidates: Query::with(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_nid WHERE f.list = ? AND f.of = ?",
            &columns,
        ),
        size: Size::Counted,
    }
}

/// Collections of a title, as titles are sorted: whatever the case of its letters.
pub(super) fn by_collection_title(place: Place, title: &str) -> Filter {
    let [list, of] = place.columns();
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
        size: Size::Counted,
    }
}

/// Items that are published, or not.
pub(super) fn by_status(place: Place, published: bool) -> Filter {
    let [list, of] = place.columns();
    Filter {
        condition: Query::with("l.published = ?", &[i64::from(published)]),
        candidates: Query::with(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_published
             WHERE f.list = ? AND f.of = ? AND f.published = ?",
            &[list, of, i64::from(published)],
        ),
        size: match published {
            true => Size::SeenWith(Visibility::Published),
            false => Size::Unpublished,
        },
    }
}

/// Items changed since a time (Unix seconds).
pub(super) fn by_change(since: i64) -> Filter {
    let [list, of] = Place::All.columns();
    Filter {
        condition: Query::with("l.changed >= ?", &[since]),
        candidates: Query::with(
            "SELECT f.node AS id FROM listing f INDEXED BY listing_changed
             WHERE f.list = ? AND f.of = ? AND f.changed >= ?",
            &[list, of, since],
        ),
        size: Size::Counted,
    }
}

/// What the viewer may see of a list.
pub(super) fn by_visibility(place: Place, visibility: Visibility) -> Filter {
    let [list, of] = place.columns();
    let published = "SELECT f.node AS id FROM listing f INDEXED BY listing_published
         WHERE f.list = ? AND f.of = ? AND f.published = 1";
    let own = "SELECT f.node AS id FROM listing f INDEXED BY listing_published
         WHERE f.list = ? AND f.of = ? AND f.published = 0 AND f.owner = ?";
    let candidates = match visibility {
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
            all.append(&visible("f", visibility));
            all
        }
    };
    Filter {
        condition: visible("l", visibility),
        candidates,
        size: Size::SeenWith(visibility),
    }
}
