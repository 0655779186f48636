//! The bodies that make and change accounts. They are read by hand, so that no refusal repeats what
//! was sent: it might be a password.

use axum::extract::Request;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::ApiError;
use crate::api::body::read_small_body;
use crate::api::request_format::require_json_body;
use isolario_config::Limits;
use isolario_core::actions::account_rules::{Account, AccountChange, SecondFactorChange};
use isolario_model::content::CollectionRole;
use isolario_model::fields::{Violation, ViolationCode};

/// An account to be made.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body; it is read by hand")]
pub struct NewAccount {
    /// 1 to 60 characters, without colons.
    #[schema(
        min_length = 1,
        max_length = 60,
        pattern = "^[^\\s:\\x00-\\x1f\\x7f-\\x9f]([^:\\x00-\\x1f\\x7f-\\x9f]*[^\\s:\\x00-\\x1f\\x7f-\\x9f])?$"
    )]
    name: String,
    /// 1 to 1024 bytes.
    #[schema(format = Password, write_only, min_length = 1, max_length = 1024)]
    password: String,
    /// Names of roles.
    #[schema(nullable = false)]
    roles: Option<Vec<String>>,
    /// The roles that hold in a collection and everything below it.
    #[schema(nullable = false)]
    collection_roles: Option<Vec<CollectionRoleBody>>,
}

/// A role that holds in a collection and everything below it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectionRoleBody {
    /// The node id of the collection.
    collection: i64,
    /// The name of the role.
    role: String,
}

/// What changes of an account. What is absent stays.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body; it is read by hand")]
pub struct AccountChanges {
    /// 1 to 60 characters, without colons.
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 60,
        pattern = "^[^\\s:\\x00-\\x1f\\x7f-\\x9f]([^:\\x00-\\x1f\\x7f-\\x9f]*[^\\s:\\x00-\\x1f\\x7f-\\x9f])?$"
    )]
    name: Option<String>,
    /// 1 to 1024 bytes.
    #[schema(nullable = false, format = Password, write_only, min_length = 1, max_length = 1024)]
    password: Option<String>,
    /// The password there is; needed to change one's own.
    #[schema(nullable = false, format = Password, write_only)]
    current_password: Option<String>,
    /// Names of all roles.
    #[schema(nullable = false)]
    roles: Option<Vec<String>>,
    /// All roles in collections.
    #[schema(nullable = false)]
    collection_roles: Option<Vec<CollectionRoleBody>>,
    /// False: may no longer sign in.
    #[schema(nullable = false)]
    active: Option<bool>,
    /// One's own second factor; `null` takes it away.
    second_factor: Option<SecondFactorBody>,
}

/// A second factor that is set up: the secret that `/api/v1/users/{uid}/second_factor` offered, and a present code of it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondFactorBody {
    /// 20 bytes in base 32.
    #[schema(write_only, pattern = "^[A-Z2-7]{32}$")]
    secret: String,
    /// Six digits.
    #[schema(write_only, example = "287082")]
    code: String,
}

/// Reads the body of a new account.
///
/// # Errors
/// 400, 413 or 415 for what is no JSON object, 422 for fields of the wrong shape.
pub async fn read_new(request: Request, limits: &Limits) -> Result<Account, ApiError> {
    let mut fields = Fields::read(request, limits).await?;
    let account = Account {
        name: fields.text("name").unwrap_or_default(),
        password: fields.text("password").unwrap_or_default(),
        roles: fields.texts("roles").unwrap_or_default(),
        collection_roles: fields.collection_roles().unwrap_or_default(),
        mail: None,
    };
    fields.finish().map(|()| account)
}

/// Reads the body of a change, and the current password with which one's own is changed.
///
/// # Errors
/// As for `read_new`.
pub async fn read_change(
    request: Request,
    limits: &Limits,
) -> Result<(AccountChange, Option<String>), ApiError> {
    let mut fields = Fields::read(request, limits).await?;
    let change = AccountChange {
        name: fields.text("name"),
        password: fields.text("password"),
        roles: fields.texts("roles"),
        collection_roles: fields.collection_roles(),
        active: fields.flag("active"),
        second_factor: fields.second_factor(),
    };
    let current = fields.text("current_password");
    fields.finish().map(|()| (change, current))
}

/// The fields of a body, and what is wrong with those that were looked at.
struct Fields {
    sent: Map<String, Value>,
    violations: Vec<Violation>,
}

impl Fields {
    async fn read(request: Request, limits: &Limits) -> Result<Fields, ApiError> {
        require_json_body(request.headers())?;
        let body = read_small_body(request, limits).await?;
        let sent = serde_json::from_slice(&body)
            .map_err(|_| ApiError::bad_request("The body is not a JSON object."))?;
        Ok(Fields {
            sent,
            violations: Vec::new(),
        })
    }

    fn text(&mut self, name: &str) -> Option<String> {
        self.take(name, "a text", |value| value.as_str().map(str::to_owned))
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        self.take(name, "true or false", Value::as_bool)
    }

    fn texts(&mut self, name: &str) -> Option<Vec<String>> {
        self.take(name, "a list of texts", |value| {
            let texts = value.as_array()?.iter();
            texts.map(|text| text.as_str().map(str::to_owned)).collect()
        })
    }

    fn collection_roles(&mut self) -> Option<Vec<CollectionRole>> {
        let expected = "a list of collections with roles";
        self.take("collection_roles", expected, |value| {
            let roles: Vec<CollectionRoleBody> = serde_json::from_value(value.clone()).ok()?;
            let roles = roles.into_iter().map(|one| CollectionRole {
                collection: one.collection,
                role: one.role,
            });
            Some(roles.collect())
        })
    }

    fn second_factor(&mut self) -> Option<SecondFactorChange> {
        self.take("second_factor", "a secret with a code, or null", |value| {
            if value.is_null() {
                return Some(SecondFactorChange::Off);
            }
            let SecondFactorBody { secret, code } = serde_json::from_value(value.clone()).ok()?;
            Some(SecondFactorChange::On { secret, code })
        })
    }

    fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.sent.remove(name)?;
        let found = read(&value);
        if found.is_none() {
            let message = format!("This must be {expected}.");
            self.refuse(name, ViolationCode::WrongType, message);
        }
        found
    }

    fn refuse(&mut self, name: &str, code: ViolationCode, message: String) {
        let violation = Violation::of_field(name, code, message);
        self.violations.push(violation);
    }

    fn finish(mut self) -> Result<(), ApiError> {
        if !self.sent.is_empty() {
            let message = "An account has no such field.".to_owned();
            self.refuse("body", ViolationCode::UnknownField, message);
        }
        if self.violations.is_empty() {
            Ok(())
        } else {
            Err(ApiError::invalid_fields(self.violations))
        }
    }
}
