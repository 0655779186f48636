//! Repositories of many items to measure, made once and kept beside the figures.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use futures_util::future::join_all;
use isolario_auth::hosts::AllowedHosts;
use isolario_core::actions::account_rules::Account;
use isolario_core::actions::users::add_user;
use isolario_core::actions::{Author, write_entity};
use isolario_core::data_directory::{DataDirectory, OpenRepository};
use isolario_db::{DbError, Write};
use isolario_model::content::entity::{reference_item, value_item};
use isolario_model::content::{ContentModel, Entity, EntityKind, Item};
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, Operation, Subject, permit};
use serde_json::{Value, json};

use super::server::Program;

/// Name and password of the account that asks.
pub const ACCOUNT: (&str, &str) = ("bench", "sextant and compass");
/// Nodes of one collection.
const COLLECTION: usize = 1000;
/// Nodes of one change, few: what a savepoint keeps of the pages before makes the next statement slower.
const CHANGE: usize = 8;
/// Changes that share a commit while a repository is made.
const GROUP: usize = 256;
const FIRST_MOMENT: i64 = 1_600_000_000;

/// A data directory with so many nodes.
pub async fn repository(home: &Path, nodes: usize) -> PathBuf {
    let directory = home.join(format!("{nodes}-nodes"));
    let finished = directory.join(".finished");
    if !finished.exists() {
        let _ = std::fs::remove_dir_all(&directory);
        println!("making a repository of {nodes} nodes …");
        fill(&directory, nodes).await;
        drop(Program::unpinned(&directory).await);
        std::fs::write(finished, b"").expect("a mark");
    }
    directory
}

async fn fill(directory: &Path, nodes: usize) {
    let open = open(directory).await;
    let repository = open.repository.clone();
    let account = Account {
        name: ACCOUNT.0.into(),
        mail: None,
        roles: vec!["administrator".into()],
        collection_roles: Vec::new(),
        password: ACCOUNT.1.into(),
    };
    add_user(
        &repository.db,
        &repository.authenticator,
        &Actor::program(),
        Origin::Command,
        account,
    )
    .await
    .expect("an account");
    let model = repository.model();
    let terms = repository.db.write(move |write| Terms::put(write, &model));
    let terms = terms.await.expect("terms");
    let mut number = 0;
    while number < nodes {
        let round = number..nodes.min(number + CHANGE * GROUP);
        number = round.end;
        let changes = round.step_by(CHANGE).map(|first| {
            let numbers = first..nodes.min(first + CHANGE);
            let (terms, model) = (terms.clone(), repository.model());
            repository.db.write(move |write| -> Result<(), DbError> {
                let mut numbers = numbers.into_iter();
                numbers.try_for_each(|number| put(write, &model, &terms, number, nodes))
            })
        });
        for written in join_all(changes).await {
            written.expect("nodes");
        }
    }
}

async fn open(directory: &Path) -> OpenRepository {
    let held = DataDirectory::hold(directory).expect("a data directory");
    let hosts = AllowedHosts::new(IpAddr::from([127, 0, 0, 1]), []);
    held.open(hosts).await.expect("a repository")
}

/// Terms that the nodes refer to.
#[derive(Debug, Clone)]
struct Terms {
    collection: i64,
    image: i64,
    original: i64,
    subjects: Vec<i64>,
    people: Vec<i64>,
}

impl Terms {
    fn put(write: &mut Write<'_>, model: &ContentModel) -> Result<Terms, DbError> {
        let mut many = |vocabulary: &str| -> Result<Vec<i64>, DbError> {
            let numbers = 0..100;
            numbers
                .map(|number| put_term(write, model, vocabulary, number))
                .collect()
        };
        let (subjects, people) = (many("subject")?, many("person")?);
        let known = |vocabulary: &str, name: &str| -> Result<i64, DbError> {
            Ok(write
                .term_by_name(vocabulary, name)?
                .expect("a term that comes with the program"))
        };
        Ok(Terms {
            collection: known("islandora_models", "Collection")?,
            image: known("islandora_models", "Image")?,
            original: known("islandora_media_use", "Original File")?,
            subjects,
            people,
        })
    }
}

