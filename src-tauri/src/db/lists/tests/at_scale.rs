//! Every statement that a list, filter, sort or reverse reference sends, planned on 100,000 nodes:
//! none reads a table or an index from end to end, none sorts a page.

use std::cell::RefCell;
use std::collections::BTreeSet;

use futures_util::future::join_all;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use super::paging::{all, viewers};
use super::world::{NewNode, World, put_node, put_original, put_term};
use crate::content::{ContentModel, EntityKind, FileUri, WatchState};
use crate::db::lists::listing_page::{Question, Source};
use crate::db::lists::{ItemFilter, ItemSort, Order, TermFilter, View};
use crate::db::{Cursor, DbError, Key, Read, Viewer};

const NODES: usize = 100_000;
/// Nodes of one change.
const CHANGE: usize = 10;

/// What may be read whole or sorted, and why.
const EXCEPTIONS: [(&str, &str, &str); 14] = [
    (
        "SELECT DISTINCT id FROM (",
        "USE TEMP B-TREE FOR",
        "a filter is walked instead of the list only where it leaves at most 10,000 candidates, which are then sorted",
    ),
    (
        "LIMIT ?) l WHERE",
        "SCAN l",
        "a total is estimated from the first 10,000 rows of a list",
    ),
    (
        "FROM media m INDEXED BY media_live",
        "SCAN m USING INDEX media_live",
        "counted no further than 10,000",
    ),
    (
        "FROM media i INDEXED BY media_live",
        "SCAN i USING INDEX media_live",
        "all media are the list: walked from its beginning to the end of the page",
    ),
    (
        "FROM media i INDEXED BY media_live",
        "SCAN p",
        "the rows of that page",
    ),
    (
        "FROM media h INDEXED BY media_hidden",
        "SCAN h USING INDEX media_hidden",
        "an index of unpublished media alone, for those who may not see them",
    ),
    (
        "r.target_kind = 'file' AND r.target_id = ?1",
        "USE TEMP B-TREE FOR",
        "the media that hold one file",
    ),
    (
        "r.target_kind = 'node' AND r.target_id = ? AND r.kind = 'media'",
        "USE TEMP B-TREE FOR ORDER BY",
        "the media of one node",
    ),
    (
        "FROM 'main'.'",
        "_text_config",
        "the few settings of the full-text index, asked by SQLite itself",
    ),
    (
        "item_text MATCH",
        "VIRTUAL TABLE INDEX",
        "the full-text index is asked by words",
    ),
    (
        "FROM 'main'.'item_text' AS t WHERE",
        "VIRTUAL TABLE INDEX",
        "a number by which SQLite itself finds the full-text index",
    ),
    (
        "FROM item_word WHERE term >= ?1 LIMIT 1",
        "VIRTUAL TABLE INDEX",
        "the next word in the order of the alphabet",
    ),
    (
        "term_text MATCH",
        "USE TEMP B-TREE FOR ORDER BY",
        "terms with a word, of one vocabulary, not nodes",
    ),
    (
        "term_text MATCH",
        "VIRTUAL TABLE INDEX",
        "the full-text index is asked by words",
    ),
];

thread_local! {
    static SENT: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn hear(event: TraceEvent<'_>) {
    if let TraceEvent::Stmt(statement, _) = event {
        let sql = statement.sql().into_owned();
        SENT.with_borrow_mut(|sent| sent.insert(sql));
    }
}

async fn filled() -> World {
    let world = World::new().await;
    let (collection, image, original) = (world.collection, world.image, world.original);
    let changes = (0..NODES).step_by(CHANGE).map(|first| {
        world.write(move |write| {
            for number in first..first + CHANGE {
                let is_collection = number.is_multiple_of(1000);
                let parents = match number {
                    0..10 => Vec::new(),
                    many => vec![1 + i64::try_from(many % 10).unwrap()],
                };
                let nid = put_node(
                    write,
                    &NewNode {
                        title: format!("Map {number} of the coast"),
                        published: !number.is_multiple_of(3),
                        owner: i64::try_from(number % 9).unwrap(),
                        parents,
                        model: if is_collection { collection } else { image },
                        weight: (number % 2 == 0).then_some(i64::try_from(number % 500).unwrap()),
                        day: (number % 3 == 0).then_some(i64::try_from(number % 40_000).unwrap()),
                        changed: i64::try_from(number).unwrap(),
                    },
                )?;
                if number.is_multiple_of(10) {
                    put_original(write, nid, original, number.is_multiple_of(20), 7)?;
                }
            }
            Ok(())
        })
    });
    join_all(changes).await;
    world
        .write(|write| put_term(write, "subject", "Map", ""))
        .await;
    world
}

/// Every list with every filter that the window offers for it.
fn filters(image: i64) -> Vec<ItemFilter> {
    let mut filters = Vec::new();
    for (_, view) in View::ALL {
        for collection in [None, Some(1)] {
            let list = ItemFilter {
                view,
                collection,
                recent_since: 50_000,
                ..all()
            };
            let filtered = [
                list.clone(),
                ItemFilter {
                    model: Some(image),
                    ..list.clone()
                },
                ItemFilter {
                    bundle: Some("islandora_object".into()),
                    ..list.clone()
                },
                ItemFilter {
                    published: Some(false),
                    ..list.clone()
                },
                ItemFilter {
                    published: Some(true),
                    ..list.clone()
                },
                ItemFilter {
                    text: Some("7777".into()),
                    ..list.clone()
                },
                ItemFilter {
                    text: Some("7777 coast".into()),
                    model: Some(image),
                    published: Some(true),
                    ..list
                },
            ];
            filters.extend(filtered);
        }
    }
    let common = Some("coast".into());
    filters.push(ItemFilter {
        text: common,
        ..all()
    });
    filters
}

#[tokio::test]
async fn nothing_is_read_whole_or_sorted() {
    let world = filled().await;
    let image = world.image;
    let findings = world.read(move |read| {
        read.connection
            .trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(hear));
        for viewer in viewers() {
            ask_for_items(read, image, &viewer)?;
            ask_for_the_rest(read, &viewer)?;
        }
        read.connection.trace_v2(TraceEventCodes::empty(), None);
        let sent = SENT.take();
        assert!(sent.len() > 100, "{} statements were heard", sent.len());
        let mut findings = Vec::new();
        for sql in &sent {
            findings.extend(findings_in(read, sql)?);
        }
        Ok(findings)
    });
    let findings = findings.await;
    assert!(findings.is_empty(), "{}", findings.join("\n\n"));
}

