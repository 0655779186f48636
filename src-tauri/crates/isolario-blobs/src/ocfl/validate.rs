//! Validates the storage root (OCFL 1.1, sections 3 and 4), and the bytes of its objects against their manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use uuid::Uuid;

use super::inventory::{INVENTORY, Inventory, SIDECAR, VersionNumber};
use super::rules::{broken_rules, continues};
use super::{StorageRoot, layout, object};
use crate::disk_entry::{DiskEntry, DiskVisitor, foreign};
use crate::verify::{FileDigest, summed};
use isolario_disk::regular_file;
use isolario_platform::files::with_slashes;

const EXTENSIONS: &str = "extensions";
const LOGS: &str = "logs";

/// The contents and faults of an object.
#[derive(Debug, Default)]
pub struct ObjectReport {
    /// The UUID of its file.
    pub file: Option<Uuid>,
    /// Directories of versions (`v1`), the oldest first.
    pub versions: Vec<String>,
    /// Every content file by its path from the object.
    pub contents: BTreeMap<String, FileDigest>,
    /// As sentences.
    pub problems: Vec<String>,
}

impl StorageRoot {
    /// Walks the root, and reports its objects and what does not belong there (section 4.3).
    pub(crate) fn survey(&self, visit: &mut DiskVisitor<'_>) -> io::Result<()> {
        let files = [
            super::DECLARATION.0,
            "ocfl_1.1.html",
            "ocfl_1.1.md",
            "ocfl_layout.json",
        ];
        for entry in self.root.read_dir()? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let flow = match entry.file_type()?.is_dir() {
                true if name == EXTENSIONS => ControlFlow::Continue(()),
                true => objects_below(&path, visit)?,
                false if files.contains(&name.as_ref()) => ControlFlow::Continue(()),
                false => visit(foreign(path, "A storage root holds no such file.")),
            };
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The faults of the root, without those of its objects (sections 4.1 and 4.2).
    pub(crate) fn validate_root(&self) -> Vec<String> {
        let (name, content) = super::DECLARATION;
        let config = Path::new(EXTENSIONS).join(layout::NAME).join("config.json");
        let mut problems = Vec::new();
        if regular_file::read(&self.root.join(name)).ok().as_deref() != Some(content.as_bytes()) {
            problems.push(format!("{name} is missing or says something else."));
        }
        for (path, expected) in [
            (Path::new("ocfl_layout.json"), layout::declaration()),
            (config.as_path(), layout::parameters()),
        ] {
            let found = regular_file::read(&self.root.join(path)).unwrap_or_default();
            if serde_json::from_slice::<serde_json::Value>(&found).ok() != Some(expected) {
                let path = path.display();
                problems.push(format!("{path} is missing or of another layout."));
            }
        }
        problems
    }

    /// Reads an object whole. `None` when `on_read` breaks off.
    pub(crate) fn validate(
        &self,
        object: &Path,
        on_read: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> io::Result<Option<ObjectReport>> {
        let mut report = ObjectReport::default();
        let versions = top_level(object, &mut report)?;
        report.versions = versions.iter().map(ToString::to_string).collect();
        for version in &versions {
            if !version_level(object, *version, &mut report, on_read)? {
                return Ok(None);
            }
        }
        match read_inventory(object) {
            Ok(inventory) => {
                report.file = file_of(&inventory.id);
                self.compare(object, &inventory, &versions, &mut report);
            }
            Err(error) => {
                let name = object.file_name().unwrap_or_default().to_string_lossy();
                let id = percent_encoding::percent_decode_str(&name).decode_utf8_lossy();
                report.file = file_of(&id);
                report.problems.push(format!("Its inventory: {error}."));
            }
        }
        Ok(Some(report))
    }

    /// Validates the inventory against the rules, its path and the files on disk.
    fn compare(
        &self,
        object: &Path,
        inventory: &Inventory,
        versions: &BTreeSet<VersionNumber>,
        report: &mut ObjectReport,
    ) {
        report.problems.extend(broken_rules(inventory));
        if self.object(&inventory.id) != object {
            report
                .problems
                .push(format!("It is {}, whose place is another.", inventory.id));
        }
        if !inventory.versions.keys().eq(versions) {
            report
                .problems
                .push("Its directories are not the versions of its inventory.".into());
        }
        let contents = std::mem::take(&mut report.contents);
        compare_contents(inventory, &contents, &mut report.problems);
        report.contents = contents;
        for version in versions {
            compare_version(object, *version, inventory, &mut report.problems);
        }
    }
}

fn file_of(id: &str) -> Option<Uuid> {
    Uuid::parse_str(id.strip_prefix("urn:uuid:")?).ok()
}

/// Section 4.3: above the objects there are directories only, and none is empty.
fn objects_below(directory: &Path, visit: &mut DiskVisitor<'_>) -> io::Result<ControlFlow<()>> {
    let (name, _) = object::DECLARATION;
    if directory.join(name).exists() || directory.join(INVENTORY).exists() {
        return Ok(visit(DiskEntry::Object(directory.to_owned())));
    }
    let mut is_empty = true;
    for entry in directory.read_dir()? {
        is_empty = false;
        let entry = entry?;
        let flow = match entry.file_type()?.is_dir() {
            true => objects_below(&entry.path(), visit)?,
            false => visit(foreign(entry.path(), "It lies outside of any object.")),
        };
        if flow.is_break() {
            return Ok(flow);
        }
    }
    match is_empty {
        true => Ok(visit(foreign(
            directory.to_owned(),
            "A storage root holds no empty directories.",
        ))),
        false => Ok(ControlFlow::Continue(())),
    }
}

fn read_inventory(directory: &Path) -> io::Result<Inventory> {
    let bytes = regular_file::read(&directory.join(INVENTORY))?;
    Inventory::read(&bytes, &regular_file::read(&directory.join(SIDECAR))?)
}

/// Sections 3.1 and 3.2. Returns the versions that have a directory.
fn top_level(object: &Path, report: &mut ObjectReport) -> io::Result<BTreeSet<VersionNumber>> {
    let (declaration, content) = object::DECLARATION;
    if regular_file::read(&object.join(declaration))
        .ok()
        .as_deref()
        != Some(content.as_bytes())
    {
        report
            .problems
            .push(format!("{declaration} is missing or says something else."));
    }
    let mut versions = BTreeSet::new();
    for entry in object.read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_directory = entry.file_type()?.is_dir();
        match VersionNumber::parse(&name) {
            Some(version) if is_directory => drop(versions.insert(version)),
            None if is_directory && [EXTENSIONS, LOGS].contains(&name.as_str()) => {}
            None if !is_directory && [declaration, INVENTORY, SIDECAR].contains(&name.as_str()) => {
            }
            _ => report
                .problems
                .push(format!("\"{name}\" does not belong to an object.")),
        }
    }
    Ok(versions)
}

/// Section 3.3. False when `on_read` breaks off.
fn version_level(
    object: &Path,
    version: VersionNumber,
    report: &mut ObjectReport,
    on_read: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> io::Result<bool> {
    for entry in object.join(version.to_string()).read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_directory = entry.file_type()?.is_dir();
        if is_directory && name == "content" {
            if !contents_below(object, &entry.path(), report, on_read)? {
                return Ok(false);
            }
        } else if is_directory || ![INVENTORY, SIDECAR].contains(&name.as_str()) {
            report
                .problems
                .push(format!("\"{name}\" does not belong in {version}."));
        }
    }
    Ok(true)
}

fn contents_below(
    object: &Path,
    directory: &Path,
    report: &mut ObjectReport,
    on_read: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> io::Result<bool> {
    let mut is_empty = true;
    for entry in directory.read_dir()? {
        is_empty = false;
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let name = path.strip_prefix(object).unwrap_or(&path);
        let name = with_slashes(name);
        if kind.is_dir() {
            if !contents_below(object, &path, report, on_read)? {
                return Ok(false);
            }
        } else if !kind.is_file() {
            report.problems.push(format!("{name} is no regular file."));
        } else {
            match summed(&path, on_read) {
                Ok(Some(found)) => drop(report.contents.insert(name, found)),
                Ok(None) => return Ok(false),
                Err(error) => report
                    .problems
                    .push(format!("{name} cannot be read: {error}.")),
            }
        }
    }
    if is_empty {
        let name = directory.strip_prefix(object).unwrap_or(directory);
        let name = with_slashes(name);
        report
            .problems
            .push(format!("{name} is an empty directory."));
    }
    Ok(true)
}

/// Sections 3.4 and 3.5.2: the manifest agrees with the files.
fn compare_contents(
    inventory: &Inventory,
    contents: &BTreeMap<String, FileDigest>,
    problems: &mut Vec<String>,
) {
    let mut named = BTreeSet::new();
    for (digest, path) in inventory
        .manifest
        .iter()
        .flat_map(|(digest, paths)| paths.iter().map(move |path| (digest, path)))
    {
        named.insert(path);
        match contents.get(path) {
            None => problems.push(format!("{path} is missing.")),
            Some(found) if !found.sha512.eq_ignore_ascii_case(digest) => {
                problems.push(format!("{path} has another digest than in the manifest."));
            }
            Some(_) => {}
        }
    }
    for path in contents.keys().filter(|path| !named.contains(path)) {
        problems.push(format!("{path} is in no manifest."));
    }
}

/// Section 3.7: the inventory in the directory of a version agrees with that of the object.
fn compare_version(
    object: &Path,
    version: VersionNumber,
    inventory: &Inventory,
    problems: &mut Vec<String>,
) {
    match read_inventory(&object.join(version.to_string())) {
        Err(error) => problems.push(format!("The inventory of {version}: {error}.")),
        Ok(own) if version == inventory.head && own != *inventory => {
            problems.push(format!("The inventory of {version} is not the object's."));
        }
        Ok(own) if own.head != version || !continues(inventory, &own) => {
            problems.push(format!("The inventory of {version} tells another story."));
        }
        Ok(_) => {}
    }
}
