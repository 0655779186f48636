//! `isolario token rotate`, and the keys at `/.well-known/jwks.json` by which others verify tokens.

use std::path::Path;

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde_json::{Value, json};

use crate::faults::clock::Clock;
use crate::program::{Serving, basic, complained, run, run_with_password, said};

const PLACE: &str = "/.well-known/jwks.json";

/// A repository with somebody who may sign in.
fn repository() -> tempfile::TempDir {
    let data = tempfile::tempdir().expect("a directory");
    let add = ["user", "add", "mira"];
    said(run_with_password(data.path(), &add, "a password"));
    data
}

fn rotate(data: &Path, more: &[&str]) -> String {
    said(run(data, &[&["token", "rotate"], more].concat()))
}

fn token(serving: &Serving) -> String {
    let (status, body) = serving.get("/jwt/token", Some(&basic("mira", "a password")));
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).expect("JSON");
    body["token"].as_str().expect("a token").to_owned()
}

/// What the server says to a token.
fn status(serving: &Serving, token: &str) -> u16 {
    let bearer = format!("Bearer {token}");
    serving.get("/user/2", Some(&bearer)).0
}

fn key_set(serving: &Serving) -> JwkSet {
    let (status, body) = serving.get(PLACE, None);
    assert_eq!(status, 200);
    serde_json::from_str(&body).expect("a key set")
}

fn ids(set: &JwkSet) -> Vec<String> {
    let ids = set.keys.iter().map(|key| key.common.key_id.clone());
    ids.map(|id| id.expect("a kid")).collect()
}

fn kid(token: &str) -> String {
    let header = jsonwebtoken::decode_header(token).expect("a header");
    header.kid.expect("a kid")
}

/// Whether somebody who knows no more than the key set can verify a token by it.
fn is_verified_by(set: &JwkSet, token: &str) -> bool {
    let Some(key) = set.find(&kid(token)) else {
        return false;
    };
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_audience(&["islandora"]);
    let key = DecodingKey::from_jwk(key).expect("a key");
    decode::<Value>(token, &key, &validation).is_ok()
}

#[test]
fn tokens_of_a_former_key_are_good_until_they_expire_and_then_it_goes() {
    let data = repository();
    let clock = Clock::right();
    let serving = Serving::spawn(clock.isolario(data.path()));
    let before = token(&serving);
    assert_eq!(ids(&key_set(&serving)), [kid(&before)]);
    assert!(is_verified_by(&key_set(&serving), &before));

    let words = rotate(data.path(), &[]);
    let after = token(&serving);
    assert!(
        words.contains(&format!("a new key, {}.", kid(&after))),
        "{words}"
    );
    assert!(
        words.contains(&format!("{}, are good until 20", kid(&before))),
        "{words}"
    );
    assert_ne!(kid(&after), kid(&before));
    let set = key_set(&serving);
    assert_eq!(ids(&set), [kid(&after), kid(&before)]);
    for token in [&before, &after] {
        assert_eq!(status(&serving, token), 200);
        assert!(is_verified_by(&set, token));
    }

    drop(serving);
    clock.set("+7000");
    let serving = Serving::spawn(clock.isolario(data.path()));
    assert_eq!(status(&serving, &before), 200);
    assert_eq!(ids(&key_set(&serving)).len(), 2);
    clock.set("+7300");
    assert_eq!(status(&serving, &before), 401);
    assert_eq!(ids(&key_set(&serving)), [kid(&after)]);
    assert_eq!(status(&serving, &token(&serving)), 200);
}

#[test]
fn who_has_a_former_key_can_sign_nothing_more_with_it() {
    let data = repository();
    let serving = Serving::start(data.path());
    let pem = std::fs::read(data.path().join("keys/token.pem")).expect("a key");
    let stolen = EncodingKey::from_rsa_pem(&pem).expect("an RSA key");
    let mut header = Header::new(Algorithm::RS256);
    header.kid = Some(kid(&token(&serving)));
    let sign = || {
        let now = chrono::Utc::now().timestamp();
        let claims = json!({
            "iat": now, "exp": now + 90_000, "drupal": {"uid": "2"}, "webid": "2",
            "iss": format!("https://{}", serving.address), "sub": "mira",
            "roles": ["authenticated"], "aud": ["islandora"],
        });
        encode(&header, &claims, &stolen).expect("signed")
    };
    let forged = sign();
    assert_eq!(status(&serving, &forged), 200);
    rotate(data.path(), &[]);
    assert_eq!(status(&serving, &forged), 401);
    assert_eq!(status(&serving, &sign()), 401);
}

#[test]
fn all_tokens_end_at_once_if_that_is_asked_for() {
    let data = repository();
    let serving = Serving::start(data.path());
    let first = token(&serving);
    rotate(data.path(), &[]);
    let second = token(&serving);
    let words = rotate(data.path(), &["--end-tokens"]);
    assert!(
        words.contains("All tokens given out so far have ended."),
        "{words}"
    );
    for token in [&first, &second] {
        assert_eq!(status(&serving, token), 401);
    }
    let third = token(&serving);
    assert_eq!(status(&serving, &third), 200);
    assert_eq!(ids(&key_set(&serving)), [kid(&third)]);
}

#[test]
fn a_key_is_changed_without_a_server_too_and_browsers_stay_signed_in() {
    let data = repository();
    let serving = Serving::start(data.path());
    let (before, cookie) = (token(&serving), serving.sign_in("mira", "a password"));
    drop(serving);
    rotate(data.path(), &[]);

    let serving = Serving::start(data.path());
    assert_eq!(status(&serving, &before), 200);
    assert_ne!(kid(&token(&serving)), kid(&before));
    assert_eq!(serving.get_with_cookie("/user/2", &cookie).0, 200);
}

#[test]
fn keys_are_for_their_owner_only_and_nothing_of_a_former_one_is_secret() {
    use std::os::unix::fs::PermissionsExt;
    let data = repository();
    let keys = data.path().join("keys");
    rotate(data.path(), &[]);
    let mut names: Vec<String> = Vec::new();
    for entry in keys.read_dir().expect("there") {
        let entry = entry.expect("readable");
        let mode = entry.metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", entry.path());
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    assert_eq!(names, ["former.json", "token.pem"]);
    let former = std::fs::read_to_string(keys.join("former.json")).expect("read");
    let former: Value = serde_json::from_str(&former).expect("JSON");
    let members: Vec<&String> = former[0]["key"]
        .as_object()
        .expect("a key")
        .keys()
        .collect();
    assert_eq!(members, ["kty", "use", "alg", "kid", "n", "e"]);
}

#[test]
fn a_list_of_former_keys_that_is_none_is_said() {
    let data = repository();
    std::fs::write(data.path().join("keys/former.json"), "{").expect("written");
    let words = complained(&run(data.path(), &["token", "rotate"]), 1);
    assert!(
        words.contains("former.json is no list of former keys"),
        "{words}"
    );
}
