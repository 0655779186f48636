//! A revert of what is somebody else's by the time it is written.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use super::{RevertTarget, revert};
use crate::actions::create_entity::{Creation, create_entity};
use crate::actions::patch_entity::patch_entity;
use crate::actions::tests::mira;
use crate::actions::{Author, Precondition, Refusal};
use crate::data_directory::DataDirectory;
use isolario_auth::hosts::AllowedHosts;
use isolario_model::content::{Entity, EntityKind};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;

/// Somebody who may make pages, and change and revert their own.
const OWN_PAGES: [&str; 4] = [
    "access content",
    "create page content",
    "edit own page content",
    "revert all revisions",
];

#[tokio::test]
async fn what_has_become_somebody_elses_is_not_reverted() {
    let directory = tempfile::tempdir().expect("a directory");
    let held = DataDirectory::hold(directory.path()).expect("a data directory");
    let hosts = AllowedHosts::new(IpAddr::V4(Ipv4Addr::LOCALHOST), []);
    let repository = held.open(hosts).await.expect("a repository").repository;
    let (db, model) = (&repository.db, &repository.model());
    let author = |actor: &Actor| Author::new(actor, Origin::Rest);
    let page = |field: &str, item| {
        let body = json!({"type": [{"target_id": "page"}], field: [item]});
        body.to_string().into_bytes()
    };
    let (mira, admin, kind) = (
        mira(db, OWN_PAGES).await,
        Actor::program(),
        EntityKind::Node,
    );
    let body = page("title", json!({"value": "First"}));
    let first = create_entity(db, model, Creation::new(kind, body), &mira, author(&mira)).await;
    let first = first.expect("a page");
    let change = async |current: &Entity, actor: &Actor, body| {
        let (current, expected) = (current.clone(), Precondition::Unsaid);
        let changed = patch_entity(db, model, current, body, actor, author(actor), expected);
        changed.await.expect("changed")
    };
    let second = change(&first, &mira, page("title", json!({"value": "Second"}))).await;
    let back = async |current: &Entity| {
        let target = RevertTarget {
            revision: first.revision,
            fields: Some(vec!["title".to_owned()]),
            log: None,
            expected: Precondition::Unsaid,
        };
        revert(&repository, current.clone(), target, &mira, author(&mira)).await
    };
    let third = back(&second).await.expect("reverted");
    assert_eq!(third.label(), "First");
    change(&third, &admin, page("uid", json!({"target_id": admin.uid}))).await;
    let late = back(&third).await;
    assert!(matches!(late, Err(Refusal::Denied(_))), "{late:?}");
}
