//! Reads the manifests of a bag, which somebody else may have written.

use std::io::{BufRead, BufReader, Read};

use super::fault::BagFault;
use super::files::BagFiles;
use isolario_blobs::name::check_path;
use isolario_blobs::{Algorithm, Checksum};

/// The algorithms that manifests are named after, the strongest first.
pub(super) const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("sha512", Algorithm::Sha512),
    ("sha256", Algorithm::Sha256),
    ("sha1", Algorithm::Sha1),
    ("md5", Algorithm::Md5),
];

/// Files of one bag.
const MOST_LINES: usize = 2_000_000;
/// Bytes of a line.
const LONGEST_LINE: u64 = 8 * 1024;

/// Reads a manifest line after line: paths and checksums.
pub(super) fn read_manifest(
    source: &BagFiles,
    name: &str,
    algorithm: Algorithm,
    take: &mut dyn FnMut(String, Checksum) -> Result<(), BagFault>,
) -> Result<(), BagFault> {
    let read = source.read(name);
    let (file, _) = read.map_err(|error| BagFault::unread(name, &error))?;
    let mut lines = BufReader::new(file);
    for number in 1.. {
        let mut line = Vec::new();
        let read = lines
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line);
        let read = read.map_err(|error| BagFault::unread(name, &error))?;
        if read == 0 {
            return Ok(());
        }
        if number > MOST_LINES {
            let words = format!("{name} lists more than {MOST_LINES} files.");
            return Err(BagFault::Refused(words));
        }
        let wrong = |words: &str| BagFault::Refused(format!("{name}, line {number}: {words}."));
        if read as u64 == LONGEST_LINE {
            return Err(wrong("it is too long"));
        }
        let line = std::str::from_utf8(&line).map_err(|_| wrong("it is no UTF-8"))?;
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            continue;
        }
        let parts = line.split_once([' ', '\t']);
        let (sum, path) = parts.ok_or_else(|| wrong("it has no path"))?;
        let value = hex::decode(sum)
            .ok()
            .filter(|sum| sum.len() == algorithm.size());
        let value = value.ok_or_else(|| wrong("it begins with no checksum of that algorithm"))?;
        let path = path.trim_start_matches([' ', '\t']);
        // Some tools mark binary files, as `sha512sum` does.
        let path = path.strip_prefix('*').unwrap_or(path);
        let path = decoded(path.strip_prefix("./").unwrap_or(path));
        check_path(&path).map_err(|error| wrong(error.to_string().trim_end_matches('.')))?;
        take(path, Checksum { algorithm, value })?;
    }
    Ok(())
}

/// A path without its escapes: those of RFC 8493, 2.1.3, and no others.
fn decoded(path: &str) -> String {
    let mut decoded = path.to_owned();
    for (escape, letter) in [("%0A", "\n"), ("%0a", "\n"), ("%0D", "\r"), ("%0d", "\r")] {
        decoded = decoded.replace(escape, letter);
    }
    decoded.replace("%25", "%")
}
