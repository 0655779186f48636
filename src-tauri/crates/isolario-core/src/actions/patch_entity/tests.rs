//! What is somebody else's by the time it is written.

use std::sync::Arc;

use serde_json::{Value, json};

use super::patch_entity;
use crate::actions::create_entity::{Creation, create_entity};
use crate::actions::delete_entity::delete;
use crate::actions::tests::mira;
use crate::actions::{Author, Precondition, Refusal, seed};
use isolario_db::Db;
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Somebody who may make pages, and change and delete their own.
const OWN_PAGES: [&str; 3] = [
    "create page content",
    "edit own page content",
    "delete own page content",
];

fn page(field: &str, item: Value) -> Vec<u8> {
    let body = json!({"type": [{"target_id": "page"}], field: [item]});
    body.to_string().into_bytes()
}

#[tokio::test]
async fn what_has_become_somebody_elses_is_neither_changed_nor_deleted() {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let model = Arc::new(seed::seed(&db).await.expect("a content model"));
    let (mira, admin, kind) = (
        mira(&db, OWN_PAGES).await,
        Actor::program(),
        EntityKind::Node,
    );
    let author = |actor: &Actor| Author::new(actor, Origin::Rest);
    let body = page("title", json!({"value": "Mine"}));
    let mine = create_entity(&db, &model, Creation::new(kind, body), &mira, author(&mira)).await;
    let mine = mine.expect("a page");
    let change = async |actor: &Actor, field: &str, item: Value| {
        let (body, expected) = (page(field, item), Precondition::Unsaid);
        patch_entity(
            &db,
            &model,
            mine.clone(),
            body,
            actor,
            author(actor),
            expected,
        )
        .await
    };
    let delete = async || {
        let (id, mira, author) = (mine.id, mira.clone(), author(&mira));
        db.write(move |write| delete(write, kind, id, &mira, &author, &Precondition::Unsaid))
            .await
    };
    let renamed = change(&mira, "title", json!({"value": "Still mine"})).await;
    assert!(renamed.is_ok(), "{renamed:?}");
    let given = change(&admin, "uid", json!({"target_id": admin.uid})).await;
    assert_eq!(given.expect("given").owner(), admin.uid);

    let late = change(&mira, "title", json!({"value": "No longer"})).await;
    assert!(matches!(late, Err(Refusal::Denied(_))), "{late:?}");
    let late = delete().await;
    assert!(matches!(late, Err(Refusal::Denied(_))), "{late:?}");
}
