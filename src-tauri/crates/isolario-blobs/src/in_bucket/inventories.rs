//! Writes the inventories of objects in the bucket (OCFL 1.1, section 3.5). The bytes of a version are there before it
//! is committed. Its inventory follows, so between the two the object is as it was before.

use std::io;

use super::{Store, location_of};
use crate::Blobs;
use crate::ocfl::{Inventory, Location, Signature, object_declaration};
use uuid::Uuid;

/// A version of an object that is in the bucket.
#[derive(Debug, Clone)]
pub struct ObjectVersion {
    /// The name of its blob.
    pub blob: String,
    /// Hexadecimal.
    pub sha512: String,
    pub signature: Signature,
}

impl Blobs {
    /// Brings the inventories of an object up to date. `versions` reads the versions of its file, in their order, and
    /// the path of the file. It reads them while nobody else changes the object. It may be done again.
    ///
    /// # Errors
    /// `StoreFault`; `NotFound` where the repository has no bucket; what `versions` says.
    pub async fn write_inventories(
        &self,
        file: Uuid,
        versions: impl AsyncFnOnce() -> io::Result<(String, Vec<ObjectVersion>)>,
    ) -> io::Result<()> {
        let store = self.store.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let _turn = self.objects.turn(file).await;
        let (path, versions) = versions().await?;
        let in_bucket = versions.iter().filter_map(|version| {
            let location = location_of(&version.blob)?;
            Some((location, version))
        });
        store
            .write_inventories(&path, &in_bucket.collect::<Vec<_>>())
            .await
    }
}

impl Store {
    async fn write_inventories(
        &self,
        path: &str,
        versions: &[(Location, &ObjectVersion)],
    ) -> io::Result<()> {
        let Some((first, _)) = versions.first() else {
            return Ok(());
        };
        let object = first.object_key();
        let mut inventory = self.inventory(&object).await?;
        for (location, version) in versions {
            if inventory.as_ref().is_some_and(|known| known.has(location)) {
                continue;
            }
            let next = Inventory::with(
                inventory,
                location,
                &version.sha512,
                path,
                &version.signature,
            );
            self.put_inventory(&next, &format!("{object}/{}", location.version))
                .await?;
            inventory = Some(next);
        }
        let Some(inventory) = inventory else {
            return Ok(());
        };
        let (name, content) = object_declaration();
        self.bucket
            .put(&format!("{object}/{name}"), content.into())
            .await?;
        self.put_inventory(&inventory, &object).await
    }

    /// The inventory of an object; `None` for one that is not there or not whole, which is made again from its first
    /// version on.
    async fn inventory(&self, object: &str) -> io::Result<Option<Inventory>> {
        let mut files = Vec::new();
        for name in Inventory::NAMES {
            match self.bucket.get(&format!("{object}/{name}")).await {
                Ok(found) => files.push(found),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let [bytes, sidecar] = files.as_slice() else {
            return Ok(None);
        };
        Ok(Inventory::read(bytes, sidecar).ok())
    }

    /// Puts an inventory and its sidecar into a directory.
    async fn put_inventory(&self, inventory: &Inventory, directory: &str) -> io::Result<()> {
        let [bytes, sidecar] = inventory.files()?;
        let [name, name_of_sidecar] = Inventory::NAMES;
        self.bucket
            .put(&format!("{directory}/{name}"), bytes.into())
            .await?;
        self.bucket
            .put(&format!("{directory}/{name_of_sidecar}"), sidecar.into())
            .await
    }
}
