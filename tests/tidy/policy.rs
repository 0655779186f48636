//! Who makes actors, who acts as the program, and which storage functions demand no permission.

use super::layers::inside;
use super::rust_source::{code, without_tests};
use super::{assert_none, program_without_tests};

/// Who makes an actor: of an account and its roles, and nowhere else.
const MAKES_ACTORS: &[(&str, &str)] = &[
    ("model/policy/actor.rs", "the program itself"),
    ("auth/authenticator.rs", "who has signed in"),
    ("auth/sign_in.rs", "the account as it is now"),
];

/// Who acts as the program, to which the policy permits everything.
const ACTS_AS_PROGRAM: &[(&str, &str)] = &[
    ("auth/authenticator.rs", "the window, and the first start"),
    (
        "core/actions/batches/table/store_row.rs",
        "an item that an import has made and whose file cannot be stored goes to the trash",
    ),
    (
        "core/actions/batches/pages/store_page.rs",
        "pictures and texts of pages",
    ),
    (
        "core/actions/derivatives/store_derivative.rs",
        "derivatives",
    ),
    ("core/actions/seed.rs", "what a repository begins with"),
    ("core/actions/users.rs", "the first password"),
    (
        "core/actions/users/openid_sign_in.rs",
        "accounts of people of another service, by the configuration",
    ),
    (
        "core/actions/write_entity.rs",
        "texts of derivatives, after those of originals",
    ),
    ("core/fixity/progress.rs", "where the audit stands"),
    ("core/records/rebuild/fill.rs", "rows made from records"),
    ("core/records/rebuild/renew.rs", "numbers of records"),
    (
        "core/schedule.rs",
        "items are published and unpublished at their time",
    ),
    ("program/commands.rs", "commands of the owner"),
    ("program/commands/bag.rs", "commands of the owner"),
    ("program/commands/export.rs", "commands of the owner"),
    ("program/commands/import_table.rs", "commands of the owner"),
    ("program/commands/move_bytes.rs", "commands of the owner"),
    ("program/commands/terms.rs", "commands of the owner"),
    ("program/commands/tokens.rs", "commands of the owner"),
    ("program/commands/watching.rs", "commands of the owner"),
    ("watch/rules.rs", "rules of config.toml"),
];

/// Modules that hold one of these texts, without their tests.
fn modules_with(texts: &[&str]) -> Vec<String> {
    let holds = |line: &str| {
        let declares = line.contains("struct ") || line.contains("impl ") || line.contains("fn ");
        !declares && texts.iter().any(|text| line.contains(text))
    };
    let sources = program_without_tests().into_iter();
    let found = sources.filter(|file| without_tests(&code(&file.text)).lines().any(holds));
    found.map(|file| inside(&file)).collect()
}

/// Compares what is listed with what there is.
fn assert_listed(what: &str, listed: &[(&str, &str)], found: &[String]) {
    let listed: Vec<&str> = listed.iter().map(|(path, _)| *path).collect();
    let strange = found
        .iter()
        .filter(|path| !listed.contains(&path.as_str()))
        .cloned();
    assert_none(what, &strange.collect::<Vec<_>>());
    let unused = listed
        .iter()
        .filter(|path| !found.contains(&path.to_string()));
    let unused: Vec<String> = unused.map(ToString::to_string).collect();
    assert_none("exceptions that nobody needs", &unused);
}

#[test]
fn actors_are_made_of_accounts() {
    let found = modules_with(&[" Actor {", "(Actor {"]);
    assert_listed("makes an actor", MAKES_ACTORS, &found);
}

#[test]
fn few_modules_act_as_the_program() {
    let found = modules_with(&["Actor::program"]);
    assert_listed("acts as the program", ACTS_AS_PROGRAM, &found);
}

/// What the program writes about its own work, beside the change that it follows.
const OWN_WORK: &[&str] = &[
    "db/backup.rs",
    "db/batch.rs",
    "db/batch_outcome.rs",
    "db/derivative.rs",
    "db/field_index.rs",
    "db/file_facts.rs",
    "db/fixity.rs",
    "db/harvest.rs",
    "db/job.rs",
    "db/pushed.rs",
    "db/record_event.rs",
    "db/session.rs",
    "db/upload.rs",
    "db/watch_file.rs",
];

/// Storage functions beside these that demand no permission, and why.
const DEMANDS_NONE: &[(&str, &str)] = &[
    ("attempt", "makes a part of what is permitted"),
    ("lists", "writes index rows of what was permitted"),
    ("set_first_revision", "only of a row that was just inserted"),
    ("touch_access_token", "says when it was used"),
    ("touch_share_link", "says when it was used"),
    ("use_second_factor", "says which code was used"),
    ("note_files", "says what a revision shows"),
    ("set_aliases", "follows a document that was permitted"),
    ("free_aliases", "follows a deletion that was permitted"),
    ("number_trash", "only where numbers are missing"),
    ("intent_is_done", "carries out what was permitted"),
    ("give_up_intent", "carries out what was permitted"),
    ("set_watch_folder", "the ledger"),
];

/// The heads of the public functions that change the database.
fn changes(code: &str) -> Vec<&str> {
    let heads = code.split("pub fn ").skip(1);
    let heads = heads.filter_map(|rest| rest.split_once(" {").map(|(head, _)| head));
    heads.filter(|head| head.contains("&mut self")).collect()
}

#[test]
fn every_storage_function_demands_a_permission() {
    let (mut findings, mut found) = (Vec::new(), Vec::new());
    for file in program_without_tests() {
        let path = inside(&file);
        if !path.starts_with("db/") || OWN_WORK.contains(&path.as_str()) {
            continue;
        }
        let source = code(&file.text);
        for head in changes(without_tests(&source)) {
            let name = head.split(['(', '<']).next().unwrap_or_default();
            if head.contains("ermitted: &Permitted") {
                continue;
            }
            found.push(name.to_owned());
            if !DEMANDS_NONE.iter().any(|(known, _)| *known == name) {
                findings.push(format!("{path}: {name}"));
            }
        }
    }
    assert_none("changes without a permission", &findings);
    let unused = DEMANDS_NONE
        .iter()
        .filter(|(name, _)| !found.contains(&name.to_string()));
    let unused: Vec<String> = unused.map(|(name, _)| name.to_string()).collect();
    assert_none("exceptions that nobody needs", &unused);
}
