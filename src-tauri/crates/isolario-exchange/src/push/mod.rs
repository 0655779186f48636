//! Sends items to a site: nodes, the terms that they refer to, and the files of their media. What was sent is noted, so
//! that a later push sends only what has changed here.

mod body;
mod media;
mod nodes;
mod requests;
mod terms;

use std::collections::HashMap;
use std::sync::Arc;

use isolario_core::repository::Repository;
use isolario_db::{DbError, Pushed};
use isolario_model::content::Entity;
use isolario_model::policy::{Actor, SignIn};

use crate::report::{Loss, Outcome, Report};
use crate::site::{Site, SiteError};
use crate::stop::{Patience, Stop};
use crate::task::{PushOrder, Task};

/// Sends what is ordered, on behalf of an actor. What the site did not take stands in the report.
pub async fn push(
    repository: &Arc<Repository>,
    actor: &Actor,
    order: &PushOrder,
    task: &Task,
) -> Report {
    let site = match Site::new(&order.site, order.credentials()) {
        Ok(site) => site,
        Err(error) => {
            let mut report = Report::new(&order.site, false);
            report.ended = Some(error.to_string());
            return report;
        }
    };
    let mut push = Push {
        repository,
        actor: actor.clone(),
        report: Report::new(site.address(), false),
        site: &site,
        task,
        terms: HashMap::new(),
        nodes: HashMap::new(),
        patience: Patience::default(),
    };
    if let Err(stop) = push.run(order).await {
        push.report.ended = Some(stop.to_string());
    }
    push.report
}

/// A running push.
struct Push<'a> {
    repository: &'a Arc<Repository>,
    actor: Actor,
    site: &'a Site,
    task: &'a Task,
    /// Ids of terms at the site by those here; `None` where the site does not take one.
    terms: HashMap<i64, Option<i64>>,
    /// The same of nodes.
    nodes: HashMap<i64, Option<i64>>,
    patience: Patience,
    report: Report,
}

impl Push<'_> {
    async fn run(&mut self, order: &PushOrder) -> Result<(), Stop> {
        self.site.check_sign_in().await?;
        let mut items = order.items.clone();
        if order.below {
            for nid in &order.items {
                let nid = *nid;
                items.extend(self.repository.db.read_here(|read| read.nodes_below(nid))?);
            }
        }
        for nid in items.clone() {
            self.go_on()?;
            self.push_item(nid, &items).await?;
        }
        Ok(())
    }

    /// Before each item: whether to go on, and the account as it is now.
    fn go_on(&mut self) -> Result<(), Stop> {
        if self.task.cancelled.is_cancelled() || self.repository.closing.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.actor.sign_in != SignIn::Program {
            let authenticator = &self.repository.authenticator;
            let actor = authenticator.as_of_now(self.actor.uid, &self.actor.sign_in)?;
            let actor = actor.filter(Actor::is_administrator);
            self.actor = actor.ok_or(Stop::Account)?;
        }
        (self.task.say)(self.report.progress());
        Ok(())
    }

    /// A failure that the push survives, in words.
    fn endure(&mut self, error: SiteError) -> Result<String, Stop> {
        Ok(self.patience.endure(error)?.to_string())
    }

    fn pushed(&self, of: &Entity) -> Result<Option<Pushed>, DbError> {
        let (site, kind, id) = (self.site.address(), of.kind, of.id);
        self.repository
            .db
            .read_here(|read| read.pushed(site, kind, id))
    }

    async fn note(&self, of: &Entity, remote: i64, sha512: Option<String>) -> Result<(), DbError> {
        let site = self.site.address().to_owned();
        let (kind, id, revision) = (of.kind, of.id, of.revision);
        let note = self.repository.db.write(move |write| {
            let pushed = Pushed {
                remote,
                revision,
                sha512,
            };
            write.note_pushed(&site, kind, id, &pushed)
        });
        note.await
    }

    fn lose(&mut self, of: &Entity, field: Option<&str>, reason: impl Into<String>) {
        self.report.add(Loss {
            kind: of.kind.target_type().to_owned(),
            id: of.id,
            uuid: of.uuid.clone(),
            title: of.label().to_owned(),
            field: field.map(str::to_owned),
            reason: reason.into(),
        });
    }

    fn fail(&mut self, of: &Entity, reason: impl Into<String>) {
        self.report.count(of.kind, Outcome::Failed);
        self.lose(of, None, reason);
    }
}
