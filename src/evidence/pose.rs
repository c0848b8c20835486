//! `poses.jsonl`: a [`Pose`] per line, a line per frame; its schema is `schema/pose.schema.json`.

use serde::{Deserialize, Serialize};

/// The JSON schema, draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/pose.schema.json");

/// Where the camera and the drone were in one frame. World space of the scene, right-handed, y up as three.js has it;
/// lengths in scene units; matrices column-major.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    pub frame: u64,
    /// Exact time of the frame in seconds, as a float.
    pub time: f64,
    /// The camera that made the presented picture, as three.js' objects tell; `None` if no render call is behind it.
    pub camera: Option<CameraPose>,
    /// The same as the matrices of the draws behind the presented picture tell.
    pub gpu: Option<CameraMatrices>,
    /// How far the two are apart, where both are known.
    pub disagreement: Option<Disagreement>,
    pub drone: Option<DronePose>,
    /// What is odd about this frame.
    pub flags: Vec<Flag>,
    /// Why there is no camera, where the flag says so; `None` in files of older versions.
    #[serde(default)]
    pub no_camera: Option<NoCamera>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraPose {
    /// Number of the camera object; another number is another camera.
    pub number: u32,
    pub name: String,
    /// three.js' type, e.g. `PerspectiveCamera`.
    #[serde(rename = "type")]
    pub kind: String,
    pub position: [f64; 3],
    /// x, y, z, w.
    pub quaternion: [f64; 4],
    /// World to camera.
    pub view: [f64; 16],
    pub projection: [f64; 16],
    /// Vertical, degrees.
    pub fov: Option<f64>,
    pub near: f64,
    pub far: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CameraMatrices {
    pub position: [f64; 3],
    pub quaternion: [f64; 4],
    pub view: [f64; 16],
    pub projection: [f64; 16],
    /// Draws behind the picture that carried these matrices.
    pub draws: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// Scene units.
    pub position: f64,
    /// Degrees.
    pub angle: f64,
    /// Largest difference of an entry of the projection matrices, relative to the largest entry.
    pub projection: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DronePose {
    pub name: String,
    pub position: [f64; 3],
    pub quaternion: [f64; 4],
    /// Visible, in a rendered scene, and its box reaches into the picture. What stands in front of it, and what the
    /// materials let through, is told apart ([`super::clearance::Clearance::drone_visible`], `opacity`).
    pub in_view: bool,
    /// How much of what is behind it its most solid part hides, 0 to 1, as its materials say; `None` in files of older
    /// versions.
    #[serde(default)]
    pub opacity: Option<f64>,
    /// Left, top, right, bottom of its box on the picture, 0 to 1 from the top left, cut to the picture.
    pub screen: Option<[f64; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Flag {
    /// The two sources disagree: what was shown is not what the objects tell.
    SourcesDisagree,
    /// Another camera than in the frame before.
    CameraSwitched,
    /// No camera is behind the picture.
    NoCamera,
    /// Several cameras share the picture (split screen, array camera): the largest part's is given.
    SeveralCameras,
    /// One camera drew over all that another one in another pose shows, and what hides what is not known.
    OverlaidCameras,
    /// The picture holds nothing new: no draw is behind it.
    NothingDrawn,
    /// No render call of an announced three.js renderer is behind the picture: the GPU's matrices alone tell.
    GpuOnly,
    /// The draws carried no camera matrices under a name that is known: three.js' objects alone tell.
    ObjectsOnly,
    /// The picture is a 2D canvas onto which the only WebGL canvas that was read in this frame was drawn: the camera is that one's.
    CopiedCanvas,
    /// The camera stands still, and all solid things that it shows moved since the frame before as one body: a flight in which
    /// the world moves past the camera, or something that turns before it.
    WorldMoves,
}

/// Why a frame has no camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NoCamera {
    /// Nothing was drawn that is behind the picture.
    NothingDrawn,
    /// The picture is a 2D canvas, onto which not exactly one WebGL canvas was drawn.
    #[serde(rename = "canvas-2d")]
    Canvas2d,
    /// The draws have three.js' matrices, but none that tells where the world is, and three.js did not announce itself.
    Unannounced,
    /// No draw carries a camera's matrices under a name that is known.
    UnknownMatrices,
    /// The camera's matrices are no transformations.
    NotACamera,
}

impl NoCamera {
    /// In words.
    pub fn why(self) -> &'static str {
        match self {
            Self::NothingDrawn => "nothing was drawn that the picture shows",
            Self::Canvas2d => "the picture is a 2D canvas (and not one WebGL canvas alone was drawn onto it)",
            Self::Unannounced => {
                "three.js never announced itself, nor could its renderer be found, and the draws carry neither view nor model matrix"
            }
            Self::UnknownMatrices => {
                "no draw carries a camera's matrices under a name that is known (raw WebGL, or a shader that makes the picture by itself)"
            }
            Self::NotACamera => "the camera's matrices are no transformations",
        }
    }
}

impl std::fmt::Display for Flag {
    /// As in the JSON.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::SourcesDisagree => "sources-disagree",
            Self::CameraSwitched => "camera-switched",
            Self::NoCamera => "no-camera",
            Self::SeveralCameras => "several-cameras",
            Self::OverlaidCameras => "overlaid-cameras",
            Self::NothingDrawn => "nothing-drawn",
            Self::GpuOnly => "gpu-only",
            Self::ObjectsOnly => "objects-only",
            Self::CopiedCanvas => "copied-canvas",
            Self::WorldMoves => "world-moves",
        })
    }
}
