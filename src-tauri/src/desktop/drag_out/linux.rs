//! Drags of GTK.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use gtk::{
    TargetList,
    gdk::{Display, DragAction, ModifierType},
    gio::{self, prelude::FileExt},
    glib::Propagation,
    prelude::{DragContextExtManual, SeatExt, WidgetExt},
};
use tauri::{Manager, WebviewWindow};
use tokio::sync::oneshot;

use super::Outcome;

/// The first button, by its number.
const BUTTON: i32 = 1;
/// Pixels from the pointer to the corner of the icon beside it, to the left and upwards.
const BESIDE: i32 = -12;
/// Beside the pointer the system has no other place for it.
const UNDER_POINTER: i32 = -1;

/// What is dragged now.
#[derive(Default)]
pub struct DragOut(Mutex<Option<DragOperation>>);

struct DragOperation {
    uri: String,
    tell: oneshot::Sender<Outcome>,
}

impl DragOut {
    fn end(&self, outcome: Outcome) {
        let ended = self.locked().take();
        if let Some(dragged) = ended {
            // A page that was closed meanwhile hears nothing.
            let _ = dragged.tell.send(outcome);
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Option<DragOperation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives what is dragged to whoever takes it, and hears how it ends. Called where GTK runs, once for a window.
pub fn listen(window: &WebviewWindow) -> tauri::Result<()> {
    let gtk_window = window.gtk_window()?;
    let app = window.app_handle();
    let (given, failed, ended) = (app.clone(), app.clone(), app.clone());
    gtk_window.connect_drag_data_get(move |_, _, data, _, _| {
        if let Some(dragged) = given.state::<DragOut>().locked().as_ref() {
            data.set_uris(&[&dragged.uri]);
        }
    });
    gtk_window.connect_drag_failed(move |_, _, _| {
        failed.state::<DragOut>().end(Outcome::Left);
        Propagation::Proceed
    });
    gtk_window.connect_drag_end(move |_, _| ended.state::<DragOut>().end(Outcome::Taken));
    Ok(())
}

/// Begins a drag for as long as the button is held. Tells how it ends.
pub fn begin(
    window: &WebviewWindow,
    path: PathBuf,
    mime: &str,
    tell: oneshot::Sender<Outcome>,
) -> Result<(), String> {
    let gtk_window = window.gtk_window().map_err(|error| error.to_string())?;
    if !is_held(&gtk_window) {
        let _ = tell.send(Outcome::Late);
        return Ok(());
    }
    let uri = gio::File::for_path(path).uri().to_string();
    *window.state::<DragOut>().locked() = Some(DragOperation { uri, tell });
    let targets = TargetList::new(&[]);
    targets.add_uri_targets(0);
    let begun = gtk_window.drag_begin_with_coordinates(
        &targets,
        DragAction::COPY,
        BUTTON,
        None,
        UNDER_POINTER,
        UNDER_POINTER,
    );
    match begun {
        Some(context) => {
            let icon = gio::content_type_get_icon(mime);
            context.drag_set_icon_gicon(&icon, BESIDE, BESIDE);
        }
        None => window.state::<DragOut>().end(Outcome::Left),
    }
    Ok(())
}

/// Whether the button is held now: a drag that begins without it would never end.
fn is_held(window: &gtk::ApplicationWindow) -> bool {
    let pointer = Display::default()
        .and_then(|display| display.default_seat())
        .and_then(|seat| seat.pointer());
    match (window.window(), pointer) {
        (Some(surface), Some(pointer)) => {
            let (_, _, _, held) = surface.device_position(&pointer);
            held.contains(ModifierType::BUTTON1_MASK)
        }
        _ => false,
    }
}
