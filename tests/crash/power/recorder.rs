//! The real program at work while what it asks of the disk is written down.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::disk::{Disk, Survivors};
use super::moment::{Course, Located};
use super::record::{Entry, read};
use crate::load::Terms;
use crate::program::{Serving, basic, in_sources, isolario};
use crate::wire::Server;

/// The library that goes before the C library. Built once.
pub fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = in_sources("tests/crash/power/record.c");
        let own = format!("record-{}.so", std::process::id());
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join(own);
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o"]);
        let status = compiler.arg(&built).arg(&source).arg("-ldl").status();
        assert!(status.expect("a C compiler is there").success());
        built
    })
}

/// What the program did, and what its clients know of it.
pub struct Recording {
    root: tempfile::TempDir,
    pub entries: Vec<Entry>,
    pub authorization: String,
    /// What each client knew after each of its steps.
    pub courses: Vec<Located>,
    pub terms: Terms,
    number: u64,
}

/// A program that is being recorded. Its data directory is not there at first.
pub struct Recorder {
    root: tempfile::TempDir,
    record: tempfile::NamedTempFile,
    number: u64,
    authorization: Option<String>,
    courses: Vec<Course>,
}

/// Name of the data directory below the root.
pub const DATA: &str = "new/data";

impl Recorder {
    pub fn new() -> Recorder {
        let place = std::env::temp_dir().canonicalize().expect("it is there");
        let root = tempfile::tempdir_in(&place).expect("a directory");
        let metadata = root.path().metadata().expect("it is there");
        Recorder {
            record: tempfile::NamedTempFile::new_in(place).expect("a file"),
            number: metadata.ino(),
            root,
            authorization: None,
            courses: Vec::new(),
        }
    }

    pub fn data(&self) -> PathBuf {
        self.root.path().join(DATA)
    }

    /// Starts the program, to be killed at a point if one is given.
    pub fn start(&mut self, point: Option<&str>) -> Serving {
        let mut command = isolario(&self.data(), &["serve"]);
        command
            .env("LD_PRELOAD", library())
            .env("POWER_RECORD", self.record.path())
            .env("POWER_ROOT", self.root.path());
        if let Some(point) = point {
            command.env("ISOLARIO_KILL_AT", point);
        }
        let serving = Serving::spawn(command);
        if let Some(password) = serving.password() {
            self.authorization = Some(basic("admin", password));
        }
        serving
    }

    pub fn server(&self, serving: &Serving) -> Server {
        let authorization = self.authorization.as_ref().expect("it was founded");
        Server::new(serving.address, authorization)
    }

    /// What clients have come to know.
    pub fn knows(&mut self, course: Course) {
        self.courses.push(course);
    }

    /// Ends the program and reads what it did.
    pub fn end(self, serving: Serving) -> Recording {
        let terms = Terms::of(&self.server(&serving));
        drop(serving);
        let mut recording = Recording {
            entries: read(self.record.path()),
            authorization: self.authorization.expect("it was founded"),
            courses: Vec::new(),
            root: self.root,
            terms,
            number: self.number,
        };
        recording.assert_whole();
        let courses = self.courses.into_iter();
        let courses =
            courses.map(|course| course.located(|after, port| recording.answered(after, port)));
        recording.courses = courses.collect();
        recording
    }
}

impl Recording {
    /// The disk before anything happened.
    pub fn disk(&self) -> Disk {
        Disk::new(self.root.path(), self.number)
    }

    /// The disk as it was after so many entries.
    pub fn disk_after(&self, entries: usize) -> Disk {
        let mut disk = self.disk();
        self.entries[..entries]
            .iter()
            .for_each(|entry| disk.follow(entry));
        disk
    }

    /// Nothing of what the program did was missed: what is recorded is what is there.
    fn assert_whole(&self) {
        let disk = self.disk_after(self.entries.len());
        let mut recorded = disk.cut(&Survivors::Everything).files();
        let mut found = found_below(self.root.path());
        // The index of the log is written through a mapping, and made anew by whoever opens the database first; the
        // room for deleting holds nothing but room.
        for name in ["isolario.db-shm", "reserve"] {
            let path = Path::new(DATA).join(name);
            recorded.remove(&path);
            found.remove(&path);
        }
        assert!(
            recorded.keys().eq(found.keys()),
            "{:?}\n{:?}",
            recorded.keys(),
            found.keys()
        );
        for (path, bytes) in found {
            assert!(
                recorded[&path] == bytes,
                "{} was recorded otherwise",
                path.display()
            );
        }
    }

    /// Whether a client came to know something by this entry.
    pub fn is_step(&self, entry: usize) -> bool {
        let mut steps = self.courses.iter().flat_map(|course| &course.steps);
        steps.any(|(at, _)| *at == entry)
    }

    /// Number of the entry with which an answer began that came after another entry.
    fn answered(&self, after: usize, port: u16) -> usize {
        let later = self.entries[after..].iter();
        let mut later = later.enumerate();
        let found = later.find(|(_, entry)| matches!(entry, Entry::Answered(to) if *to == port));
        after + found.expect("the answer was recorded").0
    }
}

/// Bytes of all files below a directory, of links where they lead.
fn found_below(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in directory.read_dir().expect("there").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            let below = path.strip_prefix(root).expect("below").to_owned();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_symlink() {
                let content = path.read_link().expect("a link");
                files.insert(below, content.into_os_string().into_encoded_bytes());
            } else if kind.is_file() {
                files.insert(below, std::fs::read(path).expect("readable"));
            }
        }
    }
    files
}
