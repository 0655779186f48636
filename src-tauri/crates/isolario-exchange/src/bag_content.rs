//! A bag of this program as a site: its documents are those that a site answers with.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;
use futures_util::{Stream, stream};
use isolario_core::bag::{CheckedBag, check_bag, derived_uuid};
use isolario_core::progress::ReportProgress;
use isolario_model::content::EntityKind;
use isolario_model::content::entity::ALIASES;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

/// Longest document, bytes.
const LONGEST: u64 = 64 * 1024 * 1024;
/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;
/// Items of one page of the list of all.
const PAGE: usize = 50;

/// What lies where in a bag that was found whole.
pub struct BagContent {
    bag: CheckedBag,
    name: String,
    documents: HashMap<(EntityKind, i64), String>,
    nodes: Vec<i64>,
    media: HashMap<i64, Vec<i64>>,
    /// Files by the addresses that their documents name.
    files: HashMap<String, String>,
    /// What new UUIDs follow from.
    salt: Option<String>,
}

impl BagContent {
    /// Reads what is in a bag, after it was checked.
    ///
    /// # Errors
    /// A sentence, or the names of its damaged files.
    pub fn open(place: &Path, name: &str, say: &ReportProgress) -> Result<BagContent, String> {
        let bag = check_bag(place, say);
        let bag = bag.map_err(|fault| format!("It is no whole bag.\n{fault}"))?;
        let mut content = BagContent {
            bag,
            name: name.strip_suffix(".zip").unwrap_or(name).to_owned(),
            documents: HashMap::new(),
            nodes: Vec::new(),
            media: HashMap::new(),
            files: HashMap::new(),
            salt: None,
        };
        let read = content.read_paths();
        read.map_err(|error| format!("The bag cannot be read: {error}."))?;
        // Items are older than what is in them.
        content.nodes.sort_unstable();
        Ok(content)
    }

    /// The bag itself.
    pub fn bag(&self) -> &CheckedBag {
        &self.bag
    }

    /// Its name, as people know it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many items come of it, as far as that is known beforehand.
    pub fn expected(&self) -> i64 {
        let items = match self.nodes.len() {
            0 => self.bag.paths.len(),
            items => items,
        };
        i64::try_from(items).unwrap_or(i64::MAX)
    }

    /// What the UUIDs of items that are made of its files follow from.
    pub fn salt(&self) -> &str {
        self.salt.as_deref().unwrap_or(&self.bag.fingerprint)
    }

    /// How many items it has; none if this program has not made it.
    pub fn items(&self) -> usize {
        self.nodes.len()
    }

    /// From now on, items, media and files have other UUIDs.
    pub fn renew(&mut self, salt: String) {
        self.salt = Some(salt);
    }

