//! Does the picture move as the camera that is said to be behind it does?
//!
//! Two frames, a little apart, make a look. What stands still and was drawn for the camera must be in the second picture
//! where the camera's matrices put it. If most of it is not, but elsewhere, then the film shows something else than what
//! the camera sees: another film on a screen before the camera, a picture that a shader paints. Neither source of a pose
//! tells that, since the camera's draws are real, only hidden. A picture that is all one colour, or a camera that hardly
//! moves, tells nothing.
//!
//! In: a small grey picture of each frame from the film, and where standing surfaces are from the collision pass, in
//! frame order each. Both come from threads of their own; frame numbers, not timing, pair them.

mod block;
mod thumb;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use glam::{DMat4, DVec2, DVec3};
use serde::{Deserialize, Serialize};

use block::Seen;
pub use thumb::Thumb;

/// Seconds from the beginning of one look to that of the next.
const INTERVAL: f64 = 0.5;
/// Frames in which the camera must have moved far enough.
const WITHIN: u64 = 10;
/// Pixels of the small picture that a surface must have moved by, and may have.
const MOVED: std::ops::Range<f64> = 5.0..30.0;
/// Surfaces looked at, and the least that must tell something.
const MOST: usize = 64;
const LEAST: usize = 8;
/// Share of those that tell which must be where they belong.
const BELONG: f64 = 0.5;
/// Looks that are needed to tell, and the share of them above which they speak against the camera: water does, now and then.
const LOOKS: u64 = 2;
const MOST_AGAINST: f64 = 0.3;

/// What a render found of it; part of `render_meta.json`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureMotion {
    /// Pairs of frames, at most two a second, whose pictures told something.
    pub looks: u64,
    /// Those in which what stands still is elsewhere than the camera's matrices put it.
    pub against: u64,
    /// The first frame of the first of those.
    pub first_against: Option<u64>,
    /// Of all surfaces that told something, the share that was where it belongs; `None` if none did.
    pub found: Option<f64>,
}

impl PictureMotion {
    /// Share of the looks that speak against the camera; 0 where they are too few: a single one may be a flash.
    pub fn against_share(&self) -> f64 {
        if self.looks < LOOKS { 0.0 } else { self.against as f64 / self.looks as f64 }
    }

    /// That the film shows something else than what the camera sees, if it does.
    pub fn doubt(&self) -> Option<String> {
        (self.against_share() > MOST_AGAINST).then(|| {
            format!(
                "in {} of {} looks at how the picture moves, what stands still is elsewhere in it than the camera's matrices put it: what the film shows is not what the camera sees",
                self.against, self.looks
            )
        })
    }
}

/// Where standing surfaces are that a frame's camera sees.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// From the places of `anchors` to clip space.
    pub view_projection: DMat4,
    /// Points of standing surfaces that are in the picture and not hidden by anything drawn with depth.
    pub anchors: Vec<DVec3>,
}

impl Sighting {
    /// Where a point is on the picture: 0 to 1 from the top left; `None` behind the camera.
    fn place(&self, point: DVec3) -> Option<DVec2> {
        let clip = self.view_projection * point.extend(1.0);
        let at = DVec2::new(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
        (clip.w > 0.0 && at.is_finite()).then_some(at)
    }
}

/// Pairs pictures with sightings.
#[derive(Debug)]
pub struct Witness {
    /// Frames from the beginning of one look to that of the next.
    step: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    pictures: BTreeMap<u64, Thumb>,
    sightings: BTreeMap<u64, Option<Sighting>>,
    open: Option<Look>,
    told: PictureMotion,
    /// Surfaces where they belong, and those that told something.
    belong: u64,
    tell: u64,
}

/// The first frame of a pair.
#[derive(Debug)]
struct Look {
    frame: u64,
    picture: Thumb,
    sighting: Sighting,
}

impl Witness {
    /// `rate`: frames a second.
    pub fn new(rate: f64) -> Self {
        Self { step: (rate * INTERVAL).round().clamp(2.0, 1e6) as u64, state: Mutex::default() }
    }

    /// May a frame be part of a look?
    pub fn wants(&self, frame: u64) -> bool {
        frame % self.step <= WITHIN
    }

    /// A frame that it wants, as the film shows it.
    pub fn picture(&self, frame: u64, picture: Thumb) {
        self.join(|state| drop(state.pictures.insert(frame, picture)));
    }

    /// What the camera of a frame that it wants sees; `None` if nobody knows.
    pub fn sighting(&self, frame: u64, sighting: Option<Sighting>) {
        self.join(|state| drop(state.sightings.insert(frame, sighting)));
    }

    /// What was found, once both have ended.
    pub fn told(&self) -> PictureMotion {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let found = (state.tell > 0).then(|| state.belong as f64 / state.tell as f64);
        PictureMotion { found, ..state.told }
    }

    fn join(&self, add: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut state);
        while let Some(frame) = state.sightings.keys().next().copied()
            && let Some(picture) = state.pictures.remove(&frame)
        {
            let sighting = state.sightings.remove(&frame).flatten();
            state.next(frame, picture, sighting, frame.is_multiple_of(self.step));
        }
    }
}

impl State {
    fn next(&mut self, frame: u64, picture: Thumb, sighting: Option<Sighting>, begins: bool) {
        if begins {
            let tells = |sighting: &Sighting| sighting.anchors.len() >= LEAST;
            self.open = sighting.filter(tells).map(|sighting| Look { frame, picture, sighting });
            return;
        }
        let (Some(look), Some(now)) = (&self.open, sighting) else { return };
        if look.picture.size() != picture.size() {
            self.open = None;
            return;
        }
        let moved = look.moved(&now, picture.size());
        if moved.len() < LEAST {
            return;
        }
        let each = moved.len().div_ceil(MOST);
        let seen = moved.iter().step_by(each).map(|(from, to)| block::compare(&look.picture, *from, &picture, *to));
        let (mut belong, mut elsewhere) = (0, 0);
        for seen in seen {
            belong += u64::from(seen == Seen::WhereItBelongs);
            elsewhere += u64::from(seen == Seen::Elsewhere);
        }
        let tell = belong + elsewhere;
        if tell >= LEAST as u64 {
            self.told.looks += 1;
            (self.belong, self.tell) = (self.belong + belong, self.tell + tell);
            if (belong as f64) < BELONG * tell as f64 {
                self.told.against += 1;
                self.told.first_against.get_or_insert(look.frame);
            }
        }
        self.open = None;
    }
}

impl Look {
    /// Places on both pictures, in their pixels, of what moved far enough.
    fn moved(&self, now: &Sighting, (width, height): (u32, u32)) -> Vec<(DVec2, DVec2)> {
        let size = DVec2::new(width.into(), height.into());
        let anchors = self.sighting.anchors.iter();
        let places = anchors.filter_map(|at| Some((self.sighting.place(*at)? * size, now.place(*at)? * size)));
        let inside = |at: DVec2| at.cmpge(DVec2::ZERO).all() && at.cmplt(size).all();
        places.filter(|(from, to)| MOVED.contains(&from.distance(*to)) && inside(*from) && inside(*to)).collect()
    }
}

#[cfg(test)]
mod tests;
