//! What a new repository knows: the content model, the terms and the roles that travel with the program.

use serde::Deserialize;

use super::ContentModel;

const MODEL: &str = include_str!("../../../assets/content-model.json");
const TERMS: &str = include_str!("../../../assets/terms.csv");
const ROLES: &str = include_str!("../../../assets/roles.json");

/// One term of `assets/terms.csv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedTerm {
    pub vocabulary: String,
    pub name: String,
    pub uri: String,
    /// Source of an authority link; empty where the URI is the term's `field_external_uri`.
    pub authority: String,
    /// Name of the parent in the same vocabulary; empty at the top.
    pub parent: String,
    pub code: String,
    pub description: String,
}

/// One role of `assets/roles.json`. Permission templates (`create {bundle} content`) stand for every bundle.
#[derive(Debug, Clone, Deserialize)]
pub struct SeedRole {
    pub name: String,
    pub label: String,
    pub permissions: Vec<String>,
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
    csv_rows(TERMS)
        .skip(1)
        .filter_map(|row| {
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
        })
        .collect()
}

/// The roles of a new repository.
pub fn roles() -> Result<Vec<SeedRole>, serde_json::Error> {
    serde_json::from_str(ROLES)
}

fn csv_rows(text: &'static str) -> impl Iterator<Item = Vec<String>> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes())
        .into_records()
        .filter_map(Result::ok)
        .map(|record| record.iter().map(str::to_owned).collect())
}
