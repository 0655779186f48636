//! Tables `user` and `user_role`: the accounts.

use rusqlite::{OptionalExtension, Row, params};

use super::permitted::require;
use super::{DbError, Read, Write};
use isolario_model::content::EntityKind;
use isolario_model::content::user::{ADMINISTRATOR_ROLE, CollectionRole, UserRecord};
use isolario_model::policy::{Operation, PermittedChange};

/// A new account.
#[derive(Debug, Clone)]
pub struct NewUser {
    pub name: String,
    pub mail: Option<String>,
    /// Argon2id in PHC form; `None` for an account that nobody can sign in to by password.
    pub password_hash: Option<String>,
    /// Role names beside `authenticated`. Each must exist.
    pub roles: Vec<String>,
    pub collection_roles: Vec<CollectionRole>,
    /// Now, Unix seconds.
    pub at: i64,
}

/// An account with its secrets.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub user: UserRecord,
    pub password_hash: Option<String>,
    /// Unix seconds. Tokens that were issued earlier are invalid.
    pub changed: i64,
    pub second_factor: Option<SecondFactor>,
}

/// What an account signs in with beside its password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondFactor {
    /// In base 32.
    pub secret: String,
    /// The number of the 30 seconds whose code was used last.
    pub last_step: i64,
}

pub(super) const COLUMNS: &str =
    "uid, uuid, name, mail, active, created, changed, password_hash, credentials_changed,
    (SELECT group_concat(role, char(10)) FROM user_role r WHERE r.uid = user.uid),
    (SELECT group_concat(collection || ' ' || role, char(10)) FROM user_collection_role r WHERE r.uid = user.uid),
    second_factor, second_factor_step";

impl Read<'_> {
    /// An account by its number.
    pub fn user(&self, uid: i64) -> Result<Option<UserRecord>, DbError> {
        Ok(self.credentials(uid)?.map(|credentials| credentials.user))
    }

    /// An account by its name, whatever the case.
    pub fn user_by_name(&self, name: &str) -> Result<Option<UserRecord>, DbError> {
        Ok(self
            .credentials_by_name(name)?
            .map(|credentials| credentials.user))
    }

    /// Every account, in the order of their numbers.
    pub fn users(&self) -> Result<Vec<UserRecord>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM user ORDER BY uid");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], |row| Ok(read_credentials(row)?.user))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Who was given roles in these collections and may sign in, by collection and name.
    pub fn people_in(&self, collections: &[i64]) -> Result<Vec<(i64, CollectionRole)>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.uid, r.collection, r.role FROM user_collection_role r
             CROSS JOIN user u ON u.uid = r.uid AND u.active = 1
             WHERE r.collection IN (SELECT value FROM json_each(?1)) ORDER BY r.collection, u.name, r.role",
        )?;
        let rows = statement.query_map([serde_json::to_string(collections)?], |row| {
            let (collection, role) = (row.get(1)?, row.get(2)?);
            Ok((row.get(0)?, CollectionRole { collection, role }))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many accounts that may sign in have the role that has every permission.
    pub fn active_administrators(&self) -> Result<i64, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM user u JOIN user_role r USING (uid) WHERE r.role = ?1 AND u.active = 1",
        )?;
        Ok(statement.query_row([ADMINISTRATOR_ROLE], |row| row.get(0))?)
    }

    /// An account with its secrets, by its number.
    pub fn credentials(&self, uid: i64) -> Result<Option<Credentials>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM user WHERE uid = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([uid], read_credentials).optional()?)
    }

    /// An account with its secrets, by its name, whatever the case.
    pub fn credentials_by_name(&self, name: &str) -> Result<Option<Credentials>, DbError> {
        let sql = format!("SELECT {COLUMNS} FROM user WHERE name = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([name], read_credentials).optional()?)
    }
}

pub(super) fn read_credentials(row: &Row<'_>) -> rusqlite::Result<Credentials> {
    let roles: Option<String> = row.get(9)?;
    let mut roles: Vec<String> = roles
        .iter()
        .flat_map(|names| names.lines())
        .map(str::to_owned)
        .collect();
    // Most requests read an account, and for an order within `group_concat` SQLite makes a table each time.
    roles.sort_unstable();
    let collection_roles: Option<String> = row.get(10)?;
    let mut collection_roles: Vec<CollectionRole> = collection_roles
        .iter()
        .flat_map(|lines| lines.lines())
        .filter_map(|line| {
            let (collection, role) = line.split_once(' ')?;
            Some(CollectionRole {
                collection: collection.parse().ok()?,
                role: role.to_owned(),
            })
        })
        .collect();
    collection_roles.sort_unstable();
    let second_factor = match row.get(11)? {
        Some(secret) => Some(SecondFactor {
            secret,
            last_step: row.get(12)?,
        }),
        None => None,
    };
    Ok(Credentials {
        user: UserRecord {
            has_second_factor: second_factor.is_some(),
            uid: row.get(0)?,
            uuid: row.get(1)?,
            name: row.get(2)?,
            mail: row.get(3)?,
            active: row.get(4)?,
            roles,
            collection_roles,
            created: row.get(5)?,
            changed: row.get(6)?,
        },
        password_hash: row.get(7)?,
        changed: row.get(8)?,
        second_factor,
    })
}

