//! What the process uses, and what an index takes on the disk.

use std::path::Path;

/// A line of /proc/self/status in MB.
pub fn memory(name: &str) -> u64 {
    let mut status = String::new();
    let file = std::fs::OpenOptions::new()
        .read(true)
        .open("/proc/self/status");
    let read = file.and_then(|mut file| std::io::Read::read_to_string(&mut file, &mut status));
    let line = status.lines().find(|line| line.starts_with(name));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    read.ok().and(number).unwrap_or_default() / 1_024
}

/// Bytes that were read from files.
pub fn bytes_read() -> u64 {
    let mut text = String::new();
    let file = std::fs::OpenOptions::new().read(true).open("/proc/self/io");
    let read = file.and_then(|mut file| std::io::Read::read_to_string(&mut file, &mut text));
    let number = text.split_whitespace().nth(1);
    let number = number.and_then(|number| number.parse().ok());
    read.ok().and(number).unwrap_or_default()
}

/// The time that all threads have computed, in seconds; the system counts hundredths.
pub fn computed() -> f64 {
    let mut text = String::new();
    let file = std::fs::OpenOptions::new()
        .read(true)
        .open("/proc/self/stat");
    let read = file.and_then(|mut file| std::io::Read::read_to_string(&mut file, &mut text));
    let times = text.split_whitespace().skip(13).take(2);
    let sum: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    read.map_or(0.0, |_| sum as f64 / 100.0)
}

pub fn size(directory: &Path) -> (u64, usize) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes: Vec<u64> = entries
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .collect();
    (sizes.iter().sum::<u64>() >> 20, sizes.len())
}
