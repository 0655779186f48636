//! Tiles of a large picture by the IIIF Image API, beside `vips crop` (Debian's libvips-tools) on a pyramid of the same
//! picture: a process of its own for each tile, as servers that call vips do.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use hyper::Method;
use serde_json::Value;

use super::load::{self, Outcome, Span};
use super::machine::{SERVER_CORE, pinned};
use super::report::{Figure, Goal, Report, median};
use super::server::Program;
use super::thumbnails::picture;
use super::writes::{copied, term};
use super::{Plan, reads, sample};

const WIDTH: u32 = 12_000;
const HEIGHT: u32 = 9_000;
const SIDE: u32 = 512;
const REQUESTS: u64 = 200;
/// A tile later than this is seen to come late, milliseconds.
const BUDGET: f64 = 15.0;
const NOTHING_WRITTEN: &str = "reads only";

pub async fn measure(plan: &Plan, report: &mut Report) {
    let home = plan.home.join("tiles");
    std::fs::create_dir_all(&home).expect("a directory");
    let scan = picture(&home, "scan.tif[compression=lzw]", WIDTH, HEIGHT);
    let pyramid = pyramid(&home, &scan);
    let sample = sample::repository(&plan.home, 1_000).await;
    let directory = copied(&sample, &plan.home.join("viewed"));
    let server = Program::with_derivatives(&directory).await;
    let image = upload(&server, &directory, &scan).await;
    wait_for_tiles(&server, &image).await;
    let (mut tiles, mut regions, mut limits) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..plan.rounds as u64 {
        tiles.push(ask(&server, &image, round, SIDE).await.p50());
        regions.push(ask(&server, &image, round, SIDE - 1).await.p50());
        limits.push(of_vips(&pyramid, &home, round));
    }
    let mut add = |work: &str, measured: &[f64], limits: Vec<f64>, limit| {
        report.add(Figure {
            work: format!("{work} of a 108-megapixel TIFF, p50"),
            measured: measured.to_vec(),
            limits,
            unit: "ms",
            limit,
            durability: NOTHING_WRITTEN,
            goal: Goal::AtMost(1.0),
        });
    };
    let budget = || vec![BUDGET; plan.rounds];
    add("a tile", &tiles, budget(), "15 ms");
    add("a region across four tiles", &regions, budget(), "15 ms");
    let vips = "vips crop on a pyramid of JPEG tiles";
    add("a region across four tiles", &regions, limits, vips);
    drop(server);
    std::fs::remove_dir_all(&directory).expect("the disk");
}

/// Places that follow each other at random: the left upper corner of a square that is `step` or more beside the last.
fn place(number: u64, step: u32) -> (u32, u32) {
    let at = |salt: u64, length: u32| {
        load::scattered(number * 2 + salt, u64::from(length / step - 1)) as u32 * step
    };
    (at(0, WIDTH), at(1, HEIGHT))
}

async fn ask(server: &Program, image: &str, round: u64, step: u32) -> Outcome {
    let (address, image) = (server.address, image.to_owned());
    let make = move |number: u64| {
        let (left, top) = place(round * REQUESTS + number, step);
        let region = format!("{left},{top},{SIDE},{SIDE}");
        load::get(address, &format!("{image}/{region}/{SIDE},/0/default.jpg"))
    };
    load::run(address, 1, Span::Requests(REQUESTS), make).await
}

/// The address of the image.
async fn upload(server: &Program, directory: &Path, scan: &Path) -> String {
    let term = term(directory, "Original File");
    let bytes = std::fs::read(scan).expect("a picture");
    let mut sender = load::connect(server.address).await;
    let path = format!("/node/2/media/file/{term}");
    let request = load::send(Method::PUT, server.address, &path, bytes);
    let request = load::with(request, "content-location", "public://scan.tif");
    let request = load::with(request, "content-type", "image/tiff");
    let request = load::with(request, "authorization", &reads::basic());
    let answer = load::ask(&mut sender, request).await;
    assert_eq!(answer.status(), 201, "{:?}", answer.body());
    let media = answer.headers()["location"].to_str().expect("an address");
    let number = media.rsplit('/').next().expect("a number");
    let request = load::get(server.address, &format!("/media/{number}?_format=json"));
    let request = load::with(request, "authorization", &reads::basic());
    let answer = load::ask(&mut sender, request).await;
    let media: Value = serde_json::from_slice(answer.body()).expect("JSON");
    let file = media.pointer("/field_media_file/0/target_id");
    format!("/iiif/image/3/{}", file.expect("a file"))
}

async fn wait_for_tiles(server: &Program, image: &str) {
    let mut sender = load::connect(server.address).await;
    let first = format!("{image}/0,0,{SIDE},{SIDE}/{SIDE},/0/default.jpg");
    loop {
        let answer = load::ask(&mut sender, load::get(server.address, &first)).await;
        match answer.status().as_u16() {
            200 => break,
            503 => tokio::time::sleep(Duration::from_millis(500)).await,
            status => panic!("{status}: {:?}", answer.body()),
        }
    }
}

fn pyramid(home: &Path, scan: &Path) -> std::path::PathBuf {
    let path = home.join("pyramid.tif");
    if !path.exists() {
        let mut command = Command::new("vips");
        command.arg("tiffsave").arg(scan).arg(&path);
        command.args(["--tile", "--pyramid", "--compression=jpeg", "--Q=92"]);
        command.args(["--tile-width=512", "--tile-height=512"]);
        assert!(command.status().expect("vips").success(), "no pyramid");
    }
    path
}

/// The middle of the times that `vips` takes for such regions, milliseconds.
fn of_vips(pyramid: &Path, home: &Path, round: u64) -> f64 {
    let times = (0..REQUESTS / 10).map(|number| {
        let (left, top) = place(round * REQUESTS + number, SIDE - 1);
        let mut command = pinned(SERVER_CORE, Path::new("vips"));
        command
            .env("VIPS_CONCURRENCY", "1")
            .arg("crop")
            .arg(pyramid);
        command.arg(home.join("tile.jpg"));
        command.args([left, top, SIDE, SIDE].map(|number| number.to_string()));
        let started = Instant::now();
        assert!(command.status().expect("vips").success(), "no tile");
        started.elapsed().as_secs_f64() * 1e3
    });
    median(&times.collect::<Vec<_>>())
}
