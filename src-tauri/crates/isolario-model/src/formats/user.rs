//! An account as JSON: its public facts, and the private ones for those who may see them.

use serde_json::{Value, json};

use crate::content::UserRecord;
use crate::fields::{TIMESTAMP_FORMAT, iso};

/// An account as a client reads it. Mail and time zone belong to the account's own user and to
/// those who administer accounts: `private` says whether this is one of them.
pub fn write_user(user: &UserRecord, time_zone: &str, private: bool) -> Value {
    let mut resource = json!({
        "uid": [{ "value": user.uid }],
        "uuid": [{ "value": user.uuid }],
        "langcode": [{ "value": "en" }],
        "preferred_langcode": [{ "value": "en" }],
        "preferred_admin_langcode": [],
        "name": [{ "value": user.name }],
    });
    if private {
        let mail = user.mail.as_ref();
        resource["mail"] = mail
            .map(|mail| json!({ "value": mail }))
            .into_iter()
            .collect();
        resource["timezone"] = json!([{ "value": time_zone }]);
    }
    resource["created"] = json!([time(user.created)]);
    resource["changed"] = json!([time(user.changed)]);
    resource["default_langcode"] = json!([{ "value": true }]);
    resource["user_picture"] = json!([]);
    resource
}

fn time(seconds: i64) -> Value {
    json!({ "value": iso(seconds), "format": TIMESTAMP_FORMAT })
}
