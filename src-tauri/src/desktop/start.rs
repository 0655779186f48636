//! From a command line without a subcommand to a window.

use std::process::ExitCode;

use tauri::async_runtime::block_on;

use super::{dialogs, graphics, window};
use isolario_program::app::{App, Options};

/// Starts the server and shows its window, on a display that is there. Says why when it cannot.
pub fn run(options: Options) -> ExitCode {
    graphics::avoid_dmabuf_where_it_fails();
    match block_on(App::start(options)) {
        Ok(server) => show(server),
        Err(error) => {
            dialogs::tell(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn show(server: App) -> ExitCode {
    match window::show(server) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            dialogs::tell(&format!("The window cannot be opened: {error}"));
            ExitCode::FAILURE
        }
    }
}
