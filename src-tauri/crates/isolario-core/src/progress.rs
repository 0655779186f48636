//! How long work says how far it is.

/// Called with a few words, now and then, by work that takes long.
pub type ReportProgress = dyn Fn(String) + Send + Sync;
