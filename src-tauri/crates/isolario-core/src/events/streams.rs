//! Limits the open event streams, so that streams cannot use all connections.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::actions::Refusal;
use isolario_config::Limits;
use isolario_model::policy::{Actor, SignIn};

/// Counts open event streams. Clones share the counts.
#[derive(Clone, Default)]
pub struct Streams(Arc<Mutex<StreamCounts>>);

#[derive(Default)]
struct StreamCounts {
    from_here: usize,
    from_elsewhere: usize,
    of_account: HashMap<i64, usize>,
    /// Of other machines only: in front of the program may be a proxy, which serves everybody.
    of_address: HashMap<IpAddr, usize>,
}

/// The right to one event stream. Dropping it lowers the counts.
pub struct StreamPermit {
    streams: Streams,
    uid: i64,
    address: IpAddr,
}

impl Streams {
    /// Counts a stream of somebody at an address; the window's are not counted.
    ///
    /// # Errors
    /// `TooMany` for the account or the address; `Busy` when the other half of the connections is for
    /// short requests.
    pub fn open(
        &self,
        limits: &Limits,
        actor: &Actor,
        address: IpAddr,
    ) -> Result<Option<StreamPermit>, Refusal> {
        if actor.sign_in == SignIn::Window {
            return Ok(None);
        }
        let (uid, address) = (actor.uid, address.to_canonical());
        let mut counts = self.counts();
        let of_account = counts.of_account.get(&uid).copied().unwrap_or(0);
        let of_address = counts.of_address.get(&address).copied().unwrap_or(0);
        for (whose, count) in [("account", of_account), ("address", of_address)] {
            if count >= limits.streams {
                return Err(Refusal::TooMany(format!(
                    "This {whose} listens to changes {count} times already. End one of these first."
                )));
            }
        }
        let all = counts.all(address);
        if *all >= (limits.connections / 2).max(1) {
            return Err(Refusal::Busy(
                "Too many listen to changes at the same time. Try again in a moment.".to_owned(),
            ));
        }
        *all += 1;
        *counts.of_account.entry(uid).or_default() += 1;
        if !address.is_loopback() {
            *counts.of_address.entry(address).or_default() += 1;
        }
        let streams = self.clone();
        Ok(Some(StreamPermit {
            streams,
            uid,
            address,
        }))
    }

    /// Ids of the accounts that listen now, in order. The window's listener is not among them.
    pub fn accounts(&self) -> Vec<i64> {
        let mut uids: Vec<i64> = self.counts().of_account.keys().copied().collect();
        uids.sort_unstable();
        uids
    }

    fn counts(&self) -> MutexGuard<'_, StreamCounts> {
        // Numbers are changed together or not at all.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamCounts {
    fn all(&mut self, address: IpAddr) -> &mut usize {
        match address.is_loopback() {
            true => &mut self.from_here,
            false => &mut self.from_elsewhere,
        }
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut counts = self.streams.counts();
        *counts.all(self.address) -= 1;
        lessen(&mut counts.of_account, &self.uid);
        lessen(&mut counts.of_address, &self.address);
    }
}

fn lessen<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(uid: i64) -> Actor {
        Actor {
            uid,
            sign_in: SignIn::Credentials(1),
            ..Actor::program()
        }
    }

    #[test]
    fn an_address_elsewhere_has_as_many_as_an_account() {
        let (streams, limits) = (Streams::default(), Limits::default());
        let open = |uid: i64, address: [u8; 4]| streams.open(&limits, &person(uid), address.into());
        let (here, there, other) = ([127, 0, 0, 1], [192, 0, 2, 1], [192, 0, 2, 2]);
        let mut held: Vec<_> = (0..8).map(|uid| open(uid, there)).collect();
        assert!(held.iter().all(Result::is_ok));
        assert!(
            matches!(open(9, there), Err(Refusal::TooMany(words)) if words.contains("address"))
        );
        assert!(open(9, other).is_ok());
        held.extend((0..20).map(|uid| open(uid, here)));
        assert!(held.iter().all(Result::is_ok));
        drop(held);
        let counts = streams.counts();
        assert_eq!((counts.from_here, counts.from_elsewhere), (0, 0));
        assert!(counts.of_account.is_empty() && counts.of_address.is_empty());
    }

    #[test]
    fn half_of_the_connections_of_other_machines_is_for_short_requests() {
        let limits = Limits {
            connections: 4,
            ..Limits::default()
        };
        let streams = Streams::default();
        let open = |uid: u8| streams.open(&limits, &person(uid.into()), [192, 0, 2, uid].into());
        let held = [open(1), open(2)];
        assert!(held.iter().all(Result::is_ok));
        assert!(matches!(open(3), Err(Refusal::Busy(_))));
        let here = streams.open(&limits, &person(3), [127, 0, 0, 1].into());
        assert!(here.is_ok());
    }
}
