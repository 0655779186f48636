//! A ZIP with a table and the files of its rows, unpacked into a folder of its own.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::super::table_plan::TableFolder;
use super::problem::unreadable;
use super::row_file::RowFile;
use super::source::{SourceFormat, read_rows};
use super::workbench_config::WorkbenchConfig;
use crate::actions::Refusal;
use crate::container::entries_said;
use isolario_disk::durable::sync_disk;
use isolario_disk::regular_file;
use isolario_platform::files;

/// The most entries of an archive. Their names are in memory.
const MOST_ENTRIES: u64 = 200_000;
/// Unpacked bytes for each byte of the archive, and those that any archive may have: what unpacks to more is made to
/// fill disks.
const MOST_GROWTH: u64 = 100;
const ALWAYS_ALLOWED: u64 = 256 << 20;
/// What systems put into archives besides.
const OF_THE_SYSTEM: [&str; 3] = ["__MACOSX", ".DS_Store", "Thumbs.db"];
/// The name of the table that is meant where there are several.
const USUAL_NAME: &str = "items";

/// Unpacks an archive into a new folder in `folder`, and reads its table.
///
/// # Errors
/// `Invalid` for what is no archive with one table, and for one that is made to fill disks; what the disk refuses.
pub(super) fn read_archive(archive: File, folder: &Path) -> Result<RowFile, Refusal> {
    let name = uuid::Uuid::new_v4().simple().to_string();
    let unpacked = folder.join(&name);
    let read = unpack(archive, &unpacked).and_then(|()| {
        let configuration = find_configuration(&unpacked)?;
        let named = configuration.as_ref().and_then(|(beside, config)| {
            let (files, table) = config.table_within()?;
            Some((beside.join(files), beside.join(table)))
        });
        let (files, table) = match named.filter(|(_, table)| table.is_file()) {
            Some(named) => named,
            None => {
                let table = find_table(&unpacked)?;
                (table.parent().unwrap_or(&unpacked).to_owned(), table)
            }
        };
        let format = SourceFormat::of_name(&table.to_string_lossy())?;
        let opened = regular_file::open(&table).map_err(|error| Refusal::disk(&error))?;
        let mut rows = read_rows(opened, format, folder)?;
        rows.configured = configuration
            .map(|(_, config)| config.options())
            .unwrap_or_default();
        rows.set_folder(TableFolder {
            unpacked: Some(name),
            ..TableFolder::of_machine(&files)?
        });
        Ok(rows)
    });
    if read.is_err() {
        // What stays is looked for again at the next start.
        let _ = files::remove_dir_all(&unpacked);
    }
    read
}

fn unpack(archive: File, folder: &Path) -> Result<(), Refusal> {
    let disk = |error: io::Error| Refusal::disk(&error);
    let packed = archive.metadata().map_err(disk)?.len();
    let said = entries_said(&archive, packed).map_err(disk)?;
    if said > MOST_ENTRIES {
        return Err(unreadable(format!(
            "A ZIP has at most {MOST_ENTRIES} entries, and this one has {said}."
        )));
    }
    let mut archive = ZipArchive::new(BufReader::new(archive)).map_err(|error| broken(&error))?;
    let mut room = packed.saturating_mul(MOST_GROWTH).max(ALWAYS_ALLOWED);
    std::fs::create_dir(folder).map_err(disk)?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| broken(&error))?;
        let Some(path) = entry.enclosed_name() else {
            return Err(unreadable(format!(
                "The ZIP has an entry that leads out of it: {:?}.",
                entry.name()
            )));
        };
        if entry.is_dir() || is_of_the_system(&path) {
            continue;
        }
        if entry.is_symlink() {
            return Err(unreadable(format!(
                "The ZIP has a link: {:?}.",
                entry.name()
            )));
        }
        let target = folder.join(&path);
        let made = std::fs::create_dir_all(target.parent().unwrap_or(folder))
            .and_then(|()| File::create_new(&target));
        let mut file = made.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput => unreadable(format!(
                "No file can have this name beside the others of the ZIP: {}.",
                path.display()
            )),
            _ => Refusal::disk(&error),
        })?;
        room = room
            .checked_sub(copy(&mut entry, &mut file, room + 1)?)
            .ok_or_else(|| unreadable("The ZIP unpacks to far more bytes than it has itself."))?;
    }
    sync_disk(folder).map_err(disk)
}

/// Copies at most so many bytes. What is wrong with the archive is told apart from what is wrong with the disk.
fn copy(entry: &mut impl Read, file: &mut File, most: u64) -> Result<u64, Refusal> {
    let (mut buffer, mut copied) = (vec![0; 1 << 16], 0);
    while copied < most {
        let read = entry
            .read(&mut buffer)
            .map_err(|error| broken(&error.into()))?;
        if read == 0 {
            break;
        }
        file.write_all(&buffer[..read])
            .map_err(|error| Refusal::disk(&error))?;
        copied += read as u64;
    }
    Ok(copied)
}

fn broken(error: &ZipError) -> Refusal {
    unreadable(format!("The ZIP cannot be read: {error}."))
}

fn is_of_the_system(path: &Path) -> bool {
    let mut parts = path.iter();
    parts.any(|part| OF_THE_SYSTEM.iter().any(|name| part == *name))
}

/// The configuration of Islandora Workbench in an unpacked archive, and its folder: where a table could be, too. `None`
/// where there is none, or several.
fn find_configuration(folder: &Path) -> Result<Option<(PathBuf, WorkbenchConfig)>, Refusal> {
    let entries = entries(folder)?;
    let is_yaml = |path: &&PathBuf| {
        let ending = path.extension().unwrap_or_default();
        (ending == "yml" || ending == "yaml") && path.is_file()
    };
    let found: Vec<&PathBuf> = entries.iter().filter(is_yaml).collect();
    match (found.as_slice(), entries.as_slice()) {
        ([path], _) => {
            let within = format!("{}/", folder.display());
            let config = WorkbenchConfig::read(path);
            let config = config.map_err(|words| unreadable(words.replace(&within, "")))?;
            Ok(Some((folder.to_owned(), config)))
        }
        ([], [only]) if only.is_dir() => find_configuration(only),
        _ => Ok(None),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let disk = |error: io::Error| Refusal::disk(&error);
    let entries = std::fs::read_dir(folder).map_err(disk)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    paths.collect::<io::Result<_>>().map_err(disk)
}

/// The table of an unpacked archive: in the folder itself, or in the one folder that it has.
fn find_table(folder: &Path) -> Result<PathBuf, Refusal> {
    let entries = entries(folder)?;
    let is_table = |path: &&PathBuf| {
        let name = path.to_string_lossy();
        path.is_file() && SourceFormat::of_name(&name).is_ok() && !name.ends_with(".txt")
    };
    let tables: Vec<&PathBuf> = entries.iter().filter(is_table).collect();
    let is_usual = |path: &&&PathBuf| path.file_stem().is_some_and(|stem| stem == USUAL_NAME);
    match (tables.as_slice(), entries.as_slice()) {
        ([table], _) => Ok((*table).clone()),
        ([], [only]) if only.is_dir() => find_table(only),
        ([], _) => Err(unreadable(
            "The ZIP has no table: a file that ends in .csv, .tsv, .xlsx or .ods.",
        )),
        (several, _) => several
            .iter()
            .find(is_usual)
            .map(|table| (*table).clone())
            .ok_or_else(|| {
                unreadable("The ZIP has several tables. Name the one that is meant items.csv.")
            }),
    }
}
