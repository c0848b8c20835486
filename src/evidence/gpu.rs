//! The second source: the camera as the matrices that reached the GPU have it.
//!
//! What places a vertex is `projection × modelView`, so the view is taken from there first: `modelView × model⁻¹`, with
//! the object's `modelMatrix` from the same draw, or else its `matrixWorld` as three.js told it. Programs that transform
//! by `viewMatrix` itself, or whose objects are unknown, are read by that. Where both are there they must agree.
//!
//! Tolerances follow from single precision (2⁻²⁴ ≈ 6e-8 of the largest number in a sum of four products): a position is
//! good to [`POSITION`] of the largest distance involved, an angle to [`ANGLE`] degrees, a projection's entries to
//! [`PROJECTION`] of the largest.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use super::choose::Candidate;
use super::observer::Matrix;
use super::pose::CameraMatrices;
use super::space;

/// Relative to the largest distance involved, and in scene units at least.
pub const POSITION: f64 = 4e-6;
/// Degrees.
pub const ANGLE: f64 = 2e-3;
/// Relative to the largest entry.
pub const PROJECTION: f64 = 1e-5;

/// World matrices of objects as three.js told them: by render call, camera and object.
pub type Worlds = BTreeMap<(u32, u32, u32), [f64; 16]>;

/// What the GPU's matrices say.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub matrices: CameraMatrices,
    /// Largest distance that went into the position: what its error is relative to.
    pub reach: f64,
    /// The view uniform and the objects' matrices tell different cameras.
    pub split: bool,
}

/// One estimate of the view.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    view: DMat4,
    position: DVec3,
    reach: f64,
}

/// Reads the candidate's draws; `None` if none carried a camera under a name that is known.
pub fn read(candidate: &Candidate<'_>, worlds: &Worlds) -> Option<Reading> {
    let mut views = super::observer::Tally::default();
    let mut projections = super::observer::Tally::default();
    let mut estimates = Vec::new();
    let parts = || candidate.parts.iter().filter(|part| candidate.flat() || !part.shot.is_flat());
    // What is seen comes first, before what is only in a depth that was sampled.
    let seen = parts().any(|part| !part.shot.key.depth_only);
    for part in parts().filter(|part| !(seen && part.shot.key.depth_only)) {
        views.merge(&part.shot.views);
        projections.merge(&part.shot.projections);
        let key = part.shot.key;
        let told = |object| worlds.get(&(key.render, key.camera, object));
        let known: Vec<(&Matrix, [f64; 16])> = (part.shot.placed.iter())
            .filter_map(|p| Some((&p.model_view, p.model.map(|m| space::widen(&m)).or(told(p.object).copied())?)))
            .collect();
        // Evenly over the shot, so that one odd object at its start does not decide.
        let step = known.len().div_ceil(SAMPLES).max(1);
        estimates.extend(known.iter().step_by(step).filter_map(|(model_view, model)| estimate(model_view, model)));
    }
    let (projection, draws) = projections.most().filter(|(m, _)| m.iter().all(|entry| entry.is_finite()))?;
    let by_view = views.most().and_then(|(view, draws)| {
        let view = space::matrix(&space::widen(&view));
        let position = space::inverse(&view)?.w_axis.truncate();
        view.is_finite().then(|| (Estimate { view, position, reach: position.length() }, draws))
    });
    let by_objects = agreed(&estimates);
    let (chosen, draws, split) = match (by_view, by_objects) {
        (Some((view, n)), Some(objects)) => {
            let split = !alike(&view, &objects);
            // The view uniform has more digits; the objects' matrices place the vertices.
            if split { (objects, draws, true) } else { (view, n, false) }
        }
        (Some((view, n)), None) => (view, n, false),
        (None, Some(objects)) => (objects, draws, false),
        (None, None) => return None,
    };
    let matrices = CameraMatrices {
        // Adding 0 makes −0 plain 0.
        position: (chosen.position + 0.0).to_array(),
        quaternion: turn(&chosen.view),
        view: chosen.view.to_cols_array(),
        projection: space::widen(&projection),
        draws,
    };
    Some(Reading { matrices, reach: chosen.reach.max(by_objects.map_or(0.0, |e| e.reach)), split })
}

/// Objects looked at in one shot.
const SAMPLES: usize = 48;

/// The camera's rotation in the world.
fn turn(view: &DMat4) -> [f64; 4] {
    space::rotation(&view.inverse()).to_array()
}

fn estimate(model_view: &Matrix, model: &[f64; 16]) -> Option<Estimate> {
    let model_view = space::matrix(&space::widen(model_view));
    let model = space::matrix(model);
    let view = model_view * space::inverse(&model)?;
    // A camera's view neither shears nor scales by much; what does is a matrix of another meaning under the same name.
    let scale = view.determinant().abs();
    if !(view.is_finite() && (1e-6..1e6).contains(&scale)) {
        return None;
    }
    let position = space::inverse(&view)?.w_axis.truncate();
    let reach = model_view.w_axis.truncate().length() + model.w_axis.truncate().length() + position.length();
    Some(Estimate { view, position, reach })
}

fn alike(a: &Estimate, b: &Estimate) -> bool {
    let reach = a.reach.max(b.reach);
    a.position.distance(b.position) <= 4.0 * POSITION * (1.0 + reach)
        && space::angle(space::rotation(&a.view), space::rotation(&b.view)) <= 4.0 * ANGLE
}

/// The estimate that most others are like; of those the one with the least error.
fn agreed(estimates: &[Estimate]) -> Option<Estimate> {
    let votes = |e: &Estimate| estimates.iter().filter(|other| alike(e, other)).count();
    let (leader, _) = estimates.iter().map(|e| (e, votes(e))).rev().max_by_key(|(_, n)| *n)?;
    estimates.iter().filter(|e| alike(leader, e)).min_by(|a, b| a.reach.total_cmp(&b.reach)).copied()
}
