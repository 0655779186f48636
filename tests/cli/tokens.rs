//! Bearer tokens that are signed with the right key and are still no good.

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use crate::program::{Serving, run_with_password, said};

/// A server, and the key that it signs with, as its owner could read it.
struct Signer {
    serving: Serving,
    key: EncodingKey,
    kid: String,
    _data: tempfile::TempDir,
}

impl Signer {
    fn new() -> Signer {
        let data = tempfile::tempdir().expect("a directory");
        said(run_with_password(
            data.path(),
            &["user", "add", "mira"],
            "a password",
        ));
        let serving = Serving::start(data.path());
        let pem = std::fs::read(data.path().join("keys/token.pem")).expect("a key");
        let admin = crate::program::basic("mira", "a password");
        let (_, token) = serving.get("/jwt/token", Some(&admin));
        let token: Value = serde_json::from_str(&token).expect("JSON");
        let token = token["token"].as_str().expect("a token");
        let header = jsonwebtoken::decode_header(token).expect("a header");
        Signer {
            serving,
            key: EncodingKey::from_rsa_pem(&pem).expect("an RSA key"),
            kid: header.kid.expect("a kid"),
            _data: data,
        }
    }

    fn claims(&self) -> Value {
        let now = chrono::Utc::now().timestamp();
        json!({
            "iat": now,
            "exp": now + 7200,
            "drupal": {"uid": "2"},
            "webid": "2",
            "iss": format!("https://{}", self.serving.address),
            "sub": "mira",
            "roles": ["authenticated"],
            "aud": ["islandora"],
        })
    }

    fn status(&self, claims: &Value, kid: Option<&str>) -> u16 {
        let mut header = Header::new(Algorithm::RS256);
        header.kid = kid.map(str::to_owned);
        let token = encode(&header, claims, &self.key).expect("signed");
        let bearer = format!("Bearer {token}");
        self.serving.get("/user/2", Some(&bearer)).0
    }
}

#[test]
fn every_claim_is_looked_at() {
    let signer = Signer::new();
    let kid = Some(signer.kid.as_str());
    let right = signer.claims();
    assert_eq!(signer.status(&right, kid), 200);
    let now = chrono::Utc::now().timestamp();
    for (claim, value) in [
        ("exp", json!(now)),
        ("exp", json!("tomorrow")),
        ("exp", Value::Null),
        ("iat", json!(now + 600)),
        ("iat", json!(now - 86_400)),
        ("iat", Value::Null),
        ("iss", json!("https://elsewhere.example")),
        ("iss", json!(format!("http://{}", signer.serving.address))),
        ("iss", Value::Null),
        ("aud", json!(["somewhere else"])),
        ("aud", Value::Null),
        ("sub", json!("admin")),
        ("webid", json!("1")),
        ("webid", json!("99999")),
        ("webid", json!("x")),
        ("drupal", json!({"uid": "1"})),
        ("roles", Value::Null),
    ] {
        let mut claims = right.clone();
        match &value {
            Value::Null => claims.as_object_mut().expect("claims").remove(claim),
            value => claims
                .as_object_mut()
                .expect("claims")
                .insert(claim.into(), value.clone()),
        };
        assert_eq!(signer.status(&claims, kid), 401, "{claim}: {value}");
    }
}

#[test]
fn a_token_names_the_key_that_signed_it() {
    let signer = Signer::new();
    let claims = signer.claims();
    assert_eq!(signer.status(&claims, None), 401);
    assert_eq!(signer.status(&claims, Some("0123456789abcdef")), 401);
}
