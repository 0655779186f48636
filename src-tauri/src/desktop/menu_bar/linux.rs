//! The bar as a widget of GTK.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gtk::{
    AccelLabel, CheckMenuItem, MenuBar, MenuItem, MenuShell, SeparatorMenuItem,
    glib::{Cast, CastNone, IsA},
    prelude::{
        AccelLabelExt, BinExt, BoxExt, CheckMenuItemExt, ContainerExt, GtkMenuItemExt,
        MenuShellExt, WidgetExt,
    },
};
use tauri::{AppHandle, Emitter, Manager, WebviewWindow};

use super::{CHOSEN, Menu, MenuLine, PageStyle, colours, keys, marks::Marks};

/// Pixels, also before there is a menu in it: nothing jumps when the page has come.
const HEIGHT: i32 = 28;

/// A menu line, with its widget.
struct MenuEntry {
    item: MenuItem,
    checked: Option<Rc<Cell<bool>>>,
}

/// The bar, and what is in it.
struct Bar {
    app: AppHandle,
    widget: MenuBar,
    /// The lines' ids, menu by menu: with the same ones, only their words and states change.
    ids: Vec<Vec<Vec<String>>>,
    tops: Vec<MenuItem>,
    lines: Vec<Vec<MenuEntry>>,
}

thread_local! {
    /// GTK's things stay where GTK runs.
    static BAR: RefCell<Option<Bar>> = const { RefCell::new(None) };
    /// Whether lines are being changed by us: then nobody has chosen them.
    static FILLING: Cell<bool> = const { Cell::new(false) };
}

/// Puts an empty bar over the page. Called where GTK runs.
pub fn put_bar(window: &WebviewWindow) -> tauri::Result<()> {
    let widget = MenuBar::new();
    widget.set_widget_name(colours::NAME);
    widget.set_size_request(-1, HEIGHT);
    let over = window.default_vbox()?;
    over.pack_start(&widget, false, false, 0);
    over.reorder_child(&widget, 0);
    widget.show();
    BAR.set(Some(Bar {
        app: window.app_handle().clone(),
        widget,
        ids: Vec::new(),
        tops: Vec::new(),
        lines: Vec::new(),
    }));
    Ok(())
}

/// Shows other menus in the bar. Called where GTK runs.
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
pub fn show(_: &AppHandle, menus: &[Menu], look: &PageStyle) -> Result<(), String> {
    colours::apply(look);
    BAR.with_borrow_mut(|bar| {
        if let Some(bar) = bar {
            bar.show(menus);
        }
    });
    Ok(())
}

impl Bar {
    fn show(&mut self, menus: &[Menu]) {
        let ids = menus.iter().map(ids).collect();
        if self.ids != ids {
            self.build(menus);
            self.ids = ids;
        }
        FILLING.set(true);
        let mut marks = Marks::default();
        for ((menu, top), lines) in menus.iter().zip(&self.tops).zip(&self.lines) {
            top.set_label(&marks.mark(&menu.label));
            let mut marks = Marks::default();
            for (line, shown) in menu.groups.iter().flatten().zip(lines) {
                shown.become_like(line, &marks.mark(&line.label));
            }
        }
        FILLING.set(false);
    }

    fn build(&mut self, menus: &[Menu]) {
        for old in self.widget.children() {
            self.widget.remove(&old);
        }
        self.tops.clear();
        self.lines.clear();
        for menu in menus {
            let below = gtk::Menu::new();
            let mut lines = Vec::new();
            for (place, group) in menu
                .groups
                .iter()
                .filter(|group| !group.is_empty())
                .enumerate()
            {
                if place > 0 {
                    append(&below, &SeparatorMenuItem::new());
                }
                for line in group {
                    let shown = self.line(line);
                    append(&below, &shown.item);
                    lines.push(shown);
                }
            }
            let top = MenuItem::with_mnemonic("");
            top.set_submenu(Some(&below));
            append(&self.widget, &top);
            self.tops.push(top);
            self.lines.push(lines);
        }
    }

    fn line(&self, line: &MenuLine) -> MenuEntry {
        let (app, id) = (self.app.clone(), line.id.clone());
        let tell = move || {
            // A page that is just being loaded has nothing that could be done.
            let _ = app.emit(CHOSEN, &id);
        };
        if line.checked.is_none() {
            let item = MenuItem::with_mnemonic("");
            item.connect_activate(move |_| tell());
            return MenuEntry {
                item,
                checked: None,
            };
        }
        let checked = Rc::new(Cell::new(false));
        let item = CheckMenuItem::with_mnemonic("");
        item.set_draw_as_radio(true);
        let truth = Rc::clone(&checked);
        item.connect_activate(move |item| {
            if FILLING.replace(true) {
                return;
            }
            // Whether it becomes the one is for the page to say.
            item.set_active(truth.get());
            FILLING.set(false);
            tell();
        });
        MenuEntry {
            item: item.upcast(),
            checked: Some(checked),
        }
    }
}

impl MenuEntry {
    fn become_like(&self, line: &MenuLine, label: &str) {
        self.item.set_label(label);
        self.item.set_use_underline(true);
        self.item.set_sensitive(line.enabled);
        if let Some(words) = self.item.child().and_downcast::<AccelLabel>()
            && let Some((key, held)) = keys::parse(&line.keys)
        {
            words.set_accel(key, held);
        }
        if let (Some(truth), Some(checked)) = (&self.checked, line.checked)
            && let Some(item) = self.item.downcast_ref::<CheckMenuItem>()
        {
            truth.set(checked);
            item.set_active(checked);
        }
    }
}

fn ids(menu: &Menu) -> Vec<Vec<String>> {
    let of_group = |group: &Vec<MenuLine>| group.iter().map(|line| line.id.clone()).collect();
    menu.groups.iter().map(of_group).collect()
}

fn append(menu: &impl IsA<MenuShell>, item: &impl IsA<MenuItem>) {
    let item: &MenuItem = item.upcast_ref();
    item.show();
    menu.append(item);
}
