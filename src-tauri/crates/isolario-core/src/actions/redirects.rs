//! Redirects: addresses that lead elsewhere.

use super::account_rules::as_of_now;
use super::{Refusal, validation};
use isolario_db::Db;
use isolario_model::content::address;
use isolario_model::content::record::Redirect;
use isolario_model::fields::{Violation, ViolationCode};
use isolario_model::policy::{Actor, permit_redirect};

/// The HTTP statuses that a redirect may have.
pub const STATUSES: [u16; 5] = [301, 302, 303, 307, 308];
/// Longest target, in bytes.
const LONGEST_TARGET: usize = 2048;

/// A redirect that somebody asks for.
#[derive(Debug, Clone)]
pub struct RedirectDraft {
    /// With or without a slash before it.
    pub source: String,
    /// A path here, which begins with a slash, or an absolute URL of HTTP.
    pub target: String,
    pub status: u16,
}

/// Adds a redirect, if the actor may when it comes to that.
///
/// # Errors
/// `Denied`; `InvalidFields` for an address that cannot lead elsewhere, and for one that does already.
pub async fn add_redirect(
    db: &Db,
    actor: &Actor,
    draft: RedirectDraft,
) -> Result<Redirect, Refusal> {
    permit_redirect(actor)?;
    let source = format!("/{}", draft.source.trim().trim_matches('/'));
    validation::refuse(violations(&source, &draft))?;
    let actor = actor.clone();
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let permitted = permit_redirect(&actor)?;
        if write.destination(&address::key(&source))?.is_some() {
            let message = format!(
                "The source path {source} is already being redirected or used as an alias."
            );
            return Err(at("redirect_source", "path", ViolationCode::NotUnique, message).into());
        }
        let redirect = Redirect {
            id: 0,
            source,
            target: draft.target,
            status: draft.status,
            uid: actor.uid,
            created: chrono::Utc::now().timestamp(),
        };
        let id = write.insert_redirect(&permitted, &redirect)?;
        Ok(Redirect { id, ..redirect })
    })
    .await
}

/// Removes a redirect, if the actor may when it comes to that.
///
/// # Errors
/// `Denied`; `Missing`.
pub async fn delete_redirect(db: &Db, actor: &Actor, id: i64) -> Result<(), Refusal> {
    let actor = actor.clone();
    db.write(move |write| {
        let actor = as_of_now(write, &actor)?;
        let permitted = permit_redirect(&actor)?;
        if write.redirect(id)?.is_none() {
            return Err(Refusal::Missing(format!("There is no redirect {id}.")));
        }
        Ok(write.delete_redirect(&permitted, id)?)
    })
    .await
}

fn violations(source: &str, draft: &RedirectDraft) -> Vec<Violation> {
    let mut violations = Vec::new();
    if let Some(complaint) = address::complaint(source) {
        let message = format!("From: {complaint}");
        violations.push(at(
            "redirect_source",
            "path",
            ViolationCode::WrongSyntax,
            message,
        ));
    }
    if let Some(complaint) = target_complaint(source, &draft.target) {
        let message = format!("To: {complaint}");
        violations.push(at(
            "redirect_redirect",
            "uri",
            ViolationCode::NotAUri,
            message,
        ));
    }
    if !STATUSES.contains(&draft.status) {
        let message = "Status code: must be 301, 302, 303, 307 or 308.".into();
        violations.push(at(
            "status_code",
            "value",
            ViolationCode::NotAChoice,
            message,
        ));
    }
    violations
}

fn target_complaint(source: &str, target: &str) -> Option<&'static str> {
    let is_web = ["http://", "https://"].iter().any(|scheme| {
        let rest = target.strip_prefix(scheme);
        rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
    });
    let is_here = target.starts_with('/') && !target.starts_with("//");
    let letter = |letter: char| letter.is_control() || letter.is_whitespace() || letter == '\\';
    if !is_web && !is_here {
        Some("must be a path that begins with a slash, or an address of http or https.")
    } else if target.len() > LONGEST_TARGET {
        Some("may not be longer than 2048 bytes.")
    } else if target.contains(letter) {
        Some("may not contain spaces, backslashes or control characters.")
    } else if address::key(target) == address::key(source) {
        Some("may not be the source itself.")
    } else {
        None
    }
}

fn at(field: &str, property: &str, code: ViolationCode, message: String) -> Violation {
    Violation::at(property, code, message).in_field(field, 0)
}
