//! The shapes of answers that several nouns share.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::acts::{ItemActs, MediaActs};
use super::fixity::Fixity;

/// A refusal.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// What is wrong, in words. Validation errors have one line for each.
    #[schema(example = "There is no item 99.")]
    pub message: String,
}

/// A term with its address.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Term {
    pub tid: i64,
    pub name: String,
    /// `field_external_uri` of the term.
    pub uri: Option<String>,
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
    pub url: String,
    /// Pixels, where known.
    pub width: Option<i64>,
    pub height: Option<i64>,
}

/// A node as lists show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Item {
    pub nid: i64,
    pub uuid: String,
    /// Number of the current revision.
    pub vid: i64,
    /// Node type.
    #[serde(rename = "type")]
    pub node_type: String,
    pub title: String,
    /// Published.
    pub status: bool,
    pub model: Option<Term>,
    /// The first EDTF date of creation, of issue, or any.
    #[schema(example = "1571~")]
    pub date: Option<String>,
    /// Place among its siblings (`field_weight`).
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
    pub media_count: i64,
    pub may: ItemActs,
    /// The values of the fields that were asked for by name, as a node has them. Only in lists that were asked for some.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub fields: Option<Map<String, Value>>,
}

/// The file behind a media.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct File {
    pub fid: i64,
    pub filename: String,
    /// `scheme://path`.
    pub uri: String,
    /// The public address of the bytes.
    pub url: String,
    /// Address that downloads, with a ticket where one is needed.
    pub download_url: String,
    /// Address that shows, with a ticket where one is needed.
    pub view_url: String,
    /// Hexadecimal SHA-512 of the bytes.
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
    /// The node it belongs to.
    pub node: Option<NodeTitle>,
    /// `null` for media without a file, and where the node may not be seen.
    pub file: Option<File>,
    pub may: MediaActs,
}
