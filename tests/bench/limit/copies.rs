//! A directory copied to the same disk, file after file as `cp -r` does it, each hashed and synced.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Copies, and prints how many files a second.
pub fn run(source: &str, target: &str) {
    let started = Instant::now();
    std::fs::create_dir(target).expect("a directory");
    let mut count = 0;
    for entry in std::fs::read_dir(source).expect("a directory") {
        let entry = entry.expect("a file");
        copy(&entry.path(), &Path::new(target).join(entry.file_name()));
        count += 1;
    }
    let directory = File::open(target).expect("the directory");
    directory.sync_all().expect("synced");
    println!("{}", f64::from(count) / started.elapsed().as_secs_f64());
}

fn copy(source: &Path, target: &Path) {
    let bytes = std::fs::read(source).expect("bytes");
    let mut copy = File::create(target).expect("a copy");
    copy.write_all(&bytes).expect("written");
    let _sum = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA512, &bytes);
    copy.sync_all().expect("synced");
}
