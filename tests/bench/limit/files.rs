//! Files written, hashed and synced: by sixteen threads, with the rows of each in grouped commits, or one after the
//! other, also with their rows.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use crate::rows::Rows;

const THREADS: usize = 16;

/// Writes so many files of a size, and prints how many a second.
pub fn run(database: &str, directory: &str, count: &str, size: &str) {
    let (count, size): (usize, usize) = (super::number(count), super::number(size));
    let (bytes, next) = (vec![7_u8; size], AtomicUsize::new(0));
    let connection = super::insert::open(database);
    let started = Instant::now();
    let (written, rows) = channel();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            let (bytes, next, written) = (&bytes, &next, written.clone());
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    put(&Path::new(directory).join(number.to_string()), bytes);
                    written.send(()).expect("a writer of rows");
                }
            });
        }
        drop(written);
        commit_groups(connection, &rows);
    });
    println!("{}", count as f64 / started.elapsed().as_secs_f64());
}

/// Writes so many files of a size one after the other, each on disk with its name before the next, and its rows where
/// there is a database for them. Prints how many a second.
pub fn run_one_by_one(directory: &str, count: &str, size: &str, database: Option<&str>) {
    let (count, size): (usize, usize) = (super::number(count), super::number(size));
    let (bytes, directory) = (vec![7_u8; size], Path::new(directory));
    let names = File::open(directory).expect("a directory");
    let mut database = database.map(|path| {
        let connection = super::insert::open(path);
        let rows = Rows::of_newest_upload(&connection);
        (connection, rows)
    });
    let started = Instant::now();
    for number in 0..count {
        put(&directory.join(number.to_string()), &bytes);
        names.sync_all().expect("synced");
        if let Some((connection, rows)) = &mut database {
            commit(connection, rows, 1);
        }
    }
    println!("{}", count as f64 / started.elapsed().as_secs_f64());
}

fn put(path: &Path, bytes: &[u8]) {
    let mut file = File::create(path).expect("a file");
    file.write_all(bytes).expect("written");
    let _sum = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA512, bytes);
    file.sync_all().expect("synced");
}

fn commit_groups(mut connection: rusqlite::Connection, waiting: &Receiver<()>) {
    let mut rows = Rows::of_newest_upload(&connection);
    while waiting.recv().is_ok() {
        let more = waiting.try_iter().count();
        commit(&mut connection, &mut rows, 1 + more);
    }
}

fn commit(connection: &mut rusqlite::Connection, rows: &mut Rows, files: usize) {
    let transaction = connection.transaction().expect("a transaction");
    (0..files).for_each(|_| rows.insert(&transaction));
    transaction.commit().expect("a commit");
}
