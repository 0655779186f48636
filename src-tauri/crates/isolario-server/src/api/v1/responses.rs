//! JSON of answers that several nouns share.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::openapi::values;
use isolario_model::content::{PictureAdjustment, TermRole};

/// A term with its address.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Term {
    pub tid: i64,
    pub name: String,
    /// The external URI of the term.
    pub uri: Option<String>,
    /// What a model or a media use means to the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<TermRole>,
}

/// A term by id and name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TermReference {
    pub tid: i64,
    pub name: String,
}

/// A node by id and title.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct NodeTitle {
    pub nid: i64,
    pub title: String,
}

/// A user by id and name.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct UserName {
    pub uid: i64,
    pub name: String,
}

/// A picture that a browser can show.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Picture {
    /// Absolute, with a ticket where one is needed.
    #[schema(format = "uri")]
    pub url: String,
    /// Pixels, where known.
    pub width: Option<i64>,
    pub height: Option<i64>,
}

/// What the actor may do with an item.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ItemActs)]
pub struct ItemPermissions {
    /// Describe, publish as far as that is for them, move and reorder it.
    pub update: bool,
    pub delete: bool,
    /// Share it by links with people without an account.
    pub share: bool,
    /// Give it a media of at least one type.
    pub add_media: bool,
    /// Create items and collections in it.
    pub add_item: bool,
}

/// What the actor may do with a media.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = MediaActs)]
pub struct MediaPermissions {
    pub update: bool,
    /// Give it other bytes.
    pub replace: bool,
    /// Crop and rotate what is made of it: it is an original picture.
    pub adjust: bool,
    pub delete: bool,
}

/// A node as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Item {
    pub nid: i64,
    #[schema(format = "uuid")]
    pub uuid: String,
    /// Number of the current revision.
    pub vid: i64,
    /// Node type.
    #[serde(rename = "type")]
    pub node_type: String,
    pub title: String,
    /// Published.
    pub status: bool,
    /// Whether somebody is to look it through and to publish it.
    pub in_review: bool,
    /// Who does the next step, where the viewer may know.
    pub assignee: Option<UserName>,
    pub model: Option<Term>,
    /// The first EDTF date of creation, of issue, or any.
    #[schema(example = "1571~")]
    pub date: Option<String>,
    /// Place among its siblings.
    pub weight: Option<i64>,
    #[schema(format = DateTime)]
    pub created: String,
    #[schema(format = DateTime)]
    pub changed: String,
    pub is_collection: bool,
    /// Direct members that the viewer may see, collections among them.
    pub members: i64,
    /// Its thumbnail, else its service file or its original file where that is small and a browser can show it.
    pub picture: Option<Picture>,
    /// MIME type of the original file.
    pub mime: Option<String>,
    /// Pages of the original file, where it is a TIFF or PDF of several.
    pub pages: Option<i64>,
    pub media_count: i64,
    /// Of the files of these media.
    pub bytes: i64,
    pub may: ItemPermissions,
    /// The values of the fields that were asked for by name, as a node has them. Only in lists that were asked for some.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub fields: Option<Map<String, Value>>,
}

/// How stored bytes were when they were last read.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Fixity {
    #[schema(value_type = values::FixityState)]
    pub state: &'static str,
    /// When they were last read.
    #[schema(format = DateTime)]
    pub verified: String,
    /// When they were first found so.
    #[schema(format = DateTime)]
    pub since: String,
    /// A sentence, unless they are intact.
    pub detail: Option<String>,
}

/// The file behind a media.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct File {
    pub fid: i64,
    pub filename: String,
    /// `scheme://path`.
    pub uri: String,
    /// The public address of the bytes.
    #[schema(format = "uri")]
    pub url: String,
    /// Address that downloads, with a ticket where one is needed.
    #[schema(format = "uri")]
    pub download_url: String,
    /// Address that shows, with a ticket where one is needed.
    #[schema(format = "uri")]
    pub view_url: String,
    /// Hexadecimal SHA-512 of the bytes.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub sha512: String,
    /// What the bytes say about themselves, by the names of docs/DERIVATIVES.md; `null` where they were not looked at.
    #[schema(value_type = Option<Object>)]
    pub facts: Option<Map<String, Value>>,
    /// How the bytes were when they were last read; `null` when they were not since they arrived.
    pub fixity: Option<Fixity>,
}

/// A media as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Media {
    pub mid: i64,
    /// Number of the current revision.
    pub vid: i64,
    /// Media type.
    pub bundle: String,
    pub name: String,
    /// Published.
    pub status: bool,
    pub uses: Vec<TermReference>,
    pub mime: Option<String>,
    /// Bytes.
    pub size: Option<i64>,
    /// Pixels.
    pub width: Option<i64>,
    pub height: Option<i64>,
    #[schema(format = DateTime)]
    pub changed: String,
    /// The first node that it belongs to and that the viewer may see.
    pub node: Option<NodeTitle>,
    /// `null` for media without a file.
    pub file: Option<File>,
    /// How what is made of the picture is cropped and rotated; `null` where it is as in the file.
    pub adjustment: Option<PictureAdjustment>,
    pub may: MediaPermissions,
}
