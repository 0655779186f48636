//! Terms as somebody types.

use super::paging::{everything, viewers};
use super::world::{NewNode, World, put_node, put_original, put_reference, put_term};
use crate::lists::TermFilter;
use crate::{Cursor, Viewer};
use isolario_model::policy::{ItemVisibility, Visibility};

async fn names(world: &World, vocabularies: &[&str], text: &str, limit: usize) -> Vec<String> {
    let terms = TermFilter {
        vocabularies: vocabularies.iter().map(|&name| name.to_owned()).collect(),
        text: text.into(),
    };
    let (mut names, mut after): (Vec<String>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let terms = terms.clone();
        let page = world
            .read_lists(move |read| read.term_page(&terms, &everything(), after.as_ref(), limit))
            .await;
        names.extend(page.rows.into_iter().map(|row| row.name));
        after = page.next;
        if after.is_none() {
            assert_eq!(page.total.count, i64::try_from(names.len()).unwrap());
            return names;
        }
    }
}

#[tokio::test]
async fn beginnings_come_before_words_within() {
    let world = World::new().await;
    world
        .write(|write| {
            for name in [
                "World map",
                "maps of Rome",
                "Map",
                "Atlas",
                "mappa mundi, old Map",
                "Trap",
            ] {
                put_term(write, "subject", name, "")?;
            }
            put_term(write, "genre", "Map prints", "")
        })
        .await;
    let expected = [
        "Map",
        "Map prints",
        "mappa mundi, old Map",
        "maps of Rome",
        "World map",
    ];
    for limit in [1, 2, 20] {
        assert_eq!(
            names(&world, &["genre", "subject"], "map", limit).await,
            expected
        );
        assert_eq!(names(&world, &["subject"], "", limit).await.len(), 6);
    }
    assert_eq!(
        names(&world, &["subject"], "\"*", 20).await,
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn hidden_uses_do_not_count() {
    let world = World::new().await;
    let model = world.image;
    world
        .write(move |write| {
            for published in [true, false, true] {
                put_node(
                    write,
                    &NewNode {
                        published,
                        model,
                        ..NewNode::default()
                    },
                )?;
            }
            Ok(())
        })
        .await;
    let uses = |viewer: Viewer| {
        let terms = TermFilter {
            vocabularies: vec!["islandora_models".into()],
            text: "Image".into(),
        };
        world.read_lists(move |read| Ok(read.term_page(&terms, &viewer, None, 5)?.rows[0].uses))
    };
    assert_eq!(uses(everything()).await, 3);
    let published = Viewer {
        nodes: ItemVisibility::everywhere(Visibility::Published),
        ..everything()
    };
    assert_eq!(uses(published).await, 2);
}

#[tokio::test]
async fn more_than_a_thousand_uses_are_counted_each_once() {
    let world = World::new().await;
    let model = world.image;
    world
        .write(move |write| {
            for number in 0..1_205 {
                let nid = put_node(
                    write,
                    &NewNode {
                        published: true,
                        model,
                        ..NewNode::default()
                    },
                )?;
                // Some refer to it by a second field.
                if number < 5 {
                    put_reference(write, nid, model, &["field_model", "field_genre"])?;
                }
            }
            put_original(write, 1, model, true, 1)
        })
        .await;
    for viewer in viewers() {
        let terms = TermFilter {
            vocabularies: vec!["islandora_models".into()],
            text: "Image".into(),
        };
        let asked = viewer.clone();
        let page = world.read_lists(move |read| read.term_page(&terms, &asked, None, 5));
        let rows = page.await.rows;
        let expected = match viewer.nodes.everywhere {
            Visibility::OwnedBy(_) => None,
            _ => Some(1_206),
        };
        assert_eq!(rows.first().map(|row| row.uses), expected, "{viewer:?}");
    }
}
