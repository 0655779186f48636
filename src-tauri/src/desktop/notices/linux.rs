//! Notices over the session bus (freedesktop.org, Desktop Notifications).

use std::collections::HashMap;

use gtk::{
    gio::{
        self, BusType, Cancellable, DBusCallFlags, DBusConnection, DBusSignalFlags,
        SignalSubscriptionId,
    },
    glib::{Error, Variant, markup_escape_text, prelude::ToVariant},
};
use tauri::{AppHandle, Manager};

use super::Notices;
use crate::desktop::bring_to_front::bring_to_front;

const NOTIFICATIONS: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Milliseconds.
const ANSWER: i32 = 5_000;
/// How long it is shown is the desktop's choice.
const AS_USUAL: i32 = -1;

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
            if clicked.is_some_and(|number| notices.remove(number)) {
                bring_to_front(&app);
            }
        },
    )
}

/// Shows a notice, with the word for what a click does. Returns its number, if it has one.
pub fn show(title: &str, body: &str, act: &str) -> Result<Option<u32>, Error> {
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

fn number(answer: &Variant) -> Option<u32> {
    answer.get::<(u32,)>().map(|(number,)| number)
}
