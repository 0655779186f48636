//! Records follow changes after a while.

use std::path::Path;

/// Waits until every record is written.
pub fn until_recorded(data: &Path) {
    let database = rusqlite::Connection::open(data.join("isolario.db")).expect("the database");
    let count = "SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM index_due)";
    for _ in 0..600 {
        let waiting = database.query_row(count, [], |row| row.get(0));
        if let Ok(0) = waiting {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the records are not written");
}
