//! Imports a bag as a batch, which goes on after a restart.

use std::path::PathBuf;
use std::sync::Arc;

use isolario_core::actions::Refusal;
use isolario_core::actions::batches::{
    BagPlan, IMPORT_FOLDER, ImportPlan, ImportTurn, begin_import, fail, import_turn, left_imports,
};
use isolario_core::actions::view_entity::visible_target;
use isolario_core::bag::{StagedBag, remove_staged};
use isolario_core::repository::Repository;
use isolario_db::{Batch, Read};
use isolario_model::content::EntityKind;
use isolario_model::policy::{Actor, Denial};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bag_content::BagContent;
use crate::import::{import_from, may_import};
use crate::report::Report;
use crate::site::Site;
use crate::task::Task;

/// Which bag is imported, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BagOrder {
    /// The name of the bag, as people know it.
    pub name: String,
    /// Where it lies: absolute, or the name of a file that waits in `imports/`.
    pub place: PathBuf,
    /// Whether items get new UUIDs, beside those that are here.
    pub is_new: bool,
    /// What the files of a bag without items become members of.
    pub collection: Option<i64>,
    /// Whether to write nothing.
    pub check: bool,
}

/// A bag that was found whole.
pub struct OpenBag {
    site: Site,
    plan: BagPlan,
}

/// An import of a bag that has begun.
pub struct BegunBag {
    pub batch: Batch,
    bag: OpenBag,
    _turn: ImportTurn,
}

/// Imports a bag, or says what that would do. A damaged one is refused before anything is written.
pub async fn import_bag(
    repository: &Arc<Repository>,
    actor: &Actor,
    order: &BagOrder,
    task: &Task,
) -> Report {
    let outcome = async {
        let bag = OpenBag::open(repository, actor, order).await?;
        match order.check {
            true => Ok::<_, Refusal>(bag.check(repository, actor, task).await),
            false => Ok(bag
                .begin(repository, actor)
                .await?
                .run(repository, actor, task)
                .await),
        }
    };
    outcome.await.unwrap_or_else(|refusal| {
        let mut report = Report::new(&order.name, order.check);
        report.ended = Some(refusal.to_string());
        report
    })
}

impl OpenBag {
    /// Checks a bag, and what is asked of it.
    ///
    /// # Errors
    /// `Invalid` for one that is not whole, with the names of its damaged files; `NotFound` for a collection that is not
    /// there for the actor; `Denied` as `may_import`, and for a bag with items unless the actor is an administrator.
    pub async fn open(
        repository: &Arc<Repository>,
        actor: &Actor,
        order: &BagOrder,
    ) -> Result<OpenBag, Refusal> {
        if let Some(id) = order.collection {
            let kind = EntityKind::Node;
            let ask = |read: &Read<'_>| visible_target(read, actor, kind, id);
            let found = repository.db.read_here(ask)?;
            found.ok_or(Refusal::NotFound { kind, id })?;
        }
        let plan = BagPlan {
            name: order.name.clone(),
            place: order.place.clone(),
            salt: order.is_new.then(|| Uuid::new_v4().to_string()),
            collection: order.collection,
        };
        OpenBag::of(repository, actor, plan).await
    }

    async fn of(
        repository: &Arc<Repository>,
        actor: &Actor,
        plan: BagPlan,
    ) -> Result<OpenBag, Refusal> {
        may_import(actor)?;
        let place = match plan.place.is_absolute() {
            true => plan.place.clone(),
            false => repository.directory.join(IMPORT_FOLDER).join(&plan.place),
        };
        let name = plan.name.clone();
        let opening = tokio::task::spawn_blocking(move || {
            let content = BagContent::open(&place, &name, &|_| {})?;
            let address = match place.file_name() == Some(name.as_ref()) {
                true => place,
                false => PathBuf::from("/").join(&name),
            };
            Site::of_bag(content, &address)
        });
        let site = opening
            .await
            .map_err(|error| Refusal::Storage(error.to_string()))?
            .map_err(Refusal::Invalid)?;
        let has_items = site.bag().is_some_and(|bag| bag.items() > 0);
        if has_items && !actor.is_administrator() {
            let words = "Isolario has made this bag. Only administrators bring its items, with their owners and UUIDs.";
            return Err(Denial::new(words).into());
        }
        if has_items && plan.collection.is_some() {
            let words = "Isolario has made this bag: its items keep their collections. Leave the collection out.";
            return Err(Refusal::Invalid(words.into()));
        }
        let mut bag = OpenBag { site, plan };
        bag.take_salt();
        Ok(bag)
    }

