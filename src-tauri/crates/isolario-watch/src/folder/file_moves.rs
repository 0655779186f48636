//! Moves and deletes files in the watched folder. Nothing is synced: a file that a power cut brings back has the look
//! in its row, and is moved again.

use std::io::{self, Write};

use super::super::names::{DONE, FAILED, extension, split, stem};
use super::Folder;
use isolario_model::content::FileLook;
use isolario_platform::beneath::Directory;

impl Folder {
    /// Moves a file to `done/`, under its own path or one with `number` in it. Where it is now; `None` when it does not look as it should.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn move_to_done(
        &self,
        path: &str,
        look: &FileLook,
        number: i64,
    ) -> io::Result<Option<String>> {
        self.move_to(DONE, path, look, number)
    }

    /// Moves a file to `failed/`, as `move_to_done`.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn move_to_failed(
        &self,
        path: &str,
        look: &FileLook,
        number: i64,
    ) -> io::Result<Option<String>> {
        self.move_to(FAILED, path, look, number)
    }

    /// Where a file went that was being moved to `done/` when the program ended.
    pub fn was_moved_to_done(&self, path: &str, look: &FileLook, number: i64) -> Option<String> {
        let mut targets = targets(DONE, path, number).into_iter();
        targets.find(|target| {
            self.look(target)
                .is_ok_and(|found| found.as_ref() == Some(look))
        })
    }

    fn move_to(
        &self,
        place: &str,
        path: &str,
        look: &FileLook,
        number: i64,
    ) -> io::Result<Option<String>> {
        if self.look(path)?.as_ref() != Some(look) {
            return Ok(None);
        }
        for target in targets(place, path, number) {
            self.make_way(&target)?;
            match self.rename(path, &target) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(Some(target)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Gives a file another path in the folder. Never writes over another, and goes through no link.
    ///
    /// # Errors
    /// `AlreadyExists`; what else the disk refuses.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (old, new) = (split(from), split(to));
        let (from, to) = (self.inner(old.0)?, self.inner(new.0)?);
        from.rename_to_new(old.1, &to, new.1)
    }

    /// Removes a file if it looks as it should; whether it did.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn remove(&self, path: &str, look: &FileLook) -> io::Result<bool> {
        if self.look(path)?.as_ref() != Some(look) {
            return Ok(false);
        }
        let (folder, name) = split(path);
        self.inner(folder)?.remove(name)?;
        Ok(true)
    }

    /// Says in a text beside a file why it could not be taken.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn explain(&self, path: &str, words: &str) -> io::Result<()> {
        let mut text = self.open()?.replace(&explanation(path))?;
        text.write_all(words.as_bytes())
    }

    /// Takes the text beside a file away; one that is gone already is no matter.
    pub fn forget_explanation(&self, path: &str) {
        let path = explanation(path);
        let (folder, name) = split(&path);
        if let Ok(folder) = self.inner(folder) {
            let _ = folder.remove(name);
        }
    }

    /// Makes the folders that a path lies in.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn make_way(&self, path: &str) -> io::Result<()> {
        let (folder, _) = split(path);
        if folder.is_empty() || self.inner(folder).is_ok() {
            return Ok(());
        }
        self.make_way(folder)?;
        let (above, name) = split(folder);
        self.inner(above)?.create_inner(name)
    }

    /// A folder in it, opened.
    ///
    /// # Errors
    /// When it is not there, is none, or is reached through a link.
    pub fn inner(&self, path: &str) -> io::Result<Directory> {
        self.open()?.inner(path)
    }
}

fn explanation(path: &str) -> String {
    format!("{path}.txt")
}

/// The paths under which a file may come to lie in one of the two folders, the nicer one first.
fn targets(place: &str, path: &str, number: i64) -> [String; 2] {
    let (folder, name) = split(path);
    let folder = match folder.is_empty() {
        true => place.to_owned(),
        false => format!("{place}/{folder}"),
    };
    let numbered = match extension(name).is_empty() {
        true => format!("{name}.{number}"),
        false => format!("{}.{number}.{}", stem(name), &name[stem(name).len() + 1..]),
    };
    [name, &numbered].map(|name| format!("{folder}/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_over() {
        let disk = tempfile::tempdir().unwrap();
        let folder = Folder::find(disk.path()).unwrap();
        let put = |text: &str| {
            std::fs::write(disk.path().join("a.txt"), text).unwrap();
            folder.look("a.txt").unwrap().unwrap()
        };
        let look = put("one");
        assert_eq!(
            folder.move_to_done("a.txt", &look, 7).unwrap(),
            Some("done/a.txt".into())
        );
        assert_eq!(
            folder.was_moved_to_done("a.txt", &look, 7),
            Some("done/a.txt".into())
        );
        let second = put("two, longer");
        assert_eq!(folder.move_to_done("a.txt", &look, 8).unwrap(), None);
        assert_eq!(
            folder.move_to_done("a.txt", &second, 8).unwrap(),
            Some("done/a.8.txt".into())
        );
        assert_eq!(
            std::fs::read(disk.path().join("done/a.txt")).unwrap(),
            b"one"
        );
    }

    #[test]
    fn no_link_leads_out() {
        let (disk, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(other.path().join("secret.txt"), "s").unwrap();
        std::os::unix::fs::symlink(other.path(), disk.path().join("out")).unwrap();
        std::os::unix::fs::symlink(other.path().join("secret.txt"), disk.path().join("a.txt"))
            .unwrap();
        let folder = Folder::find(disk.path()).unwrap();
        for path in ["out/secret.txt", "a.txt", "../a", "/etc/passwd"] {
            assert!(folder.file(path).is_err(), "{path}");
        }
        std::fs::write(disk.path().join("b.txt"), "b").unwrap();
        let look = folder.look("b.txt").unwrap().unwrap();
        std::os::unix::fs::symlink(other.path(), disk.path().join("done")).unwrap();
        assert!(folder.move_to_done("b.txt", &look, 1).is_err());
        let secret = other.path().join("secret.txt");
        std::os::unix::fs::symlink(&secret, disk.path().join("b.txt.txt")).unwrap();
        assert!(folder.explain("b.txt", "overwritten").is_err());
        assert_eq!(other.path().read_dir().unwrap().count(), 1);
        assert_eq!(std::fs::read(secret).unwrap(), b"s");
    }
}
