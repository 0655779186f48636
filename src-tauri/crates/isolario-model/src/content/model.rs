//! The content model: which bundles exist and which fields each has. It is data, read from
//! `assets/content-model.json` for a new repository and from the database afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{EntityKind, model_roles};

/// One field of a bundle: its name, type and constraints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct FieldDefinition {
    pub name: String,
    pub label: String,
    /// The label of one value, where `label` is a plural or has a qualifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_label: Option<String>,
    /// Name of the field type, a key of the registry in `fields`.
    #[serde(rename = "type")]
    pub field_type: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// How many values it may hold; -1 for any number.
    #[serde(skip_serializing_if = "is_single")]
    pub cardinality: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_type: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_bundles: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub auto_create: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed_values: Vec<AllowedValue>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub authority_sources: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_type: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub file_extensions: Vec<String>,
    /// Its files may have any extension or none, whatever `file_extensions` tells clients. No part of what is stored:
    /// `ContentModel::take_any_file` sets it.
    #[serde(skip)]
    pub any_extension: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_directory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri_scheme: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub alt_field: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub alt_field_required: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub title_field: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub translatable: bool,
    /// RDF predicates as prefixed names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
    /// Items a new resource gets when the field is not sent.
    #[serde(rename = "default", skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub default_items: Vec<serde_json::Map<String, Value>>,
    /// The facet by which searches count and choose its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facet: Option<String>,
    /// What people should enter, for forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The heading under which forms show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Forms leave it out while it has no value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Base fields only: nobody writes it, the program does.
    #[serde(skip)]
    pub computed: bool,
}

/// One choice of a list field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AllowedValue {
    pub value: String,
    pub label: String,
}

fn is_single(cardinality: &i64) -> bool {
    *cardinality == 0 || *cardinality == 1
}

impl FieldDefinition {
    /// How many values the field may hold, `None` for any number.
    pub fn limit(&self) -> Option<usize> {
        match self.cardinality {
            -1 => None,
            0 | 1 => Some(1),
            many => usize::try_from(many).ok(),
        }
    }

    /// Whether a file with this lower-case extension may be in the field.
    pub fn takes_extension(&self, extension: Option<&str>) -> bool {
        let listed = |extension: &str| self.file_extensions.iter().any(|one| one == extension);
        self.any_extension || self.file_extensions.is_empty() || extension.is_some_and(listed)
    }

    /// The kind of resource a reference field points at.
    pub fn target_kind(&self) -> Option<EntityKind> {
        self.target_type
            .as_deref()
            .and_then(EntityKind::from_target_type)
    }
}

/// A node type, a media type or a vocabulary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Bundle {
    #[schema(value_type = String)]
    pub kind: EntityKind,
    pub id: String,
    pub label: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Given to the bundle when it is made.
    #[serde(default)]
    pub uuid: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Media types: the field that holds the file (or the address) the media is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_field: Option<String>,
    /// Media types: which facts of the source are copied into which field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub field_map: BTreeMap<String, String>,
    #[serde(default)]
    pub new_revision: bool,
    #[serde(default)]
    pub rdf_types: Vec<String>,
    #[serde(default)]
    pub base_predicates: BTreeMap<String, Vec<String>>,
    /// In the order of the form.
    pub fields: Vec<FieldDefinition>,
    /// Fields that were removed. Resources keep their values, which come back with the field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_fields: Vec<FieldDefinition>,
    #[serde(skip)]
    name_order: NameOrder,
}

/// The places of fields in the order of their names, once somebody has asked for them. A copy of a bundle, which may get
/// other fields, finds them anew.
#[derive(Default)]
struct NameOrder(OnceLock<Vec<usize>>);

impl Clone for NameOrder {
    fn clone(&self) -> NameOrder {
        NameOrder::default()
    }
}

impl PartialEq for NameOrder {
    fn eq(&self, _: &NameOrder) -> bool {
        true
    }
}

impl fmt::Debug for NameOrder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NameOrder")
    }
}

impl NameOrder {
    fn of(fields: &[FieldDefinition]) -> Vec<usize> {
        let mut places: Vec<usize> = (0..fields.len()).collect();
        places.sort_by(|one, other| fields[*one].name.cmp(&fields[*other].name));
        places
    }
}

