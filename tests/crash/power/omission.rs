//! What becomes of the program when one of its syncs is left out.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use super::disk::Survivors;
use super::judge::judge;
use super::record::Entry;
use super::recorder::Recording;
use super::remains::Remains;
use super::script;
use super::sites::sites;
use super::sources::syncs;
use crate::chance::Chance;
use crate::running::seed;

/// As many cuts of a kind are looked at before a sync is said to be for nothing.
const TRIES: usize = 8;
/// A sync is soon needed, or for order among others soon after it.
const SOON: usize = 60;
/// Judged at the same time.
const THREADS: usize = 2;
/// Syncs that are not ours to leave out, and one that bounds what is done again.
const EXCUSED: [(&str, &str); 3] = [
    (
        "core/audit_log/",
        "the audit log, whose end is written again from the database",
    ),
    (
        "SQLite: isolario.db-journal",
        "of a database in which there is nothing yet",
    ),
    (
        "SQLite: data",
        "of names that we bring to the disk before anybody is answered",
    ),
];

#[test]
fn a_program_that_leaves_out_one_sync_is_found_out() {
    let seed = seed();
    println!("SEED={seed}");
    let recording = script::record(Chance::new(seed));
    let sites = sites(&recording);
    let met = |sync: &String| {
        sites
            .keys()
            .any(|site| site.starts_with(&format!("{sync},")))
    };
    let unmet: Vec<String> = syncs().into_iter().filter(|sync| !met(sync)).collect();
    assert_eq!(unmet, [""; 0], "the script never came to these syncs");
    let sites = sites.into_iter();
    let sites = sites.filter(|(site, _)| {
        EXCUSED
            .iter()
            .all(|(excused, _)| !site.starts_with(excused))
    });
    let (sites, unfound) = (Mutex::new(sites), Mutex::new(Vec::new()));
    let work = || {
        let next = || sites.lock().expect("whole").next();
        while let Some((site, syncs)) = next() {
            match loss(&recording, &syncs) {
                Some(loss) => println!("{site}, {} times: {loss}", syncs.len()),
                None => unfound.lock().expect("whole").push(site),
            }
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
    let unfound = unfound.into_inner().expect("whole");
    assert_eq!(unfound, [""; 0], "nothing is lost without these syncs");
}

/// What the judge has against the repository after a power cut, if some syncs are left out.
fn loss(recording: &Recording, syncs: &BTreeSet<usize>) -> Option<String> {
    cuts_that_differ(recording, syncs).iter().find_map(|cut| {
        let judged = |remains: &Remains| judge(recording, remains, cut.entries);
        let verdict = catch_unwind(AssertUnwindSafe(|| judged(&cut.without)));
        let said = verdict.err()?;
        // The same cut does no harm to the program as it is.
        judged(&cut.with);
        let said = match said.downcast_ref::<String>() {
            Some(said) => said,
            None => said.downcast_ref::<&str>().copied().unwrap_or_default(),
        };
        Some(said.lines().next().unwrap_or_default().to_owned())
    })
}

/// A power cut after so many entries, with and without some syncs.
struct Cut {
    entries: usize,
    with: Remains,
    without: Remains,
}

/// Cuts after which something else remains without some syncs: after an answer, when nothing else
/// survives, or all else does; and between two changes, when the second survives without the first,
/// above all the one that came next.
fn cuts_that_differ(recording: &Recording, syncs: &BTreeSet<usize>) -> Vec<Cut> {
    let (mut right, mut wrong) = (recording.disk(), recording.disk());
    let (mut answered, mut ordered, mut next) = (Vec::new(), Vec::new(), Vec::new());
    let mut synced = BTreeSet::new();
    let mut named_after = None;
    for (at, entry) in recording.entries.iter().enumerate() {
        match syncs.contains(&at) {
            true => synced.extend(right.synced(entry)),
            false => wrong.follow(entry),
        }
        right.follow(entry);
        let Some(last) = syncs.range(..=at).next_back() else {
            continue;
        };
        let entries = at + 1;
        let cut = |survivors: &Survivors| {
            let [with, without] = [&right, &wrong].map(|disk| disk.cut(survivors));
            (with != without).then_some(Cut {
                entries,
                with,
                without,
            })
        };
        if matches!(entry, Entry::Answered(_)) || entries == recording.entries.len() {
            answered.extend(cut(&Survivors::Nothing));
            answered.extend(cut(&Survivors::Beside(synced.clone())));
        }
        if at - last < SOON && entry.changes_names() {
            let is_next = named_after.replace(last) != Some(last);
            let kind = if is_next { &mut next } else { &mut ordered };
            kind.extend(cut(&Survivors::Newest));
        }
    }
    in_turn(in_turn(spread(answered), spread(next)), spread(ordered))
}

/// Some of many, from the first to the last.
fn spread(cuts: Vec<Cut>) -> Vec<Cut> {
    let last = cuts.len().saturating_sub(1);
    let chosen: BTreeSet<usize> = (0..TRIES)
        .map(|number| number * last / (TRIES - 1))
        .collect();
    let cuts = cuts.into_iter().enumerate();
    let cuts = cuts.filter(|(at, _)| chosen.contains(at));
    cuts.map(|(_, cut)| cut).collect()
}

/// One of these, one of those.
fn in_turn(these: Vec<Cut>, those: Vec<Cut>) -> Vec<Cut> {
    let (mut these, mut those) = (these.into_iter(), those.into_iter());
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(these.next());
        all.extend(those.next());
        if all.len() == before {
            return all;
        }
    }
}
