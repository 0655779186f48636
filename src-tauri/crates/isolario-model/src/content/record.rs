//! What is kept of each thing outside the database, so that the database can be made again: its
//! current state, without secrets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::user::CollectionRole;
use super::{ContentModel, Entity, EntityKind, MimeType, Values};

/// Version of the shapes below.
pub const FORMAT: u32 = 1;

/// One thing, as its file says it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordFile {
    /// Version of the shape: 1.
    pub format: u32,
    #[serde(flatten)]
    pub record: Record,
}

/// The things that have records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", content = "content", rename_all = "snake_case")]
pub enum Record {
    Entity(EntityRecord),
    File(FileHistory),
    User(AccountRecord),
    Role(Role),
    ContentModel(ContentModel),
    Identity(Identity),
    SavedSearch(SavedSearch),
    Redirect(Redirect),
    Numbers(Numbers),
}

/// A node, media or term in its current state, deleted or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityRecord {
    pub kind: EntityKind,
    pub id: i64,
    pub uuid: String,
    pub bundle: String,
    pub revision: i64,
    /// Unix seconds.
    pub made: i64,
    /// User id of who made this revision.
    pub author: i64,
    /// Records of earlier programs call it `door`.
    #[serde(alias = "door")]
    pub origin: String,
    pub log: Option<String>,
    /// Unix seconds.
    pub deleted: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trash: Option<Trashing>,
    pub values: Values,
}

impl EntityRecord {
    /// The resource itself.
    pub fn entity(&self) -> Entity {
        Entity {
            kind: self.kind,
            id: self.id,
            uuid: self.uuid.clone(),
            revision: self.revision,
            bundle: self.bundle.clone(),
            values: self.values.clone(),
        }
    }
}

/// How something came into the trash that lies there. Records of earlier programs do not say it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trashing {
    /// Counts deletions.
    pub number: i64,
    /// Unix seconds.
    pub at: i64,
    /// User id of who deleted it.
    pub actor: i64,
    /// Records of earlier programs call it `door`.
    #[serde(alias = "door")]
    pub origin: String,
    /// The item in the trash that it went with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<i64>,
}

/// A file with every version of its bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileHistory {
    pub fid: i64,
    pub uuid: String,
    /// Owner.
    pub uid: i64,
    pub filename: String,
    pub uri: String,
    /// False while no media uses it.
    pub permanent: bool,
    /// The current one.
    pub version: i64,
    /// Unix seconds.
    pub created: i64,
    pub changed: i64,
    pub deleted: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trash: Option<Trashing>,
    pub versions: Vec<FileVersion>,
}

/// One version of a file's bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileVersion {
    pub version: i64,
    /// Where they lie, as `blobs` names it.
    pub blob: String,
    pub mime: MimeType,
    /// Bytes.
    pub size: u64,
    /// Pixels.
    pub width: Option<u32>,
    pub height: Option<u32>,
    /// Hexadecimal.
    pub sha512: String,
    /// The same, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub md5: Option<String>,
    /// Unix seconds.
    pub made: i64,
    /// User id.
    pub author: i64,
}

/// An account, without password and mail address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccountRecord {
    pub uid: i64,
    pub uuid: String,
    pub name: String,
    pub active: bool,
    pub roles: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collection_roles: Vec<CollectionRole>,
    /// Unix seconds.
    pub created: i64,
    pub changed: i64,
}

/// A role with its permission names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Role {
    pub name: String,
    pub label: String,
    pub weight: i64,
    pub permissions: Vec<String>,
}

/// The name and the picture that the repository shows to people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// `None`: as config.toml says.
    pub name: Option<String>,
    /// Base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Unix milliseconds.
    pub changed: i64,
}

/// A query of a list that somebody keeps under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSearch {
    pub id: i64,
    /// User id.
    pub owner: i64,
    pub name: String,
    /// The query of a list of items: `q=map&view=recent`.
    pub query: String,
    /// Whether it is for all.
    pub is_public: bool,
    /// Unix seconds.
    pub created: i64,
    pub changed: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<i64>,
}

/// An address that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirect {
    pub id: i64,
    /// Begins with a slash.
    pub source: String,
    /// A path here, which begins with a slash, or an absolute URL.
    pub target: String,
    /// HTTP status of the answer: 301, 302, 303, 307 or 308.
    pub status: u16,
    /// User id of who made it.
    pub uid: i64,
    /// Unix seconds.
    pub created: i64,
}

/// The highest number that was ever given, by table: none is given twice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    pub highest: BTreeMap<String, i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_earlier_programs_are_read() {
        let old = r#"{"format":1,"record":"entity","content":{
            "kind":"node","id":1,"uuid":"a","bundle":"page","revision":2,"made":0,"author":1,
            "door":"watch","log":null,"deleted":5,
            "trash":{"number":1,"at":5,"actor":1,"door":"window"},"values":{}}}"#;
        let file: RecordFile = serde_json::from_str(old).unwrap();
        let Record::Entity(entity) = &file.record else {
            panic!("not a record of an entity");
        };
        assert_eq!(entity.origin, "watch");
        assert_eq!(entity.trash.as_ref().unwrap().origin, "window");
        let written = serde_json::to_string(&file).unwrap();
        assert!(!written.contains("door"), "{written}");
        assert_eq!(serde_json::from_str::<RecordFile>(&written).unwrap(), file);
    }
}
