//! What signing in costs, counted in hashes.

use std::net::{IpAddr, Ipv4Addr};

use super::Authenticator;
use crate::auth::hosts::AllowedHosts;
use crate::db::{Db, NewUser};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// An account called Mira with the password "a", and who knows her; her uid.
async fn known() -> (tempfile::TempDir, Db, Authenticator, i64) {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let hosts = AllowedHosts::new(HERE, []);
    let authenticator = Authenticator::open(directory.path(), hosts, db.clone());
    let authenticator = authenticator.await.expect("keys");
    let hash = authenticator.hash("a".to_owned()).await.expect("hashed");
    let mira = NewUser {
        name: "mira".to_owned(),
        mail: None,
        password_hash: Some(hash),
        roles: Vec::new(),
        at: 1,
    };
    let added = db.write(move |write| {
        write.insert_role("editor", "Editor", &[])?;
        write.insert_user(&mira)
    });
    let uid = added.await;
    let uid = uid.unwrap_or_else(|error: crate::db::DbError| panic!("{error}"));
    (directory, db, authenticator, uid)
}

/// How many hashes it costs to sign in so often, and whether each time one came in.
async fn cost(authenticator: &Authenticator, times: usize, password: &str) -> (usize, bool) {
    let before = authenticator.passwords.hashed();
    let mut let_in = true;
    for _ in 0..times {
        let signed_in = authenticator.password("mira", password, HERE).await;
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

    let change = |change: fn(&mut crate::db::Write<'_>, i64) -> Result<(), crate::db::DbError>| {
        db.write(move |write| change(write, uid))
    };
    let promoted = change(|write, uid| write.set_user_roles(uid, &["editor".to_owned()], 2)).await;
    promoted.expect("promoted");
    assert_eq!(cost(&authenticator, 100, "a").await, (1, true));

    let disabled = change(|write, uid| write.set_user_active(uid, false, 3)).await;
    disabled.expect("disabled");
    assert_eq!(cost(&authenticator, 1, "a").await, (1, false));
    let enabled = change(|write, uid| write.set_user_active(uid, true, 4)).await;
    enabled.expect("enabled");
    assert_eq!(cost(&authenticator, 100, "a").await, (1, true));

    let hash = authenticator.hash("c".to_owned()).await.expect("hashed");
    let changed = db.write(move |write| write.set_password_hash(uid, &hash, 5));
    changed
        .await
        .unwrap_or_else(|error: crate::db::DbError| panic!("{error}"));
    assert_eq!(cost(&authenticator, 1, "a").await, (1, false));
    assert_eq!(cost(&authenticator, 100, "c").await, (1, true));
}
