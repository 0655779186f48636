//! Every statement that a list, filter, sort or reverse reference sends, planned on lists that are too long to be
//! sorted: none reads a table or an index from end to end, none sorts a page.

use std::cell::RefCell;
use std::collections::BTreeSet;

use futures_util::future::join_all;
use rusqlite::trace::{TraceEvent, TraceEventCodes};

use super::costs::findings_in;
use super::paging::{all, viewers};
use super::world::{NewNode, World, put_node, put_original, put_term};
use crate::lists::list_query::ListQuery;
use crate::lists::list_sql::RowSource;
use crate::lists::page_start::{Span, Stretch};
use crate::lists::{FieldShape, FieldSort, IdSet, ItemFilter, ItemSort, Order, TermFilter, View};
use crate::{Cursor, DbError, Key, Lists, Viewer};
use isolario_model::content::{ContentModel, EntityKind, FileLook, FileUri, WatchState};
use isolario_model::policy::Actor;

/// SQLite knows nothing of how many rows there are: plans depend on the schema alone. What is sent depends on which lists
/// have more than `FEW` nodes: those of the unpublished third and of one owner have, too.
const NODES: usize = 31_000;
/// Half of the nodes are more recent.
const RECENT_SINCE: i64 = 15_500;
/// Nodes of one change.
const CHANGE: usize = 10;

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
                        owner: if number % 9 < 4 { 7 } else { 8 },
                        parents,
                        model: if is_collection { collection } else { image },
                        weight: (number % 2 == 0).then_some(i64::try_from(number % 500).unwrap()),
                        day: (number % 3 == 0).then_some(i64::try_from(number % 40_000).unwrap()),
                        extent: (number % 7 > 0).then(|| format!("{number} leaves")),
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
                recent_since: RECENT_SINCE,
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
                    found: Some(IdSet::new(&[7, 77, 777])),
                    ..list.clone()
                },
                ItemFilter {
                    found: Some(IdSet::new(&[7, 77])),
                    model: Some(image),
                    published: Some(true),
                    ..list
                },
            ];
            filters.extend(filtered);
        }
    }
    let many: Vec<i64> = (1..20_000).collect();
    filters.push(ItemFilter {
        found: Some(IdSet::new(&many)),
        ..all()
    });
    let below = filters.iter().filter(|items| items.collection.is_some());
    let below = below.map(|items| ItemFilter {
        below: true,
        ..items.clone()
    });
    let below: Vec<ItemFilter> = below.collect();
    filters.extend(below);
    filters
}

