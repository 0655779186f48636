//! Signing in through a service that knows the people already (OpenID Connect Core 1.0, authorization code flow with PKCE).

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreProviderMetadata};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, HttpRequest, HttpResponse, IssuerUrl,
    Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse,
};
use reqwest::Client;
use reqwest::redirect::Policy;
use serde_json::Value;

use isolario_config::OpenIdConnectRules;

/// How long the service may take to answer the program.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Longest answer of the service, in bytes.
const LONGEST_ANSWER: usize = 1 << 20;
/// How long what the service says of itself, its keys among it, is not asked for again.
const METADATA_AGE: Duration = Duration::from_secs(3600);

/// Why nobody came in through the service.
#[derive(Debug, thiserror::Error)]
pub enum OpenIdConnectError {
    #[error("the service does not answer as one of OpenID Connect does: {0}")]
    Service(String),
    #[error("what came back was not asked for in this browser, or too long ago")]
    Unasked,
    #[error("the identity token is not good: {0}")]
    Token(String),
}

/// Who somebody is, as the service says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIdIdentity {
    pub issuer: String,
    /// Never given to somebody else there.
    pub subject: String,
    /// A name that people know.
    pub name: String,
    pub mail: Option<String>,
    pub groups: Vec<String>,
}

/// Where the browser of somebody goes who signs in, and what it keeps until it comes back.
#[derive(Debug, Clone)]
pub struct SignInRequest {
    pub url: String,
    /// For a cookie of this browser alone: state, nonce and the verifier of PKCE. The program itself keeps nothing, so
    /// nobody can fill its memory by beginning to sign in.
    pub kept: String,
}

/// The service of a repository.
pub struct OpenIdConnect {
    rules: OpenIdConnectRules,
    metadata: tokio::sync::Mutex<Option<(CoreProviderMetadata, Instant)>>,
}

impl OpenIdConnect {
    /// Knows the service by its rules; it is asked when somebody signs in.
    pub fn new(rules: OpenIdConnectRules) -> OpenIdConnect {
        OpenIdConnect {
            rules,
            metadata: tokio::sync::Mutex::default(),
        }
    }

    /// Which roles groups give.
    pub fn rules(&self) -> &OpenIdConnectRules {
        &self.rules
    }

    /// Begins to sign somebody in, who comes back to `redirect`.
    ///
    /// # Errors
    /// `Service` where it cannot be asked.
    pub async fn begin(&self, redirect: &str) -> Result<SignInRequest, OpenIdConnectError> {
        let metadata = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(metadata, self.client_id(), self.secret())
            .set_redirect_uri(address(RedirectUrl::new(redirect.to_owned()))?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let request = client.authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            CsrfToken::new_random,
            Nonce::new_random,
        );
        let scopes = self.rules.scopes.iter().cloned().map(Scope::new);
        let (url, state, nonce) = request
            .add_scopes(scopes)
            .set_pkce_challenge(challenge)
            .url();
        let parts = [state.secret(), nonce.secret(), verifier.secret()];
        Ok(SignInRequest {
            url: url.into(),
            kept: parts.map(String::as_str).join("."),
        })
    }

