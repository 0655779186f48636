//! The bar that Windows gives a window, and the one of macOS at the top of the screen.

use tauri::{
    AppHandle, Emitter, WebviewWindow, Wry,
    menu::{CheckMenuItemBuilder, MenuBuilder, MenuItemBuilder, SubmenuBuilder},
};

use super::{CHOSEN, Menu, MenuLine, PageStyle};

/// Listens for what is chosen. The bar comes with its first menus.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub fn put_bar(window: &WebviewWindow) -> tauri::Result<()> {
    window.on_menu_event(|window, event| {
        // A page that is just being loaded has nothing that could be done.
        let _ = window.emit(CHOSEN, event.id().as_ref());
    });
    Ok(())
}

/// Shows other menus in the bar, which has the colours of the system.
pub fn show(app: &AppHandle, menus: &[Menu], _: &PageStyle) -> Result<(), String> {
    let shown = bar(app, menus).and_then(|bar| app.set_menu(bar));
    shown.map(drop).map_err(|error| error.to_string())
}

fn bar(app: &AppHandle, menus: &[Menu]) -> tauri::Result<tauri::menu::Menu<Wry>> {
    let mut bar = MenuBuilder::new(app);
    if cfg!(target_os = "macos") {
        // Where there are no such lines, their keys do nothing in the page.
        let program = SubmenuBuilder::new(app, "Isolario").hide().hide_others();
        let edit = SubmenuBuilder::new(app, "Edit").undo().redo().separator();
        let edit = edit.cut().copy().paste().select_all();
        bar = bar.item(&program.separator().quit().build()?);
        bar = bar.item(&edit.build()?);
    }
    for menu in menus {
        let mut below = SubmenuBuilder::new(app, plain(&menu.label));
        let groups = menu.groups.iter().filter(|group| !group.is_empty());
        for (place, group) in groups.enumerate() {
            if place > 0 {
                below = below.separator();
            }
            for line in group {
                below = match line.checked {
                    Some(checked) => {
                        let item = CheckMenuItemBuilder::with_id(&line.id, label(line));
                        let item = item.enabled(line.enabled).checked(checked);
                        below.item(&item.build(app)?)
                    }
                    None => {
                        let item = MenuItemBuilder::with_id(&line.id, label(line));
                        below.item(&item.enabled(line.enabled).build(app)?)
                    }
                };
            }
        }
        bar = bar.item(&below.build()?);
    }
    bar.build()
}

/// Its words and keys. Windows sets apart what follows a tab, and takes no key for it; macOS shows the keys it takes, and
/// no others.
fn label(line: &MenuLine) -> String {
    match cfg!(windows) && !line.keys.is_empty() {
        true => format!("{}\t{}", plain(&line.label), line.keys.join("+")),
        false => plain(&line.label),
    }
}

/// An ampersand would mark the letter after it.
fn plain(words: &str) -> String {
    words.replace('&', "&&")
}
