//! The priority of a fixity pass: a requested pass runs as fast as the configuration allows.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use isolario_model::policy::{Actor, may_run_server};
use tokio::sync::Notify;

use crate::actions::Refusal;
use crate::repository::Repository;

/// The audit of a repository, and whether its pass was requested.
pub struct Audit {
    pub(super) repository: Arc<Repository>,
    priority: Priority,
    requested: Notify,
}

/// Set while a requested pass runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Priority(Arc<AtomicBool>);

impl Priority {
    pub(super) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self, on: bool) {
        self.0.store(on, Ordering::Relaxed);
    }
}

impl Audit {
    /// Nothing is verified before `start`.
    pub fn new(repository: Arc<Repository>) -> Audit {
        Audit {
            repository,
            priority: Priority::default(),
            requested: Notify::new(),
        }
    }

    /// Verifies everything now, as fast as the configuration lets it: the pass under way goes on at full speed, or one
    /// begins.
    ///
    /// # Errors
    /// `Refusal::Denied`; `Refusal::Conflict` where the configuration wants no audit.
    pub fn check_now(&self, actor: &Actor) -> Result<(), Refusal> {
        may_run_server(actor)?;
        if !self.repository.config.fixity.enabled {
            return Err(Refusal::Conflict(
                "The verification of stored bytes is switched off in config.toml.".into(),
            ));
        }
        self.priority.set(true);
        self.requested.notify_one();
        Ok(())
    }

    /// Whether the current pass was requested.
    pub fn is_prioritised(&self) -> bool {
        self.priority.is_on()
    }

    pub(super) fn priority(&self) -> Priority {
        self.priority.clone()
    }

    /// Waits for a request.
    pub(super) async fn requested(&self) {
        self.requested.notified().await;
    }

    /// Ends the priority, since the requested pass has ended.
    pub(super) fn reset_priority(&self) {
        self.priority.set(false);
    }
}
