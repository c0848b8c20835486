//! `clearance.jsonl`: a [`Clearance`] per line, a line per frame; its schema is `schema/clearance.schema.json`.

use serde::{Deserialize, Serialize};

/// The JSON schema, draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/clearance.schema.json");

/// How near the camera was to what was drawn. Distances in scene units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clearance {
    pub frame: u64,
    pub verdict: Contact,
    /// What tells that the camera is inside, where that is the verdict.
    #[serde(default)]
    pub inside_by: Option<InsideBy>,
    /// Distance from the camera to the nearest solid triangle, `None` if there is none within reach.
    pub distance: Option<f64>,
    /// The object that is nearest or was hit: its name, or its type and number.
    pub object: Option<String>,
    /// That object is drawn with holes (`discard`, alpha to coverage), which count as solid here: leaves on a card, a fence.
    #[serde(default)]
    pub cut_out: bool,
    /// Least distance of the path since the frame before to a solid triangle.
    pub swept_distance: Option<f64>,
    /// Times the path since the frame before crossed a solid surface.
    pub crossings: u32,
    /// From the depth buffer: nearest distance along the view, share of pixels nearer than the radius.
    pub depth_nearest: Option<f64>,
    pub depth_near_share: Option<f64>,
    /// Solid triangles the near plane cuts inside the picture.
    pub near_plane_cut: u32,
    /// Share of the picture that shows the backs of solid surfaces.
    pub back_faces: Option<f64>,
    /// Height of the camera above the solid surface below it.
    pub ground: Option<f64>,
    /// The same of the drone.
    pub drone_ground: Option<f64>,
    /// Share of the drone's surface inside the picture that nothing solid hides; `None` if there is no drone, or nothing
    /// tells.
    #[serde(default)]
    pub drone_visible: Option<f64>,
    /// Share of the people in view ([`super::scene_stats::SceneStats::pedestrians_visible`]) of whom nothing solid hides a part
    /// at least. One frame a second is looked at; `None` in the others, and where there is nobody.
    #[serde(default)]
    pub pedestrians_unhidden: Option<f64>,
    /// The frame begins a shot, and the jump to it went straight on through this object.
    #[serde(default)]
    pub cut_through: Option<String>,
    /// The camera jumped so far to this frame, through something solid, and flies on as it flew: that is no cut.
    #[serde(default)]
    pub hop: Option<f64>,
    /// What was touched but is no collision, because of a name or because the camera carries it along.
    #[serde(default)]
    pub waived: Vec<Waived>,
    #[serde(default)]
    pub untested: Untested,
}

/// Draws of the picture that nothing was held against: how many of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Untested {
    /// Of three.js' sprites that are not named solid.
    pub sprites: u32,
    pub points: u32,
    pub lines: u32,
    /// Raw WebGL beside three.js that leaves no depth, as light and smoke do.
    pub faint: u32,
    /// Looks solid (triangles that leave depth), but is drawn by raw WebGL through another camera than the picture's.
    pub direct: u32,
    /// Looks solid, but is too large to look at, or its program tells no positions.
    pub unreadable: u32,
    /// Turns too far from frame to frame for its way to be told, where it may meet the camera; or jumped through it.
    pub turning: u32,
}

impl Untested {
    /// Draws that look solid.
    pub fn solid(&self) -> u32 {
        self.direct.saturating_add(self.unreadable).saturating_add(self.turning)
    }
}

/// A contact that counts for nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waived {
    pub object: String,
    /// What it would be: passed through, inside or glued.
    pub verdict: Contact,
    /// Least distance in this frame or on the way to it.
    pub distance: f64,
    /// Which name lets it be touched.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InsideBy {
    /// All around are the backs of surfaces: a closed body, or the underside of the ground.
    Enclosed,
    /// The near plane cuts a surface open that is drawn from one side: the picture looks behind it.
    NearPlane,
}

/// Gravest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contact {
    /// The path crossed a solid surface since the frame before.
    PassedThrough,
    /// The camera is inside a closed body, or its near plane cuts one open.
    Inside,
    /// A solid surface is within the camera's radius.
    Glued,
    /// A solid surface is within the warning distance.
    Near,
    Clear,
    /// Nothing tells where the camera was (a program without three.js' objects), or what was drawn.
    #[default]
    Unknown,
}
