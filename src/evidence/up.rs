//! Which way is up: three.js says y, and lets every program say otherwise.
//!
//! What is measured against the ground (heights, take-off, the map, what encloses the camera) is measured in the scene turned
//! so that y is up, whichever axis it was.

use glam::{DMat4, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::pose::Pose;
use super::space;
pub use crate::scene::Up;
use crate::scene::{CameraState, RenderCall};

/// The axis, and what told it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpTold {
    pub axis: Up,
    pub from: UpFrom,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpFrom {
    /// `evidence.up` of the settings.
    Setting,
    /// The scene's `up`, which is `Object3D.DEFAULT_UP` when it was made.
    Scene,
    /// The `up` of the camera behind the first picture.
    Camera,
    /// Nothing says anything else than y.
    #[default]
    Default,
}

/// A camera that looks down along y more steeply than this (cosine) has to call some other axis its up.
const STRAIGHT_DOWN: f64 = 0.999;

impl UpTold {
    pub fn set(axis: Up) -> Self {
        Self { axis, from: UpFrom::Setting }
    }

    /// As the objects behind a picture tell.
    pub fn of(call: &RenderCall, camera: &CameraState) -> Self {
        let ahead = -space::matrix(&camera.matrix_world).z_axis.truncate().normalize_or_zero();
        if call.scene_up == Up::Z {
            Self { axis: Up::Z, from: UpFrom::Scene }
        } else if camera.up == Up::Z && ahead.y > -STRAIGHT_DOWN {
            Self { axis: Up::Z, from: UpFrom::Camera }
        } else {
            Self::default()
        }
    }
}

/// Turns a place or direction of the scene so that y is up.
pub fn turned(up: Up, p: DVec3) -> DVec3 {
    match up {
        Up::Y => p,
        Up::Z => DVec3::new(p.x, p.z, -p.y),
    }
}

/// Turns it back into the scene.
pub fn turned_back(up: Up, p: DVec3) -> DVec3 {
    match up {
        Up::Y => p,
        Up::Z => DVec3::new(p.x, -p.z, p.y),
    }
}

/// The pose in the scene turned so that y is up.
pub fn turn(up: Up, pose: &mut Pose) {
    if up == Up::Y {
        return;
    }
    let rotation = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let back = DMat4::from_cols(
        turned_back(up, DVec3::X).extend(0.0),
        turned_back(up, DVec3::Y).extend(0.0),
        turned_back(up, DVec3::Z).extend(0.0),
        DVec3::ZERO.extend(1.0),
    );
    let place = |p: &mut [f64; 3]| *p = turned(up, DVec3::from(*p)).to_array();
    let angle = |q: &mut [f64; 4]| *q = (rotation * DQuat::from_array(*q)).to_array();
    let view = |m: &mut [f64; 16]| *m = (space::matrix(m) * back).to_cols_array();
    if let Some(camera) = &mut pose.camera {
        place(&mut camera.position);
        angle(&mut camera.quaternion);
        view(&mut camera.view);
    }
    if let Some(gpu) = &mut pose.gpu {
        place(&mut gpu.position);
        angle(&mut gpu.quaternion);
        view(&mut gpu.view);
    }
    if let Some(drone) = &mut pose.drone {
        place(&mut drone.position);
        angle(&mut drone.quaternion);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::pose::CameraMatrices;

    #[test]
    fn z_goes_up_and_the_picture_stays() {
        assert_eq!(turned(Up::Z, DVec3::Z), DVec3::Y);
        let p = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!(turned_back(Up::Z, turned(Up::Z, p)), p);
        // A rotation: it keeps the hand.
        assert_eq!(turned(Up::Z, DVec3::X).cross(turned(Up::Z, DVec3::Y)), turned(Up::Z, DVec3::Z));
        let world = DMat4::from_rotation_translation(DQuat::from_rotation_z(0.3) * DQuat::from_rotation_x(1.1), p);
        let (_, q, _) = world.to_scale_rotation_translation();
        let gpu = CameraMatrices {
            position: p.to_array(),
            quaternion: q.to_array(),
            view: world.inverse().to_cols_array(),
            projection: DMat4::IDENTITY.to_cols_array(),
            draws: 1,
        };
        let mut pose = Pose { gpu: Some(gpu.clone()), ..Pose::default() };
        turn(Up::Z, &mut pose);
        let after = pose.gpu.unwrap();
        assert_eq!(after.position, [1.0, 3.0, -2.0]);
        // What was seen where is seen there: of the turned scene.
        let corner = DVec3::new(-4.0, 5.0, 0.5);
        let before = space::matrix(&gpu.view).transform_point3(corner);
        let now = space::matrix(&after.view).transform_point3(turned(Up::Z, corner));
        assert!(before.distance(now) < 1e-12, "{before} {now}");
        let ahead = |q: [f64; 4]| DQuat::from_array(q) * -DVec3::Z;
        assert!(turned(Up::Z, ahead(gpu.quaternion)).distance(ahead(after.quaternion)) < 1e-12);
    }

    #[test]
    fn the_setting_then_the_scene_then_the_camera_tell() {
        let call = |scene_up| RenderCall {
            number: 1,
            parent: 0,
            scene: 1,
            cameras: Vec::new(),
            to_target: false,
            lights: 0,
            scene_up,
        };
        let camera = |up, world: DMat4| CameraState {
            number: 1,
            name: String::new(),
            kind: String::new(),
            matrix_world: world.to_cols_array(),
            projection: DMat4::IDENTITY.to_cols_array(),
            view: world.inverse().to_cols_array(),
            fov: None,
            near: 0.1,
            far: 1.0,
            layers: 1,
            up,
        };
        let level = DMat4::from_rotation_x(std::f64::consts::FRAC_PI_2 - 0.1);
        let told = |scene, up, world| UpTold::of(&call(scene), &camera(up, world));
        assert_eq!(told(Up::Z, Up::Y, level), UpTold { axis: Up::Z, from: UpFrom::Scene });
        assert_eq!(told(Up::Y, Up::Z, level), UpTold { axis: Up::Z, from: UpFrom::Camera });
        assert_eq!(told(Up::Y, Up::Y, level), UpTold { axis: Up::Y, from: UpFrom::Default });
        // A map of a scene whose y is up: it looks straight down, and calls z its up.
        let down = DMat4::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        assert_eq!(told(Up::Y, Up::Z, down).axis, Up::Y);
    }
}
