//! The bar of menus over the page. Which lines it has, what they are called and what they do is the page's business:
//! it hands them over whenever they are others, and hears which of them was chosen. Their keys are only shown. As keys
//! of the system they would be taken from the page before it sees them, also while somebody writes in a field.

#[cfg(target_os = "linux")]
mod colours;
#[cfg(target_os = "linux")]
mod keys;
#[cfg(target_os = "linux")]
mod marks;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
#[cfg_attr(target_os = "linux", path = "linux.rs")]
mod system;

use serde::Deserialize;
use tauri::AppHandle;

pub use self::system::put_bar;
use super::programs::on_main_thread;

/// What the page listens for: the id of the line that was chosen.
const CHOSEN: &str = "menu";

/// One menu of the bar.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Menu {
    label: String,
    groups: Vec<Vec<MenuLine>>,
}

/// What can be chosen.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MenuLine {
    id: String,
    label: String,
    /// As they are written, the last one without Ctrl, Shift and Alt.
    keys: Vec<String>,
    enabled: bool,
    /// Of one choice among others: whether it is the one.
    checked: Option<bool>,
}

/// How the page looks; colours as CSS writes them.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PageStyle {
    theme: Theme,
    ground: String,
    text: String,
    line: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum Theme {
    System,
    Light,
    Dark,
}

/// Shows these menus from now on, looking like the page.
#[tauri::command]
pub async fn show_menus(menus: Vec<Menu>, look: PageStyle, app: AppHandle) -> Result<(), String> {
    let window = app.clone();
    on_main_thread(&app, move || system::show(&window, &menus, &look)).await?
}
