//! Reports the progress of long operations.

/// Called now and then with a message about the progress.
pub type ReportProgress = dyn Fn(String) + Send + Sync;
