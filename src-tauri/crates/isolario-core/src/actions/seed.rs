//! Sets up a new repository in one transaction: the content model, the roles, the first account and the terms of the
//! program. A repository of an older program gets at its next start what the program has added since.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::json;

use super::{Author, write_entity};
use isolario_db::{Db, DbError, NewUser, Read, Write};
use isolario_model::content::entity::value_item;
use isolario_model::content::model::GivenTerms;
use isolario_model::content::seed::{Seed, SeedRole, SeedTerm, shipped};
use isolario_model::content::user::ADMINISTRATOR_ROLE;
use isolario_model::content::{Bundle, ContentModel, Entity, EntityKind, field_roles};
use isolario_model::origin::Origin;
use isolario_model::policy::{
    Actor, Operation, PermittedRoleChange, Subject, expand, permit, permit_roles, permit_server,
};

/// Fills an empty database, and adds to another one what the program has for it. Returns the model.
///
/// # Errors
/// Whatever the database refuses.
pub async fn seed(db: &Db) -> Result<ContentModel, DbError> {
    seed_with(db, shipped()?).await
}

async fn seed_with(db: &Db, seed: Seed) -> Result<ContentModel, DbError> {
    match db.read(|read| read.content_model()).await? {
        Some(model) if has_all(&model, &seed) => Ok(model),
        Some(model) => {
            db.write(move |write| add_missing(write, model, &seed))
                .await
        }
        None => db.write(move |write| fill(write, seed)).await,
    }
}

fn fill(write: &mut Write<'_>, seed: Seed) -> Result<ContentModel, DbError> {
    let mut model = seed.model;
    model.add_missing(&model.clone());
    model.given_terms = Some(keys_of(&seed.terms));
    model.given_permissions = additions_of(&seed.roles);
    let permitted = permit_server(&Actor::program())?;
    write.set_content_model(&permitted, &model)?;
    let roles_permitted = permit_roles(&Actor::program())?;
    for role in &seed.roles {
        write.insert_role(
            &roles_permitted,
            &role.name,
            &role.label,
            &permissions_of(role, &model),
        )?;
        write.grant(&roles_permitted, &role.name, &role.added)?;
    }
    seed_administrator(write)?;
    seed_terms(write, &model, &seed.terms)?;
    Ok(model)
}

fn keys_of(terms: &[SeedTerm]) -> GivenTerms {
    let mut keys = GivenTerms::new();
    terms.iter().for_each(|term| note(&mut keys, term));
    keys
}

fn note(keys: &mut GivenTerms, term: &SeedTerm) {
    let of_vocabulary = keys.entry(term.vocabulary.clone()).or_default();
    of_vocabulary.insert(term.key().to_owned());
}

fn is_given(keys: &GivenTerms, term: &SeedTerm) -> bool {
    keys.get(&term.vocabulary)
        .is_some_and(|keys| keys.contains(term.key()))
}

fn has_all(model: &ContentModel, seed: &Seed) -> bool {
    let mut complete = model.clone();
    complete.add_missing(&seed.model);
    let given = model.given_terms.as_ref();
    complete == *model
        && seed
            .roles
            .iter()
            .all(|role| lacking(model, role).is_empty())
        && given.is_some_and(|given| seed.terms.iter().all(|term| is_given(given, term)))
}

/// Adds what the repository never had. It changes nothing that people have renamed, changed or deleted.
fn add_missing(
    write: &mut Write<'_>,
    stored: ContentModel,
    seed: &Seed,
) -> Result<ContentModel, DbError> {
    let mut given = match &stored.given_terms {
        Some(given) => given.clone(),
        None => given_before(write, &seed.terms)?,
    };
    let permitted = permit_server(&Actor::program())?;
    let mut model = stored.clone();
    model.add_missing(&seed.model);
    let roles_permitted = permit_roles(&Actor::program())?;
    grant_additions(write, &roles_permitted, &stored, &seed.roles)?;
    model.given_permissions = additions_of(&seed.roles);
    grant_new_bundles(write, &roles_permitted, &stored, &model, &seed.roles)?;
    for term in &seed.terms {
        if !is_given(&given, term) {
            add_term(write, &model, seed, term)?;
            note(&mut given, term);
        }
    }
    model.given_terms = Some(given);
    write.set_content_model(&permitted, &model)?;
    tracing::info!("additions of the content model were made");
    Ok(model)
}

