//! Who may change redirects.

use std::marker::PhantomData;

use super::change::needs;
use super::permitted_change::Transaction;
use super::{Denial, may_change_in};
use crate::policy::Actor;

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
    may_change_in(actor, &[])?;
    needs(actor, "administer redirects")?;
    Ok(PermittedRedirect(PhantomData))
}
