//! A site with the interface of Islandora, as a client sees it: one request at a time, with patience.

use std::error::Error;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use isolario_model::content::EntityKind;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;

use crate::bag_content::BagContent;
use crate::links::{Link, links_of};
use crate::same_site::{follow, is_same_site};

/// Longest JSON answer that is read, bytes. A list without pages may hold thousands of resources.
const LONGEST_JSON: usize = 64 * 1024 * 1024;
/// Longest part of the message of a refusal that is kept, characters.
const LONGEST_MESSAGE: usize = 300;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a site may be silent.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// How long an answer in JSON may take as a whole, so that one byte a minute does not hold an import up for ever.
const JSON_TIMEOUT: Duration = Duration::from_secs(600);
/// How often a request is sent that meets a busy site.
const TRIES: u32 = 5;
/// How often a request is sent that the site fails at.
const TRIES_OF_FAILURE: u32 = 2;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Longest pause that a site may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
const USER_AGENT: &str = concat!("Isolario/", env!("CARGO_PKG_VERSION"));

/// Why a site did not give what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("{0} is not the address of a site: it must begin with http:// or https://.")]
    Address(String),
    #[error("The site does not answer: {0}.")]
    Unreachable(String),
    #[error("The site refuses the user name or the password.")]
    SignIn,
    #[error("The site answers {status}{}", in_words(.message))]
    Refused { status: u16, message: String },
    #[error("The site answers with something that is not JSON.")]
    NotJson,
    #[error("The answer of the site is longer than {LONGEST_JSON} bytes.")]
    TooLong,
    #[error("The bag cannot be read: {0}.")]
    Bag(#[from] std::io::Error),
    #[error("The address {0} is on another host. Only the site itself is asked.")]
    Elsewhere(String),
}

fn in_words(message: &str) -> String {
    match message {
        "" => ".".to_owned(),
        message => format!(": {message}"),
    }
}

/// An answer in JSON, with what its Link headers say.
#[derive(Debug)]
pub struct Answer {
    pub json: Value,
    pub links: Vec<Link>,
}

/// A client of one site.
pub struct Site {
    client: Client,
    /// Without a slash at its end.
    base: Url,
    user: Option<(String, String)>,
    /// A bag that answers instead.
    bag: Option<BagContent>,
}

/// Bytes of a site, and how many it says they are.
pub struct SiteBytes {
    pub declared: Option<u64>,
    pub chunks: Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>,
}

impl Site {
    /// A bag that was checked, by its address.
    ///
    /// # Errors
    /// A sentence for a place that is no address.
    pub fn of_bag(bag: BagContent, address: &Path) -> Result<Site, String> {
        let base = Url::from_file_path(address).map_err(|()| "The path is not absolute.")?;
        Ok(Site {
            client: Client::new(),
            base,
            user: None,
            bag: Some(bag),
        })
    }

    /// The bag that answers.
    pub(crate) fn bag(&self) -> Option<&BagContent> {
        self.bag.as_ref()
    }

    /// The same, to be changed.
    pub(crate) fn bag_mut(&mut self) -> Option<&mut BagContent> {
        self.bag.as_mut()
    }

    /// The document of a resource in the bag that answers; `None` where a site does.
    pub(crate) fn bagged(
        &self,
        kind: EntityKind,
        id: i64,
    ) -> Option<Result<Option<Value>, SiteError>> {
        let bag = self.bag.as_ref()?;
        Some(bag.document(kind, id).map_err(SiteError::Bag))
    }

    /// Of an address, a user and a password.
    ///
    /// # Errors
    /// `Address`; `Unreachable` where this machine has no certificates.
    pub fn new(address: &str, user: Option<(String, String)>) -> Result<Site, SiteError> {
        let base = base_of(address)?;
        let client = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .pool_max_idle_per_host(1)
            .redirect(Policy::custom(follow))
            .build()
            .map_err(unreachable)?;
        let bag = None;
        Ok(Site {
            client,
            base,
            user,
            bag,
        })
    }

    /// Its address, without a slash at the end.
    pub fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// The path of its address.
    pub(crate) fn base_path(&self) -> &str {
        self.base.path()
    }

