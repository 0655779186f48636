//! Validates watch rules, for every origin that makes them and for the watcher.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use tokio::runtime::Handle;

use super::folder::Folder;
use isolario_config::allowed_folders::{FolderUse, overlap, resolved};
use isolario_core::actions::text_values::find_term;
use isolario_core::repository::Repository;
use isolario_db::{DbError, Read};
use isolario_model::content::base_fields::base_field;
use isolario_model::content::{Bundle, ContentModel, EntityKind, TermRole, model_roles, uri_of};
use isolario_model::fields::Violation;
use isolario_model::fields::ViolationCode::{
    NotAChoice, NotPermitted, NotUnique, OutOfRange, UnknownField, UnknownReference, WrongSyntax,
};
use isolario_model::policy::permission::may_create_somewhere;
use isolario_model::watch_rule::{AUTO, Afterwards, Rule, Subfolders};
use isolario_platform::files::{may_enter, may_write};

/// Who makes a rule. That decides which folders it may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSource {
    /// The account that runs the program. It may name any folder.
    Owner,
    /// A client over HTTP. It may name an allowed folder.
    Client,
    /// A rule that exists. Its folder must still be allowed.
    Rule,
}

/// The bundle of items that are made of files.
pub fn item_bundle(model: &ContentModel) -> Option<&Arc<Bundle>> {
    model.bundle(EntityKind::Node, &model_roles().bundles.item)
}

