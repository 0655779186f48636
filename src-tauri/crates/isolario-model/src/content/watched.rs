//! Files of watched folders, and how far each has come.

/// How far a file of a watched folder has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WatchState {
    /// It is there, and may still be being written.
    Seen,
    /// It is whole and waits for its turn.
    Settled,
    /// It is being taken.
    Ingesting,
    /// It is in the repository.
    Done,
    /// It was left out on purpose.
    Skipped,
    /// It could not be taken.
    Failed,
}

impl WatchState {
    /// Every state, in the order in which files pass through them.
    pub const ALL: [WatchState; 6] = [
        WatchState::Seen,
        WatchState::Settled,
        WatchState::Ingesting,
        WatchState::Done,
        WatchState::Skipped,
        WatchState::Failed,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            WatchState::Seen => "seen",
            WatchState::Settled => "settled",
            WatchState::Ingesting => "ingesting",
            WatchState::Done => "done",
            WatchState::Skipped => "skipped",
            WatchState::Failed => "failed",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<WatchState> {
        WatchState::ALL
            .into_iter()
            .find(|state| state.name() == name)
    }

    /// Whether nothing more happens to the file by itself.
    pub fn is_final(self) -> bool {
        matches!(
            self,
            WatchState::Done | WatchState::Skipped | WatchState::Failed
        )
    }
}

/// What a file looks like from outside. The same file looks the same until somebody changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLook {
    /// Bytes.
    pub size: u64,
    /// Unix nanoseconds.
    pub modified: i64,
    pub inode: u64,
}

/// A file of a watched folder.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchedFile {
    pub id: i64,
    pub rule: i64,
    /// From the watched folder, with `/`.
    pub path: String,
    pub look: FileLook,
    pub state: WatchState,
    /// Why it was skipped or has failed, or what is to be known of it. A sentence.
    pub reason: Option<String>,
    pub attempts: u32,
    /// When it was first seen. Unix milliseconds, as all moments here.
    pub seen: i64,
    /// Since when it looks as it does.
    pub since: i64,
    /// When something may happen to it next.
    pub due: i64,
    pub changed: i64,
    /// Of the bytes that were taken. Hexadecimal.
    pub sha512: Option<String>,
    pub nid: Option<i64>,
    pub mid: Option<i64>,
    /// An item that had the same bytes before.
    pub twin: Option<i64>,
    /// Place among the pages of its object.
    pub weight: Option<i64>,
    /// Whether it waits to be moved or removed.
    pub untidy: bool,
    /// When it was moved or removed.
    pub gone: Option<i64>,
    /// Where it was moved to, from the watched folder.
    pub moved_to: Option<String>,
}
