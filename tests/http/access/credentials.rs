//! Credentials that do not hold: every route refuses them, and none treats their bearer as anonymous.
//! Only a session that has ended is forgotten, as a browser cannot help sending it.

use std::net::Ipv4Addr;

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::json;

use super::people::{DISABLED, EDITOR, OWNER, Way, set};
use super::table::Row;
use super::{House, ask};
use crate::support::{ADMIN, PLAIN, Person, Request, TestServer};

/// Those who may sign in.
const PEOPLE: [Person; 4] = [PLAIN, OWNER, EDITOR, ADMIN];

impl House<'_> {
    /// One request to every route: who is refused is refused before things matter.
    fn routes(&self) -> Vec<Row> {
        let mut seen = Vec::new();
        let mut rows = Vec::new();
        for row in &self.rows {
            let name = (row.method.clone(), row.parts().0.to_owned());
            if !seen.contains(&name) {
                seen.push(name);
                rows.push(row.clone());
            }
        }
        rows
    }

    /// Asks every route; fails unless each answers as expected.
    #[track_caller]
    fn expect(
        &self,
        sign: impl for<'a> Fn(Request<'a>, usize) -> Request<'a>,
        expected: impl Fn(&Row) -> u16,
    ) {
        let routes = self.routes().into_iter().enumerate();
        let wrong: Vec<String> = routes
            .filter_map(|(number, row)| {
                let answer = sign(ask(self.server, &row, &self.things), number).send();
                let expected = expected(&row);
                (answer.status != expected)
                    .then(|| format!("{}: {}, not {expected}", answer.request, answer.status))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[track_caller]
    fn expect_refusal(&self, sign: impl for<'a> Fn(Request<'a>, usize) -> Request<'a>) {
        self.expect(sign, |_| 401);
    }
}

/// An address of this machine that nobody has asked from: more than a few guesses from one would be flood control's.
fn fresh_address(number: usize) -> Ipv4Addr {
    let [high, low] = u16::try_from(number + 1).expect("few routes").to_be_bytes();
    Ipv4Addr::new(127, 1, high, low)
}

/// A token of somebody whose time is over, signed with the right key.
fn expired(server: &TestServer, person: Person, token: &str) -> String {
    let now = chrono::Utc::now().timestamp();
    let claims = json!({
        "iat": now - 7300,
        "exp": now - 100,
        "drupal": {"uid": person.uid.to_string()},
        "webid": person.uid.to_string(),
        "iss": format!("https://{}", server.address()),
        "sub": person.name,
        "roles": ["authenticated"],
        "aud": ["islandora"],
    });
    let header = Header {
        kid: jsonwebtoken::decode_header(token).expect("a header").kid,
        ..Header::new(jsonwebtoken::Algorithm::RS256)
    };
    let key = EncodingKey::from_rsa_pem(&server.signing_key()).expect("an RSA key");
    encode(&header, &claims, &key).expect("signed")
}

#[test]
fn wrong_passwords_and_unknown_names_are_refused_everywhere() {
    let server = TestServer::start();
    let house = House::new(&server);
    house.expect_refusal(|request, number| {
        let name = PEOPLE[number % PEOPLE.len()].name;
        request.basic(name, "a guess").from(fresh_address(number))
    });
    house.expect_refusal(|request, number| {
        let name = format!("unknown{number}");
        request.basic(&name, "a guess").from(fresh_address(number))
    });
}

#[test]
fn tokens_that_are_none_or_over_are_refused_everywhere() {
    let server = TestServer::start();
    let house = House::new(&server);
    house.expect_refusal(|request, _| request.bearer("no.token.atall"));
    for person in PEOPLE {
        let token = server.token(person.name, person.password);
        let own = format!("/user/{}", person.uid);
        server.get(&own).bearer(&token).send().expect(200);
        let over = expired(&server, person, &token);
        house.expect_refusal(|request, _| request.bearer(&over));
    }
}

#[test]
fn a_disabled_account_is_refused_everywhere_and_its_session_is_forgotten() {
    let server = TestServer::start();
    let house = House::new(&server);
    set(&server, DISABLED, json!({"active": true}));
    let token = server.token(DISABLED.name, DISABLED.password);
    let cookie = Way::cookie(&server, DISABLED);
    let session = cookie.sign(server.get("/api/v1/session")).send();
    assert_eq!(session.expect(200).json()["user"]["name"], DISABLED.name);
    set(&server, DISABLED, json!({"active": false}));
    house.expect_refusal(|request, _| request.bearer(&token));
    house.expect_refusal(|request, number| {
        let request = request.signed_in(DISABLED);
        request.from(fresh_address(number))
    });
    house.expect(|request, _| cookie.sign(request), |row| row.statuses[0]);
}

#[test]
fn a_token_for_a_collection_changes_nothing_outside_of_it() {
    let server = TestServer::start();
    let house = House::new(&server);
    let model = json!([{"target_id": server.term("islandora_models", "Collection")}]);
    let empty = server.create_object_with("Empty", json!({"field_model": model}));
    let body = json!({"name": "Scanner", "scope": "collection", "collection": empty});
    let made = server.post("/api/v1/tokens").as_admin().json(body).send();
    let token = made.expect(201).json()["token"].clone();
    let token = token.as_str().expect("a token");
    let unsafe_routes = house.routes().into_iter().filter(|row| !row.is_safe());
    let done = unsafe_routes.filter_map(|row| {
        let answer = ask(&server, &row, &house.things).bearer(token).send();
        (answer.status < 300).then(|| format!("{} {}", row.method, row.parts().0))
    });
    // A file that nothing uses yet; a cookie of the browser; what reads; who has an item open; the things in the trash that they may remove, which
    // are none; a look for work.
    let harmless = [
        "POST /file/upload/media/image/field_media_image",
        "POST /file/upload/media/audio/field_media_audio_file",
        "DELETE /api/v1/session/link",
        "POST /oai/request",
        "PUT /api/v1/items/{node}/presence/page",
        "DELETE /api/v1/items/{node}/presence/page",
        "DELETE /api/v1/trash",
        "POST /api/v1/jobs/look",
    ];
    assert_eq!(done.collect::<Vec<_>>(), harmless);
}
