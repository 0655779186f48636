//! Reads the contents of records from the database, and writes them to the database at a rebuild.

use rusqlite::{OptionalExtension, Row, params};

use super::entity::table;
use super::{DbError, NewFileVersion, Read, Write};
use isolario_model::content::record::{
    AccountRecord, EntityRecord, FileHistory, FileVersion, Numbers, Role, Trashing,
};
use isolario_model::content::{EntityKind, MimeType};
use isolario_model::policy::{PermittedRoleChange, PermittedServerChange};

impl Read<'_> {
    /// A node, media or term, deleted or not.
    pub fn entity_record(
        &self,
        kind: EntityKind,
        id: i64,
    ) -> Result<Option<EntityRecord>, DbError> {
        let table = table(kind);
        let sql = format!(
            "SELECT e.id, e.uuid, e.bundle, e.revision, ifnull(r.made, e.changed), ifnull(r.author, e.owner),
               ifnull(r.origin, ''), r.log, e.deleted, e.document
             FROM {table} e LEFT JOIN {table}_revision r ON r.revision = e.revision WHERE e.id = ?1"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement
            .query_row([id], |row| Ok((read_entity(kind, row)?, row.get(9)?)))
            .optional()?;
        let Some((mut record, document)): Option<(EntityRecord, String)> = found else {
            return Ok(None);
        };
        record.values = serde_json::from_str(&document)?;
        record.trash = self.trashing(kind, id)?;
        Ok(Some(record))
    }

    /// A file with every version, deleted or not.
    pub fn file_history(&self, fid: i64) -> Result<Option<FileHistory>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT fid, uuid, uid, filename, uri, permanent, version, created, changed, deleted
             FROM file WHERE fid = ?1",
        )?;
        let found = statement.query_row([fid], read_history).optional()?;
        found
            .map(|mut history| {
                history.versions = self.file_versions(fid)?;
                history.trash = self.trashing(EntityKind::File, fid)?;
                Ok(history)
            })
            .transpose()
    }

    /// The files after an id, with their versions, at most `limit`.
    pub fn histories_after(&self, fid: i64, limit: u32) -> Result<Vec<FileHistory>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT fid FROM file WHERE fid > ?1 ORDER BY fid LIMIT ?2")?;
        let ids = statement
            .query_map([fid, i64::from(limit)], |row| row.get(0))?
            .collect::<Result<Vec<i64>, _>>()?;
        let found = ids.into_iter().map(|fid| self.file_history(fid));
        Ok(found
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect())
    }

    /// All versions of a file, the oldest first.
    pub fn file_versions(&self, fid: i64) -> Result<Vec<FileVersion>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT version, blob, mime, size, width, height, sha512, sha256, md5, made, author
             FROM file_version WHERE fid = ?1 ORDER BY version",
        )?;
        let rows = statement.query_map([fid], |row| {
            Ok(FileVersion {
                version: row.get(0)?,
                blob: row.get(1)?,
                mime: MimeType::from(row.get::<_, String>(2)?),
                size: row.get::<_, i64>(3)?.try_into().unwrap_or(0),
                width: row.get(4)?,
                height: row.get(5)?,
                sha512: row.get(6)?,
                sha256: row.get(7)?,
                md5: row.get(8)?,
                made: row.get(9)?,
                author: row.get(10)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A role by its name, with its place among the others.
    pub fn role_record(&self, name: &str) -> Result<Option<Role>, DbError> {
        let Some(role) = self.role(name)? else {
            return Ok(None);
        };
        let mut statement = self
            .connection
            .prepare_cached("SELECT weight FROM role WHERE name = ?1")?;
        Ok(Some(Role {
            weight: statement.query_row([name], |row| row.get(0))?,
            name: role.name,
            label: role.label,
            permissions: role.permissions,
        }))
    }

    /// An account, without its secrets.
    pub fn account_record(&self, uid: i64) -> Result<Option<AccountRecord>, DbError> {
        Ok(self.user(uid)?.map(|user| AccountRecord {
            uid: user.uid,
            uuid: user.uuid,
            name: user.name,
            active: user.active,
            roles: user.roles,
            collection_roles: user.collection_roles,
            created: user.created,
            changed: user.changed,
        }))
    }

    /// The highest ids that were ever given.
    pub fn highest_numbers(&self) -> Result<Numbers, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT name, seq FROM sqlite_sequence")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Numbers {
            highest: rows.collect::<Result<_, _>>()?,
        })
    }
}

fn read_entity(kind: EntityKind, row: &Row<'_>) -> rusqlite::Result<EntityRecord> {
    Ok(EntityRecord {
        kind,
        id: row.get(0)?,
        uuid: row.get(1)?,
        bundle: row.get(2)?,
        revision: row.get(3)?,
        made: row.get(4)?,
        author: row.get(5)?,
        origin: row.get(6)?,
        log: row.get(7)?,
        deleted: row.get(8)?,
        trash: None,
        values: Default::default(),
    })
}

