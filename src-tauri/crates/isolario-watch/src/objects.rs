//! Makes collections, or items with pages or parts, of subfolders, and orders their members.

use serde_json::json;

use super::WatchedFolder;
use super::draft::{beside, said, template};
use super::names::{split, title};
use super::rule_validation::model_or_use;
use super::values::Terms;
use isolario_core::actions::create_entity::{Creation, create_entity_and};
use isolario_core::actions::patch_entity::patch_entity;
use isolario_core::actions::{Author, Precondition, Refusal};
use isolario_db::DbError;
use isolario_model::content::{EntityKind, TermRole, WatchedFile, field_roles, uri_of};
use isolario_model::origin::Origin;
use isolario_model::policy::Actor;
use isolario_model::watch_rule::Subfolders;

/// Finds or makes the item that the item of a file becomes a member of; `None`: it becomes a member of none.
///
/// # Errors
/// As the actions that make it.
pub async fn parent(
    watched: &WatchedFolder,
    actor: &Actor,
    path: &str,
) -> Result<Option<i64>, Refusal> {
    let folder = match watched.rule.subfolders {
        Subfolders::Ignored | Subfolders::Flat => "",
        Subfolders::Collections => split(path).0,
        Subfolders::Paged | Subfolders::Compound => {
            path.split_once('/').map_or("", |(first, _)| first)
        }
    };
    if folder.is_empty() {
        return Ok(watched.rule.collection);
    }
    // Two files of a new folder make it once.
    let _turn = watched.turns.lock().await;
    let mut above = watched.rule.collection;
    let mut inside = String::new();
    for name in folder.split('/') {
        if !inside.is_empty() {
            inside.push('/');
        }
        inside.push_str(name);
        above = Some(item_of(watched, actor, &inside, above).await?);
    }
    Ok(above)
}

async fn item_of(
    watched: &WatchedFolder,
    actor: &Actor,
    folder: &str,
    above: Option<i64>,
) -> Result<i64, Refusal> {
    let db = &watched.repository.db;
    let known = db.read_here(|read| -> Result<Option<i64>, DbError> {
        match read.watch_folder(watched.id, folder)? {
            Some(nid) => Ok(read.target(EntityKind::Node, nid)?.map(|target| target.id)),
            None => Ok(None),
        }
    })?;
    if let Some(nid) = known {
        return Ok(nid);
    }
    let body = folder_body(watched, actor, folder, above).await?;
    let (author, id, path) = (
        Author::new(actor, Origin::Watch),
        watched.id,
        folder.to_owned(),
    );
    let model = watched.repository.model();
    let made = create_entity_and(
        db,
        &model,
        Creation::of_item(body),
        actor,
        author,
        move |write, node| Ok(write.set_watch_folder(id, &path, node.id)?),
    );
    Ok(made.await?.id)
}

async fn folder_body(
    watched: &WatchedFolder,
    actor: &Actor,
    folder: &str,
    above: Option<i64>,
) -> Result<Vec<u8>, Refusal> {
    let model = match watched.rule.subfolders {
        Subfolders::Paged => TermRole::Paged,
        Subfolders::Compound => TermRole::Compound,
        _ => TermRole::Collection,
    };
    let model = uri_of(model);
    let tid = watched
        .repository
        .db
        .read_here(|read| model_or_use(read, model))?;
    let tid =
        tid.ok_or_else(|| Refusal::Missing(format!("There is no model {model} any more.")))?;
    let mut description = match watched.rule.makes_objects() {
        true => template(watched),
        false => super::sidecar::Description::new(),
    };
    description.extend(beside(watched, folder)?);
    let mut body = said(watched, actor, &description, Terms::Made).await?;
    let name = split(folder).1;
    body.entry("title")
        .or_insert_with(|| json!([{ "value": title(&format!("{name}.")) }]));
    body.entry(field_roles().model.as_str())
        .or_insert_with(|| json!([{ "target_id": tid }]));
    if let Some(above) = above {
        body.insert(
            field_roles().member_of.clone(),
            json!([{ "target_id": above }]),
        );
    }
    Ok(serde_json::Value::Object(body).to_string().into_bytes())
}

