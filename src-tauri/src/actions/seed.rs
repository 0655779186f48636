//! Setting up a new repository: content model, roles, the first account and the terms that come
//! with the program. One transaction, once.

use std::collections::HashMap;

use serde_json::json;

use super::{Author, store};
use crate::auth::Actor;
use crate::content::entity::value_item;
use crate::content::seed::{self, SeedRole, SeedTerm};
use crate::content::user::ADMINISTRATOR_ROLE;
use crate::content::{Bundle, ContentModel, Entity, EntityKind};
use crate::db::{Db, DbError, NewUser, Write};
use crate::repository::Door;

/// Fills an empty database; does nothing to one that has a content model. Returns the model.
///
/// # Errors
/// Whatever the database refuses.
pub async fn seed(db: &Db) -> Result<ContentModel, DbError> {
    if let Some(model) = db.read(|read| read.content_model()).await? {
        return Ok(model);
    }
    db.write(|write| {
        let model = seed::content_model()?;
        write.set_content_model(&model)?;
        seed_roles(write, &model)?;
        seed_administrator(write)?;
        seed_terms(write, &model)?;
        Ok(model)
    })
    .await
}

fn seed_roles(write: &mut Write<'_>, model: &ContentModel) -> Result<(), DbError> {
    for role in seed::roles()? {
        write.insert_role(&role.name, &role.label, &permissions_of(&role, model))?;
    }
    Ok(())
}

/// A permission template stands for one permission a bundle.
fn permissions_of(role: &SeedRole, model: &ContentModel) -> Vec<String> {
    let templates = [
        ("{bundle}", EntityKind::Node),
        ("{type}", EntityKind::Media),
        ("{vid}", EntityKind::Term),
    ];
    let expand = |permission: &String| match templates
        .iter()
        .find(|(placeholder, _)| permission.contains(placeholder))
    {
        Some((placeholder, kind)) => model
            .bundles_of(*kind)
            .map(|bundle| permission.replace(placeholder, &bundle.id))
            .collect(),
        None => vec![permission.clone()],
    };
    role.permissions.iter().flat_map(expand).collect()
}

fn seed_administrator(write: &mut Write<'_>) -> Result<(), DbError> {
    write.insert_user(&NewUser {
        name: "admin".into(),
        mail: None,
        password_hash: None,
        roles: vec![ADMINISTRATOR_ROLE.into()],
        at: chrono::Utc::now().timestamp(),
    })?;
    Ok(())
}

fn seed_terms(write: &mut Write<'_>, model: &ContentModel) -> Result<(), DbError> {
    let author = Author::new(&Actor::program(), Door::Command);
    let mut ids: HashMap<(String, String), i64> = HashMap::new();
    for term in seed::terms() {
        let Some(bundle) = model.bundle(EntityKind::Term, &term.vocabulary) else {
            continue;
        };
        let parent = ids.get(&(term.vocabulary.clone(), term.parent.clone()));
        let entity = term_entity(&term, bundle, parent.copied(), &author);
        let id = store::create_silently(write, model, entity, &author)?.id;
        ids.insert((term.vocabulary, term.name), id);
    }
    Ok(())
}

fn term_entity(term: &SeedTerm, bundle: &Bundle, parent: Option<i64>, author: &Author) -> Entity {
    let mut entity = Entity::new(EntityKind::Term, &bundle.id);
    entity.set_value("langcode", "en");
    entity.set_value("status", true);
    entity.set_value("name", term.name.as_str());
    entity.set_value("weight", 0);
    entity.set_reference("uid", author.uid);
    if let Some(parent) = parent {
        entity.set_reference("parent", parent);
    }
    if !term.description.is_empty() {
        entity.set_value("description", term.description.as_str());
    }
    set_address(&mut entity, term, bundle);
    if !term.code.is_empty() && bundle.field("field_code").is_some() {
        entity.set("field_code", vec![value_item(term.code.as_str())]);
    }
    entity
}

/// Where a vocabulary has authority links, its terms' addresses are those of a named authority.
fn set_address(entity: &mut Entity, term: &SeedTerm, bundle: &Bundle) {
    if term.uri.is_empty() {
        return;
    }
    let (field, properties) = if bundle.field("field_external_uri").is_some() {
        ("field_external_uri", json!({ "uri": term.uri }))
    } else if bundle.field("field_authority_link").is_some() {
        (
            "field_authority_link",
            json!({ "uri": term.uri, "source": term.authority }),
        )
    } else {
        return;
    };
    let item = properties.as_object().cloned().unwrap_or_default();
    entity.set(field, vec![item]);
}
