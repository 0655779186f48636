//! What a repository of an older program receives, and what it keeps.

use super::*;
use isolario_model::policy::PermittedChange;
use std::sync::Arc;

const NEW_VOCABULARY: &str = "tags";
const NEW_FIELD: &str = "field_note";
const NEW_TERM: &str = "Transcript";
const RENAMED: &str = "Audio";
const DELETED: &str = "Newspaper";
const PURGED: &str = "OpenSeadragon";

/// What an older program gave, without a vocabulary, a field and a term.
fn older() -> Seed {
    let mut seed = shipped().expect("a seed");
    let is_old = |bundle: &Arc<Bundle>| bundle.id != NEW_VOCABULARY;
    seed.model.bundles.retain(is_old);
    for bundle in &mut seed.model.bundles {
        let fields = &mut Arc::make_mut(bundle).fields;
        fields.retain(|field| field.name != NEW_FIELD);
    }
    seed.terms.retain(|term| term.name != NEW_TERM);
    for role in &mut seed.roles {
        role.added.clear();
    }
    seed
}

fn term(read: &Read<'_>, vocabulary: &str, name: &str) -> Entity {
    let tid = read.term_by_name(vocabulary, name).expect("an answer");
    let term = read.entity(EntityKind::Term, tid.expect("a term"));
    term.expect("an answer").expect("a term")
}

fn permitted<'t>(operation: Operation, entity: &Entity) -> PermittedChange<'t> {
    permit(&Actor::program(), operation, &Subject::of(entity)).expect("the program may")
}

fn change_terms(write: &mut Write<'_>, model: &ContentModel) -> Result<(), DbError> {
    let author = Author::new(&Actor::program(), Origin::Rest);
    let models = "islandora_models";
    let mut renamed = term(write, models, RENAMED);
    renamed.set_value("name", "Sound");
    let update = permitted(Operation::Update, &renamed);
    write_entity::update(write, &update, model, renamed, &author)?;
    let deleted = term(write, models, DELETED);
    let delete = permitted(Operation::Delete, &deleted);
    write_entity::delete(write, &delete, &deleted, &author)?;
    let purged = term(write, "islandora_display", PURGED);
    let delete = permitted(Operation::Delete, &purged);
    write_entity::delete(write, &delete, &purged, &author)?;
    let purge = permitted(Operation::Purge, &purged);
    write_entity::purge(write, &purge, &purged, &author)
}

async fn names(db: &Db, vocabulary: &'static str) -> Vec<String> {
    let seed = shipped().expect("a seed");
    let known = seed
        .terms
        .into_iter()
        .filter(|one| one.vocabulary == vocabulary);
    let known: Vec<String> = known.map(|one| one.name).chain(["Sound".into()]).collect();
    let live = move |read: &Read<'_>| -> Result<Vec<String>, DbError> {
        let is_live = |name: &String| read.term_by_name(vocabulary, name).map(|tid| tid.is_some());
        let mut live = Vec::new();
        for name in known {
            if is_live(&name)? {
                live.push(name);
            }
        }
        Ok(live)
    };
    db.read(live).await.expect("names")
}

/// A repository of an older program, with changes of its people; `notes_terms` where that program noted what it gave.
async fn older_repository(notes_terms: bool) -> (tempfile::TempDir, Db) {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let mut model = seed_with(&db, older()).await.expect("a repository");
    if !notes_terms {
        model.given_terms = None;
    }
    db.write(move |write| {
        change_terms(write, &model)?;
        write.set_content_model(&permit_server(&Actor::program())?, &model)
    })
    .await
    .expect("changes");
    (directory, db)
}

