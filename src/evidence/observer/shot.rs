//! What one render call draws for one camera.

use super::images::Share;
use super::matrices::{Matrix, Tally, Transform, is_perspective};
use crate::evidence::scene_stats::Work;
use crate::gl::command::ImageId;

/// Names a shot within a run. `direct` tells draws outside of any render call apart: first target, projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShotKey {
    pub render: u32,
    pub camera: u32,
    pub direct: Option<(ImageId, [u32; 16])>,
    /// What was drawn into depth beside colours that it could not change.
    pub depth_only: bool,
}

/// An object's transformation as a draw carried it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Number of the object; 0 where it is unknown.
    pub object: u32,
    pub model_view: Matrix,
    /// Object to world, where the program has it.
    pub model: Option<Matrix>,
}

/// Objects whose transformation is kept of one shot.
const MOST_PLACED: usize = 4096;
/// The same of a shot of an earlier frame.
const OLD_PLACED: usize = 64;

#[derive(Clone, Debug)]
pub struct Shot {
    pub key: ShotKey,
    pub frame: u64,
    pub work: Work,
    /// Of it, what is drawn with depth test and depth write.
    pub solid: Work,
    pub views: Tally,
    pub projections: Tally,
    pub placed: Vec<Placed>,
    /// Most triangles of one draw.
    largest: u64,
    /// What was sampled: image, the version of its content, the content.
    pub inputs: Vec<(ImageId, u64, Vec<Share>)>,
}

impl Shot {
    pub fn new(key: ShotKey, frame: u64) -> Self {
        Self {
            key,
            frame,
            work: Work::default(),
            solid: Work::default(),
            views: Tally::default(),
            projections: Tally::default(),
            placed: Vec::new(),
            largest: 0,
            inputs: Vec::new(),
        }
    }

    /// Takes in a draw.
    pub fn add(&mut self, work: Work, solid: bool, transform: &Transform, object: u32) {
        self.work += work;
        if solid {
            self.solid += work;
        }
        self.largest = self.largest.max(work.triangles);
        if let Some(view) = &transform.view {
            self.views.add(view);
        }
        if let Some(projection) = &transform.projection {
            self.projections.add(projection);
        }
        if let Some(model_view) = transform.model_view
            && self.placed.len() < MOST_PLACED
        {
            self.placed.push(Placed { object, model_view, model: transform.model });
        }
    }

    /// Keeps what a later frame may ask of it.
    pub fn age(&mut self) {
        self.inputs = Vec::new();
        let step = self.placed.len().div_ceil(OLD_PLACED).max(1);
        self.placed = self.placed.iter().step_by(step).copied().collect();
    }

    /// A copy without what it samples.
    pub fn plain(&self) -> Self {
        Self {
            key: self.key,
            frame: self.frame,
            work: self.work,
            solid: self.solid,
            views: self.views.clone(),
            projections: self.projections.clone(),
            placed: self.placed.clone(),
            largest: self.largest,
            inputs: Vec::new(),
        }
    }

    /// Notes that draws sample an image that holds `content`.
    pub fn sample(&mut self, image: ImageId, version: u64, content: &[Share]) {
        if !self.inputs.iter().any(|(known, at, _)| (*known, *at) == (image, version)) {
            self.inputs.push((image, version, content.to_vec()));
        }
    }

    /// Is the projection of most of its draws a perspective one?
    pub fn is_perspective(&self) -> bool {
        self.projections.most().is_some_and(|(projection, _)| is_perspective(&projection))
    }

    /// A full-screen pass or an overlay: shows what it samples (see the module's documentation).
    pub fn is_flat(&self) -> bool {
        !self.is_perspective() && (self.largest <= 2 || self.work.draws <= 4)
    }

    /// How much of a scene it is: grows with its solid draws and triangles.
    pub fn substance(&self) -> f64 {
        let size = |work: &Work| {
            let shapes = work.triangles as f64 + 0.1 * (work.lines + work.points) as f64;
            (work.draws as f64 * shapes).sqrt()
        };
        size(&self.solid) + 0.1 * size(&self.work)
    }
}
