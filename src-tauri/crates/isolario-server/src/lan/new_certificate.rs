//! The certificate that is made here: self-signed, for the names of this machine, and made anew
//! when it ends or these change.

use std::path::Path;

use chrono::{DateTime, Datelike, Days, Utc};
use rcgen::{
    CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, KeyUsagePurpose,
    PKCS_ECDSA_P256_SHA256, SerialNumber, date_time_ymd,
};

use super::certificate::{Certificate, CertificateError, CertificateFiles};
use isolario_auth::random_bytes;
use isolario_disk::durable::{PRIVATE_FILE, above, replace, sync_directory};

/// Days for which it is good. Apple's systems take no more than 825.
const GOOD_FOR: u64 = 820;
/// Seconds before its end at which it is made anew.
const BEFORE_THE_END: i64 = 14 * 24 * 3600;

/// The certificate in `keys/`, made when there is none that fits; and why it was, where there was
/// one that others may know.
///
/// # Errors
/// When none can be made or kept.
pub fn certificate_for(
    keys: &Path,
    hosts: &[String],
    now: DateTime<Utc>,
) -> Result<(Certificate, Option<String>), CertificateError> {
    let files = CertificateFiles {
        certificate: keys.join("lan.crt"),
        key: keys.join("lan.key"),
    };
    let known = files.certificate.exists();
    let reason = known.then(|| misfit(&files, hosts, now)).flatten();
    if !known || reason.is_some() {
        make(&files, hosts, now)?;
    }
    Ok((files.read()?, reason))
}

/// Why the certificate that is there cannot be used; `None` when it can.
fn misfit(files: &CertificateFiles, hosts: &[String], now: DateTime<Utc>) -> Option<String> {
    let facts = match files.read() {
        Ok(certificate) => certificate.facts,
        Err(error) => return Some(error.to_string().trim_end_matches('.').to_owned()),
    };
    if facts.ends - BEFORE_THE_END <= now.timestamp() {
        return Some("the former one was about to end".to_owned());
    }
    if facts.begins > now.timestamp() {
        return Some("the former one begins in the future: the clock was set back".to_owned());
    }
    let missing: Vec<&str> = hosts
        .iter()
        .filter(|host| !facts.names.contains(host))
        .map(String::as_str)
        .collect();
    match missing.is_empty() {
        true => None,
        false => Some(format!(
            "the former one did not name {}",
            missing.join(", ")
        )),
    }
}

/// The key comes first: without its certificate it is only made anew.
fn make(
    files: &CertificateFiles,
    hosts: &[String],
    now: DateTime<Utc>,
) -> Result<(), CertificateError> {
    let failed = |error: rcgen::Error| CertificateError::Making(error.to_string());
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(failed)?;
    let certificate = parameters(hosts, now)
        .and_then(|parameters| parameters.self_signed(&key))
        .map_err(failed)?;
    for (path, text) in [
        (&files.key, key.serialize_pem()),
        (&files.certificate, certificate.pem()),
    ] {
        let written = replace(path, text.as_bytes(), PRIVATE_FILE);
        let kept = written.and_then(|()| sync_directory(above(path)));
        kept.map_err(|error| CertificateError::Write {
            path: path.clone(),
            error,
        })?;
    }
    Ok(())
}

fn parameters(hosts: &[String], now: DateTime<Utc>) -> Result<CertificateParams, rcgen::Error> {
    let bare = |host: &String| host.trim_matches(['[', ']']).to_owned();
    let mut parameters = CertificateParams::new(hosts.iter().map(bare).collect::<Vec<_>>())?;
    let date =
        |date: DateTime<Utc>| date_time_ymd(date.year(), date.month() as u8, date.day() as u8);
    // A client's clock may be a little behind.
    parameters.not_before = date(now.checked_sub_days(Days::new(1)).unwrap_or(now));
    parameters.not_after = date(now.checked_add_days(Days::new(GOOD_FOR)).unwrap_or(now));
    let name = hosts.iter().find(|host| host.ends_with(".local"));
    let name = name.map_or("Isolario", String::as_str);
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters.is_ca = IsCa::ExplicitNoCa;
    parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    // Browsers refuse a second certificate of one issuer under the same number.
    let mut serial = random_bytes::<16>();
    serial[0] = serial[0] & 0x7f | 0x40;
    parameters.serial_number = Some(SerialNumber::from_slice(&serial));
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn hosts(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn days(number: u64) -> Days {
        Days::new(number)
    }

    #[test]
    fn it_is_made_once_and_read_again() {
        let keys = tempfile::tempdir().expect("a directory");
        let wanted = hosts(&["10.0.0.1", "[fd00::1]", "atoll.local", "atoll"]);
        let now = Utc::now();
        let (first, why) = certificate_for(keys.path(), &wanted, now).expect("made");
        assert_eq!(why, None);
        assert_eq!(first.facts.names, wanted);
        assert!(first.facts.self_signed);
        assert_eq!(first.facts.fingerprint.len(), 32 * 3 - 1);
        let (again, why) =
            certificate_for(keys.path(), &wanted[1..], now + days(700)).expect("read");
        assert_eq!((again.facts, why), (first.facts, None));
        for file in ["lan.key", "lan.crt"] {
            let mode = keys
                .path()
                .join(file)
                .metadata()
                .expect("there")
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600, "{file}");
        }
    }

    #[test]
    fn it_is_made_anew_when_it_no_longer_fits() {
        let keys = tempfile::tempdir().expect("a directory");
        let now = Utc::now();
        let make =
            |names: &[&str], now| certificate_for(keys.path(), &hosts(names), now).expect("made");
        let (first, _) = make(&["10.0.0.1", "atoll.local"], now);
        let (moved, why) = make(&["10.0.0.2", "atoll.local"], now);
        assert_eq!(why.as_deref(), Some("the former one did not name 10.0.0.2"));
        assert_ne!(moved.facts.fingerprint, first.facts.fingerprint);
        let (later, why) = make(&["10.0.0.2", "atoll.local"], now + days(810));
        assert_eq!(why.as_deref(), Some("the former one was about to end"));
        assert!(later.facts.ends > moved.facts.ends);
        let (_, why) = make(&["10.0.0.2"], now);
        assert!(why.expect("anew").contains("the clock was set back"));
        std::fs::write(keys.path().join("lan.key"), "no key").expect("written");
        let (_, why) = make(&["10.0.0.2"], now);
        assert!(
            why.expect("anew")
                .ends_with("lan.key holds no private key in PEM form")
        );
    }

    #[test]
    fn a_key_of_another_certificate_is_refused_in_words() {
        let (one, other) = (
            tempfile::tempdir().expect("one"),
            tempfile::tempdir().expect("two"),
        );
        for keys in [&one, &other] {
            certificate_for(keys.path(), &hosts(&["a.local"]), Utc::now()).expect("made");
        }
        let files = |certificate: &Path, key: &Path| CertificateFiles {
            certificate: certificate.join("lan.crt"),
            key: key.join("lan.key"),
        };
        assert!(files(one.path(), one.path()).read().is_ok());
        let error = files(one.path(), other.path())
            .read()
            .expect_err("refused")
            .to_string();
        assert!(
            error.contains("does not belong to the certificate"),
            "{error}"
        );
        let absent = files(Path::new("/nowhere"), one.path()).read();
        let error = absent.expect_err("refused").to_string();
        assert!(
            error.starts_with("/nowhere/lan.crt cannot be read"),
            "{error}"
        );
    }
}
