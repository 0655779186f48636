//! Subfolders that become collections, or objects with pages or parts, and the order of these.

use serde_json::json;

use super::Taking;
use super::draft::{beside, said, template};
use super::kinds::{COLLECTION, COMPOUND, PAGED};
use super::names::{split, title};
use super::rule::Subfolders;
use super::standing::model_or_use;
use super::values::Terms;
use crate::actions::create_entity::create_entity_and;
use crate::actions::update_entity::update_entity;
use crate::actions::{Author, Expected, Refusal};
use crate::auth::{Actor, Operation, Subject, may};
use crate::content::{EntityKind, WatchedFile};
use crate::db::DbError;
use crate::repository::Door;

/// The item that an item made of a file becomes a member of, made where it is missing; `None` for none.
///
/// # Errors
/// As the actions that make it.
pub async fn parent(taking: &Taking, actor: &Actor, path: &str) -> Result<Option<i64>, Refusal> {
    let folder = match taking.rule.subfolders {
        Subfolders::Ignored | Subfolders::Flat => "",
        Subfolders::Collections => split(path).0,
        Subfolders::Paged | Subfolders::Compound => {
            path.split_once('/').map_or("", |(first, _)| first)
        }
    };
    if folder.is_empty() {
        return Ok(taking.rule.collection);
    }
    // Two files of a new folder make it once.
    let _turn = taking.turns.lock().await;
    let mut above = taking.rule.collection;
    let mut inside = String::new();
    for name in folder.split('/') {
        if !inside.is_empty() {
            inside.push('/');
        }
        inside.push_str(name);
        above = Some(item_of(taking, actor, &inside, above).await?);
    }
    Ok(above)
}

async fn item_of(
    taking: &Taking,
    actor: &Actor,
    folder: &str,
    above: Option<i64>,
) -> Result<i64, Refusal> {
    let db = &taking.repository.db;
    let known = db.read_here(|read| -> Result<Option<i64>, DbError> {
        match read.watch_folder(taking.id, folder)? {
            Some(nid) => Ok(read.target(EntityKind::Node, nid)?.map(|target| target.id)),
            None => Ok(None),
        }
    })?;
    if let Some(nid) = known {
        return Ok(nid);
    }
    let body = folder_body(taking, actor, folder, above).await?;
    let (author, id, path) = (
        Author::new(actor, Door::Watch),
        taking.id,
        folder.to_owned(),
    );
    let made = create_entity_and(
        db,
        &taking.repository.model,
        EntityKind::Node,
        body,
        actor,
        author,
        move |write, node| Ok(write.set_watch_folder(id, &path, node.id)?),
    );
    Ok(made.await?.id)
}

async fn folder_body(
    taking: &Taking,
    actor: &Actor,
    folder: &str,
    above: Option<i64>,
) -> Result<Vec<u8>, Refusal> {
    let model = match taking.rule.subfolders {
        Subfolders::Paged => PAGED,
        Subfolders::Compound => COMPOUND,
        _ => COLLECTION,
    };
    let tid = taking
        .repository
        .db
        .read_here(|read| model_or_use(read, model))?;
    let tid =
        tid.ok_or_else(|| Refusal::Missing(format!("There is no model {model} any more.")))?;
    let mut description = match taking.rule.makes_objects() {
        true => template(taking),
        false => super::sidecar::Description::new(),
    };
    description.extend(beside(taking, folder)?);
    let mut body = said(taking, actor, &description, Terms::Made).await?;
    let name = split(folder).1;
    body.entry("title")
        .or_insert_with(|| json!([{ "value": title(&format!("{name}.")) }]));
    body.entry("field_model")
        .or_insert_with(|| json!([{ "target_id": tid }]));
    if let Some(above) = above {
        body.insert("field_member_of".into(), json!([{ "target_id": above }]));
    }
    Ok(serde_json::Value::Object(body).to_string().into_bytes())
}

/// Puts an item into the collection of the folder, besides those in which it is.
///
/// # Errors
/// `Denied`; as the action that changes it.
pub async fn put_into(
    taking: &Taking,
    actor: &Actor,
    nid: i64,
    collection: i64,
) -> Result<(), Refusal> {
    let db = &taking.repository.db;
    let (kind, id) = (EntityKind::Node, nid);
    let node = db.read_here(|read| read.entity(kind, id))?;
    let node = node.ok_or(Refusal::NotFound { kind, id })?;
    let mut parents = node.references("field_member_of");
    if parents.contains(&collection) {
        return Ok(());
    }
    parents.push(collection);
    may(actor, Operation::Update, &Subject::of(&node))?;
    let items: Vec<_> = parents
        .into_iter()
        .map(|nid| json!({ "target_id": nid }))
        .collect();
    let body = json!({ "type": [{ "target_id": node.bundle }], "field_member_of": items });
    change(taking, actor, node, body).await
}

async fn change(
    taking: &Taking,
    actor: &Actor,
    node: crate::content::Entity,
    body: serde_json::Value,
) -> Result<(), Refusal> {
    let author = Author::new(actor, Door::Watch);
    let (db, model) = (&taking.repository.db, &taking.repository.model);
    let body = body.to_string().into_bytes();
    update_entity(db, model, node, body, actor, author, Expected::Unsaid).await?;
    Ok(())
}

/// Gives pages the places that their names have among all pages of their object, when others have come between.
pub async fn put_pages_in_order(taking: &Taking) {
    if !taking.rule.makes_objects() {
        return;
    }
    if let Err(refusal) = try_to_order(taking).await {
        tracing::warn!(%refusal, "pages could not be put in order");
    }
}

async fn try_to_order(taking: &Taking) -> Result<(), Refusal> {
    let (db, id) = (&taking.repository.db, taking.id);
    let folders = db.read_here(|read| read.watch_folders(id))?;
    for folder in folders {
        let wrong = db.read_here(|read| read.misplaced_pages(id, &folder))?;
        for (file, nid, place) in wrong {
            put_page(taking, file, nid, place).await?;
        }
    }
    Ok(())
}

async fn put_page(taking: &Taking, file: i64, nid: i64, place: i64) -> Result<(), Refusal> {
    let db = &taking.repository.db;
    let actor = owner(taking).await?;
    if let Some(node) = db.read_here(|read| read.entity(EntityKind::Node, nid))? {
        may(&actor, Operation::Update, &Subject::of(&node))?;
        let body = json!({
            "type": [{ "target_id": node.bundle }],
            "field_weight": [{ "value": place }],
        });
        change(taking, &actor, node, body).await?;
    }
    db.write(move |write| write.set_watched_item(file, nid, Some(place)))
        .await?;
    Ok(())
}

/// The account in whose name everything is done, as it stands now.
///
/// # Errors
/// `Storage` for one that is gone or disabled: it may be back the next time.
pub async fn owner(taking: &Taking) -> Result<Actor, Refusal> {
    let name = taking.rule.owner.clone();
    let user = taking
        .repository
        .db
        .read_here(|read| read.user_by_name(&name))?;
    let actor = match user {
        Some(user) => taking.repository.authenticator.actor(user.uid).await?,
        None => None,
    };
    actor.ok_or_else(|| Refusal::Storage(format!("The account {name} may not sign in.")))
}

/// The place of a page among those of its object; `None` for a file that is none.
///
/// # Errors
/// What the database refuses.
pub fn place_of(taking: &Taking, file: &WatchedFile) -> Result<Option<i64>, DbError> {
    match super::draft::is_part(taking, &file.path) {
        true => taking
            .repository
            .db
            .read_here(|read| read.watched_place(file.id))
            .map(Some),
        false => Ok(None),
    }
}
