//! `isolario`: the program with its window.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod desktop;

use std::process::ExitCode;

fn main() -> ExitCode {
    isolario_program::main(Some(desktop::run))
}
