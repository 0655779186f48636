//! Tables `role` and `role_permission`: the roles and their permissions.

use std::collections::HashSet;

use rusqlite::{OptionalExtension, params};

use super::{DbError, Read, Write};
use isolario_model::policy::PermittedRoleChange;

/// A role with its permission names, in alphabetical order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleRecord {
    pub name: String,
    /// The label that people see.
    pub label: String,
    pub permissions: Vec<String>,
}

impl Read<'_> {
    /// Every role, in the order in which they were made.
    pub fn roles(&self) -> Result<Vec<RoleRecord>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT name, label FROM role ORDER BY weight, name")?;
        let names = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<Vec<(String, String)>, _>>()?;
        names
            .into_iter()
            .map(|(name, label)| self.with_permissions(name, label))
            .collect()
    }

    /// A role by its name.
    pub fn role(&self, name: &str) -> Result<Option<RoleRecord>, DbError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT label FROM role WHERE name = ?1")?;
        let label: Option<String> = statement.query_row([name], |row| row.get(0)).optional()?;
        label
            .map(|label| self.with_permissions(name.to_owned(), label))
            .transpose()
    }

    /// The permissions of all these roles.
    pub fn permissions_of(&self, roles: &[String]) -> Result<HashSet<String>, DbError> {
        let mut permissions = HashSet::new();
        for role in roles {
            permissions.extend(self.role_permissions(role)?);
        }
        Ok(permissions)
    }

    /// How many accounts have been given a role, everywhere or in a collection.
    pub fn role_accounts(&self, name: &str) -> Result<i64, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM (SELECT uid FROM user_role WHERE role = ?1
             UNION SELECT uid FROM user_collection_role WHERE role = ?1)",
        )?;
        Ok(statement.query_row([name], |row| row.get(0))?)
    }

    fn with_permissions(&self, name: String, label: String) -> Result<RoleRecord, DbError> {
        let permissions = self.role_permissions(&name)?;
        Ok(RoleRecord {
            name,
            label,
            permissions,
        })
    }

    fn role_permissions(&self, role: &str) -> Result<Vec<String>, DbError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT permission FROM role_permission WHERE role = ?1 ORDER BY permission",
        )?;
        let rows = statement.query_map([role], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl<'t> Write<'t> {
    /// Makes a role, after those that exist.
    pub fn insert_role(
        &mut self,
        permitted: &PermittedRoleChange<'t>,
        name: &str,
        label: &str,
        permissions: &[String],
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached(
                "INSERT INTO role (name, label, weight)
                 VALUES (?1, ?2, (SELECT ifnull(max(weight), 0) + 1 FROM role))",
            )?
            .execute(params![name, label])?;
        self.grant(permitted, name, permissions)
    }

    /// Adds permissions to a role.
    pub fn grant(
        &mut self,
        _permitted: &PermittedRoleChange<'t>,
        name: &str,
        permissions: &[String],
    ) -> Result<(), DbError> {
        for permission in permissions {
            self.connection
                .prepare_cached(
                    "INSERT OR IGNORE INTO role_permission (role, permission) VALUES (?1, ?2)",
                )?
                .execute(params![name, permission])?;
        }
        Ok(())
    }

    /// Takes permissions from a role.
    pub fn revoke(
        &mut self,
        _permitted: &PermittedRoleChange<'t>,
        name: &str,
        permissions: &[String],
    ) -> Result<(), DbError> {
        for permission in permissions {
            self.connection
                .prepare_cached("DELETE FROM role_permission WHERE role = ?1 AND permission = ?2")?
                .execute(params![name, permission])?;
        }
        Ok(())
    }

    /// Gives a role another label.
    pub fn set_role_label(
        &mut self,
        _permitted: &PermittedRoleChange<'t>,
        name: &str,
        label: &str,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("UPDATE role SET label = ?2 WHERE name = ?1")?
            .execute(params![name, label])?;
        Ok(())
    }

    /// Removes a role.
    pub fn delete_role(
        &mut self,
        _permitted: &PermittedRoleChange<'t>,
        name: &str,
    ) -> Result<(), DbError> {
        self.connection
            .prepare_cached("DELETE FROM role WHERE name = ?1")?
            .execute([name])?;
        Ok(())
    }
}
