//! Every route × every way to sign in × everybody × shown and hidden things, against a table that was
//! written by hand: `access/table.txt`. And one permission at a time: `access/permissions.txt`.

mod asking;
mod covered;
mod credentials;
mod maker;
mod people;
mod permissions;
mod table;
mod things;

use asking::{ask, saved_search};
use maker::Maker;
use people::{EVERYBODY, Way, introduce};
use table::{Row, rows};
use things::Things;

use crate::support::{Response, TestServer};

/// A repository with everybody and everything that the table speaks of.
struct House<'s> {
    server: &'s TestServer,
    rows: Vec<Row>,
    things: Things<'s>,
}

impl<'s> House<'s> {
    fn new(server: &'s TestServer) -> House<'s> {
        introduce(server);
        let own = [
            "view own unpublished content",
            "edit own islandora_object content",
        ];
        server.allow("anonymous", &own);
        let maker = Maker::of(server, people::OWNER);
        House {
            server,
            rows: rows(),
            things: Things::new(server, maker, people::DISABLED.uid),
        }
    }

    /// Sends the request of a row, and makes again what it used up.
    fn ask(&mut self, row: &Row, way: &Way) -> Response {
        let answer = way.sign(ask(self.server, row, &self.things)).send();
        if answer.status < 300 {
            self.things.replace_used(row);
        }
        if let Some(saved) = saved_search(row, &answer) {
            // Nobody may keep many.
            way.sign(self.server.delete(&saved)).send();
        }
        if answer.status < 300 && row.parts().1 == "begun" {
            // Nobody may leave many uploads unfinished.
            let begun = answer.header("location").expect("an upload");
            let request = self.server.delete(&self.server.path_of(begun));
            way.sign(request).send().expect(204);
        }
        answer
    }

    /// Asks by one way what a row says of the person of a column. If the answer is another than the table's, a
    /// sentence.
    fn difference(&mut self, row: &Row, column: usize, way: &Way) -> Option<String> {
        let expected = match way {
            // What it gets would outlive it.
            Way::AccessToken(_) if row.gives_token() => 403,
            Way::ReadingToken(_) if row.gives_token() || !row.is_safe() => 403,
            _ => row.statuses[column],
        };
        let Response {
            request, status, ..
        } = self.ask(row, way);
        (status != expected).then(|| {
            let (who, how, state) = (table::COLUMNS[column], way.name(), row.state);
            format!("{who} by {how}: {request} ({state:?}) {status}, not {expected}")
        })
    }

    /// Asks by one way everything that the person of a column may ask.
    fn differences(&mut self, column: usize, way: &Way) -> Vec<String> {
        let mut rows = self.rows.clone();
        if matches!(way, Way::Basic(_) | Way::Nobody) {
            let reads = self.rows.iter().filter(|row| row.method == "GET");
            rows.extend(reads.map(|row| row.with_method("HEAD")));
        }
        let different = rows.iter().map(|row| self.difference(row, column, way));
        different.flatten().collect()
    }
}

#[test]
fn everybody_gets_the_answer_of_the_table_however_they_signed_in() {
    let server = TestServer::start();
    let mut house = House::new(&server);
    let mut different = Vec::new();
    for (column, person) in EVERYBODY.into_iter().enumerate() {
        for way in people::ways(&server, person) {
            different.extend(house.differences(column, &way));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
