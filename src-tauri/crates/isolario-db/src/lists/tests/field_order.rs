//! Lists in the order of a field: those that are walked along its values are those that are sorted by them.

use super::at_scale::sorts;
use super::paging::{all, everything, fill, published_or_owned_by};
use super::world::{World, put_term};
use crate::lists::list_sql::RowSource;
use crate::lists::page_start::{Span, Stretch};
use crate::lists::{FieldShape, FieldSort, ItemSort, Order};
use crate::{Cursor, DbError, Lists, Viewer};
use isolario_model::content::{EntityKind, IndexRow, IndexValue};

/// The same rows, whichever way they are read, from the top and behind every tenth of them.
fn compare(read: &Lists<'_>, order: &Order, viewer: &Viewer) -> Result<(), DbError> {
    let list_query = read.list_query_of(&all(), viewer, order.clone())?;
    for stretch in [Stretch::Keyed, Stretch::Unkeyed] {
        for source in &mut read.sources(&list_query)? {
            let rows = |source: &mut RowSource, is_short: bool, after: Option<&Cursor>| {
                source.is_short = is_short;
                let span = Span {
                    stretch,
                    after,
                    skipped: 0,
                    limit: 1000,
                };
                read.keys(&source.page(&list_query, &span))
            };
            let sorted = rows(source, true, None)?;
            assert!(
                !sorted.is_empty() || stretch == Stretch::Unkeyed,
                "{order:?}"
            );
            assert_eq!(rows(source, false, None)?, sorted, "{order:?} {stretch:?}");
            for (number, (key, id)) in sorted.iter().enumerate().step_by(10) {
                let cursor = Cursor {
                    order: order.name(),
                    key: key.clone(),
                    id: *id,
                };
                for is_short in [true, false] {
                    let rest = rows(source, is_short, Some(&cursor))?;
                    assert_eq!(rest, sorted[number + 1..], "{order:?} behind {cursor:?}");
                    source.is_short = is_short;
                    let before = source.count_stretch(&list_query, stretch, Some(&cursor));
                    let before = usize::try_from(read.number(&before)?).unwrap();
                    assert_eq!(before, number, "{order:?} before {cursor:?}");
                }
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_is_walked_is_what_is_sorted() {
    let world = World::new().await;
    fill(&world).await;
    let some = published_or_owned_by(2);
    world
        .read_lists(move |read| {
            let fields = sorts().into_iter();
            let fields = fields.filter(|sort| matches!(sort, ItemSort::Field(_)));
            for sort in fields {
                for descending in [false, true] {
                    for viewer in [&everything(), &some] {
                        let sort = sort.clone();
                        compare(read, &Order { sort, descending }, viewer)?;
                    }
                }
            }
            Ok(())
        })
        .await;
}

#[tokio::test]
async fn of_several_terms_the_first_counts_and_its_name_is_what_is_sorted_by() {
    let world = World::new().await;
    fill(&world).await;
    let ids = world
        .write(|write| {
            let mut terms = Vec::new();
            for name in ["winds", "Atlases", "harbours"] {
                terms.push(put_term(write, "subject", name, "")?);
            }
            for (nid, named) in [(1, vec![0, 1]), (2, vec![1]), (3, vec![2])] {
                let rows = named.into_iter().enumerate().map(|(delta, term)| IndexRow {
                    field: "field_subject".into(),
                    delta,
                    value: IndexValue::Reference {
                        kind: EntityKind::Term,
                        id: terms[term],
                    },
                });
                write.replace_index(EntityKind::Node, nid, &rows.collect::<Vec<_>>())?;
            }
            Ok(terms)
        })
        .await;
    assert_eq!(ids.len(), 3);
    let by_subject = |descending| Order {
        sort: ItemSort::Field(FieldSort {
            field: "field_subject".into(),
            shape: FieldShape::Reference,
        }),
        descending,
    };
    for (descending, expected) in [(false, [2, 3, 1]), (true, [1, 3, 2])] {
        let order = by_subject(descending);
        let page =
            world.read_lists(move |read| read.item_page(&all(), &everything(), order, None, 3));
        assert_eq!(page.await.rows, expected);
    }
}
