//! Who may change what roles permit.

use std::marker::PhantomData;

use super::change::needs;
use super::permitted_change::Transaction;
use super::{Denial, may_change_in};
use crate::policy::Actor;

/// A change of roles that the policy permits in one transaction.
///
/// Only the policy makes one:
/// ```
/// use isolario_model::policy::{Actor, permit_roles};
/// let permitted = permit_roles(&Actor::program()).unwrap();
/// ```
/// ```compile_fail,E0423
/// use isolario_model::policy::PermittedRoleChange;
/// let permitted = PermittedRoleChange(std::marker::PhantomData);
/// ```
#[derive(Debug)]
pub struct PermittedRoleChange<'t>(Transaction<'t>);

/// Whether the actor may make, change and delete roles. Who may, gets by this every permission that a role can have.
///
/// # Errors
/// The permission that is missing.
pub fn may_administer_roles(actor: &Actor) -> Result<(), Denial> {
    needs(actor, "administer permissions")
}

/// Decides as `may_administer_roles`, and proves it.
///
/// # Errors
/// As `may_administer_roles`.
pub fn permit_roles<'t>(actor: &Actor) -> Result<PermittedRoleChange<'t>, Denial> {
    may_change_in(actor, &[])?;
    may_administer_roles(actor)?;
    Ok(PermittedRoleChange(PhantomData))
}
