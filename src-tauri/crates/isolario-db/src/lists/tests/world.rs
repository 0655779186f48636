//! A repository in a temporary folder, filled row by row.

use crate::{Db, DbError, Lists, Write};
use isolario_model::content::entity::reference_item;
use isolario_model::content::{Entity, EntityKind, IndexRow, IndexValue, TermRole, uri_of};
use isolario_model::policy::{Actor, Operation, Subject, permit};

/// A repository and the terms that mean something to lists.
pub struct World {
    pub db: Db,
    pub collection: i64,
    pub image: i64,
    pub original: i64,
    _directory: tempfile::TempDir,
}

/// A node to be.
#[derive(Debug, Clone, Default)]
pub struct NewNode {
    pub title: String,
    pub published: bool,
    pub owner: i64,
    pub parents: Vec<i64>,
    pub model: i64,
    pub weight: Option<i64>,
    pub day: Option<i64>,
    pub extent: Option<String>,
    pub changed: i64,
}

impl World {
    pub async fn new() -> World {
        let directory = tempfile::tempdir().expect("a temporary folder");
        let db = Db::open(&directory.path().join("test.db")).expect("a new database");
        let terms = db
            .write(|write| {
                Ok::<_, DbError>([
                    put_term(
                        write,
                        "islandora_models",
                        "Collection",
                        uri_of(TermRole::Collection),
                    )?,
                    put_term(
                        write,
                        "islandora_models",
                        "Image",
                        "http://example.org/image",
                    )?,
                    put_term(
                        write,
                        "islandora_media_use",
                        "Original File",
                        uri_of(TermRole::OriginalFile),
                    )?,
                ])
            })
            .await
            .expect("terms");
        World {
            db,
            collection: terms[0],
            image: terms[1],
            original: terms[2],
            _directory: directory,
        }
    }

    /// Makes a change that must succeed.
    pub async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Write<'_>) -> Result<T, DbError> + Send + 'static,
    ) -> T {
        self.db.write(change).await.expect("a change")
    }

    /// Asks a question that must have an answer.
    pub async fn read_lists<T: Send + 'static>(
        &self,
        list_query: impl FnOnce(&Lists<'_>) -> Result<T, DbError> + Send + 'static,
    ) -> T {
        self.db.read_lists(list_query).await.expect("an answer")
    }
}

fn row(field: &str, delta: usize, value: IndexValue) -> IndexRow {
    IndexRow {
        field: field.into(),
        delta,
        value,
    }
}

fn reference(field: &str, delta: usize, kind: EntityKind, id: i64) -> IndexRow {
    row(field, delta, IndexValue::Reference { kind, id })
}

fn entity(kind: EntityKind, bundle: &str, label: &str, published: bool, owner: i64) -> Entity {
    let mut entity = Entity::new(kind, bundle);
    entity.set_value(kind.label_field(), label);
    entity.set_value("status", published);
    entity.set("uid", vec![reference_item(owner)]);
    entity
}

fn insert(write: &mut Write<'_>, entity: &Entity) -> Result<i64, DbError> {
    let permitted = permit(&Actor::program(), Operation::Create, &Subject::of(entity))?;
    write.insert_entity(&permitted, entity)
}

pub fn put_term(
    write: &mut Write<'_>,
    vocabulary: &str,
    name: &str,
    uri: &str,
) -> Result<i64, DbError> {
    let term = entity(EntityKind::Term, vocabulary, name, true, 1);
    let id = insert(write, &term)?;
    let rows = [row("field_external_uri", 0, IndexValue::Text(uri.into()))];
    write.replace_index(EntityKind::Term, id, &rows)?;
    Ok(id)
}

pub fn put_node(write: &mut Write<'_>, new: &NewNode) -> Result<i64, DbError> {
    let mut node = entity(
        EntityKind::Node,
        "islandora_object",
        &new.title,
        new.published,
        new.owner,
    );
    node.set_value("changed", new.changed);
    node.set_value("created", -new.changed);
    let parents = new.parents.iter().map(|parent| reference_item(*parent));
    node.set("field_member_of", parents.collect());
    node.set_reference("field_model", new.model);
    let id = insert(write, &node)?;
    write.replace_index(EntityKind::Node, id, &node_rows(new))?;
    Ok(id)
}

