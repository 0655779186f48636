//! The interface as connections are served with it.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use tower::ServiceExt;

use super::authentication::PeerAddress;
use super::local_upload::LocalClient;
use super::normalise::normalise;
use super::router::{AppState, router};

/// Everything that can be asked of one repository over HTTP. Cheap to clone.
#[derive(Clone)]
pub struct Interface {
    router: Router,
}

impl Interface {
    /// The interface of a repository.
    pub fn new(repository: AppState) -> Interface {
        Interface {
            router: router(repository),
        }
    }

    /// Answers a request that came over a connection from `peer`.
    pub async fn answer(self, request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        let mut request = normalise(request.map(Body::new));
        request.extensions_mut().insert(PeerAddress(peer));
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
