//! `isolario-headless`: the program without a window, for machines without a display.

use std::process::ExitCode;

fn main() -> ExitCode {
    isolario_program::main(None)
}
