//! TLS for a listener, with a certificate that can be changed while it listens.

use std::sync::{Arc, RwLock};

use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, ServerConfig};
use tokio_rustls::server::TlsStream;

use crate::lan::Certificate;

/// Resolves the certificate of new connections.
#[derive(Debug)]
pub struct CertificateResolver(RwLock<Arc<CertifiedKey>>);

impl CertificateResolver {
    /// A resolver of this certificate.
    pub fn new(certificate: &Certificate) -> Arc<CertificateResolver> {
        Arc::new(CertificateResolver(RwLock::new(
            certificate.certified.clone(),
        )))
    }

    /// Resolves to another certificate from now on.
    pub fn replace(&self, certificate: &Certificate) {
        if let Ok(mut resolver) = self.0.write() {
            *resolver = certificate.certified.clone();
        }
    }
}

impl ResolvesServerCert for CertificateResolver {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.read().ok().map(|resolver| resolver.clone())
    }
}

/// What HTTP/2 is called in the handshake (RFC 9113, 3.2).
const HTTP2: &[u8] = b"h2";

/// TLS 1.2 and 1.3 for HTTP/2 and HTTP/1.1.
///
/// # Errors
/// When the library knows no version of TLS.
pub fn encryption(resolver: Arc<CertificateResolver>) -> Result<Arc<ServerConfig>, Error> {
    let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    let mut config = builder.with_no_client_auth().with_cert_resolver(resolver);
    config.alpn_protocols = vec![HTTP2.to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Whether HTTP/2 was agreed on in the handshake.
pub fn speaks_http2<S>(stream: &TlsStream<S>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(HTTP2)
}
