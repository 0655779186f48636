//! Who has which item open, and edits which of its fields. It is in memory alone: a page that says nothing for a while
//! has gone.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// After this time without a word, a page has gone.
const SILENCE: Duration = Duration::from_secs(60);
/// Pages of one account; the one that was silent for longest makes room.
const MOST_PAGES: usize = 32;

/// The items that people have open.
pub struct Presence {
    pages: Mutex<HashMap<Page, OpenPage>>,
    /// Changes with each change of what others may be told.
    changed: watch::Sender<u64>,
}

/// A page of the user interface: the account and the name that the page gives itself.
type Page = (i64, String);

struct OpenPage {
    nid: i64,
    fields: BTreeSet<String>,
    heard: Instant,
}

impl Default for Presence {
    fn default() -> Presence {
        Presence {
            pages: Mutex::default(),
            changed: watch::Sender::new(0),
        }
    }
}

impl Presence {
    /// A page has an item open, and edits these fields of it. It has no other open then.
    pub fn open(&self, uid: i64, page: &str, nid: i64, fields: BTreeSet<String>) {
        let mut pages = self.pages();
        pages.retain(|_, item| item.heard.elapsed() < SILENCE);
        let item = OpenPage {
            nid,
            fields,
            heard: Instant::now(),
        };
        let key = (uid, page.to_owned());
        let is_same = pages
            .get(&key)
            .is_some_and(|before| before.nid == item.nid && before.fields == item.fields);
        pages.insert(key, item);
        make_room(&mut pages, uid);
        drop(pages);
        if !is_same {
            self.tell();
        }
    }

    /// A page has an item open no longer.
    pub fn leave(&self, uid: i64, page: &str, nid: i64) {
        let key = (uid, page.to_owned());
        let mut pages = self.pages();
        let has_it_open = pages.get(&key).is_some_and(|item| item.nid == nid);
        if has_it_open {
            pages.remove(&key);
        }
        drop(pages);
        if has_it_open {
            self.tell();
        }
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Who has an item open in another page than this, by account, with the fields that they edit.
    pub fn others(&self, uid: i64, page: &str, nid: i64) -> BTreeMap<i64, BTreeSet<String>> {
        let mut others: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
        for ((owner, name), item) in self.pages().iter() {
            let is_this = *owner == uid && name == page;
            if item.nid == nid && !is_this && item.heard.elapsed() < SILENCE {
                let fields = others.entry(*owner).or_default();
                fields.extend(item.fields.iter().cloned());
            }
        }
        others
    }

    /// Tells when somebody has opened or left an item, or begins or ends to edit a field.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<Page, OpenPage>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room(pages: &mut HashMap<Page, OpenPage>, uid: i64) {
    let own = pages.iter().filter(|((owner, _), _)| *owner == uid);
    let mut own: Vec<(Instant, Page)> =
        own.map(|(page, item)| (item.heard, page.clone())).collect();
    own.sort();
    let surplus = own.len().saturating_sub(MOST_PAGES);
    for (_, page) in own.into_iter().take(surplus) {
        pages.remove(&page);
    }
}
