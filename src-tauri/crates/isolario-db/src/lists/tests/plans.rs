//! Every list reads along an index: nothing is scanned whole and nothing is sorted but the few
//! candidates of a rare filter.

use super::paging::{all, viewers};
use super::world::World;
use crate::lists::media::media_page_query;
use crate::lists::page_start::Span;
use crate::lists::sql_parts::Query;
use crate::lists::{DateSpan, FieldPresence, FieldShape, IdSet, ItemFilter, ItemSort, Order, View};
use crate::{Cursor, DbError, Key, Lists, Viewer};

fn plan(read: &Lists<'_>, query: &Query) -> Result<Vec<String>, DbError> {
    let sql = format!("EXPLAIN QUERY PLAN {}", query.sql);
    let mut statement = read.connection.prepare(&sql)?;
    let lines = statement.query_map(rusqlite::params_from_iter(&query.values), |row| row.get(3))?;
    Ok(lines.collect::<Result<_, _>>()?)
}

/// A table is read whole: `SCAN l`, and not along an index, nor one of our own few candidates.
fn is_scan(line: &str) -> bool {
    line.starts_with("SCAN")
        && !line.contains("INDEX")
        && !line.starts_with("SCAN c")
        && !line.starts_with("SCAN CONSTANT ROW")
        && !line.starts_with("SCAN above")
        && !line.starts_with("SCAN p")
        && !line.starts_with("SCAN below")
}

fn filters() -> Vec<ItemFilter> {
    let mut filters: Vec<ItemFilter> = View::ALL
        .into_iter()
        .map(|(_, view)| ItemFilter { view, ..all() })
        .collect();
    filters.extend([
        ItemFilter {
            collection: Some(3),
            ..all()
        },
        ItemFilter {
            collection: Some(3),
            below: true,
            ..all()
        },
        ItemFilter {
            collection: Some(3),
            view: View::WithoutOriginal,
            ..all()
        },
        ItemFilter {
            model: Some(3),
            ..all()
        },
        ItemFilter {
            bundle: Some("page".into()),
            ..all()
        },
        ItemFilter {
            published: Some(false),
            ..all()
        },
        ItemFilter {
            published: Some(true),
            ..all()
        },
        ItemFilter {
            found: Some(IdSet::new(&[3])),
            ..all()
        },
        ItemFilter {
            terms: vec![3, 4],
            ..all()
        },
        ItemFilter {
            media_type: Some("image".into()),
            ..all()
        },
        ItemFilter {
            dated: Some(DateSpan {
                fields: vec!["field_edtf_date".into(), "field_edtf_date_issued".into()],
                first: 0,
                last: 10,
            }),
            ..all()
        },
    ]);
    filters.extend(having());
    filters
}

fn having() -> impl Iterator<Item = ItemFilter> {
    let shapes = [
        FieldShape::Text,
        FieldShape::Number,
        FieldShape::Date,
        FieldShape::Reference,
    ];
    let asked = shapes
        .into_iter()
        .flat_map(|shape| [true, false].map(|has| (shape, has)));
    asked.map(|(shape, has)| ItemFilter {
        having: vec![FieldPresence {
            field: "field_extent".into(),
            shape,
            has,
        }],
        ..all()
    })
}

fn cursors(order: &Order) -> [Option<Cursor>; 2] {
    let cursor = Cursor {
        order: order.name(),
        key: Key::Number(1),
        id: 5,
    };
    [None, Some(cursor)]
}

#[tokio::test]
async fn items_are_read_in_order() {
    let world = World::new().await;
    world
        .read_lists(|read| {
            for items in filters() {
                for viewer in viewers() {
                    for (_, sort) in ItemSort::ALL {
                        for descending in [false, true] {
                            let sort = sort.clone();
                            check(read, &items, &viewer, &Order { sort, descending })?;
                        }
                    }
                }
            }
            Ok(())
        })
        .await;
}

fn check(
    read: &Lists<'_>,
    items: &ItemFilter,
    viewer: &Viewer,
    order: &Order,
) -> Result<(), DbError> {
    let list_query = read.list_query_of(items, viewer, order.clone())?;
    for cursor in cursors(order) {
        for stretch in order.stretches(cursor.as_ref()) {
            for (number, source) in read.sources(&list_query)?.iter().enumerate() {
                let span = Span {
                    stretch,
                    after: cursor.as_ref(),
                    skipped: 0,
                    limit: 100,
                };
                let query = source.page(&list_query, &span);
                let lines = plan(read, &query)?;
                let scanned = lines.iter().any(|line| is_scan(line));
                // Only what a viewer's own limits add is few and sorted.
                let sorted = number == 0 && lines.iter().any(|line| line.contains("FOR ORDER BY"));
                assert!(
                    !scanned && !sorted,
                    "{items:?} {order:?} {viewer:?}\n{}\n{lines:#?}",
                    query.sql
                );
            }
        }
    }
    for filter in &list_query.filters {
        let lines = plan(read, &filter.candidates)?;
        let virtual_table = |line: &String| line.contains("VIRTUAL TABLE");
        assert!(
            !lines
                .iter()
                .any(|line| is_scan(line) && !virtual_table(line)),
            "{}\n{lines:#?}",
            filter.candidates.sql
        );
    }
    Ok(())
}

#[tokio::test]
async fn media_are_read_in_order() {
    let world = World::new().await;
    world
        .read_lists(|read| {
            for viewer in viewers() {
                let cursor = Cursor {
                    order: String::new(),
                    key: Key::None,
                    id: 9,
                };
                for after in [None, Some(&cursor)] {
                    let lines = plan(read, &media_page_query(&viewer, after, 10))?;
                    assert!(
                        !lines
                            .iter()
                            .any(|line| is_scan(line) || line.contains("FOR ORDER BY")),
                        "{lines:#?}"
                    );
                }
            }
            Ok(())
        })
        .await;
}
