//! Who may see the content model as configuration, and checksums of bytes.

use super::Denial;
use super::change::needs;
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
