//! A disk that keeps what was synced, and of the rest what the power cut leaves.
//!
//! It knows no mercy beyond POSIX: a sync of a file keeps its bytes and not its name, a sync of a
//! directory keeps the names in it and not the bytes behind them. What was not synced may be kept or
//! lost in any order; but a name is changed as a whole, what a rename takes away it has given before,
//! and a directory never has two names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::record::Entry;
use super::remains::{Change, Content, Names, Node, ROOT, Remains, apply};
use crate::chance::Chance;

/// Torn bytes are torn here.
const SECTOR: usize = 512;

/// A change that no sync has brought to the disk yet.
#[derive(Clone)]
struct Pending {
    /// Changes of the same number are halves of one rename.
    number: usize,
    /// The directory of the other half.
    other: Option<Node>,
    change: Change,
}

impl Pending {
    fn name(&self) -> Option<&str> {
        match &self.change {
            Change::Name { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// What of the changes that were not synced outlives a power cut.
#[derive(Clone)]
pub enum Survivors {
    Nothing,
    /// The last change alone: whatever was to be on disk before it is not.
    Newest,
    /// All but those of some files and directories.
    Beside(BTreeSet<Node>),
    /// Some, by chance, torn or whole.
    Some(Chance),
    Everything,
}

/// The disk.
pub struct Disk {
    root: PathBuf,
    /// As the program sees them now.
    names: HashMap<Node, Names>,
    /// By the number that the real disk gave them.
    numbered: HashMap<u64, Node>,
    /// As they are on disk.
    kept: Vec<Content>,
    /// By what is to be synced.
    pending: BTreeMap<Node, Vec<Pending>>,
    number: usize,
    /// Numbers of the renames of directories.
    moves: HashSet<usize>,
}

impl Disk {
    /// With one empty directory, of this path and number.
    pub fn new(root: &Path, number: u64) -> Disk {
        Disk {
            root: root.to_owned(),
            names: HashMap::from([(ROOT, Names::new())]),
            numbered: HashMap::from([(number, ROOT)]),
            kept: vec![Content::Directory(Names::new())],
            pending: BTreeMap::new(),
            number: 0,
            moves: HashSet::new(),
        }
    }

    /// Does what the program asked for.
    pub fn follow(&mut self, entry: &Entry) {
        self.number += 1;
        match entry {
            Entry::Opened {
                file,
                emptied,
                path,
            } => self.open(*file, *emptied, path),
            Entry::Made { directory, path } => {
                let node = self.make(Content::Directory(Names::new()));
                self.names.insert(node, Names::new());
                self.numbered.insert(*directory, node);
                self.name(path, Some(node), None);
            }
            Entry::Removed(path) => self.name(path, None, None),
            Entry::Renamed { from, to } => {
                let node = self.find(from);
                let [(source, _), (target, _)] = [from, to].map(|path| self.place(path));
                if self.names.contains_key(&node) {
                    self.moves.insert(self.number);
                }
                self.name(to, Some(node), Some(source));
                self.name(from, None, Some(target));
            }
            Entry::Linked { from, to } => {
                let node = self.find(from);
                self.name(to, Some(node), None);
            }
            Entry::Pointed { content, path } => {
                let node = self.make(Content::Pointer(content.clone()));
                self.name(path, Some(node), None);
            }
            Entry::Written {
                file,
                offset,
                bytes,
            } => {
                // Files elsewhere are written too.
                if let Some(&file) = self.numbered.get(file) {
                    let (offset, bytes) = (*offset, bytes.clone());
                    self.change(Change::Bytes {
                        file,
                        offset,
                        bytes,
                    });
                }
            }
            Entry::Resized { file, length } => {
                if let Some(&file) = self.numbered.get(file) {
                    let length = *length;
                    self.change(Change::Length { file, length });
                }
            }
            Entry::Synced { number, .. } => {
                if let Some(node) = self.numbered.get(number) {
                    self.sync(*node);
                }
            }
            Entry::AllSynced { .. } => {
                for pending in std::mem::take(&mut self.pending).into_values().flatten() {
                    apply(&mut self.kept, &pending.change, usize::MAX);
                }
            }
            Entry::Answered(_) => {}
        }
    }

    fn open(&mut self, file: u64, emptied: bool, path: &Path) {
        let (directory, name) = self.place(path);
        match self.names[&directory].get(&name) {
            None => {
                let node = self.make(Content::File(Arc::default()));
                self.numbered.insert(file, node);
                self.name(path, Some(node), None);
            }
            Some(&file) if emptied => self.change(Change::Length { file, length: 0 }),
            Some(_) => {}
        }
    }

    fn make(&mut self, content: Content) -> Node {
        self.kept.push(content);
        self.kept.len() - 1
    }

    fn change(&mut self, change: Change) {
        self.pend(change, None);
    }

    fn pend(&mut self, change: Change, other: Option<Node>) {
        let number = self.number;
        let pending = self.pending.entry(change.of()).or_default();
        pending.push(Pending {
            number,
            other,
            change,
        });
    }

    /// Gives a name to something, or takes it away; for a rename, with the directory of its other half.
    fn name(&mut self, path: &Path, to: Option<Node>, other: Option<Node>) {
        let (directory, name) = self.place(path);
        let names = self.names.get_mut(&directory).expect("a directory");
        match to {
            Some(node) => names.insert(name.clone(), node),
            None => names.remove(&name),
        };
        let change = Change::Name {
            directory,
            name,
            to,
        };
        self.pend(change, other);
    }

    /// The directory of a path, and its name in there.
    fn place(&self, path: &Path) -> (Node, String) {
        let above = self.find(path.parent().expect("below the root"));
        let name = path.file_name().and_then(|name| name.to_str());
        (above, name.expect("a name").to_owned())
    }

    fn find(&self, path: &Path) -> Node {
        let below = path.strip_prefix(&self.root).expect("below the root");
        let names = below.iter().map(|name| name.to_str().expect("UTF-8"));
        names.fold(ROOT, |node, name| match self.names[&node].get(name) {
            Some(node) => *node,
            None => panic!("the record leaves out how {} came about", path.display()),
        })
    }

    /// The files and directories that a sync is of; none for everything.
    pub fn synced(&self, entry: &Entry) -> Option<Node> {
        match entry {
            Entry::Synced { number, .. } => self.numbered.get(number).copied(),
            _ => None,
        }
    }

    /// What a sync is of.
    pub fn kind_of(&self, entry: &Entry) -> &'static str {
        let Entry::Synced { number, .. } = entry else {
            return "everything";
        };
        let node = self.numbered.get(number).expect("it was made");
        match self.kept[*node] {
            Content::Directory(_) => "names",
            _ => "bytes",
        }
    }

    /// The path of something that is open, as the program sees it.
    pub fn path_of(&self, number: u64) -> Option<PathBuf> {
        let wanted = *self.numbered.get(&number)?;
        let mut open = vec![(ROOT, PathBuf::new())];
        while let Some((node, path)) = open.pop() {
            if node == wanted {
                return Some(path);
            }
            let names = self.names.get(&node).into_iter().flatten();
            open.extend(names.map(|(name, node)| (*node, path.join(name))));
        }
        None
    }

    fn sync(&mut self, node: Node) {
        for pending in self.pending.remove(&node).unwrap_or_default() {
            if let Some(other) = pending.other.filter(|other| *other != node) {
                self.sync_other_half(other, pending.number);
            }
            apply(&mut self.kept, &pending.change, usize::MAX);
        }
    }

    /// One half of a rename is on disk: what is gone from there is here, and a directory is in one place.
    fn sync_other_half(&mut self, directory: Node, number: usize) {
        let pending = self.pending.entry(directory).or_default();
        let half = pending.iter().position(|half| half.number == number);
        let Some(at) = half else {
            return;
        };
        let gives = matches!(pending[at].change, Change::Name { to: Some(_), .. });
        if !gives && !self.moves.contains(&number) {
            return;
        }
        let half = self.pending.entry(directory).or_default().remove(at);
        apply(&mut self.kept, &half.change, usize::MAX);
        // What the name was before cannot come back any more.
        let pending = self.pending.entry(directory).or_default();
        pending.retain(|before| before.number > number || before.name() != half.name());
    }

    /// What is there after the power was cut.
    pub fn cut(&self, survivors: &Survivors) -> Remains {
        let mut kept = self.kept.clone();
        let all = || self.pending.values().flatten();
        let newest = all().map(|pending| pending.number).max();
        let mut chance = match survivors {
            Survivors::Some(chance) => chance.clone(),
            _ => Chance::new(0),
        };
        // Both halves of a rename, or none.
        let mut lucky = HashMap::new();
        for pending in all() {
            let survives = match survivors {
                Survivors::Nothing => false,
                Survivors::Newest => Some(pending.number) == newest,
                Survivors::Everything => true,
                Survivors::Beside(lost) => !lost.contains(&pending.change.of()),
                Survivors::Some(_) => *lucky
                    .entry(pending.number)
                    .or_insert_with(|| chance.below(2) == 0),
            };
            let most = match survivors {
                Survivors::Some(_) if chance.below(4) == 0 => chance.below(16) * SECTOR,
                _ => usize::MAX,
            };
            if survives {
                apply(&mut kept, &pending.change, most);
            }
        }
        Remains::of(kept)
    }
}
