//! The places of the program that sync.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::disk::Disk;
use super::record::Entry;
use super::recorder::Recording;

/// Sources of the program, as the addresses name them.
pub const SOURCES: &str = "src-tauri/";

/// A source of the program by its crate: `crates/isolario-blobs/src/stage.rs` is `blobs/stage.rs`.
pub fn by_crate(path: &str) -> String {
    let path = path.strip_prefix("crates/isolario-").unwrap_or(path);
    let path = path.strip_prefix("src/").unwrap_or(path);
    path.replacen("/src/", "/", 1)
}

/// Those that sync in somebody else's name.
pub const ON_BEHALF: [&str; 11] = [
    "sync_below",
    "sync_disk",
    "sync_each",
    "sync_directory",
    "sync_names",
    "sync_path",
    "sync_together",
    "sync_whole_disk",
    "write_synced",
    "replace",
    "make_directory",
];

/// Where the program syncs: the entries of each place, by its source, line and function.
pub fn sites(recording: &Recording) -> BTreeMap<String, BTreeSet<usize>> {
    let sources = Sources::of(&recording.entries);
    let mut disk = recording.disk();
    let mut sites: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, entry) in recording.entries.iter().enumerate() {
        if let Some(callers) = callers(entry) {
            let site = match sources.site(callers) {
                Some(site) => format!("{site}, of {}", disk.kind_of(entry)),
                None => by_the_database(&disk, entry),
            };
            sites.entry(site).or_default().insert(at);
        }
        disk.follow(entry);
    }
    sites
}

fn callers(entry: &Entry) -> Option<&[u64]> {
    match entry {
        Entry::Synced { callers, .. } | Entry::AllSynced { callers } => Some(callers),
        _ => None,
    }
}

/// SQLite syncs by what happens to its files.
fn by_the_database(disk: &Disk, entry: &Entry) -> String {
    let Entry::Synced { number, .. } = entry else {
        panic!("nobody known syncs everything");
    };
    let path = disk.path_of(*number).expect("it has a name");
    let name = path.file_name().and_then(|name| name.to_str());
    format!("SQLite: {}", name.expect("a name"))
}

/// Where the addresses of the program come from.
struct Sources(BTreeMap<u64, (String, String)>);

impl Sources {
    fn of(entries: &[Entry]) -> Sources {
        let callers = entries.iter().filter_map(callers);
        let addresses: BTreeSet<u64> = callers.flatten().copied().collect();
        let program = Path::new(env!("CARGO_BIN_EXE_isolario-headless"));
        let mut child = Command::new("addr2line")
            .args(["--functions", "--demangle", "--exe"])
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("addr2line is there, with the C compiler");
        let mut asked = child.stdin.take().expect("piped");
        let output = std::thread::scope(|scope| {
            scope.spawn(|| {
                for address in &addresses {
                    writeln!(asked, "{address:#x}").expect("it reads");
                }
                drop(asked);
            });
            child.wait_with_output().expect("it ends")
        });
        let text = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        let pairs = lines.chunks_exact(2);
        let pairs = pairs.map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
        let sources: BTreeMap<_, _> = addresses.into_iter().zip(pairs).collect();
        Sources(sources)
    }

    /// The innermost caller of ours, unless it is SQLite that syncs.
    fn site(&self, callers: &[u64]) -> Option<String> {
        for caller in callers {
            let (function, place) = self.0.get(caller)?;
            if function.starts_with("sqlite3") || function.starts_with("unix") {
                return None;
            }
            let function = plain(function);
            let own = place.split_once(SOURCES).map(|(_, own)| by_crate(own));
            if let Some(own) = own
                .as_deref()
                .filter(|_| !ON_BEHALF.contains(&function.as_str()))
            {
                let place = own.split(' ').next().unwrap_or(own);
                return Some(format!("{place} {function}"));
            }
        }
        None
    }
}

/// The name of a function without its room and its hash.
fn plain(function: &str) -> String {
    let parts = function.split("::").filter(|part| !part.starts_with('{'));
    let named: Vec<&str> = parts.filter(|part| !is_hash(part)).collect();
    named.last().copied().unwrap_or(function).to_owned()
}

fn is_hash(part: &str) -> bool {
    part.len() == 17 && part.starts_with('h')
}
