//! Doors that some clients know under another address, and those to tokens.

use serde_json::json;

use super::{Door, EVERYBODY, SIGNED_IN, door};
use crate::support::png;

/// The same things at the addresses of their forms, and the route by which derivatives come.
pub fn other_addresses() -> Vec<Door> {
    vec![
        door(EVERYBODY, |server, things| {
            server.get(&format!("/media/{}/edit?_format=json", things.mid))
        }),
        door([200, 403, 403, 401], |server, things| {
            let body = json!({"bundle": [{"target_id": "image"}], "name": [{"value": "Written"}]});
            let path = format!("/media/{}/edit?_format=json", things.mid);
            server.patch(&path).json(body)
        }),
        door([204, 403, 403, 401], |server, things| {
            server.delete(&format!("/media/{}/edit", things.mid))
        }),
        door([204, 403, 403, 401], |server, things| {
            server.delete(&format!("/entity/file/{}/edit", things.fid))
        }),
        door([204, 204, 403, 401], |server, things| {
            let path = format!("/media/add_derivative/{}/field_media_image", things.mid);
            server.put(&path).body("image/png", png(20, 10))
        }),
    ]
}

/// A token is for who has signed in, the keys that verify it for everybody.
pub fn token_doors() -> Vec<Door> {
    vec![
        door(SIGNED_IN, |server, _| server.post("/jwt/token")),
        door(EVERYBODY, |server, _| server.get("/.well-known/jwks.json")),
    ]
}
