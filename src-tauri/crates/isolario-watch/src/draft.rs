//! Drafts what a watched file becomes: its item, the location of its bytes, and its metadata.

use serde_json::{Map, Value, json};

use super::WatchedFolder;
use super::names::{extension, split, title};
use super::rule_validation::{item_bundle, model_or_use};
use super::sidecar::{Description, SidecarError, SidecarValue, describe};
use super::values::{Terms, body_of};
use isolario_core::actions::Refusal;
use isolario_core::file_kinds::{address_of, media_type_of, mime_of, model_of, takes};
use isolario_model::content::{EntityKind, TermRole, field_roles, uri_of};
use isolario_model::policy::Actor;
use isolario_model::policy::permission::may_create_somewhere;
use isolario_model::watch_rule::{AUTO, Subfolders};

/// What an ingest makes of a file.
#[derive(Debug, Clone)]
pub struct Draft {
    pub title: String,
    pub media_type: String,
    pub mime: String,
    /// Number of the media use.
    pub use_tid: i64,
    /// Of the model.
    pub model: i64,
    /// The address of the bytes, `scheme://path`.
    pub location: String,
    /// The body of the item, as REST takes it, without its collection and its weight among pages.
    pub body: Map<String, Value>,
}

/// Whether a file becomes a page or part of the item of its folder.
pub fn is_part(watched: &WatchedFolder, path: &str) -> bool {
    watched.rule.makes_objects() && path.contains('/')
}

/// Drafts what an ingest makes of a file.
///
/// # Errors
/// `Invalid` with a sentence for the person who put it there; `Storage` when the description cannot be read
/// right now.
pub async fn draft(
    watched: &WatchedFolder,
    actor: &Actor,
    path: &str,
    terms: Terms,
) -> Result<Draft, Refusal> {
    let (_, name) = split(path);
    let media_type = media_type(watched, name)?;
    let mime = mime_of(name);
    let part_of_book = is_part(watched, path) && watched.rule.subfolders == Subfolders::Paged;
    let model = match watched.rule.model.as_str() {
        AUTO if part_of_book => uri_of(TermRole::Page),
        AUTO => model_of(&media_type, &mime),
        fixed => fixed,
    };
    let (model, use_tid) = (
        known_term(watched, model)?,
        known_term(watched, &watched.rule.media_use)?,
    );
    let description = description(watched, path, name)?;
    let mut body = said(watched, actor, &description, terms).await?;
    let title = body
        .get("title")
        .and_then(|items| items.get(0)?.get("value")?.as_str().map(str::to_owned))
        .unwrap_or_else(|| title(name));
    body.insert("title".into(), json!([{ "value": title }]));
    body.entry(field_roles().model.as_str())
        .or_insert_with(|| json!([{ "target_id": model }]));
    Ok(Draft {
        location: location(watched, name),
        title,
        media_type,
        mime,
        use_tid,
        model,
        body,
    })
}

/// Refuses what the upload would refuse. It runs before the item is made, so that no item stays without its file.
///
/// # Errors
/// `Denied` when the owner may make no such media, `Invalid` for a name or a size that cannot be.
pub fn refuse_early(
    watched: &WatchedFolder,
    actor: &Actor,
    draft: &Draft,
    size: u64,
) -> Result<(), Refusal> {
    may_create_somewhere(actor, EntityKind::Media, &draft.media_type)?;
    let uri = watched.repository.blobs.parse_uri(&draft.location);
    uri.map_err(|error| Refusal::Invalid(format!("No file can be kept under this name: {error}")))?;
    match watched.repository.config.limits.upload_bytes {
        Some(most) if size > most => Err(Refusal::TooLarge(format!(
            "A file may not be larger than {most} bytes."
        ))),
        _ => Ok(()),
    }
}

/// The body of an item: the values of its sidecars, then those of the rule.
///
/// # Errors
/// As `draft`.
pub async fn said(
    watched: &WatchedFolder,
    actor: &Actor,
    description: &Description,
    terms: Terms,
) -> Result<Map<String, Value>, Refusal> {
    let model = watched.repository.model();
    let bundle = item_bundle(&model)
        .ok_or_else(|| Refusal::Missing("There are no items in the content model.".into()))?;
    let mut body = body_of(watched, actor, bundle, description, terms).await?;
    body.insert("type".into(), json!([{ "target_id": bundle.id }]));
    if !watched.rule.published {
        body.insert("status".into(), json!([{ "value": false }]));
    }
    Ok(body)
}

fn media_type(watched: &WatchedFolder, name: &str) -> Result<String, Refusal> {
    let model = &watched.repository.model();
    let extension = extension(name);
    let of_kind = match extension.as_str() {
        "" => "files without an extension".to_owned(),
        extension => format!("files that end in .{extension}"),
    };
    match watched.rule.media_type.as_str() {
        AUTO => media_type_of(model, name)
            .map(str::to_owned)
            .ok_or_else(|| Refusal::Invalid(format!("The repository takes no {of_kind}."))),
        fixed if takes(model, fixed, name) => Ok(fixed.to_owned()),
        fixed => Err(Refusal::Invalid(format!(
            "Media of type {fixed} take no {of_kind}."
        ))),
    }
}

fn known_term(watched: &WatchedFolder, term: &str) -> Result<i64, Refusal> {
    let found = watched
        .repository
        .db
        .read_here(|read| model_or_use(read, term))?;
    found.ok_or_else(|| Refusal::Missing(format!("There is no term {term:?} any more.")))
}

/// The values of the template. Those of the file name replace them, and those of the sidecars replace both.
fn description(watched: &WatchedFolder, path: &str, name: &str) -> Result<Description, Refusal> {
    let mut description = template(watched);
    if let Some(pattern) = &watched.pattern {
        let parts = pattern.captures(name).ok_or_else(|| {
            Refusal::Invalid("The name of the file does not fit the pattern of the folder.".into())
        })?;
        for field in pattern.capture_names().flatten() {
            if let Some(part) = parts.name(field) {
                description.insert(
                    field.to_owned(),
                    vec![SidecarValue::Text(part.as_str().to_owned())],
                );
            }
        }
    }
    description.extend(beside(watched, path)?);
    Ok(description)
}

/// The values that the rule gives every item.
pub fn template(watched: &WatchedFolder) -> Description {
    let template = watched.rule.template.iter();
    template
        .map(|(field, texts)| {
            (
                field.clone(),
                texts.all().into_iter().map(SidecarValue::Text).collect(),
            )
        })
        .collect()
}

/// The values of the sidecars of a file or folder.
///
/// # Errors
/// As `draft`.
pub fn beside(watched: &WatchedFolder, path: &str) -> Result<Description, Refusal> {
    let found = describe(&watched.folder, &watched.tables, &watched.rule, path);
    let found = found.map_err(|error| match error {
        SidecarError::Unreadable(..) => Refusal::Invalid(error.to_string()),
        SidecarError::Disk(_) => Refusal::Storage(error.to_string()),
    })?;
    Ok(found.unwrap_or_default())
}

/// A folder for each month, as uploads in the window have.
fn location(watched: &WatchedFolder, name: &str) -> String {
    let scheme = &watched.repository.config.repository_scheme;
    let scheme = watched.rule.scheme.as_ref().unwrap_or(scheme);
    address_of(scheme, name)
}
