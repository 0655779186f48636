//! The interface as connections are served with it.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, header};
use axum::response::IntoResponse;
use hyper::body::{Body as _, Incoming};

use super::drain_body::DrainingBody;
use super::local_upload::LocalClient;
use super::normalise::normalise;
use super::router;
use super::{ApiError, ErrorCode, Peer};
use crate::api::app_state::AppState;

/// Everything that can be asked of one repository over HTTP. Cheap to clone.
#[derive(Clone)]
pub struct Interface {
    routes: Router,
    app: AppState,
}

impl Interface {
    /// The interface of a repository.
    pub fn new(app: AppState) -> Interface {
        Interface {
            routes: router::routes(app.clone()),
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
        router::answer(&self.app, self.routes, request).await
    }

    /// A client within the program, under the window's name. `host` is an address of this server.
    pub fn local_client<'a>(&self, host: &'a str, window_key: &'a str) -> LocalClient<'a> {
        LocalClient {
            app: self.app.clone(),
            routes: self.routes.clone(),
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