    fn take_salt(&mut self) {
        if let (Some(bag), Some(salt)) = (self.site.bag_mut(), &self.plan.salt) {
            bag.renew(salt.clone());
        }
    }

    /// Says what an import would bring.
    pub async fn check(&self, repository: &Arc<Repository>, actor: &Actor, task: &Task) -> Report {
        import_from(
            repository,
            actor,
            &self.site,
            self.plan.collection,
            None,
            task,
        )
        .await
    }

    /// Writes the batch down, or goes on with the one that broke off.
    ///
    /// # Errors
    /// `Conflict` while another import runs; `TooMany`.
    pub async fn begin(
        mut self,
        repository: &Arc<Repository>,
        actor: &Actor,
    ) -> Result<BegunBag, Refusal> {
        let turn = import_turn(repository)?;
        let expected = self.site.bag().map_or(0, BagContent::expected);
        let plan = ImportPlan::ImportBag(self.plan.clone());
        let batch = begin_import(repository, actor, &turn, plan, expected).await?;
        if let Some(ImportPlan::ImportBag(plan)) = ImportPlan::of(&batch) {
            self.plan = plan;
            self.take_salt();
        }
        Ok(BegunBag {
            batch,
            bag: self,
            _turn: turn,
        })
    }
}

/// Begins to import a bag that waits in `imports/`, whoever waits for that.
///
/// # Errors
/// As `OpenBag::begin`.
pub async fn start_staged(
    repository: &Arc<Repository>,
    actor: &Actor,
    bag: OpenBag,
    staged: StagedBag,
) -> Result<Batch, Refusal> {
    let (repository, actor) = (repository.clone(), actor.clone());
    // One who goes away meanwhile must not leave a batch without its bag.
    let starting = tokio::spawn(async move {
        let begun = bag.begin(&repository, &actor).await?;
        staged.keep();
        let batch = begun.batch.clone();
        tokio::spawn(async move { begun.run(&repository, &actor, &unheard()).await });
        Ok(batch)
    });
    let started = starting.await;
    started.map_err(|error| Refusal::Storage(error.to_string()))?
}

impl BegunBag {
    /// Carries it out.
    pub async fn run(self, repository: &Arc<Repository>, actor: &Actor, task: &Task) -> Report {
        let OpenBag { site, plan } = &self.bag;
        let (collection, id) = (plan.collection, self.batch.id);
        let report = import_from(repository, actor, site, collection, Some(id), task).await;
        if plan.place.is_relative() && !repository.closing.is_cancelled() {
            remove_staged(repository, &plan.place).await;
        }
        report
    }
}

/// Goes on with the import that the last run of the program has left.
pub async fn resume_imports(repository: &Arc<Repository>) {
    let left = match left_imports(repository).await {
        Ok(left) => left,
        Err(error) => return tracing::error!(%error, "open imports cannot be looked at"),
    };
    for (batch, plan, actor) in left {
        let ImportPlan::ImportBag(plan) = plan else {
            let words = "The program ended. Run the import again, and it continues.";
            fail(repository, batch.id, words).await;
            continue;
        };
        let repository = repository.clone();
        tokio::spawn(async move {
            let begun = match OpenBag::of(&repository, &actor, plan).await {
                Ok(bag) => bag.begin(&repository, &actor).await,
                Err(refusal) => Err(refusal),
            };
            match begun {
                Ok(begun) => drop(begun.run(&repository, &actor, &unheard()).await),
                Err(refusal) => fail(&repository, batch.id, &refusal.to_string()).await,
            }
        });
    }
}

/// A task that only its batch tells of.
fn unheard() -> Task {
    Task {
        say: Arc::new(|_| {}),
        cancelled: CancellationToken::new(),
    }
}
