//! Pages follow each other without gaps or doubles, in every order and both directions.

use super::at_scale::sorts;
use super::world::{NewNode, World, delete, put_node, put_original};
use crate::lists::{IdSet, ItemFilter, ItemSort, Order, Start, Total, View};
use crate::{Cursor, Viewer};
use isolario_model::content::{EntityKind, TermRole, uri_of};
use isolario_model::policy::{InCollection, ItemVisibility, MediaVisibility, Visibility};

/// Who sees by the same rule whatever it is.
pub fn by_rule(rule: Visibility) -> Viewer {
    Viewer {
        nodes: ItemVisibility::everywhere(rule),
        media: MediaVisibility {
            itself: rule,
            items: ItemVisibility::everywhere(rule),
        },
        terms: rule,
        users: rule,
        uid: 0,
        review_duty: ItemVisibility::everywhere(Visibility::Nothing),
    }
}

pub fn everything() -> Viewer {
    by_rule(Visibility::Everything)
}

/// Who sees everything but what is hidden of items and not theirs.
pub fn published_or_owned_by(uid: i64) -> Viewer {
    Viewer {
        nodes: ItemVisibility::everywhere(Visibility::PublishedOrOwnedBy(uid)),
        ..everything()
    }
}

/// Everybody whom the policy tells apart.
pub fn viewers() -> [Viewer; 5] {
    let mut in_a_collection = by_rule(Visibility::PublishedOrOwnedBy(7));
    in_a_collection.nodes.in_collections = [InCollection {
        collection: 1,
        items: Visibility::Everything,
        media: Visibility::Published,
    }]
    .into();
    in_a_collection.media.items = in_a_collection.nodes.clone();
    [
        everything(),
        by_rule(Visibility::Published),
        by_rule(Visibility::PublishedOrOwnedBy(7)),
        by_rule(Visibility::OwnedBy(7)),
        in_a_collection,
    ]
}

pub fn all() -> ItemFilter {
    ItemFilter {
        recent_since: i64::MIN,
        ..ItemFilter::default()
    }
}

pub async fn fill(world: &World) -> i64 {
    let (collection, image) = (world.collection, world.image);
    world
        .write(move |write| {
            let box_of_maps = put_node(
                write,
                &NewNode {
                    title: "Box".into(),
                    published: true,
                    model: collection,
                    ..NewNode::default()
                },
            )?;
            for number in 0..250_i64 {
                put_node(
                    write,
                    &NewNode {
                        title: format!("Map {}", number % 7),
                        published: number % 3 > 0,
                        owner: number % 5,
                        parents: if number % 2 == 0 {
                            vec![box_of_maps]
                        } else {
                            vec![]
                        },
                        model: image,
                        weight: (number % 4 > 0).then_some(number % 11),
                        day: (number % 5 > 0).then_some(-number * 100),
                        extent: (number % 6 > 0).then(|| format!("{} Leaves", number % 8)),
                        changed: number % 13,
                    },
                )?;
            }
            Ok(box_of_maps)
        })
        .await
}

async fn walk(world: &World, items: &ItemFilter, viewer: &Viewer, order: Order) -> Vec<i64> {
    let (mut ids, mut after): (Vec<i64>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let (items, viewer) = (items.clone(), viewer.clone());
        let (name, order) = (order.name(), order.clone());
        let page = world
            .read_lists(move |read| read.item_page(&items, &viewer, order, after.as_ref(), 17))
            .await;
        assert!(page.rows.len() <= 17);
        ids.extend(page.rows);
        match page.next {
            Some(next) => {
                let sent = Cursor::decode(&next.encode(), &name);
                after = Some(sent.expect("a cursor of this order"));
            }
            None => return ids,
        }
    }
}

/// Pages at any position are those of the walk; one at or behind the end tells how long the position is.
async fn jump(world: &World, items: &ItemFilter, viewer: &Viewer, order: Order, whole: &[i64]) {
    let length = whole.len();
    for position in [0, 1, 13, length / 2, length - 1, length, length + 500] {
        let (items, viewer, asked) = (items.clone(), viewer.clone(), order.clone());
        let start = Start::At(i64::try_from(position).unwrap());
        let page = world
            .read_lists(move |read| read.item_page(&items, &viewer, asked, start, 17))
            .await;
        let expected: Vec<i64> = whole.iter().skip(position).take(17).copied().collect();
        assert_eq!(page.rows, expected, "{order:?} at {position} of {length}");
        assert_eq!(
            page.next.is_some(),
            position + 17 < length,
            "{order:?} at {position}"
        );
        assert_eq!(page.total, Total::exact(i64::try_from(length).unwrap()));
    }
    find(world, items, viewer, order, whole).await;
}

