//! What clients knew at a moment of the record.

use crate::ledger::{File, Ledger, Node, Pending};

/// What a client knew after each of its steps, and where the answer came that told it.
pub struct Course {
    pub name: String,
    steps: Vec<(u16, Ledger)>,
}

impl Course {
    pub fn new(name: &str) -> Course {
        Course {
            name: name.to_owned(),
            steps: Vec::new(),
        }
    }

    /// A step ended with an answer to a port of the client's.
    pub fn step(&mut self, port: u16, ledger: &Ledger) {
        self.steps.push((port, ledger.clone()));
    }

    /// Finds the entries with which the answers began, by `answered(after, port)`.
    pub fn located(self, answered: impl Fn(usize, u16) -> usize) -> Located {
        let mut at = 0;
        let steps = self.steps.into_iter().map(|(port, ledger)| {
            at = answered(at, port);
            (at, ledger)
        });
        Located {
            steps: steps.collect(),
            name: self.name,
        }
    }
}

/// A course beside the record.
pub struct Located {
    pub name: String,
    /// By the number of the entry with which the answer began.
    pub steps: Vec<(usize, Ledger)>,
}

impl Located {
    /// What had been acknowledged after so many entries; what was asked for next may be there or not.
    pub fn ledger_after(&self, entries: usize) -> Ledger {
        let known = self.steps.partition_point(|(at, _)| *at < entries);
        let next = self.steps.get(known).map(|(_, ledger)| ledger);
        let known = known.checked_sub(1).map(|at| self.steps[at].1.clone());
        let known = known.unwrap_or_default();
        match next {
            Some(next) => between(known, next),
            None => known,
        }
    }
}

/// What was acknowledged `before`, with everything pending that comes `after`.
fn between(mut before: Ledger, after: &Ledger) -> Ledger {
    for (node, next) in before.nodes.iter_mut().zip(&after.nodes) {
        if node.title != next.title {
            node.pending = Some(pending(&next.title));
        }
    }
    let new = after.nodes.iter().skip(before.nodes.len());
    before.nodes.extend(new.map(|next| Node {
        title: None,
        pending: Some(pending(&next.title)),
        ..next.clone()
    }));
    for (file, next) in before.files.iter_mut().zip(&after.files) {
        if file.bytes != next.bytes {
            file.pending = Some(pending(&next.bytes));
        }
    }
    let new = after.files.iter().skip(before.files.len());
    before.files.extend(new.map(|next| File {
        bytes: None,
        pending: Some(pending(&next.bytes)),
        ..next.clone()
    }));
    for upload in &mut before.uploads {
        let mut next = after.uploads.iter();
        let next = next.find(|next| next.path == upload.path);
        upload.sent = next.map_or(upload.whole.len(), |next| next.received);
    }
    before
}

fn pending<T: Clone>(next: &Option<T>) -> Pending<T> {
    match next {
        Some(next) => Pending::Change(next.clone()),
        None => Pending::End,
    }
}