    /// Takes the code with which somebody comes back to `redirect`; `kept` is what the cookie of their browser has. The
    /// service takes a code once.
    ///
    /// # Errors
    /// `Unasked` for a state that is not that of the browser; `Service`; `Token` for an identity token that the service has
    /// not made for this sign-in.
    pub async fn finish(
        &self,
        redirect: &str,
        kept: &str,
        (state, code): (&str, &str),
    ) -> Result<OpenIdIdentity, OpenIdConnectError> {
        let mut parts = kept.split('.');
        let (Some(own), Some(nonce), Some(verifier)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(OpenIdConnectError::Unasked);
        };
        if own != state {
            return Err(OpenIdConnectError::Unasked);
        }
        let nonce = Nonce::new(nonce.to_owned());
        let verifier = PkceCodeVerifier::new(verifier.to_owned());
        let metadata = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(metadata, self.client_id(), self.secret())
            .set_redirect_uri(address(RedirectUrl::new(redirect.to_owned()))?);
        let http = http_client()?;
        let exchange = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|error| OpenIdConnectError::Service(error.to_string()))?
            .set_pkce_verifier(verifier);
        let answer = exchange
            .request_async(&|request| send(http.clone(), request))
            .await
            .map_err(|error| OpenIdConnectError::Token(error.to_string()))?;
        let no_token = || OpenIdConnectError::Token("there is none".to_owned());
        let token = answer.id_token().ok_or_else(no_token)?;
        let claims = token
            .claims(&client.id_token_verifier(), &nonce)
            .map_err(|error| OpenIdConnectError::Token(error.to_string()))?;
        let subject = claims.subject().to_string();
        let mail = claims.email().map(|mail| mail.to_string());
        let known = claims.preferred_username().map(|name| name.to_string());
        Ok(OpenIdIdentity {
            issuer: claims.issuer().to_string(),
            name: known
                .or_else(|| mail.clone())
                .unwrap_or_else(|| subject.clone()),
            mail,
            groups: groups(&token.to_string(), &self.rules.groups_claim),
            subject,
        })
    }

    fn client_id(&self) -> ClientId {
        ClientId::new(self.rules.client_id.clone())
    }

    fn secret(&self) -> Option<ClientSecret> {
        self.rules.client_secret.clone().map(ClientSecret::new)
    }

    /// What the service says of itself.
    async fn metadata(&self) -> Result<CoreProviderMetadata, OpenIdConnectError> {
        let mut kept = self.metadata.lock().await;
        if let Some((metadata, read)) = kept.as_ref()
            && read.elapsed() < METADATA_AGE
        {
            return Ok(metadata.clone());
        }
        let issuer = address(IssuerUrl::new(self.rules.issuer.clone()))?;
        let http = http_client()?;
        let ask = |request| send(http.clone(), request);
        let found = CoreProviderMetadata::discover_async(issuer, &ask).await;
        let found = found.map_err(|error| OpenIdConnectError::Service(error.to_string()))?;
        *kept = Some((found.clone(), Instant::now()));
        Ok(found)
    }
}

fn address<T, E: std::fmt::Display>(address: Result<T, E>) -> Result<T, OpenIdConnectError> {
    address.map_err(|error| OpenIdConnectError::Service(error.to_string()))
}

/// The groups in an identity token that was verified before.
fn groups(token: &str, claim: &str) -> Vec<String> {
    let payload = token.split('.').nth(1).unwrap_or_default();
    let payload = URL_SAFE_NO_PAD.decode(payload).unwrap_or_default();
    let claims: Value = serde_json::from_slice(&payload).unwrap_or_default();
    match claims.get(claim) {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => {
            let names = all.iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn http_client() -> Result<Client, OpenIdConnectError> {
    // Another address than the one that is configured is not asked.
    let client = Client::builder().redirect(Policy::none()).timeout(TIMEOUT);
    client
        .build()
        .map_err(|error| OpenIdConnectError::Service(error.to_string()))
}

/// Asks the service.
async fn send(client: Client, request: HttpRequest) -> Result<HttpResponse, reqwest::Error> {
    let mut answer = client.execute(request.try_into()?).await?;
    let mut response = HttpResponse::new(Vec::new());
    *response.status_mut() = answer.status();
    *response.headers_mut() = answer.headers().clone();
    while let Some(part) = answer.chunk().await? {
        if response.body().len() + part.len() > LONGEST_ANSWER {
            // What is cut cannot be read, which is said then.
            break;
        }
        response.body_mut().extend_from_slice(&part);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_from_a_list_or_a_single_text() {
        let token = |claims: &str| format!("e30.{}.x", URL_SAFE_NO_PAD.encode(claims));
        assert_eq!(
            groups(&token(r#"{"groups":["a","b",3]}"#), "groups"),
            ["a", "b"]
        );
        assert_eq!(groups(&token(r#"{"role":"a"}"#), "role"), ["a"]);
        for none in ["", "x.y.z", &token("{}"), &token(r#"{"groups":{"a":1}}"#)] {
            assert!(groups(none, "groups").is_empty(), "{none}");
        }
    }
}
