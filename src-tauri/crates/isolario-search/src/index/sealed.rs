//! The directory of an index. Each file ends with a seal: the checksum of its name and content. Nothing is synced, since
//! an index can be made anew: what a power cut leaves without its seal is recognised when the index is opened.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crc32fast::Hasher;
use isolario_disk::regular_file;
use tantivy::Directory;
use tantivy::HasLen;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, FileSlice, Lock, MmapDirectory, TerminatingWrite,
    WatchCallback, WatchHandle, WritePtr,
};

use super::space::Space;

/// Bytes of a seal: the checksum, and what says that it is one.
const SEAL: usize = 8;
const MARK: [u8; 4] = *b"seal";

/// A directory whose files are sealed.
#[derive(Debug, Clone)]
pub struct SealedDirectory {
    root: PathBuf,
    inner: MmapDirectory,
    space: Arc<Space>,
}

impl SealedDirectory {
    /// A directory that exists.
    pub fn open(root: &Path) -> Result<SealedDirectory, OpenDirectoryError> {
        Ok(SealedDirectory {
            root: root.to_owned(),
            inner: MmapDirectory::open(root)?,
            space: Arc::default(),
        })
    }

    /// Whether the disk was found full.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Reads a file and compares it with its seal.
    ///
    /// # Errors
    /// `InvalidData` where they differ; what the disk refuses.
    pub fn verify(&self, name: &Path) -> io::Result<()> {
        let file = regular_file::open(&self.root.join(name))?;
        let length = file.metadata()?.len();
        let content = length.checked_sub(SEAL as u64).ok_or_else(|| cut(name))?;
        let mut content = file.take(content);
        let mut hasher = hasher(name);
        let mut block = vec![0; 1 << 16];
        loop {
            match content.read(&mut block)? {
                0 => break,
                read => hasher.update(&block[..read]),
            }
        }
        let mut found = Vec::new();
        content.into_inner().read_to_end(&mut found)?;
        match found == seal(hasher) {
            true => Ok(()),
            false => Err(cut(name)),
        }
    }
}

fn hasher(name: &Path) -> Hasher {
    let mut hasher = Hasher::new();
    hasher.update(name.as_os_str().as_encoded_bytes());
    hasher
}

fn seal(hasher: Hasher) -> [u8; SEAL] {
    let mut seal = [0; SEAL];
    seal[..4].copy_from_slice(&hasher.finalize().to_le_bytes());
    seal[4..].copy_from_slice(&MARK);
    seal
}

fn cut(name: &Path) -> io::Error {
    let words = format!("{} is not as it was written", name.display());
    io::Error::new(io::ErrorKind::InvalidData, words)
}

/// Writes a file and seals it at the end.
struct SealWriter<W> {
    file: W,
    hasher: Hasher,
    space: Arc<Space>,
}

impl<W: Write> Write for SealWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = &mut self.file;
        let written = self.space.take(bytes, |bytes| file.write(bytes))?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<W: Write + Send + Sync + 'static> TerminatingWrite for SealWriter<W> {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        let hasher = std::mem::take(&mut self.hasher);
        self.space.watch(|| self.file.write_all(&seal(hasher)))?;
        self.file.flush()
    }
}

impl Directory for SealedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let sealed = FileSlice::new(self.inner.get_file_handle(path)?);
        match sealed.len().checked_sub(SEAL) {
            Some(content) => Ok(Arc::new(sealed.slice_to(content))),
            None => Err(OpenReadError::wrap_io_error(cut(path), path.to_owned())),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true);
        let file = file
            .open(self.root.join(path))
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
                _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
            })?;
        Ok(BufWriter::new(Box::new(SealWriter {
            file,
            hasher: hasher(path),
            space: Arc::clone(&self.space),
        })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let failed = |error| OpenReadError::wrap_io_error(error, path.to_owned());
        let mut content = match regular_file::read(&self.root.join(path)) {
            Ok(content) => content,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
            }
            Err(error) => return Err(failed(error)),
        };
        let end = content
            .len()
            .checked_sub(SEAL)
            .ok_or_else(|| failed(cut(path)))?;
        let mut hasher = hasher(path);
        hasher.update(&content[..end]);
        if content[end..] != seal(hasher) {
            return Err(failed(cut(path)));
        }
        content.truncate(end);
        Ok(content)
    }

    fn atomic_write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let target = self.root.join(path);
        let mut name = target.clone().into_os_string();
        name.push(".new");
        let mut hasher = hasher(path);
        hasher.update(content);
        let mut options = OpenOptions::new();
        let mut file = options
            .write(true)
            .create(true)
            .truncate(true)
            .open(&name)?;
        self.space
            .take(content, |content| file.write_all(content).map(|()| 0))?;
        file.write_all(&seal(hasher))?;
        drop(file);
        std::fs::rename(name, target)
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        // Who changes the index reads it anew.
        Ok(WatchHandle::empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_file_is_recognised() {
        let disk = tempfile::tempdir().unwrap();
        let directory = SealedDirectory::open(disk.path()).unwrap();
        let (name, other) = (Path::new("a.idx"), Path::new("b.idx"));
        let mut file = directory.open_write(name).unwrap();
        file.write_all(b"content").unwrap();
        file.terminate().unwrap();
        directory.verify(name).unwrap();
        let read = directory.get_file_handle(name).unwrap();
        assert_eq!(
            read.read_bytes(0..read.len()).unwrap().as_slice(),
            b"content"
        );

        let path = disk.path().join(name);
        let whole = regular_file::read(&path).unwrap();
        let is_damaged = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            directory.verify(name).is_err() && directory.atomic_read(name).is_err()
        };
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(is_damaged(&changed) && is_damaged(&whole[..at]), "{at}");
        }
        assert!(is_damaged(&[whole.as_slice(), b"x"].concat()));
        assert!(!is_damaged(&whole));
        std::fs::rename(&path, disk.path().join(other)).unwrap();
        assert!(directory.verify(other).is_err());
    }

    #[test]
    fn a_small_file_is_replaced_whole() {
        let disk = tempfile::tempdir().unwrap();
        let directory = SealedDirectory::open(disk.path()).unwrap();
        let name = Path::new("meta.json");
        assert!(directory.atomic_read(name).is_err());
        for content in [b"first".as_slice(), b"second", b""] {
            directory.atomic_write(name, content).unwrap();
            assert_eq!(directory.atomic_read(name).unwrap(), content);
        }
        assert_eq!(std::fs::read_dir(disk.path()).unwrap().count(), 1);
    }
}
