//! The dry run of a watch rule: what an ingest would make of the files in the folder. It changes nothing.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::draft::{draft, refuse_early};
use super::folder::{Entry, walk};
use super::names::split;
use super::objects::owner;
use super::rule_validation::folder_of;
use super::scan::{enters, is_for};
use super::sidecar::Tables;
use super::values::Terms;
use super::{Watch, WatchedFolder};
use isolario_core::actions::Refusal;
use isolario_core::file_kinds;
use isolario_model::content::EntityKind;
use isolario_model::watch_rule::{Rule, Subfolders};

/// How many files the report lists.
const TOLD: usize = 200;
/// How many files the report counts at most.
const COUNTED: u64 = 100_000;

/// What an ingest would make of a file.
#[derive(Debug, Clone)]
pub struct DryRunEntry {
    /// From the watched folder.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Why it would not be ingested. A sentence.
    pub reason: Option<String>,
    pub title: Option<String>,
    pub media_type: Option<String>,
    pub mime: Option<String>,
    /// Name of the model.
    pub model: Option<String>,
    /// The folder whose item the file becomes a member of; `None`: it goes into the collection of the rule.
    pub inside: Option<String>,
}

/// What an ingest would make of the files in a folder.
#[derive(Debug, Clone, Default)]
pub struct DryRunReport {
    /// The first ones.
    pub files: Vec<DryRunEntry>,
    pub count: u64,
    pub bytes: u64,
    /// Files that the rule ignores: hidden files, unfinished files, sidecars.
    pub passed_over: u64,
    /// Whether the folder has more files than were counted.
    pub more: bool,
}

/// Computes the dry run of a valid rule.
///
/// # Errors
/// `Storage` with a sentence when the folder cannot be read.
pub async fn dry_run(watch: &Arc<Watch>, rule: Rule) -> Result<DryRunReport, Refusal> {
    let unreadable =
        |error: std::io::Error| Refusal::Storage(format!("The folder cannot be read: {error}."));
    let folder = folder_of(&watch.repository, &rule).map_err(unreadable)?;
    let watched = WatchedFolder {
        pattern: rule.pattern().map_err(Refusal::Invalid)?,
        watch: watch.clone(),
        id: 0,
        rule,
        folder,
        tables: Tables::default(),
    };
    let watched = Arc::new(watched);
    let counting = watched.clone();
    let counted = tokio::task::spawn_blocking(move || count(&counting));
    let counted = counted
        .await
        .map_err(|error| Refusal::Storage(error.to_string()))?;
    let (mut report, entries) = counted.map_err(unreadable)?;
    let actor = owner(&watched).await?;
    for entry in entries {
        let drafted = draft(&watched, &actor, &entry.path, Terms::Promised).await;
        let drafted = drafted.and_then(|draft| {
            refuse_early(&watched, &actor, &draft, entry.look.size)?;
            Ok(draft)
        });
        report.files.push(entry_of(&watched, entry, drafted)?);
    }
    Ok(report)
}

fn count(watched: &WatchedFolder) -> std::io::Result<(DryRunReport, Vec<Entry>)> {
    let mut report = DryRunReport::default();
    let mut first = Vec::new();
    let enters = |path: &str| enters(&watched.rule, path);
    walk(&watched.folder, "", &enters, &mut |entry| {
        if !is_for(&watched.rule, &entry.path) {
            report.passed_over += 1;
            return ControlFlow::Continue(());
        }
        if report.count == COUNTED {
            report.more = true;
            return ControlFlow::Break(());
        }
        report.count += 1;
        report.bytes += entry.look.size;
        if first.len() < TOLD {
            first.push(entry);
        }
        ControlFlow::Continue(())
    })?;
    first.sort_by_key(|entry| super::names::place_key(&entry.path));
    Ok((report, first))
}

fn entry_of(
    watched: &WatchedFolder,
    entry: Entry,
    drafted: Result<super::draft::Draft, Refusal>,
) -> Result<DryRunEntry, Refusal> {
    let inside = match watched.rule.subfolders {
        Subfolders::Ignored | Subfolders::Flat => None,
        Subfolders::Collections => {
            Some(split(&entry.path).0.to_owned()).filter(|folder| !folder.is_empty())
        }
        Subfolders::Paged | Subfolders::Compound => entry
            .path
            .split_once('/')
            .map(|(first, _)| first.to_owned()),
    };
    let mut entry_of = DryRunEntry {
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
            let db = &watched.repository.db;
            let model = db.read_here(|read| read.target(EntityKind::Term, draft.model))?;
            entry_of.model = model.map(|term| term.label);
            entry_of.title = Some(draft.title);
            entry_of.media_type = Some(draft.media_type);
            entry_of.mime = Some(draft.mime);
        }
        Err(Refusal::Database(error)) => return Err(error.into()),
        Err(refusal) => {
            entry_of.mime = Some(file_kinds::mime_of(&entry_of.path));
            entry_of.reason = Some(super::outcome::words_of(&refusal));
        }
    }
    Ok(entry_of)
}