/// The terms that an older program has added without a note of them, by their revisions. A purged term has no
/// revisions. Then all terms of its vocabulary count as added, so that the purged one does not come back.
fn given_before(read: &Read<'_>, terms: &[SeedTerm]) -> Result<GivenTerms, DbError> {
    let traces = read.terms_ever()?;
    let purged = read.vocabularies_with_purged_terms()?;
    let had = |vocabulary: &str, text: &str| traces.contains(&(vocabulary.into(), text.into()));
    let mut given = GivenTerms::new();
    for term in terms {
        if purged.contains(&term.vocabulary)
            || had(&term.vocabulary, &term.uri)
            || had(&term.vocabulary, &term.name)
        {
            note(&mut given, term);
        }
    }
    Ok(given)
}

fn additions_of(roles: &[SeedRole]) -> BTreeMap<String, BTreeSet<String>> {
    let added = roles.iter().filter(|role| !role.added.is_empty());
    added
        .map(|role| (role.name.clone(), role.added.iter().cloned().collect()))
        .collect()
}

/// What has been added to a role since the program that the repository knows.
fn lacking(model: &ContentModel, role: &SeedRole) -> Vec<String> {
    let given = model.given_permissions.get(&role.name);
    let is_given = |name: &String| given.is_some_and(|given| given.contains(name));
    let added = role.added.iter().filter(|name| !is_given(name));
    added.cloned().collect()
}

/// A role that permits what an older program gave it, no more and no less, permits what was added, too.
fn grant_additions<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedRoleChange<'t>,
    stored: &ContentModel,
    roles: &[SeedRole],
) -> Result<(), DbError> {
    for role in roles {
        let lacking = lacking(stored, role);
        let given = role.added.iter().filter(|name| !lacking.contains(name));
        let shipped = permissions_of(role, stored);
        let shipped: BTreeSet<&String> = shipped.iter().chain(given).collect();
        if let Some(current) = write.role(&role.name)?
            && current.permissions.iter().collect::<BTreeSet<_>>() == shipped
        {
            write.grant(permitted, &role.name, &lacking)?;
        }
    }
    Ok(())
}

/// The roles of a new repository may do with new bundles what they may do with the others.
fn grant_new_bundles<'t>(
    write: &mut Write<'t>,
    permitted: &PermittedRoleChange<'t>,
    stored: &ContentModel,
    model: &ContentModel,
    roles: &[SeedRole],
) -> Result<(), DbError> {
    let is_new = |bundle: &Bundle| stored.bundle(bundle.kind, &bundle.id).is_none();
    let bundles = model.bundles.iter().filter(|bundle| is_new(bundle));
    let added = ContentModel {
        bundles: bundles.cloned().collect(),
        ..ContentModel::default()
    };
    for role in roles {
        let templates = role.permissions.iter().filter(|name| name.contains('{'));
        let of_bundles = SeedRole {
            permissions: templates.cloned().collect(),
            ..role.clone()
        };
        if write.role(&role.name)?.is_some() {
            write.grant(permitted, &role.name, &permissions_of(&of_bundles, &added))?;
        }
    }
    Ok(())
}

