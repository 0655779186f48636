//! Who may see what the service says of itself and of its bytes, and who may change its redirects.

use std::marker::PhantomData;

use super::Denial;
use super::permitted_change::Transaction;
use crate::policy::Actor;

/// Whether the actor may see which bundles there are.
///
/// # Errors
/// The permission that is missing.
pub fn may_view_bundles(actor: &Actor) -> Result<(), Denial> {
    needs(actor, "access content")
}

/// Whether the actor may see the forms and fields of bundles as configuration.
///
/// # Errors
/// The permission that is missing.
pub fn may_view_configuration(actor: &Actor) -> Result<(), Denial> {
    needs(actor, "use islandora workbench")
}

/// Whether the actor may see checksums of the bytes of files that they may see.
///
/// # Errors
/// The permission that is missing.
pub fn may_view_checksums(actor: &Actor) -> Result<(), Denial> {
    needs(actor, "view checksums")
}

/// A change of the redirects that the policy permits in one transaction.
///
/// Only the policy makes one:
/// ```compile_fail,E0423
/// use isolario_model::policy::PermittedRedirect;
/// let permitted = PermittedRedirect(std::marker::PhantomData);
/// ```
#[derive(Debug)]
pub struct PermittedRedirect<'t>(Transaction<'t>);

/// Permits to add and to remove redirects.
///
/// # Errors
/// The permission that is missing.
pub fn permit_redirect<'t>(actor: &Actor) -> Result<PermittedRedirect<'t>, Denial> {
    needs(actor, "administer redirects")?;
    Ok(PermittedRedirect(PhantomData))
}

fn needs(actor: &Actor, permission: &str) -> Result<(), Denial> {
    match actor.can(permission) {
        true => Ok(()),
        false => Err(Denial::missing(permission)),
    }
}
