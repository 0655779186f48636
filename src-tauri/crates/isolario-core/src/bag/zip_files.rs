//! The files of a bag in a ZIP, which somebody else may have made. They are read from their places; nothing is unpacked.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::fault::BagFault;
use crate::container::{BytesAt, entries_said};
use isolario_blobs::name::check_path;
use isolario_disk::regular_file;

/// Files of one ZIP. Their names are held in memory.
const MOST_FILES: usize = 500_000;
/// Bytes that a ZIP may grow to, however small it is, and how many times its own size it may grow.
const FREE_GROWTH: u64 = 1 << 30;
const MOST_GROWTH: u64 = 100;
/// A folder that macOS puts beside the one that was packed.
const BESIDE: &str = "__MACOSX/";

/// Where a file lies in a ZIP.
#[derive(Debug, Clone, Copy)]
struct ZipPlace {
    start: u64,
    packed: u64,
    size: u64,
    is_packed: bool,
}

/// The files of a ZIP by their paths in the bag.
#[derive(Debug)]
pub(super) struct ZipFiles {
    file: Arc<File>,
    places: HashMap<String, ZipPlace>,
}

impl ZipFiles {
    /// # Errors
    /// A sentence for what is no ZIP, or one that cannot be read or is meant to do harm.
    pub fn open(place: &Path) -> Result<ZipFiles, BagFault> {
        let unread = |error: &io::Error| BagFault::Refused(format!("It cannot be read: {error}."));
        let (file, length) = regular_file::open_sized(place).map_err(|error| unread(&error))?;
        let copy = || file.try_clone().map_err(|error| unread(&error));
        if entries_said(&file, length).map_err(|error| unread(&error))? > MOST_FILES as u64 {
            let words = format!("It has more than {MOST_FILES} files. Unpack it first.");
            return Err(BagFault::Refused(words));
        }
        let mut archive = ZipArchive::new(BufReader::new(copy()?)).map_err(no_zip)?;
        if archive.has_duplicate_names() {
            return Err(BagFault::Refused("It has two files of one name.".into()));
        }
        if archive.has_overlapping_entries().map_err(no_zip)? {
            let words = "Some of its files lie in the same bytes.";
            return Err(BagFault::Refused(words.into()));
        }
        let mut places = HashMap::with_capacity(archive.len());
        for number in 0..archive.len() {
            if let Some((name, place)) = read_entry(&mut archive, number)? {
                places.insert(name, place);
            }
        }
        let grown = places.values().map(|place| u128::from(place.size)).sum();
        if u128::from(FREE_GROWTH.max(length.saturating_mul(MOST_GROWTH))) < grown {
            let words = format!("Its files would have {grown} bytes, far more than it has itself.");
            return Err(BagFault::Refused(words));
        }
        Ok(ZipFiles {
            file: Arc::new(file),
            places: in_folder(places)?,
        })
    }

    /// # Errors
    /// `NotFound`.
    pub fn read(&self, path: &str) -> io::Result<(Box<dyn Read + Send>, u64)> {
        let place = self.places.get(path).ok_or(io::ErrorKind::NotFound)?;
        let bytes = BytesAt::new(self.file.clone(), place.start);
        let bytes = bytes.take(place.packed);
        let bytes: Box<dyn Read + Send> = match place.is_packed {
            // One byte more than it says betrays a file that has more.
            true => Box::new(DeflateDecoder::new(bytes).take(place.size.saturating_add(1))),
            false => Box::new(bytes),
        };
        Ok((bytes, place.size))
    }

    /// Whether there is a file of this path.
    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(path)
    }

    /// The paths of all files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }
}

fn no_zip(error: ZipError) -> BagFault {
    BagFault::Refused(format!("It is no whole ZIP: {error}."))
}

/// The name and place of a file; `None` for a folder.
fn read_entry(
    archive: &mut ZipArchive<BufReader<File>>,
    number: usize,
) -> Result<Option<(String, ZipPlace)>, BagFault> {
    let entry = archive.by_index_raw(number).map_err(no_zip)?;
    let name = entry.name().map_err(no_zip)?.into_owned();
    let refused = |words: &str| Err(BagFault::Refused(format!("{name:?}: {words}.")));
    if entry.is_dir() {
        return Ok(None);
    }
    if let Err(error) = check_path(&name) {
        return refused(error.to_string().trim_end_matches('.'));
    }
    if entry.is_symlink() {
        return refused("a link leads elsewhere");
    }
    if entry.encrypted() {
        return refused("it is encrypted");
    }
    let is_packed = match entry.compression() {
        CompressionMethod::Stored => false,
        CompressionMethod::Deflated => true,
        _ => return refused("it is packed by a method other than Deflate"),
    };
    let (packed, size) = (entry.compressed_size(), entry.size());
    if !is_packed && packed != size {
        return refused("its sizes contradict each other");
    }
    let Some(start) = entry.data_start() else {
        return refused("it has no place");
    };
    let place = ZipPlace {
        start,
        packed,
        size,
        is_packed,
    };
    Ok(Some((name, place)))
}

/// The files of the bag: those of the folder that has the declaration.
fn in_folder(places: HashMap<String, ZipPlace>) -> Result<HashMap<String, ZipPlace>, BagFault> {
    if places.contains_key("bagit.txt") {
        return Ok(places);
    }
    let mut folders = places.keys().filter_map(|name| {
        let folder = name.strip_suffix("/bagit.txt")?;
        (!folder.contains('/')).then(|| format!("{folder}/"))
    });
    let folder = match (folders.next(), folders.next()) {
        (Some(folder), None) => folder,
        (Some(_), Some(_)) => return Err(BagFault::Refused("It has several bags.".into())),
        (None, _) => {
            return Err(BagFault::Refused(
                "It is no bag: it has no bagit.txt.".into(),
            ));
        }
    };
    let mut inside = HashMap::with_capacity(places.len());
    for (name, place) in places {
        match name.strip_prefix(&folder) {
            Some(path) => {
                inside.insert(path.to_owned(), place);
            }
            None if name.starts_with(BESIDE) => {}
            None => {
                let words = format!("{name:?} lies beside the folder of the bag.");
                return Err(BagFault::Refused(words));
            }
        }
    }
    Ok(inside)
}
