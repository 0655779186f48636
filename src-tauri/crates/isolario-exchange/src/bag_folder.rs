//! A bag of this program as a site: its documents are those that a site answers with.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use isolario_core::bag::check_bag;
use isolario_disk::regular_file;
use isolario_model::content::EntityKind;
use serde_json::Value;
use tokio::fs::File;
use tokio_util::io::ReaderStream;

/// Longest document, bytes.
const LONGEST: u64 = 64 * 1024 * 1024;
/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;
/// Items of one page of the list of all.
const PAGE: usize = 50;
/// Folders within each other.
const DEEPEST: usize = 200;

/// What lies where in a bag that was found whole.
#[derive(Default)]
pub struct BagFolder {
    documents: HashMap<(EntityKind, i64), PathBuf>,
    nodes: Vec<i64>,
    media: HashMap<i64, Vec<i64>>,
    /// Files by the addresses that their documents name.
    files: HashMap<String, PathBuf>,
}

impl BagFolder {
    /// Reads what is in a bag, after it was checked.
    ///
    /// # Errors
    /// A sentence, or the names of its damaged files.
    pub fn open(folder: &Path) -> Result<BagFolder, String> {
        check_bag(folder, &|_| {}).map_err(|fault| format!("It is no whole bag.\n{fault}"))?;
        let mut bag = BagFolder::default();
        let read = bag.read_folder(&folder.join("data"), 0);
        read.map_err(|error| format!("The bag cannot be read: {error}."))?;
        if bag.nodes.is_empty() {
            return Err("It holds no item: it is no bag that Isolario has made.".into());
        }
        // Items are older than what is in them.
        bag.nodes.sort_unstable();
        Ok(bag)
    }

    /// The document of a resource.
    pub fn document(&self, kind: EntityKind, id: i64) -> io::Result<Option<Value>> {
        let place = self.documents.get(&(kind, id));
        place.map(|place| read_json(place)).transpose()
    }

    /// A page of the list at a path; `None` where there is no such list.
    pub fn list(&self, path: &str) -> io::Result<Option<Value>> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let page = query.split('&').find_map(|part| part.strip_prefix("page="));
        let page: usize = page.and_then(|page| page.parse().ok()).unwrap_or(0);
        let (kind, ids) = match path.strip_prefix("/node/") {
            None if path == "/views/nodes" => (EntityKind::Node, self.nodes.as_slice()),
            Some(rest) if rest.ends_with("/media") => {
                let nid = rest.trim_end_matches("/media").parse().unwrap_or(0);
                let media = self.media.get(&nid).map(Vec::as_slice);
                (EntityKind::Media, media.unwrap_or_default())
            }
            _ => return Ok(None),
        };
        let ids = ids.iter().skip(page.saturating_mul(PAGE)).take(PAGE);
        let documents = ids.filter_map(|id| self.document(kind, *id).transpose());
        Ok(Some(Value::Array(documents.collect::<io::Result<_>>()?)))
    }

    /// The bytes at an address, and how many.
    pub fn bytes(&self, address: &str) -> io::Result<Option<(u64, ReaderStream<File>)>> {
        let Some(place) = self.files.get(address) else {
            return Ok(None);
        };
        let (file, size) = regular_file::open_sized(place)?;
        Ok(Some((
            size,
            ReaderStream::with_capacity(file.into(), CHUNK),
        )))
    }

    fn read_folder(&mut self, folder: &Path, depth: usize) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(io::Error::other("its folders are too deep"));
        }
        let item = folder.join("item.json");
        if let (true, Some(nid)) = (item.is_file(), number_of(folder)) {
            self.nodes.push(nid);
            self.documents.insert((EntityKind::Node, nid), item);
            self.read_media(folder, nid)?;
        }
        for (name, place) in folders(folder)? {
            match (depth, name.as_str()) {
                (0, "terms") => self.read_terms(&place)?,
                (1.., "files" | "media") => {}
                _ => self.read_folder(&place, depth + 1)?,
            }
        }
        Ok(())
    }

    fn read_media(&mut self, folder: &Path, nid: i64) -> io::Result<()> {
        let mut files = HashMap::new();
        for place in files_in(&folder.join("files"))? {
            files.extend(number_of(&place).map(|mid| (mid, place)));
        }
        for place in files_in(&folder.join("media"))? {
            let Some(mid) = number_of(&place) else {
                continue;
            };
            if place.file_name() == Some(format!("{mid}.json").as_ref()) {
                self.media.entry(nid).or_default().push(mid);
                self.documents.insert((EntityKind::Media, mid), place);
                continue;
            }
            let document = read_json(&place)?;
            if let Some(fid) = document["fid"][0]["value"].as_i64() {
                self.documents.insert((EntityKind::File, fid), place);
            }
            if let (Some(address), Some(file)) =
                (document["uri"][0]["url"].as_str(), files.remove(&mid))
            {
                self.files.insert(address.to_owned(), file);
            }
        }
        Ok(())
    }

    fn read_terms(&mut self, folder: &Path) -> io::Result<()> {
        for (_, vocabulary) in folders(folder)? {
            for place in files_in(&vocabulary)? {
                let term = number_of(&place).map(|tid| ((EntityKind::Term, tid), place));
                self.documents.extend(term);
            }
        }
        Ok(())
    }
}

/// The number that a name begins with.
fn number_of(place: &Path) -> Option<i64> {
    let name = place.file_name()?.to_str()?;
    let end = name.find(|letter: char| !letter.is_ascii_digit());
    name[..end.unwrap_or(name.len())].parse().ok()
}

fn folders(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let name = entry.file_name().to_string_lossy().into_owned();
            found.push((name, entry.path()));
        }
    }
    Ok(found)
}

/// The regular files of a folder that may be missing.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn read_json(place: &Path) -> io::Result<Value> {
    let mut bytes = Vec::new();
    let file = regular_file::open(place)?;
    file.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}
