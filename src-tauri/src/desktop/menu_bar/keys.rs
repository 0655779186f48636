//! Keys as the page writes them, in the words of GTK, which shows them as this desktop does.

use gtk::gdk::ModifierType;

/// The key and those that are held with it.
pub fn parse(keys: &[String]) -> Option<(u32, ModifierType)> {
    let (key, held) = keys.split_last()?;
    let held: String = held.iter().map(|one| held_name(one)).collect();
    let (key, held) = gtk::accelerator_parse(&format!("{held}{}", key_name(key)));
    (key != 0).then_some((key, held))
}

fn held_name(key: &str) -> &'static str {
    match key {
        "Ctrl" => "<Primary>",
        "Shift" => "<Shift>",
        "Alt" => "<Alt>",
        _ => "",
    }
}

fn key_name(key: &str) -> &str {
    match key {
        "←" => "Left",
        "→" => "Right",
        "Del" => "Delete",
        "Enter" => "Return",
        "PageDown" => "Page_Down",
        "PageUp" => "Page_Up",
        "Space" => "space",
        "?" => "question",
        other => other,
    }
}
