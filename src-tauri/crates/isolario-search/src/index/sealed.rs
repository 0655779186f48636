//! The directory of an index. Each file ends with a seal: the checksums of its blocks, and one of these and of its name.
//! Blocks are compared with their checksums whenever they are read, and files are read, not mapped: what is cut or
//! changed, also while the program runs, becomes an error. Nothing is synced, since an index can be made anew.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crc32fast::Hasher;
use isolario_disk::regular_file;
use isolario_platform::files;
use tantivy::Directory;
use tantivy::directory::error::{
    DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError,
};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

use super::blocks::{BLOCK, Cache, SealedFile, seal};
use super::space::Space;

/// Files that are remembered before those that nobody reads are forgotten.
const MOST_REMEMBERED: usize = 256;

/// A directory whose files are sealed.
#[derive(Debug, Clone)]
pub struct SealedDirectory {
    root: PathBuf,
    /// Locks and removes. It maps no file.
    inner: MmapDirectory,
    cache: Arc<Cache>,
    /// The files that somebody reads.
    files: Arc<Mutex<HashMap<PathBuf, Weak<SealedFile>>>>,
    space: Arc<Space>,
}

impl SealedDirectory {
    /// A directory that exists.
    pub fn open(root: &Path) -> Result<SealedDirectory, OpenDirectoryError> {
        Ok(SealedDirectory {
            root: root.to_owned(),
            inner: MmapDirectory::open(root)?,
            cache: Arc::default(),
            files: Arc::default(),
            space: Arc::default(),
        })
    }

    /// Whether the disk was found full.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Forgets what was read. It remembers less as long as nobody searches.
    pub fn rest(&self, is_unused: bool) {
        self.cache.clear(is_unused);
    }

    /// Looks whether a file is there and as long as its seal says.
    ///
    /// # Errors
    /// `InvalidData` if not; what the disk refuses.
    pub fn look_at(&self, name: &Path) -> io::Result<()> {
        self.file(name).map(drop)
    }

    /// Reads a whole file, and with it compares all its blocks with their checksums.
    ///
    /// # Errors
    /// `InvalidData` where they differ; what the disk refuses.
    pub fn verify(&self, name: &Path) -> io::Result<()> {
        self.file(name)?.verify()
    }

    fn file(&self, name: &Path) -> io::Result<Arc<SealedFile>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.get(name).and_then(Weak::upgrade) {
            return Ok(known);
        }
        let file = regular_file::open(&self.root.join(name))?;
        let file = Arc::new(SealedFile::open(file, name, Arc::clone(&self.cache))?);
        if files.len() >= MOST_REMEMBERED {
            files.retain(|_, file| file.strong_count() > 0);
        }
        files.insert(name.to_owned(), Arc::downgrade(&file));
        Ok(file)
    }

    fn forget(&self, name: &Path) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.remove(name);
    }

    fn write_sealed(&self, name: &Path, file: File) -> SealWriter {
        SealWriter {
            file,
            name: name.to_owned(),
            hasher: Hasher::new(),
            filled: 0,
            checksums: Vec::new(),
            length: 0,
            space: Arc::clone(&self.space),
        }
    }
}

/// What a failure to open a file for reading is to the engine.
fn read_failed(error: io::Error, path: &Path) -> OpenReadError {
    match error.kind() {
        io::ErrorKind::NotFound => OpenReadError::FileDoesNotExist(path.to_owned()),
        _ => OpenReadError::wrap_io_error(error, path.to_owned()),
    }
}

/// Writes a file and seals it at the end.
struct SealWriter {
    file: File,
    name: PathBuf,
    /// Of the block that is not full.
    hasher: Hasher,
    filled: usize,
    checksums: Vec<u32>,
    length: u64,
    space: Arc<Space>,
}

impl SealWriter {
    fn seal(&mut self) -> io::Result<()> {
        if self.filled > 0 {
            let last = std::mem::take(&mut self.hasher);
            self.checksums.push(last.finalize());
        }
        let seal = seal(&self.name, self.length, &self.checksums);
        self.space.watch(|| self.file.write_all(&seal))
    }
}

