//! The interface as connections are served with it.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::{Body as _, Incoming};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::authentication::PeerAddress;
use super::local_upload::LocalClient;
use super::normalise::normalise;
use super::router::{AppState, router};
use super::unread::ReadToTheEnd;

/// Everything that can be asked of one repository over HTTP. Cheap to clone.
#[derive(Clone)]
pub struct Interface {
    router: Router,
    closing: CancellationToken,
}

impl Interface {
    /// The interface of a repository.
    pub fn new(repository: AppState) -> Interface {
        Interface {
            closing: repository.closing.clone(),
            router: router(repository),
        }
    }

    /// Answers a request that came over a connection from `peer`.
    pub async fn answer(self, request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        let (head, body) = request.into_parts();
        let body = match body.is_end_stream() {
            true => Body::empty(),
            false => Body::new(ReadToTheEnd::new(&head.headers, body, self.closing)),
        };
        let mut request = normalise(Request::from_parts(head, body));
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