#[tokio::test]
async fn nothing_is_read_whole_or_sorted() {
    let world = filled().await;
    let image = world.image;
    let findings = world.read_lists(move |read| {
        read.connection
            .trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(hear));
        for viewer in viewers() {
            ask_for_items(read, image, &viewer)?;
            ask_for_the_rest(read, &viewer)?;
        }
        ask_what_an_upload_asks(read)?;
        ask_what_a_watched_folder_asks(read)?;
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
fn ask_for_items(read: &Lists<'_>, image: i64, viewer: &Viewer) -> Result<(), DbError> {
    let by_title = Order {
        sort: ItemSort::Title,
        descending: false,
    };
    for items in filters(image) {
        read.item_page(&items, viewer, by_title.clone(), None, 2)?;
        let mut list_query = read.list_query_of(&items, viewer, by_title.clone())?;
        let sources = read.sources(&list_query)?;
        for sort in sorts() {
            for descending in [false, true] {
                list_query.order = Order {
                    sort: sort.clone(),
                    descending,
                };
                sources
                    .iter()
                    .for_each(|source| note_pages(&list_query, source));
            }
        }
    }
    Ok(())
}

/// Every order, with a field of each shape.
pub fn sorts() -> Vec<ItemSort> {
    let fields = [
        ("field_extent", FieldShape::Text),
        ("field_weight", FieldShape::Number),
        ("field_edtf_date_created", FieldShape::Date),
        ("field_model", FieldShape::Reference),
    ];
    let fields = fields.map(|(field, shape)| {
        ItemSort::Field(FieldSort {
            field: field.into(),
            shape,
        })
    });
    let own = ItemSort::ALL.into_iter().map(|(_, sort)| sort);
    own.chain(fields).collect()
}

fn note_pages(list_query: &ListQuery, source: &RowSource) {
    let name = Key::Name("Winds".into(), 3);
    let ends = [Key::Number(1), name, Key::None].map(|key| Cursor {
        order: list_query.order.name(),
        key,
        id: 5,
    });
    for after in [None, Some(&ends[0]), Some(&ends[1]), Some(&ends[2])] {
        for stretch in list_query.order.stretches(after) {
            for skipped in [0, 500] {
                let span = Span {
                    stretch,
                    after,
                    skipped,
                    limit: 100,
                };
                let query = source.page(list_query, &span);
                SENT.with_borrow_mut(|sent| sent.insert(query.sql));
            }
        }
    }
    note_positions(list_query, source, &ends);
}

/// What is asked to find where a row stands that has one of the keys.
fn note_positions(list_query: &ListQuery, source: &RowSource, keys: &[Cursor]) {
    let none = |cursor: &Cursor| cursor.key == Key::None;
    for stretch in list_query.order.stretches(None) {
        let of_stretch = |cursor: &&Cursor| none(cursor) == (stretch == Stretch::Unkeyed);
        let befores = keys.iter().filter(of_stretch).map(Some);
        let counts = befores.chain([None]);
        let counts = counts.map(|before| source.count_stretch(list_query, stretch, before));
        let queries = counts.chain([source.row_of(5, list_query, stretch)]);
        SENT.with_borrow_mut(|sent| sent.extend(queries.map(|query| query.sql)));
    }
}

fn ask_for_the_rest(read: &Lists<'_>, viewer: &Viewer) -> Result<(), DbError> {
    let model = ContentModel::default();
    read.view_counts(viewer, RECENT_SINCE)?;
    for parent in [None, Some(1)] {
        let page = read.collection_page(parent, None, viewer, None, 2)?;
        read.collection_page(parent, None, viewer, page.next.as_ref(), 2)?;
        read.collection_page(parent, Some("Map 1000 of the coast"), viewer, None, 2)?;
    }
    read.collection_counts(1, viewer)?;
    read.counts_below(1, viewer)?;
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
    read.holder_of("x", viewer)?;
    read.holds_size(1, viewer)?;
    read.history_page(EntityKind::Node, 1, viewer, None, 10)?;
    read.history_page(EntityKind::Media, 1, viewer, None, 10)?;
    let program = Actor::program();
    read.item_facts(&[1], &program)?;
    read.with_all_above(&[1])?;
    read.trash_before(i64::MAX, None, 10)?;
    read.trash_before(i64::MAX, Some(EntityKind::Node), 10)?;
    read.events_after(0, 10)?;
    read.last_event()?;
    read.media_of(1)?;
    read.media_using_file(1)?;
    read.media_facts_of_file(1, &[&program])?;
    read.nodes_of_media(1)?;
    read.file_by_uri(&FileUri::new("public", "a.png"))?;
    read.term_by_uri("http://example.org/")?;
    read.term_by_name("subject", "Map")?;
    read.is_self_or_ancestor(50, 1)?;
    Ok(())
}

fn ask_what_an_upload_asks(read: &Lists<'_>) -> Result<(), DbError> {
    let uri = FileUri::new("public", "a.png");
    read.uri_is_taken(&uri)?;
    read.file_at_version(1, 1)?;
    read.media_with_use(1, 1)?;
    read.media_revisions_of_version(1, 1)?;
    read.files_of_revision(1)?;
    read.blob_is_known("files/a.png")?;
    read.is_to_be_removed("files/")?;
    read.places_of_version(1, 1)?;
    read.versions_of_uuid("x")?;
    read.derivatives_of(1)?;
    read.derivative_of_product(1)?;
    read.next_derivative("thumbnail", 0, 0)?;
    read.next_derivative_due("thumbnail")?;
    read.origin_of_bytes(1, 1)?;
    read.entity_record(EntityKind::Media, 1)?;
    read.file_history(1)?;
    read.trashed_with(1)?;
    read.term_by_authority("http://example.org/")?;
    Ok(())
}

fn ask_what_a_watched_folder_asks(read: &Lists<'_>) -> Result<(), DbError> {
    let look = FileLook {
        size: 1,
        modified: 1,
        inode: 1,
    };
    read.next_watched_due(1)?;
    read.due_watched_files(1, WatchState::Seen, 0, 10)?;
    read.untidy_watched_files(1, 0, 10)?;
    read.watched_file_at(1, "a.tif")?;
    read.watched_file_gone(1, "a.tif", &look)?;
    read.watched_files_alike(1, &look, 10)?;
    read.watched_siblings(1, "a")?;
    read.watched_file_page(1, None, None, 10)?;
    read.watched_file_page(1, Some(WatchState::Failed), None, 10)?;
    read.watch_counts(1)?;
    read.item_with_bytes("x", Some(1))?;
    Ok(())
}