impl Write for SealWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = &mut self.file;
        let written = self.space.take(bytes, |bytes| file.write(bytes))?;
        self.length += written as u64;
        let mut rest = &bytes[..written];
        while !rest.is_empty() {
            let (part, others) = rest.split_at(rest.len().min(BLOCK - self.filled));
            self.hasher.update(part);
            self.filled += part.len();
            if self.filled == BLOCK {
                let full = std::mem::take(&mut self.hasher);
                self.checksums.push(full.finalize());
                self.filled = 0;
            }
            rest = others;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TerminatingWrite for SealWriter {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.seal()
    }
}

impl Directory for SealedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.file(path) {
            Ok(file) => Ok(file),
            Err(error) => Err(read_failed(error, path)),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.forget(path);
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.forget(path);
        let mut options = OpenOptions::new();
        let options = options.write(true).create_new(true);
        let target = self.root.join(path);
        let file = self.space.watch(|| match options.open(&target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // A commit that a crash has cut off left it. Its name is given again, because no commit has named it.
                files::remove_file(&target)?;
                options.open(&target)
            }
            opened => opened,
        });
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(error, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(self.write_sealed(path, file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = regular_file::open(&self.root.join(path));
        let file = file.and_then(|file| SealedFile::open(file, path, Arc::clone(&self.cache)));
        let content = file.and_then(|file| file.read_whole());
        content.map_err(|error| read_failed(error, path))
    }

    fn atomic_write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let target = self.root.join(path);
        let mut name = target.clone().into_os_string();
        name.push(".new");
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(true);
        let file = self.space.watch(|| options.open(&name))?;
        let mut file = self.write_sealed(path, file);
        file.write_all(content)?;
        file.seal()?;
        drop(file);
        self.space.watch(|| files::rename(name, target))
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

    /// A directory with a file of some content.
    fn written(content: &[u8]) -> (tempfile::TempDir, SealedDirectory, PathBuf) {
        let disk = tempfile::tempdir().unwrap();
        let directory = SealedDirectory::open(disk.path()).unwrap();
        let name = PathBuf::from("a.idx");
        let mut file = directory.open_write(&name).unwrap();
        file.write_all(content).unwrap();
        file.terminate().unwrap();
        (disk, directory, name)
    }

    #[test]
    fn every_change_of_a_file_is_recognised() {
        let (disk, directory, name) = written(b"content");
        directory.verify(&name).unwrap();
        let path = disk.path().join(&name);
        let whole = regular_file::read(&path).unwrap();
        let is_damaged = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let directory = SealedDirectory::open(disk.path()).unwrap();
            directory.verify(&name).is_err() && directory.atomic_read(&name).is_err()
        };
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 4;
            assert!(is_damaged(&changed) && is_damaged(&whole[..at]), "{at}");
        }
        assert!(is_damaged(&[whole.as_slice(), b"x"].concat()));
        assert!(!is_damaged(&whole));
        let other = Path::new("b.idx");
        files::rename(&path, disk.path().join(other)).unwrap();
        assert!(directory.verify(other).is_err());
    }

    #[test]
    fn any_part_of_a_long_file_is_read() {
        let content: Vec<u8> = (0..400_000_u32)
            .map(|number| (number % 251) as u8)
            .collect();
        let (_disk, directory, name) = written(&content);
        let file = directory.open_read(&name).unwrap();
        assert_eq!(tantivy::HasLen::len(&file), content.len());
        for start in [0, 1, 4_095, 4_096, 65_535, 65_536, 131_000, 399_999] {
            for length in [0, 1, 5_000, 65_536, 70_000, 300_000] {
                let range = start..(start + length).min(content.len());
                let read = file.read_bytes_slice(range.clone()).unwrap();
                assert_eq!(read.as_slice(), &content[range.clone()], "{range:?}");
            }
        }
    }

    #[test]
    fn what_is_changed_or_cut_while_it_is_open_is_an_error() {
        let content = vec![7; 400_000];
        let (disk, directory, name) = written(&content);
        let file = directory.open_read(&name).unwrap();
        let path = disk.path().join(&name);
        let mut changed = regular_file::read(&path).unwrap();
        changed[300_000] ^= 1;
        std::fs::write(&path, changed).unwrap();
        assert!(file.read_bytes_slice(10..20).is_ok());
        let read = file.read_bytes_slice(300_100..300_200);
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::InvalidData);
        let opened = OpenOptions::new().write(true).open(&path).unwrap();
        opened.set_len(150_000).unwrap();
        let read = file.read_bytes_slice(140_000..390_000);
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
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
