//! What is written conforms to the schemas beside, and is read back.

use super::clearance::{Clearance, Contact, InsideBy, Waived};
use super::meta::{Amount, Gather, Loaded, RenderMeta};
use super::motion::PictureMotion;
use super::pose::{CameraMatrices, CameraPose, Disagreement, DronePose, Flag, NoCamera, Pose};
use super::scene_stats::{SceneStats, Work};
use crate::rules::schema::holds;
use crate::scene::ObjectInfo;

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
    let drone = DronePose {
        name: "drone".into(),
        position,
        quaternion,
        in_view: true,
        opacity: Some(0.5),
        screen: Some([0.0, 0.0, 1.0, 1.0]),
    };
    let flags = vec![
        Flag::SourcesDisagree,
        Flag::CameraSwitched,
        Flag::NoCamera,
        Flag::SeveralCameras,
        Flag::OverlaidCameras,
        Flag::NothingDrawn,
        Flag::GpuOnly,
        Flag::ObjectsOnly,
        Flag::CopiedCanvas,
        Flag::WorldMoves,
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
        no_camera: Some(NoCamera::Canvas2d),
    }
}

#[test]
fn poses_conform() {
    let schema = include_str!("schema/pose.schema.json");
    holds(&pose(), schema);
    holds(&Pose::default(), schema);
}

#[test]
fn clearance_lines_conform_and_those_of_older_versions_are_read() {
    let schema = include_str!("schema/clearance.schema.json");
    let waived =
        Waived { object: "water".into(), verdict: Contact::PassedThrough, distance: 0.0, why: "its own name".into() };
    let line = Clearance {
        frame: 3,
        verdict: Contact::Inside,
        inside_by: Some(InsideBy::NearPlane),
        distance: Some(0.1),
        object: Some("wall".into()),
        drone_visible: Some(0.5),
        pedestrians_unhidden: Some(0.25),
        cut_through: Some("wall".into()),
        waived: vec![waived],
        ..Clearance::default()
    };
    holds(&line, schema);
    holds(&Clearance::default(), schema);
    let mut old = serde_json::to_value(&line).unwrap();
    for added in ["cut_out", "inside_by", "drone_visible", "pedestrians_unhidden", "cut_through", "waived"] {
        old.as_object_mut().unwrap().remove(added);
    }
    let read: Clearance = serde_json::from_value(old).unwrap();
    assert_eq!((read.verdict, read.waived.len(), read.drone_visible), (Contact::Inside, 0, None));
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
    let object = |name: &str, above: &str| ObjectInfo {
        name: name.into(),
        ancestors: vec![above.into()],
        ..ObjectInfo::default()
    };
    gather.names(&[object("house_1", "town"), object("house_27", "town"), object("", "town"), object("Drone", "")]);
    let own = [("image/png".to_owned(), Amount { count: 1, bytes: 9 })];
    let loaded = Loaded::new([("a.js".to_owned(), 5, None)], own, vec!["m".into()], vec!["n".into()]);
    let picture_motion = Some(PictureMotion { looks: 4, against: 1, first_against: Some(15), found: Some(0.75) });
    let meta = RenderMeta { three: Some("186".into()), fps: "30".into(), loaded, picture_motion, ..gather.meta() };
    holds(&meta, include_str!("schema/render_meta.schema.json"));
    let draws = meta.scene["draws"];
    let names: Vec<_> = meta.names.iter().map(|n| (n.name.as_str(), n.objects)).collect();
    assert_eq!(names, [("town", 3), ("house_#", 2), ("Drone", 1)]);
    assert_eq!(meta.no_camera[&NoCamera::Canvas2d], 3);
    assert_eq!((draws.min, draws.mean, draws.max), (1.0, 3.0, 6.0));
    assert_eq!((meta.pedestrians.total, meta.cameras[0].frames, meta.flags["gpu-only"]), (7, 3, 3));
}
