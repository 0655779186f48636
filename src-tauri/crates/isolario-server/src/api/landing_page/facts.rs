//! What is said of an item on its page, as its reader may see it.

use serde_json::Value;

use crate::api::ApiError;
use crate::api::base_url::BaseUrl;
use isolario_core::actions::response_context::ResponseContext;
use isolario_core::actions::view_entity::may_view;
use isolario_core::repository::Repository;
use isolario_db::{DbError, MediaRow, Read, Viewer, picture_of};
use isolario_model::content::{
    Bundle, ContentModel, Entity, EntityKind, TermRole, field_roles, file_url,
};
use isolario_model::formats::crosswalk::{Crosswalk, RecordContext, field_texts};
use isolario_model::policy::Actor;

/// Where the addresses of licences and rights statements begin.
const RIGHTS: [&str; 3] = [
    "creativecommons.org/licenses/",
    "creativecommons.org/publicdomain/",
    "rightsstatements.org/vocab/",
];

/// The profile of documents of the IIIF Presentation API 3.0.
const PRESENTATION: &str = "http://iiif.io/api/presentation/3/context.json";

/// Something with an address that a link leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkTarget {
    pub relation: &'static str,
    pub address: String,
    /// The media type of what is there, where it is known.
    pub mime: Option<String>,
    pub profile: Option<String>,
}

impl LinkTarget {
    fn to(relation: &'static str, address: impl Into<String>) -> LinkTarget {
        LinkTarget {
            relation,
            address: address.into(),
            mime: None,
            profile: None,
        }
    }
}

/// What the page of an item says of it.
#[derive(Debug, Clone)]
pub struct LandingPage {
    /// The address of the item.
    pub address: String,
    pub title: String,
    pub description: Option<String>,
    /// Address of a small picture.
    pub picture: Option<String>,
    /// Where links of the item lead.
    pub links: Vec<LinkTarget>,
    /// The record in schema.org's JSON-LD.
    pub record: Value,
    /// Where its links are, as JSON and as text.
    pub linksets: [String; 2],
}

impl LandingPage {
    /// That of an item; `None` where there is none for the actor.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn of(
        repository: &Repository,
        nid: i64,
        actor: &Actor,
        base: &BaseUrl,
    ) -> Result<Option<LandingPage>, ApiError> {
        let config = &repository.config;
        let maker = PageMaker {
            actor: actor.clone(),
            base: config
                .base_url
                .clone()
                .unwrap_or_else(|| base.0.to_string()),
            name: config.name.clone(),
            crosswalk: config.crosswalk.clone(),
        };
        let model = repository.model();
        let read = repository.db.read(move |read| -> Result<_, ApiError> {
            let item = read.entity(EntityKind::Node, nid)?;
            match item {
                Some(item) if may_view(read, &maker.actor, &item)? => {
                    Ok(Some(maker.page(read, &model, &item)?))
                }
                _ => Ok(None),
            }
        });
        read.await
    }
}

/// What a page is made of besides the item.
struct PageMaker {
    actor: Actor,
    base: String,
    name: String,
    crosswalk: Crosswalk,
}

