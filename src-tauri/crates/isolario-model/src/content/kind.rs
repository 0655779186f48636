//! The five kinds of resource and the words the interface uses for each.

use serde::{Deserialize, Serialize};

/// A kind of resource. The serialised form is its `target_type` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EntityKind {
    #[serde(rename = "node")]
    Node,
    #[serde(rename = "media")]
    Media,
    #[serde(rename = "taxonomy_term")]
    Term,
    #[serde(rename = "file")]
    File,
    #[serde(rename = "user")]
    User,
}

impl EntityKind {
    /// Every kind, in the order of the interface.
    pub const ALL: [EntityKind; 5] = [
        EntityKind::Node,
        EntityKind::Media,
        EntityKind::Term,
        EntityKind::File,
        EntityKind::User,
    ];

    /// `target_type` in a reference item.
    pub fn target_type(self) -> &'static str {
        match self {
            EntityKind::Node => "node",
            EntityKind::Media => "media",
            EntityKind::Term => "taxonomy_term",
            EntityKind::File => "file",
            EntityKind::User => "user",
        }
    }

    /// The kind a `target_type` names, if it is one of ours.
    pub fn from_target_type(name: &str) -> Option<EntityKind> {
        EntityKind::ALL
            .into_iter()
            .find(|kind| kind.target_type() == name)
    }

    /// The field that holds the id (`nid`, `mid` …).
    pub fn id_field(self) -> &'static str {
        match self {
            EntityKind::Node => "nid",
            EntityKind::Media => "mid",
            EntityKind::Term => "tid",
            EntityKind::File => "fid",
            EntityKind::User => "uid",
        }
    }

    /// The field that names the bundle: a node type, a media type, a vocabulary.
    pub fn bundle_field(self) -> &'static str {
        match self {
            EntityKind::Node => "type",
            EntityKind::Media => "bundle",
            _ => "vid",
        }
    }

    /// `target_type` of the bundle reference.
    pub fn bundle_target_type(self) -> &'static str {
        match self {
            EntityKind::Node => "node_type",
            EntityKind::Media => "media_type",
            _ => "taxonomy_vocabulary",
        }
    }

    /// The field that people read as the thing's name.
    pub fn label_field(self) -> &'static str {
        match self {
            EntityKind::Node => "title",
            EntityKind::File => "filename",
            _ => "name",
        }
    }

    /// The field that counts revisions. A vocabulary already owns `vid` on terms.
    pub fn revision_field(self) -> &'static str {
        match self {
            EntityKind::Term => "revision_id",
            _ => "vid",
        }
    }

    /// The field that says when the current revision was made.
    pub fn revision_time_field(self) -> &'static str {
        match self {
            EntityKind::Node => "revision_timestamp",
            _ => "revision_created",
        }
    }

    /// The field that says who made the current revision.
    pub fn revision_user_field(self) -> &'static str {
        match self {
            EntityKind::Node => "revision_uid",
            _ => "revision_user",
        }
    }

    /// The field for the reason somebody gave for a revision.
    pub fn revision_log_field(self) -> &'static str {
        match self {
            EntityKind::Node => "revision_log",
            _ => "revision_log_message",
        }
    }

    /// Path of a resource, relative to the base address.
    pub fn path(self, id: i64) -> String {
        match self {
            EntityKind::Node => format!("/node/{id}"),
            EntityKind::Media => format!("/media/{id}"),
            EntityKind::Term => format!("/taxonomy/term/{id}"),
            EntityKind::File => format!("/entity/file/{id}"),
            EntityKind::User => format!("/user/{id}"),
        }
    }

    /// Path template of the resource route, as error messages name it.
    pub fn path_template(self) -> &'static str {
        match self {
            EntityKind::Node => "/node/{node}",
            EntityKind::Media => "/media/{media}",
            EntityKind::Term => "/taxonomy/term/{taxonomy_term}",
            EntityKind::File => "/entity/file/{file}",
            EntityKind::User => "/user/{user}",
        }
    }
}
