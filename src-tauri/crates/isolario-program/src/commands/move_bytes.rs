//! Moves the bytes of all files into the bucket, or back to the disk.

use std::sync::Arc;

use super::{Output, Progress};
use isolario_core::actions::move_bytes::{Destination, MoveReport, move_bytes};
use isolario_core::repository::Repository;
use isolario_model::policy::Actor;

/// Carries it out.
pub(super) async fn run(
    repository: &Arc<Repository>,
    destination: Destination,
    progress: &Progress,
) -> Output {
    let say = progress.say();
    match move_bytes(repository, &Actor::program(), destination, &*say).await {
        Ok(report) => output(&report, destination),
        Err(refusal) => Output::failed(format!("No bytes were moved. {refusal}")),
    }
}

fn output(report: &MoveReport, destination: Destination) -> Output {
    let MoveReport {
        versions,
        bytes,
        left,
        ..
    } = report;
    let place = match destination {
        Destination::Disk => "to the disk",
        Destination::Bucket => "into the bucket",
    };
    let mut lines = vec![format!(
        "{versions} versions of files, {bytes} bytes, were moved {place}."
    )];
    lines.extend(report.faults.iter().cloned());
    if let Some(reason) = &report.stopped {
        lines.push(format!("It ended early: {reason}"));
    }
    match (left, destination) {
        (0, Destination::Bucket) => {}
        (0, Destination::Disk) if report.is_given_up => lines.push(
            "The bucket is empty and no longer that of this repository. Remove [bytes] from config.toml before the next \
             start."
                .into(),
        ),
        (0, Destination::Disk) => lines.push(
            "Something is still on its way out of the bucket. Ask for it again to give the bucket up.".into(),
        ),
        (left, _) => lines.push(format!(
            "{left} versions are still where they were. Ask for it again to move them."
        )),
    }
    let is_done = *left == 0 && (destination == Destination::Bucket || report.is_given_up);
    Output {
        text: lines.join("\n"),
        code: u8::from(!is_done),
        is_answer: true,
        report: None,
    }
}
