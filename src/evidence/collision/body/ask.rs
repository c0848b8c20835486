//! What is asked of a body: its triangles near something, their ways through the camera's, the first that a ray meets.

use std::cell::Cell;

use glam::{DVec3, Vec3};

use super::Body;
use crate::evidence::collision::clip;
use crate::evidence::collision::shapes::{Bounds, Hit, Triangle, ray_triangle};
use crate::evidence::collision::tree::{Ray, Tree};
use crate::evidence::collision::turn::Turn;

/// Groups that are asked one by one.
const LIST: usize = 8;

/// The camera's way.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    pub from: DVec3,
    pub to: DVec3,
    pub radius: f64,
    /// Around the way; what stays out of it is of no interest.
    pub path: &'a Bounds,
    pub ways: Ways,
}

/// What is known of how things came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// They moved from where they were.
    Moved,
    /// They stand where they are.
    Stand,
    /// They stand where they are, and stood where they were.
    Stood,
}

/// A piece of a triangle's way, straight, told from the end of the camera's.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    pub before: Triangle,
    pub now: Triangle,
    /// Of the frame's time, 0 to 1.
    pub times: [f64; 2],
    /// So long a way that it may have been put there.
    pub jumps: bool,
}

impl Body {
    /// Calls `visit` with every triangle of chunks that `near` lets through, relative to `from`. What it keeps out of a box, it
    /// keeps out of every box inside.
    pub fn visit(&self, from: DVec3, near: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(Triangle)) {
        for (number, group) in self.groups.iter().enumerate() {
            let Some(fine) = Some(group).filter(|group| near(&group.bounds)).and_then(|_| self.fine(number)) else {
                continue;
            };
            fine.chunks.visit(&near, |chunk| {
                let corners = self.chunk(number, chunk).filter_map(|triangle| self.at(&fine.points, triangle));
                corners.for_each(|corners| match &self.clip {
                    None => visit(self.exact(corners, from)),
                    Some(clip) => {
                        let whole = self.exact(corners, from);
                        clip.pieces(self.exact(corners, DVec3::ZERO), |piece| visit(piece.map(|p| clip::at(p, whole))));
                    }
                });
            });
        }
    }

    /// May it come into `path` on its way?
    pub fn comes_into(&self, path: &Bounds) -> bool {
        self.reach_on_arcs(&self.reach).meets(path)
    }

    /// What moves may turn: an arc lies off its chord by 0.384 of it at most, if it goes no further round than [`Turn`] follows.
    fn reach_on_arcs(&self, reach: &Bounds) -> Bounds {
        if self.before.is_none() { *reach } else { reach.grown((reach.max - reach.min).length() * 0.4) }
    }

    /// Calls `visit` with every triangle whose way may meet `sweep`'s path: as it was and as it is, in steps where it turns.
    /// How many turning instances it cannot tell the way of comes back.
    pub fn visit_ways(&self, sweep: &Sweep<'_>, mut visit: impl FnMut(Leg)) -> u32 {
        let mut untold = 0;
        for (number, group) in self.groups.iter().enumerate() {
            let near = self.reach_on_arcs(&group.reach).meets(sweep.path);
            let Some(fine) = Some(group).filter(|_| near).and_then(|_| self.fine(number)) else { continue };
            let ways = self.ways(number, fine).filter(|_| sweep.ways != Ways::Stand);
            let Some(ways) = ways else {
                fine.chunks.visit(
                    |chunk| chunk.meets(sweep.path),
                    |chunk| {
                        for triangle in self.chunk(number, chunk) {
                            let Some(now) = self.at(&fine.points, triangle) else { continue };
                            self.legs(sweep, (now, now), None, false, &mut visit);
                        }
                    },
                );
                continue;
            };
            let turns = self.turns(fine, ways, sweep.radius);
            let bulge = turns.iter().flatten().map(Turn::bulge).fold(0.0, f64::max) as f32;
            untold += turns.iter().flatten().filter(|turn| self.is_untold(turn, sweep)).count() as u32;
            ways.chunks.visit(
                |way| if bulge > 0.0 { way.grown(bulge).meets(sweep.path) } else { way.meets(sweep.path) },
                |chunk| {
                    for triangle in self.chunk(number, chunk) {
                        let Some(now) = self.at(&fine.points, triangle) else { continue };
                        let instance = triangle / self.topology.each.max(1);
                        // It is elsewhere now: where it stood it is in the way till then.
                        let left = |far: bool| far || ways.left.get(instance).copied().unwrap_or(false);
                        let was = self.at(&ways.own, triangle);
                        if sweep.ways == Ways::Stood {
                            was.into_iter().for_each(|was| self.legs(sweep, (was, was), None, false, &mut visit));
                            self.legs(sweep, (now, now), None, false, &mut visit);
                            continue;
                        }
                        let turn = turns.get(instance).and_then(Option::as_ref);
                        let turn = turn.filter(|turn| turn.steps(sweep.radius).is_some());
                        let before = match turn {
                            Some(_) => self.at(&ways.before, triangle),
                            None => self.moved(ways, triangle, now, self.leap),
                        };
                        if before.is_none()
                            && let Some(before) = self.moved(ways, triangle, now, self.jump)
                        {
                            self.legs(sweep, (before, now), None, true, &mut visit);
                        }
                        let far = before.is_none() && self.at(&ways.before, triangle).is_some();
                        if let Some(was) = was.filter(|_| left(far)) {
                            self.legs(sweep, (was, was), None, false, &mut visit);
                        }
                        self.legs(sweep, (before.unwrap_or(now), now), turn, false, &mut visit);
                    }
                },
            );
        }
        untold
    }

