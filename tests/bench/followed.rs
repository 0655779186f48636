//! What uploads lose to the work that follows them: photographs one after the other, with that work switched on and off.

use std::path::Path;

use bytes::{Bytes, BytesMut};
use hyper::Method;

use super::load::{self, Span};
use super::report::{Figure, Goal, Report};
use super::server::Program;
use super::thumbnails::picture;
use super::writes::{copied, term};
use super::{Plan, reads, sample};

const NODES: usize = 1_000;
/// Uploads of one measurement; of four nodes in the sample, three have no file yet.
const FILES: u64 = 300;

pub async fn measure(plan: &Plan, report: &mut Report) {
    let sample = sample::repository(&plan.home, NODES).await;
    let home = plan.home.join("thumbnails");
    std::fs::create_dir_all(&home).expect("a directory");
    let photograph = picture(&home, "small.jpg[Q=85]", 2800, 2100);
    let photograph = Bytes::from(std::fs::read(photograph).expect("a picture"));
    let (mut measured, mut limits) = (Vec::new(), Vec::new());
    let mut used = Vec::new();
    for round in 0..plan.rounds {
        // Whichever comes second finds a disk that the first has used.
        let turns = [round % 2 == 0, round % 2 != 0];
        for with_work in turns {
            let name = format!("followed-{round}-{with_work}");
            let directory = copied(&sample, &plan.home.join(name));
            let server = match with_work {
                true => Program::with_derivatives(&directory).await,
                false => Program::isolario(&directory).await,
            };
            let rate = rate(&server, &directory, &photograph).await;
            let rates = match with_work {
                true => &mut measured,
                false => &mut limits,
            };
            rates.push(rate);
            used.push(directory);
        }
    }
    // Not before: file systems pass by what was removed a moment ago, one by one, whenever they make a file.
    for directory in used {
        std::fs::remove_dir_all(directory).expect("the disk");
    }
    report.add(Figure {
        work: format!(
            "PUT of {FILES} × {} KB of JPEG, one connection, with what follows",
            photograph.len() / 1000
        ),
        measured,
        limits,
        unit: "files/s",
        limit: "the same with `--no-derivatives`",
        durability: "both: bytes, names and rows synced",
        goal: Goal::AtLeast(0.9),
    });
}

async fn rate(server: &Program, directory: &Path, photograph: &Bytes) -> f64 {
    let media_use = term(directory, "Original File");
    let (address, authorization) = (server.address, reads::basic());
    let photograph = photograph.clone();
    let make = move |number: u64| {
        let node = number / 3 * 4 + number % 3 + 2;
        let path = format!("/node/{node}/media/image/{media_use}");
        // After its end a picture may have anything: no two files are the same.
        let mut bytes = BytesMut::from(&photograph[..]);
        bytes.extend_from_slice(&number.to_be_bytes());
        let request = load::send(Method::PUT, address, &path, bytes.freeze());
        let location = format!("public://followed/{number}.jpg");
        let request = load::with(request, "content-type", "image/jpeg");
        let request = load::with(request, "content-location", &location);
        load::with(request, "authorization", &authorization)
    };
    let outcome = load::run(address, 1, Span::Requests(FILES), make);
    outcome.await.rate()
}
