//! What the desktop tells a person who is looking elsewhere (freedesktop.org, Desktop Notifications).

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

use gtk::{
    gio::{
        self, BusType, Cancellable, DBusCallFlags, DBusConnection, DBusSignalFlags,
        SignalSubscriptionId,
    },
    glib::{Error, Variant, markup_escape_text, prelude::ToVariant},
};
use tauri::{AppHandle, Manager, WebviewWindow, async_runtime::spawn_blocking};

use super::{bring_to_front::bring_to_front, words::words};

const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Milliseconds.
const ANSWER: i32 = 5_000;
/// How long it is shown is the desktop's choice.
const AS_USUAL: i32 = -1;

/// The notices of this run, by the numbers that the desktop gave them.
#[derive(Default)]
pub struct Notices(Mutex<HashSet<u32>>);

/// Tells a person that something is over, unless they are looking at the window.
#[tauri::command]
pub async fn notify(title: String, body: String, window: WebviewWindow) -> Result<(), String> {
    let looked_at = window.is_focused().unwrap_or(false) && window.is_visible().unwrap_or(false);
    if looked_at {
        return Ok(());
    }
    let words = words(window.app_handle());
    match spawn_blocking(move || show(&title, &body, &words.notice.show)).await {
        Ok(Ok(number)) => {
            let notices = window.state::<Notices>();
            let mut numbers = notices.0.lock().unwrap_or_else(PoisonError::into_inner);
            numbers.insert(number);
        }
        // A desktop without notices has none to miss.
        Ok(Err(error)) => tracing::debug!(%error, "nobody shows notices"),
        Err(error) => return Err(error.to_string()),
    }
    Ok(())
}

/// Brings the window to the front when one of our notices is clicked. Called where GTK runs.
pub fn follow_clicks(app: &AppHandle, bus: &DBusConnection) -> SignalSubscriptionId {
    let app = app.clone();
    bus.signal_subscribe(
        Some(NOTIFICATIONS),
        Some(NOTIFICATIONS),
        Some("ActionInvoked"),
        Some(PATH),
        None,
        DBusSignalFlags::NONE,
        move |_, _, _, _, _, parameters| {
            let clicked = parameters.get::<(u32, String)>().map(|(number, _)| number);
            let notices = app.state::<Notices>();
            let mut numbers = notices.0.lock().unwrap_or_else(PoisonError::into_inner);
            if clicked.is_some_and(|number| numbers.remove(&number)) {
                bring_to_front(&app);
            }
        },
    )
}

fn show(title: &str, body: &str, act: &str) -> Result<u32, Error> {
    let bus = gio::bus_get_sync(BusType::Session, Cancellable::NONE)?;
    // The interface takes marks of its own in it.
    let body = markup_escape_text(body);
    let hints = HashMap::from([("desktop-entry".to_owned(), "isolario".to_variant())]);
    let notice = (
        "Isolario",
        0_u32,
        "isolario",
        title,
        body.as_str(),
        vec!["default", act],
        hints,
        AS_USUAL,
    );
    let answer = bus.call_sync(
        Some(NOTIFICATIONS),
        PATH,
        NOTIFICATIONS,
        "Notify",
        Some(&notice.to_variant()),
        None,
        DBusCallFlags::NONE,
        ANSWER,
        Cancellable::NONE,
    )?;
    Ok(number(&answer))
}

fn number(answer: &Variant) -> u32 {
    answer.get::<(u32,)>().map_or(0, |(number,)| number)
}
