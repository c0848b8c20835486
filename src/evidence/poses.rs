//! From what the two sources say of a frame to its [`Pose`].

use super::choose::{Calls, Choice, choose};
use super::gpu::{self, Worlds};
use super::observer::Picture;
use super::people::Eye;
use super::pose::{CameraPose, Disagreement, DronePose, Flag, NoCamera, Pose};
use super::space;
use crate::scene::{CameraState, FrameScene, TrackedObject};

/// What a frame's pose is made from.
pub struct Sources<'a> {
    pub frame: u64,
    pub time: f64,
    pub picture: Option<&'a Picture>,
    pub canvas_2d: bool,
    pub scene: &'a FrameScene,
    pub calls: &'a Calls,
    pub worlds: &'a Worlds,
    /// Number of the camera of the frame before.
    pub before: Option<u32>,
}

/// The pose, and what sees.
pub fn pose(sources: &Sources<'_>) -> (Pose, Option<Eye>) {
    let mut pose = Pose { frame: sources.frame, time: sources.time, ..Pose::default() };
    let choice = sources.picture.and_then(|picture| choose(picture, sources.calls));
    if let Some(choice) = &choice {
        cameras(&mut pose, choice, sources.worlds);
    } else {
        let copied = sources.picture.is_some() || !sources.canvas_2d;
        without(&mut pose, if copied { NoCamera::NothingDrawn } else { NoCamera::Canvas2d });
    }
    if sources.canvas_2d && sources.picture.is_some() {
        pose.flags.push(Flag::CopiedCanvas);
    }
    if !sources.picture.is_some_and(|picture| picture.fresh) {
        pose.flags.push(Flag::NothingDrawn);
    }
    if let (Some(camera), Some(before)) = (&pose.camera, sources.before)
        && camera.number != before
    {
        pose.flags.push(Flag::CameraSwitched);
    }
    // What reached the GPU is what is seen.
    let seen = pose.gpu.as_ref().map(|gpu| (gpu.view, gpu.projection));
    let seen = seen.or(pose.camera.as_ref().map(|camera| (camera.view, camera.projection)));
    // Without the objects nobody knows its layers.
    let layers = choice.as_ref().and_then(|choice| choice.main.camera).map_or(u32::MAX, |camera| camera.layers);
    let eye = seen
        .map(|(view, projection)| Eye { view_projection: space::matrix(&projection) * space::matrix(&view), layers });
    pose.drone = drone(&sources.scene.drones, eye.as_ref());
    (pose, eye)
}

fn cameras(pose: &mut Pose, choice: &Choice<'_>, worlds: &Worlds) {
    if choice.several {
        pose.flags.push(Flag::SeveralCameras);
    }
    if choice.overlaid {
        pose.flags.push(Flag::OverlaidCameras);
    }
    pose.camera = choice.main.camera.and_then(camera_pose);
    let reading = gpu::read(&choice.main, worlds);
    match (&pose.camera, &reading) {
        (Some(camera), Some(reading)) => {
            let far = disagreement(camera, &reading.matrices);
            let limit = gpu::POSITION * (1.0 + reading.reach);
            let apart = far.position > limit || far.angle > gpu::ANGLE || far.projection > gpu::PROJECTION;
            if apart || reading.split {
                pose.flags.push(Flag::SourcesDisagree);
            }
            pose.disagreement = Some(far);
        }
        (Some(_), None) => pose.flags.push(Flag::ObjectsOnly),
        (None, Some(_)) => pose.flags.push(Flag::GpuOnly),
        (None, None) => without(pose, why(choice)),
    }
    pose.gpu = reading.map(|reading| reading.matrices);
}

fn without(pose: &mut Pose, why: NoCamera) {
    pose.flags.push(Flag::NoCamera);
    pose.no_camera = Some(why);
}

/// Why nothing tells of the camera behind the picture.
fn why(choice: &Choice<'_>) -> NoCamera {
    let main = &choice.main;
    if main.camera.is_some() {
        NoCamera::NotACamera
    } else if main.parts.iter().any(|part| part.shot.projections.most().is_some() && !part.shot.placed.is_empty()) {
        NoCamera::Unannounced
    } else {
        NoCamera::UnknownMatrices
    }
}

/// `None` if its matrices are no transformations: such a camera shows nothing that could be told.
fn camera_pose(camera: &CameraState) -> Option<CameraPose> {
    let world = space::matrix(&camera.matrix_world);
    let view = space::inverse(&world)?;
    if !(world.is_finite() && camera.projection.iter().all(|entry| entry.is_finite())) {
        return None;
    }
    let plane = |at: f64| if at.is_finite() { at } else { 0.0 };
    Some(CameraPose {
        number: camera.number,
        name: camera.name.clone(),
        kind: camera.kind.clone(),
        position: world.w_axis.truncate().to_array(),
        quaternion: space::rotation(&world).to_array(),
        view: view.to_cols_array(),
        projection: camera.projection,
        fov: camera.fov,
        near: plane(camera.near),
        far: plane(camera.far),
    })
}

fn disagreement(camera: &CameraPose, gpu: &super::pose::CameraMatrices) -> Disagreement {
    let [a, b] = [camera.position, gpu.position].map(glam::DVec3::from);
    let [p, q] = [camera.quaternion, gpu.quaternion].map(glam::DQuat::from_array);
    Disagreement {
        position: a.distance(b),
        angle: space::angle(p, q),
        projection: space::projection_difference(&camera.projection, &gpu.projection),
    }
}

/// Of several, the first that is shown and has a body.
fn drone(drones: &[TrackedObject], eye: Option<&Eye>) -> Option<DronePose> {
    let rank = |d: &TrackedObject| (!d.shown, d.bounds.is_none(), d.number);
    let sound = |d: &&TrackedObject| d.matrix_world.iter().all(|entry| entry.is_finite());
    let drone = drones.iter().filter(sound).min_by_key(|d| rank(d))?;
    let world = space::matrix(&drone.matrix_world);
    let screen = drone
        .bounds
        .as_ref()
        .zip(eye.filter(|eye| drone.shown && drone.layers & eye.layers != 0))
        .and_then(|(bounds, eye)| space::box_on_screen(&eye.view_projection, &world, bounds));
    Some(DronePose {
        name: drone.name.clone(),
        position: world.w_axis.truncate().to_array(),
        quaternion: space::rotation(&world).to_array(),
        in_view: screen.is_some(),
        opacity: Some(drone.opacity).filter(|opacity| opacity.is_finite()),
        screen,
    })
}
