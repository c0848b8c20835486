//! What must be told of each program.

use serde_json::{Value, json};

use super::Out;
use super::truth::check;

type Named = (&'static str, Box<dyn FnOnce(&Out) -> Result<(), String> + Send>);

/// Doubles all the way; what three.js computed itself in another order.
const OBJECTS: f64 = 1e-9;
/// Single precision, at most a few hundred units out.
const GPU: f64 = 2e-5;

/// Ways to draw that leave nothing, as `programs/unseen.js` knows them.
pub const UNSEEN: [(&str, &str); 17] = [
    ("unseen_colorwrite", "colorwrite"),
    ("unseen_mask", "mask"),
    ("unseen_never", "never"),
    ("unseen_stencil", "stencil"),
    ("unseen_blend", "blend"),
    ("unseen_constant", "constant"),
    ("unseen_cull", "cull"),
    ("unseen_scissor", "scissor"),
    ("unseen_pixel", "pixel"),
    ("unseen_viewport", "viewport"),
    ("unseen_discard", "discard"),
    ("unseen_coverage", "coverage"),
    ("unseen_opacity", "opacity"),
    ("unseen_faint", "faint"),
    ("unseen_instances", "instances"),
    ("unseen_objects", "objects"),
    ("unseen_clear", "clear"),
];

/// Draws that may be seen, or not.
pub const MAYBE: [(&str, &str); 5] = [
    ("maybe_hidden", "hidden"),
    ("maybe_cloned", "cloned"),
    ("maybe_dim", "dim"),
    ("maybe_ortho", "ortho"),
    ("maybe_pass", "pass"),
];

pub fn all() -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    // The flight of `eye`, told by both sources, with nothing odd about it.
    for name in
        ["plain", "basic", "composer", "mirrors", "cube", "layers", "glass", "renamed", "depths", "isometric", "hidden"]
    {
        all.push((name, Box::new(move |out| honest(out, "eye"))));
    }
    all.push(("webgpu", Box::new(|out| each(out, |n, pose| check(pose, "camera", n, 0.0, OBJECTS)))));
    all.push(("lie_render", Box::new(|out| honest(out, "eye"))));
    for name in ["lie_upload", "lie_matrix", "lie_hook"] {
        all.push((name, Box::new(lying)));
    }
    for name in ["raw", "lie_deaf"] {
        all.push((name, Box::new(unannounced)));
    }
    all.push(("mangled", Box::new(|out| each(out, |_, pose| blind(pose, "unannounced", &["no-camera"])))));
    all.push(("copied", Box::new(copied)));
    all.push(("treadmill", Box::new(treadmill)));
    // A standing picture of `still`, and a flight that leaves nothing in it.
    for (name, _) in UNSEEN {
        all.push((name, Box::new(|out| still(out, false))));
    }
    // The same by a flight that may be seen: no matter whose the pose is, it is told that there are several.
    for (name, _) in MAYBE {
        all.push((name, Box::new(|out| still(out, true))));
    }
    all.push(("split", Box::new(|out| shared(out, "large"))));
    all.push(("array", Box::new(|out| shared(out, "part 0.25"))));
    all.push(("cut", Box::new(cut)));
    all.push(("temporal", Box::new(temporal)));
    all.push(("actors", Box::new(actors)));
    all.push(("crowd", Box::new(crowd)));
    all.push(("batched", Box::new(batched)));
    for (name, from) in [("zup", "camera"), ("zup_default", "scene")] {
        all.push((name, Box::new(move |out| up(out, "z", from))));
    }
    all
}

fn each(out: &Out, mut check: impl FnMut(u64, &Value) -> Result<(), String>) -> Result<(), String> {
    out.poses.iter().enumerate().try_for_each(|(n, pose)| check(n as u64, pose))
}

fn flags(pose: &Value, want: &[&str]) -> Result<(), String> {
    if pose["flags"] == json!(want) {
        Ok(())
    } else {
        Err(format!("frame {}: flags {}, not {want:?}: {}", pose["frame"], pose["flags"], pose["disagreement"]))
    }
}

