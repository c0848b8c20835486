//! What is written conforms to the schemas beside, and is read back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::meta::{Amount, Gather, Loaded, RenderMeta};
use super::pose::{CameraMatrices, CameraPose, Disagreement, DronePose, Flag, Pose};
use super::scene_stats::{SceneStats, Work};

/// Checks what the schemas use of JSON Schema; every property is required, and none is unknown.
fn conforms(value: &Value, schema: &Value, at: &str) {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => panic!("{at}: the schema gives no type"),
    };
    let fits = types.iter().any(|kind| match (*kind, value) {
        ("null", Value::Null) | ("boolean", Value::Bool(_)) | ("string", Value::String(_)) => true,
        ("array", Value::Array(_)) | ("object", Value::Object(_)) | ("number", Value::Number(_)) => true,
        ("integer", Value::Number(n)) => n.is_u64() || n.is_i64(),
        _ => false,
    });
    assert!(fits, "{at}: {value} is not {types:?}");
    if let Some(Value::Array(allowed)) = schema.get("enum") {
        assert!(allowed.contains(value), "{at}: {value} is not in {allowed:?}");
    }
    if let (Some(items), Value::Array(found)) = (schema.get("items"), value) {
        let length = found.len() as u64;
        assert!(schema["minItems"].as_u64().is_none_or(|n| length >= n), "{at}: {length} items");
        assert!(schema["maxItems"].as_u64().is_none_or(|n| length <= n), "{at}: {length} items");
        found.iter().enumerate().for_each(|(i, v)| conforms(v, items, &format!("{at}[{i}]")));
    }
    let Value::Object(found) = value else { return };
    match (schema.get("properties"), &schema["additionalProperties"]) {
        (Some(Value::Object(properties)), _) => {
            assert_eq!(schema["required"].as_array().map_or(0, Vec::len), properties.len(), "{at}");
            assert_eq!(found.keys().collect::<Vec<_>>(), properties.keys().collect::<Vec<_>>(), "{at}");
            for (key, schema) in properties {
                conforms(&found[key], schema, &format!("{at}.{key}"));
            }
        }
        (_, any) => found.iter().for_each(|(key, v)| conforms(v, any, &format!("{at}.{key}"))),
    }
}

fn holds<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, schema: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let text = serde_json::to_string(value).unwrap();
    conforms(&serde_json::from_str(&text).unwrap(), &schema, "");
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
}

fn pose() -> Pose {
    let camera = CameraPose {
        number: 1,
        name: "eye".into(),
        kind: "PerspectiveCamera".into(),
        position: [1.0, 2.0, 3.0],
        quaternion: [0.0, 0.0, 0.0, 1.0],
        view: [0.5; 16],
        projection: [0.25; 16],
        fov: Some(50.0),
        near: 0.1,
        far: 100.0,
    };
    let CameraPose { position, quaternion, view, projection, .. } = camera;
    let drone =
        DronePose { name: "drone".into(), position, quaternion, in_view: true, screen: Some([0.0, 0.0, 1.0, 1.0]) };
    let flags = vec![
        Flag::SourcesDisagree,
        Flag::CameraSwitched,
        Flag::NoCamera,
        Flag::SeveralCameras,
        Flag::NothingDrawn,
        Flag::GpuOnly,
        Flag::ObjectsOnly,
    ];
    for flag in &flags {
        assert_eq!(serde_json::to_value(flag).unwrap(), flag.to_string());
    }
    Pose {
        frame: 3,
        time: 0.1,
        camera: Some(camera),
        gpu: Some(CameraMatrices { position, quaternion, view, projection, draws: 4 }),
        disagreement: Some(Disagreement { position: 0.0, angle: 0.0, projection: 0.0 }),
        drone: Some(drone),
        flags,
    }
}

#[test]
fn poses_conform() {
    let schema = include_str!("schema/pose.schema.json");
    holds(&pose(), schema);
    holds(&Pose::default(), schema);
}

#[test]
fn scene_lines_conform() {
    let work = Work { draws: 1, triangles: 2, lines: 3, points: 4, instances: 5, vertices: 6 };
    let stats = SceneStats { frame: 1, all: work, camera: work, lights: 2, ..SceneStats::default() };
    holds(&stats, include_str!("schema/scene.schema.json"));
}

#[test]
fn the_meta_file_conforms_and_its_figures_are_least_mean_and_most() {
    let mut gather = Gather::default();
    for draws in [1, 2, 6] {
        let stats = SceneStats { all: Work { draws, ..Work::default() }, pedestrians: 7, ..SceneStats::default() };
        gather.frame(&pose(), &stats);
    }
    let own = [("image/png".to_owned(), Amount { count: 1, bytes: 9 })];
    let loaded = Loaded::new([("a.js".to_owned(), 5)], own, vec!["m".into()], vec!["n".into()]);
    let meta = RenderMeta { three: Some("186".into()), fps: "30".into(), loaded, ..gather.meta() };
    holds(&meta, include_str!("schema/render_meta.schema.json"));
    let draws = meta.scene["draws"];
    assert_eq!((draws.min, draws.mean, draws.max), (1.0, 3.0, 6.0));
    assert_eq!((meta.pedestrians.total, meta.cameras[0].frames, meta.flags["gpu-only"]), (7, 3, 3));
}
