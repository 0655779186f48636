//! The names of blobs in the storage root: `ocfl/<uuid>/<version>/<content path>`. Versions may share their bytes, so
//! the name has the version. It has the content path, so a reader need not read the inventory.

use std::fmt;
use std::path::{Component, Path};

use uuid::Uuid;

use super::inventory::VersionNumber;
use super::layout;
use crate::disk_name::portable_name;
use isolario_platform::files::with_slashes;

const PREFIX: &str = "ocfl/";

/// The bytes of one version of one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Location {
    /// UUID of the file.
    pub(crate) object: Uuid,
    pub(crate) version: VersionNumber,
    /// Path of the bytes in the object, in the directory of this version or of an earlier one.
    pub(super) content: String,
}

impl Location {
    /// Reads the name of a blob; `None` for one that is not in the storage root.
    pub(crate) fn parse(blob: &str) -> Option<Location> {
        let (object, rest) = blob.strip_prefix(PREFIX)?.split_once('/')?;
        let (version, content) = rest.split_once('/')?;
        let inside = Path::new(content)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        (inside && !content.is_empty()).then_some(Location {
            object: Uuid::parse_str(object).ok()?,
            version: VersionNumber::parse(version)?,
            content: content.to_owned(),
        })
    }

    /// The location of new bytes in a bucket: of the version after `former`, or of the first one. `random` keeps them
    /// apart from those of an upload that failed.
    pub(crate) fn after(
        former: Option<&Location>,
        object: Uuid,
        random: &str,
        path: &str,
    ) -> Location {
        let version = former.map_or(VersionNumber::FIRST, |former| former.version.next());
        let name = path.rsplit('/').next().unwrap_or(path);
        Location {
            object,
            version,
            content: format!("{version}/content/{random}/{}", portable_name(name)),
        }
    }

    /// The path of the object from the data directory.
    pub(crate) fn object_key(&self) -> String {
        format!("{PREFIX}{}", with_slashes(&layout::path_of(&self.id())))
    }

    /// The path of the bytes from the data directory.
    pub(crate) fn key(&self) -> String {
        format!("{}/{}", self.object_key(), self.content)
    }

    /// Orders later versions first, as they are rolled back.
    pub(crate) fn newest_first(&self) -> (Uuid, std::cmp::Reverse<VersionNumber>) {
        (self.object, std::cmp::Reverse(self.version))
    }

    /// UUID of the file whose object it is.
    pub(crate) fn file(&self) -> Uuid {
        self.object
    }

    /// Identity of the object.
    pub(super) fn id(&self) -> String {
        id_of(self.object)
    }
}

/// Identity of a file's object.
pub(super) fn id_of(file: Uuid) -> String {
    format!("urn:uuid:{file}")
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location {
            object,
            version,
            content,
        } = self;
        write!(f, "{PREFIX}{object}/{version}/{content}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_back_to_its_bytes() {
        let location = Location {
            object: Uuid::new_v4(),
            version: VersionNumber::FIRST.next(),
            content: "v1/content/a dir/é.txt".into(),
        };
        assert_eq!(Location::parse(&location.to_string()), Some(location));
    }

    #[test]
    fn names_that_lead_out_are_no_locations() {
        let uuid = Uuid::new_v4();
        for name in [
            "public/a.txt".to_owned(),
            "ocfl/x/v1/v1/content/a".to_owned(),
            format!("ocfl/{uuid}/v1"),
            format!("ocfl/{uuid}/v1/"),
            format!("ocfl/{uuid}/v1//etc/passwd"),
            format!("ocfl/{uuid}/v1/../../x"),
            format!("ocfl/{uuid}/../x"),
        ] {
            assert_eq!(Location::parse(&name), None, "{name}");
        }
    }
}
