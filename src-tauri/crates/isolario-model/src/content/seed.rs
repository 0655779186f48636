//! What a new repository knows: the content model, the terms and the roles that travel with the program.

use serde::Deserialize;

use super::ContentModel;
use super::roles::{KnownTerm, MODEL, model_roles};

const TERMS: &str = include_str!("../../../../../assets/terms.csv");
const ROLES: &str = include_str!("../../../../../assets/roles.json");

/// One term of a new repository: a model, a media use, or a row of `assets/terms.csv`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeedTerm {
    pub vocabulary: String,
    pub name: String,
    pub uri: String,
    /// Source of an authority link; empty where the URI is no authority's.
    pub authority: String,
    /// Name of the parent in the same vocabulary; empty at the top.
    pub parent: String,
    pub code: String,
    pub description: String,
}

impl SeedTerm {
    /// What the term is known by among those of its vocabulary: its address, or its name where it has none.
    pub fn key(&self) -> &str {
        if self.uri.is_empty() {
            &self.name
        } else {
            &self.uri
        }
    }
}

/// One role of `assets/roles.json`. Permission templates (`create {bundle} content`) stand for every bundle.
#[derive(Debug, Clone, Deserialize)]
pub struct SeedRole {
    pub name: String,
    pub label: String,
    pub permissions: Vec<String>,
    /// What later programs permit besides. A role of an older repository receives it if its people have not changed it.
    #[serde(default)]
    pub added: Vec<String>,
}

/// What the program gives to its repositories.
#[derive(Debug, Clone)]
pub struct Seed {
    pub model: ContentModel,
    /// Parents before children.
    pub terms: Vec<SeedTerm>,
    pub roles: Vec<SeedRole>,
}

/// The content model, terms and roles that travel with the program.
///
/// # Errors
/// When the assets cannot be read.
pub fn shipped() -> Result<Seed, serde_json::Error> {
    Ok(Seed {
        model: content_model()?,
        terms: terms(),
        roles: serde_json::from_str(ROLES)?,
    })
}

/// The content model of a new repository, its bundles with fresh UUIDs.
pub fn content_model() -> Result<ContentModel, serde_json::Error> {
    let mut model: ContentModel = serde_json::from_str(MODEL)?;
    for bundle in &mut model.bundles {
        std::sync::Arc::make_mut(bundle).uuid = uuid::Uuid::new_v4().to_string();
    }
    Ok(model)
}

/// The terms of a new repository, parents before children.
pub fn terms() -> Vec<SeedTerm> {
    let roles = model_roles();
    let known = |vocabulary: &'static str, terms: &'static [KnownTerm]| {
        terms.iter().map(move |term| SeedTerm {
            vocabulary: vocabulary.to_owned(),
            name: term.name.clone(),
            uri: term.uri.clone(),
            description: term.description.clone(),
            ..SeedTerm::default()
        })
    };
    known(&roles.bundles.media_uses, &roles.media_uses)
        .chain(known(&roles.bundles.models, &roles.models))
        .chain(csv_rows(TERMS).skip(1).filter_map(from_row))
        .collect()
}

fn from_row(row: Vec<String>) -> Option<SeedTerm> {
    let mut cells = row.into_iter();
    Some(SeedTerm {
        vocabulary: cells.next()?,
        name: cells.next()?,
        uri: cells.next()?,
        authority: cells.next()?,
        parent: cells.next()?,
        code: cells.next()?,
        description: cells.next()?,
    })
}

fn csv_rows(text: &'static str) -> impl Iterator<Item = Vec<String>> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes())
        .into_records()
        .filter_map(Result::ok)
        .map(|record| record.iter().map(str::to_owned).collect())
}
