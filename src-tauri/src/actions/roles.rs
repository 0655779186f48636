//! Changes to roles.

use super::Refusal;
use super::account_rules::{check_name, refuse};
use crate::auth::Authenticator;
use crate::db::Db;

/// Makes a role.
///
/// # Errors
/// `Refusal::Broken` for a name that is taken or cannot be one.
pub async fn add_role(
    db: &Db,
    authenticator: &Authenticator,
    name: String,
    permissions: Vec<String>,
) -> Result<(), Refusal> {
    check_name(&name)?;
    if let Some(bad) = permissions.iter().find(|name| name.trim().is_empty()) {
        return refuse("permissions", format!("{bad:?} is no permission."));
    }
    db.write(move |write| {
        if write.role(&name)?.is_some() {
            return refuse("name", format!("There is already a role {name}."));
        }
        Ok(write.insert_role(&name, &name, &permissions)?)
    })
    .await?;
    authenticator.forget_permissions();
    Ok(())
}