/// Gives a node, which may have been deleted, other values.
pub fn change_node(write: &mut Write<'_>, nid: i64, new: &NewNode) -> Result<(), DbError> {
    write.connection.execute(
        "UPDATE node SET label = ?2, published = ?3, owner = ?4, changed = ?5, deleted = NULL WHERE id = ?1",
        rusqlite::params![nid, new.title, new.published, new.owner, new.changed],
    )?;
    set_model(write, nid, new.model)?;
    write.connection.execute(
        "DELETE FROM trash WHERE kind = 'node' AND entity_id = ?1",
        [nid],
    )?;
    write.replace_index(EntityKind::Node, nid, &node_rows(new))
}

/// Makes a node refer to a term by some fields and to nothing else.
pub fn put_reference(
    write: &mut Write<'_>,
    nid: i64,
    term: i64,
    fields: &[&str],
) -> Result<(), DbError> {
    let rows = fields.iter();
    let rows = rows.map(|field| reference(field, 0, EntityKind::Term, term));
    write.replace_index(EntityKind::Node, nid, &rows.collect::<Vec<_>>())
}

/// Puts a node that has no other fields into other places.
pub fn set_parents(
    write: &mut Write<'_>,
    nid: i64,
    model: i64,
    parents: &[i64],
) -> Result<(), DbError> {
    let new = NewNode {
        model,
        parents: parents.to_vec(),
        ..NewNode::default()
    };
    set_model(write, nid, model)?;
    write.replace_index(EntityKind::Node, nid, &node_rows(&new))
}

fn set_model(write: &mut Write<'_>, nid: i64, model: i64) -> Result<(), DbError> {
    write.connection.execute(
        "UPDATE node SET document = json_set(document, '$.field_model', json_array(json_object('target_id', ?2)))
         WHERE id = ?1",
        [nid, model],
    )?;
    Ok(())
}

fn node_rows(new: &NewNode) -> Vec<IndexRow> {
    let mut rows = vec![
        reference("field_model", 0, EntityKind::Term, new.model),
        row("type", 0, IndexValue::Text("islandora_object".into())),
    ];
    let parents = new.parents.iter().enumerate();
    rows.extend(
        parents.map(|(delta, id)| reference("field_member_of", delta, EntityKind::Node, *id)),
    );
    #[allow(clippy::cast_precision_loss)]
    let weight = new.weight.map(|weight| IndexValue::Number(weight as f64));
    rows.extend(weight.map(|weight| row("field_weight", 0, weight)));
    let day = new.day.map(|day| IndexValue::Date {
        first: day,
        last: day,
    });
    let extent = new.extent.clone().map(IndexValue::Text);
    rows.extend(extent.map(|extent| row("field_extent", 0, extent)));
    rows.extend(day.map(|day| row("field_edtf_date_created", 0, day)));
    rows
}

pub fn put_original(
    write: &mut Write<'_>,
    node: i64,
    use_term: i64,
    published: bool,
    owner: i64,
) -> Result<i64, DbError> {
    let mut media = entity(EntityKind::Media, "image", "a.png", published, owner);
    media.set_reference("field_media_of", node);
    let id = insert(write, &media)?;
    let rows = [
        reference("field_media_of", 0, EntityKind::Node, node),
        reference("field_media_use", 0, EntityKind::Term, use_term),
    ];
    write.replace_index(EntityKind::Media, id, &rows)?;
    Ok(id)
}

pub fn delete(write: &mut Write<'_>, kind: EntityKind, id: i64) -> Result<(), DbError> {
    let deletion = crate::Deletion {
        at: 1,
        actor: 1,
        origin: "rest",
    };
    let subject = Subject {
        kind,
        id,
        bundle: "",
        owner: 1,
        published: true,
        collections: Vec::new(),
    };
    let permitted = permit(&Actor::program(), Operation::Delete, &subject)?;
    write.mark_deleted(&permitted, kind, id, &deletion)?;
    write.replace_index(kind, id, &[])
}
