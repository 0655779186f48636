//! Who asks one of our own routes, and what of it most of them need.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::shown::Shown;
use crate::api::base_url::BaseUrl;
use crate::api::body::read_small_body;
use crate::api::request_format::require_json_body;
use crate::api::{ApiError, AppState};
use crate::auth::{Actor, may_run_server};
use crate::db::Viewer;
use crate::repository::Repository;

/// Who asks, of which repository, under which address.
#[derive(Clone)]
pub struct Asked {
    pub repository: Arc<Repository>,
    pub base: BaseUrl,
    pub actor: Actor,
    pub(super) anonymous: Viewer,
}

impl FromRequestParts<AppState> for Asked {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        repository: &AppState,
    ) -> Result<Asked, ApiError> {
        // The layers around the router put both there; without them nobody is known.
        let missing = || ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "Nobody asked.");
        let anonymous = repository.authenticator.anonymous()?;
        Ok(Asked {
            repository: repository.clone(),
            anonymous: Viewer::of(&anonymous),
            base: parts.extensions.get().cloned().ok_or_else(missing)?,
            actor: parts.extensions.get().cloned().ok_or_else(missing)?,
        })
    }
}

impl Asked {
    /// Answers from one snapshot of the database.
    pub async fn read<T, F>(self, answer: F) -> Result<T, ApiError>
    where
        F: FnOnce(&Shown<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let db = self.repository.db.clone();
        db.read(move |read| answer(&Shown::new(read, &self))).await
    }

    /// Refuses everybody but administrators.
    ///
    /// # Errors
    /// 401 for nobody, 403 for anybody else.
    pub fn must_be_administrator(&self) -> Result<(), ApiError> {
        may_run_server(&self.actor).map_err(|denial| ApiError::denied(&self.actor, denial))
    }

    /// What a small body of JSON says.
    ///
    /// # Errors
    /// As `read_small_body`; 415 for anything but `application/json`, 400 for what is none, 422 where it says
    /// something else.
    pub async fn body<T: DeserializeOwned>(&self, request: Request) -> Result<T, ApiError> {
        require_json_body(request.headers())?;
        let body = read_small_body(request, &self.repository.config.limits).await?;
        serde_json::from_slice(&body).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => {
                ApiError::unprocessable(format!("The body makes no sense: {error}."))
            }
            _ => ApiError::bad_request("The body is not JSON."),
        })
    }
}
