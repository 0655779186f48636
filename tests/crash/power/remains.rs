//! What is there after a power cut, and the changes that led to it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

/// A file or a directory.
pub type Node = usize;
/// What lies in a directory.
pub type Names = BTreeMap<String, Node>;

/// Everything below this is there from the beginning on.
pub const ROOT: Node = 0;

/// What is in a file or a directory.
#[derive(Clone, PartialEq)]
pub enum Content {
    File(Arc<Vec<u8>>),
    Directory(Names),
    Pointer(PathBuf),
}

/// Something that the program asked the disk for.
#[derive(Clone)]
pub enum Change {
    Name {
        directory: Node,
        name: String,
        to: Option<Node>,
    },
    Bytes {
        file: Node,
        offset: usize,
        bytes: Bytes,
    },
    Length {
        file: Node,
        length: usize,
    },
}

impl Change {
    /// The file or the directory that is to be synced.
    pub fn of(&self) -> Node {
        match self {
            Change::Name { directory, .. } => *directory,
            Change::Bytes { file, .. } | Change::Length { file, .. } => *file,
        }
    }
}

/// Makes a change, of bytes only so many.
pub fn apply(kept: &mut [Content], change: &Change, most: usize) {
    match change {
        Change::Name {
            directory,
            name,
            to,
        } => {
            if let Content::Directory(names) = &mut kept[*directory] {
                match to {
                    Some(node) => names.insert(name.clone(), *node),
                    None => names.remove(name),
                };
            }
        }
        Change::Bytes {
            file,
            offset,
            bytes,
        } => {
            if let Content::File(content) = &mut kept[*file] {
                let content = Arc::make_mut(content);
                let bytes = &bytes[..bytes.len().min(most)];
                let end = offset + bytes.len();
                content.resize(content.len().max(end), 0);
                content[*offset..end].copy_from_slice(bytes);
            }
        }
        Change::Length { file, length } => {
            if let Content::File(content) = &mut kept[*file] {
                Arc::make_mut(content).resize(*length, 0);
            }
        }
    }
}

/// What is there after a power cut.
#[derive(PartialEq)]
pub struct Remains(Vec<Content>);

impl Remains {
    pub fn of(kept: Vec<Content>) -> Remains {
        Remains(kept)
    }

    /// Writes it into a new directory.
    pub fn restore(&self) -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a directory");
        let written = self.write_names(ROOT, place.path(), &mut HashMap::new());
        written.expect("there is room");
        place
    }

    fn write_names(
        &self,
        node: Node,
        directory: &Path,
        written: &mut HashMap<Node, PathBuf>,
    ) -> std::io::Result<()> {
        let Content::Directory(names) = &self.0[node] else {
            panic!("{} is no directory", directory.display());
        };
        for (name, node) in names {
            let path = directory.join(name);
            match (&self.0[*node], written.get(node)) {
                (Content::File(_), Some(first)) => std::fs::hard_link(first, &path)?,
                (Content::File(bytes), None) => std::fs::write(&path, bytes.as_slice())?,
                (Content::Pointer(content), _) => std::os::unix::fs::symlink(content, &path)?,
                (Content::Directory(_), Some(first)) => {
                    panic!("{} is {} too", first.display(), path.display())
                }
                (Content::Directory(_), None) => {
                    std::fs::create_dir(&path)?;
                    self.write_names(*node, &path, written)?;
                }
            }
            written.insert(*node, path);
        }
        Ok(())
    }

    /// Paths of all files and their bytes, of links where they lead.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut open = vec![(ROOT, PathBuf::new())];
        while let Some((node, path)) = open.pop() {
            match &self.0[node] {
                Content::Directory(names) => {
                    open.extend(names.iter().map(|(name, node)| (*node, path.join(name))));
                }
                Content::File(bytes) => drop(files.insert(path, bytes.to_vec())),
                Content::Pointer(content) => {
                    let content = content.to_str().expect("UTF-8").as_bytes().to_vec();
                    files.insert(path, content);
                }
            }
        }
        files
    }
}
