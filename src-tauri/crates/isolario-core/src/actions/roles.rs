//! Changes to roles.

use super::Refusal;
use super::account_rules::{check_name, refuse};
use isolario_auth::Authenticator;
use isolario_db::Db;
use isolario_model::fields::ViolationCode;
use isolario_model::policy::{Actor, permit_server};

/// Makes a role, if the actor may when it comes to that.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::InvalidAccount` for a name that is taken or cannot be one.
pub async fn add_role(
    db: &Db,
    authenticator: &Authenticator,
    actor: &Actor,
    name: String,
    permissions: Vec<String>,
) -> Result<(), Refusal> {
    check_name(&name)?;
    if let Some(bad) = permissions.iter().find(|name| name.trim().is_empty()) {
        let words = format!("{bad:?} is no permission.");
        return refuse("permissions", ViolationCode::Required, words);
    }
    let actor = actor.clone();
    db.write(move |write| {
        let permitted = permit_server(&actor)?;
        if write.role(&name)?.is_some() {
            let words = format!("There is already a role {name}.");
            return refuse("name", ViolationCode::NotUnique, words);
        }
        Ok(write.insert_role(&permitted, &name, &name, &permissions)?)
    })
    .await?;
    authenticator.forget_permissions();
    Ok(())
}
