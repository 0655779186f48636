//! A disk of a test's own, in a mount namespace: nobody else sees it, and no root is needed.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::client::Client;
use crate::program::{Serving, isolario};

const PAGE: u64 = 4096;
const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// A file system in memory, with a data directory in it.
pub struct Disk {
    place: tempfile::TempDir,
    /// Keeps the namespace while no server runs in it.
    keeper: Child,
}

impl Disk {
    /// With room for so many megabytes, all of which uploads may take.
    pub fn of_megabytes(size: u32) -> Disk {
        let place = tempfile::tempdir().expect("a directory");
        let script = format!(
            "mount -t tmpfs -o size={size}m,mode=700 disk \"$0\" && echo mounted && exec cat"
        );
        let mut keeper = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
            .arg(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("util-linux is there");
        let mut line = String::new();
        let mut said = BufReader::new(keeper.stdout.take().expect("piped"));
        said.read_line(&mut line).expect("text");
        assert_eq!(line, "mounted\n", "user namespaces must be allowed here");
        let disk = Disk { place, keeper };
        let all = "[limits]\nspare_megabytes = 0\n";
        std::fs::write(disk.seen().join("config.toml"), all).expect("there is room");
        disk
    }

    /// The data directory as the server sees it.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The data directory as this test sees it.
    pub fn seen(&self) -> PathBuf {
        let below = self.path().strip_prefix("/").expect("an absolute path");
        PathBuf::from(format!("/proc/{}/root", self.keeper.id())).join(below)
    }

    /// The program, in the namespace of the disk.
    pub fn isolario(&self, arguments: &[&str]) -> Command {
        let program = isolario(self.path(), arguments);
        let mut command = self.enter();
        command.arg(program.get_program()).args(program.get_args());
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        // It has much to say about a failing disk, all of it expected.
        command.env("RUST_LOG", "off").stdin(Stdio::null());
        command
    }

    /// A server on the disk.
    pub fn serve(&self) -> Serving {
        Serving::spawn(self.isolario(&SERVE))
    }

    /// A client of a server on a new repository.
    pub fn client(&self) -> Client {
        Client::of(self.serve())
    }

    /// Does something to the mounts; `$0` is the data directory.
    pub fn shell(&self, script: &str) {
        let mut command = self.enter();
        let status = command
            .args(["sh", "-ec", script])
            .arg(self.path())
            .status();
        assert!(status.expect("a shell").success(), "{script}");
    }

    /// Lets nobody write below `path`, a path within the data directory. The mount is read-only before it is put in its
    /// place: a server that writes just then cannot keep it busy.
    pub fn make_read_only(&self, path: &str) {
        let script = "made=$(mktemp --directory) && mount --bind \"$0/PATH\" \"$made\" \
            && mount -o remount,bind,ro \"$made\" && mount --move \"$made\" \"$0/PATH\" && rmdir \"$made\"";
        self.shell(&script.replace("PATH", path));
    }

    /// Takes back `make_read_only`, though readers of the database may still be there.
    pub fn make_writable(&self, path: &str) {
        self.shell(&format!("umount --lazy \"$0/{path}\""));
    }

    fn enter(&self) -> Command {
        let mut command = Command::new("nsenter");
        let target = self.keeper.id().to_string();
        command.args([
            "--user",
            "--mount",
            "--preserve-credentials",
            "--target",
            &target,
        ]);
        command
    }

    /// Takes all the room there is.
    pub fn fill(&self) {
        let mut filler = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.filler())
            .expect("a file");
        while filler.write_all(&[1; PAGE as usize]).is_ok() {}
    }

    /// Gives one page of the room back; whether there was one.
    pub fn give_back_a_page(&self) -> bool {
        let filler = File::options()
            .write(true)
            .open(self.filler())
            .expect("it was filled");
        let size = filler.metadata().expect("there").len();
        filler.set_len(size.saturating_sub(PAGE)).expect("less");
        size > PAGE
    }

    /// Gives all the room back.
    pub fn clear(&self) {
        std::fs::remove_file(self.filler()).expect("it was filled");
    }

    fn filler(&self) -> PathBuf {
        self.seen().join(".filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// The file below a directory that holds this text alone.
pub fn found_below(directory: &Path, text: &str) -> Option<PathBuf> {
    let mut entries = directory.read_dir().expect("there").flatten();
    entries.find_map(|entry| match entry.path() {
        below if below.is_dir() => found_below(&below, text),
        file => holds(&file, text).then_some(file),
    })
}

fn holds(file: &Path, text: &str) -> bool {
    file.is_file() && std::fs::read(file).expect("there") == text.as_bytes()
}
