//! `[lan]`: whether and how other machines of the local network are served (docs/LAN.md).

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use serde::Deserialize;

/// Serving the local network, beside this machine.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LanRules {
    pub enabled: bool,
    /// `0.0.0.0`: every IPv4 address of this machine.
    pub address: IpAddr,
    /// `None` until it was first switched on and a free one was found.
    pub port: Option<u16>,
    /// The first part of the name that ends in `.local`; that of this machine when `None`.
    #[serde(deserialize_with = "host_label")]
    pub name: Option<String>,
    /// Certificates in PEM, the server's first; one is made when `None`.
    pub certificate: Option<PathBuf>,
    /// The private key of `certificate`, in PEM.
    pub key: Option<PathBuf>,
    /// HTTP instead of HTTPS: whoever is on the way reads passwords and everything else.
    pub plain_http: bool,
    /// Whether the network is told by mDNS.
    pub announce: bool,
}

impl Default for LanRules {
    fn default() -> Self {
        LanRules {
            enabled: false,
            address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            port: None,
            name: None,
            certificate: None,
            key: None,
            plain_http: false,
            announce: true,
        }
    }
}

/// A label of a host name (RFC 1123, section 2.1).
fn host_label<'de, D: serde::Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(source)?;
    let is_label = (1..=63).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !name.starts_with('-')
        && !name.ends_with('-');
    match is_label {
        true => Ok(Some(name.to_ascii_lowercase())),
        false => Err(serde::de::Error::custom(format!(
            "`{name}` is no name of a host: letters, digits and hyphens, without `.local`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;

    #[test]
    fn a_name_is_one_label() {
        let name = |name: &str| {
            let read = toml::from_str::<Config>(&format!("[lan]\nname = {name:?}"));
            read.map(|config| config.lan.name)
        };
        assert_eq!(
            name("Port-Museum").expect("a name"),
            Some("port-museum".into())
        );
        for wrong in ["", "a.local", "-a", "a b", "é"] {
            let error = name(wrong).expect_err(wrong).to_string();
            assert!(error.contains("is no name of a host"), "{error}");
        }
    }
}
