//! The bodies that make and change accounts. They are read by hand, so that no refusal repeats what
//! was sent: it might be a password.

use axum::extract::Request;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::actions::users::{Account, AccountChange};
use crate::api::ApiError;
use crate::api::body::read_small_body;
use crate::api::request_format::require_json_body;
use crate::cli::config::Limits;
use crate::fields::{Violation, message_of};

/// An account to be made.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; it is read by hand")]
pub struct NewAccount {
    /// 1 to 60 characters, without colons.
    name: String,
    /// 1 to 1024 bytes.
    #[schema(format = Password, write_only)]
    password: String,
    /// Names of roles.
    roles: Option<Vec<String>>,
}

/// What changes of an account. What is absent stays.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body; it is read by hand")]
pub struct AccountChanges {
    /// 1 to 60 characters, without colons.
    name: Option<String>,
    /// 1 to 1024 bytes.
    #[schema(format = Password, write_only)]
    password: Option<String>,
    /// The password there is; needed to change one's own.
    #[schema(format = Password, write_only)]
    current_password: Option<String>,
    /// Names of all roles.
    roles: Option<Vec<String>>,
    /// False: may no longer sign in.
    active: Option<bool>,
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
        active: fields.flag("active"),
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

    fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.sent.remove(name)?;
        let found = read(&value);
        if found.is_none() {
            self.refuse(name, format!("This must be {expected}."));
        }
        found
    }

    fn refuse(&mut self, name: &str, text: String) {
        self.violations.push(Violation {
            path: name.to_owned(),
            text,
        });
    }

    fn finish(mut self) -> Result<(), ApiError> {
        if !self.sent.is_empty() {
            self.refuse("body", "An account has no such field.".to_owned());
        }
        if self.violations.is_empty() {
            Ok(())
        } else {
            Err(ApiError::unprocessable(message_of(&self.violations)))
        }
    }
}