    /// The document of a resource.
    pub fn document(&self, kind: EntityKind, id: i64) -> io::Result<Option<Value>> {
        let Some(path) = self.documents.get(&(kind, id)) else {
            return Ok(None);
        };
        let mut document = self.read_json(path)?;
        if let Some(salt) = &self.salt {
            self.renew_document(salt, kind, &mut document);
        }
        Ok(Some(document))
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
    pub fn bytes(
        &self,
        address: &str,
    ) -> io::Result<Option<(u64, impl Stream<Item = io::Result<Bytes>> + Send + use<>)>> {
        let path = self.files.get(address);
        path.map(|path| self.bytes_at(path)).transpose()
    }

    /// The bytes of a file of the bag, and how many.
    pub fn bytes_at(
        &self,
        path: &str,
    ) -> io::Result<(u64, impl Stream<Item = io::Result<Bytes>> + Send + use<>)> {
        let (file, size) = self.bag.source.read(path)?;
        Ok((size, chunks_of(file)))
    }

    fn read_paths(&mut self) -> io::Result<()> {
        let paths = self.bag.paths.clone();
        let mut files: HashMap<i64, String> = HashMap::new();
        for path in &paths {
            let parts: Vec<&str> = path.split('/').skip(1).collect();
            let (kind, id) = match parts.as_slice() {
                ["terms", _, term] => (EntityKind::Term, number_of(term)),
                [.., folder, "item.json"] => (EntityKind::Node, number_of(folder)),
                [.., folder, "media", name] => match number_of(name) {
                    Some(mid) if *name == format!("{mid}.json") => {
                        let nid = number_of(folder);
                        let media = nid.map(|nid| self.media.entry(nid).or_default());
                        media.into_iter().for_each(|media| media.push(mid));
                        (EntityKind::Media, Some(mid))
                    }
                    _ => continue,
                },
                [.., "files", name] => {
                    files.extend(number_of(name).map(|mid| (mid, path.clone())));
                    continue;
                }
                _ => continue,
            };
            if let Some(id) = id {
                if kind == EntityKind::Node {
                    self.nodes.push(id);
                }
                self.documents.insert((kind, id), path.clone());
            }
        }
        for path in paths.iter().filter(|path| path.ends_with(".file.json")) {
            self.read_file_document(path, &mut files)?;
        }
        Ok(())
    }

    fn read_file_document(
        &mut self,
        path: &str,
        files: &mut HashMap<i64, String>,
    ) -> io::Result<()> {
        let Some((folder, name)) = path.rsplit_once('/') else {
            return Ok(());
        };
        let mid = number_of(name).filter(|_| folder.ends_with("/media"));
        let Some(file) = mid.and_then(|mid| files.remove(&mid)) else {
            return Ok(());
        };
        let document = self.read_json(path)?;
        if let Some(fid) = document["fid"][0]["value"].as_i64() {
            self.documents
                .insert((EntityKind::File, fid), path.to_owned());
        }
        if let Some(address) = document["uri"][0]["url"].as_str() {
            self.files.insert(address.to_owned(), file);
        }
        Ok(())
    }

    fn read_json(&self, path: &str) -> io::Result<Value> {
        let mut bytes = Vec::new();
        let (file, _) = self.bag.source.read(path)?;
        file.take(LONGEST).read_to_end(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }

    /// Gives a resource a UUID of its own, and those that it refers to theirs. Terms keep theirs: they are the same ones.
    fn renew_document(&self, salt: &str, kind: EntityKind, document: &mut Value) {
        let renewed = |uuid: &str| json!(derived_uuid(salt, &uuid.to_lowercase()).to_string());
        let Some(fields) = document.as_object_mut() else {
            return;
        };
        if kind == EntityKind::Term {
            return;
        }
        // The address is that of the other one.
        fields.shift_remove(ALIASES);
        for (name, items) in fields {
            for item in items.as_array_mut().into_iter().flatten() {
                let (of, uuid) = match name.as_str() {
                    "uuid" => (Some(kind), "value"),
                    _ => (self.target_in_bag(item), "target_uuid"),
                };
                if let (Some(_), Some(known)) = (of, item[uuid].as_str()) {
                    item[uuid] = renewed(known);
                }
            }
        }
    }

    /// The kind of what an item refers to, where that is in the bag and becomes another one.
    fn target_in_bag(&self, item: &Value) -> Option<EntityKind> {
        let kind = EntityKind::from_target_type(item.get("target_type")?.as_str()?)?;
        let id = item.get("target_id")?.as_i64()?;
        let is_inside = kind != EntityKind::Term && self.documents.contains_key(&(kind, id));
        is_inside.then_some(kind)
    }
}

/// The number that a name begins with.
fn number_of(name: &str) -> Option<i64> {
    let end = name.find(|letter: char| !letter.is_ascii_digit());
    name[..end.unwrap_or(name.len())].parse().ok()
}

/// The bytes of a file, read in another thread.
fn chunks_of(file: Box<dyn Read + Send>) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    stream::try_unfold(file, async |mut file| {
        let read = spawn_blocking(move || {
            let mut chunk = Vec::with_capacity(CHUNK);
            let read = file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk)?;
            Ok::<_, io::Error>((read > 0).then(|| (Bytes::from(chunk), file)))
        });
        read.await.map_err(io::Error::other)?
    })
}
