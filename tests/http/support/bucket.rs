//! A bucket for every repository, where the environment names a store (`make test-bucket`).

use std::io::Write;
use std::path::Path;

/// Configures a data directory for a bucket, below a prefix of its own.
pub fn configure(directory: &Path) {
    let Ok(endpoints) = std::env::var("S3_ENDPOINTS") else {
        return;
    };
    let endpoint = endpoints.split(' ').next().expect("an address");
    let prefix = directory.file_name().expect("a name").to_string_lossy();
    let rules = format!(
        "\n[bytes]\nbucket = \"archive\"\nendpoint = \"{endpoint}\"\nprefix = \"{prefix}\"\n"
    );
    let mut options = std::fs::OpenOptions::new();
    let config = options.create(true).append(true);
    let mut config = config.open(directory.join("config.toml")).expect("opened");
    config.write_all(rules.as_bytes()).expect("written");
}