/// Each item stands where the walk came by it; one that is in no list stands nowhere.
async fn find(world: &World, items: &ItemFilter, viewer: &Viewer, order: Order, whole: &[i64]) {
    let (items, viewer, nids) = (items.clone(), viewer.clone(), whole.to_vec());
    let positions = world.read_lists(move |read| {
        let position = |nid| read.item_position(nid, &items, &viewer, order.clone());
        assert_eq!(position(100_000)?, None);
        nids.into_iter()
            .map(position)
            .collect::<Result<Vec<_>, _>>()
    });
    let expected: Vec<_> = (0..).take(whole.len()).map(Some).collect();
    assert_eq!(positions.await, expected);
}

#[tokio::test]
async fn every_order_is_walked_whole_and_backwards() {
    let world = World::new().await;
    let collection = fill(&world).await;
    let hidden = published_or_owned_by(2);
    let filters = [
        all(),
        ItemFilter {
            collection: Some(collection),
            ..all()
        },
        ItemFilter {
            view: View::Unfiled,
            ..all()
        },
        ItemFilter {
            found: Some(IdSet::new(&(1..200).step_by(3).collect::<Vec<_>>())),
            ..all()
        },
        ItemFilter {
            model: Some(world.image),
            published: Some(true),
            ..all()
        },
    ];
    for items in filters {
        for viewer in [&everything(), &hidden] {
            let mut lengths = Vec::new();
            for sort in sorts() {
                let [up, down] = [false, true].map(|descending| Order {
                    sort: sort.clone(),
                    descending,
                });
                let name = up.name();
                let ascending = walk(&world, &items, viewer, up.clone()).await;
                let descending = walk(&world, &items, viewer, down.clone()).await;
                jump(&world, &items, viewer, up, &ascending).await;
                jump(&world, &items, viewer, down, &descending).await;
                let mut once = ascending.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), ascending.len(), "doubles by {name}");
                let mut same = descending.clone();
                same.sort_unstable();
                assert_eq!(once, same, "directions differ by {name}");
                lengths.push(once.len());
            }
            assert!(
                lengths
                    .iter()
                    .all(|length| *length == lengths[0] && *length > 0),
                "{lengths:?}"
            );
        }
    }
}

#[tokio::test]
async fn what_has_no_date_stands_last_in_both_directions() {
    let world = World::new().await;
    let image = world.image;
    let ids = world
        .write(move |write| {
            let mut ids = Vec::new();
            for day in [None, Some(5), Some(-700_000)] {
                ids.push(put_node(
                    write,
                    &NewNode {
                        day,
                        model: image,
                        ..NewNode::default()
                    },
                )?);
            }
            Ok(ids)
        })
        .await;
    let by_date = |descending| Order {
        sort: ItemSort::Date,
        descending,
    };
    assert_eq!(
        walk(&world, &all(), &everything(), by_date(false)).await,
        [ids[2], ids[1], ids[0]]
    );
    assert_eq!(
        walk(&world, &all(), &everything(), by_date(true)).await,
        [ids[1], ids[2], ids[0]]
    );
}

#[tokio::test]
async fn lists_follow_changes() {
    let world = World::new().await;
    let (collection, image, original) = (world.collection, world.image, world.original);
    let counts = || world.read_lists(|read| read.view_counts(&everything(), i64::MIN));
    let (above, below, media) = world
        .write(move |write| {
            let above = put_node(
                write,
                &NewNode {
                    model: collection,
                    ..NewNode::default()
                },
            )?;
            let below = put_node(
                write,
                &NewNode {
                    model: image,
                    parents: vec![above],
                    ..NewNode::default()
                },
            )?;
            Ok((above, below, put_original(write, below, original, true, 1)?))
        })
        .await;
    let before = counts().await;
    assert_eq!(
        (before.unfiled, before.without_original, before.collections),
        (0, 0, 1)
    );
    world
        .write(move |write| delete(write, EntityKind::Media, media))
        .await;
    assert_eq!(counts().await.without_original, 1);
    world
        .write(move |write| delete(write, EntityKind::Node, above))
        .await;
    let after = counts().await;
    assert_eq!((after.all, after.unfiled, after.collections), (1, 1, 0));
    let item = world
        .read_lists(move |read| read.item(below, &everything()))
        .await;
    assert!(item.is_some_and(|item| !item.is_collection));
}

#[tokio::test]
async fn a_model_that_becomes_a_collection_moves_its_items() {
    let world = World::new().await;
    let image = world.image;
    world
        .write(move |write| {
            put_node(
                write,
                &NewNode {
                    model: image,
                    ..NewNode::default()
                },
            )
        })
        .await;
    world
        .write(move |write| {
            let uri = isolario_model::content::IndexRow {
                field: "field_external_uri".into(),
                delta: 0,
                value: isolario_model::content::IndexValue::Text(
                    uri_of(TermRole::Collection).into(),
                ),
            };
            write.replace_index(EntityKind::Term, image, &[uri])
        })
        .await;
    let counts = world
        .read_lists(|read| read.view_counts(&everything(), i64::MIN))
        .await;
    assert_eq!((counts.collections, counts.without_original), (1, 0));
}