impl PageMaker {
    fn page(
        &self,
        read: &Read<'_>,
        model: &ContentModel,
        item: &Entity,
    ) -> Result<LandingPage, DbError> {
        let context = ResponseContext {
            read,
            model,
            actor: &self.actor,
            base: &self.base,
        };
        let unknown = Bundle::unknown(item.kind, &item.bundle);
        let bundle = model.bundle(item.kind, &item.bundle);
        let bundle = bundle.map_or(&unknown, |bundle| bundle);
        let about = RecordContext {
            fields: &context,
            repository: &self.name,
        };
        let record = match self.crosswalk.format("schema_org") {
            Some(format) if !format.is_xml() => format.document(item, bundle, &about),
            _ => String::new(),
        };
        let record: Value = serde_json::from_str(&record).unwrap_or_default();
        let fields = field_texts(item, bundle, &context);
        let description = fields
            .iter()
            .find(|field| field.name == field_roles().description);
        let description = description.and_then(|field| field.values.first());
        let values = fields.iter().flat_map(|field| &field.values);
        let mut names = values.flat_map(|value| [value.uri.as_deref(), Some(value.text.as_str())]);
        let rights = names.find_map(|name| rights_of(name?));
        let media = read.item_media(model, item.id, &Viewer::of(&self.actor))?;
        let path = |nid: i64| format!("{}{}", self.base, EntityKind::Node.path(nid));
        let linkset = format!("{}/api/v1/items/{}/linkset", self.base, item.id);
        let mut links = vec![
            LinkTarget::to("cite-as", path(item.id)),
            LinkTarget::to("type", "https://schema.org/AboutPage"),
        ];
        let kind = record["@type"]
            .as_str()
            .filter(|kind| kind.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        links.extend(kind.map(|kind| LinkTarget::to("type", format!("https://schema.org/{kind}"))));
        links.extend(authors(&record).map(|author| LinkTarget::to("author", author)));
        links.extend(rights.map(|rights| LinkTarget::to("license", rights)));
        for parent in item.references(&field_roles().member_of) {
            let parent = read.entity(EntityKind::Node, parent)?;
            if let Some(parent) =
                parent.filter(|parent| may_view(read, &self.actor, parent).unwrap_or(false))
            {
                let link = LinkTarget::to("collection", path(parent.id));
                links.push(LinkTarget {
                    mime: Some("text/html".into()),
                    ..link
                });
            }
        }
        self.add_records(&mut links, item.id);
        links.push(LinkTarget {
            mime: Some("application/ld+json".into()),
            profile: Some(PRESENTATION.into()),
            ..LinkTarget::to("alternate", self.manifest(item.id))
        });
        links.extend(self.files(&media));
        let picture = picture_of(&media)
            .map(|(_, file)| format!("{}{}", self.base, file_url::path_of(&file.uri)));
        Ok(LandingPage {
            address: path(item.id),
            title: item.label().to_owned(),
            description: description.map(|value| value.text.clone()),
            picture,
            links,
            record,
            linksets: [format!("{linkset}.json"), linkset],
        })
    }

    /// The address of the item as IIIF has it; a collection leads from there to its own.
    fn manifest(&self, nid: i64) -> String {
        format!("{}/iiif/presentation/3/node/{nid}/manifest.json", self.base)
    }

    fn add_records(&self, links: &mut Vec<LinkTarget>, nid: i64) {
        let address = |name: &str| format!("{}/api/v1/items/{nid}/records/{name}", self.base);
        for (name, format) in self.crosswalk.formats() {
            let link = LinkTarget::to("describedby", address(name));
            links.push(LinkTarget {
                mime: Some(format.mime().into()),
                profile: (!format.namespace.is_empty()).then(|| format.namespace.clone()),
                ..link
            });
        }
    }

    /// The files of an item without those that the program has made to show it.
    fn files(&self, media: &[MediaRow]) -> impl Iterator<Item = LinkTarget> {
        let made = [TermRole::ThumbnailImage, TermRole::ServiceFile];
        let rows = media
            .iter()
            .filter(move |row| !made.iter().any(|role| row.has_use(*role)));
        rows.filter_map(|row| row.file.as_ref()).map(|file| {
            let link = LinkTarget::to(
                "item",
                format!("{}{}", self.base, file_url::path_of(&file.uri)),
            );
            LinkTarget {
                mime: Some(file.mime.essence().to_owned()),
                ..link
            }
        })
    }
}

/// Addresses of the creators in a record.
fn authors(record: &Value) -> impl Iterator<Item = &str> {
    let creators = &record["creator"];
    let all = creators
        .as_array()
        .map_or(std::slice::from_ref(creators), Vec::as_slice);
    let addresses = all.iter().filter_map(|creator| creator["@id"].as_str());
    addresses.filter(|address| is_address(address))
}

fn is_address(text: &str) -> bool {
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    is_web
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"<>\"\\".contains(&byte))
}

/// The address of a licence of Creative Commons or a statement of rightsstatements.org, as its owners write it: with
/// `http`.
pub fn rights_of(name: &str) -> Option<String> {
    let name = name.trim();
    let rest = name
        .strip_prefix("https://")
        .or_else(|| name.strip_prefix("http://"))?;
    let is_known = RIGHTS.iter().any(|beginning| rest.starts_with(beginning));
    (is_known && is_address(name)).then(|| format!("http://{rest}"))
}
