//! The files of a bag, which lies in a folder or in a ZIP.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::fault::BagFault;
use super::zip_files::ZipFiles;
use isolario_disk::regular_file;

/// Folders within each other.
const DEEPEST: usize = 200;

/// Where the files of a bag are read. Links are not followed.
#[derive(Debug)]
pub struct BagFiles(BagPlace);

#[derive(Debug)]
enum BagPlace {
    Folder(PathBuf),
    Zip(ZipFiles),
}

impl BagFiles {
    /// A folder, or a ZIP.
    ///
    /// # Errors
    /// A sentence for what is neither.
    pub fn at(place: &Path) -> Result<BagFiles, BagFault> {
        match fs::metadata(place) {
            Ok(found) if found.is_dir() => Ok(BagFiles(BagPlace::Folder(place.to_owned()))),
            Ok(_) => Ok(BagFiles(BagPlace::Zip(ZipFiles::open(place)?))),
            Err(error) => Err(BagFault::Refused(format!("It cannot be read: {error}."))),
        }
    }

    /// A file, and how many bytes it has.
    ///
    /// # Errors
    /// `NotFound`; `InvalidInput` for what is no regular file; what the disk refuses.
    pub fn read(&self, path: &str) -> io::Result<(Box<dyn Read + Send>, u64)> {
        match &self.0 {
            BagPlace::Zip(zip) => zip.read(path),
            BagPlace::Folder(folder) => {
                let (file, size) = regular_file::open_sized(&place_in(folder, path)?)?;
                Ok((Box::new(file), size))
            }
        }
    }

    /// A file as text of at most so many bytes, if it is there.
    ///
    /// # Errors
    /// As `read`.
    pub fn text(&self, path: &str, longest: u64) -> io::Result<Option<String>> {
        let (file, _) = match self.read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        let mut text = String::new();
        file.take(longest).read_to_string(&mut text)?;
        Ok(Some(text))
    }

    /// Whether something has a name.
    pub fn has(&self, path: &str) -> bool {
        match &self.0 {
            BagPlace::Zip(zip) => zip.has(path),
            BagPlace::Folder(folder) => fs::symlink_metadata(folder.join(path)).is_ok(),
        }
    }

    /// Hands over the paths of all files in the payload, or sentences for what cannot be read, until `take` returns false.
    pub fn each_in_payload(&self, take: &mut dyn FnMut(Result<String, String>) -> bool) {
        match &self.0 {
            BagPlace::Zip(zip) => {
                let mut paths = zip.paths().filter(|path| path.starts_with("data/"));
                let _ = paths.all(|path| take(Ok(path.to_owned())));
            }
            BagPlace::Folder(folder) => {
                each_below(folder, "data", 0, take);
            }
        }
    }
}

/// The place of a file within a folder. No part of the path is a link.
fn place_in(folder: &Path, path: &str) -> io::Result<PathBuf> {
    let mut place = folder.to_owned();
    for part in path.split('/') {
        place.push(part);
        if fs::symlink_metadata(&place)?.is_symlink() {
            let words = "a link leads elsewhere";
            return Err(io::Error::new(ErrorKind::InvalidInput, words));
        }
    }
    Ok(place)
}

fn each_below(
    folder: &Path,
    path: &str,
    depth: usize,
    take: &mut dyn FnMut(Result<String, String>) -> bool,
) -> bool {
    let entries = match fs::read_dir(folder.join(path)) {
        Ok(entries) if depth < DEEPEST => entries,
        Ok(_) => return take(Err(format!("{path}: Its folders are too deep."))),
        Err(error) => return take(Err(format!("{path}: It cannot be read: {error}."))),
    };
    for entry in entries {
        let entry = entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)));
        let goes_on = match entry {
            Ok((name, kind)) => {
                let inside = format!("{path}/{}", name.to_string_lossy());
                match kind.is_dir() {
                    true => each_below(folder, &inside, depth + 1, take),
                    false => take(Ok(inside)),
                }
            }
            Err(error) => take(Err(format!("{path}: It cannot be read: {error}."))),
        };
        if !goes_on {
            return false;
        }
    }
    true
}
