//! What signing in costs, counted in hashes.

use std::net::{IpAddr, Ipv4Addr};

use super::Authenticator;
use crate::FailedSignIns;
use crate::hosts::AllowedHosts;
use isolario_config::LogRules;
use isolario_db::{Db, DbError, NewUser, Write};
use isolario_model::policy::{Actor, Operation, PermittedChange, Subject, permit, permit_roles};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

async fn opened() -> (tempfile::TempDir, Db, Authenticator) {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let hosts = AllowedHosts::new(HERE, []);
    let failed = FailedSignIns::open(directory.path(), &LogRules::default());
    let authenticator = Authenticator::open(directory.path(), hosts, db.clone(), failed).await;
    (directory, db, authenticator.expect("keys"))
}

/// Makes an account; its uid.
async fn add(db: &Db, name: &str, password_hash: Option<String>) -> i64 {
    let account = NewUser {
        name: name.to_owned(),
        mail: None,
        password_hash,
        roles: Vec::new(),
        collection_roles: Vec::new(),
        at: 1,
    };
    let added = db.write(move |write| {
        let new = Subject::of_account(0, true);
        let permitted = permit(&Actor::program(), Operation::Create, &new)?;
        write.insert_user(&permitted, &account)
    });
    let added = added.await;
    added.unwrap_or_else(|error: isolario_db::DbError| panic!("{error}"))
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
    let uid = add(&db, "mira", Some(hash)).await;
    (directory, db, authenticator, uid)
}

/// How many hashes it costs to sign in so often, and whether each time one came in.
async fn cost(authenticator: &Authenticator, times: usize, password: &str) -> (usize, bool) {
    let before = authenticator.passwords.hashed();
    let mut let_in = true;
    for _ in 0..times {
        let signed_in = authenticator.password("mira", password, None, HERE).await;
        let_in &= signed_in.is_ok();
    }
    (authenticator.passwords.hashed() - before, let_in)
}

#[tokio::test]
async fn a_hundred_sign_ins_cost_one_hash_until_the_account_changes() {
    let (_directory, db, authenticator, uid) = known().await;
    assert_eq!(cost(&authenticator, 100, "a").await, (1, true));
    assert_eq!(cost(&authenticator, 1, "b").await, (1, false));
    assert_eq!(cost(&authenticator, 100, "a").await, (0, true));

    type Change = for<'t> fn(&mut Write<'t>, &PermittedChange<'t>, i64) -> Result<(), DbError>;
    let change = |change: Change| {
        db.write(move |write| {
            let account = Subject::of_account(uid, true);
            let permitted = permit(&Actor::program(), Operation::Update, &account)?;
            change(write, &permitted, uid)
        })
    };
    let promoted = change(|write, permitted, uid| {
        write.set_user_roles(permitted, uid, &["editor".to_owned()], 2)
    });
    promoted.await.expect("promoted");
    assert_eq!(cost(&authenticator, 100, "a").await, (1, true));

    let disabled = change(|write, permitted, uid| write.set_user_active(permitted, uid, false, 3));
    disabled.await.expect("disabled");
    assert_eq!(cost(&authenticator, 1, "a").await, (1, false));
    let enabled = change(|write, permitted, uid| write.set_user_active(permitted, uid, true, 4));
    enabled.await.expect("enabled");
    assert_eq!(cost(&authenticator, 100, "a").await, (1, true));

    let hash = authenticator.hash("c".to_owned()).await.expect("hashed");
    let changed = db.write(move |write| {
        let account = Subject::of_account(uid, true);
        let permitted = permit(&Actor::program(), Operation::Update, &account)?;
        write.set_password_hash(&permitted, uid, &hash, 5)
    });
    changed
        .await
        .unwrap_or_else(|error: isolario_db::DbError| panic!("{error}"));
    assert_eq!(cost(&authenticator, 1, "a").await, (1, false));
    assert_eq!(cost(&authenticator, 100, "c").await, (1, true));
}
