//! Brings the content of a site into a repository. Identity is the UUID, so an import that ended early continues when it
//! is run again, and a later one brings what has changed since.

mod bring;
mod entities;
mod files;
mod walk;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use isolario_core::actions::{Author, Refusal};
use isolario_core::repository::Repository;
use isolario_model::content::EntityKind;
use isolario_model::origin::Origin;
use isolario_model::policy::{Actor, SignIn};

use crate::mapping::Arrived;
use crate::report::Report;
use crate::site::{Site, SiteError};
use crate::stop::{Patience, Stop};
use crate::task::{ImportOrder, Task};

/// Imports what is ordered, on behalf of an actor. What cannot come stands in the report.
pub async fn import(
    repository: &Arc<Repository>,
    actor: &Actor,
    order: &ImportOrder,
    task: &Task,
) -> Report {
    let site = match Site::new(&order.site, order.credentials()) {
        Ok(site) => site,
        Err(error) => {
            let mut report = Report::new(&order.site, order.check);
            report.ended = Some(error.to_string());
            return report;
        }
    };
    import_from(repository, actor, &site, order, task).await
}

/// Imports a bag that this program has made, from a folder whose path is absolute. A damaged one is refused before
/// anything is written.
pub async fn import_bag(
    repository: &Arc<Repository>,
    actor: &Actor,
    folder: &Path,
    task: &Task,
) -> Report {
    let order = ImportOrder {
        site: folder.display().to_string(),
        user: None,
        password: None,
        collection: None,
        check: false,
    };
    let place = folder.to_owned();
    let opened = tokio::task::spawn_blocking(move || Site::of_bag(&place)).await;
    match opened.unwrap_or_else(|error| Err(error.to_string())) {
        Ok(site) => import_from(repository, actor, &site, &order, task).await,
        Err(words) => {
            let mut report = Report::new(&order.site, false);
            report.ended = Some(words);
            report
        }
    }
}

async fn import_from(
    repository: &Arc<Repository>,
    actor: &Actor,
    site: &Site,
    order: &ImportOrder,
    task: &Task,
) -> Report {
    let mut import = Import {
        repository,
        actor: actor.clone(),
        report: Report::new(site.address(), order.check),
        site,
        is_check: order.check,
        is_whole: order.collection.is_none(),
        task,
        arrived: HashMap::new(),
        taken_terms: HashSet::new(),
        waiting: BTreeSet::new(),
        is_last: false,
        has_hashes: true,
        patience: Patience::default(),
    };
    if let Err(stop) = import.run(order.collection).await {
        import.report.ended = Some(stop.to_string());
    }
    import.report
}

/// A running import.
struct Import<'a> {
    repository: &'a Arc<Repository>,
    actor: Actor,
    site: &'a Site,
    is_check: bool,
    /// Whether everything is brought, and not a collection.
    is_whole: bool,
    task: &'a Task,
    arrived: Arrived,
    /// Terms here that are terms of the site.
    taken_terms: HashSet<i64>,
    /// What refers to a node that had not come yet.
    waiting: BTreeSet<(EntityKind, i64)>,
    /// Whether nothing comes any more.
    is_last: bool,
    /// Whether the site says the checksums of its files.
    has_hashes: bool,
    patience: Patience,
    report: Report,
}

impl Import<'_> {
    /// Before each node: whether to go on, and the account as it is now.
    fn go_on(&mut self) -> Result<(), Stop> {
        if self.task.cancelled.is_cancelled() || self.repository.closing.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.actor.sign_in != SignIn::Program {
            let authenticator = &self.repository.authenticator;
            let actor = authenticator.as_of_now(self.actor.uid, &self.actor.sign_in)?;
            self.actor = actor.filter(Actor::is_administrator).ok_or(Stop::Account)?;
        }
        Ok(())
    }

    fn author(&self) -> Author {
        Author::new(&self.actor, Origin::Import)
    }

    /// A failure that the import survives.
    fn endure(&mut self, error: SiteError) -> Result<SiteError, Stop> {
        self.patience.endure(error)
    }

    fn say(&self) {
        (self.task.say)(self.report.progress());
    }
}

/// A refusal that concerns one resource alone; another one ends the import.
fn bearable(refusal: Refusal) -> Result<String, Stop> {
    match refusal {
        Refusal::Database(_) | Refusal::Disk(_) | Refusal::Storage(_) => {
            Err(Stop::Refused(refusal))
        }
        refusal => Ok(refusal.to_string()),
    }
}
