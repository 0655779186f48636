//! Files that are open in other programs: a copy is handed over and watched; what is saved in it is offered to the
//! page, which sends it through the upload route like any replacement.

mod desk;
mod kind;
mod name;
mod shelf;

use std::{path::PathBuf, time::Duration};

use serde::Deserialize;
use tauri::{AppHandle, Emitter, Manager, State};
use tokio::sync::Mutex;

use self::{
    desk::{Changed, Desk},
    shelf::{Original, Shelf, WorkingCopy},
};
use super::{
    connection::own_path,
    embedded::Embedded,
    file_manager,
    granted::Granted,
    programs,
    words::{fill, words},
};
use crate::server::Server;

/// A save is noticed after two looks that see the same.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// What the page listens for: all copies that somebody has to decide about.
const CHANGED: &str = "working-copies";

/// The working copies of this repository. Copies are made one after the other.
pub struct Opened {
    desk: Desk,
    making: Mutex<()>,
}

impl Opened {
    /// With what earlier runs left in a data directory.
    pub async fn of(server: &Server) -> Opened {
        let shelf = Shelf::of(&server.repository().directory);
        let left = shelf.tidy().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the copies that other programs had open could not be looked through");
            Vec::new()
        });
        Opened {
            desk: Desk::new(shelf, left),
            making: Mutex::default(),
        }
    }
}

/// Which file, and where its bytes are fetched.
#[derive(Deserialize)]
pub struct Wanted {
    url: String,
    fid: i64,
    #[serde(flatten)]
    original: Original,
}

impl Wanted {
    /// Its declared type.
    pub fn mime(&self) -> &str {
        &self.original.mime
    }
}

/// Watches until the program ends.
pub async fn watch(app: AppHandle) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let opened = app.state::<Opened>();
        if opened.desk.look().await {
            tell(&app, &opened.desk);
        }
    }
}

/// Opens a copy of a file in the program that this computer has for its type.
#[tauri::command]
pub async fn open_in_program(wanted: Wanted, app: AppHandle) -> Result<(), String> {
    let words = words(&app);
    let Original { mime, filename, .. } = &wanted.original;
    kind::refuse_what_runs(mime, filename, &words.refusals)?;
    let original = wanted.original.clone();
    let path = copy_of(&app, wanted).await?;
    let first = shelf::beginning(&path).map_err(|error| in_words(&app, &error))?;
    kind::refuse_program(&first, &original.filename, &words.refusals)?;
    programs::open(&app, path, original.mime).await
}

/// Shows where a file lies: the file itself in the public tree, which is plain files; of the storage root, whose
/// files belong to its inventories, a copy as `open_in_program` makes it.
#[tauri::command]
pub async fn show_in_file_manager(wanted: Wanted, app: AppHandle) -> Result<bool, String> {
    let embedded = app.state::<Embedded>();
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
pub fn changed_copies(opened: State<'_, Opened>, granted: State<'_, Granted>) -> Vec<Changed> {
    let changed = opened.desk.changed();
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
    let opened = app.state::<Opened>();
    opened
        .desk
        .settle(&id, &sha512, etag)
        .map_err(|error| format!("This could not be noted: {error}."))?;
    tell(&app, &opened.desk);
    Ok(())
}

fn tell(app: &AppHandle, desk: &Desk) {
    let changed = desk.changed();
    app.state::<Granted>()
        .add(changed.iter().map(|one| one.path.as_path()));
    // A page that is just being loaded asks by itself.
    let _ = app.emit(CHANGED, changed);
}

/// The copy of a file that is there already, or a new one. It may be anything: nothing runs by being copied.
pub async fn copy_of(app: &AppHandle, wanted: Wanted) -> Result<PathBuf, String> {
    let opened = app.state::<Opened>();
    let _one_at_a_time = opened.making.lock().await;
    let shelf = &opened.desk.shelf;
    if let Some(copy) = opened.desk.find(&wanted.original) {
        return Ok(shelf.path(&copy));
    }
    let embedded = app.state::<Embedded>();
    let server = embedded.server().await?;
    let mut copy = shelf
        .begin(wanted.original)
        .map_err(|error| in_words(app, &error))?;
    match fetch(app, &server, shelf, &mut copy, &wanted.url).await {
        Ok(()) => {
            let path = shelf.path(&copy);
            opened.desk.add(copy);
            Ok(path)
        }
        Err(sentence) => {
            // What stays behind has no note, and goes at the next start.
            let _ = shelf.remove(&copy);
            Err(sentence)
        }
    }
}

async fn fetch(
    app: &AppHandle,
    server: &Server,
    shelf: &Shelf,
    copy: &mut WorkingCopy,
    url: &str,
) -> Result<(), String> {
    let path_and_query = own_path(url, server.address().port())?;
    server.save_file(path_and_query, &shelf.path(copy)).await?;
    let in_words = |error| in_words(app, &error);
    shelf.close(copy).map_err(in_words)?;
    copy.sha512 = shelf.sha512(copy).await.map_err(in_words)?;
    shelf.note(copy).map_err(in_words)
}

fn in_words(app: &AppHandle, error: &std::io::Error) -> String {
    let reason = error.to_string();
    fill(&words(app).refusals.not_copied, &[("reason", &reason)])
}