fn named(pose: &Value, name: &str) -> Result<(), String> {
    let told = &pose["camera"]["name"];
    if told == name { Ok(()) } else { Err(format!("frame {}: camera {told}, not {name}", pose["frame"])) }
}

fn honest(out: &Out, camera: &str) -> Result<(), String> {
    up(out, "y", "default")?;
    each(out, |n, pose| {
        named(pose, camera)?;
        check(pose, "camera", n, 0.0, OBJECTS)?;
        check(pose, "gpu", n, 0.0, GPU)?;
        flags(pose, &[])
    })
}

fn lying(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        check(pose, "camera", n, 2.0, OBJECTS)?;
        check(pose, "gpu", n, 0.0, GPU)?;
        flags(pose, &["sources-disagree"])
    })
}

fn unannounced(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        check(pose, "gpu", n, 0.0, GPU)?;
        flags(pose, &["gpu-only"])
    })
}

fn blind(pose: &Value, why: &str, want: &[&str]) -> Result<(), String> {
    if pose["no_camera"] != why {
        return Err(format!("frame {}: no camera for {}, not {why}", pose["frame"], pose["no_camera"]));
    }
    flags(pose, want)
}

/// As long as one canvas alone is drawn onto the film, its camera is the film's.
fn copied(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        if n >= 6 {
            return blind(pose, "canvas-2d", &["no-camera", "nothing-drawn"]);
        }
        named(pose, "eye")?;
        check(pose, "camera", n, 0.0, OBJECTS)?;
        check(pose, "gpu", n, 0.0, GPU)?;
        flags(pose, &["copied-canvas"])
    })
}

fn treadmill(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        if pose["camera"]["position"] != json!([0.0, 0.0, 0.0]) {
            return Err(format!("frame {n}: the camera is at {}", pose["camera"]["position"]));
        }
        flags(pose, if n == 0 { &[] } else { &["world-moves"] })
    })
}

fn shared(out: &Out, camera: &str) -> Result<(), String> {
    each(out, |n, pose| {
        named(pose, camera)?;
        check(pose, "camera", n, 0.0, OBJECTS)?;
        check(pose, "gpu", n, 0.0, GPU)?;
        flags(pose, &["several-cameras"])
    })
}

fn still(out: &Out, several: bool) -> Result<(), String> {
    each(out, |_, pose| {
        if several {
            return flags(pose, &["several-cameras", "overlaid-cameras"]);
        }
        named(pose, "still")?;
        for source in ["camera", "gpu"] {
            let at = super::truth::numbers::<3>(&pose[source]["position"])?;
            if at.iter().zip([3.0, 20.0, 4.0]).any(|(a, b)| (a - b).abs() > 1e-4) {
                return Err(format!("frame {}: {source} at {at:?}", pose["frame"]));
            }
        }
        flags(pose, &[])
    })
}

fn cut(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        let (name, phase) = if n < 6 { ("first", 0.0) } else { ("second", 2.0) };
        named(pose, name)?;
        check(pose, "camera", n, phase, OBJECTS)?;
        check(pose, "gpu", n, phase, GPU)?;
        flags(pose, if n == 6 { &["camera-switched"] } else { &[] })
    })
}

fn temporal(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        // Odd frames show the world of the frame before.
        check(pose, "camera", n / 2 * 2, 0.0, OBJECTS)?;
        check(pose, "gpu", n / 2 * 2, 0.0, GPU)
    })
}

fn up(out: &Out, axis: &str, from: &str) -> Result<(), String> {
    let told = &out.meta["up"];
    if *told == json!({ "axis": axis, "from": from }) { Ok(()) } else { Err(format!("up is {told}")) }
}