/// What is wrong with a rule now. It reads disks, so it must run on a thread that may block. `others` are the other
/// watched folders.
///
/// # Errors
/// What the database refuses.
pub fn validate_rule(
    repository: &Arc<Repository>,
    rule: &Rule,
    others: &[PathBuf],
    source: RuleSource,
) -> Result<Vec<Violation>, DbError> {
    let mut found = Vec::new();
    match place_of(repository, rule, source) {
        Err(violation) => found.push(violation),
        Ok(place) => {
            found.extend(of_place(rule, &place, repository.directory(), others));
            if source != RuleSource::Rule {
                found.extend(of_backups(repository, &place)?);
            }
        }
    }
    found.extend(
        rule.impossible_times()
            .into_iter()
            .map(|(field, words)| Violation::of_field(field, OutOfRange, words)),
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

/// The path of the folder of a rule with its links resolved, if it may be watched. Callers open this path.
///
/// # Errors
/// What is wrong with the path. The message tells nothing about a folder that is not allowed.
pub fn place_of(
    repository: &Repository,
    rule: &Rule,
    source: RuleSource,
) -> Result<PathBuf, Violation> {
    let path = &rule.path;
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if !path.is_absolute() || climbs || path.to_str().is_none() {
        return Err(Violation::of_field(
            "path",
            WrongSyntax,
            "Enter the full path of a folder.",
        ));
    }
    match source {
        RuleSource::Owner => Ok(resolved(path)),
        RuleSource::Client | RuleSource::Rule => repository
            .folders
            .find(path, FolderUse::Watch)
            .map_err(|words| Violation::of_field("path", NotPermitted, words)),
    }
}

/// Finds the folder of a rule, if it is allowed.
///
/// # Errors
/// When it does not exist or is not allowed.
pub fn folder_of(repository: &Repository, rule: &Rule) -> io::Result<Folder> {
    let place = place_of(repository, rule, RuleSource::Rule);
    Folder::find(&place.map_err(|violation| io::Error::other(violation.message))?)
}

fn of_place(rule: &Rule, place: &Path, data: &Path, others: &[PathBuf]) -> Option<Violation> {
    if !place.is_dir() {
        let words = format!("There is no folder {}.", rule.path.display());
        return Some(Violation::of_field("path", UnknownReference, words));
    }
    let data = resolved(data);
    if overlap(place, &data) && !place.starts_with(FolderUse::Watch.own_folder(&data)) {
        return Some(Violation::of_field(
            "path",
            NotPermitted,
            "The repository keeps its own files there.",
        ));
    }
    let mut others = others.iter().map(|other| resolved(other));
    if let Some(other) = others.find(|other| overlap(place, other)) {
        let words = format!(
            "{} is watched already, and one lies in the other.",
            other.display()
        );
        return Some(Violation::of_field("path", NotUnique, words));
    }
    if !may_enter(place) {
        let words = "The program may not read this folder.";
        return Some(Violation::of_field("path", NotPermitted, words));
    }
    let changes = rule.afterwards != Afterwards::Leave;
    (changes && !may_write(place)).then(|| {
        Violation::of_field(
            "afterwards",
            NotPermitted,
            "The program may not change this folder, so files have to stay in it.",
        )
    })
}

/// Refuses a folder with backups. The watcher would ingest a backup with its keys and then remove it.
fn of_backups(repository: &Repository, place: &Path) -> Result<Option<Violation>, DbError> {
    let made = repository.db.read_here(|read| read.backup_folders())?;
    let made = made.into_iter().map(PathBuf::from);
    let mut folders = made.chain(repository.config.backup.directory.clone());
    let lies_there = folders.any(|folder| overlap(place, &resolved(&folder)));
    Ok(lies_there.then(|| Violation::of_field("path", NotPermitted, "Backups lie there.")))
}

fn of_collection(read: &Read<'_>, rule: &Rule) -> Result<Option<Violation>, DbError> {
    let Some(nid) = rule.collection else {
        return Ok(None);
    };
    let found = read.target(EntityKind::Node, nid)?;
    Ok(found.is_none().then(|| {
        let words = format!("There is no item {nid}.");
        Violation::of_field("collection", UnknownReference, words)
    }))
}

fn of_terms(read: &Read<'_>, rule: &Rule) -> Result<Vec<Violation>, DbError> {
    let vocabularies = &model_roles().bundles;
    let (models, uses) = (&vocabularies.models, &vocabularies.media_uses);
    let mut wanted = vec![("media_use", uses, rule.media_use.as_str())];
    if rule.model != AUTO {
        wanted.push(("model", models, &rule.model));
    }
    match rule.subfolders {
        Subfolders::Collections => {
            wanted.push(("subfolders", models, uri_of(TermRole::Collection)))
        }
        Subfolders::Paged => {
            let roles = [TermRole::Paged, TermRole::Page];
            wanted.extend(roles.map(|role| ("subfolders", models, uri_of(role))));
        }
        Subfolders::Compound => wanted.push(("subfolders", models, uri_of(TermRole::Compound))),
        Subfolders::Ignored | Subfolders::Flat => {}
    }
    let mut found = Vec::new();
    for (field, vocabulary, name) in wanted {
        if find_term(read, std::slice::from_ref(vocabulary), name)?.is_none() {
            found.push(Violation::of_field(
                field,
                UnknownReference,
                format!("There is no term {name:?} in {vocabulary}."),
            ));
        }
    }
    Ok(found)
}

/// The id of a term among the models or the media uses.
///
/// # Errors
/// What the database refuses.
pub fn model_or_use(read: &Read<'_>, name: &str) -> Result<Option<i64>, DbError> {
    let vocabularies = &model_roles().bundles;
    let both = [vocabularies.models.clone(), vocabularies.media_uses.clone()];
    find_term(read, &both, name)
}

fn of_owner(repository: &Repository, rule: &Rule) -> Result<Option<Violation>, DbError> {
    let user = repository
        .db
        .read_here(|read| read.user_by_name(&rule.owner))?;
    let Some(user) = user else {
        return Ok(Some(Violation::of_field(
            "owner",
            UnknownReference,
            format!("There is no account {}.", rule.owner),
        )));
    };
    let actor = Handle::current().block_on(repository.authenticator.actor(user.uid))?;
    let Some(actor) = actor else {
        let words = format!("The account {} has been disabled.", rule.owner);
        return Ok(Some(Violation::of_field("owner", NotPermitted, words)));
    };
    let refused = may_create_somewhere(&actor, EntityKind::Node, &model_roles().bundles.item).err();
    Ok(refused.map(|denial| {
        Violation::of_field(
            "owner",
            NotPermitted,
            format!("{} may not make items. {}", rule.owner, denial.message),
        )
    }))
}

fn of_kinds(repository: &Repository, rule: &Rule) -> Vec<Violation> {
    let mut found = Vec::new();
    let fixed = rule.media_type.as_str();
    let model = repository.model();
    let bundle = model.bundle(EntityKind::Media, fixed);
    if fixed != AUTO && bundle.is_none_or(|bundle| bundle.file_field().is_none()) {
        found.push(Violation::of_field(
            "media_type",
            NotAChoice,
            format!("There is no media type {fixed} for files."),
        ));
    }
    if let Some(scheme) = &rule.scheme
        && repository
            .blobs
            .parse_uri(&format!("{scheme}://a.txt"))
            .is_err()
    {
        found.push(Violation::of_field(
            "scheme",
            NotAChoice,
            format!("No files are kept under {scheme}://."),
        ));
    }
    found
}

fn of_fields(repository: &Repository, rule: &Rule) -> Vec<Violation> {
    let model = repository.model();
    let Some(bundle) = item_bundle(&model) else {
        return vec![Violation::of_field(
            "template",
            UnknownField,
            "The content model has no items to make of files.",
        )];
    };
    let mut found = Vec::new();
    for name in rule.template.keys().filter(|name| !is_field(bundle, name)) {
        let words = format!("There is no field {name}.");
        found.push(Violation::of_field("template", UnknownField, words));
    }
    match rule.pattern() {
        Err(words) => found.push(Violation::of_field("name_pattern", WrongSyntax, words)),
        Ok(pattern) => {
            let names = pattern
                .iter()
                .flat_map(|pattern| pattern.capture_names().flatten());
            let unknown = names.filter(|name| !is_field(bundle, name));
            found.extend(unknown.map(|name| {
                let words = format!("There is no field {name}.");
                Violation::of_field("name_pattern", UnknownField, words)
            }));
        }
    }
    found
}

fn is_field(bundle: &Bundle, name: &str) -> bool {
    base_field(bundle.kind, name)
        .or_else(|| bundle.field(name))
        .is_some()
}
