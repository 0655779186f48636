//! Mirrors and turns (Image API 3.0, 4.3).

use crate::image_request::Rotation;
use crate::planes::Planes;

/// Mirrored at the vertical axis, then turned clockwise. What is beside a picture that is turned by other than quarters
/// is not there.
pub(crate) fn rotate(planes: Planes, rotation: Rotation) -> Planes {
    let (width, height) = (planes.width, planes.height);
    let upright = match rotation.mirrored {
        true => moved(planes, (width, height), |x, y| (width - 1 - x, y)),
        false => planes,
    };
    if rotation.degrees == 90.0 {
        moved(upright, (height, width), |x, y| (y, height - 1 - x))
    } else if rotation.degrees == 180.0 {
        moved(upright, (width, height), |x, y| {
            (width - 1 - x, height - 1 - y)
        })
    } else if rotation.degrees == 270.0 {
        moved(upright, (height, width), |x, y| (width - 1 - y, x))
    } else if rotation.degrees == 0.0 {
        upright
    } else {
        turned(&upright, rotation.degrees.to_radians())
    }
}

/// Another order of the same pixels; `from` says where a pixel was.
fn moved(planes: Planes, size: (u32, u32), from: impl Fn(u32, u32) -> (u32, u32)) -> Planes {
    let line = planes.width as usize;
    let channels = planes.channels.iter().map(|plane| {
        let mut target = Vec::with_capacity(plane.len());
        for y in 0..size.1 {
            target.extend((0..size.0).map(|x| {
                let (x, y) = from(x, y);
                plane[y as usize * line + x as usize]
            }));
        }
        target
    });
    Planes {
        width: size.0,
        height: size.1,
        channels: channels.collect(),
        alpha: None,
    }
}

/// Turned clockwise by any angle, on a canvas that holds all of it.
fn turned(planes: &Planes, angle: f64) -> Planes {
    let (sine, cosine) = angle.sin_cos();
    let (width, height) = (f64::from(planes.width), f64::from(planes.height));
    let across = (width * cosine.abs() + height * sine.abs()).ceil().max(1.0);
    let along = (width * sine.abs() + height * cosine.abs()).ceil().max(1.0);
    let (wide, high) = (across as u32, along as u32);
    let area = wide as usize * high as usize;
    let mut channels = vec![Vec::with_capacity(area); planes.channels.len()];
    let mut alpha = Vec::with_capacity(area);
    for row in 0..high {
        for column in 0..wide {
            let x = f64::from(column) + 0.5 - across / 2.0;
            let y = f64::from(row) + 0.5 - along / 2.0;
            let from_x = x * cosine + y * sine + width / 2.0;
            let from_y = y * cosine - x * sine + height / 2.0;
            let there = (0.0..width).contains(&from_x) && (0.0..height).contains(&from_y);
            alpha.push(if there { 255 } else { 0 });
            for (target, plane) in channels.iter_mut().zip(&planes.channels) {
                target.push(match there {
                    true => between(planes, plane, from_x - 0.5, from_y - 0.5),
                    false => 255,
                });
            }
        }
    }
    Planes {
        width: wide,
        height: high,
        channels,
        alpha: Some(alpha),
    }
}

/// The mean of the four pixels around a place, by their distance.
fn between(planes: &Planes, plane: &[u8], x: f64, y: f64) -> u8 {
    let clamped = |place: f64, length: u32| (place.max(0.0) as u32).min(length - 1);
    let sample = |x: f64, y: f64| {
        let at = clamped(y, planes.height) as usize * planes.width as usize;
        f64::from(plane[at + clamped(x, planes.width) as usize])
    };
    let (left, top) = (x.floor(), y.floor());
    let (right_weight, lower_weight) = (x - left, y - top);
    let upper = sample(left, top) * (1.0 - right_weight) + sample(left + 1.0, top) * right_weight;
    let lower = sample(left, top + 1.0) * (1.0 - right_weight)
        + sample(left + 1.0, top + 1.0) * right_weight;
    (upper * (1.0 - lower_weight) + lower * lower_weight).round() as u8
}