fn put_term(
    write: &mut Write<'_>,
    model: &ContentModel,
    vocabulary: &str,
    number: usize,
) -> Result<i64, DbError> {
    let mut term = Entity::new(EntityKind::Term, vocabulary);
    term.set_value("status", true);
    term.set_value("langcode", "en");
    term.set_value("name", format!("{vocabulary} {number}"));
    term.set_reference("uid", 1);
    Ok(create(write, model, term, 0)?.id)
}

fn create(
    write: &mut Write<'_>,
    model: &ContentModel,
    entity: Entity,
    number: usize,
) -> Result<Entity, DbError> {
    let permitted = permit(&Actor::program(), Operation::Create, &Subject::of(&entity))?;
    write_entity::create_silently(write, &permitted, model, entity, &author(number))
}

fn author(number: usize) -> Author {
    Author {
        uid: 1,
        origin: Origin::Command,
        at: FIRST_MOMENT + i64::try_from(number).unwrap_or(0),
        log: None,
        batch: None,
    }
}

fn put(
    write: &mut Write<'_>,
    model: &ContentModel,
    terms: &Terms,
    number: usize,
    nodes: usize,
) -> Result<(), DbError> {
    let collections = nodes.div_ceil(COLLECTION);
    let mut node = node(terms, number);
    if number < collections {
        node.set_reference("field_model", terms.collection);
    } else {
        let parent = 1 + super::load::scattered(number as u64, collections as u64);
        node.set_reference("field_member_of", i64::try_from(parent).unwrap_or(1));
    }
    let node = create(write, model, node, number)?;
    if number.is_multiple_of(4) {
        create(write, model, media(terms, node.id), number)?;
    }
    Ok(())
}

fn node(terms: &Terms, number: usize) -> Entity {
    let mut node = Entity::new(EntityKind::Node, "islandora_object");
    let title = format!(
        "Chart {} of the coast of island {}",
        number % 997,
        number / 997
    );
    let day = format!(
        "{}-{:02}-{:02}",
        1500 + number % 400,
        1 + number % 12,
        1 + number % 28
    );
    node.set_value("title", title);
    node.set_value("status", !number.is_multiple_of(10));
    for flag in ["promote", "sticky"] {
        node.set_value(flag, false);
    }
    node.set_value("langcode", "en");
    node.set_reference("uid", 1);
    node.set_reference("field_model", terms.image);
    node.set_value("field_edtf_date_created", day);
    node.set_value("field_weight", i64::try_from(number % 1000).unwrap_or(0));
    node.set_value("field_identifier", format!("isolario:{number}"));
    node.set_value("field_extent", "1 map, hand coloured, 43 × 57 cm");
    node.set_value("field_description", DESCRIPTION);
    node.set(
        "field_note",
        vec![item(
            json!({ "value": "Verso blank.", "format": "basic_html" }),
        )],
    );
    let pick = |from: &[i64], salt: usize| from[(number * 7 + salt) % from.len()];
    let subjects = [0, 31].map(|salt| reference_item(pick(&terms.subjects, salt)));
    node.set("field_subject", subjects.to_vec());
    let agent = json!({ "target_id": pick(&terms.people, 3), "rel_type": "relators:ctg" });
    node.set("field_linked_agent", vec![item(agent)]);
    node
}

const DESCRIPTION: &str = "Engraved chart of a harbour with soundings, two compass roses and the profile of the coast \
as it appears from the sea; the title stands in a cartouche with tritons. From an atlas of islands that was printed in \
many editions and copied as often.";

fn media(terms: &Terms, node: i64) -> Entity {
    let mut media = Entity::new(EntityKind::Media, "file");
    media.set("name", vec![value_item(format!("chart-{node}.tif"))]);
    media.set_value("status", true);
    media.set_value("langcode", "en");
    media.set_reference("uid", 1);
    media.set_reference("field_media_of", node);
    media.set_reference("field_media_use", terms.original);
    media
}

fn item(properties: Value) -> Item {
    properties.as_object().cloned().unwrap_or_default()
}
