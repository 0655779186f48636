//! Notes the names that blobs are about to get. After a crash, the next start reads which blobs may have no row.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use aws_lc_rs::digest;

use super::syncs::Syncs;
use isolario_disk::regular_file;
use isolario_platform::files::FileAt;

/// Bytes of one note: a sector or more, so that writing one never touches another.
const SLOT: usize = 4096;
/// First byte of a valid note, and of a deleted one.
const VALID: u8 = b'+';
const DELETED: u8 = b'-';
/// Hexadecimal digits of the checksum that shows whether a note is complete.
const SUM: usize = 32;

/// The file of notes. Cheap to clone. A note is `+`, a checksum of the name, a space, the name and a newline. The file
/// has as many slots as there ever were notes at the same time, and they are used again. A file for each note would
/// cost more than the note.
#[derive(Debug, Clone)]
pub(super) struct Notes(Arc<NoteTable>);

#[derive(Debug)]
struct NoteTable {
    path: PathBuf,
    file: OnceLock<File>,
    slots: Mutex<SlotAllocator>,
}

#[derive(Debug, Default)]
struct SlotAllocator {
    free: Vec<u64>,
    count: u64,
}

/// A note, by the number of its slot. Unless it is deleted, the next start reads it.
#[derive(Debug)]
pub(super) struct Note(u64);

impl Notes {
    /// The notes in a file, which is made if it is missing. The caller syncs its directory.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn open(path: &Path) -> io::Result<Notes> {
        let notes = Notes::at(path);
        notes.file()?;
        Ok(notes)
    }

    /// The notes in a file that may not exist.
    pub(super) fn at(path: &Path) -> Notes {
        Notes(Arc::new(NoteTable {
            path: path.to_owned(),
            file: OnceLock::new(),
            slots: Mutex::default(),
        }))
    }

    /// Notes a name. The note and the paths, which are about to get that name, are on disk when this returns.
    ///
    /// # Errors
    /// `InvalidInput` for a name that is too long; what the disk refuses.
    pub(super) fn note(
        &self,
        name: &str,
        mut paths: Vec<PathBuf>,
        syncs: &Syncs,
    ) -> io::Result<Note> {
        let text = format!("{}{} {name}\n", char::from(VALID), sum(name));
        if text.len() > SLOT {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let note = self.slot();
        let file = self.file()?;
        let written = file.write_all_at(text.as_bytes(), note.offset());
        paths.push(self.0.path.clone());
        match written.and_then(|()| syncs.sync_together(paths)) {
            Ok(()) => Ok(note),
            Err(error) => {
                self.delete(note)?;
                Err(error)
            }
        }
    }

    /// Notes a name in the place of a note. Whenever the power goes, there is one of the two.
    ///
    /// # Errors
    /// As `note`. The former note then stays.
    pub(super) fn replace(&self, former: Note, name: &str, syncs: &Syncs) -> io::Result<Note> {
        let note = self.note(name, vec![], syncs)?;
        self.delete(former)?;
        Ok(note)
    }

    /// Deletes a note. If a crash undoes that, the next start checks the name once more.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn delete(&self, note: Note) -> io::Result<()> {
        self.file()?.write_all_at(&[DELETED], note.offset())?;
        self.slots(|slots| slots.free.push(note.0));
        Ok(())
    }

    /// The names that are noted. An incomplete note was not on disk yet, so its name was not used.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn read(&self) -> io::Result<Vec<String>> {
        let bytes = match regular_file::read(&self.0.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            outcome => outcome?,
        };
        Ok(bytes.chunks(SLOT).filter_map(name_in).collect())
    }

    /// Deletes all notes. The caller ensures that nobody makes one meanwhile.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn clear(&self) -> io::Result<()> {
        if self.0.path.exists() {
            self.file()?.set_len(0)?;
        }
        self.slots(|slots| *slots = SlotAllocator::default());
        Ok(())
    }

    /// Keeps all notes for the next start: new ones get other slots.
    ///
    /// # Errors
    /// What the disk refuses.
    pub(super) fn keep(&self) -> io::Result<()> {
        let count = self.file()?.metadata()?.len().div_ceil(SLOT as u64);
        self.slots(|slots| slots.count = slots.count.max(count));
        Ok(())
    }

    /// A slot that is free.
    fn slot(&self) -> Note {
        self.slots(|slots| {
            let free = slots.free.pop();
            Note(free.unwrap_or_else(|| {
                slots.count += 1;
                slots.count - 1
            }))
        })
    }

    fn slots<T>(&self, change: impl FnOnce(&mut SlotAllocator) -> T) -> T {
        change(&mut self.0.slots.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn file(&self) -> io::Result<&File> {
        if let Some(file) = self.0.file.get() {
            return Ok(file);
        }
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        let opened = regular_file::open_with(options, &self.0.path)?;
        Ok(self.0.file.get_or_init(|| opened))
    }
}

impl Note {
    fn offset(&self) -> u64 {
        self.0 * SLOT as u64
    }
}

fn sum(name: &str) -> String {
    let mut sum = hex::encode(digest::digest(&digest::SHA256, name.as_bytes()));
    sum.truncate(SUM);
    sum
}

fn name_in(slot: &[u8]) -> Option<String> {
    let (text, _) = slot.strip_prefix(&[VALID])?.split_at_checked(
        slot.iter()
            .position(|byte| *byte == b'\n')?
            .checked_sub(1)?,
    )?;
    let (found, name) = std::str::from_utf8(text).ok()?.split_once(' ')?;
    (found == sum(name)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_read_until_it_is_struck_out() {
        let disk = tempfile::tempdir().unwrap();
        let (path, syncs) = (disk.path().join("unsettled"), Syncs::default());
        let notes = Notes::at(&path);
        assert_eq!(notes.read().unwrap(), [""; 0]);
        let one = notes.note("public/a b\u{e9}.png", vec![], &syncs).unwrap();
        let two = notes.note("public/two.png", vec![], &syncs).unwrap();
        let read = || Notes::at(&path).read().unwrap();
        assert_eq!(read(), ["public/a b\u{e9}.png", "public/two.png"]);
        notes.delete(one).unwrap();
        assert_eq!(read(), ["public/two.png"]);
        let _three = notes.note("public/c", vec![], &syncs).unwrap();
        assert_eq!(read(), ["public/c", "public/two.png"]);
        let later = Notes::open(&path).unwrap();
        later.keep().unwrap();
        let _four = later.note("public/d", vec![], &syncs).unwrap();
        assert_eq!(read(), ["public/c", "public/two.png", "public/d"]);
        notes.delete(two).unwrap();
        notes.clear().unwrap();
        assert_eq!((read(), path.metadata().unwrap().len()), (vec![], 0));
        assert!(notes.note(&"x".repeat(SLOT), vec![], &syncs).is_err());
    }

    #[test]
    fn half_a_note_is_none() {
        let disk = tempfile::tempdir().unwrap();
        let path = disk.path().join("unsettled");
        let _note = Notes::at(&path)
            .note("public/whole.png", vec![], &Syncs::default())
            .unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(Notes::at(&path).read().unwrap(), [""; 0]);
        }
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] ^= 1;
            std::fs::write(&path, other).unwrap();
            assert_eq!(Notes::at(&path).read().unwrap(), [""; 0]);
        }
    }
}