    /// Asks whether user name and password are right. A site may answer wrong ones as if nobody had signed in, so that
    /// everything unpublished would be missing without a word.
    ///
    /// # Errors
    /// `SignIn`; what the site fails at.
    pub async fn check_sign_in(&self) -> Result<(), SiteError> {
        if self.user.is_none() {
            return Ok(());
        }
        match self.get("/jwt/token?_format=json").await {
            Err(SiteError::Refused { status, .. }) if status == 401 || status == 403 => {
                Err(SiteError::SignIn)
            }
            Err(SiteError::Refused { status: 404, .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }

    /// The JSON at a path; `None` where nothing is.
    ///
    /// # Errors
    /// What the site refuses or fails at.
    pub async fn json(&self, path: &str) -> Result<Option<Answer>, SiteError> {
        if let Some(bag) = &self.bag {
            let links = Vec::new();
            return Ok(bag.list(path)?.map(|json| Answer { json, links }));
        }
        match self.get(path).await {
            Ok(answer) => Ok(Some(answer)),
            Err(SiteError::Refused { status, .. }) if status == 404 || status == 410 => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn get(&self, path: &str) -> Result<Answer, SiteError> {
        let request = || self.request(Method::GET, self.at(path));
        let response = self.patiently(request).await?;
        let links = links_of(response.headers());
        let json = json_of(response).await?;
        Ok(Answer { json, links })
    }

    /// The bytes at an address of the site, absolute or relative.
    ///
    /// # Errors
    /// `Elsewhere`; what the site refuses or fails at.
    pub async fn bytes(&self, address: &str) -> Result<SiteBytes, SiteError> {
        let elsewhere = || SiteError::Elsewhere(address.to_owned());
        if let Some(bag) = &self.bag {
            let (size, chunks) = bag.bytes(address)?.ok_or_else(elsewhere)?;
            return Ok(SiteBytes {
                declared: Some(size),
                chunks: Box::pin(chunks),
            });
        }
        let url = self.base.join(address).map_err(|_| elsewhere())?;
        if !is_same_site(&self.base, &url) {
            return Err(elsewhere());
        }
        let request = || self.request(Method::GET, url.clone());
        let response = self.patiently(request).await?;
        Ok(SiteBytes {
            declared: response.content_length(),
            chunks: Box::pin(response.bytes_stream().map_err(io::Error::other)),
        })
    }

    /// The address of a path.
    pub(crate) fn at(&self, path: &str) -> Url {
        let address = format!("{}{path}", self.address());
        // The base is an address, and a path behind it makes it no other kind of thing.
        Url::parse(&address).unwrap_or_else(|_| self.base.clone())
    }

    /// A request with the credentials of the user.
    pub(crate) fn request(&self, method: Method, url: Url) -> RequestBuilder {
        let request = self.client.request(method, url);
        match &self.user {
            Some((name, password)) => request.basic_auth(name, Some(password)),
            None => request,
        }
    }

    /// Sends a request again and again while the site is busy.
    async fn patiently(&self, request: impl Fn() -> RequestBuilder) -> Result<Response, SiteError> {
        let mut tries = 0;
        loop {
            let pause = FIRST_PAUSE * 2_u32.pow(tries.min(8));
            tries += 1;
            let (most, pause) = match request().send().await {
                Ok(response) if is_busy(response.status()) => (TRIES, asked(&response, pause)),
                Ok(response) if response.status().is_server_error() => (TRIES_OF_FAILURE, pause),
                Ok(response) => return accepted(response).await,
                Err(error) if tries >= TRIES || error.is_redirect() => {
                    return Err(unreachable(error));
                }
                Err(error) if error.is_timeout() => (TRIES_OF_FAILURE, pause),
                Err(_) => (TRIES, pause),
            };
            if tries >= most {
                let last = request().send().await.map_err(unreachable)?;
                return accepted(last).await;
            }
            tokio::time::sleep(pause).await;
        }
    }
}

/// Refuses what is no address of a site.
///
/// # Errors
/// `Address`.
pub(crate) fn check_address(address: &str) -> Result<(), SiteError> {
    base_of(address).map(|_| ())
}

fn base_of(address: &str) -> Result<Url, SiteError> {
    let wrong = || SiteError::Address(address.to_owned());
    let mut base = Url::parse(address.trim()).map_err(|_| wrong())?;
    let is_site = matches!(base.scheme(), "http" | "https") && base.has_host();
    // A password in an address ends up in reports.
    if !is_site || !base.username().is_empty() || base.password().is_some() {
        return Err(wrong());
    }
    base.set_query(None);
    base.set_fragment(None);
    Ok(base)
}

fn is_busy(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503 | 504)
}

/// The pause that a busy site asks for, or the given one.
pub(crate) fn asked(response: &Response, pause: Duration) -> Duration {
    let asked = header(response.headers(), &RETRY_AFTER).and_then(|value| {
        let seconds = value.trim().parse().ok().map(Duration::from_secs);
        seconds.or_else(|| {
            let until = httpdate::parse_http_date(value.trim()).ok()?;
            until.duration_since(SystemTime::now()).ok()
        })
    });
    asked.unwrap_or(pause).min(LONGEST_PAUSE)
}

/// A response of success.
///
/// # Errors
/// `Refused`, with the message of the site.
pub(crate) async fn accepted(response: Response) -> Result<Response, SiteError> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let body = json_of(response).await.unwrap_or_default();
    let message = body.get("message").and_then(Value::as_str);
    let message = message.unwrap_or_default().chars();
    Err(SiteError::Refused {
        status: status.as_u16(),
        message: message.take(LONGEST_MESSAGE).collect(),
    })
}

/// The body of a response, read as JSON.
///
/// # Errors
/// `NotJson`, `TooLong`; `Unreachable` for one that breaks off.
pub(crate) async fn json_of(response: Response) -> Result<Value, SiteError> {
    let read = tokio::time::timeout(JSON_TIMEOUT, body_of(response)).await;
    let bytes = read.map_err(|_| SiteError::Unreachable("it is too slow".into()))??;
    serde_json::from_slice(&bytes).map_err(|_| SiteError::NotJson)
}

async fn body_of(mut response: Response) -> Result<Vec<u8>, SiteError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if bytes.len() + chunk.len() > LONGEST_JSON {
            return Err(SiteError::TooLong);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// A header as text.
pub(crate) fn header(headers: &HeaderMap<HeaderValue>, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

/// The innermost cause: the outer ones only say that a request failed, and name its address.
pub(crate) fn unreachable(error: reqwest::Error) -> SiteError {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    SiteError::Unreachable(cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_a_site() {
        for wrong in [
            "",
            "islandora.example",
            "file:///etc/passwd",
            "ftp://a.example",
            "https://a:b@c.example",
        ] {
            assert!(base_of(wrong).is_err(), "{wrong}");
        }
        let site = Site::new("https://a.example/repository/?a=b#c", None).unwrap();
        assert_eq!(site.address(), "https://a.example/repository");
        assert_eq!(
            site.at("/node/5?_format=json").as_str(),
            "https://a.example/repository/node/5?_format=json"
        );
    }
}