impl<'t> Write<'t> {
    /// Makes an account and returns its number.
    pub fn insert_user(
        &mut self,
        permitted: &PermittedChange<'t>,
        user: &NewUser,
    ) -> Result<i64, DbError> {
        require(permitted, Operation::Create, EntityKind::User, 0)?;
        self.connection
            .prepare_cached(
                "INSERT INTO user (uuid, name, mail, password_hash, credentials_changed, created, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5)",
            )?
            .execute(params![
                uuid::Uuid::new_v4().to_string(),
                user.name,
                user.mail,
                user.password_hash,
                user.at
            ])?;
        let uid = self.connection.last_insert_rowid();
        for role in &user.roles {
            self.add_user_role(uid, role)?;
        }
        for role in &user.collection_roles {
            self.add_collection_role(uid, role)?;
        }
        Ok(uid)
    }

    pub(super) fn add_collection_role(
        &mut self,
        uid: i64,
        role: &CollectionRole,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO user_collection_role (uid, collection, role) VALUES (?1, ?2, ?3)",
            )?
            .execute(params![uid, role.collection, role.role])?;
        Ok(())
    }

    /// Sets the roles of an account in collections. Each role must exist.
    pub fn set_collection_roles(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        roles: &[CollectionRole],
        at: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        self.connection
            .prepare_cached("DELETE FROM user_collection_role WHERE uid = ?1")?
            .execute([uid])?;
        for role in roles {
            self.add_collection_role(uid, role)?;
        }
        self.connection
            .prepare_cached("UPDATE user SET changed = ?2 WHERE uid = ?1")?
            .execute(params![uid, at])?;
        Ok(())
    }

    pub(super) fn add_user_role(&mut self, uid: i64, role: &str) -> Result<(), DbError> {
        self.connection
            .prepare_cached("INSERT OR IGNORE INTO user_role (uid, role) VALUES (?1, ?2)")?
            .execute(params![uid, role])?;
        Ok(())
    }

    /// Renames an account. Its sessions and tokens end, because they have the old name.
    pub fn set_user_name(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        name: &str,
        at: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        self.connection
            .prepare_cached("UPDATE user SET name = ?2, changed = ?3 WHERE uid = ?1")?
            .execute(params![uid, name, at])?;
        self.end_credentials(uid, at)
    }

    /// Sets the roles of an account. Each must exist.
    pub fn set_user_roles(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        roles: &[String],
        at: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        self.connection
            .prepare_cached("DELETE FROM user_role WHERE uid = ?1")?
            .execute([uid])?;
        for role in roles {
            self.add_user_role(uid, role)?;
        }
        self.connection
            .prepare_cached("UPDATE user SET changed = ?2 WHERE uid = ?1")?
            .execute(params![uid, at])?;
        Ok(())
    }

    /// Sets the password of an account. Its sessions and tokens end.
    pub fn set_password_hash(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        hash: &str,
        at: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        self.connection
            .prepare_cached("UPDATE user SET password_hash = ?2, changed = ?3 WHERE uid = ?1")?
            .execute(params![uid, hash, at])?;
        self.end_credentials(uid, at)
    }

    /// Gives an account a second factor, or takes it away.
    pub fn set_second_factor(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        factor: Option<&SecondFactor>,
        at: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        let (secret, step) =
            factor.map_or((None, 0), |factor| (Some(&factor.secret), factor.last_step));
        self.connection
            .prepare_cached(
                "UPDATE user SET second_factor = ?2, second_factor_step = ?3, changed = ?4 WHERE uid = ?1",
            )?
            .execute(params![uid, secret, step, at])?;
        Ok(())
    }

    /// Notes that the code of a step (the number of its 30 seconds) lets an account in. False: it, or a later one, has
    /// done so before.
    pub fn use_second_factor(&mut self, uid: i64, step: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE user SET second_factor_step = ?2 WHERE uid = ?1 AND second_factor_step < ?2",
        )?;
        Ok(statement.execute(params![uid, step])? > 0)
    }

    /// Enables or disables an account. The sessions and tokens of a disabled one end.
    pub fn set_user_active(
        &mut self,
        permitted: &PermittedChange<'t>,
        uid: i64,
        active: bool,
        at: i64,
    ) -> Result<(), DbError> {
        require(permitted, Operation::Update, EntityKind::User, uid)?;
        self.connection
            .prepare_cached("UPDATE user SET active = ?2, changed = ?3 WHERE uid = ?1")?
            .execute(params![uid, active, at])?;
        if active {
            Ok(())
        } else {
            self.end_credentials(uid, at)
        }
    }

    /// The first second whose tokens are valid. Tokens have whole seconds, and those of the current second end too, so
    /// this is the next second.
    fn end_credentials(&mut self, uid: i64, at: i64) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "UPDATE user SET credentials_changed = max(credentials_changed, ?2) + 1 WHERE uid = ?1",
            )?
            .execute(params![uid, at])?;
        self.delete_sessions_of(uid)
    }
}
