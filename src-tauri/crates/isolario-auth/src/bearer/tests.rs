//! Tokens and the keys that sign them, over time.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::Utc;

use super::*;

fn keys() -> (tempfile::TempDir, TokenKeys) {
    let directory = tempfile::tempdir().expect("a directory");
    let keys = open(&directory, Utc::now().timestamp());
    (directory, keys)
}

fn open(directory: &tempfile::TempDir, now: i64) -> TokenKeys {
    TokenKeys::open(directory.path(), now).expect("keys")
}

fn token(keys: &TokenKeys, from: i64) -> String {
    let claims = Claims::new(1, "admin", &[], "https://a", from);
    keys.sign(&claims).expect("signed")
}

fn part(token: &str, index: usize) -> String {
    let part = token.split('.').nth(index).expect("three parts");
    String::from_utf8(URL_SAFE_NO_PAD.decode(part).expect("base64")).expect("text")
}

#[test]
fn claims_stand_in_the_order_of_the_reference() {
    let (_directory, keys) = keys();
    let now = Utc::now().timestamp();
    let roles = ["authenticated".to_owned()];
    let claims = Claims::new(3, "plain", &roles, "https://127.0.0.1:8460", now);
    let token = keys.sign(&claims).expect("signed");
    let header = format!(r#"{{"typ":"JWT","alg":"RS256","kid":"{}"}}"#, keys.id());
    assert_eq!(part(&token, 0), header);
    let body = format!(
        r#"{{"iat":{now},"exp":{},"drupal":{{"uid":"3"}},"webid":"3","iss":"https://127.0.0.1:8460","sub":"plain","roles":["authenticated"],"aud":["islandora"]}}"#,
        now + 7200
    );
    assert_eq!(part(&token, 1), body);
    assert!(keys.verify(&token, now).is_some());
    assert!(keys.verify(&token, now + 7200).is_none());
}

#[test]
fn only_our_keys_and_algorithm_count() {
    let (directory, keys) = keys();
    let (_other, stranger) = self::keys();
    let now = Utc::now().timestamp();
    let foreign = token(&stranger, now);
    assert!(keys.verify(&foreign, now).is_none());
    let unsigned = format!(
        "{}.{}.",
        URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"none"}"#),
        foreign.split('.').nth(1).expect("claims")
    );
    assert!(keys.verify(&unsigned, now).is_none());
    let again = open(&directory, now);
    assert!(again.verify(&token(&keys, now), now).is_some());
}

#[test]
fn a_former_key_verifies_until_its_last_token_has_expired() {
    let (directory, keys) = keys();
    let now = Utc::now().timestamp();
    let (before, remembered) = (token(&keys, now), token(&keys, now - 1));
    assert!(keys.verify(&remembered, now).is_some());
    let rotation = keys.rotate(false, now).expect("rotated");
    assert_eq!(rotation.until, Some(now + LIFETIME));
    assert_eq!(rotation.key, keys.id());
    let after = token(&keys, now);
    for keys in [&keys, &open(&directory, now)] {
        let ids: Vec<String> = keys.public(now).iter().map(|key| key.id().into()).collect();
        assert_eq!(ids, [rotation.key.clone(), rotation.former.clone()]);
        for token in [&before, &remembered, &after] {
            assert!(keys.verify(token, now).is_some());
        }
        assert!(keys.verify(&before, now + LIFETIME).is_none());
        assert_eq!(keys.public(now + LIFETIME).len(), 1);
    }
    let file = directory.path().join("former.json");
    let kept = |now| {
        open(&directory, now);
        former_keys::read(&file).expect("read").len()
    };
    assert_eq!((kept(now), kept(now + LIFETIME)), (1, 0));
}

#[test]
fn a_former_key_signs_nothing_new() {
    let (directory, keys) = keys();
    let now = Utc::now().timestamp();
    let stolen = open(&directory, now);
    let forged = token(&stolen, now + 1);
    assert!(keys.verify(&forged, now + 1).is_some());
    keys.rotate(false, now).expect("rotated");
    assert!(keys.verify(&forged, now + 1).is_none());
}

#[test]
fn all_tokens_end_at_once_when_that_is_asked_for() {
    let (directory, keys) = keys();
    let now = Utc::now().timestamp();
    let tokens = [token(&keys, now), token(&keys, now - 1)];
    assert!(keys.verify(&tokens[0], now).is_some());
    keys.rotate(false, now).expect("rotated");
    let rotation = keys.rotate(true, now).expect("rotated");
    assert_eq!(rotation.until, None);
    for keys in [&keys, &open(&directory, now)] {
        assert_eq!(keys.public(now).len(), 1);
        assert!(tokens.iter().all(|token| keys.verify(token, now).is_none()));
    }
}

#[test]
fn a_rotation_that_broke_off_is_none() {
    let (directory, keys) = keys();
    let now = Utc::now().timestamp();
    let noted = FormerKey {
        key: keys.public(now)[0].clone(),
        until: now + LIFETIME,
    };
    former_keys::keep(&directory.path().join("former.json"), &[noted]).expect("written");
    let again = open(&directory, now);
    assert_eq!(again.public(now).len(), 1);
    assert!(again.verify(&token(&keys, now + LIFETIME), now).is_some());
}
