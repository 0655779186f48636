//! Inventories of versions whose bytes lie at their place already.

use super::inventory::Inventory;
use super::{Location, Signature};

impl Inventory {
    /// The inventory with the version of a location, whose bytes lie there already.
    pub(crate) fn with(
        former: Option<Inventory>,
        location: &Location,
        sha512: &str,
        path: &str,
        signature: &Signature,
    ) -> Inventory {
        let mut inventory = former.unwrap_or_else(|| Inventory::without_versions(location.id()));
        inventory.head = location.version;
        inventory.add_content(sha512, location.content.clone());
        inventory.add_version(sha512, path, signature);
        inventory
    }

    /// Whether it has the version of a location.
    pub(crate) fn has(&self, location: &Location) -> bool {
        self.versions.contains_key(&location.version)
    }
}
