//! Every route × every way to sign in × everybody × shown and hidden things, against a table that was
//! written by hand: `doors/table.txt`. And one permission at a time: `doors/permissions.txt`.

mod asking;
mod covered;
mod credentials;
mod people;
mod permissions;
mod table;
mod things;

use asking::ask;
use people::{EVERYBODY, Way, introduce};
use table::{Row, rows};
use things::{Maker, Things};

use crate::support::{Request, Response, TestServer};

/// A repository with everybody and everything that the table speaks of.
struct House<'s> {
    server: &'s TestServer,
    rows: Vec<Row>,
    things: Things<'s>,
}

impl<'s> House<'s> {
    fn new(server: &'s TestServer) -> House<'s> {
        introduce(server);
        let maker = Maker::of(server, people::OWNER);
        House {
            server,
            rows: rows(),
            things: Things::new(server, maker, people::DISABLED.uid),
        }
    }

    /// Sends the request of a row, and makes again what it used up.
    fn ask<'a>(&mut self, row: &Row, sign: impl Fn(Request<'s>) -> Request<'a>) -> Response
    where
        's: 'a,
    {
        let answer = sign(ask(self.server, row, &self.things)).send();
        if answer.status < 300 {
            self.things.replace_used(row);
        }
        answer
    }

    /// Asks by one way everything that the person of a column may ask; where the answer is another than
    /// the table's, a sentence.
    fn differences(&mut self, column: usize, way: &Way) -> Vec<String> {
        let mut different = Vec::new();
        for row in self.rows.clone() {
            let expected = row.statuses[column];
            let mut asked = vec![row.clone()];
            if row.method == "GET" && matches!(way, Way::Basic(_) | Way::Nobody) {
                asked.push(row.with_method("HEAD"));
            }
            for row in asked {
                let answer = self.ask(&row, |request| way.sign(request));
                if answer.status != expected {
                    different.push(format!(
                        "{} by {}: {} ({}, {:?}) {}, not {expected}",
                        table::COLUMNS[column],
                        way.name(),
                        answer.request,
                        row.path,
                        row.state,
                        answer.status
                    ));
                }
            }
        }
        different
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
