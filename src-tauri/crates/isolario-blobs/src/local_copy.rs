//! Copies a stored file to a path on this machine that a person chose.

use std::{
    error::Error,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use tokio::{fs::File, io::AsyncWriteExt};
use uuid::Uuid;

use super::on_disk;
use isolario_disk::faults;
use isolario_platform::files;

/// Writes a file beside `target` and renames it at the end. So the target is complete or untouched. Nothing is left if
/// it fails or is dropped.
pub async fn write_copy<E: Error + Send + Sync + 'static>(
    target: &Path,
    bytes: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> io::Result<()> {
    let part = Part(part_beside(target));
    fill(&part.0, bytes).await?;
    faults::point("copied");
    let (from, to) = (part.0.clone(), target.to_owned());
    on_disk(move || files::rename(from, to)).await
}

async fn fill<E: Error + Send + Sync + 'static>(
    path: &Path,
    mut bytes: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> io::Result<()> {
    let mut file = File::create_new(path).await?;
    while let Some(chunk) = bytes.next().await {
        file.write_all(&chunk.map_err(io::Error::other)?).await?;
    }
    file.flush().await?;
    file.sync_all().await
}

fn part_beside(target: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.part", Uuid::new_v4().simple()));
    target.with_file_name(name)
}

/// The unfinished file. It is removed when this is dropped, unless it was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // After the rename, no file has this name.
        let _ = files::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use bytes::Bytes;
    use futures_util::stream::iter;

    use super::write_copy;

    fn names(folder: &std::path::Path) -> Vec<String> {
        let entries = folder.read_dir().unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[tokio::test]
    async fn replaces_the_target_with_the_whole_copy() {
        let disk = tempfile::tempdir().unwrap();
        let target = disk.path().join("map.jpg");
        std::fs::write(&target, b"old").unwrap();
        let chunks = ["one", "two"].map(|text| io::Result::Ok(Bytes::from(text)));

        write_copy(&target, iter(chunks)).await.unwrap();

        assert_eq!(std::fs::read(&target).unwrap(), b"onetwo");
        assert_eq!(names(disk.path()), ["map.jpg"]);
    }

    #[tokio::test]
    async fn leaves_the_target_alone_when_the_bytes_break_off() {
        let disk = tempfile::tempdir().unwrap();
        let target = disk.path().join("map.jpg");
        std::fs::write(&target, b"old").unwrap();
        let chunks = [Ok(Bytes::from("one")), Err(io::Error::other("broken"))];

        assert!(write_copy(&target, iter(chunks)).await.is_err());

        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        assert_eq!(names(disk.path()), ["map.jpg"]);
    }
}
