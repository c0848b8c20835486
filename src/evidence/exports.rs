//! Poses in the forms that other tools read: CSV, and nerfstudio's `transforms.json`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::pose::Pose;
use super::space;

/// The JSON schema of `transforms.json`, draft 2020-12.
pub const TRANSFORMS_SCHEMA: &str = include_str!("schema/transforms.schema.json");

/// The first line of `poses.csv`. Positions in scene units, quaternions x y z w; `gpu_` columns as the GPU's matrices
/// tell, empty where a source is missing; flags joined by `|`.
pub const CSV_HEADER: &str = "frame,time,camera,x,y,z,qx,qy,qz,qw,fov,near,far,gpu_x,gpu_y,gpu_z,gpu_qx,gpu_qy,gpu_qz,gpu_qw,\
drone,drone_x,drone_y,drone_z,drone_in_view,flags";

/// A frame's line, without the end of line.
pub fn csv_line(pose: &Pose) -> String {
    let mut line = format!("{},{}", pose.frame, pose.time);
    let numbers = |line: &mut String, values: &[f64]| {
        for value in values {
            let _ = write!(line, ",{value}");
        }
    };
    match &pose.camera {
        Some(camera) => {
            let _ = write!(line, ",{}", quoted(&camera.name));
            numbers(&mut line, &camera.position);
            numbers(&mut line, &camera.quaternion);
            match camera.fov {
                Some(fov) => numbers(&mut line, &[fov]),
                None => line.push(','),
            }
            numbers(&mut line, &[camera.near, camera.far]);
        }
        None => line.push_str(",,,,,,,,,,,"),
    }
    match &pose.gpu {
        Some(gpu) => {
            numbers(&mut line, &gpu.position);
            numbers(&mut line, &gpu.quaternion);
        }
        None => line.push_str(",,,,,,,"),
    }
    match &pose.drone {
        Some(drone) => {
            let _ = write!(line, ",{}", quoted(&drone.name));
            numbers(&mut line, &drone.position);
            let _ = write!(line, ",{}", drone.in_view);
        }
        None => line.push_str(",,,,,"),
    }
    let flags: Vec<String> = pose.flags.iter().map(|flag| flag.to_string()).collect();
    let _ = write!(line, ",{}", flags.join("|"));
    line
}

/// RFC 4180.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Why `transforms.json` lacks a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    NoCamera,
    /// nerfstudio has no model of such a camera.
    NoPinhole,
}

/// One frame of `transforms.json`: a pinhole of `width` × `height` pixels, camera to world with x right, y up, z back
/// (OpenGL, as nerfstudio wants it).
///
/// # Errors
/// Its camera is unknown or no perspective one.
pub fn transforms_frame(pose: &Pose, file: &str, width: u32, height: u32) -> Result<Value, LeftOut> {
    let gpu = pose.gpu.as_ref().map(|gpu| (gpu.view, gpu.projection));
    let seen = gpu.or(pose.camera.as_ref().map(|camera| (camera.view, camera.projection)));
    let (view, projection) = seen.ok_or(LeftOut::NoCamera)?;
    let world = space::inverse(&space::matrix(&view)).ok_or(LeftOut::NoCamera)?;
    let p = projection;
    if p[15] != 0.0 || p[11] == 0.0 {
        return Err(LeftOut::NoPinhole);
    }
    let (w, h) = (f64::from(width), f64::from(height));
    let rows: Vec<Vec<f64>> = (0..4).map(|row| world.row(row).to_array().to_vec()).collect();
    Ok(json!({
        "file_path": file,
        "frame": pose.frame,
        "time": pose.time,
        "transform_matrix": rows,
        "fl_x": p[0] * w / 2.0,
        "fl_y": p[5] * h / 2.0,
        "cx": (1.0 - p[8]) * w / 2.0,
        "cy": (1.0 + p[9]) * h / 2.0,
        "w": width,
        "h": height,
    }))
}

/// The command that makes the pictures of a video that [`transforms_frame`] names, in the folder of `transforms.json`.
fn extract(video: &str) -> String {
    format!("mkdir -p {IMAGES} && ffmpeg -i {video} -start_number 0 {IMAGES}/%06d.png")
}

/// Where these pictures go: nerfstudio wants a picture a frame, and names its own folder so.
pub const IMAGES: &str = "images";

