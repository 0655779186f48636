//! What manifests and collections say of an item (Presentation API 3.0, section 3.1).

use serde_json::{Map, Value, json};

use super::Presenter;
use crate::api::landing_page::rights_of;
use isolario_core::actions::response_context::ResponseContext;
use isolario_db::{DbError, ItemRow, MediaRow, is_picture, picture_of};
use isolario_model::content::{Bundle, EntityKind, field_roles, file_url};
use isolario_model::formats::crosswalk::{FieldText, FieldTexts, field_texts};

/// A text without a known language as a language map.
pub(super) fn plain(text: &str) -> Value {
    json!({"none": [text]})
}

/// Values as a language map, texts in the language of the item. An agent has its role behind it.
fn language_map(values: &[FieldText], language: &str) -> Value {
    let mut map = Map::new();
    for value in values {
        let text = match &value.role {
            Some(role) => format!("{} ({role})", value.text),
            None => value.text.clone(),
        };
        let language = if value.is_translatable {
            language
        } else {
            "none"
        };
        let texts = map.entry(language).or_insert_with(|| json!([]));
        if let Some(texts) = texts.as_array_mut() {
            texts.push(text.into());
        }
    }
    Value::Object(map)
}

impl Presenter<'_> {
    /// The members that describe an item, without its pictures.
    pub(super) fn description(&self, row: &ItemRow) -> Result<Map<String, Value>, DbError> {
        let snapshot = self.snapshot;
        let (model, roles) = (snapshot.model(), field_roles());
        let mut document = Map::new();
        document.insert("label".into(), plain(&row.title));
        let Some(item) = snapshot.read.entity(EntityKind::Node, row.nid)? else {
            return Ok(document);
        };
        let context = ResponseContext {
            read: snapshot.read,
            model,
            actor: &snapshot.context.actor,
            base: self.base,
        };
        let unknown = Bundle::unknown(item.kind, &item.bundle);
        let bundle = model.bundle(item.kind, &item.bundle);
        let bundle = bundle.map_or(&unknown, |bundle| bundle);
        let fields = field_texts(&item, bundle, &context);
        let field = |name: &str| fields.iter().find(|field| field.name == name);
        // `und` is what the store says of a text in no known language.
        let language = item.text("langcode").filter(|code| *code != "und");
        let language = language.unwrap_or("none");
        document.insert("label".into(), json!({language: [row.title]}));
        if let Some(summary) = field(&roles.description) {
            document.insert("summary".into(), language_map(&summary.values, language));
        }
        let is_told = |field: &&FieldTexts| {
            bundle.fields.iter().any(|own| own.name == field.name)
                && ![&roles.description, &roles.member_of, &roles.weight].contains(&&field.name)
        };
        let told = fields.iter().filter(is_told);
        let pairs = told.map(|field| pair(&field.label, language_map(&field.values, language)));
        let pairs: Vec<Value> = pairs.collect();
        if !pairs.is_empty() {
            document.insert("metadata".into(), pairs.into());
        }
        let values = fields.iter().flat_map(|field| &field.values);
        let mut names = values.flat_map(|value| [value.uri.as_deref(), Some(value.text.as_str())]);
        if let Some(rights) = names.find_map(|name| rights_of(name?)) {
            document.insert("rights".into(), rights.into());
        }
        if let Some(rights) = field(&roles.rights) {
            let statement = pair(&rights.label, language_map(&rights.values, language));
            document.insert("requiredStatement".into(), statement);
        }
        self.add_links(&mut document, row);
        Ok(document)
    }

    /// The page of the item, its records, and who keeps it.
    fn add_links(&self, document: &mut Map<String, Value>, row: &ItemRow) {
        let nid = row.nid;
        let page = json!([{
            "id": self.address(&format!("/node/{nid}")),
            "type": "Text", "label": plain(&row.title), "format": "text/html",
        }]);
        document.insert("homepage".into(), page);
        let config = &self.snapshot.context.repository.config;
        let formats = config.crosswalk.xml_formats();
        let mut records: Vec<Value> = formats
            .map(|(name, format)| {
                json!({
                    "id": self.address(&format!("/api/v1/items/{nid}/records/{name}")),
                    "type": "Dataset", "format": format.mime(), "profile": format.namespace,
                })
            })
            .collect();
        records.push(json!({
            "id": self.address(&format!("/node/{nid}?_format=jsonld")),
            "type": "Dataset", "format": "application/ld+json",
        }));
        document.insert("seeAlso".into(), records.into());
        let provider = json!([{
            "id": self.address("/"), "type": "Agent", "label": plain(&config.name),
            "homepage": [{
                "id": self.address("/"), "type": "Text", "label": plain(&config.name), "format": "text/html",
            }],
        }]);
        document.insert("provider".into(), provider);
    }

    /// A small picture of an item.
    pub(super) fn thumbnail(&self, media: &[MediaRow]) -> Option<Value> {
        let (_, file) = picture_of(media)?;
        let thumbnail = json!([{
            "id": self.address(&file_url::path_of(&file.uri)),
            "type": "Image", "format": file.mime.essence(),
        }]);
        is_picture(file.mime.essence()).then_some(thumbnail)
    }
}

fn pair(label: &str, value: Value) -> Value {
    json!({"label": plain(label), "value": value})
}
