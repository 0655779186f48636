//! What this machine is called on the local network: its addresses, its name, and `NAME.local`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use isolario_auth::hosts::host_of_address;
use isolario_config::LanRules;

/// What a machine without a usable name is called.
const NAMELESS: &str = "isolario";

/// The names and addresses of this machine, as clients on the local network write them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanNames {
    /// Without loopback; the one that other networks are reached from first.
    pub addresses: Vec<IpAddr>,
    /// Its own, in lower case; `None` when it has none that could stand in a URL.
    pub machine: Option<String>,
    /// Ends in `.local` (RFC 6762, section 3).
    pub local: String,
}

impl LanNames {
    /// As they are at this moment.
    ///
    /// # Errors
    /// When the system does not tell its addresses.
    pub fn now(rules: &LanRules) -> std::io::Result<LanNames> {
        let machine = machine_name();
        let label = rules.name.clone().or_else(|| {
            let machine = machine.as_deref()?;
            machine.split('.').next().map(str::to_owned)
        });
        Ok(LanNames {
            addresses: addresses(rules.address)?,
            local: format!("{}.local", label.unwrap_or_else(|| NAMELESS.to_owned())),
            machine,
        })
    }

    /// As hosts of URLs.
    pub fn hosts(&self) -> Vec<String> {
        let addresses = self.addresses.iter().copied().map(host_of_address);
        let mut hosts: Vec<String> = addresses.chain([self.local.clone()]).collect();
        if let Some(machine) = self.machine.as_ref().filter(|name| **name != self.local) {
            hosts.push(machine.clone());
        }
        hosts
    }
}

fn machine_name() -> Option<String> {
    let name = isolario_platform::machine::host_name().to_ascii_lowercase();
    is_host_name(&name).then_some(name)
}

/// Labels of letters, digits and hyphens (RFC 1123, section 2.1), and not this very machine's
/// name for itself.
fn is_host_name(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    name.len() <= 253 && name.split('.').all(label) && name != "localhost"
}

/// The addresses at which a socket bound to `bound` is reached from elsewhere.
fn addresses(bound: IpAddr) -> std::io::Result<Vec<IpAddr>> {
    if !bound.is_unspecified() {
        return Ok(vec![bound]);
    }
    let up = if_addrs::get_if_addrs()?.into_iter();
    let up = up
        .filter(|interface| interface.is_oper_up())
        .map(|interface| interface.ip());
    let mut all: Vec<IpAddr> = up
        .filter(|address| !address.is_loopback() && reaches(bound, *address))
        .collect();
    all.sort();
    all.dedup();
    let first = outward();
    all.sort_by_key(|address| (Some(*address) != first, address.is_ipv6()));
    Ok(all)
}

/// A socket on `0.0.0.0` takes IPv4, one on `::` both. Link-local IPv6 addresses name an interface
/// of the one who uses them, so they cannot stand in a URL.
fn reaches(bound: IpAddr, address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => true,
        IpAddr::V6(address) => bound.is_ipv6() && !address.is_unicast_link_local(),
    }
}

/// The address from which other networks are reached. Nothing is sent: the system only chooses.
fn outward() -> Option<IpAddr> {
    // RFC 5737, section 3: an address that belongs to nobody.
    let nobody = SocketAddr::from(([192, 0, 2, 1], 9));
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(nobody).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_address_is_the_only_one() {
        let rules = LanRules {
            address: IpAddr::from([10, 9, 8, 7]),
            name: Some("atoll".into()),
            ..LanRules::default()
        };
        let names = LanNames::now(&rules).expect("addresses");
        assert_eq!(names.hosts()[..2], ["10.9.8.7", "atoll.local"]);
    }

    #[test]
    fn loopback_is_no_address_on_the_network() {
        let names = LanNames::now(&LanRules::default()).expect("addresses");
        assert!(
            names
                .addresses
                .iter()
                .all(|address| !address.is_loopback() && address.is_ipv4())
        );
        assert!(names.local.ends_with(".local"), "{names:?}");
    }

    #[test]
    fn host_names_are_told_from_others() {
        for name in ["atoll", "a-1.example", "x"] {
            assert!(is_host_name(name), "{name}");
        }
        for name in ["", "localhost", "a_b", "-a", "a..b", "(none)", "a."] {
            assert!(!is_host_name(name), "{name}");
        }
    }
}
