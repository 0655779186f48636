//! Accounts of unit tests.

use std::sync::Arc;

use isolario_db::{Db, DbError, NewUser};
use isolario_model::policy::{Actor, Operation, Scope, SignIn, Subject, permit};

/// Makes an account without roles; its uid.
pub async fn add_account(db: &Db, name: &str, password_hash: Option<String>) -> i64 {
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
    added.unwrap_or_else(|error: DbError| panic!("{error}"))
}

/// Mira, who has an account and these permissions.
pub async fn mira<const N: usize>(db: &Db, permissions: [&str; N]) -> Actor {
    Actor {
        uid: add_account(db, "mira", None).await,
        name: "mira".to_owned(),
        roles: Vec::new(),
        permissions: Arc::new(permissions.map(str::to_owned).into()),
        sign_in: SignIn::Credentials(1),
        scope: Scope::All,
        in_collections: std::sync::Arc::default(),
    }
}
