//! The icon that the system shows for the program.

use std::sync::{Mutex, PoisonError};

use tauri::{
    AppHandle, Manager, Wry,
    menu::{MenuBuilder, MenuItem, MenuItemBuilder},
    tray::{TrayIcon, TrayIconBuilder},
};

use crate::desktop::{bring_to_front::bring_to_front, words::words};

/// No lines of the bar: what is chosen is told to the page as well, which has none of this name.
const OPEN: &str = "tray-open";
const QUIT: &str = "tray-quit";

/// What the icon tells, and whether somebody shows it.
#[derive(Default)]
pub struct Tray(Mutex<Option<Icon>>);

#[derive(Clone)]
struct Icon {
    icon: TrayIcon,
    /// The first line of its menu, which cannot be chosen.
    status: MenuItem<Wry>,
}

impl Tray {
    /// Whether the system shows the icon now.
    pub fn is_shown(&self) -> bool {
        self.locked().is_some()
    }

    /// Tells another status from now on.
    pub fn say(&self, status: String) {
        // Not under the lock: the thread of the window, which does it, may be waiting for that.
        let shown = self.locked().clone();
        if let Some(shown) = shown {
            let told = shown.icon.set_tooltip(Some(&status));
            if let Err(error) = told.and_then(|()| shown.status.set_text(&status)) {
                tracing::debug!(%error, "the icon in the tray has not changed");
            }
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Option<Icon>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts the icon into the tray.
pub fn put_icon(app: &AppHandle) {
    match icon(app) {
        Ok(icon) => *app.state::<Tray>().locked() = Some(icon),
        Err(error) => tracing::debug!(%error, "there is no tray"),
    }
}

fn icon(app: &AppHandle) -> tauri::Result<Icon> {
    let words = words(app);
    let status = MenuItemBuilder::new("Isolario").enabled(false).build(app)?;
    let menu = MenuBuilder::new(app)
        .item(&status)
        .text(OPEN, &words.tray.open)
        .separator()
        .text(QUIT, &words.tray.quit)
        .build()?;
    let mut icon = TrayIconBuilder::new()
        .menu(&menu)
        .on_menu_event(|app, event| match event.id().as_ref() {
            OPEN => bring_to_front(app),
            QUIT => app.exit(0),
            _ => {}
        });
    if let Some(picture) = app.default_window_icon() {
        icon = icon.icon(picture.clone());
    }
    Ok(Icon {
        icon: icon.build(app)?,
        status,
    })
}
