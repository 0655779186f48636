//! What is below a node, where memberships cross, go in a circle, and come and go.

use super::paging::{all, everything};
use super::world::{NewNode, World, delete, put_node, set_parents};
use crate::lists::{ItemFilter, ItemSort, Order};
use isolario_model::content::EntityKind;

async fn put(world: &World, is_collection: bool, parents: &[i64]) -> i64 {
    let new = NewNode {
        published: true,
        model: if is_collection {
            world.collection
        } else {
            world.image
        },
        parents: parents.to_vec(),
        ..NewNode::default()
    };
    world.write(move |write| put_node(write, &new)).await
}

/// The numbers of items and collections below a node; its list holds as many.
async fn below(world: &World, nid: i64) -> (i64, i64) {
    let by_nid = Order {
        sort: ItemSort::Nid,
        descending: false,
    };
    let asked = ItemFilter {
        collection: Some(nid),
        below: true,
        ..all()
    };
    world
        .read_lists(move |read| {
            let counts = read.counts_below(nid, &everything())?;
            let listed = read.item_page(&asked, &everything(), by_nid, None, 200)?;
            let count = i64::try_from(listed.rows.len()).unwrap();
            assert_eq!(count, counts.items + counts.collections);
            assert!(!listed.rows.contains(&nid));
            Ok((counts.items, counts.collections))
        })
        .await
}

#[tokio::test]
async fn what_is_below_counts_once_in_a_circle_too() {
    let world = World::new().await;
    let fonds = put(&world, true, &[]).await;
    let (north, south) = (
        put(&world, true, &[fonds]).await,
        put(&world, true, &[fonds]).await,
    );
    put(&world, false, &[north]).await;
    let book = put(&world, false, &[north, south]).await;
    put(&world, false, &[book]).await;
    assert_eq!(below(&world, fonds).await, (3, 2));
    assert_eq!(below(&world, south).await, (2, 0));
    let collection = world.collection;
    world
        .write(move |write| set_parents(write, fonds, collection, &[north]))
        .await;
    assert_eq!(below(&world, fonds).await, (3, 2));
    assert_eq!(below(&world, north).await, (3, 2));
}

#[tokio::test]
async fn what_leaves_a_place_is_no_longer_counted() {
    let world = World::new().await;
    let (fonds, image) = (put(&world, true, &[]).await, world.image);
    let series = put(&world, true, &[fonds]).await;
    let twice = put(&world, false, &[fonds, series]).await;
    assert_eq!(below(&world, fonds).await, (1, 1));
    world
        .write(move |write| set_parents(write, twice, image, &[series]))
        .await;
    put(&world, false, &[series]).await;
    assert_eq!(below(&world, fonds).await, (2, 1));
    world
        .write(move |write| delete(write, EntityKind::Node, twice))
        .await;
    assert_eq!(below(&world, fonds).await, (1, 1));
    world
        .write(move |write| delete(write, EntityKind::Node, series))
        .await;
    assert_eq!(below(&world, fonds).await, (0, 0));
    let branches =
        world.read_lists(|read| read.ids("SELECT count(*) FROM listing WHERE is_branch = ?1", 1));
    assert_eq!(branches.await, [0]);
}
