//! What formats and field types read of the repository while they write a response: one snapshot, for one actor.

use std::sync::Arc;

use crate::actions::view_entity::visible_shared_target;
use isolario_db::Read;
use isolario_model::content::file_url;
use isolario_model::content::{ContentModel, EntityKind, FileUri, Target};
use isolario_model::fields::FieldContext;
use isolario_model::policy::Actor;

/// The snapshot, content model, actor and base URL of one response.
pub struct ResponseContext<'a> {
    pub read: &'a Read<'a>,
    pub model: &'a ContentModel,
    /// Who reads the response.
    pub actor: &'a Actor,
    /// Scheme and host without a trailing slash.
    pub base: &'a str,
}

impl FieldContext for ResponseContext<'_> {
    fn target(&self, kind: EntityKind, id: i64) -> Option<Arc<Target>> {
        visible_shared_target(self.read, self.actor, kind, id).unwrap_or_else(|error| {
            tracing::error!(%error, "a reference could not be looked up");
            None
        })
    }

    fn absolute(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn file_path(&self, uri: &FileUri) -> String {
        file_url::path_of(uri)
    }

    fn uri_of_term(&self, term: &Target) -> Option<String> {
        let authority = || self.read.authority_uri(term.id);
        term.uri.clone().or_else(|| {
            authority().unwrap_or_else(|error| {
                tracing::error!(%error, "the URI of a term could not be looked up");
                None
            })
        })
    }

    fn model(&self) -> &ContentModel {
        self.model
    }
}
