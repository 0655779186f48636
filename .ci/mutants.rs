//! Every decision of the policy made otherwise, one at a time: `.ci/mutants` puts this beside the tables.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use isolario_model::policy::permission::mutant;

use super::House;
use super::people::{EVERYBODY, Way};
use super::permissions::{Line, Lodging, REQUESTS, lines, role};
use super::table::Row;
use crate::support::{ADMIN, TestServer};

/// Everybody's way in.
fn ways(server: &TestServer) -> Vec<Way> {
    let everybody = EVERYBODY.into_iter();
    let everybody = everybody.map(|person| match person {
        Some(person) => Way::Bearer(server.token(person.name, person.password)),
        None => Way::Nobody,
    });
    // The last one is an administrator who may read alone.
    everybody
        .chain([Way::reading_token(server, ADMIN)])
        .collect()
}

impl Lodging<'_> {
    fn first_difference(&mut self, number: usize, line: &Line) -> Option<String> {
        self.own.maker.take_role(self.server, &role(number));
        REQUESTS.iter().find_map(|(name, request, state)| {
            let row = Row::request(request, *state);
            let mut whose = [true, false].into_iter();
            whose.find_map(|own| self.difference(line, name, &row, own))
        })
    }

    fn make_all(&mut self) {
        self.own.make_all();
        self.others.make_all();
    }
}

/// What has caught a mutant: a row asked by somebody, a line of permissions, or a test beside the tables (`TESTS`).
#[derive(Clone, PartialEq)]
enum Question {
    Row(usize, usize),
    Line(usize),
    Test(usize),
}

/// Both tables, and the questions in the order in which they are asked: those that have caught something come first.
struct Tables<'s> {
    house: House<'s>,
    ways: Vec<Way>,
    lodging: Lodging<'s>,
    questions: Vec<Question>,
}

impl Tables<'_> {
    fn ask(&mut self, question: &Question) -> Option<String> {
        match *question {
            Question::Row(row, column) => {
                let row = self.house.rows[row].clone();
                let person = column.min(EVERYBODY.len() - 1);
                self.house.difference(&row, person, &self.ways[column])
            }
            Question::Line(number) => self.lodging.first_difference(number, &lines()[number]),
            Question::Test(number) => {
                let (name, test) = TESTS[number];
                catch_unwind(test).err().map(|_| format!("{name} fails"))
            }
        }
    }

    /// How many words of a line's permissions what is told of a mutant has.
    fn likeness(question: &Question, told: &str) -> usize {
        let Question::Line(number) = question else {
            return 0;
        };
        let words = told.split(|letter: char| !letter.is_alphabetic());
        let words: HashSet<&str> = words.filter(|word| word.len() > 2).collect();
        let names = &lines()[*number].permissions;
        let words_of_line: HashSet<&str> = names.iter().flat_map(|name| name.split(' ')).collect();
        words.intersection(&words_of_line).count()
    }

    /// Those questions first that sound like what is told of a mutant.
    fn expect(&mut self, told: &str) {
        let likeness = |question: &Question| Reverse(Tables::likeness(question, told));
        self.questions.sort_by_cached_key(likeness);
    }

    /// Asks the last question again, which the policy as it is must answer as its table says. Else the mutant would not
    /// be what made the difference.
    fn again(&mut self) -> Option<String> {
        let question = self.questions[0].clone();
        self.ask(&question)?;
        self.house.things.make_all();
        self.lodging.make_all();
        self.ask(&question)
    }

    /// The first answer that is another than its table says.
    fn first_difference(&mut self) -> Option<String> {
        for at in 0..self.questions.len() {
            let question = self.questions[at].clone();
            let asked = catch_unwind(AssertUnwindSafe(|| self.ask(&question)));
            let difference = asked.unwrap_or_else(|_| {
                mutant::choose(0);
                self.house.things.make_all();
                self.lodging.make_all();
                Some("nothing works any more".into())
            });
            if difference.is_some() {
                self.questions.remove(at);
                self.questions.insert(0, question);
                return difference;
            }
        }
        None
    }
}

#[test]
fn no_decision_of_the_policy_can_be_another() {
    let (first, second) = (TestServer::start(), TestServer::start());
    let house = House::new(&first);
    let rows =
        (0..house.rows.len()).flat_map(|row| (0..=EVERYBODY.len()).map(move |column| Question::Row(row, column)));
    let mut tables = Tables {
        ways: ways(&first),
        lodging: Lodging::new(&second),
        questions: rows
            .chain((0..lines().len()).map(Question::Line))
            .chain((0..TESTS.len()).map(Question::Test))
            .collect(),
        house,
    };
    set_hook(Box::new(|_| {}));
    assert_eq!(tables.first_difference(), None);
    let (mut caught, mut survivors) = (0, Vec::new());
    let only = std::env::var("ONLY").unwrap_or_default();
    let from = std::env::var("FROM").unwrap_or_default();
    let mutants = mutant::ALL.iter().enumerate().skip_while(|(_, told)| !told.contains(&from));
    for (index, told) in mutants.filter(|(_, told)| !told.is_empty() && told.contains(&only)) {
        tables.expect(told);
        mutant::choose(index + 1);
        let difference = tables.first_difference();
        mutant::choose(0);
        if let Some(why) = tables.again() {
            // Panics say nothing here.
            println!("{told} has left behind: {why}");
            panic!("the tables differ");
        }
        match difference {
            Some(difference) => {
                caught += 1;
                println!("caught    {told}\n          {difference}");
            }
            None => {
                println!("SURVIVED  {told}");
                survivors.push(*told);
            }
        }
    }
    let equivalent = std::env::var("EQUIVALENT").expect("the list of those that may survive");
    let equivalent = std::fs::read_to_string(equivalent).expect("that list");
    let known: Vec<&str> = equivalent
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(['#', ' ']) && line.contains(&only))
        .collect();
    println!("{caught} caught, {} survived", survivors.len());
    let unknown: Vec<_> = survivors
        .iter()
        .filter(|told| !known.contains(told))
        .collect();
    assert!(unknown.is_empty(), "survived: {unknown:#?}");
    let gone: Vec<_> = known
        .iter()
        .filter(|told| !survivors.contains(told))
        .collect();
    // Those before were not asked.
    assert!(!from.is_empty() || gone.is_empty(), "listed, and caught: {gone:#?}");
}