fn read_history(row: &Row<'_>) -> rusqlite::Result<FileHistory> {
    Ok(FileHistory {
        fid: row.get(0)?,
        uuid: row.get(1)?,
        uid: row.get(2)?,
        filename: row.get(3)?,
        uri: row.get(4)?,
        permanent: row.get(5)?,
        version: row.get(6)?,
        created: row.get(7)?,
        changed: row.get(8)?,
        deleted: row.get(9)?,
        trash: None,
        versions: Vec::new(),
    })
}

/// The trash entry of a deleted resource whose record has none.
fn guessed(at: i64, actor: i64, origin: &str) -> Trashing {
    Trashing {
        number: 0,
        at,
        actor,
        origin: origin.to_owned(),
        item: None,
    }
}

impl<'t> Write<'t> {
    /// Writes a node, media or term with its ids, without its index rows.
    pub fn put_entity(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        record: &EntityRecord,
    ) -> Result<(), DbError> {
        let table = table(record.kind);
        let entity = record.entity();
        let document = serde_json::to_string(&record.values)?;
        let sql = format!(
            "INSERT INTO {table} (id, uuid, revision, bundle, label, published, owner, created, changed, document, deleted)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            record.id,
            record.uuid,
            record.revision,
            record.bundle,
            entity.label(),
            entity.is_published(),
            entity.owner(),
            entity.created(),
            entity.changed(),
            document,
            record.deleted,
        ])?;
        let sql = format!(
            "INSERT INTO {table}_revision (revision, id, made, author, origin, log, document)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        );
        self.connection.prepare_cached(&sql)?.execute(params![
            record.revision,
            record.id,
            record.made,
            record.author,
            record.origin,
            record.log,
            document,
        ])?;
        // What has been removed for good says nothing any more.
        if let Some(at) = record.deleted.filter(|_| !entity.label().is_empty()) {
            let guess = || guessed(at, record.author, &record.origin);
            let trashing = record.trash.clone().unwrap_or_else(guess);
            self.put_trash(record.kind, record.id, &trashing)?;
        }
        Ok(())
    }

    /// Writes a file and its versions with their ids.
    pub fn put_file(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        file: &FileHistory,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO file (fid, uuid, uid, filename, uri, permanent, version, created, changed, deleted)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                file.fid,
                file.uuid,
                file.uid,
                file.filename,
                file.uri,
                file.permanent,
                file.version,
                file.created,
                file.changed,
                file.deleted,
            ])?;
        for version in &file.versions {
            let row = NewFileVersion {
                blob: &version.blob,
                mime: &version.mime,
                size: version.size,
                width: version.width,
                height: version.height,
                sha512: version.sha512.clone(),
                sha256: version.sha256.clone(),
                md5: version.md5.clone(),
                made: version.made,
                author: version.author,
            };
            self.insert_version(file.fid, version.version, &row)?;
        }
        if let Some(at) = file.deleted.filter(|_| !file.versions.is_empty()) {
            let guess = || guessed(at, file.uid, "");
            let trashing = file.trash.clone().unwrap_or_else(guess);
            self.put_trash(EntityKind::File, file.fid, &trashing)?;
        }
        Ok(())
    }

    /// Writes a role.
    pub fn put_role(
        &mut self,
        permitted: &PermittedRoleChange<'t>,
        role: &Role,
    ) -> Result<(), DbError> {
        self.insert_role(permitted, &role.name, &role.label, &role.permissions)?;
        self.connection
            .prepare_cached("UPDATE role SET weight = ?2 WHERE name = ?1")?
            .execute(params![role.name, role.weight])?;
        Ok(())
    }

    /// Writes an account with its id. It has no password. Tokens that were issued before a time (Unix seconds) are
    /// invalid.
    pub fn put_account(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        account: &AccountRecord,
        at: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO user (uid, uuid, name, active, credentials_changed, created, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                account.uid,
                account.uuid,
                account.name,
                account.active,
                at,
                account.created,
                account.changed,
            ])?;
        for role in &account.roles {
            self.add_user_role(account.uid, role)?;
        }
        for role in &account.collection_roles {
            self.add_collection_role(account.uid, role)?;
        }
        Ok(())
    }

    /// Skips ids that may have been given and are unknown.
    pub fn skip_numbers(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        gap: i64,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE sqlite_sequence SET seq = seq + ?1")?
            .execute([gap])?;
        Ok(())
    }

    /// Sets the next ids above these, unless they are higher already.
    pub fn put_numbers(
        &mut self,
        _permitted: &PermittedServerChange<'t>,
        numbers: &Numbers,
    ) -> Result<(), DbError> {
        for (name, highest) in &numbers.highest {
            self.connection
                .prepare_cached(
                    "INSERT INTO sqlite_sequence (name, seq) SELECT ?1, 0
                     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
                       AND EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1 AND sql LIKE '%AUTOINCREMENT%')",
                )?
                .execute([name])?;
            self.connection
                .prepare_cached("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1")?
                .execute(params![name, highest])?;
        }
        Ok(())
    }
}
