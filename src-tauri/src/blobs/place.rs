//! Staged bytes get their lasting name.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::disk::Scratch;
use super::notes::Note;
use super::ocfl::{Location, StorageRoot, Turn};
use super::{Blobs, Staged, address, name, on_disk};
use crate::content::FileUri;

/// Which bytes of which file staged bytes are to be, and who says so.
#[derive(Debug, Clone)]
pub struct Deposit {
    /// Of the file.
    pub uuid: uuid::Uuid,
    pub uri: FileUri,
    /// 1 for the first bytes of a file.
    pub version: i64,
    /// Name of the bytes that these replace.
    pub replaced: Option<String>,
    pub signature: Signature,
}

/// Who put bytes into the repository, when and why.
#[derive(Debug, Clone)]
pub struct Signature {
    pub name: String,
    /// A URI.
    pub address: Option<String>,
    pub message: String,
    /// Unix seconds.
    pub at: i64,
}

/// Bytes under their lasting name. Nobody can see them until the database says so; they are noted
/// until then, so that a start after a crash can tell and clear up.
#[derive(Debug)]
#[must_use = "settle it after the commit, discard it when the commit was refused"]
pub struct Placed {
    /// Name of the bytes, as the database keeps it.
    pub blob: String,
    note: Note,
    /// Removes the bytes with itself that the object had already.
    staged: Staged,
    /// Of bytes in an object.
    turn: Option<ObjectTurn>,
}

/// The right to change an object, and what a taking back needs: a full disk has no room for it then.
#[derive(Debug)]
struct ObjectTurn {
    spare: Scratch,
    _turn: Turn,
}

impl Blobs {
    /// Gives staged bytes their place: in the public tree under a name that never existed before
    /// (the natural one for a first version, a numbered one for a replacement, a random one beside
    /// it if something has that name already), elsewhere as the next version of the file's object.
    /// Bytes, names and directories are on disk when this returns.
    ///
    /// # Errors
    /// `NotADirectory` when a file stands where the path needs a directory; what else the disk refuses.
    pub async fn place(&self, staged: Staged, deposit: &Deposit) -> io::Result<Placed> {
        let (blobs, deposit) = (self.clone(), deposit.clone());
        if deposit.uri.scheme == address::PUBLIC {
            return on_disk(move || blobs.place_in_tree(staged, &deposit)).await;
        }
        let turn = self.objects.turn(deposit.uuid).await;
        on_disk(move || blobs.place_in_object(staged, &deposit, turn)).await
    }

    fn place_in_tree(&self, staged: Staged, deposit: &Deposit) -> io::Result<Placed> {
        let path = name::of_version(&deposit.uri.path, deposit.version);
        let natural = format!("{}/{path}", deposit.uri.scheme);
        let placed = match self.adopt(&staged, &natural) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let random = uuid::Uuid::new_v4().simple().to_string();
                let beside = name::marked(&natural, &format!(".{random}"));
                self.adopt(&staged, &beside).map(|note| (beside, note))
            }
            outcome => outcome.map(|note| (natural, note)),
        };
        placed.map(|(blob, note)| Placed {
            blob,
            note,
            staged,
            turn: None,
        })
    }

    fn adopt(&self, staged: &Staged, blob: &str) -> io::Result<Note> {
        if !staged.synced {
            // Alone and beside others: in turn with theirs, single files wait longer.
            File::open(&staged.temporary.0)?.sync_all()?;
        }
        let note = self.unsettled.note(blob, vec![], &self.syncs)?;
        match self.tree.adopt(&staged.temporary.0, blob) {
            Ok(()) => Ok(note),
            Err(error) => {
                self.unsettled.strike(note)?;
                Err(error)
            }
        }
    }

    fn place_in_object(&self, staged: Staged, deposit: &Deposit, turn: Turn) -> io::Result<Placed> {
        let (path, signature) = (&deposit.uri.path, &deposit.signature);
        if let Some(replaced) = deposit.replaced.as_deref().and_then(Location::parse) {
            self.objects.refuse_lost(&replaced)?;
        }
        let addition = self
            .objects
            .plan(deposit.uuid, &staged.sha512, path, signature)?;
        let spare = self.objects.spare(&addition.location)?;
        let blob = addition.location.to_string();
        let mut built = self.objects.build(&addition, &staged.temporary.0)?;
        let mut made = std::mem::take(&mut built.made);
        if !staged.synced {
            made.extend(built.content.clone());
        }
        let note = self.unsettled.note(&blob, made, &self.syncs)?;
        if let Err(error) = self.objects.publish(&addition.location, &built) {
            // If this fails too, the note stays, and the next start does it.
            self.objects.take_back(&addition.location, &spare)?;
            self.unsettled.strike(note)?;
            return Err(error);
        }
        Ok(Placed {
            blob,
            note,
            staged,
            turn: Some(ObjectTurn { spare, _turn: turn }),
        })
    }

    /// After the commit: the bytes belong to a file.
    pub async fn settle(&self, placed: Placed) {
        let blobs = self.clone();
        let struck = on_disk(move || {
            let Placed {
                note, staged, turn, ..
            } = placed;
            drop((staged, turn));
            blobs.unsettled.strike(note)
        });
        if let Err(error) = struck.await {
            // Harmless: the next start finds the bytes in the database.
            tracing::warn!(%error, "the note of a placed upload could not be struck out");
        }
    }

    /// After a refused commit: nobody will ever know the bytes.
    pub async fn discard(&self, placed: Placed) {
        if let Err(error) = self.reclaim(placed).await {
            tracing::warn!(%error, "a refused upload is removed at the next start");
        }
    }

    /// Takes bytes back that nobody was told of, to be placed elsewhere.
    ///
    /// # Errors
    /// What the disk refuses.
    pub async fn reclaim(&self, placed: Placed) -> io::Result<Staged> {
        let blobs = self.clone();
        on_disk(move || {
            let staged = &placed.staged.temporary.0;
            match (Location::parse(&placed.blob), &placed.turn) {
                (Some(location), Some(turn)) => {
                    blobs.objects.take_back(&location, &turn.spare)?;
                    if let Some(bytes) = StorageRoot::withdrawn(&location, &turn.spare) {
                        std::fs::rename(bytes, staged)?;
                    }
                }
                _ => blobs.tree.take_back(&placed.blob, staged)?,
            }
            blobs.unsettled.strike(placed.note)?;
            Ok(placed.staged)
        })
        .await
    }

    /// Where a blob lies, if it is a file by itself and no part of the storage root.
    pub fn plain_path(&self, blob: &str) -> Option<PathBuf> {
        match Location::parse(blob) {
            Some(_) => None,
            None => self.tree.locate(blob).ok(),
        }
    }

    /// Where a blob lies.
    pub(super) fn locate(&self, blob: &str) -> io::Result<PathBuf> {
        match Location::parse(blob) {
            Some(location) => Ok(self.objects.locate(&location)),
            None => self.tree.locate(blob),
        }
    }
}