/// Adds an item to the collection of the folder.
///
/// # Errors
/// `Denied`; as the action that changes it.
pub async fn put_into(
    watched: &WatchedFolder,
    actor: &Actor,
    nid: i64,
    collection: i64,
) -> Result<(), Refusal> {
    let db = &watched.repository.db;
    let (kind, id) = (EntityKind::Node, nid);
    let node = db.read_here(|read| read.entity(kind, id))?;
    let node = node.ok_or(Refusal::NotFound { kind, id })?;
    let member_of = field_roles().member_of.as_str();
    let mut parents = node.references(member_of);
    if parents.contains(&collection) {
        return Ok(());
    }
    parents.push(collection);
    let items: Vec<_> = parents
        .into_iter()
        .map(|nid| json!({ "target_id": nid }))
        .collect();
    let body = json!({ "type": [{ "target_id": node.bundle }], member_of: items });
    change(watched, actor, node, body).await
}

async fn change(
    watched: &WatchedFolder,
    actor: &Actor,
    node: isolario_model::content::Entity,
    body: serde_json::Value,
) -> Result<(), Refusal> {
    let author = Author::new(actor, Origin::Watch);
    let (db, model) = (&watched.repository.db, &watched.repository.model());
    let body = body.to_string().into_bytes();
    patch_entity(db, model, node, body, actor, author, Precondition::Unsaid).await?;
    Ok(())
}

/// Orders the pages of an object by their names, after pages were added between others.
pub async fn put_pages_in_order(watched: &WatchedFolder) {
    if !watched.rule.makes_objects() {
        return;
    }
    if let Err(refusal) = try_to_order(watched).await {
        tracing::warn!(%refusal, "pages could not be put in order");
    }
}

async fn try_to_order(watched: &WatchedFolder) -> Result<(), Refusal> {
    let (db, id) = (&watched.repository.db, watched.id);
    let folders = db.read_here(|read| read.watch_folders(id))?;
    for folder in folders {
        let wrong = db.read_here(|read| read.misplaced_pages(id, &folder))?;
        for (file, nid, place) in wrong {
            put_page(watched, file, nid, place).await?;
        }
    }
    Ok(())
}

async fn put_page(watched: &WatchedFolder, file: i64, nid: i64, place: i64) -> Result<(), Refusal> {
    let db = &watched.repository.db;
    let actor = owner(watched).await?;
    if let Some(node) = db.read_here(|read| read.entity(EntityKind::Node, nid))? {
        let body = json!({
            "type": [{ "target_id": node.bundle }],
            field_roles().weight.as_str(): [{ "value": place }],
        });
        change(watched, &actor, node, body).await?;
    }
    db.write(move |write| write.set_watched_item(file, nid, Some(place)))
        .await?;
    Ok(())
}

/// The account of the rule, with its current permissions.
///
/// # Errors
/// `Storage` for one that is gone or disabled, because it may be enabled again before the next attempt.
pub async fn owner(watched: &WatchedFolder) -> Result<Actor, Refusal> {
    let name = watched.rule.owner.clone();
    let user = watched
        .repository
        .db
        .read_here(|read| read.user_by_name(&name))?;
    let actor = match user {
        Some(user) => watched.repository.authenticator.actor(user.uid).await?,
        None => None,
    };
    actor.ok_or_else(|| Refusal::Conflict(format!("The account {name} may not sign in.")))
}

/// The place of a page among those of its object; `None` for a file that is no page.
///
/// # Errors
/// What the database refuses.
pub fn place_of(watched: &WatchedFolder, file: &WatchedFile) -> Result<Option<i64>, DbError> {
    match super::draft::is_part(watched, &file.path) {
        true => watched
            .repository
            .db
            .read_here(|read| read.watched_place(file.id))
            .map(Some),
        false => Ok(None),
    }
}
