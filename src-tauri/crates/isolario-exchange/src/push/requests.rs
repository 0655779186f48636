//! Requests that change a site.

use reqwest::header::LOCATION;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::site::{Site, SiteError, accepted, asked, header, json_of, unreachable};

/// How often a request is sent that a busy site has not carried out.
const TRIES: u32 = 5;
const PAUSE: std::time::Duration = std::time::Duration::from_secs(1);

impl Site {
    /// Sends JSON. Returns the answer and its `Location`. After a failure it is not sent again: the site may have kept
    /// it.
    ///
    /// # Errors
    /// What the site refuses or fails at.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<(Value, Option<String>), SiteError> {
        let body = body.to_string();
        let mut tries = 0;
        let response = loop {
            tries += 1;
            let request = self
                .request(method.clone(), self.at(path))
                .header("Content-Type", "application/json")
                .body(body.clone());
            let response = request.send().await.map_err(unreachable)?;
            if tries == TRIES || !matches!(response.status().as_u16(), 429 | 503) {
                break response;
            }
            tokio::time::sleep(asked(&response, PAUSE)).await;
        };
        let response = accepted(response).await?;
        let location = header(response.headers(), &LOCATION);
        let json = json_of(response).await.unwrap_or_default();
        Ok((json, location))
    }

    /// A request that uploads to a path.
    pub(super) fn uploading(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, self.at(path))
    }

    /// Sends an upload. Returns what the site answers, if it is JSON, and its `Location`.
    ///
    /// # Errors
    /// What the site refuses or fails at.
    pub(super) async fn upload(
        &self,
        request: RequestBuilder,
    ) -> Result<(Value, Option<String>), SiteError> {
        let response = accepted(request.send().await.map_err(unreachable)?).await?;
        let location = header(response.headers(), &LOCATION);
        Ok((json_of(response).await.unwrap_or_default(), location))
    }
}
