//! The report of a rebuild.

use std::path::PathBuf;

/// The outcome of a rebuild.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RebuildReport {
    pub nodes: u64,
    pub media: u64,
    pub terms: u64,
    pub files: u64,
    pub accounts: u64,
    pub roles: u64,
    pub saved_searches: u64,
    pub redirects: u64,
    /// Of all these, how many are deleted.
    pub deleted: u64,
    /// Versions of files whose bytes are there with the right checksum.
    pub intact: u64,
    /// Records that could not be read or written to the database, one sentence each.
    pub left_out: Vec<String>,
    /// Bytes that are missing or have changed, one sentence each.
    pub damaged: Vec<String>,
    /// Bytes that no record names.
    pub unknown: Vec<String>,
    /// The new path of the former database.
    pub moved_aside: Option<PathBuf>,
}

/// What no record has.
const UNKNOWABLE: &str = "What records do not tell, and what is therefore gone:
- passwords: `isolario user password NAME` sets a new one; `isolario serve` shows one for admin
- sessions and tokens: everybody signs in again
- mail addresses of accounts
- former revisions: each thing has its current one
- uploads in parts that were not finished
- the log of events, when bytes were last verified, and when backups were made
- changes of the last moments before the loss whose records had not been written yet; new numbers
  begin a thousand above the highest known, so that none is given twice";

impl RebuildReport {
    /// Whether everything that the records name exists.
    pub fn is_whole(&self) -> bool {
        self.left_out.is_empty() && self.damaged.is_empty()
    }

    /// What a person wants to know.
    pub fn in_words(&self) -> String {
        let mut lines = vec![format!(
            "The database was made again: {} nodes, {} media, {} terms, {} files, {} accounts, {} roles, {} saved searches, {} redirects; {} of these are deleted.",
            self.nodes,
            self.media,
            self.terms,
            self.files,
            self.accounts,
            self.roles,
            self.saved_searches,
            self.redirects,
            self.deleted
        )];
        lines.push(format!(
            "Bytes of {} versions of files have the right checksum.",
            self.intact
        ));
        if let Some(path) = &self.moved_aside {
            lines.push(format!("The former database is {} now.", path.display()));
        }
        for (heading, found) in [
            ("Could not be taken in:", &self.left_out),
            ("Bytes that are missing or damaged:", &self.damaged),
            (
                "Bytes of which no record tells, left where they are:",
                &self.unknown,
            ),
        ] {
            if !found.is_empty() {
                lines.push(heading.to_owned());
                lines.extend(found.iter().map(|line| format!("- {line}")));
            }
        }
        lines.push(UNKNOWABLE.to_owned());
        lines.join("\n")
    }
}
