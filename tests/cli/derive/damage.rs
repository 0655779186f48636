//! Damage at random: every sample, with bytes changed, dropped and doubled, ends as a product or as a sentence.

use std::panic::{AssertUnwindSafe, catch_unwind};

use isolario_derive::{DeriveError, Kind, Source, derive};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{samples, with_bytes};

/// What happens to a file: at a place in thousandths of its length, a byte, and how many bytes go.
type Damage = Vec<(usize, u8, usize)>;

fn damaged(whole: &[u8], damage: &Damage) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for (place, byte, gone) in damage {
        let at = (bytes.len().saturating_sub(1)) * place / 1000;
        if let Some(one) = bytes.get_mut(at) {
            *one = *byte;
        }
        if *gone > 8 {
            let end = (at + gone - 8).min(bytes.len());
            bytes.drain(at.min(end)..end);
        }
    }
    bytes
}

#[test]
fn damage_never_ends_otherwise_than_in_words() {
    let samples = samples();
    let names = 0..samples.len();
    let kinds = Kind::ALL
        .into_iter()
        .chain([Kind::Page])
        .collect::<Vec<_>>();
    let kinds = prop::sample::select(kinds);
    let page = prop::option::of(0..4_usize);
    let place = prop_oneof![0..20_usize, 0..1000_usize];
    let damage = prop::collection::vec((place, any::<u8>(), 0..40_usize), 1..6);
    let mut runner = TestRunner::new(Config::with_cases(200));
    let outcome = runner.run(
        &(names, kinds, page, damage),
        |(number, kind, page, damage)| {
            let (name, bytes) = &samples[number];
            let bytes = damaged(bytes, &damage);
            let source = Source::new(with_bytes(&bytes), "image/x", Some(name)).expect("a file");
            let mut source = match page {
                Some(page) => source.of_page(page),
                None => source,
            };
            let work = AssertUnwindSafe(|| derive(kind, &mut source, &mut std::io::sink()));
            match catch_unwind(work) {
                Ok(Ok(_) | Err(DeriveError::Missing(_))) => {}
                Ok(Err(DeriveError::Unreadable(words))) => {
                    prop_assert!(words.ends_with('.'), "{words}")
                }
                Ok(Err(DeriveError::Failed(words))) => prop_assert!(false, "{name}: {words}"),
                Err(_) => prop_assert!(false, "{name} brought its reader down"),
            }
            Ok(())
        },
    );
    outcome.expect("words");
}
