//! Resources as a site writes them.

use isolario_model::content::EntityKind;
use isolario_model::content::entity::ALIASES;
use serde_json::{Map, Value};

use crate::links::Link;
use crate::site::{Answer, Site, SiteError};

/// A node, media, term or file of a site.
#[derive(Debug, Clone)]
pub struct RemoteEntity {
    pub kind: EntityKind,
    pub id: i64,
    pub uuid: String,
    pub bundle: String,
    pub fields: Map<String, Value>,
    /// Media that the Link headers name.
    pub media: Vec<i64>,
}

/// A reference to a resource of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteReference {
    pub kind: EntityKind,
    pub id: i64,
    /// `None` where the site does not show the target.
    pub uuid: Option<String>,
}

impl RemoteEntity {
    /// Reads a resource. `None` where the JSON is not one of that kind.
    pub fn read(kind: EntityKind, json: Value) -> Option<RemoteEntity> {
        let Value::Object(fields) = json else {
            return None;
        };
        let id = integer(fields.get(kind.id_field())?)?;
        let uuid = text(fields.get("uuid")?)?;
        let bundle = match kind {
            EntityKind::File | EntityKind::User => String::new(),
            _ => {
                let first = first(fields.get(kind.bundle_field())?)?;
                first.get("target_id")?.as_str()?.to_owned()
            }
        };
        // A UUID is an identity here, and part of names on the disk.
        let uuid = uuid::Uuid::parse_str(&uuid).ok()?.to_string();
        Some(RemoteEntity {
            kind,
            id,
            uuid,
            bundle,
            fields,
            media: Vec::new(),
        })
    }

    /// The first text of a field.
    pub fn text(&self, field: &str) -> Option<String> {
        text(self.fields.get(field)?)
    }

    /// The first number of a field.
    pub fn integer(&self, field: &str) -> Option<i64> {
        integer(self.fields.get(field)?)
    }

    /// The first item of a field.
    pub fn first(&self, field: &str) -> Option<&Map<String, Value>> {
        first(self.fields.get(field)?)
    }

    /// Title or name.
    pub fn label(&self) -> String {
        self.text(self.kind.label_field()).unwrap_or_default()
    }

    /// Takes an alias over that only the Link headers tell.
    fn add_alias(&mut self, alias: &str) {
        let aliases = self.fields.get(ALIASES).and_then(Value::as_array);
        let mut aliases = aliases.into_iter().flatten();
        if !aliases.any(|item| item.get("alias").is_some_and(Value::is_string)) {
            let items = serde_json::json!([{"alias": alias}]);
            self.fields.insert(ALIASES.to_owned(), items);
        }
    }

    /// What a field refers to.
    pub fn references(&self, field: &str, kind: EntityKind) -> Vec<RemoteReference> {
        let items = self.fields.get(field).and_then(Value::as_array);
        let items = items.into_iter().flatten().filter_map(Value::as_object);
        items.filter_map(|item| reference_of(kind, item)).collect()
    }
}

/// The reference of an item; `None` where it refers to nothing.
pub fn reference_of(kind: EntityKind, item: &Map<String, Value>) -> Option<RemoteReference> {
    let id = number(item.get("target_id")?).filter(|id| *id > 0)?;
    let uuid = item.get("target_uuid").and_then(Value::as_str);
    Some(RemoteReference {
        kind,
        id,
        uuid: uuid.map(str::to_lowercase),
    })
}

fn first(items: &Value) -> Option<&Map<String, Value>> {
    items.as_array()?.first()?.as_object()
}

fn text(items: &Value) -> Option<String> {
    let text = first(items)?.get("value")?.as_str()?;
    Some(text.to_owned())
}

fn integer(items: &Value) -> Option<i64> {
    number(first(items)?.get("value")?)
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_i64(),
    }
}

/// The path of a resource in the interface.
pub fn path_of(kind: EntityKind, id: i64) -> String {
    format!("{}?_format=json", kind.path(id))
}

impl Site {
    /// A resource; `None` where there is none.
    ///
    /// # Errors
    /// What the site refuses or fails at; `NotJson` where the answer is not such a resource.
    pub async fn entity(
        &self,
        kind: EntityKind,
        id: i64,
    ) -> Result<Option<RemoteEntity>, SiteError> {
        if let Some(bagged) = self.bagged(kind, id) {
            let Some(json) = bagged? else {
                return Ok(None);
            };
            let entity = RemoteEntity::read(kind, json).filter(|entity| entity.id == id);
            return entity.map(Some).ok_or(SiteError::NotJson);
        }
        let Some(Answer { json, links }) = self.json(&path_of(kind, id)).await? else {
            return Ok(None);
        };
        let mut entity = RemoteEntity::read(kind, json).ok_or(SiteError::NotJson)?;
        if entity.id != id {
            return Err(SiteError::NotJson);
        }
        entity.media = media_in(&links);
        if let Some(alias) = alias_in(&links, self.base_path(), &kind.path(id)) {
            entity.add_alias(&alias);
        }
        Ok(Some(entity))
    }
}

/// The canonical path, where it is another one than that of the interface.
fn alias_in(links: &[Link], base: &str, own: &str) -> Option<String> {
    let canonical = links.iter().find(|link| link.rel == "canonical")?;
    let url = reqwest::Url::parse(&canonical.target).ok()?;
    // The site may call itself by another name than that by which it is asked.
    let path = url.path().strip_prefix(base.trim_end_matches('/'))?;
    let path = percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .ok()?;
    (path != "/" && !path.is_empty() && path != own).then(|| path.into_owned())
}

fn media_in(links: &[Link]) -> Vec<i64> {
    let related = links.iter().filter(|link| link.rel == "related");
    let mut media: Vec<i64> = related
        .filter_map(|link| link.target.rsplit_once("/media/")?.1.parse().ok())
        .collect();
    media.dedup();
    media
}
