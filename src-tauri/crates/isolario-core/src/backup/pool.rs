//! The contents of a backup, each once, named by its SHA-512: `objects/ab/abcdef…`.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest;
use serde::{Deserialize, Serialize};

use isolario_disk::regular_file;
use isolario_platform::files::{self, WithMode, create_directory};

const CHUNK: usize = 1024 * 1024;

/// A SHA-512; hexadecimal where it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Digest([u8; 64]);

impl Digest {
    /// Reads a hexadecimal one.
    pub(super) fn parse(text: &str) -> Option<Digest> {
        let mut bytes = [0; 64];
        hex::decode_to_slice(text, &mut bytes).ok()?;
        Some(Digest(bytes))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        hex::encode(digest.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;
    fn try_from(text: String) -> Result<Digest, String> {
        Digest::parse(&text).ok_or(format!("{text} is no SHA-512"))
    }
}

/// The contents in one folder.
pub(super) struct Pool {
    objects: PathBuf,
    unfinished: PathBuf,
}

impl Pool {
    /// Opens the contents below the folder of a backup, dropping what a former try left unfinished.
    pub(super) fn open(folder: &Path) -> io::Result<Pool> {
        let pool = Pool {
            objects: folder.join("objects"),
            unfinished: folder.join("unfinished"),
        };
        if pool.unfinished.exists() {
            files::remove_dir_all(&pool.unfinished)?;
        }
        make_directory(&pool.objects)?;
        make_directory(&pool.unfinished)?;
        Ok(pool)
    }

    /// A name for something that is not finished.
    pub(super) fn unfinished(&self, name: &str) -> PathBuf {
        self.unfinished.join(name)
    }

    /// Whether there is a content of this size.
    pub(super) fn holds(&self, sha512: &Digest, size: u64) -> bool {
        let found = self.place(sha512).symlink_metadata();
        found.is_ok_and(|found| found.is_file() && found.len() == size)
    }

    /// Adds a content, unless its checksum differs from `expected`. Returns its checksum and size.
    pub(super) fn take(
        &self,
        source: &Path,
        expected: Option<&Digest>,
    ) -> io::Result<(Digest, u64)> {
        let temporary = self.unfinished("content");
        let (sha512, size) = copy(source, &temporary)?;
        if expected.is_none_or(|expected| *expected == sha512) {
            self.adopt(&temporary, &sha512)?;
        }
        Ok((sha512, size))
    }

    /// Takes in a file that is unfinished so far.
    pub(super) fn adopt(&self, finished: &Path, sha512: &Digest) -> io::Result<()> {
        let place = self.place(sha512);
        make_directory(place.parent().unwrap_or(&self.objects))?;
        files::rename(finished, place)
    }

    /// Removes all contents but these. Returns how many it removed.
    pub(super) fn prune(&self, kept: &HashSet<Digest>) -> io::Result<u64> {
        let mut removed = 0;
        for directory in self.objects.read_dir()? {
            let directory = directory?.path();
            for entry in directory.read_dir()? {
                let entry = entry?;
                let known = entry.file_name().to_str().and_then(Digest::parse);
                if known.is_none_or(|digest| !kept.contains(&digest)) {
                    files::remove_file(entry.path())?;
                    removed += 1;
                }
            }
        }
        files::remove_dir_all(&self.unfinished)?;
        Ok(removed)
    }

    fn place(&self, sha512: &Digest) -> PathBuf {
        place(&self.objects, sha512)
    }
}

/// Where a content lies.
pub(super) fn place(objects: &Path, sha512: &Digest) -> PathBuf {
    let name = hex::encode(sha512.0);
    objects.join(&name[..2]).join(name)
}

/// Makes a directory for its owner only, and those above it.
pub(super) fn make_directory(path: &Path) -> io::Result<()> {
    create_directory(path, 0o700, true)
}

/// Copies a file into a new one for its owner only, or over a former try, hashing beside. Returns
/// SHA-512 and size.
pub(super) fn copy(source: &Path, target: &Path) -> io::Result<(Digest, u64)> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true).mode(0o600);
    let mut output = options.open(target)?;
    read_through(source, |chunk| output.write_all(chunk))
}

/// SHA-512 and size of a file.
pub(super) fn sum(path: &Path) -> io::Result<(Digest, u64)> {
    read_through(path, |_| Ok(()))
}

fn read_through(
    source: &Path,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<(Digest, u64)> {
    let mut input = regular_file::open(source)?;
    let mut context = digest::Context::new(&digest::SHA512);
    let mut chunk = vec![0; CHUNK];
    let mut size = 0;
    loop {
        let length = match input.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            outcome => outcome?,
        };
        if length == 0 {
            break;
        }
        context.update(&chunk[..length]);
        each(&chunk[..length])?;
        size += length as u64;
    }
    let mut bytes = [0; 64];
    bytes.copy_from_slice(context.finish().as_ref());
    Ok((Digest(bytes), size))
}
