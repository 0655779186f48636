//! From a command line without a subcommand to a window.

use std::process::ExitCode;

use tauri::async_runtime::block_on;

use super::{dialogs, graphics, window};
use crate::server::{Options, Server};

/// Starts the server and shows its window. Where another window holds the data directory,
/// that one comes to the front and this program ends.
pub fn run(options: Options) -> ExitCode {
    if !graphics::has_display() {
        eprintln!("isolario: there is no display for a window here; `isolario serve` needs none.");
        return ExitCode::FAILURE;
    }
    graphics::avoid_dmabuf_where_it_fails();
    match block_on(Server::start(options)) {
        Ok(server) => show(server),
        Err(error) => {
            dialogs::tell(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn show(server: Server) -> ExitCode {
    match window::show(server) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            dialogs::tell(&format!("The window cannot be opened: {error}"));
            ExitCode::FAILURE
        }
    }
}
