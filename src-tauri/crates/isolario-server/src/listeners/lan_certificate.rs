//! The certificate that is presented to the local network, and its replacement.

use std::time::SystemTime;

use chrono::Utc;

use crate::lan::certificate::CertificateFiles;
use crate::lan::{Certificate, CertificateError, LanNames, certificate_for};
use isolario_core::repository::Repository;

/// The certificate as it is presented now.
pub struct CurrentCertificate {
    pub certificate: Certificate,
    /// A sentence, when it was made anew.
    pub remark: Option<String>,
    /// The owner's files, as they were when they were read.
    read: Option<(CertificateFiles, [Option<SystemTime>; 2])>,
}

impl CurrentCertificate {
    /// The configured certificate, else the one in `keys/`, made where there is none that fits.
    ///
    /// # Errors
    /// In words that name the file.
    pub fn now(
        repository: &Repository,
        names: &LanNames,
    ) -> Result<CurrentCertificate, CertificateError> {
        match configured(repository)? {
            Some(files) => {
                let written = files.written();
                let certificate = files.read()?;
                let remark = (certificate.facts.ends <= Utc::now().timestamp()).then(|| {
                    format!(
                        "The certificate in {} has ended.",
                        files.certificate.display()
                    )
                });
                Ok(CurrentCertificate {
                    certificate,
                    remark,
                    read: Some((files, written)),
                })
            }
            None => made(repository, names),
        }
    }

    /// Looks again; whether it is another certificate now.
    ///
    /// # Errors
    /// As of `now`; the former one stays.
    pub fn follow(
        &mut self,
        repository: &Repository,
        names: &LanNames,
    ) -> Result<bool, CertificateError> {
        if let Some((files, written)) = &self.read
            && files.written() == *written
        {
            return Ok(false);
        }
        let former = self.certificate.facts.fingerprint.clone();
        *self = CurrentCertificate::now(repository, names)?;
        Ok(self.certificate.facts.fingerprint != former)
    }
}

fn configured(repository: &Repository) -> Result<Option<CertificateFiles>, CertificateError> {
    let rules = &repository.config.lan;
    let inside = |path: &std::path::PathBuf| repository.directory.join(path);
    match (&rules.certificate, &rules.key) {
        (Some(certificate), Some(key)) => Ok(Some(CertificateFiles {
            certificate: inside(certificate),
            key: inside(key),
        })),
        (None, None) => Ok(None),
        _ => Err(CertificateError::Half),
    }
}

fn made(repository: &Repository, names: &LanNames) -> Result<CurrentCertificate, CertificateError> {
    let mut hosts = names.hosts();
    hosts.extend(
        repository
            .config
            .server
            .allowed_hosts
            .iter()
            .map(|host| host.to_ascii_lowercase()),
    );
    let keys = repository.directory.join("keys");
    let (certificate, why) = certificate_for(&keys, &hosts, Utc::now())?;
    let remark = why.map(|why| format!("The certificate was made anew, because {why}."));
    if let Some(words) = &remark {
        tracing::warn!(
            "{words} Its SHA-256 fingerprint is {}.",
            certificate.facts.fingerprint
        );
    }
    Ok(CurrentCertificate {
        certificate,
        remark,
        read: None,
    })
}
