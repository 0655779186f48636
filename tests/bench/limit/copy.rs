//! A file copied to the same disk, its SHA-512 made beside the writing, synced with its directory.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use bytes::Bytes;

const CHUNK: usize = 1 << 20;

/// Copies, and prints how many seconds it took.
pub fn run(source: &str, target: &str) {
    let started = Instant::now();
    let (chunks, hashed) = sync_channel::<Bytes>(4);
    let hashing = std::thread::spawn(move || {
        let mut context = aws_lc_rs::digest::Context::new(&aws_lc_rs::digest::SHA512);
        while let Ok(chunk) = hashed.recv() {
            context.update(&chunk);
        }
        context.finish()
    });
    let mut source = File::open(source).expect("a source");
    let mut copy = File::create(target).expect("a copy");
    loop {
        let mut chunk = vec![0; CHUNK];
        let length = source.read(&mut chunk).expect("bytes");
        if length == 0 {
            break;
        }
        chunk.truncate(length);
        let chunk = Bytes::from(chunk);
        chunks.send(chunk.clone()).expect("a hash");
        copy.write_all(&chunk).expect("written");
    }
    copy.sync_all().expect("synced");
    drop(chunks);
    hashing.join().expect("a hash");
    let directory = Path::new(target).parent().expect("a directory");
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .expect("synced");
    println!("{}", started.elapsed().as_secs_f64());
}
