//! Passwords that were wrong: when, from where and for whose account. They are kept apart from other requests, which
//! could wash them out. A name without an account is not kept: it may be a password.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Mutex;

use chrono::{DateTime, SecondsFormat, Utc};

use isolario_config::LogRules;
use isolario_disk::log_file::LogFile;

/// How many are remembered; all are written.
const REMEMBERED: usize = 100;

/// Somebody did not get in.
#[derive(Debug, Clone, Copy)]
pub struct FailedSignIn {
    pub at: DateTime<Utc>,
    pub from: IpAddr,
    /// User id; 0 where no account has the name.
    pub user: i64,
}

/// The log of one repository.
pub struct FailedSignIns {
    recent: Mutex<VecDeque<FailedSignIn>>,
    file: LogFile,
}

impl FailedSignIns {
    /// Begins `logs/sign-ins.log` in a data directory.
    pub fn open(data_directory: &Path, rules: &LogRules) -> FailedSignIns {
        FailedSignIns {
            recent: Mutex::default(),
            file: LogFile::open(
                data_directory,
                "sign-ins",
                rules.megabytes,
                rules.kept_files,
            ),
        }
    }

    /// Notes that somebody did not get in.
    pub fn note(&self, from: IpAddr, user: i64) {
        let at = Utc::now();
        let time = at.to_rfc3339_opts(SecondsFormat::Millis, true);
        self.file.add(format!("{time} from={from} user={user}\n"));
        if let Ok(mut recent) = self.recent.lock() {
            recent.truncate(REMEMBERED - 1);
            recent.push_front(FailedSignIn { at, from, user });
        }
    }

    /// The last ones since the program started, the newest first.
    pub fn recent(&self) -> Vec<FailedSignIn> {
        let recent = self.recent.lock();
        recent.map_or_else(|_| Vec::new(), |recent| recent.iter().copied().collect())
    }

    /// Waits until everything noted so far is written.
    pub fn flush(&self) {
        self.file.flush();
    }
}