impl Bundle {
    /// A bundle that the model no longer has: its resources show their base fields.
    pub fn unknown(kind: EntityKind, id: &str) -> Arc<Bundle> {
        Arc::new(Bundle {
            kind,
            id: id.to_owned(),
            label: id.to_owned(),
            description: None,
            uuid: String::new(),
            source: None,
            source_field: None,
            field_map: BTreeMap::new(),
            new_revision: false,
            rdf_types: Vec::new(),
            base_predicates: BTreeMap::new(),
            fields: Vec::new(),
            removed_fields: Vec::new(),
            name_order: NameOrder::default(),
        })
    }

    /// The configured field of that name.
    pub fn field(&self, name: &str) -> Option<&FieldDefinition> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The present or removed field of that name.
    pub fn known_field(&self, name: &str) -> Option<&FieldDefinition> {
        let mut all = self.fields.iter().chain(&self.removed_fields);
        all.find(|field| field.name == name)
    }

    /// Configured fields by name, the order in which resources are written and validated.
    pub fn fields_by_name(&self) -> impl Iterator<Item = &FieldDefinition> {
        let places = self
            .name_order
            .0
            .get_or_init(|| NameOrder::of(&self.fields));
        places.iter().filter_map(|place| self.fields.get(*place))
    }

    /// The source field of a media type that keeps a file, with its allowed extensions.
    pub fn file_field(&self) -> Option<&FieldDefinition> {
        self.fields.get(self.file_field_place()?)
    }

    fn file_field_place(&self) -> Option<usize> {
        let name = self.source_field.as_deref()?;
        self.fields.iter().position(|field| {
            field.name == name && matches!(field.field_type.as_str(), "file" | "image")
        })
    }
}

/// Everything a repository knows about the shape of its content.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ContentModelDefinition)]
pub struct ContentModel {
    #[schema(value_type = Vec<Bundle>)]
    pub bundles: Vec<Arc<Bundle>>,
    /// MARC relators: `relators:aut` → `Author`.
    pub relators: BTreeMap<String, String>,
    /// RDF prefixes.
    pub namespaces: BTreeMap<String, String>,
    /// Terms that the program has given to the repository, by vocabulary and key (`seed::SeedTerm::key`). Whatever
    /// people do with one, it is not given again. `None` in a repository of a program that did not note them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub given_terms: Option<GivenTerms>,
    /// Permissions that roles of the program have received, or were not to receive, since the first program. Whatever
    /// people do with one, it is not given again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(ignore)]
    pub given_permissions: BTreeMap<String, BTreeSet<String>>,
    /// Parts of the program's own model that the repository has received (`additions`). Whatever people do with one, it
    /// is not given again. `None` in a repository of a program that did not note them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub given_parts: Option<BTreeSet<String>>,
    /// Counts the changes that people have made.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schema(ignore)]
    pub revision: i64,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// Keys of terms by vocabulary.
pub type GivenTerms = BTreeMap<String, BTreeSet<String>>;

impl ContentModel {
    /// The bundle of a kind by its machine name.
    pub fn bundle(&self, kind: EntityKind, id: &str) -> Option<&Arc<Bundle>> {
        self.bundles
            .iter()
            .find(|bundle| bundle.kind == kind && bundle.id == id)
    }

    /// Lets the media types for files of any kind (`FileKind::any_extension`) take every file, so that none is refused
    /// for its name.
    pub fn take_any_file(&mut self) {
        let is_for_any = |bundle: &Bundle| {
            let mut kinds = model_roles().file_kinds.iter();
            bundle.kind == EntityKind::Media
                && kinds.any(|kind| kind.any_extension && kind.media_type == bundle.id)
        };
        for bundle in self.bundles.iter_mut().filter(|bundle| is_for_any(bundle)) {
            if let Some(place) = bundle.file_field_place() {
                Arc::make_mut(bundle).fields[place].any_extension = true;
            }
        }
    }

    /// All bundles of a kind, in the order of the model.
    pub fn bundles_of(&self, kind: EntityKind) -> impl Iterator<Item = &Arc<Bundle>> {
        self.bundles
            .iter()
            .filter(move |bundle| bundle.kind == kind)
    }

    /// A prefixed name (`dcterms:title`) as a full IRI; names without a known prefix stay as they are.
    pub fn expand(&self, name: &str) -> String {
        match name.split_once(':') {
            Some((prefix, local)) => match self.namespaces.get(prefix) {
                Some(namespace) => format!("{namespace}{local}"),
                None => name.to_owned(),
            },
            None => name.to_owned(),
        }
    }
}
