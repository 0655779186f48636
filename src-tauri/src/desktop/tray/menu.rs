//! The menu of the tray's icon, as desktops ask for it: `com.canonical.dbusmenu`, version 3.

use std::collections::HashMap;

use gtk::glib::{Variant, prelude::ToVariant};

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Open,
    Quit,
}

/// Properties of one entry, by their names in the interface.
type Properties = HashMap<String, Variant>;

const ROOT: i32 = 0;
const STATUS: i32 = 1;
const OPEN: i32 = 2;
const LINE: i32 = 3;
const QUIT: i32 = 4;
const ENTRIES: [i32; 4] = [STATUS, OPEN, LINE, QUIT];

/// What stands in the menu.
pub struct Lines<'a> {
    /// The first line, which cannot be chosen.
    pub status: &'a str,
    pub open: &'a str,
    pub quit: &'a str,
}

/// What a method answers, and what was chosen by calling it. `revision` counts the changes of the lines. `None`: there is no such method or entry.
pub fn answer(
    method: &str,
    parameters: &Variant,
    lines: &Lines<'_>,
    revision: u32,
) -> Option<(Option<Variant>, Option<Choice>)> {
    let plain = |answer: Variant| Some((Some(answer), None));
    match method {
        "GetLayout" => {
            let (parent, depth, _names) = parameters.get::<(i32, i32, Vec<String>)>()?;
            plain((revision, layout(parent, depth, lines)?).to_variant())
        }
        "GetGroupProperties" => {
            let (ids, _names) = parameters.get::<(Vec<i32>, Vec<String>)>()?;
            let known = ids
                .into_iter()
                .filter_map(|id| Some((id, properties(id, lines)?)));
            plain((known.collect::<Vec<_>>(),).to_variant())
        }
        "GetProperty" => {
            let (id, name) = parameters.get::<(i32, String)>()?;
            let value = properties(id, lines)?.remove(&name)?;
            plain((value,).to_variant())
        }
        "Event" => {
            let (id, event, _data, _time) = parameters.get::<(i32, String, Variant, u32)>()?;
            Some((None, chosen(id, &event)))
        }
        "EventGroup" => {
            let (events,) = parameters.get::<(Vec<(i32, String, Variant, u32)>,)>()?;
            let choice = events.iter().find_map(|(id, event, ..)| chosen(*id, event));
            Some((Some((Vec::<i32>::new(),).to_variant()), choice))
        }
        "AboutToShow" => plain((false,).to_variant()),
        "AboutToShowGroup" => plain((Vec::<i32>::new(), Vec::<i32>::new()).to_variant()),
        _ => None,
    }
}

/// The value of a property of the interface.
pub fn property(name: &str) -> Variant {
    match name {
        "Version" => 3_u32.to_variant(),
        "TextDirection" => "ltr".to_variant(),
        "IconThemePath" => Vec::<String>::new().to_variant(),
        _ => "normal".to_variant(),
    }
}

fn layout(parent: i32, depth: i32, lines: &Lines<'_>) -> Option<(i32, Properties, Vec<Variant>)> {
    let below: Vec<Variant> = match (parent, depth) {
        (ROOT, 0) => Vec::new(),
        (ROOT, _) => ENTRIES
            .iter()
            .filter_map(|id| Some(layout(*id, 0, lines)?.to_variant()))
            .collect(),
        _ => Vec::new(),
    };
    Some((parent, properties(parent, lines)?, below))
}

fn properties(id: i32, lines: &Lines<'_>) -> Option<Properties> {
    let given: Vec<(&str, Variant)> = match id {
        ROOT => vec![("children-display", "submenu".to_variant())],
        STATUS => vec![
            ("label", in_menu(lines.status).to_variant()),
            ("enabled", false.to_variant()),
        ],
        OPEN => vec![("label", in_menu(lines.open).to_variant())],
        LINE => vec![("type", "separator".to_variant())],
        QUIT => vec![("label", in_menu(lines.quit).to_variant())],
        _ => return None,
    };
    let owned = given
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Some(owned.collect())
}

/// An underscore would mark the letter after it.
fn in_menu(words: &str) -> String {
    words.replace('_', "__")
}

fn chosen(id: i32, event: &str) -> Option<Choice> {
    match (id, event) {
        (OPEN, "clicked") => Some(Choice::Open),
        (QUIT, "clicked") => Some(Choice::Quit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gtk::glib::{Variant, prelude::ToVariant};

    use super::{Choice, Lines, answer};

    fn ask(method: &str, parameters: Variant) -> Option<(Option<Variant>, Option<Choice>)> {
        let lines = Lines {
            status: "my_server",
            open: "Open",
            quit: "Quit",
        };
        answer(method, &parameters, &lines, 7)
    }

    #[test]
    fn the_menu_has_the_types_of_the_interface() {
        let nothing = Vec::<String>::new();
        for (method, parameters, signature) in [
            ("GetLayout", (0, -1, &nothing).to_variant(), "(u(ia{sv}av))"),
            (
                "GetGroupProperties",
                (vec![1, 9], &nothing).to_variant(),
                "(a(ia{sv}))",
            ),
            ("GetProperty", (1, "label").to_variant(), "(v)"),
            ("AboutToShow", (0,).to_variant(), "(b)"),
            ("AboutToShowGroup", (vec![0],).to_variant(), "(aiai)"),
        ] {
            let (answer, choice) = ask(method, parameters).unwrap();
            assert_eq!(answer.unwrap().type_().as_str(), signature, "{method}");
            assert_eq!(choice, None);
        }
    }

    #[test]
    fn the_first_line_says_the_status_and_cannot_be_chosen() {
        let (label, _) = ask("GetProperty", (1, "label").to_variant()).unwrap();
        assert_eq!(
            label.unwrap().child_value(0).as_variant().unwrap().str(),
            Some("my__server")
        );
        let click = (1, "clicked", 0.to_variant(), 0_u32).to_variant();
        assert_eq!(ask("Event", click), Some((None, None)));
    }

    #[test]
    fn a_click_chooses_and_other_events_do_not() {
        let event = |id: i32, event: &str| (id, event, 0.to_variant(), 0_u32).to_variant();
        assert_eq!(
            ask("Event", event(2, "clicked")),
            Some((None, Some(Choice::Open)))
        );
        assert_eq!(
            ask("Event", event(4, "clicked")),
            Some((None, Some(Choice::Quit)))
        );
        assert_eq!(ask("Event", event(4, "hovered")), Some((None, None)));
    }

    #[test]
    fn what_does_not_exist_has_no_answer() {
        assert_eq!(ask("GetProperty", (9, "label").to_variant()), None);
        assert_eq!(ask("GetLayout", "wrong".to_variant()), None);
        assert_eq!(ask("Explode", ().to_variant()), None);
    }
}
