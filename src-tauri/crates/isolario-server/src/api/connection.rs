//! The interface as connections are served with it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::Router;
use axum::body::Body;
use axum::http::{Extensions, Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::{Body as _, Incoming};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::drain_body::DrainingBody;
use super::local_upload::LocalClient;
use super::normalise::normalise;
use super::router::router;
use super::{ApiError, ErrorCode};
use crate::api::app_state::AppState;

/// The other end of a connection, and the connection itself; left with each of its requests.
#[derive(Debug, Clone)]
pub struct Peer {
    pub address: SocketAddr,
    /// Whether the connection is TLS.
    pub encrypted: bool,
    /// Cancelled when the connection is to end; answers that would never end, end then.
    pub closing: CancellationToken,
}

impl Peer {
    /// The address of a request's peer. Requests from within the program come from this machine.
    pub fn address_of(extensions: &Extensions) -> IpAddr {
        let peer = extensions.get::<Peer>();
        peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.address.ip())
    }

    /// Whether a request came encrypted.
    pub fn is_encrypted(extensions: &Extensions) -> bool {
        extensions.get::<Peer>().is_some_and(|peer| peer.encrypted)
    }
}

/// Everything that can be asked of one repository over HTTP. Cheap to clone.
#[derive(Clone)]
pub struct Interface {
    router: Router,
    app: AppState,
}

impl Interface {
    /// The interface of a repository.
    pub fn new(app: AppState) -> Interface {
        Interface {
            router: router(app.clone()),
            app,
        }
    }

    /// Answers a request that came over a connection from `peer`.
    pub async fn answer(self, request: Request<Incoming>, peer: Peer) -> Response<Body> {
        let (head, body) = request.into_parts();
        let body = match body.is_end_stream() {
            true => Body::empty(),
            false => Body::new(DrainingBody::new(&head.headers, body, peer.closing.clone())),
        };
        let mut request = normalise(Request::from_parts(head, body));
        request.extensions_mut().insert(peer);
        match self.router.oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    /// A client within the program, under the window's name. `host` is an address of this server.
    pub fn local_client<'a>(&self, host: &'a str, window_key: &'a str) -> LocalClient<'a> {
        LocalClient {
            router: self.router.clone(),
            host,
            window_key,
        }
    }
}

/// The answer to whoever speaks HTTP where only HTTPS is spoken. Nothing of the request is done.
pub fn misdirected(interface: &Interface, request: &Request<Incoming>) -> Response<Body> {
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    let known = host.filter(|host| interface.app.repository.authenticator.hosts().allows(host));
    let place = known.map_or(String::new(), |host| format!(": https://{host}/"));
    let words = format!("Only HTTPS is spoken here{place}");
    ApiError::new(ErrorCode::HttpsRequired, words).into_response()
}