/// 25 of the rows are seen, and 2 of 3 figures; the 3 on another layer once the camera draws that.
fn crowd(out: &Out) -> Result<(), String> {
    for (n, scene) in out.scene.iter().enumerate() {
        let want = if n < 2 { 27 } else { 30 };
        if scene["pedestrians_visible"] != json!(want) {
            return Err(format!("frame {n}: {} seen, not {want}", scene["pedestrians_visible"]));
        }
        // Nobody is there who has no size, is beyond the count, or never shows: tiny people do, and those on another layer.
        let all = 10 + 4 + 3 + 2 + 6 + 5 + 3 + 2;
        if scene["pedestrians"] != json!(all) {
            return Err(format!("frame {n}: {} people, not {all}", scene["pedestrians"]));
        }
    }
    if out.scene.len() < 3 { Err("too few frames".into()) } else { Ok(()) }
}

/// Of 14 in a batch two were deleted and one is invisible, of the other 11 nine walk, and all step behind the camera in frame 6.
fn batched(out: &Out) -> Result<(), String> {
    for (n, scene) in out.scene.iter().enumerate() {
        let moving = match n {
            0 => 0,
            6 => 11,
            _ => 9,
        };
        let names = ["pedestrians", "pedestrians_visible", "pedestrians_moving"];
        let (got, want) = (names.map(|name| &scene[name]), [12, if n < 6 { 12 } else { 1 }, moving]);
        if got != want.map(|count| json!(count)).each_ref() {
            return Err(format!("frame {n}: people, seen, moving {got:?}, not {want:?}"));
        }
    }
    if out.scene.len() < 8 { Err("too few frames".into()) } else { Ok(()) }
}

fn actors(out: &Out) -> Result<(), String> {
    each(out, |n, pose| {
        let drone = &pose["drone"];
        if drone["name"] != "Drone" || drone["position"] != json!([0.0, 0.0, -5.0]) {
            return Err(format!("frame {n}: the drone is {drone}"));
        }
        if drone["in_view"] != (n != 3) {
            return Err(format!("frame {n}: the drone in view: {drone}"));
        }
        if n != 3 {
            // 90° high, 64 by 96: the near face at 4 spans ±1/4 of the half height and ±3/8 of the half width.
            let want = [0.5 - 0.1875, 0.375, 0.5 + 0.1875, 0.625];
            let got = super::truth::numbers::<4>(&drone["screen"])?;
            if got.iter().zip(want).any(|(a, b)| (a - b).abs() > 1e-6) {
                return Err(format!("frame {n}: the drone is at {got:?} of the picture, not {want:?}"));
            }
        }
        let scene = &out.scene[n as usize];
        let (all, visible, moving) =
            (&scene["pedestrians"], &scene["pedestrians_visible"], &scene["pedestrians_moving"]);
        let want = (15, if n < 6 { 12 } else { 0 }, if n == 0 { 0 } else { 12 });
        if (all, visible, moving) != (&json!(want.0), &json!(want.1), &json!(want.2)) {
            return Err(format!("frame {n}: people {all}, seen {visible}, moving {moving}, not {want:?}"));
        }
        // Boxes of 12 triangles: the drone's unless hidden, 3 × 12 of the crowd, 6 of the people if in the frustum (never).
        let triangles = scene["all"]["triangles"].as_u64().unwrap_or(0);
        let want = 12 * (36 + u64::from(n != 3));
        if triangles != want || scene["camera"]["triangles"] != json!(want) {
            return Err(format!("frame {n}: {triangles} triangles, not {want}: {scene}"));
        }
        flags(pose, &[])
    })?;
    let meta = &out.meta;
    let told = (&meta["pedestrians"]["total"], &meta["drone"], &meta["three"], &meta["loaded"]["procedural"]);
    if told != (&json!(15), &json!("Drone"), &json!("186"), &json!(true)) {
        return Err(format!("render_meta.json says {told:?}"));
    }
    let frames = out.transforms["frames"].as_array().map_or(0, Vec::len);
    let lines = out.csv.lines().count();
    if frames != out.poses.len() || lines != out.poses.len() + 1 {
        return Err(format!("{frames} transforms and {lines} lines of CSV"));
    }
    if out.transforms["frames"][0]["file_path"] != "frames/000000.png" {
        return Err(format!("{}", out.transforms["frames"][0]));
    }
    Ok(())
}
