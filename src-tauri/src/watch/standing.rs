//! What speaks against a rule: the one place that says it, for every door that makes rules and for the one
//! who watches.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Access, access};
use tokio::runtime::Handle;

use super::kinds::{COLLECTION, COMPOUND, PAGE, PAGED};
use super::rule::{AUTO, Afterwards, Rule, Subfolders};
use super::values::find_term;
use crate::auth::{Operation, Subject, may};
use crate::content::base_fields::base_field;
use crate::content::{Bundle, EntityKind};
use crate::db::{DbError, Read};
use crate::repository::Repository;

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Name in the rule.
    pub field: &'static str,
    /// A sentence.
    pub words: String,
}

/// The node type of everything that is made of files.
pub const OBJECT: &str = "islandora_object";
const MODELS: &str = "islandora_models";
const USES: &str = "islandora_media_use";

fn flaw(field: &'static str, words: impl Into<String>) -> Flaw {
    Flaw {
        field,
        words: words.into(),
    }
}

/// Everything that speaks against a rule as things are now. Looks at disks: for threads that may wait.
/// `others` are the folders that are watched besides.
///
/// # Errors
/// What the database refuses.
pub fn flaws(
    repository: &Arc<Repository>,
    rule: &Rule,
    others: &[PathBuf],
) -> Result<Vec<Flaw>, DbError> {
    let mut found = Vec::new();
    found.extend(of_path(rule, repository.directory(), others));
    found.extend(
        rule.impossible_times()
            .into_iter()
            .map(|(field, words)| flaw(field, words)),
    );
    repository.db.read_here(|read| -> Result<(), DbError> {
        found.extend(of_collection(read, rule)?);
        found.extend(of_terms(read, rule)?);
        Ok(())
    })?;
    found.extend(of_owner(repository, rule)?);
    found.extend(of_kinds(repository, rule));
    found.extend(of_fields(repository, rule));
    Ok(found)
}

