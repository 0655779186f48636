//! The words of hidden things, looked for in every answer, its headers included: titles, names, UUIDs, addresses, sizes
//! and MIME types.

use std::collections::BTreeSet;

use super::answers::Answers;
use super::repository::{Repository, Thing};
use super::viewer::{Kind, Viewer};

/// How words begin that were made up for one thing.
pub const MARK: &str = "zzq";
/// Of the things, every so manieth is asked for in all ways, others in other cases.
const PART: usize = 4;

/// Fails if the viewer was told a word of what they may not see, in an answer so far or in those to further questions.
pub fn check(repository: &Repository, viewer: &Viewer, case: usize) {
    let answers = Answers::new(repository, viewer);
    ask_for_the_rest(&answers, case);
    let hidden = hidden(&answers);
    for (path, text) in viewer.told.borrow().iter() {
        // Who names something is told what they named.
        let named = words(path);
        let told = words(text);
        let told: Vec<_> = told.intersection(&hidden).collect();
        let told: Vec<_> = told
            .into_iter()
            .filter(|word| !named.contains(*word))
            .collect();
        viewer.expect_equal(path, told, Vec::new());
    }
}

/// What the other checks do not ask for.
fn ask_for_the_rest(answers: &Answers, case: usize) {
    let Answers { repository, viewer } = answers;
    let of_the_case = |number: &usize| number % PART == case % PART;
    let numbers = |things: usize| (0..things).filter(of_the_case);
    let mut paths: Vec<String> = [
        "/api/v1/activity?limit=200",
        "/api/v1/trash",
        "/api/v1/jobs",
        "/api/v1/items?limit=200&fields=field_member_of,field_genre,field_model",
    ]
    .map(str::to_owned)
    .to_vec();
    for number in numbers(repository.nodes.len()) {
        let nid = repository.nodes[number].thing.id;
        paths.extend([
            format!("/node/{nid}?_format=json"),
            format!("/node/{nid}?_format=jsonld"),
            format!("/api/v1/items/{nid}/jobs"),
            format!("/api/v1/jobs?item={nid}"),
        ]);
        paths.extend(changes(Kind::Node, &repository.nodes[number].thing));
    }
    for number in numbers(repository.media.len()) {
        let media = &repository.media[number];
        let (mid, fid) = (media.thing.id, media.fid);
        paths.extend([
            format!("/media/{mid}?_format=json"),
            format!("/media/{mid}?_format=jsonld"),
            format!("/media/{mid}/edit"),
            format!("/entity/file/{fid}?_format=json"),
            format!("/entity/file/{fid}?_format=jsonld"),
            format!("/api/v1/files/{fid}/versions"),
            format!("/api/v1/media?mid={mid}"),
            format!("/api/v1/media?address={}", media.path),
        ]);
        paths.extend(changes(Kind::Media, &media.thing));
    }
    paths.iter().for_each(|path| {
        viewer.ask(path);
    });
}

fn changes(kind: Kind, thing: &Thing) -> Option<String> {
    let (vid, _) = thing.states.last()?;
    let noun = format!("/api/v1/{}/{}", kind.plural(), thing.id);
    Some(format!("{noun}/revisions/{vid}/changes"))
}

/// The words of what may not be seen. What was thrown away is judged by its last state.
fn hidden<'a>(answers: &'a Answers) -> BTreeSet<&'a str> {
    let repository = answers.repository;
    let nodes = repository.nodes.iter();
    let nodes = nodes.filter(|node| !answers.shows_node(node, node.thing.state()));
    let terms = repository.terms.iter();
    let terms = terms.filter(|term| !answers.shows_term(term.state()));
    let media = repository.media.iter().filter(|media| {
        !answers.shows_media(media, media.thing.state()) && !answers.may_have(media)
    });
    let things = nodes.map(|node| &node.thing).chain(terms);
    let things = things.chain(media.map(|media| &media.thing));
    things
        .flat_map(|thing| thing.secrets.iter().map(String::as_str))
        .collect()
}

/// The words of a text: UUIDs and numbers as they stand, and what begins with the mark wherever it stands.
fn words(text: &str) -> BTreeSet<&str> {
    let plain = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let marked = text.match_indices(MARK).filter_map(|(at, _)| {
        let end = text[at + MARK.len()..].find('q')?;
        Some(&text[at..=at + MARK.len() + end])
    });
    plain.chain(marked).collect()
}
