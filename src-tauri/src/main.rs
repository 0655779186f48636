//! `isolario`: the program with its window.

#![cfg_attr(test, allow(clippy::disallowed_methods))]
// Windows would open a console beside the window. Commands are typed to `bin\isolario.exe`, which is `isolario-headless`.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod desktop;

use std::process::ExitCode;

fn main() -> ExitCode {
    isolario_program::main(Some(desktop::run))
}
