//! The certificate that the local network sees: the owner's, or one that is made here.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use aws_lc_rs::digest;
use tokio_rustls::rustls::Error as TlsError;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer;

use isolario_auth::hosts::host_of_address;
use isolario_disk::regular_file;
use isolario_platform::files;

/// What people are told about a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFacts {
    /// SHA-256 of the certificate: pairs of digits, as browsers write it.
    pub fingerprint: String,
    /// Hosts that it is good for; addresses of IPv6 in brackets.
    pub names: Vec<String>,
    /// Unix seconds.
    pub begins: i64,
    /// Unix seconds.
    pub ends: i64,
    /// Made here, and signed by nobody else.
    pub self_signed: bool,
}

/// A certificate with its key, ready to be used.
#[derive(Debug, Clone)]
pub struct Certificate {
    pub facts: CertificateFacts,
    pub certified: Arc<CertifiedKey>,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    #[error("{path} cannot be read: {error}.", path = path.display())]
    Read {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{path} holds no certificate in PEM form.", path = path.display())]
    NoCertificate { path: PathBuf },
    #[error("{path} holds no private key in PEM form.", path = path.display())]
    NoKey { path: PathBuf },
    #[error("The key in {key} does not belong to the certificate in {certificate}.", key = key.display(), certificate = certificate.display())]
    Mismatch { certificate: PathBuf, key: PathBuf },
    #[error("The key in {key} cannot be used: {error}.", key = key.display())]
    Unusable { key: PathBuf, error: TlsError },
    #[error("[lan] in config.toml needs both certificate and key, or neither.")]
    Half,
    #[error("No certificate could be made: {0}.")]
    Making(String),
    #[error("{path} cannot be written: {error}.", path = path.display())]
    Write {
        path: PathBuf,
        error: std::io::Error,
    },
}

/// Where a certificate and its key lie.
#[derive(Debug, Clone)]
pub struct CertificateFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

impl CertificateFiles {
    /// When each was last written; another answer means other contents.
    pub fn written(&self) -> [Option<SystemTime>; 2] {
        [&self.certificate, &self.key]
            .map(|path| path.metadata().and_then(|file| file.modified()).ok())
    }

    /// Reads them.
    ///
    /// # Errors
    /// In words that name the file.
    pub fn read(&self) -> Result<Certificate, CertificateError> {
        let chain = self.read_chain()?;
        let key = self.read_key()?;
        let no_certificate = || CertificateError::NoCertificate {
            path: self.certificate.clone(),
        };
        let first = chain.first().ok_or_else(no_certificate)?;
        let facts = facts_of(first).ok_or_else(no_certificate)?;
        let certified = CertifiedKey::from_der(chain, key, &default_provider());
        let certified = certified.map_err(|error| self.unusable(error))?;
        Ok(Certificate {
            facts,
            certified: Arc::new(certified),
        })
    }

    fn read_chain(&self) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
        let bytes = read(&self.certificate)?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
        chain.map_err(|_| CertificateError::NoCertificate {
            path: self.certificate.clone(),
        })
    }

    fn read_key(&self) -> Result<PrivateKeyDer<'static>, CertificateError> {
        let bytes = read(&self.key)?;
        PrivateKeyDer::from_pem_slice(&bytes).map_err(|_| CertificateError::NoKey {
            path: self.key.clone(),
        })
    }

    fn unusable(&self, error: TlsError) -> CertificateError {
        match error {
            TlsError::InconsistentKeys(_) => CertificateError::Mismatch {
                certificate: self.certificate.clone(),
                key: self.key.clone(),
            },
            error => CertificateError::Unusable {
                key: self.key.clone(),
                error,
            },
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, CertificateError> {
    // Programs that renew certificates keep links to them.
    let found = files::canonicalize(path).and_then(|path| regular_file::read(&path));
    found.map_err(|error| CertificateError::Read {
        path: path.to_owned(),
        error,
    })
}

/// `None` for bytes that are no certificate.
fn facts_of(der: &CertificateDer<'_>) -> Option<CertificateFacts> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let validity = certificate.validity();
    Some(CertificateFacts {
        fingerprint: fingerprint_of(der),
        names: names_of(&certificate),
        begins: validity.not_before.timestamp(),
        ends: validity.not_after.timestamp(),
        self_signed: certificate.issuer() == certificate.subject(),
    })
}

fn names_of(certificate: &X509Certificate<'_>) -> Vec<String> {
    let found = certificate.subject_alternative_name().ok().flatten();
    let names = found.map_or(&[][..], |extension| &extension.value.general_names);
    names.iter().filter_map(name_of).collect()
}

/// RFC 5280, section 4.2.1.6: an address is four or sixteen bytes.
fn name_of(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some(name.to_ascii_lowercase()),
        GeneralName::IPAddress(bytes) => {
            let four = <[u8; 4]>::try_from(*bytes).map(IpAddr::from);
            let sixteen = || <[u8; 16]>::try_from(*bytes).map(IpAddr::from);
            four.or_else(|_| sixteen()).ok().map(host_of_address)
        }
        _ => None,
    }
}

fn fingerprint_of(der: &[u8]) -> String {
    let digest = digest::digest(&digest::SHA256, der);
    let pairs: Vec<String> = digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect();
    pairs.join(":")
}
