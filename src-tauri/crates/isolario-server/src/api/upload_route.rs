//! The routes that take uploads, as messages name them.

use super::ApiError;
use isolario_core::actions::Refusal;
use isolario_core::actions::upload_media::Destination;
use isolario_model::content::EntityKind;
use isolario_model::policy::Actor;

/// The template and name of a route, for messages.
pub(super) struct UploadRoute {
    pub template: &'static str,
    pub name: &'static str,
}

impl UploadRoute {
    /// 404 for a parameter of this route.
    pub fn not_converted(&self, parameter: &str) -> ApiError {
        ApiError::not_converted(parameter, self.template, self.name)
    }

    /// The id a parameter of this route stands for.
    pub fn id(&self, kind: EntityKind, text: &str) -> Result<i64, ApiError> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let id = text.parse().ok().filter(|_| digits);
        id.ok_or_else(|| self.not_converted(kind.target_type()))
    }

    /// The answer to an upload that is refused here.
    pub fn refused(&self, actor: &Actor, refusal: Refusal) -> ApiError {
        match refusal {
            Refusal::NotFound { kind, .. } => self.not_converted(kind.target_type()),
            other => ApiError::from_refusal(actor, other),
        }
    }
}

pub(super) const TO_NODE: UploadRoute = UploadRoute {
    template: "/node/{node}/media/{media_type}/{taxonomy_term}",
    name: "islandora.media_source_put_to_node",
};
pub(super) const SOURCE: UploadRoute = UploadRoute {
    template: "/media/{media}/source",
    name: "islandora.media_source_update",
};
pub(super) const DERIVATIVE: UploadRoute = UploadRoute {
    template: "/media/add_derivative/{media}/{destination_field}",
    name: "islandora.attach_file_to_media",
};

/// The route that takes uploads to a destination.
pub(super) fn route_of(destination: &Destination) -> &'static UploadRoute {
    match destination {
        Destination::Use { .. } => &TO_NODE,
        Destination::Source { .. } => &SOURCE,
        Destination::Field { .. } => &DERIVATIVE,
    }
}
