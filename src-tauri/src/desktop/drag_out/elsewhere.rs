//! Drags of Windows (OLE) and macOS.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use drag::{DragItem, DragResult, Image, Options};
use tauri::WebviewWindow;
use tokio::sync::oneshot;

use super::Outcome;

/// The picture at the pointer.
const PICTURE: &[u8] = include_bytes!("../../../../assets/icons/32x32.png");

/// What is dragged, the system knows.
#[derive(Default)]
pub struct DragOut;

/// The system asks for nothing while it drags.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub fn listen(_: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Begins a drag for as long as the button is held. Tells how it ends.
pub fn begin(
    window: &WebviewWindow,
    path: PathBuf,
    _mime: &str,
    tell: oneshot::Sender<Outcome>,
) -> Result<(), String> {
    let tell = Mutex::new(Some(tell));
    let ended = move |result, _| {
        let outcome = match result {
            DragResult::Dropped => Outcome::Taken,
            DragResult::Cancel => Outcome::Left,
        };
        if let Some(tell) = tell.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // A page that was closed meanwhile hears nothing.
            let _ = tell.send(outcome);
        }
    };
    let item = DragItem::Files(vec![path]);
    let picture = Image::Raw(PICTURE.to_vec());
    drag::start_drag(window, item, picture, ended, Options::default())
        .map_err(|error| error.to_string())
}
