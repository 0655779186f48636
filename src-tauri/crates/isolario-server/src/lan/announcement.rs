//! Tells the local network that the repository is there, by mDNS (RFC 6762) as a service (RFC 6763),
//! and says goodbye when it goes.

use std::net::IpAddr;
use std::time::Duration;

use mdns_sd::{DaemonEvent, Error, IfKind, Receiver, ServiceDaemon, ServiceInfo};

/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(2);
/// Longest name of a service in bytes (RFC 6763, section 4.1.1).
const LONGEST_NAME: usize = 63;

/// The service that is announced.
#[derive(Debug, Clone)]
pub struct ServiceDescription<'a> {
    /// Name of the repository.
    pub repository: &'a str,
    /// Ends in `.local`.
    pub local: &'a str,
    pub address: IpAddr,
    pub port: u16,
    pub encrypted: bool,
}

/// A standing announcement. `end` takes it back.
pub struct Announcement {
    daemon: ServiceDaemon,
    services: Vec<String>,
    events: Receiver<DaemonEvent>,
    host: String,
}

impl Announcement {
    /// Announces `_https._tcp` (`_http._tcp` without encryption) and `_isolario._tcp`.
    ///
    /// # Errors
    /// A sentence.
    pub fn begin(description: &ServiceDescription<'_>) -> Result<Announcement, String> {
        begin(description).map_err(|error| {
            format!("The network cannot be told by mDNS that the repository is here: {error}.")
        })
    }

    /// Waits until somebody else on the network turns out to have the host's name; the new one.
    pub async fn renamed(&mut self) -> String {
        loop {
            match self.events.recv_async().await {
                Ok(DaemonEvent::NameChange(change)) if is_same(&change.original, &self.host) => {
                    return change.new_name.trim_end_matches('.').to_ascii_lowercase();
                }
                Ok(_) => {}
                // The announcer has ended, and will say no more.
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// Says goodbye (RFC 6762, section 10.1), so that nobody goes on showing the repository.
    pub async fn end(self) {
        let goodbye = async {
            for service in &self.services {
                if let Ok(done) = self.daemon.unregister(service) {
                    let _ = done.recv_async().await;
                }
            }
            if let Ok(done) = self.daemon.shutdown() {
                let _ = done.recv_async().await;
            }
        };
        if tokio::time::timeout(GOODBYE, goodbye).await.is_err() {
            tracing::warn!("the network could not be told that the repository has gone");
        }
    }
}

fn begin(description: &ServiceDescription<'_>) -> Result<Announcement, Error> {
    let daemon = ServiceDaemon::new()?;
    match description.address {
        address if !address.is_unspecified() => {
            daemon.disable_interface(IfKind::All)?;
            daemon.enable_interface(IfKind::Addr(address))?;
        }
        IpAddr::V4(_) => daemon.disable_interface(vec![IfKind::IPv6, IfKind::LoopbackV4])?,
        IpAddr::V6(_) => daemon.disable_interface(vec![IfKind::LoopbackV4, IfKind::LoopbackV6])?,
    }
    let events = daemon.monitor()?;
    let web = match description.encrypted {
        true => "_https._tcp.local.",
        false => "_http._tcp.local.",
    };
    let mut services = Vec::new();
    for kind in [web, "_isolario._tcp.local."] {
        let service = service(description, kind)?;
        services.push(service.get_fullname().to_owned());
        daemon.register(service)?;
    }
    Ok(Announcement {
        daemon,
        services,
        events,
        host: description.local.to_owned(),
    })
}

fn service(description: &ServiceDescription<'_>, kind: &str) -> Result<ServiceInfo, Error> {
    let host = format!("{}.", description.local);
    let name = name_of(description);
    // For those who find it by `_isolario._tcp`: where to begin, and whether it is encrypted.
    let scheme = if description.encrypted {
        "https"
    } else {
        "http"
    };
    let properties = [("path", "/"), ("scheme", scheme)];
    let service = ServiceInfo::new(kind, &name, &host, "", description.port, &properties[..])?;
    Ok(service.enable_addr_auto())
}

/// Two repositories with the same name on one machine differ by their ports: names are unique.
fn name_of(description: &ServiceDescription<'_>) -> String {
    let machine = description.local.trim_end_matches(".local");
    let tail = format!(" on {machine}:{}", description.port);
    let mut name = description.repository.to_owned();
    while name.len() + tail.len() > LONGEST_NAME && name.pop().is_some() {}
    let whole = format!("{name}{tail}");
    let cut = whole
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at < LONGEST_NAME);
    match whole.len() > LONGEST_NAME {
        true => whole[..cut.last().unwrap_or(0)].to_owned(),
        false => whole,
    }
}

fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('.').eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(repository: &str, local: &str) -> String {
        name_of(&ServiceDescription {
            repository,
            local,
            address: IpAddr::from([0, 0, 0, 0]),
            port: 8443,
            encrypted: true,
        })
    }

    #[test]
    fn names_of_services_are_short_enough_and_tell_ports_apart() {
        assert_eq!(name("Atoll", "reef.local"), "Atoll on reef:8443");
        let long = name(&"é".repeat(60), "reef.local");
        assert!(
            long.len() <= LONGEST_NAME && long.ends_with(" on reef:8443"),
            "{long}"
        );
        let machine = format!("{}.local", "m".repeat(63));
        assert!(name("Atoll", &machine).len() <= LONGEST_NAME);
    }
}
