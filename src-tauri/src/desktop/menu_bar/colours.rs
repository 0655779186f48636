//! The bar in the colours of the page, and the menus light or dark with it.

use std::cell::RefCell;

use super::{PageStyle, Theme};
use gtk::{
    CssProvider, STYLE_PROVIDER_PRIORITY_APPLICATION, Settings, StyleContext,
    gdk::{RGBA, Screen},
    prelude::{CssProviderExt, GtkSettingsExt},
};

/// What the bar is called in style sheets.
pub const NAME: &str = "isolario-menus";
const PREFERS_DARK: &str = "gtk-application-prefer-dark-theme";

thread_local! {
    static WORN: RefCell<Option<(PageStyle, CssProvider)>> = const { RefCell::new(None) };
}

/// Looks like this from now on. Called where GTK runs.
pub fn apply(look: &PageStyle) {
    let (Some(settings), Some(screen)) = (Settings::default(), Screen::default()) else {
        return;
    };
    WORN.with_borrow_mut(|worn| {
        if worn.as_ref().is_some_and(|(before, _)| before == look) {
            return;
        }
        match look.theme {
            Theme::System => settings.reset_property(PREFERS_DARK),
            Theme::Light => settings.set_gtk_application_prefer_dark_theme(false),
            Theme::Dark => settings.set_gtk_application_prefer_dark_theme(true),
        }
        if let Some((_, former)) = worn.take() {
            StyleContext::remove_provider_for_screen(&screen, &former);
        }
        if let Some(provider) = look.sheet().and_then(|sheet| provider(&sheet)) {
            StyleContext::add_provider_for_screen(
                &screen,
                &provider,
                STYLE_PROVIDER_PRIORITY_APPLICATION,
            );
            *worn = Some((look.clone(), provider));
        }
    });
}

impl PageStyle {
    /// `None` where a colour is none: then the bar looks like those of other programs.
    fn sheet(&self) -> Option<String> {
        let [ground, text, line] = [&self.ground, &self.text, &self.line]
            .map(|colour| RGBA::parse(colour).ok().map(|colour| colour.to_str()));
        let (ground, text, line) = (ground?, text?, line?);
        Some(format!(
            "#{NAME} {{ background: {ground}; color: {text}; padding: 0 4px; border: 0; \
               border-bottom: 1px solid {line}; box-shadow: none; }}\n\
             #{NAME} > menuitem {{ color: {text}; padding: 3px 9px; border: 0; border-radius: 4px; }}\n\
             #{NAME} > menuitem:hover {{ background: alpha({text}, 0.1); box-shadow: none; }}\n"
        ))
    }
}

fn provider(sheet: &str) -> Option<CssProvider> {
    let provider = CssProvider::new();
    provider.load_from_data(sheet.as_bytes()).ok()?;
    Some(provider)
}
