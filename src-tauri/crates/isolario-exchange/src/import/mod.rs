//! Brings the content of a site into a repository. Identity is the UUID, so an import that ended early continues when it
//! is run again, and a later one brings what has changed since.

mod bring;
mod entities;
mod files;
mod plain_files;
mod walk;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use isolario_core::actions::batches::{
    ImportPlan, begin_import, cancel_import, complete_import, fail, import_turn, is_open, note_node,
};
use isolario_core::actions::{Author, Refusal};
use isolario_core::repository::Repository;
use isolario_model::content::{EntityKind, model_roles};
use isolario_model::origin::Origin;
use isolario_model::policy::permission::may_create_somewhere;
use isolario_model::policy::{Actor, Denial, SignIn};

use crate::mapping::{Arrival, Arrived};
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
    let failed = |words: String| {
        let mut report = Report::new(&order.site, order.check);
        report.ended = Some(words);
        report
    };
    let site = match Site::new(&order.site, order.credentials()) {
        Ok(site) => site,
        Err(error) => return failed(error.to_string()),
    };
    if order.check {
        return import_from(repository, actor, &site, order.collection, None, task).await;
    }
    let begun = async {
        let turn = import_turn(repository)?;
        let plan = ImportPlan::ImportSite {
            site: site.address().to_owned(),
        };
        let batch = begin_import(repository, actor, &turn, plan, 0).await?;
        Ok::<_, Refusal>((batch.id, turn))
    };
    match begun.await {
        Ok((batch, _turn)) => {
            import_from(
                repository,
                actor,
                &site,
                order.collection,
                Some(batch),
                task,
            )
            .await
        }
        Err(refusal) => failed(refusal.to_string()),
    }
}

/// Imports from a site or a bag: in a batch, or as a check that writes nothing.
pub(crate) async fn import_from(
    repository: &Arc<Repository>,
    actor: &Actor,
    site: &Site,
    collection: Option<i64>,
    batch: Option<i64>,
    task: &Task,
) -> Report {
    let is_check = batch.is_none();
    let mut import = Import {
        repository,
        actor: actor.clone(),
        report: Report::new(site.address(), is_check),
        site,
        is_check,
        batch,
        is_whole: collection.is_none(),
        task,
        arrived: HashMap::new(),
        taken_terms: HashSet::new(),
        waiting: BTreeSet::new(),
        is_last: false,
        has_hashes: true,
        patience: Patience::default(),
    };
    import.report.files_become_items = site.bag().is_some_and(|bag| bag.items() == 0);
    let outcome = import.run(collection).await;
    let outcome = match (outcome, batch) {
        (Ok(()), Some(batch)) => complete_import(repository, batch).await.map_err(Stop::from),
        (outcome, _) => outcome,
    };
    if let Err(stop) = outcome {
        import.report.ended = Some(stop.to_string());
        // What ends because the program closes goes on when it is there again.
        if let Some(batch) = batch.filter(|_| !repository.closing.is_cancelled()) {
            match stop {
                Stop::Cancelled => cancel_import(repository, batch).await,
                stop => fail(repository, batch, &stop.to_string()).await,
            }
            repository.batches.happened();
        }
    }
    import.report
}

/// Whether the actor may bring files of a bag as items.
///
/// # Errors
/// `Denied` for those who may make no items.
pub fn may_import(actor: &Actor) -> Result<(), Denial> {
    may_create_somewhere(actor, EntityKind::Node, &model_roles().bundles.item)
}

/// A running import.
struct Import<'a> {
    repository: &'a Arc<Repository>,
    actor: Actor,
    site: &'a Site,
    is_check: bool,
    /// What it is done in, unless nothing is written.
    batch: Option<i64>,
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
        if let Some(batch) = self.batch
            && !is_open(self.repository, batch)?
        {
            return Err(Stop::Cancelled);
        }
        if self.actor.sign_in != SignIn::Program {
            let authenticator = &self.repository.authenticator;
            let actor = authenticator.as_of_now(self.actor.uid, &self.actor.sign_in)?;
            let may = |actor: &Actor| match self.report.files_become_items {
                true => may_import(actor).is_ok(),
                false => actor.is_administrator(),
            };
            self.actor = actor.filter(may).ok_or(Stop::Account)?;
        }
        Ok(())
    }

    fn author(&self) -> Author {
        Author {
            batch: self.batch,
            ..Author::new(&self.actor, Origin::Import)
        }
    }

    /// Notes in the batch what became of an item, unless it was made or changed.
    async fn note(&self, nid: i64, arrival: Arrival) -> Result<(), Stop> {
        let Some(batch) = self.batch else {
            return Ok(());
        };
        let (here, reason) = match arrival {
            Arrival::Here(nid) => (Some(nid), None),
            Arrival::Planned => return Ok(()),
            Arrival::Failed => (None, self.report.reason_of(EntityKind::Node, nid)),
        };
        note_node(self.repository, batch, here, reason).await?;
        self.repository.batches.happened();
        Ok(())
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