/// One page of each list is asked for; the statements of its other orders and pages are put together
/// as it does it, and only planned.
fn ask_for_items(read: &Read<'_>, image: i64, viewer: &Viewer) -> Result<(), DbError> {
    let by_title = Order {
        sort: ItemSort::Title,
        descending: false,
    };
    for items in filters(image) {
        read.item_page(&items, viewer, by_title, None, 2)?;
        let mut question = read.question_of(&items, viewer, by_title)?;
        let sources = read.sources(&question)?;
        for (_, sort) in ItemSort::ALL {
            for descending in [false, true] {
                question.order = Order { sort, descending };
                sources
                    .iter()
                    .for_each(|source| note_pages(&question, source));
            }
        }
    }
    Ok(())
}

fn note_pages(question: &Question, source: &Source) {
    let ends = [Key::Number(1), Key::None].map(|key| Cursor {
        order: question.order.name(),
        key,
        id: 5,
    });
    for after in [None, Some(&ends[0]), Some(&ends[1])] {
        for stretch in question.order.stretches(after) {
            let query = source.page(question, stretch, after, 100);
            SENT.with_borrow_mut(|sent| sent.insert(query.sql));
        }
    }
}

fn ask_for_the_rest(read: &Read<'_>, viewer: &Viewer) -> Result<(), DbError> {
    let model = ContentModel::default();
    read.view_counts(viewer, 50_000)?;
    for parent in [None, Some(1)] {
        let page = read.collection_page(parent, viewer, None, 2)?;
        read.collection_page(parent, viewer, page.next.as_ref(), 2)?;
    }
    read.collection_counts(1, viewer)?;
    read.item(2, viewer)?;
    read.ancestors(50, viewer)?;
    read.item_media(&model, 1, viewer)?;
    read.one_media(&model, 1, viewer)?;
    let page = read.media_page(&model, viewer, None, 2)?;
    read.media_page(&model, viewer, page.next.as_ref(), 2)?;
    for text in ["", "ma"] {
        let terms = TermFilter {
            vocabularies: vec!["islandora_models".into(), "subject".into()],
            text: text.into(),
        };
        let page = read.term_page(&terms, viewer, None, 1)?;
        read.term_page(&terms, viewer, page.next.as_ref(), 1)?;
    }
    for kind in [
        EntityKind::Node,
        EntityKind::Media,
        EntityKind::Term,
        EntityKind::File,
        EntityKind::User,
    ] {
        read.target(kind, 1)?;
        read.id_of_uuid(kind, "x")?;
    }
    read.history_page(EntityKind::Node, 1, viewer.nodes, None, 10)?;
    read.trash_before(i64::MAX, None, 10)?;
    read.trash_before(i64::MAX, Some(EntityKind::Node), 10)?;
    read.events_after(0, 10)?;
    read.last_event()?;
    read.media_of(1)?;
    read.media_using_file(1)?;
    read.nodes_of_media(1)?;
    read.file_by_uri(&FileUri::new("public", "a.png"))?;
    read.term_by_uri("http://example.org/")?;
    read.term_by_name("subject", "Map")?;
    read.is_self_or_ancestor(50, 1)?;
    read.next_watched_due(1)?;
    read.due_watched_files(1, WatchState::Seen, 0, 10)?;
    read.untidy_watched_files(1, 0, 10)?;
    Ok(())
}

/// What the plan of a statement does that no exception allows.
fn findings_in(read: &Read<'_>, sql: &str) -> Result<Vec<String>, DbError> {
    let mut statement = read
        .connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let lines = statement
        .raw_query()
        .mapped(|row| row.get::<_, String>(3))
        .collect::<Result<Vec<_>, _>>()?;
    let is_allowed = |line: &str| {
        EXCEPTIONS
            .iter()
            .any(|(of, what, _)| sql.contains(of) && line.contains(what))
    };
    let bad = lines
        .iter()
        .filter(|line| is_costly(line) && !is_allowed(line));
    Ok(bad
        .map(|line| format!("{line}\n  in {sql}\n  planned as {lines:#?}"))
        .collect())
}

/// A table or an index read from end to end, or rows sorted.
fn is_costly(line: &str) -> bool {
    // Our own few rows: a subquery of candidates, the path upwards.
    let own = [
        "SCAN c",
        "SCAN (subquery",
        "SCAN above",
        "SCAN CONSTANT ROW",
    ];
    let scan = line.starts_with("SCAN") && !own.iter().any(|name| line.starts_with(name));
    // All references of a kind are as good as the table.
    let whole_kind = line.ends_with("(kind=?)") || line.contains("AUTOMATIC");
    scan || whole_kind || line.contains("TEMP B-TREE")
}