/// A path of a watched folder as it is compared with others: without links, as far as it is there.
fn plain(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn of_path(rule: &Rule, data: &Path, others: &[PathBuf]) -> Option<Flaw> {
    let path = &rule.path;
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if !path.is_absolute() || climbs || path.to_str().is_none() {
        return Some(flaw(
            "path",
            "This must be the whole path of a folder, from the root on.",
        ));
    }
    if !path.is_dir() {
        return Some(flaw(
            "path",
            format!("There is no folder {}.", path.display()),
        ));
    }
    let (path, data) = (plain(path), plain(data));
    if path.starts_with(&data) || data.starts_with(&path) {
        return Some(flaw("path", "The repository keeps its own files there."));
    }
    let others = others.iter().map(|other| plain(other));
    let overlap = others
        .into_iter()
        .find(|other| path.starts_with(other) || other.starts_with(&path));
    if let Some(other) = overlap {
        let words = format!(
            "{} is watched already, and one lies in the other.",
            other.display()
        );
        return Some(flaw("path", words));
    }
    if access(&path, Access::READ_OK | Access::EXEC_OK).is_err() {
        return Some(flaw("path", "The program may not read this folder."));
    }
    let changes = rule.afterwards != Afterwards::Leave;
    (changes && access(&path, Access::WRITE_OK).is_err()).then(|| {
        flaw(
            "afterwards",
            "The program may not change this folder, so files have to stay in it.",
        )
    })
}

fn of_collection(read: &Read<'_>, rule: &Rule) -> Result<Option<Flaw>, DbError> {
    let Some(nid) = rule.collection else {
        return Ok(None);
    };
    let found = read.target(EntityKind::Node, nid)?;
    Ok(found
        .is_none()
        .then(|| flaw("collection", format!("There is no item {nid}."))))
}

fn of_terms(read: &Read<'_>, rule: &Rule) -> Result<Vec<Flaw>, DbError> {
    let mut wanted = vec![("media_use", USES, rule.media_use.as_str())];
    if rule.model != AUTO {
        wanted.push(("model", MODELS, &rule.model));
    }
    match rule.subfolders {
        Subfolders::Collections => wanted.push(("subfolders", MODELS, COLLECTION)),
        Subfolders::Paged => {
            wanted.extend([("subfolders", MODELS, PAGED), ("subfolders", MODELS, PAGE)])
        }
        Subfolders::Compound => wanted.push(("subfolders", MODELS, COMPOUND)),
        Subfolders::Ignored | Subfolders::Flat => {}
    }
    let mut found = Vec::new();
    for (field, vocabulary, name) in wanted {
        if find_term(read, &[vocabulary.to_owned()], name)?.is_none() {
            found.push(flaw(
                field,
                format!("There is no term {name:?} in {vocabulary}."),
            ));
        }
    }
    Ok(found)
}

/// The number of a term of the models, or of the media uses.
///
/// # Errors
/// What the database refuses.
pub fn model_or_use(read: &Read<'_>, name: &str) -> Result<Option<i64>, DbError> {
    find_term(read, &[MODELS.to_owned(), USES.to_owned()], name)
}

fn of_owner(repository: &Repository, rule: &Rule) -> Result<Option<Flaw>, DbError> {
    let user = repository
        .db
        .read_here(|read| read.user_by_name(&rule.owner))?;
    let Some(user) = user else {
        return Ok(Some(flaw(
            "owner",
            format!("There is no account {}.", rule.owner),
        )));
    };
    let actor = Handle::current().block_on(repository.authenticator.actor(user.uid))?;
    let Some(actor) = actor else {
        let words = format!("The account {} has been disabled.", rule.owner);
        return Ok(Some(flaw("owner", words)));
    };
    let subject = Subject {
        kind: EntityKind::Node,
        bundle: OBJECT,
        owner: user.uid,
        published: true,
    };
    let refused = may(&actor, Operation::Create, &subject).err();
    Ok(refused.map(|denial| {
        flaw(
            "owner",
            format!("{} may not make items. {}", rule.owner, denial.message),
        )
    }))
}

fn of_kinds(repository: &Repository, rule: &Rule) -> Vec<Flaw> {
    let mut found = Vec::new();
    let fixed = rule.media_type.as_str();
    let bundle = repository.model.bundle(EntityKind::Media, fixed);
    if fixed != AUTO && bundle.is_none_or(|bundle| bundle.file_field().is_none()) {
        found.push(flaw(
            "media_type",
            format!("There is no media type {fixed} for files."),
        ));
    }
    if let Some(scheme) = &rule.scheme
        && repository
            .blobs
            .parse_uri(&format!("{scheme}://a.txt"))
            .is_err()
    {
        found.push(flaw(
            "scheme",
            format!("No files are kept under {scheme}://."),
        ));
    }
    found
}

fn of_fields(repository: &Repository, rule: &Rule) -> Vec<Flaw> {
    let Some(bundle) = repository.model.bundle(EntityKind::Node, OBJECT) else {
        return vec![flaw(
            "template",
            "The content model has no items to make of files.",
        )];
    };
    let mut found = Vec::new();
    for name in rule.template.keys().filter(|name| !is_field(bundle, name)) {
        found.push(flaw("template", format!("There is no field {name}.")));
    }
    match rule.pattern() {
        Err(words) => found.push(flaw("name_pattern", words)),
        Ok(pattern) => {
            let names = pattern
                .iter()
                .flat_map(|pattern| pattern.capture_names().flatten());
            let unknown = names.filter(|name| !is_field(bundle, name));
            found.extend(
                unknown.map(|name| flaw("name_pattern", format!("There is no field {name}."))),
            );
        }
    }
    found
}

fn is_field(bundle: &Bundle, name: &str) -> bool {
    base_field(bundle.kind, name)
        .or_else(|| bundle.field(name))
        .is_some()
}
