//! Working copies: files that other programs have open. The window watches each copy and reports saved changes to the
//! page, which uploads them as replacements.

mod kind;
mod name;
mod store;
mod watcher;

use std::{path::PathBuf, time::Duration};

use serde::Deserialize;
use tauri::{AppHandle, Emitter, Manager, State};
use tokio::sync::Mutex;

pub use self::watcher::ChangedCopy;
use self::{
    store::{CopyStore, OriginalFile, WorkingCopy},
    watcher::CopyWatcher,
};
use super::{
    connection::own_path,
    embedded::EmbeddedServer,
    file_manager,
    granted::GrantedPaths,
    programs,
    words::{fill, words},
};
use isolario_program::app::App;

/// A save is reported after two equal observations.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The event with all changed copies, which the page listens for.
const CHANGED: &str = "working-copies";

/// The working copies of this repository. Copies are made one after the other.
pub struct WorkingCopies {
    watcher: CopyWatcher,
    making: Mutex<()>,
}

impl WorkingCopies {
    /// The copies of a data directory, with those of earlier runs.
    pub async fn of(server: &App) -> WorkingCopies {
        let store = CopyStore::of(&server.repository().directory);
        let left = store.clean_up().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the copies that other programs had open could not be looked through");
            Vec::new()
        });
        WorkingCopies {
            watcher: CopyWatcher::new(store, left),
            making: Mutex::default(),
        }
    }
}

/// Which file to copy, and the address of its bytes.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileRequest {
    url: String,
    fid: i64,
    #[serde(flatten)]
    original: OriginalFile,
}

impl FileRequest {
    /// Its declared MIME type.
    pub fn mime(&self) -> &str {
        &self.original.mime
    }
}

/// Watches until the program ends.
pub async fn watch(app: AppHandle) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let copies = app.state::<WorkingCopies>();
        if copies.watcher.look().await {
            tell(&app, &copies.watcher);
        }
    }
}

/// Opens a copy of a file in the program that this computer has for its type.
#[tauri::command]
pub async fn open_in_program(wanted: FileRequest, app: AppHandle) -> Result<(), String> {
    let words = words(&app);
    let OriginalFile { mime, filename, .. } = &wanted.original;
    kind::refuse_what_runs(mime, filename, &words.refusals)?;
    let original = wanted.original.clone();
    let path = copy_of(&app, wanted).await?;
    let first = store::beginning(&path).map_err(|error| in_words(&app, &error))?;
    kind::refuse_program(&first, &original.filename, &words.refusals)?;
    programs::open(&app, path, original.mime).await
}

/// Shows where a file lies: the file itself in the public tree, which is plain files; of the storage root, whose
/// files belong to its inventories, a copy as `open_in_program` makes it.
#[tauri::command]
pub async fn show_in_file_manager(wanted: FileRequest, app: AppHandle) -> Result<bool, String> {
    let embedded = app.state::<EmbeddedServer>();
    let plain = embedded.server().await?.plain_file(wanted.fid).await?;
    let is_itself = plain.is_some();
    let path = match plain {
        Some(path) => path,
        None => copy_of(&app, wanted).await?,
    };
    file_manager::show(&app, path).await?;
    Ok(is_itself)
}

/// The copies that were saved since the repository has had their bytes.
#[tauri::command]
pub fn changed_copies(
    copies: State<'_, WorkingCopies>,
    granted: State<'_, GrantedPaths>,
) -> Vec<ChangedCopy> {
    let changed = copies.watcher.changed();
    granted.add(changed.iter().map(|one| one.path.as_path()));
    changed
}

/// The repository has these bytes of a copy now, or is not to have them: nobody is asked about them again.
/// `etag` is that of the media with these bytes in it.
#[tauri::command]
pub fn settle_copy(
    id: String,
    sha512: String,
    etag: Option<String>,
    app: AppHandle,
) -> Result<(), String> {
    let copies = app.state::<WorkingCopies>();
    copies
        .watcher
        .settle(&id, &sha512, etag)
        .map_err(|error| format!("This could not be noted: {error}."))?;
    tell(&app, &copies.watcher);
    Ok(())
}

fn tell(app: &AppHandle, watcher: &CopyWatcher) {
    let changed = watcher.changed();
    app.state::<GrantedPaths>()
        .add(changed.iter().map(|one| one.path.as_path()));
    // A page that is just being loaded asks by itself.
    let _ = app.emit(CHANGED, changed);
}

/// The copy of a file that is there already, or a new one. It may be anything: nothing runs by being copied.
pub async fn copy_of(app: &AppHandle, wanted: FileRequest) -> Result<PathBuf, String> {
    let copies = app.state::<WorkingCopies>();
    let _one_at_a_time = copies.making.lock().await;
    let store = &copies.watcher.store;
    if let Some(copy) = copies.watcher.find(&wanted.original) {
        return Ok(store.path(&copy));
    }
    let embedded = app.state::<EmbeddedServer>();
    let server = embedded.server().await?;
    let mut copy = store
        .begin(wanted.original)
        .map_err(|error| in_words(app, &error))?;
    match fetch(app, &server, store, &mut copy, &wanted.url).await {
        Ok(()) => {
            let path = store.path(&copy);
            copies.watcher.add(copy);
            Ok(path)
        }
        Err(sentence) => {
            // What stays behind has no note, and goes at the next start.
            let _ = store.remove(&copy);
            Err(sentence)
        }
    }
}

async fn fetch(
    app: &AppHandle,
    server: &App,
    store: &CopyStore,
    copy: &mut WorkingCopy,
    url: &str,
) -> Result<(), String> {
    let path_and_query = own_path(url, server.address().port())?;
    server.save_file(path_and_query, &store.path(copy)).await?;
    let in_words = |error| in_words(app, &error);
    store.close(copy).map_err(in_words)?;
    copy.sha512 = store.sha512(copy).await.map_err(in_words)?;
    store.note(copy).map_err(in_words)
}

fn in_words(app: &AppHandle, error: &std::io::Error) -> String {
    let reason = error.to_string();
    fill(&words(app).refusals.not_copied, &[("reason", &reason)])
}
