//! Writes items as a table to a file.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Output, Progress};
use isolario_core::actions::Refusal;
use isolario_core::actions::batches::ItemSource;
use isolario_core::export::{Export, ExportOrder, ExportedFiles, TableFormat};
use isolario_core::repository::Repository;
use isolario_core::search::{SearchNames, run, typed_search};
use isolario_db::{IdSet, ItemFilter};
use isolario_model::content::EntityKind;
use isolario_model::fields::TermNotation;
use isolario_model::policy::Actor;

/// Which items go to which file, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExportCommand {
    /// Absolute.
    pub target: PathBuf,
    /// What is below a collection.
    pub collection: Option<i64>,
    /// What a search finds.
    pub search: Option<String>,
    /// Ids of items; empty for none in particular.
    pub items: Vec<i64>,
    pub columns: Option<Vec<String>>,
    /// As requests name it.
    pub terms: String,
    pub with_bom: bool,
    /// The files that come along: in a folder, or in a ZIP where the name of the target says so.
    #[serde(default)]
    pub files: ExportedFiles,
}

/// How long it takes between two looks at the index.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

impl ExportCommand {
    /// Carries it out.
    pub async fn run(self, repository: &Arc<Repository>, progress: &Progress) -> Output {
        match self.written(repository, progress).await {
            Ok(rows) => Output::done(format!("{}: {rows} items.", self.target.display())),
            Err(refusal) => Output::failed(format!("Nothing was exported: {refusal}")),
        }
    }

    async fn written(
        &self,
        repository: &Arc<Repository>,
        progress: &Progress,
    ) -> Result<u64, Refusal> {
        let mut notations = TermNotation::ALL.into_iter();
        let terms = notations.find(|(name, _)| *name == self.terms);
        let order = ExportOrder {
            source: self.source(repository, progress).await?,
            columns: self.columns.clone(),
            terms: terms.map(|(_, terms)| terms).unwrap_or_default(),
            format: match self.target.extension() {
                Some(extension) if extension.eq_ignore_ascii_case("xlsx") => TableFormat::Xlsx,
                _ => TableFormat::Csv {
                    with_bom: self.with_bom,
                },
            },
            files: self.files.clone(),
        };
        let export = Export::begin(repository, &Actor::program(), order).await?;
        let rows = Arc::new(AtomicU64::new(0));
        let (counted, say) = (rows.clone(), progress.say());
        let tell = move |count: u64| {
            counted.store(count, Ordering::Relaxed);
            say(format!("{count} items"));
        };
        let (target, tell) = (&self.target, Arc::new(tell));
        let is_zip = target
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
        let written = match (self.files.is_nothing(), is_zip) {
            (true, _) => export.into_file(target, tell).await,
            (false, true) => {
                export
                    .into_package()
                    .await?
                    .into_zip_file(target, tell)
                    .await
            }
            (false, false) => {
                let written = export.into_package().await?.into_folder(target, tell).await;
                written.map_err(|error| io::Error::other(error.to_string()))
            }
        };
        written.map_err(|error| Refusal::Storage(format!("{error}.")))?;
        Ok(rows.load(Ordering::Relaxed))
    }

    async fn source(
        &self,
        repository: &Arc<Repository>,
        progress: &Progress,
    ) -> Result<ItemSource, Refusal> {
        if !self.items.is_empty() {
            let items = self.items.iter().map(|nid| (EntityKind::Node, *nid));
            return Ok(ItemSource::Ids(items.collect()));
        }
        let found = match &self.search {
            Some(typed) => Some(found(repository, typed, progress).await?),
            None => None,
        };
        Ok(ExportOrder::list(ItemFilter {
            collection: self.collection,
            below: self.collection.is_some(),
            found,
            ..ItemFilter::default()
        }))
    }
}

/// The items that a search finds in all that is there. A program that serves feeds the index; otherwise this one does.
async fn found(
    repository: &Arc<Repository>,
    typed: &str,
    progress: &Progress,
) -> Result<IdSet, Refusal> {
    let search = &repository.search;
    let follower = (!search.is_followed()).then(|| tokio::spawn(run(repository.clone())));
    let last = repository.db.read(|read| read.last_event()).await?;
    while search.index().is_none() || !search.shows(last, BETWEEN_LOOKS).await {
        progress.set("The index of searches is brought up to date.".into());
        if let Some(problem) = search.status().problem {
            return Err(Refusal::Storage(problem));
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    let missing = || Refusal::Storage("There is no index of searches.".into());
    let index = search.index().ok_or_else(missing)?;
    let names = SearchNames::of(&repository.model());
    let asked = typed_search(&repository.db, &names, &Actor::program(), typed, false)?;
    let ids = tokio::task::spawn_blocking(move || index.found_ids(&asked)).await;
    if let Some(follower) = follower {
        repository.closing.cancel();
        // What it has not written yet, the next start does.
        let _ = follower.await;
    }
    let failed =
        |error: &dyn std::fmt::Display| Refusal::Storage(format!("The search failed: {error}."));
    let ids = ids.map_err(|error| failed(&error))?;
    Ok(IdSet::new(&ids.map_err(|error| failed(&error))?))
}
