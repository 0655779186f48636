//! `/api/v1/users/{uid}/second_factor`: a secret with which somebody sets up their second factor.

use axum::Json;
use axum::extract::Path;
use serde::Serialize;
use utoipa::ToSchema;

use super::parameters::path_id;
use super::qr_code::QrCode;
use super::repository::identity_of;
use super::request_context::{RequestContext, require_sign_in};
use crate::api::ApiError;
use crate::api::openapi::refusals::Message;
use isolario_auth::{new_second_factor, second_factor_address};
use isolario_model::policy::Denial;

/// A secret for an app that shows codes (TOTP, RFC 6238: six digits, 30 seconds, SHA-1).
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferedSecondFactor {
    /// 20 random bytes in base 32.
    secret: String,
    /// The same for apps: `otpauth://totp/…`.
    address: String,
    /// The address, for the camera of a phone.
    qr_code: Option<QrCode>,
}

/// Offer a secret for a second factor
///
/// Nothing is kept: the secret becomes the second factor once it is sent to `/api/v1/users/{uid}` with a present code of
/// it. Only for one's own account.
#[utoipa::path(post, operation_id = "offer_second_factor", path = "/api/v1/users/{uid}/second_factor", tag = "accounts",
    params(("uid" = i64, Path)), responses(
    (status = 200, body = OfferedSecondFactor),
    (status = 401, description = "The request has no credentials", body = Message),
    (status = 403, description = "It is somebody else's account", body = Message),
    (status = 404, description = "There is no such account", body = Message),
))]
pub async fn offer(
    context: RequestContext,
    Path(uid): Path<String>,
) -> Result<Json<OfferedSecondFactor>, ApiError> {
    require_sign_in(&context.actor)?;
    let uid = path_id("user", &uid)?;
    if !context.actor.owns(uid) {
        let denial = Denial::new("Everybody sets up their own second factor.");
        return Err(ApiError::denied(&context.actor, denial));
    }
    let account = context.actor.name.clone();
    let repository = context
        .read(|snapshot| Ok(identity_of(snapshot)?.name))
        .await?;
    let secret = new_second_factor();
    let address = second_factor_address(&secret, &repository, &account).unwrap_or_default();
    Ok(Json(OfferedSecondFactor {
        qr_code: QrCode::of(&address),
        secret,
        address,
    }))
}