/// The whole file. `video` is the name of the film whose pictures are not there yet; `left_out` says why frames lack.
pub fn transforms(frames: Vec<Value>, video: Option<&str>, left_out: &[LeftOut]) -> Value {
    let mut out =
        json!({ "camera_model": "OPENCV", "k1": 0.0, "k2": 0.0, "p1": 0.0, "p2": 0.0, "frames": Value::Array(frames) });
    let of = |why: LeftOut| left_out.iter().filter(|left| **left == why).count();
    let mut notes = Vec::new();
    notes.extend(video.map(|video| format!("the pictures are made from the film by: {}", extract(video))));
    notes.extend(no_pinhole_note(of(LeftOut::NoPinhole)));
    match of(LeftOut::NoCamera) {
        0 => {}
        n => notes.push(format!("{n} frames are left out: no three.js camera is known to have made their pictures")),
    }
    out["note"] = if notes.is_empty() { Value::Null } else { json!(notes.join("; ")) };
    out
}

/// What is to be said of frames that no pinhole camera made.
pub fn no_pinhole_note(frames: usize) -> Option<String> {
    let why = "their camera is orthographic, which nerfstudio has no model for (poses.jsonl has them)";
    (frames > 0).then(|| format!("{frames} frames are left out of transforms.json: {why}"))
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, DVec3};

    use super::*;
    use crate::evidence::pose::CameraMatrices;

    fn pose() -> Pose {
        // At (1, 2, 3), looking along −x.
        let world = DMat4::from_translation(DVec3::new(1.0, 2.0, 3.0)) * DMat4::from_rotation_y(90_f64.to_radians());
        let gpu = CameraMatrices {
            position: [1.0, 2.0, 3.0],
            quaternion: [0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt()],
            view: world.inverse().to_cols_array(),
            projection: space::perspective(90_f64.to_radians(), 2.0, 0.1, 10.0).to_cols_array(),
            draws: 1,
        };
        Pose { frame: 7, time: 0.25, gpu: Some(gpu), ..Pose::default() }
    }

    #[test]
    fn a_pinhole_of_ninety_degrees_has_half_its_height_as_focal_length() {
        let frame = transforms_frame(&pose(), "frames/000007.png", 200, 100).unwrap();
        let number = |key: &str| frame[key].as_f64().unwrap();
        assert!((number("fl_y") - 50.0).abs() < 1e-9 && (number("fl_x") - 50.0).abs() < 1e-9);
        assert_eq!((number("cx"), number("cy")), (100.0, 50.0));
        let at = |row: usize, column: usize| frame["transform_matrix"][row][column].as_f64().unwrap();
        assert_eq!([at(0, 3), at(1, 3), at(2, 3), at(3, 3)].map(|v| (v * 1e9).round() / 1e9), [1.0, 2.0, 3.0, 1.0]);
        // Its back axis is +x.
        assert!((at(0, 2) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_left_out_is_told_and_so_is_how_the_pictures_are_made() {
        let mut flat = pose();
        // three.js' orthographic projection: x and y by a constant, w stays 1.
        if let Some(gpu) = &mut flat.gpu {
            gpu.projection = [0.1, 0., 0., 0., 0., 0.1, 0., 0., 0., 0., -0.02, 0., 0., 0., -1.0, 1.];
        }
        assert_eq!(transforms_frame(&flat, "", 2, 2), Err(LeftOut::NoPinhole));
        assert_eq!(transforms_frame(&Pose::default(), "", 2, 2), Err(LeftOut::NoCamera));
        let note =
            |video, left: &[LeftOut]| transforms(Vec::new(), video, left)["note"].as_str().unwrap_or("").to_owned();
        assert_eq!(note(None, &[]), "");
        let told = note(Some("video.mp4"), &[LeftOut::NoPinhole, LeftOut::NoCamera, LeftOut::NoPinhole]);
        assert!(told.contains("ffmpeg -i video.mp4 -start_number 0 images/%06d.png"), "{told}");
        assert!(told.contains("2 frames are left out of transforms.json: their camera is orthographic"), "{told}");
        assert!(told.contains("1 frames are left out: no three.js camera"), "{told}");
    }

    #[test]
    fn transforms_conform() {
        let schema: Value = serde_json::from_str(TRANSFORMS_SCHEMA).unwrap();
        let frame = transforms_frame(&pose(), "frames/000007.png", 200, 100).unwrap();
        crate::rules::schema::conforms(&transforms(vec![frame.clone()], Some("video.mp4"), &[]), &schema).unwrap();
        crate::rules::schema::conforms(&transforms(vec![frame], None, &[]), &schema).unwrap();
    }

    #[test]
    fn every_csv_line_has_the_columns_of_the_header() {
        let columns = CSV_HEADER.split(',').count();
        assert_eq!(csv_line(&Pose::default()).split(',').count(), columns);
        assert_eq!(csv_line(&pose()).split(',').count(), columns);
        assert!(csv_line(&pose()).starts_with("7,0.25,,,,,,,,,,,,1,2,3,0,"));
    }
}
