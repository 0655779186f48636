//! A `StatusNotifierItem` (freedesktop.org) spoken over the session bus: where no desktop listens there is no icon, and
//! nothing is missing.

use std::{
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use gtk::{
    gio::{
        self, BusNameOwnerFlags, BusNameWatcherFlags, BusType, Cancellable, DBusCallFlags,
        DBusConnection, DBusMethodInvocation, DBusNodeInfo,
    },
    glib::{Error, Variant, prelude::ToVariant, variant::ObjectPath},
};
use tauri::{AppHandle, Manager};

use super::menu::{self, Choice, Lines};
use crate::desktop::{bring_to_front::bring_to_front, notices, words::words};

const ITEM: &str = "org.kde.StatusNotifierItem";
const ITEM_PATH: &str = "/StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";
const MENU_PATH: &str = "/StatusNotifierItem/Menu";
const WATCHER: &str = "org.kde.StatusNotifierWatcher";
/// Milliseconds.
const ANSWER: i32 = 5_000;

/// Width, height and ARGB in network order.
type Pixmap = (i32, i32, Vec<u8>);

/// What the icon tells, and whether somebody shows it.
#[derive(Default)]
pub struct Tray {
    shown: AtomicBool,
    status: Mutex<String>,
    revision: AtomicU32,
    bus: Mutex<Option<DBusConnection>>,
}

impl Tray {
    /// Whether a desktop shows the icon now.
    pub fn is_shown(&self) -> bool {
        self.shown.load(Ordering::SeqCst)
    }

    fn status(&self) -> String {
        self.status
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Tells another status from now on.
    pub fn say(&self, status: String) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = status;
        let revision = self.revision.fetch_add(1, Ordering::SeqCst) + 1;
        let bus = self.bus.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(bus) = bus.as_ref() else {
            return;
        };
        let changed = (revision, 0).to_variant();
        for (path, interface, signal, body) in [
            (ITEM_PATH, ITEM, "NewToolTip", None),
            (MENU_PATH, MENU, "LayoutUpdated", Some(&changed)),
        ] {
            // A bus that has gone takes the desktop with it.
            let _ = bus.emit_signal(None, path, interface, signal, body);
        }
    }
}

/// Puts the icon into the tray as soon as there is one. Called where GTK runs; waits for nothing.
pub fn put_icon(app: &AppHandle) {
    let app = app.clone();
    gio::bus_get(BusType::Session, Cancellable::NONE, move |bus| {
        if let Err(error) = bus.and_then(|bus| publish(&app, &bus)) {
            tracing::debug!(%error, "there is no tray");
        }
    });
}

fn publish(app: &AppHandle, bus: &DBusConnection) -> Result<(), Error> {
    register_item(app, bus)?;
    register_menu(app, bus)?;
    notices::follow_clicks(app, bus);
    let tray = app.state::<Tray>();
    *tray.bus.lock().unwrap_or_else(PoisonError::into_inner) = Some(bus.clone());
    let name = format!("{ITEM}-{}-1", process::id());
    gio::bus_own_name_on_connection(bus, &name, BusNameOwnerFlags::NONE, |_, _| {}, |_, _| {});
    let (appeared, vanished) = (app.clone(), app.clone());
    gio::bus_watch_name_on_connection(
        bus,
        WATCHER,
        BusNameWatcherFlags::NONE,
        move |bus, _, _| announce(&appeared, &bus, &name),
        move |_, _| {
            vanished
                .state::<Tray>()
                .shown
                .store(false, Ordering::SeqCst)
        },
    );
    Ok(())
}

/// Tells the desktop that shows such icons of ours.
fn announce(app: &AppHandle, bus: &DBusConnection, name: &str) {
    let app = app.clone();
    bus.call(
        Some(WATCHER),
        "/StatusNotifierWatcher",
        WATCHER,
        "RegisterStatusNotifierItem",
        Some(&(name,).to_variant()),
        None,
        DBusCallFlags::NONE,
        ANSWER,
        Cancellable::NONE,
        move |answer| {
            app.state::<Tray>()
                .shown
                .store(answer.is_ok(), Ordering::SeqCst);
        },
    );
}

fn register_item(app: &AppHandle, bus: &DBusConnection) -> Result<(), Error> {
    let described = DBusNodeInfo::for_xml(include_str!("status_notifier_item.xml"))?;
    let Some(interface) = described.lookup_interface(ITEM) else {
        return Ok(());
    };
    let icon = pixmap(app);
    let (clicked, asked) = (app.clone(), app.clone());
    bus.register_object(
        ITEM_PATH,
        &interface,
        move |_, _, _, _, method, _, invocation| {
            if method == "Activate" {
                bring_to_front(&clicked);
            }
            invocation.return_value(None);
        },
        move |_, _, _, _, name| property(name, &icon, &asked.state::<Tray>().status()),
        |_, _, _, _, _, _| false,
    )?;
    Ok(())
}

fn register_menu(app: &AppHandle, bus: &DBusConnection) -> Result<(), Error> {
    let described = DBusNodeInfo::for_xml(include_str!("dbusmenu.xml"))?;
    let Some(interface) = described.lookup_interface(MENU) else {
        return Ok(());
    };
    let app = app.clone();
    bus.register_object(
        MENU_PATH,
        &interface,
        move |_, _, _, _, method, parameters, invocation| {
            answer(&app, method, &parameters, invocation);
        },
        |_, _, _, _, name| menu::property(name),
        |_, _, _, _, _, _| false,
    )?;
    Ok(())
}

fn answer(app: &AppHandle, method: &str, parameters: &Variant, invocation: DBusMethodInvocation) {
    let tray = app.state::<Tray>();
    let revision = tray.revision.load(Ordering::SeqCst);
    let words = words(app);
    let lines = Lines {
        status: &tray.status(),
        open: &words.tray.open,
        quit: &words.tray.quit,
    };
    let Some((answer, choice)) = menu::answer(method, parameters, &lines, revision) else {
        return invocation.return_dbus_error(
            "org.freedesktop.DBus.Error.InvalidArgs",
            "There is no such entry.",
        );
    };
    invocation.return_value(answer.as_ref());
    match choice {
        Some(Choice::Open) => bring_to_front(app),
        Some(Choice::Quit) => app.exit(0),
        None => {}
    }
}

/// The value of a property of the item.
fn property(name: &str, icon: &[Pixmap], status: &str) -> Variant {
    match name {
        "Category" => "ApplicationStatus".to_variant(),
        "Id" => "isolario".to_variant(),
        "Title" => "Isolario".to_variant(),
        "Status" => "Active".to_variant(),
        "WindowId" => 0.to_variant(),
        "IconPixmap" => icon.to_variant(),
        "ToolTip" => ("", Vec::<Pixmap>::new(), "Isolario", status).to_variant(),
        "ItemIsMenu" => false.to_variant(),
        "Menu" => menu_path(),
        _ => "".to_variant(),
    }
}

fn menu_path() -> Variant {
    match ObjectPath::try_from(MENU_PATH.to_owned()) {
        Ok(path) => path.to_variant(),
        Err(_) => MENU_PATH.to_variant(),
    }
}

/// The icon of the window, which needs no theme that knows it.
fn pixmap(app: &AppHandle) -> Vec<Pixmap> {
    let Some(icon) = app.default_window_icon() else {
        return Vec::new();
    };
    let turned = icon
        .rgba()
        .chunks_exact(4)
        .flat_map(|pixel| [pixel[3], pixel[0], pixel[1], pixel[2]]);
    let size = |pixels: u32| i32::try_from(pixels).unwrap_or_default();
    vec![(size(icon.width()), size(icon.height()), turned.collect())]
}
