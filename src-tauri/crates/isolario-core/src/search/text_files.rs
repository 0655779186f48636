//! The text that was read out of files. It lies in files of its own.

use futures_util::TryStreamExt;

use crate::actions::relocate::open_wherever;
use crate::repository::Repository;
use isolario_model::content::FileRecord;
use isolario_search::Source;

/// A file with the text of an item.
pub struct TextSource {
    pub file: FileRecord,
    pub source: Source,
}

impl TextSource {
    /// Whether the bytes of a file are words and nothing else.
    pub fn is_plain(file: &FileRecord) -> bool {
        let mime = file.mime.essence();
        mime.starts_with("text/") && !matches!(mime, "text/html" | "text/xml" | "text/css")
    }

    /// The beginning of the text; none if the bytes cannot be read, which searches do not repair.
    pub async fn read(&self, repository: &Repository, most: usize) -> Option<String> {
        let text = async {
            let blob = open_wherever(repository, &self.file).await?;
            let end = blob.size.min(u64::try_from(most).unwrap_or(u64::MAX));
            let mut bytes = Vec::new();
            let mut chunks = std::pin::pin!(blob.stream(0..end));
            while let Some(chunk) = chunks.try_next().await? {
                bytes.extend_from_slice(&chunk);
            }
            Ok::<_, std::io::Error>(String::from_utf8_lossy(&bytes).into_owned())
        };
        match text.await {
            Ok(text) => Some(text),
            Err(error) => {
                tracing::warn!(%error, fid = self.file.fid, "the text of a file cannot be read");
                None
            }
        }
    }
}
