//! Changes to roles.

use std::collections::BTreeSet;

use super::Refusal;
use super::account_rules::{as_of_now, can_be_given, check_line, check_name, refuse};
use crate::repository::Repository;
use isolario_db::{DbError, Read, RoleRecord, Write};
use isolario_model::content::ContentModel;
use isolario_model::content::user::ADMINISTRATOR_ROLE;
use isolario_model::fields::ViolationCode;
use isolario_model::policy::{Actor, PermittedRoleChange, permissions, permit_roles};

/// Longest label of a role, in characters.
const LONGEST_LABEL: usize = 60;

/// A role that somebody asks for.
#[derive(Debug, Clone)]
pub struct NewRole {
    /// Without one, it is made of the label.
    pub name: Option<String>,
    pub label: String,
    pub permissions: Vec<String>,
}

/// What changes of a role; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct RoleChange {
    pub label: Option<String>,
    /// All its permissions.
    pub permissions: Option<Vec<String>>,
}

/// Makes a role, if the actor may when it comes to that; its name. With `any_permission`, it may have some that this
/// program does not ask for: those of another system, whose tools know them.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::InvalidAccount` for a name or label that is taken or cannot be one, and for unknown
/// permissions.
pub async fn add_role(
    repository: &Repository,
    actor: &Actor,
    role: NewRole,
    any_permission: bool,
) -> Result<String, Refusal> {
    if let Some(name) = &role.name {
        check_name(name)?;
    }
    check_line("label", &role.label, LONGEST_LABEL)?;
    if let Some(bad) = role.permissions.iter().find(|name| name.trim().is_empty()) {
        let words = format!("{bad:?} is no permission.");
        return refuse("permissions", ViolationCode::Required, words);
    }
    if !any_permission {
        check_permissions(&repository.model(), &role.permissions, &[])?;
    }
    let actor = actor.clone();
    let made = repository.db.write(move |write| {
        let permitted = permit_roles(&as_of_now(write, &actor)?)?;
        let name = match role.name {
            Some(name) => name,
            None => free_name(write, &role.label)?,
        };
        if write.role(&name)?.is_some() {
            let words = format!("There is already a role {name}.");
            return refuse("name", ViolationCode::NotUnique, words);
        }
        refuse_taken(write, &role.label, &name)?;
        write.insert_role(&permitted, &name, &role.label, &role.permissions)?;
        tracing::info!(role = %name, by = actor.uid, "a role was made");
        Ok(name)
    });
    let name = made.await?;
    repository.authenticator.forget_permissions();
    Ok(name)
}

/// Changes a role, if the actor may when it comes to that.
///
/// # Errors
/// As for `add_role`; `Refusal::Missing` without such a role; `Refusal::Conflict` for permissions of administrators,
/// who have all of them.
pub async fn change_role(
    repository: &Repository,
    actor: &Actor,
    name: String,
    change: RoleChange,
) -> Result<(), Refusal> {
    if let Some(label) = &change.label {
        check_line("label", label, LONGEST_LABEL)?;
    }
    let actor = actor.clone();
    let model = repository.model();
    let changed = repository.db.write(move |write| {
        let permitted = permit_roles(&as_of_now(write, &actor)?)?;
        let before = find(write, &name)?;
        if let Some(label) = &change.label {
            refuse_taken(write, label, &name)?;
            write.set_role_label(&permitted, &name, label)?;
        }
        if let Some(wanted) = &change.permissions {
            if name == ADMINISTRATOR_ROLE {
                let words = "Administrators have every permission.";
                return Err(Refusal::Conflict(words.into()));
            }
            check_permissions(&model, wanted, &before.permissions)?;
            set_permissions(write, &permitted, &before, wanted)?;
        }
        tracing::info!(role = %name, by = actor.uid, "a role was changed");
        Ok(())
    });
    changed.await?;
    repository.authenticator.forget_permissions();
    Ok(())
}

/// Deletes a role that nobody has, if the actor may when it comes to that.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::Missing` without such a role; `Refusal::Conflict` where somebody has it, or every
/// repository.
pub async fn delete_role(
    repository: &Repository,
    actor: &Actor,
    name: String,
) -> Result<(), Refusal> {
    let actor = actor.clone();
    let deleted = repository.db.write(move |write| {
        let permitted = permit_roles(&as_of_now(write, &actor)?)?;
        let role = find(write, &name)?;
        if !can_be_deleted(&role) {
            let words = format!("Every repository has the role {name}.");
            return Err(Refusal::Conflict(words));
        }
        let accounts = write.role_accounts(&name)?;
        if accounts > 0 {
            let words = format!("Take the role from the accounts that have it first: {accounts}.");
            return Err(Refusal::Conflict(words));
        }
        write.delete_role(&permitted, &name)?;
        tracing::info!(role = %name, by = actor.uid, "a role was deleted");
        Ok(())
    });
    deleted.await?;
    repository.authenticator.forget_permissions();
    Ok(())
}

/// Whether a role may be missing. The others stand for nobody in particular, for everybody who has signed in, and for
/// those who may do everything.
pub fn can_be_deleted(role: &RoleRecord) -> bool {
    can_be_given(role) && role.name != ADMINISTRATOR_ROLE
}

fn find(read: &Read<'_>, name: &str) -> Result<RoleRecord, Refusal> {
    let missing = || Refusal::Missing(format!("There is no role {name}."));
    read.role(name)?.ok_or_else(missing)
}

fn set_permissions<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedRoleChange<'t>,
    before: &RoleRecord,
    wanted: &[String],
) -> Result<(), DbError> {
    let without = |names: &[String], others: &[String]| -> Vec<String> {
        let names = names.iter().filter(|name| !others.contains(name));
        names.cloned().collect()
    };
    write.grant(
        permitted,
        &before.name,
        &without(wanted, &before.permissions),
    )?;
    write.revoke(
        permitted,
        &before.name,
        &without(&before.permissions, wanted),
    )
}

/// Refuses permissions that there are not, except for those that the role has.
fn check_permissions(
    model: &ContentModel,
    wanted: &[String],
    present: &[String],
) -> Result<(), Refusal> {
    let known: BTreeSet<String> = permissions(model).map(|one| one.name).collect();
    let is_strange = |name: &&String| !known.contains(*name) && !present.contains(name);
    match wanted.iter().find(is_strange) {
        None => Ok(()),
        Some(name) => {
            let words = format!("There is no permission {name}.");
            refuse("permissions", ViolationCode::NotAChoice, words)
        }
    }
}

/// Refuses a label that another role has: people could not tell them apart.
fn refuse_taken(read: &Read<'_>, label: &str, name: &str) -> Result<(), Refusal> {
    let same =
        |role: &RoleRecord| role.name != name && role.label.to_lowercase() == label.to_lowercase();
    match read.roles()?.iter().any(same) {
        false => Ok(()),
        true => {
            let words = format!("There is already a role {label}.");
            refuse("label", ViolationCode::NotUnique, words)
        }
    }
}

/// A name made of the label: its Latin letters and digits, and a number where that is taken.
fn free_name(read: &Read<'_>, label: &str) -> Result<String, DbError> {
    let letters = label.to_lowercase();
    let words = letters.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let base = match words.is_empty() {
        true => "role".to_owned(),
        false => words.join("_"),
    };
    let mut name = base.clone();
    let mut number = 1;
    while read.role(&name)?.is_some() {
        number += 1;
        name = format!("{base}_{number}");
    }
    Ok(name)
}
