//! nginx with sendfile, the limit of everything that sends files.

use std::path::Path;

use super::machine::{SERVER_CORE, pinned};
use super::server::{Program, free_address};

/// Serves the files of a directory, one worker, no log.
pub async fn serve(home: &Path, directory: &Path) -> Program {
    let (address, place) = (free_address(), home.join("nginx"));
    std::fs::create_dir_all(&place).expect("a directory");
    let configuration = format!(
        "daemon off; master_process off; worker_processes 1; pid {place}/pid; error_log {place}/error.log;
         events {{ worker_connections 256; }}
         http {{
           access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
           client_body_temp_path {place}/a; proxy_temp_path {place}/b; fastcgi_temp_path {place}/c;
           uwsgi_temp_path {place}/d; scgi_temp_path {place}/e;
           server {{ listen {address}; root {root}; }}
         }}",
        place = place.display(),
        root = directory.display(),
    );
    let file = place.join("nginx.conf");
    std::fs::write(&file, configuration).expect("a configuration");
    let mut command = pinned(SERVER_CORE, Path::new("nginx"));
    command
        .arg("-c")
        .arg(file)
        .arg("-e")
        .arg(place.join("error.log"));
    Program::start(command, address).await
}