/// A term of that name or address that people have made counts as the term.
fn add_term(
    write: &mut Write<'_>,
    model: &ContentModel,
    seed: &Seed,
    term: &SeedTerm,
) -> Result<(), DbError> {
    let Some(bundle) = model.bundle(EntityKind::Term, &term.vocabulary) else {
        return Ok(());
    };
    if live_term(write, term)?.is_some() {
        return Ok(());
    }
    let is_parent =
        |other: &&SeedTerm| (&other.vocabulary, &other.name) == (&term.vocabulary, &term.parent);
    let parent = match seed.terms.iter().find(is_parent) {
        Some(parent) => live_term(write, parent)?,
        None => None,
    };
    let program = Actor::program();
    let author = Author::new(&program, Origin::Command);
    let entity = term_entity(term, bundle, parent, &author);
    let permitted = permit(&program, Operation::Create, &Subject::of(&entity))?;
    write_entity::create(write, &permitted, model, entity, &author)?;
    Ok(())
}

fn live_term(read: &Read<'_>, term: &SeedTerm) -> Result<Option<i64>, DbError> {
    for found in [
        read.term_by_uri(&term.uri)?,
        read.term_by_authority(&term.uri)?,
    ] {
        let target = found.map(|tid| read.target(EntityKind::Term, tid));
        if let Some(target) = target.transpose()?.flatten()
            && target.bundle == term.vocabulary
        {
            return Ok(Some(target.id));
        }
    }
    read.term_by_name(&term.vocabulary, &term.name)
}

/// A permission template makes one permission for each bundle.
fn permissions_of(role: &SeedRole, model: &ContentModel) -> Vec<String> {
    let templates = role.permissions.iter();
    let expanded = templates.flat_map(|template| expand(template, model));
    expanded.map(|(name, _)| name).collect()
}

fn seed_administrator(write: &mut Write<'_>) -> Result<(), DbError> {
    let user = NewUser {
        name: "admin".into(),
        mail: None,
        password_hash: None,
        roles: vec![ADMINISTRATOR_ROLE.into()],
        collection_roles: Vec::new(),
        at: chrono::Utc::now().timestamp(),
    };
    let account = Subject::of_account(0, true);
    let permitted = permit(&Actor::program(), Operation::Create, &account)?;
    write.insert_user(&permitted, &user)?;
    Ok(())
}

fn seed_terms(
    write: &mut Write<'_>,
    model: &ContentModel,
    terms: &[SeedTerm],
) -> Result<(), DbError> {
    let program = Actor::program();
    let author = Author::new(&program, Origin::Command);
    let mut ids: HashMap<(&str, &str), i64> = HashMap::new();
    for term in terms {
        let Some(bundle) = model.bundle(EntityKind::Term, &term.vocabulary) else {
            continue;
        };
        let parent = ids.get(&(term.vocabulary.as_str(), term.parent.as_str()));
        let entity = term_entity(term, bundle, parent.copied(), &author);
        let permitted = permit(&program, Operation::Create, &Subject::of(&entity))?;
        let id = write_entity::create_silently(write, &permitted, model, entity, &author)?.id;
        ids.insert((&term.vocabulary, &term.name), id);
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
    if !term.code.is_empty() && bundle.field(&field_roles().code).is_some() {
        entity.set(&field_roles().code, vec![value_item(term.code.as_str())]);
    }
    entity
}

/// Where a vocabulary has authority links, its terms' addresses are those of a named authority.
fn set_address(entity: &mut Entity, term: &SeedTerm, bundle: &Bundle) {
    if term.uri.is_empty() {
        return;
    }
    let fields = field_roles();
    let (field, properties) = if bundle.field(&fields.external_uri).is_some() {
        (&fields.external_uri, json!({ "uri": term.uri }))
    } else if bundle.field(&fields.authority_link).is_some() {
        (
            &fields.authority_link,
            json!({ "uri": term.uri, "source": term.authority }),
        )
    } else {
        return;
    };
    let item = properties.as_object().cloned().unwrap_or_default();
    entity.set(field, vec![item]);
}

#[cfg(test)]
mod tests;
