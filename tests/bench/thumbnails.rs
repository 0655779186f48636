//! Thumbnails per second and core, beside `vipsthumbnail` (Debian's libvips-tools) on the same files: each a process of its
//! own, started anew for every picture, as the program does.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::Plan;
use super::machine::{SERVER_CORE, pinned};
use super::report::{Figure, Goal, Report};

/// A picture of the measurement: name, how vips keeps it, width and height, MIME type.
const PICTURES: [(&str, &str, u32, u32, &str); 2] = [
    (
        "12-megapixel JPEG",
        "jpeg.jpg[Q=90]",
        4000,
        3000,
        "image/jpeg",
    ),
    (
        "50-megapixel TIFF",
        "tiff.tif[compression=none]",
        8660,
        5774,
        "image/tiff",
    ),
];

/// Adds a figure for each picture.
pub fn measure(plan: &Plan, report: &mut Report) {
    let home = plan.home.join("thumbnails");
    std::fs::create_dir_all(&home).expect("a directory");
    for (name, kept, width, height, mime) in PICTURES {
        let picture = picture(&home, kept, width, height);
        let mut figure = Figure {
            work: format!("thumbnails of a {name}"),
            measured: Vec::new(),
            limits: Vec::new(),
            unit: "per second and core",
            limit: "vipsthumbnail",
            durability: "none, none",
            goal: Goal::AtLeast(0.5),
        };
        for _ in 0..plan.rounds {
            figure
                .measured
                .push(rate(plan, || isolario(&picture, mime)));
            figure.limits.push(rate(plan, || vips(&picture, &home)));
        }
        report.add(figure);
    }
}

/// Runs per second.
fn rate(plan: &Plan, command: impl Fn() -> Command) -> f64 {
    let started = Instant::now();
    let mut done = 0.0;
    while started.elapsed() < plan.span {
        let status = command().status().expect("a program that starts");
        assert!(status.success(), "no thumbnail");
        done += 1.0;
    }
    done / started.elapsed().as_secs_f64()
}

fn isolario(picture: &Path, mime: &str) -> Command {
    let mut command = pinned(SERVER_CORE, Path::new(env!("CARGO_BIN_EXE_isolario")));
    command
        .args(["derive", "thumbnail", "--mime", mime])
        .stdin(File::open(picture).expect("a picture"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn vips(picture: &Path, home: &Path) -> Command {
    let mut command = pinned(SERVER_CORE, Path::new("vipsthumbnail"));
    let target = home.join("thumbnail.jpg[Q=82]");
    command
        .arg(picture)
        .args(["--size", "512", "-o"])
        .arg(target);
    command.env("VIPS_CONCURRENCY", "1");
    command
}

/// A picture with the grain and the edges of a photograph, made once.
pub fn picture(home: &Path, kept: &str, width: u32, height: u32) -> PathBuf {
    let path = home.join(kept.split('[').next().unwrap_or(kept));
    if path.exists() {
        return path;
    }
    let plain = home.join("plain.ppm");
    let mut out = BufWriter::new(File::create(&plain).expect("a file"));
    writeln!(out, "P6 {width} {height} 255").expect("written");
    let mut grain = 1_u32;
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (f64::from(x), f64::from(y));
            let hill = (x / 310.0).sin() + (y / 170.0).cos() + ((x + y) / 47.0).sin() / 3.0;
            let edge = if ((x / 90.0 + y / 210.0) as u32).is_multiple_of(3) {
                30.0
            } else {
                0.0
            };
            grain = grain.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let light = 110.0 + 40.0 * hill + edge + f64::from(grain >> 29);
            let pixel = [light, light * 0.9 + 10.0, light * 0.7 + 30.0].map(|one| one as u8);
            out.write_all(&pixel).expect("written");
        }
    }
    drop(out);
    let made = Command::new("vips")
        .arg("copy")
        .arg(&plain)
        .arg(home.join(kept))
        .status();
    assert!(made.expect("vips").success(), "no picture");
    std::fs::remove_file(&plain).expect("removed");
    path
}