async fn verify_additions(notes_terms: bool) {
    let (_directory, db) = older_repository(notes_terms).await;
    let before = names(&db, "islandora_models").await;
    assert!(before.contains(&"Sound".into()) && !before.contains(&DELETED.into()));

    let model = seed(&db).await.expect("additions");
    let item = model.bundle(EntityKind::Node, "islandora_object");
    assert!(item.is_some_and(|item| item.field(NEW_FIELD).is_some()));
    assert!(model.bundle(EntityKind::Term, NEW_VOCABULARY).is_some());
    assert_eq!(names(&db, "islandora_models").await, before);
    assert!(
        !names(&db, "islandora_display")
            .await
            .contains(&PURGED.into())
    );
    assert!(
        names(&db, "islandora_media_use")
            .await
            .contains(&NEW_TERM.into())
    );
    let editor = db
        .read(|read| read.role("editor"))
        .await
        .expect("an answer");
    let permission = format!("create terms in {NEW_VOCABULARY}");
    assert!(editor.is_some_and(|editor| editor.permissions.contains(&permission)));

    assert_eq!(seed(&db).await.expect("the same"), model);
    assert!(
        has_all(&model, &shipped().expect("a seed")),
        "nothing is left to add"
    );
}

#[tokio::test]
async fn a_repository_of_an_older_program_gets_additions_and_keeps_its_changes() {
    verify_additions(false).await;
}

#[tokio::test]
async fn what_was_given_is_not_given_again() {
    verify_additions(true).await;
}

#[tokio::test]
async fn a_term_that_people_have_made_is_not_made_again() {
    let (_directory, db) = older_repository(false).await;
    db.write(|write| {
        let author = Author::new(&Actor::program(), Origin::Rest);
        let model = write.content_model()?.expect("a model");
        let bundle = model.bundle(EntityKind::Term, "islandora_media_use");
        let mut own = Entity::new(EntityKind::Term, &bundle.expect("uses").id);
        own.set_value("name", NEW_TERM);
        let create = permitted(Operation::Create, &own);
        write_entity::create(write, &create, &model, own, &author)
    })
    .await
    .expect("a term");
    let first = db.read(|read| read.term_by_name("islandora_media_use", NEW_TERM));
    let first = first.await.expect("an answer").expect("a term");
    seed(&db).await.expect("additions");
    db.write(move |write| {
        let own = write.entity(EntityKind::Term, first)?.expect("a term");
        let delete = permitted(Operation::Delete, &own);
        let author = Author::new(&Actor::program(), Origin::Rest);
        write_entity::delete(write, &delete, &own, &author)
    })
    .await
    .expect("deleted");
    assert!(
        !names(&db, "islandora_media_use")
            .await
            .contains(&NEW_TERM.into())
    );
}

#[tokio::test]
async fn a_new_repository_gets_nothing_twice() {
    let directory = tempfile::tempdir().expect("a directory");
    let db = Db::open(&directory.path().join("test.db")).expect("a database");
    let model = seed(&db).await.expect("a repository");
    assert_eq!(seed(&db).await.expect("the same"), model);
    assert!(
        has_all(&model, &shipped().expect("a seed")),
        "nothing is left to add"
    );
}

const ADDED: &str = "view any unpublished content";

/// The permissions of editors before and after the next start; `more` is what people permitted before.
async fn editors(more: &'static [&'static str]) -> (Vec<String>, Vec<String>) {
    let (_directory, db) = older_repository(true).await;
    let more: Vec<String> = more.iter().map(|&name| name.to_owned()).collect();
    db.write(move |write| {
        let permitted = permit_roles(&Actor::program())?;
        write.grant(&permitted, "editor", &more)
    })
    .await
    .expect("granted");
    let permissions = async || {
        let role = db.read(|read| read.role("editor")).await;
        role.expect("an answer").expect("a role").permissions
    };
    let before = permissions().await;
    let model = seed(&db).await.expect("additions");
    assert!(has_all(&model, &shipped().expect("a seed")));
    (before, permissions().await)
}

#[tokio::test]
async fn a_role_as_it_was_shipped_permits_what_was_added_and_a_changed_one_does_not() {
    let added = || ADDED.to_owned();
    let (before, after) = editors(&[]).await;
    assert!(!before.contains(&added()) && after.contains(&added()));
    let (before, after) = editors(&["administer nodes"]).await;
    assert!(!before.contains(&added()) && !after.contains(&added()));
}
