//! The window: hosts the server in this process and shows the UI, signed in by itself. Only this module uses Tauri.

mod bring_to_front;
mod close;
mod connection;
mod dialogs;
mod drag_out;
mod embedded;
mod file_manager;
mod files;
mod granted;
mod graphics;
mod links;
mod menu_bar;
mod notices;
mod programs;
mod save_as;
mod signals;
mod start;
#[cfg(test)]
mod tests;
mod tray;
mod upload;
mod window;
mod words;
mod working_copies;

pub use start::run;
