//! Why an exchange ends early, and which failures of a site it survives.

use isolario_core::actions::Refusal;
use isolario_db::DbError;

use crate::site::SiteError;

/// Failures in a row after which nothing more is asked.
const MOST_FAILURES: u32 = 3;

/// Why an exchange ends early.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    #[error("It was cancelled.")]
    Cancelled,
    #[error("The account may not do so any more.")]
    Account,
    #[error("{0}")]
    Site(#[from] SiteError),
    #[error("{0}")]
    Database(#[from] DbError),
    /// The disk or the database refused, and will refuse what follows.
    #[error("{0}")]
    Refused(Refusal),
}

/// Counts the requests in a row that a site did not answer.
#[derive(Debug, Default)]
pub struct Patience {
    failures: u32,
}

impl Patience {
    /// The site has answered.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// Returns a failure that concerns one request.
    ///
    /// # Errors
    /// A failure that lasts, or one of many in a row.
    pub fn endure(&mut self, error: SiteError) -> Result<SiteError, Stop> {
        match error {
            SiteError::Unreachable(_) => self.failures += 1,
            SiteError::SignIn | SiteError::Address(_) => return Err(error.into()),
            _ => self.failures = 0,
        }
        match self.failures >= MOST_FAILURES {
            true => Err(error.into()),
            false => Ok(error),
        }
    }
}
