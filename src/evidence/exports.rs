//! Poses in the forms that other tools read: CSV, and nerfstudio's `transforms.json`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::pose::Pose;
use super::space;

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

/// One frame of `transforms.json`: a pinhole of `width` × `height` pixels, camera to world with x right, y up, z back
/// (OpenGL, as nerfstudio wants it). `None` without a perspective camera.
pub fn transforms_frame(pose: &Pose, file: &str, width: u32, height: u32) -> Option<Value> {
    let gpu = pose.gpu.as_ref().map(|gpu| (gpu.view, gpu.projection));
    let (view, projection) = gpu.or(pose.camera.as_ref().map(|camera| (camera.view, camera.projection)))?;
    let world = space::inverse(&space::matrix(&view))?;
    let p = projection;
    if p[15] != 0.0 || p[11] == 0.0 {
        return None;
    }
    let (w, h) = (f64::from(width), f64::from(height));
    let rows: Vec<Vec<f64>> = (0..4).map(|row| world.row(row).to_array().to_vec()).collect();
    Some(json!({
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

/// The whole file.
pub fn transforms(frames: Vec<Value>) -> Value {
    json!({ "camera_model": "OPENCV", "k1": 0.0, "k2": 0.0, "p1": 0.0, "p2": 0.0, "frames": frames })
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
    fn every_csv_line_has_the_columns_of_the_header() {
        let columns = CSV_HEADER.split(',').count();
        assert_eq!(csv_line(&Pose::default()).split(',').count(), columns);
        assert_eq!(csv_line(&pose()).split(',').count(), columns);
        assert!(csv_line(&pose()).starts_with("7,0.25,,,,,,,,,,,,1,2,3,0,"));
    }
}
