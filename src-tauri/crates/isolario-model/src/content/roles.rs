//! What the program itself knows of its content model: which bundles, fields and terms have a role in its work, and
//! what a file becomes by its name. The facts stand in `assets/content-model.json`; code names roles.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The content model that travels with the program, with its roles.
pub(super) const MODEL: &str = include_str!("../../../../../assets/content-model.json");

/// The roles of the content model.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ModelRoles {
    #[serde(rename = "bundle_roles")]
    pub bundles: BundleRoles,
    #[serde(rename = "field_roles")]
    pub fields: FieldRoles,
    pub models: Vec<KnownTerm>,
    pub media_uses: Vec<KnownTerm>,
    /// Beginning of the URIs of media uses.
    pub media_use_namespace: String,
    /// In the order in which they are asked whether they take a file.
    pub file_kinds: Vec<FileKind>,
}

/// Names of bundles by their role.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct BundleRoles {
    /// Node type of items.
    pub item: String,
    /// Vocabulary of the models.
    pub models: String,
    /// Vocabulary of the media uses.
    pub media_uses: String,
}

/// Names of fields by their role.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct FieldRoles {
    pub model: String,
    pub member_of: String,
    /// The place of an item among the members of its parent.
    pub weight: String,
    pub agents: String,
    /// A date of which nobody says what happened then.
    pub date: String,
    pub date_created: String,
    pub date_issued: String,
    pub description: String,
    pub subject: String,
    pub publisher: String,
    pub rights: String,
    pub language: String,
    pub identifier: String,
    pub extent: String,
    pub coordinates: String,
    /// The item of a media.
    pub media_of: String,
    pub media_use: String,
    pub access_terms: String,
    /// The URI of a term.
    pub external_uri: String,
    /// The URI of a term in an authority file.
    pub authority_link: String,
    /// The code of a term.
    pub code: String,
    /// The name that the file of a media had before.
    pub original_name: String,
    /// The text of a media that a person has typed.
    pub transcription: String,
    /// Every field with another name of a term.
    pub alternative_names: Vec<String>,
    /// Every field that says what an item is about.
    pub subjects: Vec<String>,
    /// Fields that forms show first, and when they are empty.
    pub common: Vec<String>,
}

impl FieldRoles {
    /// Fields with the date by which items are listed; of several the first that has a value counts.
    pub fn listed_dates(&self) -> [&str; 3] {
        [&self.date_created, &self.date_issued, &self.date]
    }
}

/// What a model or a media use means to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TermRole {
    Audio,
    Binary,
    Collection,
    Compound,
    Document,
    Image,
    Issue,
    Newspaper,
    Page,
    Paged,
    Video,
    ExtractedText,
    IntermediateFile,
    OriginalFile,
    PreservationMasterFile,
    ServiceFile,
    ThumbnailImage,
    Transcript,
}

/// A model or a media use of a new repository. Its URI says what a term is, whatever people call it.
#[derive(Debug, Clone, Deserialize)]
pub struct KnownTerm {
    #[serde(default)]
    pub role: Option<TermRole>,
    pub name: String,
    pub uri: String,
    #[serde(default)]
    pub description: String,
}

/// What files of a media type become.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FileKind {
    pub media_type: String,
    /// Model of an item that is made of such a file.
    pub model: TermRole,
    /// The same for some MIME types, by what stands before their slash.
    #[serde(default)]
    pub model_by_mime: BTreeMap<String, TermRole>,
    /// Files of any extension, or none, are of this kind where no kind before it takes them.
    #[serde(default)]
    pub any_extension: bool,
    /// MIME types by lower-case extension.
    pub mime_types: BTreeMap<String, String>,
}

impl FileKind {
    /// The model of an item that is made of a file of a MIME type.
    pub fn model_of(&self, mime: &str) -> TermRole {
        let group = mime.split('/').next().unwrap_or_default();
        self.model_by_mime.get(group).copied().unwrap_or(self.model)
    }
}

impl ModelRoles {
    /// The URI of the model or media use with a role.
    pub fn uri(&self, role: TermRole) -> &str {
        let mut terms = self.models.iter().chain(&self.media_uses);
        terms
            .find(|term| term.role == Some(role))
            .map_or("", |term| &term.uri)
    }

    /// The role of the model or media use with a URI.
    pub fn role_of(&self, uri: &str) -> Option<TermRole> {
        let mut terms = self.models.iter().chain(&self.media_uses);
        terms.find(|term| term.uri == uri)?.role
    }
}

/// The roles of the content model that travels with the program.
pub fn model_roles() -> &'static ModelRoles {
    // A model that cannot be read fails the tests below, and no program is made of it.
    static ROLES: LazyLock<ModelRoles> =
        LazyLock::new(|| serde_json::from_str(MODEL).unwrap_or_default());
    &ROLES
}

/// Names of fields by their role.
pub fn field_roles() -> &'static FieldRoles {
    &model_roles().fields
}

/// The URI of the model or media use with a role.
pub fn uri_of(role: TermRole) -> &'static str {
    model_roles().uri(role)
}

#[cfg(test)]
mod tests;
