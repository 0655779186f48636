//! What narrows a list of nodes. Each filter is both a condition on a row of `listing` (alias `l`)
//! and a question for all candidates, so that a rare value is looked up and a common one is
//! checked along the way.

use super::place::Place;
use super::query::Query;
use super::search::words_of;
use super::visible::visible;
use crate::auth::Visibility;

/// One narrowing of a list.
#[derive(Debug, Clone)]
pub(super) struct Filter {
    /// Whether a row fits.
    pub(super) condition: Query,
    /// A SELECT of one column `id`: every node that fits, from an index.
    pub(super) candidates: Query,
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
    }
}

/// Items whose title and metadata hold these words; none at all when nothing typed is a word.
pub(super) fn by_text(typed: &str) -> Filter {
    let Some(words) = words_of(typed) else {
        return Filter {
            condition: Query::new("0"),
            candidates: Query::new("SELECT node AS id FROM listing WHERE 0"),
        };
    };
    let mut candidates =
        Query::new("SELECT f.rowid AS id FROM item_text f WHERE f.item_text MATCH ?");
    candidates.bind(words);
    let mut condition = Query::new("l.node IN (");
    condition.append(&candidates).push(")");
    Filter {
        condition,
        candidates,
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
    }
}
