//! What three.js' own objects say while a program runs, as plain data.
//!
//! Filled by `runtime` (the `__THREE_DEVTOOLS__` announcement, wrapped `render` calls), read by `evidence`. Knows
//! neither V8 nor GL. Lengths are scene units; matrices are column-major, as three.js stores them.

use serde::{Deserialize, Serialize};

/// Number of a three.js object within one run, from 1 in the order of first sight; 0 is none.
pub type ObjectNumber = u32;
/// Number of a `render` call within one run, from 1; 0 is none.
pub type RenderNumber = u32;

/// The axis that points away from the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Up {
    /// three.js' own.
    #[default]
    Y,
    Z,
}

/// Whose draw it is: stands in the command stream before the draws it is true of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The `WebGLRenderer.render` call (or the clear of one) under way; 0 outside of any.
    pub render: RenderNumber,
    /// The camera that this draw is made for: a shadow map's differs from its render's.
    pub camera: ObjectNumber,
    /// The object drawn: a mesh, points, a line, a sprite; 0 for a background or an unknown draw.
    pub object: ObjectNumber,
    /// Its material, as three.js has it, lets everything through that is behind it: nothing of the draw is seen.
    #[serde(default)]
    pub faint: bool,
}

/// A camera at the moment of a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraState {
    pub number: ObjectNumber,
    pub name: String,
    /// three.js' `type`: `PerspectiveCamera`, `OrthographicCamera`, `ArrayCamera`, …
    pub kind: String,
    pub matrix_world: [f64; 16],
    pub projection: [f64; 16],
    /// World to camera, as the draws take it: a scale of the camera's parents, which `matrix_world` has, may be left out.
    pub view: [f64; 16],
    /// Vertical, degrees; perspective cameras only.
    pub fov: Option<f64>,
    pub near: f64,
    pub far: f64,
    /// The layers it draws (three.js' `layers.mask`).
    pub layers: u32,
    /// What it calls up (three.js' `up`): z if exactly that, else y.
    pub up: Up,
}

/// One call of `WebGLRenderer.render`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RenderCall {
    pub number: RenderNumber,
    /// The call inside which this one was made (a reflection), 0 for none.
    pub parent: RenderNumber,
    pub scene: ObjectNumber,
    /// Every camera drawn for: one, or the parts of an array camera; shadow cameras are not among them.
    pub cameras: Vec<CameraState>,
    /// Into a render target rather than the canvas.
    pub to_target: bool,
    /// Lights that shone in it.
    pub lights: u32,
    /// What its scene calls up.
    pub scene_up: Up,
}

/// What an object is; told once, when first drawn or tracked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObjectInfo {
    pub number: ObjectNumber,
    pub name: String,
    /// Names of its ancestors, nearest first, nameless ones left out.
    pub ancestors: Vec<String>,
    /// three.js' `type`: `Mesh`, `SkinnedMesh`, `InstancedMesh`, `Points`, `Line`, `Sprite`, …
    pub kind: String,
    pub material: MaterialInfo,
    /// A camera is among its ancestors: it goes where that goes.
    pub on_camera: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialInfo {
    pub name: String,
    /// `MeshStandardMaterial`, `ShaderMaterial`, …
    pub kind: String,
    /// What is behind it shows through: three.js' `transparent`, or a transmission above 0.
    pub transparent: bool,
    pub depth_write: bool,
    pub depth_test: bool,
    /// three.js' `side`: drawn on both sides, or from behind.
    pub double_sided: bool,
    pub back_side: bool,
}

/// A tracked object (drone, pedestrians) in one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackedObject {
    pub number: ObjectNumber,
    pub name: String,
    pub matrix_world: [f64; 16],
    /// Local bounding box of the object with its descendants: min, max, in its own space; `None` if empty.
    pub bounds: Option<([f64; 3], [f64; 3])>,
    /// It and all its ancestors are `visible` and in a scene that was rendered.
    pub shown: bool,
    /// `InstancedMesh.count`, how many of a BatchedMesh are drawn, else 1.
    pub instances: u32,
    /// How much of what is behind it its most solid part hides, 0 to 1, as the materials say; 0 where no part of it is
    /// drawn.
    pub opacity: f64,
    /// Layers of the parts that are opaque enough to be seen: a camera draws those that share one with it.
    pub layers: u32,
    /// A part of it is skinned, morphed or has a shader of the program's own: it may move where its matrix stands.
    pub moves_itself: bool,
    /// Where each instance of an InstancedMesh or BatchedMesh stands, in the object's own space, and its largest scale along
    /// an axis; empty for others. Not finite where an instance has no size, was deleted or is invisible: nothing of it is drawn.
    pub places: Vec<[f32; 4]>,
}

/// Where an object stood when it was drawn: a sample of each call's draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedObject {
    pub render: RenderNumber,
    pub camera: ObjectNumber,
    pub object: ObjectNumber,
    pub matrix_world: [f64; 16],
}

/// Planes that cut parts of an object away (three.js' clipping planes), as a draw of it had them: normal and constant, in
/// the world; what lies at `normal · p + constant < 0` is beyond one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClippedObject {
    pub object: ObjectNumber,
    /// What is beyond any of these is not there.
    pub all: Vec<[f64; 4]>,
    /// What is beyond all of these is not there, if there are any.
    pub some: Vec<[f64; 4]>,
}

/// Everything seen in one frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameScene {
    pub frame: u64,
    pub renders: Vec<RenderCall>,
    /// Objects seen for the first time.
    pub objects: Vec<ObjectInfo>,
    /// Some of what was drawn, with its place: enough to check the GPU's matrices by.
    pub placed: Vec<PlacedObject>,
    /// Objects whose names match the drone's pattern.
    pub drones: Vec<TrackedObject>,
    /// Objects whose names match the pedestrians' pattern.
    pub pedestrians: Vec<TrackedObject>,
    /// Every object drawn so far that is still in a rendered scene and visible, with a checksum of its place.
    pub shown: Vec<(ObjectNumber, f64)>,
    /// Those of them whose place is another than last told: the matrix to the world, column-major.
    pub moved: Vec<(ObjectNumber, [f64; 16])>,
    /// Objects of which some was cut away.
    pub clips: Vec<ClippedObject>,
    /// Objects drawn so see-through that nothing shows.
    pub faint: Vec<ObjectNumber>,
}
