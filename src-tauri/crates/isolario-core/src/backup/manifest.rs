//! The contents of a backup: a head, and a manifest with one line for each file.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest;
use serde::{Deserialize, Serialize};

use super::BackupError;
use super::pool::Digest;
use isolario_disk::regular_file;

/// Version of the shapes below.
pub(super) const FORMAT: u32 = 1;
/// Name of the head in the folder of a backup.
pub(super) const HEAD: &str = "isolario-backup.json";

/// The head of the current backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestHead {
    /// Version of this shape: 1.
    pub format: u32,
    /// Name and version of the program.
    pub program: String,
    /// Name of the repository.
    pub repository: String,
    /// When the database was copied, RFC 3339.
    pub made: String,
    /// Path of the manifest in the folder.
    pub manifest: String,
    /// Of the manifest, hexadecimal.
    pub manifest_sha512: String,
    pub files: u64,
    /// Of all files together.
    pub bytes: u64,
    /// What could not be backed up.
    pub damaged: Vec<DamagedFile>,
}

/// A file that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamagedFile {
    /// Path in the data directory.
    pub name: String,
    pub why: String,
}

/// A file of the data directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Path in the data directory, with slashes.
    pub name: String,
    /// Bytes.
    pub size: u64,
    pub sha512: Digest,
    /// Nanoseconds since 1970, of a file that may change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<i64>,
}

/// Whether a folder holds a finished backup.
pub(super) fn has_backup(folder: &Path) -> bool {
    folder.join(HEAD).exists()
}

/// The head of a backup; `None` where there is none yet.
///
/// # Errors
/// `Newer`, `Damaged`, `Disk`.
pub(super) fn read_head(folder: &Path) -> Result<Option<ManifestHead>, BackupError> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let text = match regular_file::read(&folder.join(HEAD)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        outcome => outcome.map_err(BackupError::disk(folder))?,
    };
    let damaged = |error: serde_json::Error| BackupError::Damaged {
        path: folder.to_owned(),
        why: format!("{HEAD} cannot be read: {error}."),
    };
    let Format { format: found } = serde_json::from_slice(&text).map_err(damaged)?;
    if found > FORMAT {
        let path = folder.to_owned();
        return Err(BackupError::Newer { path, found });
    }
    serde_json::from_slice(&text).map(Some).map_err(damaged)
}

/// Calls `each` with every entry of the manifest, after it has verified the checksum of the manifest.
///
/// # Errors
/// `Damaged`, `Disk`; those of `each`.
pub(super) fn each_entry(
    folder: &Path,
    head: &ManifestHead,
    mut each: impl FnMut(Entry) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let damaged = |why: String| BackupError::Damaged {
        path: folder.to_owned(),
        why,
    };
    let path = folder.join(&head.manifest);
    let found = sha512_of(&path).map_err(BackupError::disk(&path))?;
    if hex::encode(found.as_ref()) != head.manifest_sha512 {
        return Err(damaged(format!("{} has changed.", head.manifest)));
    }
    let file = regular_file::open(&path).map_err(BackupError::disk(&path))?;
    for line in BufReader::new(file).lines() {
        let line = line.map_err(BackupError::disk(&path))?;
        let entry = serde_json::from_str(&line);
        each(entry.map_err(|error| damaged(format!("{}: {error}.", head.manifest)))?)?;
    }
    Ok(())
}

/// All entries by name.
pub(super) fn entries(
    folder: &Path,
    head: &ManifestHead,
) -> Result<HashMap<String, Entry>, BackupError> {
    let mut entries = HashMap::new();
    each_entry(folder, head, |entry| {
        entries.insert(entry.name.clone(), entry);
        Ok(())
    })?;
    Ok(entries)
}

fn sha512_of(path: &Path) -> io::Result<digest::Digest> {
    let mut file = regular_file::open(path)?;
    let mut context = HashingWriter(digest::Context::new(&digest::SHA512), io::sink());
    io::copy(&mut file, &mut context)?;
    Ok(context.0.finish())
}

/// Hashes what is written through it.
struct HashingWriter<W>(digest::Context, W);

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.1.write(bytes)?;
        self.0.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.flush()
    }
}

/// Writes a manifest.
pub(super) struct ManifestWriter {
    path: PathBuf,
    output: HashingWriter<BufWriter<File>>,
    pub files: u64,
    pub bytes: u64,
}

impl ManifestWriter {
    /// Begins a manifest. It replaces one that was not completed.
    pub(super) fn create(path: PathBuf) -> io::Result<ManifestWriter> {
        let file = BufWriter::new(File::create(&path)?);
        Ok(ManifestWriter {
            path,
            output: HashingWriter(digest::Context::new(&digest::SHA512), file),
            files: 0,
            bytes: 0,
        })
    }

    /// Adds a file.
    pub(super) fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.files += 1;
        self.bytes += entry.size;
        self.output.write_all(&line)
    }

    /// Syncs the manifest. Returns its path and its SHA-512, hexadecimal.
    pub(super) fn finish(self) -> io::Result<(PathBuf, String)> {
        let HashingWriter(context, writer) = self.output;
        writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?
            .sync_all()?;
        Ok((self.path, hex::encode(context.finish())))
    }
}
