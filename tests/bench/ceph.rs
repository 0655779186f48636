//! A Ceph cluster on this machine, on the core of the load: a store that keeps bytes on three disks before it answers.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use super::machine::{LOAD_CORE, pinned};

/// A running cluster with an empty bucket.
pub struct Ceph {
    child: Child,
    /// Of a gateway for S3.
    pub endpoint: String,
}

impl Ceph {
    pub fn start() -> Ceph {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/with-ceph");
        // It stops when nobody holds the input of `cat` any more.
        let mut child = pinned(LOAD_CORE, &script)
            .args(["sh", "-c", "echo \"endpoints $S3_ENDPOINTS\"; cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a cluster");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let endpoint = lines.map_while(Result::ok).find_map(|line| {
            let endpoints = line.strip_prefix("endpoints ")?;
            endpoints.split(' ').next().map(str::to_owned)
        });
        Ceph {
            child,
            endpoint: endpoint.expect("a cluster that answers"),
        }
    }
}

impl Drop for Ceph {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
