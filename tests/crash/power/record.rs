//! What `record.c` wrote down, read.

use std::path::{Path, PathBuf};

use bytes::Bytes;

/// What the program asked of the disk, or that it answered. Files and directories that are open have
/// the number that the real disk gave them.
pub enum Entry {
    /// A file was opened to be written, and made if there was none; `emptied` if there was.
    Opened {
        file: u64,
        emptied: bool,
        path: PathBuf,
    },
    Made {
        directory: u64,
        path: PathBuf,
    },
    Removed(PathBuf),
    Renamed {
        from: PathBuf,
        to: PathBuf,
    },
    Linked {
        from: PathBuf,
        to: PathBuf,
    },
    /// A symbolic link was made.
    Pointed {
        content: PathBuf,
        path: PathBuf,
    },
    Written {
        file: u64,
        offset: usize,
        bytes: Bytes,
    },
    Resized {
        file: u64,
        length: usize,
    },
    /// A file or a directory was synced; by whom, innermost first (addresses in the program).
    Synced {
        number: u64,
        callers: Vec<u64>,
    },
    /// So was everything.
    AllSynced {
        callers: Vec<u64>,
    },
    /// Somebody was answered at a port; 0 is standard output.
    Answered(u16),
}

impl Entry {
    /// Whether a name came or went.
    pub fn changes_names(&self) -> bool {
        !matches!(
            self,
            Entry::Written { .. }
                | Entry::Resized { .. }
                | Entry::Synced { .. }
                | Entry::AllSynced { .. }
                | Entry::Answered(_)
        )
    }
}

impl Entry {
    /// What kind of name came or went, in words that leave out what differs from one upload to the next.
    pub fn shape(&self) -> Option<String> {
        let (kind, path) = match self {
            Entry::Opened { path, .. } => ("opened", path),
            Entry::Made { path, .. } => ("made", path),
            Entry::Removed(path) => ("removed", path),
            Entry::Renamed { to, .. } => ("renamed", to),
            Entry::Linked { to, .. } => ("linked", to),
            Entry::Pointed { path, .. } => ("pointed", path),
            _ => return None,
        };
        let plain = |part: &str| match part.contains(|letter: char| letter.is_ascii_digit()) {
            true => "*".to_owned(),
            false => part.to_owned(),
        };
        let parts = path.iter().filter_map(|part| part.to_str()).map(plain);
        Some(format!("{kind} {}", parts.collect::<Vec<_>>().join("/")))
    }
}

/// Reads a record. An entry that a killed program did not finish is left out.
pub fn read(path: &Path) -> Vec<Entry> {
    let mut rest = Bytes::from(std::fs::read(path).expect("a record"));
    let mut entries = Vec::new();
    while rest.len() >= 40 {
        let head: Vec<u64> = numbers(&rest.split_to(40));
        let [first, second] = [length(head[3]), length(head[4])];
        if rest.len() < first + second {
            break;
        }
        let texts = [rest.split_to(first), rest.split_to(second)];
        entries.push(entry(&head, texts));
    }
    entries
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    let numbers = bytes.chunks_exact(8);
    numbers
        .map(|eight| u64::from_ne_bytes(eight.try_into().expect("eight")))
        .collect()
}

fn length(number: u64) -> usize {
    usize::try_from(number).expect("small")
}

fn path(bytes: &[u8]) -> PathBuf {
    let text = std::str::from_utf8(bytes).expect("paths of ours are UTF-8");
    // Without doubled slashes and dots.
    Path::new(text).components().collect()
}

fn entry(head: &[u64], [first, second]: [Bytes; 2]) -> Entry {
    match u8::try_from(head[0]).expect("a kind") {
        b'O' => Entry::Opened {
            file: head[1],
            emptied: head[2] == 1,
            path: path(&first),
        },
        b'M' => Entry::Made {
            directory: head[1],
            path: path(&first),
        },
        b'U' => Entry::Removed(path(&first)),
        b'R' => Entry::Renamed {
            from: path(&first),
            to: path(&second),
        },
        b'L' => Entry::Linked {
            from: path(&first),
            to: path(&second),
        },
        b'S' => Entry::Pointed {
            content: path(&first),
            path: path(&second),
        },
        b'W' => Entry::Written {
            file: head[1],
            offset: length(head[2]),
            bytes: first,
        },
        b'T' => Entry::Resized {
            file: head[1],
            length: length(head[2]),
        },
        b'F' => Entry::Synced {
            number: head[1],
            callers: numbers(&first),
        },
        b'Z' => Entry::AllSynced {
            callers: numbers(&first),
        },
        b'A' => Entry::Answered(u16::try_from(head[1]).expect("a port")),
        kind => panic!("an entry of the unknown kind {kind}"),
    }
}
