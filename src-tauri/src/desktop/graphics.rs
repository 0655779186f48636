//! How WebKit paints.

use std::{env, path::Path, process::Command};

use isolario_platform::process::become_program;

const DMABUF_SWITCH: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// NVIDIA's own driver leaves the window empty when WebKit hands it DMA buffers.
/// The environment must not be changed under running threads, so the program starts anew with it.
pub fn avoid_dmabuf_where_it_fails() {
    if env::var_os(DMABUF_SWITCH).is_some() || !Path::new("/proc/driver/nvidia/version").exists() {
        return;
    }
    let Ok(program) = env::current_exe() else {
        return;
    };
    let mut command = Command::new(program);
    command.args(env::args_os().skip(1)).env(DMABUF_SWITCH, "1");
    let failure = become_program(&mut command);
    eprintln!("isolario: could not start with {DMABUF_SWITCH}=1: {failure}");
}
