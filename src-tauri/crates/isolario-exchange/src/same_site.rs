//! Which addresses belong to a site.

use reqwest::Url;
use reqwest::redirect::{Action, Attempt};

const REDIRECTS: usize = 5;

/// The same host by the same scheme, or by HTTPS instead of HTTP.
pub fn is_same_site(base: &Url, url: &Url) -> bool {
    let is_safer = base.scheme() == "http" && url.scheme() == "https";
    let is_same_port = base.port_or_known_default() == url.port_or_known_default();
    base.host_str() == url.host_str()
        && ((base.scheme() == url.scheme() && is_same_port) || is_safer)
}

/// A site must not send this program to other machines of its network.
pub fn follow(attempt: Attempt<'_>) -> Action {
    let first = attempt.previous().first();
    if attempt.previous().len() > REDIRECTS {
        return attempt.error("there are too many redirects");
    }
    match first.is_some_and(|first| is_same_site(first, attempt.url())) {
        true => attempt.follow(),
        false => attempt.error("it redirects to another host"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_site_itself_is_asked() {
        let base = Url::parse("http://a.example:8080/").unwrap();
        let is_same = |address: &str| is_same_site(&base, &base.join(address).unwrap());
        for same in [
            "/sites/default/files/a.png",
            "http://a.example:8080/b",
            "https://a.example/b",
        ] {
            assert!(is_same(same), "{same}");
        }
        for other in [
            "http://169.254.169.254/",
            "http://a.example/",
            "//b.example/c",
            "file:///etc/passwd",
        ] {
            assert!(!is_same(other), "{other}");
        }
        let safe = Url::parse("https://a.example/").unwrap();
        assert!(!is_same_site(
            &safe,
            &Url::parse("http://a.example/").unwrap()
        ));
    }
}
