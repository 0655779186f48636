//! The host names under which this server may be addressed. A page of another site that points its
//! own name at this machine (DNS rebinding) names a host that is not among them.

use std::net::IpAddr;
use std::sync::{Arc, RwLock};

const THIS_MACHINE: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// An allow-list of hosts, without ports. Clones are of one list.
#[derive(Debug, Clone)]
pub struct AllowedHosts {
    names: Vec<String>,
    any_address: bool,
    /// As long as the local network is served.
    lan: Arc<RwLock<Vec<String>>>,
}

impl AllowedHosts {
    /// This machine's own names, the address the server is bound to and further `names`. Where it
    /// is bound to every address, any IP address will do: rebinding needs a name.
    pub fn new(bound: IpAddr, names: impl IntoIterator<Item = String>) -> AllowedHosts {
        let own = THIS_MACHINE.into_iter().map(str::to_owned);
        let names = own.chain([host_of_address(bound)]).chain(names);
        AllowedHosts {
            names: names.map(|name| name.to_ascii_lowercase()).collect(),
            any_address: bound.is_unspecified(),
            lan: Arc::default(),
        }
    }

    /// Sets the names and addresses that this machine has on the local network; none when it is not
    /// served.
    pub fn set_lan(&self, names: impl IntoIterator<Item = String>) {
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        if let Ok(mut lan) = self.lan.write() {
            *lan = names.collect();
        }
    }

    /// Whether a `Host` header (`name` or `name:port`) names this server.
    pub fn allows(&self, authority: &str) -> bool {
        let Some(host) = host_of(authority) else {
            return false;
        };
        let host = host.strip_suffix('.').unwrap_or(host);
        self.names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(host))
            || (self.any_address && is_address(host))
            || self.is_on_lan(host)
    }

    fn is_on_lan(&self, host: &str) -> bool {
        let lan = self.lan.read();
        lan.is_ok_and(|names| names.iter().any(|name| name.eq_ignore_ascii_case(host)))
    }
}

/// Whether an authority (`name` or `name:port`) is one that only this machine knows itself by.
pub fn is_this_machine(authority: &str) -> bool {
    host_of(authority).is_some_and(|host| THIS_MACHINE.contains(&host))
}

/// An address as the host of a URL.
pub fn host_of_address(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// The host of an authority, without its port.
pub fn host_of(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(inner) => inner.find(']')? + 2,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(end);
    let digits = port.strip_prefix(':').unwrap_or("0");
    let right = !host.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let complete = port.is_empty() || port.starts_with(':');
    (right && complete).then_some(host)
}

/// The authority of an address such as `https://a.example/b`.
pub fn authority_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split('/').next()
}

fn is_address(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_its_own_names_only() {
        let hosts = AllowedHosts::new(IpAddr::from([127, 0, 0, 1]), ["Archive.example".into()]);
        for name in [
            "127.0.0.1:8460",
            "localhost",
            "LOCALHOST:1",
            "[::1]:8460",
            "archive.example",
        ] {
            assert!(hosts.allows(name), "{name}");
        }
        for name in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost:x",
            "[::1",
            "",
            "10.0.0.1",
            "localhost@evil.example",
        ] {
            assert!(!hosts.allows(name), "{name}");
        }
    }

    #[test]
    fn the_local_network_joins_and_leaves() {
        let hosts = AllowedHosts::new(IpAddr::from([127, 0, 0, 1]), []);
        let everywhere = hosts.clone();
        hosts.set_lan(["10.0.0.1".into(), "Atoll.local".into()]);
        assert!(everywhere.allows("10.0.0.1:8443"));
        assert!(everywhere.allows("atoll.local:8443"));
        assert!(!everywhere.allows("10.0.0.2:8443"));
        hosts.set_lan([]);
        assert!(!everywhere.allows("10.0.0.1:8443"));
    }

    #[test]
    fn every_address_where_it_listens_on_every_address() {
        let hosts = AllowedHosts::new(IpAddr::from([0, 0, 0, 0]), []);
        assert!(hosts.allows("10.0.0.1:8460"));
        assert!(!hosts.allows("evil.example:8460"));
    }
}
