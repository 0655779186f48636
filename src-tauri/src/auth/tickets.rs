//! Tickets: short-lived permits for one path, for pictures and downloads that a browser fetches
//! without an `Authorization` header.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::secret::launch_key;

/// Tickets end on the hour after next, so that an address stays the same, and cached, for about an hour.
const STEP: i64 = 3600;

/// Makes and checks tickets with a key of this run.
pub struct Tickets {
    key: hmac::Key,
}

impl Default for Tickets {
    fn default() -> Tickets {
        Tickets { key: launch_key() }
    }
}

impl Tickets {
    /// A ticket that lets `uid` see `path`, at a time in Unix seconds.
    pub fn issue(&self, uid: i64, path: &str, now: i64) -> String {
        let expiry = (now / STEP + 2) * STEP;
        let tag = hmac::sign(&self.key, &message(uid, expiry, path));
        format!("{uid}.{expiry}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    /// Whose ticket it is, if it is one for this path and has not ended.
    pub fn check(&self, path: &str, ticket: &str, now: i64) -> Option<i64> {
        let mut parts = ticket.splitn(3, '.');
        let uid: i64 = parts.next()?.parse().ok()?;
        let expiry: i64 = parts.next()?.parse().ok()?;
        let tag = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        hmac::verify(&self.key, &message(uid, expiry, path), &tag).ok()?;
        (now < expiry).then_some(uid)
    }
}

fn message(uid: i64, expiry: i64, path: &str) -> Vec<u8> {
    format!("{uid}\n{expiry}\n{path}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_for_one_path_and_about_an_hour() {
        let tickets = Tickets::default();
        let ticket = tickets.issue(7, "/a", 3599);
        assert_eq!(ticket, tickets.issue(7, "/a", 0));
        assert_eq!(tickets.check("/a", &ticket, 7199), Some(7));
        assert_eq!(tickets.check("/a", &ticket, 7200), None);
        assert_eq!(tickets.check("/b", &ticket, 3599), None);
        let forged = ticket.replacen('7', "8", 1);
        assert_eq!(tickets.check("/a", &forged, 3599), None);
        assert_eq!(Tickets::default().check("/a", &ticket, 3599), None);
    }
}
