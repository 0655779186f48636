//! The context of a request to a route below `/api/v1`, as an axum extractor, and the snapshot that it answers from.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::api::base_url::BaseUrl;
use crate::api::body::{read_body, read_small_body};
use crate::api::request_format::require_json_body;
use crate::api::{ApiError, AppState, ErrorCode};
use isolario_config::allowed_folders::FolderUse;
use isolario_core::repository::Repository;
use isolario_db::{Lists, Read, Viewer};
use isolario_model::content::ContentModel;
use isolario_model::policy::{Actor, may_run_server};

/// The actor, repository and base URL of a request.
#[derive(Clone)]
pub struct RequestContext {
    pub app: AppState,
    pub repository: Arc<Repository>,
    pub base: BaseUrl,
    pub actor: Actor,
    pub(super) anonymous: Viewer,
}

impl FromRequestParts<AppState> for RequestContext {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &AppState,
    ) -> Result<RequestContext, ApiError> {
        // The authentication layer inserts both.
        let missing = || ApiError::new(ErrorCode::Internal, "Nobody asked.");
        let anonymous = app.repository.authenticator.anonymous()?;
        Ok(RequestContext {
            app: app.clone(),
            repository: app.repository.clone(),
            anonymous: Viewer::of(&anonymous),
            base: parts.extensions.get().cloned().ok_or_else(missing)?,
            actor: parts.extensions.get().cloned().ok_or_else(missing)?,
        })
    }
}

impl RequestContext {
    /// Makes an answer without lists from one snapshot of the database. It does not wait for the writer.
    pub async fn read<T, F>(self, answer: F) -> Result<T, ApiError>
    where
        F: FnOnce(&ViewerSnapshot<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let db = self.repository.db.clone();
        db.read(move |read| answer(&ViewerSnapshot::new(read, &self)))
            .await
    }

    /// As `read`, with lists: they show every change that was committed before.
    pub async fn read_lists<T, F>(self, answer: F) -> Result<T, ApiError>
    where
        F: FnOnce(&ListSnapshot<'_>) -> Result<T, ApiError> + Send + 'static,
        T: Send + 'static,
    {
        let db = self.repository.db.clone();
        let answer = move |read: &Lists<'_>| {
            let snapshot = ViewerSnapshot::new(read, &self);
            answer(&ListSnapshot { read, snapshot })
        };
        db.read_lists(answer).await
    }

    /// Refuses an actor who is no administrator.
    ///
    /// # Errors
    /// 401 for nobody, 403 for anybody else.
    pub fn must_be_administrator(&self) -> Result<(), ApiError> {
        may_run_server(&self.actor).map_err(|denial| ApiError::denied(&self.actor, denial))
    }

    /// Folders of the machine that may be named for a use, with all in them.
    pub fn allowed_folders(&self, usage: FolderUse) -> Vec<String> {
        let roots = self.repository.folders.roots(usage);
        roots
            .iter()
            .map(|root| root.display().to_string())
            .collect()
    }

    /// What a small body says, which is a JSON object.
    ///
    /// # Errors
    /// As `optional_body`; 400 where there is none.
    pub async fn body<T: DeserializeOwned>(&self, request: Request) -> Result<T, ApiError> {
        require_json_body(request.headers())?;
        let body = self.optional_body(request).await?;
        body.ok_or_else(|| ApiError::bad_request("The body is not JSON."))
    }

    /// What a body of up to `limits.json_bytes` says, which is a JSON object.
    ///
    /// # Errors
    /// As `body`.
    pub async fn large_body<T: DeserializeOwned>(&self, request: Request) -> Result<T, ApiError> {
        require_json_body(request.headers())?;
        let body = read_body(request, &self.repository.config.limits).await?;
        from_object(&body)
    }

    /// What a small body says, which is a JSON object, or `None` where it is empty.
    ///
    /// # Errors
    /// As `read_small_body`; 415 for anything but `application/json`, 400 for what is none, 422 where it says
    /// something else.
    pub async fn optional_body<T: DeserializeOwned>(
        &self,
        request: Request,
    ) -> Result<Option<T>, ApiError> {
        let json = require_json_body(request.headers());
        let body = read_small_body(request, &self.repository.config.limits).await?;
        if body.is_empty() {
            return Ok(None);
        }
        json?;
        from_object(&body).map(Some)
    }
}

fn from_object<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = object(&mut reader).and_then(|said| reader.end().map(|()| said));
    read.map_err(|error| match error.classify() {
        serde_json::error::Category::Data => {
            ApiError::unprocessable(format!("The body makes no sense: {error}."))
        }
        _ => ApiError::bad_request("The body is not JSON."),
    })
}

/// A snapshot of the database, limited to what the viewer may view.
pub struct ViewerSnapshot<'r> {
    pub read: &'r Read<'r>,
    pub context: &'r RequestContext,
    pub viewer: Viewer,
    model: Arc<ContentModel>,
}

/// As `ViewerSnapshot`, with lists.
pub struct ListSnapshot<'r> {
    pub read: &'r Lists<'r>,
    snapshot: ViewerSnapshot<'r>,
}

impl<'r> Deref for ListSnapshot<'r> {
    type Target = ViewerSnapshot<'r>;
    fn deref(&self) -> &ViewerSnapshot<'r> {
        &self.snapshot
    }
}

impl<'r> ViewerSnapshot<'r> {
    fn new(read: &'r Read<'r>, context: &'r RequestContext) -> ViewerSnapshot<'r> {
        ViewerSnapshot {
            read,
            context,
            viewer: Viewer::of(&context.actor),
            model: context.repository.model(),
        }
    }

    /// The content model of the repository.
    pub fn model(&self) -> &ContentModel {
        &self.model
    }
}

/// Refuses an anonymous actor.
///
/// # Errors
/// 401.
pub fn require_sign_in(actor: &Actor) -> Result<(), ApiError> {
    match actor.is_anonymous() {
        true => Err(ApiError::unauthenticated()),
        false => Ok(()),
    }
}

/// Reads an object of named members, and nothing else: by itself serde takes a list of values for one, in the order
/// in which the members happen to be written down in the program.
///
/// # Errors
/// For anything but an object, and as `T` refuses it.
pub fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let members = Map::<String, Value>::deserialize(deserializer)?;
    serde_json::from_value(Value::Object(members)).map_err(D::Error::custom)
}