    fn is_untold(&self, turn: &Turn, sweep: &Sweep<'_>) -> bool {
        let met = |point: DVec3| turn.sweeps(point, sweep.radius);
        turn.steps(sweep.radius).is_none() && (met(sweep.from) || met(sweep.to))
    }

    /// A triangle's way in steps short enough to be straight.
    fn legs(
        &self,
        sweep: &Sweep<'_>,
        (before, now): ([Vec3; 3], [Vec3; 3]),
        turn: Option<&Turn>,
        jumps: bool,
        visit: &mut impl FnMut(Leg),
    ) {
        let (from, to) = (self.exact(before, DVec3::ZERO), self.exact(now, DVec3::ZERO));
        let steps = turn.and_then(|turn| turn.steps(sweep.radius)).unwrap_or(1);
        let place = |step: u32| match turn {
            _ if step == steps => to,
            Some(turn) if step > 0 => from.map(|corner| turn.at(corner, f64::from(step) / f64::from(steps))),
            _ => from,
        };
        for step in 0..steps {
            let times = [step, step + 1].map(|step| f64::from(step) / f64::from(steps));
            let [before, now] = [step, step + 1].map(|step| place(step).map(|corner| corner - sweep.to));
            match &self.clip {
                None => visit(Leg { before, now, times, jumps }),
                Some(clip) => clip.pieces(place(step + 1), |piece| {
                    let [before, now] = [before, now].map(|triangle| piece.map(|shares| clip::at(shares, triangle)));
                    visit(Leg { before, now, times, jumps });
                }),
            }
        }
    }

    /// The nearest triangle that a ray from `from` meets before `limit`; of several the first.
    pub fn hit(&self, from: DVec3, direction: DVec3, inverse: Vec3, limit: f64) -> Option<Hit> {
        let ray = Ray { origin: from.as_vec3(), inverse };
        let best: Cell<Option<(Hit, (usize, usize))>> = Cell::new(None);
        let reach = || best.get().map_or(limit, |(hit, _)| hit.at);
        let look = |number: usize| {
            let Some(group) = self.groups.get(number) else { return };
            if ray.enter(&group.bounds, reach()).is_none() {
                return;
            }
            let Some(fine) = self.fine(number) else { return };
            fine.chunks.along(ray, reach, |chunk| {
                for triangle in self.chunk(number, chunk) {
                    let Some(corners) = self.at(&fine.points, triangle) else { continue };
                    let hit = ray_triangle(DVec3::ZERO, direction, self.exact(corners, from));
                    let there = |hit: &Hit| self.clip.as_ref().is_none_or(|clip| clip.keeps(from + direction * hit.at));
                    let order = (number, triangle);
                    let first = |hit: &Hit| best.get().is_some_and(|(old, of)| hit.at == old.at && order < of);
                    if let Some(hit) = hit.filter(|hit| (hit.at < reach() || first(hit)) && there(hit)) {
                        best.set(Some((hit, order)));
                    }
                }
            });
        };
        if self.groups.len() <= LIST {
            (0..self.groups.len()).for_each(look);
        } else {
            let tree = || Tree::new(self.groups.iter().map(|group| group.bounds));
            self.tree.get_or_init(tree).along(ray, reach, look);
        }
        best.get().map(|(hit, _)| hit)
    }
}
