//! Index rows that are written after the commit: lists are the same whether they are written after each change or after
//! all of them.

use proptest::collection::vec;
use proptest::prelude::*;

use super::world::{NewNode, World, change_node, delete, put_node, put_original};
use crate::{Db, DbError, Read, Write};
use isolario_model::content::EntityKind;

/// A change of one of the nodes that there are, by its place.
#[derive(Debug, Clone)]
enum Step {
    Create(NewNode),
    Change(usize, NewNode),
    Delete(usize),
    AddOriginal(usize),
}

fn node() -> impl Strategy<Value = NewNode> {
    let places = vec(0_usize..8, 0..3);
    (places, any::<bool>(), any::<bool>(), 0_i64..4).prop_map(
        |(parents, published, is_collection, key)| NewNode {
            title: format!("title {key}"),
            published,
            owner: 2 + key % 2,
            // Numbers of nodes begin with 1. Some of these do not exist yet.
            parents: parents.iter().map(|place| 1 + *place as i64).collect(),
            model: i64::from(is_collection),
            weight: (key > 1).then_some(key),
            day: (key == 2).then_some(key),
            extent: (key == 3).then(|| "one".into()),
            changed: key,
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => node().prop_map(Step::Create),
        3 => (0_usize..8, node()).prop_map(|(place, new)| Step::Change(place, new)),
        1 => (0_usize..8).prop_map(Step::Delete),
        1 => (0_usize..8).prop_map(Step::AddOriginal),
    ]
}

/// A world in which steps are made.
struct Stage {
    world: World,
    nodes: Vec<i64>,
}

impl Stage {
    async fn new() -> Stage {
        Stage {
            world: World::new().await,
            nodes: Vec::new(),
        }
    }

    async fn make(&mut self, step: Step) {
        let place = |place: usize| self.nodes.get(place % self.nodes.len().max(1)).copied();
        let (collection, image, original) =
            (self.world.collection, self.world.image, self.world.original);
        let modelled = move |mut new: NewNode| {
            new.model = if new.model == 1 { collection } else { image };
            new
        };
        match step {
            Step::Create(new) => {
                let made = self
                    .world
                    .write(move |write| put_node(write, &modelled(new)));
                self.nodes.push(made.await);
            }
            Step::Change(at, new) => {
                if let Some(nid) = place(at) {
                    let change =
                        move |write: &mut Write<'_>| change_node(write, nid, &modelled(new));
                    self.world.write(change).await;
                }
            }
            Step::Delete(at) => {
                if let Some(nid) = place(at) {
                    self.world
                        .write(move |write| match write.entity(EntityKind::Node, nid)? {
                            Some(_) => delete(write, EntityKind::Node, nid),
                            None => Ok(()),
                        })
                        .await;
                }
            }
            Step::AddOriginal(at) => {
                if let Some(nid) = place(at) {
                    let media =
                        move |write: &mut Write<'_>| put_original(write, nid, original, true, 2);
                    self.world.write(media).await;
                }
            }
        }
    }

    /// Every row of the tables that are written after the commit.
    async fn rows(&self) -> Vec<String> {
        self.world.read_lists(|lists| all_rows(lists)).await
    }
}

fn all_rows(read: &Read<'_>) -> Result<Vec<String>, DbError> {
    let mut rows = Vec::new();
    for select in [
        "SELECT * FROM listing ORDER BY 1, 2, 3",
        "SELECT * FROM listing_count WHERE nodes <> 0 ORDER BY 1, 2, 3, 4",
        "SELECT * FROM field_text ORDER BY 1, 2, 3, 4",
        "SELECT * FROM field_number ORDER BY 1, 2, 3, 4",
        "SELECT * FROM field_date ORDER BY 1, 2, 3, 4",
    ] {
        let mut statement = read.connection.prepare(select)?;
        let columns = statement.column_count();
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let values = (0..columns).map(|column| row.get(column));
            let values = values.collect::<Result<Vec<rusqlite::types::Value>, _>>()?;
            rows.push(format!("{select}: {values:?}"));
        }
    }
    Ok(rows)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn lists_are_the_same_whenever_their_rows_are_written(steps in vec(step(), 1..14)) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let (mut at_once, mut later) = (Stage::new().await, Stage::new().await);
            for step in steps {
                at_once.make(step.clone()).await;
                at_once.rows().await;
                later.make(step).await;
            }
            prop_assert_eq!(at_once.rows().await, later.rows().await);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_branch_whose_parent_goes_is_none() {
    let within = |parents: &[i64]| NewNode {
        parents: parents.to_vec(),
        ..public("any")
    };
    let (mut at_once, mut later) = (Stage::new().await, Stage::new().await);
    let made = [within(&[2]), within(&[3]), within(&[])].map(Step::Create);
    for step in made.into_iter().chain([Step::Delete(2)]) {
        at_once.make(step.clone()).await;
        at_once.rows().await;
        later.make(step).await;
    }
    assert_eq!(at_once.rows().await, later.rows().await);
}

fn due(db: &Db) -> u64 {
    let due = db.read_here(|read| read.due_nodes());
    due.expect("an answer")
}

fn public(title: &str) -> NewNode {
    NewNode {
        title: title.into(),
        published: true,
        owner: 2,
        ..NewNode::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_leaves_the_lists_of_others_with_the_commit() {
    let world = World::new().await;
    let node = public("seen");
    let nid = world.write(move |write| put_node(write, &node)).await;
    world.read_lists(|lists| all_rows(lists)).await;
    let hidden = NewNode {
        published: false,
        ..public("seen")
    };
    world
        .write(move |write| change_node(write, nid, &hidden))
        .await;
    // A snapshot of the commit itself, for which nothing was written afterwards.
    let published: i64 = world
        .db
        .read_here(|read| -> Result<_, DbError> {
            let sql = "SELECT max(published) FROM listing WHERE node = ?1";
            Ok(read.connection.query_row(sql, [nid], |row| row.get(0))?)
        })
        .expect("an answer");
    assert_eq!(published, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn index_rows_that_are_due_are_written_by_the_next_start() {
    let directory = tempfile::tempdir().expect("a temporary folder");
    let path = directory.path().join("test.db");
    let db = Db::open(&path).expect("a new database");
    let node = public("kept");
    let made = db.write(move |write| put_node(write, &node)).await;
    made.expect("a node");
    assert_eq!(due(&db), 1);
    drop(db);
    let db = Db::open(&path).expect("the database");
    let rows = db.read_lists(|lists| all_rows(lists)).await.expect("rows");
    assert!(rows.iter().any(|row| row.contains("kept")), "{rows:?}");
    assert_eq!(due(&db), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn index_rows_that_are_due_are_written_when_nobody_writes() {
    let world = World::new().await;
    let node = public("alone");
    world.write(move |write| put_node(write, &node)).await;
    while due(&world.db) > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
