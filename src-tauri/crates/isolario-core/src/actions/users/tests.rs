//! What changes of an account do to who has signed in with it.

use std::future::poll_fn;
use std::net::{IpAddr, Ipv4Addr};
use std::task::Poll;

use isolario_auth::hosts::AllowedHosts;
use isolario_auth::{Authenticator, FailedSignIns};
use isolario_config::LogRules;
use isolario_db::Db;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, Subject, permit, permit_roles};

use super::{change_user, first_password};
use crate::actions::Refusal;
use crate::actions::account_rules::AccountChange;
use crate::actions::tests::add_account;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

async fn opened() -> (tempfile::TempDir, Db, Authenticator) {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let hosts = AllowedHosts::new(HERE, []);
    let failed = FailedSignIns::open(directory.path(), &LogRules::default());
    let authenticator = Authenticator::open(directory.path(), hosts, db.clone(), failed).await;
    (directory, db, authenticator.expect("keys"))
}

/// An account called Mira with the password "a", and who knows her; her uid.
async fn known() -> (tempfile::TempDir, Db, Authenticator, i64) {
    let (directory, db, authenticator) = opened().await;
    let role = db.write(|write| {
        let permitted = permit_roles(&Actor::program())?;
        write.insert_role(&permitted, "editor", "Editor", &[])
    });
    role.await
        .unwrap_or_else(|error: isolario_db::DbError| panic!("{error}"));
    let hash = authenticator.hash("a".to_owned()).await.expect("hashed");
    let uid = add_account(&db, "mira", Some(hash)).await;
    (directory, db, authenticator, uid)
}

#[tokio::test]
async fn a_password_that_is_set_while_the_first_one_is_made_stays() {
    let (_directory, db, authenticator) = opened().await;
    let uid = add_account(&db, "admin", None).await;
    let hash = authenticator.hash("mine".to_owned()).await.expect("hashed");
    // It is seen that there is none; then the first password is hashed in a thread of its own.
    let mut first = std::pin::pin!(first_password(&db, &authenticator));
    let waits = poll_fn(|context| Poll::Ready(first.as_mut().poll(context).is_pending()));
    assert!(waits.await);
    let set = db.write(move |write| {
        let account = Subject::of_account(uid, true);
        let permitted = permit(&Actor::program(), Operation::Update, &account)?;
        write.set_password_hash(&permitted, uid, &hash, 2)
    });
    set.await
        .unwrap_or_else(|error: isolario_db::DbError| panic!("{error}"));
    assert_eq!(first.await.expect("looked at"), None);
    let signed_in = authenticator.password("admin", "mine", None, HERE).await;
    assert_eq!(signed_in.expect("signed in").uid, uid);
}

#[tokio::test]
async fn what_has_ended_meanwhile_begins_no_session_and_gives_no_token() {
    let (_directory, db, authenticator, uid) = known().await;
    let signed_in = authenticator.password("mira", "a", None, HERE).await;
    let mira = signed_in.expect("signed in");
    let changed = AccountChange {
        password: Some("another one".to_owned()),
        ..AccountChange::default()
    };
    let program = Actor::program();
    let change = |actor: &Actor| {
        let (actor, change) = (actor.clone(), changed.clone());
        let (db, authenticator) = (&db, &authenticator);
        async move { change_user(db, authenticator, &actor, Origin::Rest, uid, change).await }
    };
    change(&program).await.expect("changed");
    assert!(authenticator.begin_session(&mira).await.is_err());
    let token = authenticator.issue_token(&mira, "localhost").await;
    assert!(token.expect("read").is_none());
    let too_late = change(&mira).await;
    assert!(matches!(too_late, Err(Refusal::Denied(_))), "{too_late:?}");
    let signed_in = authenticator
        .password("mira", "another one", None, HERE)
        .await;
    assert_eq!(signed_in.expect("signed in").uid, uid);
}
