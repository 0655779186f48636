//! A requested import while the program serves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use isolario_core::actions::Refusal;
use isolario_core::repository::Repository;
use isolario_model::policy::{Actor, may_run_server};
use tokio_util::sync::CancellationToken;

use crate::import::import;
use crate::report::Report;
use crate::site::check_address;
use crate::task::{ImportOrder, Task, TaskProgress};

/// An import in progress.
#[derive(Debug, Clone)]
pub struct RunningImport {
    pub site: String,
    pub is_check: bool,
    /// Unix seconds.
    pub began: i64,
    pub progress: TaskProgress,
    cancelled: CancellationToken,
}

/// At most one import runs at a time on demand. The report of the last one is kept until the program closes.
pub struct Imports {
    repository: Arc<Repository>,
    running: Mutex<Option<RunningImport>>,
    last: Mutex<Option<Arc<Report>>>,
}

impl Imports {
    /// None is under way.
    pub fn new(repository: Arc<Repository>) -> Imports {
        Imports {
            repository,
            running: Mutex::default(),
            last: Mutex::default(),
        }
    }

    /// The import under way.
    pub fn running(&self) -> Option<RunningImport> {
        lock(&self.running).clone()
    }

    /// The report of the import that ended last.
    pub fn last(&self) -> Option<Arc<Report>> {
        lock(&self.last).clone()
    }

    /// Ends the import under way, if there is one, before its next node.
    ///
    /// # Errors
    /// `Refusal::Denied`.
    pub fn cancel(&self, actor: &Actor) -> Result<(), Refusal> {
        may_run_server(actor)?;
        if let Some(running) = lock(&self.running).as_ref() {
            running.cancelled.cancel();
        }
        Ok(())
    }

    /// Reserves the only place.
    fn take_turn(&self, order: &ImportOrder) -> Option<CancellationToken> {
        let mut running = lock(&self.running);
        if running.is_some() {
            return None;
        }
        let cancelled = CancellationToken::new();
        *running = Some(RunningImport {
            site: order.site.clone(),
            is_check: order.check,
            began: chrono::Utc::now().timestamp(),
            progress: TaskProgress::default(),
            cancelled: cancelled.clone(),
        });
        Some(cancelled)
    }

    fn tell(&self, progress: TaskProgress) {
        if let Some(running) = lock(&self.running).as_mut() {
            running.progress = progress;
        }
    }

    fn end(&self, report: Report) {
        *lock(&self.last) = Some(Arc::new(report));
        *lock(&self.running) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins an import in the background, on behalf of an administrator: it asks addresses in the name of this machine.
///
/// # Errors
/// `Refusal::Denied`; `Refusal::Invalid` for what is no address; `Refusal::Conflict` while another one is under way.
pub fn import_now(
    imports: &Arc<Imports>,
    actor: &Actor,
    order: ImportOrder,
) -> Result<(), Refusal> {
    may_run_server(actor)?;
    check_address(&order.site).map_err(|error| Refusal::Invalid(error.to_string()))?;
    let busy = || Refusal::Conflict("An import is in progress.".into());
    let cancelled = imports.take_turn(&order).ok_or_else(busy)?;
    let (imports, actor) = (imports.clone(), actor.clone());
    tokio::spawn(async move {
        let told = imports.clone();
        let task = Task {
            say: Arc::new(move |progress| told.tell(progress)),
            cancelled,
        };
        let report = import(&imports.repository, &actor, &order, &task).await;
        imports.end(report);
    });
    Ok(())
}
