//! What would become of what lies in a folder now. Nothing is made, moved or written down.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::draft::{draft, refuse_early};
use super::folder::{Entry, Folder, walk};
use super::names::split;
use super::objects::owner;
use super::rule::{Rule, Subfolders};
use super::scan::{enters, is_for};
use super::sidecar::Tables;
use super::values::Terms;
use super::{Taking, kinds};
use crate::actions::Refusal;
use crate::content::EntityKind;
use crate::repository::Repository;

/// How many files are told one by one.
const TOLD: usize = 200;
/// How many files are counted.
const COUNTED: u64 = 100_000;

/// What would become of a file.
#[derive(Debug, Clone)]
pub struct Foreseen {
    /// From the watched folder.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Why it would not be taken. A sentence.
    pub reason: Option<String>,
    pub title: Option<String>,
    pub media_type: Option<String>,
    pub mime: Option<String>,
    /// Name of the model.
    pub model: Option<String>,
    /// The folder that becomes the item which it becomes a member of; `None` for the collection of the rule.
    pub inside: Option<String>,
}

/// What would become of what lies in a folder.
#[derive(Debug, Clone, Default)]
pub struct Rehearsal {
    /// The first ones.
    pub files: Vec<Foreseen>,
    pub count: u64,
    pub bytes: u64,
    /// Files that the rule is not for: hidden, unfinished, descriptions.
    pub passed_over: u64,
    /// Whether there are more than were counted.
    pub more: bool,
}

/// Looks what is in the folder of a rule that nothing speaks against.
///
/// # Errors
/// `Storage` with a sentence when the folder cannot be read.
pub async fn rehearse(repository: &Arc<Repository>, rule: Rule) -> Result<Rehearsal, Refusal> {
    let unreadable =
        |error: std::io::Error| Refusal::Storage(format!("The folder cannot be read: {error}."));
    let folder = Folder::find(&rule.path).map_err(unreadable)?;
    let taking = Taking {
        pattern: rule.pattern().map_err(Refusal::Invalid)?,
        repository: repository.clone(),
        id: 0,
        rule,
        folder,
        tables: Tables::default(),
    };
    let taking = Arc::new(taking);
    let counting = taking.clone();
    let counted = tokio::task::spawn_blocking(move || count(&counting));
    let counted = counted
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))?;
    let (mut rehearsal, entries) = counted.map_err(unreadable)?;
    let actor = owner(&taking).await?;
    for entry in entries {
        let drafted = draft(&taking, &actor, &entry.path, Terms::Promised).await;
        let drafted = drafted.and_then(|draft| {
            refuse_early(&taking, &actor, &draft, entry.look.size)?;
            Ok(draft)
        });
        rehearsal.files.push(foreseen(&taking, entry, drafted)?);
    }
    Ok(rehearsal)
}

fn count(taking: &Taking) -> std::io::Result<(Rehearsal, Vec<Entry>)> {
    let mut rehearsal = Rehearsal::default();
    let mut first = Vec::new();
    let enters = |path: &str| enters(&taking.rule, path);
    walk(&taking.folder, "", &enters, &mut |entry| {
        if !is_for(&taking.rule, &entry.path) {
            rehearsal.passed_over += 1;
            return ControlFlow::Continue(());
        }
        if rehearsal.count == COUNTED {
            rehearsal.more = true;
            return ControlFlow::Break(());
        }
        rehearsal.count += 1;
        rehearsal.bytes += entry.look.size;
        if first.len() < TOLD {
            first.push(entry);
        }
        ControlFlow::Continue(())
    })?;
    first.sort_by_key(|entry| super::names::place_key(&entry.path));
    Ok((rehearsal, first))
}

fn foreseen(
    taking: &Taking,
    entry: Entry,
    drafted: Result<super::draft::Draft, Refusal>,
) -> Result<Foreseen, Refusal> {
    let inside = match taking.rule.subfolders {
        Subfolders::Ignored | Subfolders::Flat => None,
        Subfolders::Collections => {
            Some(split(&entry.path).0.to_owned()).filter(|folder| !folder.is_empty())
        }
        Subfolders::Paged | Subfolders::Compound => entry
            .path
            .split_once('/')
            .map(|(first, _)| first.to_owned()),
    };
    let mut foreseen = Foreseen {
        path: entry.path,
        size: entry.look.size,
        reason: (entry.look.size == 0).then(|| "The file is empty.".into()),
        title: None,
        media_type: None,
        mime: None,
        model: None,
        inside,
    };
    match drafted {
        Ok(draft) => {
            let db = &taking.repository.db;
            let model = db.read_here(|read| read.target(EntityKind::Term, draft.model))?;
            foreseen.model = model.map(|term| term.label);
            foreseen.title = Some(draft.title);
            foreseen.media_type = Some(draft.media_type);
            foreseen.mime = Some(draft.mime);
        }
        Err(Refusal::Database(error)) => return Err(error.into()),
        Err(refusal) => {
            foreseen.mime = Some(kinds::mime_of(&foreseen.path));
            foreseen.reason = Some(super::outcome::words_of(&refusal));
        }
    }
    Ok(foreseen)
}
