//! The flight of `programs/stage.js`, worked out here once more.

use serde_json::Value;

/// Where the camera is in frame `n`, and where its axes point: right, up, back.
pub fn flight(n: u64, phase: f64) -> ([f64; 3], [[f64; 3]; 3]) {
    let a = 0.1 * n as f64 + phase;
    let at = [10.0 * a.cos(), 3.0 + (2.0 * a).sin(), 10.0 * a.sin()];
    let back = unit([at[0], at[1] - 1.0, at[2]]);
    let right = unit(cross([0.0, 1.0, 0.0], back));
    (at, [right, cross(back, right), back])
}

/// Is `pose[source]` the flight of frame `n`, to `within` scene units and, for the axes, parts of one?
pub fn check(pose: &Value, source: &str, n: u64, phase: f64, within: f64) -> Result<(), String> {
    let told = &pose[source];
    if told.is_null() {
        return Err(format!("frame {}: no {source}: {}", pose["frame"], pose["flags"]));
    }
    let (at, axes) = flight(n, phase);
    let position = numbers::<3>(&told["position"])?;
    let far = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    if far(position, at) > within {
        return Err(format!("frame {}: {source} at {position:?}, not {at:?}: {}", pose["frame"], pose["flags"]));
    }
    let q = numbers::<4>(&told["quaternion"])?;
    for (axis, truth) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().zip(axes) {
        let turned = turn(q, axis);
        if far(turned, truth) > within {
            return Err(format!("frame {}: {source} points {axis:?} to {turned:?}, not {truth:?}", pose["frame"]));
        }
    }
    // World to camera takes the camera's place to the origin.
    let view = numbers::<16>(&told["view"])?;
    for row in 0..3 {
        let value = (0..3).map(|column| view[column * 4 + row] * at[column]).sum::<f64>() + view[12 + row];
        if value.abs() > within * 10.0 {
            return Err(format!("frame {}: {source}'s view takes its place to {value}", pose["frame"]));
        }
    }
    Ok(())
}

pub fn numbers<const N: usize>(value: &Value) -> Result<[f64; N], String> {
    let list = value.as_array().ok_or_else(|| format!("{value} is no list"))?;
    let list: Vec<f64> = list.iter().filter_map(Value::as_f64).collect();
    list.try_into().map_err(|list: Vec<f64>| format!("{} numbers, not {N}", list.len()))
}

/// v + 2 q × (q × v + w v).
fn turn([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let inner = cross(u, v);
    let t = cross(u, [inner[0] + w * v[0], inner[1] + w * v[1], inner[2] + w * v[2]]);
    [v[0] + 2.0 * t[0], v[1] + 2.0 * t[1], v[2] + 2.0 * t[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    [v[0] / length, v[1] / length, v[2] / length]
}
