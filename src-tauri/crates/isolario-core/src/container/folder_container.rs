//! Files as a folder. It is written beside its place, in `NAME.unfinished/bag`, and gets its name when it is whole. What a
//! run that broke off has left there is used again: files whose bytes are the right ones are moved, not copied.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use isolario_blobs::{FileDigest, digest_of_file};
use isolario_platform::files;
use tokio::io::AsyncWriteExt;

/// The file that says whose folder `NAME.unfinished` is. A lock on it keeps a second run away.
const MARK: &str = "unfinished-bag-of-isolario";
/// The folder that gets the name of the bag.
const BAG: &str = "bag";

/// A folder in the making.
pub(crate) struct FolderContainer {
    target: PathBuf,
    unfinished: PathBuf,
    bag: PathBuf,
    /// What former runs have left.
    former: Vec<PathBuf>,
    _lock: File,
}

impl FolderContainer {
    /// Begins a folder, or goes on with it.
    ///
    /// # Errors
    /// `AlreadyExists` where something has the name; `WouldBlock` while another run writes it; what the disk refuses.
    pub fn open(target: &Path) -> io::Result<FolderContainer> {
        if fs::symlink_metadata(target).is_ok() {
            let words = format!("{} is there already", target.display());
            return Err(io::Error::new(ErrorKind::AlreadyExists, words));
        }
        let mut name = target.as_os_str().to_owned();
        name.push(".unfinished");
        let unfinished = PathBuf::from(name);
        let lock = locked(&unfinished)?;
        let bag = unfinished.join(BAG);
        let mut former = Vec::new();
        for number in 1_u32.. {
            let place = unfinished.join(number.to_string());
            if place.is_dir() {
                former.push(place);
                continue;
            }
            if bag.is_dir() {
                files::rename(&bag, &place)?;
                former.push(place);
            }
            break;
        }
        fs::create_dir(&bag)?;
        Ok(FolderContainer {
            target: target.to_owned(),
            unfinished,
            bag,
            former,
            _lock: lock,
        })
    }

    /// Adds a file from what a former run has copied; returns whether its bytes are there.
    pub async fn take_former(&self, path: &str, known: &FileDigest) -> io::Result<bool> {
        for former in &self.former {
            let (place, asked) = (former.join(path), known.clone());
            let found = place.clone();
            let fits = tokio::task::spawn_blocking(move || {
                let size = fs::symlink_metadata(&found).map(|found| found.len());
                size.is_ok_and(|size| size == asked.size)
                    && digest_of_file(&found).is_ok_and(|digest| digest == asked)
            });
            if fits.await.map_err(io::Error::other)? {
                files::rename(&place, self.place(path)?)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a file.
    pub async fn add(
        &self,
        path: &str,
        mut bytes: impl Stream<Item = io::Result<Bytes>> + Unpin,
    ) -> io::Result<()> {
        let mut file = tokio::fs::File::create_new(self.place(path)?).await?;
        while let Some(chunk) = bytes.next().await {
            file.write_all(&chunk?).await?;
        }
        file.flush().await
    }

    /// Gives the folder its name, once all of it is on the disk.
    pub async fn finish(self) -> io::Result<()> {
        let finished = tokio::task::spawn_blocking(move || {
            isolario_disk::durable::sync_disk(&self.bag)?;
            // A rename would put the folder in the place of an empty one.
            if fs::symlink_metadata(&self.target).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            files::rename(&self.bag, &self.target)?;
            isolario_disk::durable::sync_directory(isolario_disk::durable::above(&self.target))?;
            for former in &self.former {
                files::remove_dir_all(former)?;
            }
            files::remove_file(self.unfinished.join(MARK))?;
            // Something else may lie there.
            let _ = fs::remove_dir(&self.unfinished);
            Ok(())
        });
        finished.await.map_err(io::Error::other)?
    }

    /// The place of a file, in a folder that is there.
    fn place(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.bag.join(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(place)
    }
}

/// The folder of what is unfinished, for this run alone. A folder of that name that is not ours stays as it is.
fn locked(unfinished: &Path) -> io::Result<File> {
    let mark = unfinished.join(MARK);
    match fs::create_dir(unfinished) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        Err(_) if fs::symlink_metadata(&mark).is_err() => {
            let words = format!("{} is there already", unfinished.display());
            return Err(io::Error::new(ErrorKind::AlreadyExists, words));
        }
        _ => {}
    }
    let mut options = OpenOptions::new();
    let lock = options.create(true).append(true).open(&mark)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::Error(error)) => Err(error),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            ErrorKind::WouldBlock,
            format!("another run writes {} now", unfinished.display()),
        )),
    }
}
