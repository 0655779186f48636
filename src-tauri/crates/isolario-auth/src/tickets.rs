//! Tickets: short-lived permits for one path, for pictures and downloads that a browser fetches
//! without an `Authorization` header. They say by what their owner has signed in, and end with it.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::secret::launch_key;
use isolario_model::policy::SignIn;

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
    pub fn issue(&self, uid: i64, sign_in: &SignIn, path: &str, now: i64) -> String {
        let expiry = (now / STEP + 2) * STEP;
        let said = format!("{uid}.{expiry}.{}", sign_in.to_text());
        let tag = hmac::sign(&self.key, &message(&said, path));
        format!("{said}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    /// Whose ticket it is and by what they had signed in, if it is one for this path and its time has
    /// not passed.
    pub fn check(&self, path: &str, ticket: &str, now: i64) -> Option<(i64, SignIn)> {
        let (said, tag) = ticket.rsplit_once('.')?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        hmac::verify(&self.key, &message(said, path), &tag).ok()?;
        let mut parts = said.splitn(3, '.');
        let uid: i64 = parts.next()?.parse().ok()?;
        let expiry: i64 = parts.next()?.parse().ok()?;
        let sign_in = SignIn::parse(parts.next()?);
        (now < expiry).then_some((uid, sign_in))
    }
}

fn message(said: &str, path: &str) -> Vec<u8> {
    format!("{said}\n{path}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_for_one_path_and_about_an_hour() {
        let tickets = Tickets::default();
        let by = SignIn::Session("ab".into());
        let ticket = tickets.issue(7, &by, "/a", 3599);
        assert_eq!(ticket, tickets.issue(7, &by, "/a", 0));
        assert_eq!(tickets.check("/a", &ticket, 7199), Some((7, by)));
        assert_eq!(tickets.check("/a", &ticket, 7200), None);
        assert_eq!(tickets.check("/b", &ticket, 3599), None);
        let forged = ticket.replacen('7', "8", 1);
        assert_eq!(tickets.check("/a", &forged, 3599), None);
        let forged = ticket.replacen("sab", "w", 1);
        assert_eq!(tickets.check("/a", &forged, 3599), None);
        assert_eq!(Tickets::default().check("/a", &ticket, 3599), None);
    }
}
