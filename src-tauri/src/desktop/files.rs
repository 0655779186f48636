//! What the page may know of files and folders on this disk.

use std::path::{Path, PathBuf};

use serde::Serialize;
use tauri::{State, async_runtime::spawn_blocking, ipc::Response};

use super::granted::GrantedPaths;
use isolario_blobs::local_source::LocalSource;

/// A file or folder handed over by a person. `size` is in bytes, 0 for a folder;
/// `mime` is a guess from the name.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileDescription {
    path: PathBuf,
    name: String,
    size: u64,
    mime: Option<String>,
    is_dir: bool,
}

/// Name, size and kind of each path.
#[tauri::command]
pub async fn describe_paths(
    paths: Vec<PathBuf>,
    granted: State<'_, GrantedPaths>,
) -> Result<Vec<FileDescription>, String> {
    let real: Vec<PathBuf> = paths
        .iter()
        .map(|path| granted.check(path))
        .collect::<Result<_, _>>()?;
    off_the_async_threads(move || real.iter().map(|path| describe(path)).collect()).await
}

/// What lies directly in a folder, by name. Links that lead out of what was handed over are left out.
#[tauri::command]
pub async fn list_folder(
    path: PathBuf,
    granted: State<'_, GrantedPaths>,
) -> Result<Vec<FileDescription>, String> {
    let folder = granted.check(&path)?;
    let entries = off_the_async_threads(move || entries(&folder)).await?;
    let real: Vec<PathBuf> = entries
        .iter()
        .filter_map(|entry| granted.check(entry).ok())
        .collect();
    off_the_async_threads(move || real.iter().map(|path| describe(path)).collect()).await
}

/// Hexadecimal SHA-512 of a file: whether the repository has its bytes already.
#[tauri::command]
pub async fn checksum_of(
    path: PathBuf,
    granted: State<'_, GrantedPaths>,
) -> Result<String, String> {
    let file = granted.check(&path)?;
    let unreadable = |error: std::io::Error| format!("{} cannot be read: {error}.", path.display());
    let source = LocalSource::open(&file).await.map_err(unreadable)?;
    source.sha512().await.map_err(unreadable)
}

/// Longest part of a file that the page reads at once, in bytes.
const LONGEST_PART: u64 = 1 << 20;

/// The bytes of a file from a place on, as many as there are: how many pages it has.
#[tauri::command]
pub async fn read_part(
    path: PathBuf,
    begin: u64,
    length: u64,
    granted: State<'_, GrantedPaths>,
) -> Result<Response, String> {
    let file = granted.check(&path)?;
    let unreadable = |error: std::io::Error| format!("{} cannot be read: {error}.", path.display());
    let source = LocalSource::open(&file).await.map_err(unreadable)?;
    let part = source.part(begin, length.min(LONGEST_PART)).await;
    Ok(Response::new(part.map_err(unreadable)?))
}

/// Name, size and kind of one path, or a sentence that says why not.
pub fn describe(path: &Path) -> Result<FileDescription, String> {
    let metadata = path
        .metadata()
        .map_err(|error| format!("{} cannot be opened: {error}.", path.display()))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(FileDescription {
        path: path.to_owned(),
        name: name.to_string_lossy().into_owned(),
        size: if metadata.is_dir() { 0 } else { metadata.len() },
        mime: mime_guess::from_path(path)
            .first()
            .map(|mime| mime.essence_str().to_owned()),
        is_dir: metadata.is_dir(),
    })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = folder
        .read_dir()
        .and_then(|entries| {
            entries
                .map(|entry| Ok(entry?.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .map_err(|error| format!("{} cannot be read: {error}.", folder.display()))?;
    found.sort();
    Ok(found)
}

async fn off_the_async_threads<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    spawn_blocking(work)
        .await
        .map_err(|error| error.to_string())?
}
