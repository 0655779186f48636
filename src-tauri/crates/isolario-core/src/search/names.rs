//! The names by which people search: fields, and facets with the kind of their values.

use std::collections::HashMap;

use super::documents::{COLLECTION, FILE_NAME, FORMAT, PART_OF, STATUS, by_relator, roles_of};
use isolario_model::content::{ContentModel, EntityKind, FieldDefinition, field_roles};
use isolario_search::query::FieldNames;
use isolario_search::{EXTRACTED_TEXT, TITLE};

/// The names by which people search, of a content model.
#[derive(Debug)]
pub struct SearchNames {
    /// Those that can stand before a colon in the search box.
    pub fields: FieldNames,
    facets: HashMap<String, FacetValues>,
}

/// What stands for the values of a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FacetValues {
    /// Ids of resources.
    Ids(EntityKind),
    /// The values themselves.
    Words,
    /// Relators of the content model.
    Relators,
}

impl SearchNames {
    /// Of a content model.
    pub fn of(model: &ContentModel) -> SearchNames {
        SearchNames {
            fields: field_names(model),
            facets: facets(model),
        }
    }

    /// What stands for the values of a facet; none if there is no such facet.
    pub fn facet(&self, name: &str) -> Option<FacetValues> {
        self.facets.get(name).copied()
    }
}

fn facets(model: &ContentModel) -> HashMap<String, FacetValues> {
    let ids = FacetValues::Ids(EntityKind::Node);
    let mut facets = HashMap::from([
        (COLLECTION.to_owned(), ids),
        (PART_OF.to_owned(), ids),
        (FORMAT.to_owned(), FacetValues::Words),
        (STATUS.to_owned(), FacetValues::Words),
    ]);
    for definition in fields(model) {
        let Some(name) = &definition.facet else {
            continue;
        };
        let kind = definition.target_kind();
        let values = kind.map_or(FacetValues::Words, FacetValues::Ids);
        facets.insert(name.clone(), values);
        if definition.field_type == "typed_relation" {
            facets.insert(roles_of(name), FacetValues::Relators);
            let relators = model.relators.keys();
            facets.extend(relators.map(|relator| (by_relator(name, relator), values)));
        }
    }
    facets
}

/// Every field of nodes and media.
fn fields(model: &ContentModel) -> impl Iterator<Item = &FieldDefinition> {
    let kinds = [EntityKind::Node, EntityKind::Media].into_iter();
    let bundles = kinds.flat_map(|kind| model.bundles_of(kind));
    bundles.flat_map(|bundle| &bundle.fields)
}

/// Names of the search box beside those of the content model: English, then German.
const NAMES: [(&str, &[&str], &str); 3] = [
    ("title", &["Titel"], TITLE),
    ("file", &["Datei", "filename", "Dateiname"], FILE_NAME),
    ("text", &["Volltext", "fulltext"], EXTRACTED_TEXT),
];

/// Other names of facets: German, and what people say instead.
const FACET_NAMES: [(&str, &[&str]); 7] = [
    ("subject", &["Thema", "Schlagwort", "topic"]),
    ("agent", &["Person", "creator", "contributor", "Urheber"]),
    ("place", &["Ort"]),
    ("genre", &["Gattung"]),
    ("language", &["Sprache"]),
    ("rights", &["Rechte"]),
    ("model", &["Modell"]),
];

/// The names of fields: facets stand for all their fields, then come labels and names of fields.
fn field_names(model: &ContentModel) -> FieldNames {
    let mut names = FieldNames::default();
    for (name, aliases, field) in NAMES {
        names.add(name, aliases, &[field]);
    }
    names.add_dates("date", &["Datum", "year", "Jahr"]);
    let nodes = || {
        let bundles = model.bundles_of(EntityKind::Node);
        bundles.flat_map(|bundle| &bundle.fields)
    };
    let mut facets: Vec<&String> = nodes().filter_map(|field| field.facet.as_ref()).collect();
    facets.sort_unstable();
    facets.dedup();
    for facet in facets {
        let with_facet = nodes().filter(|field| field.facet.as_ref() == Some(facet));
        let mut fields: Vec<&str> = with_facet.map(|field| field.name.as_str()).collect();
        fields.sort_unstable();
        fields.dedup();
        let aliases = FACET_NAMES.iter().find(|(name, _)| name == facet);
        names.add(facet, aliases.map_or(&[], |(_, aliases)| aliases), &fields);
    }
    names.add("identifier", &[], &[&field_roles().identifier]);
    for field in nodes() {
        let label = field.value_label.as_ref().unwrap_or(&field.label);
        names.add(label, &[&field.label, &field.name], &[&field.name]);
        names.add(&field.name, &[], &[&field.name]);
    }
    names
}
