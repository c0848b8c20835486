//! Whether the camera carries a body along: a cockpit, a sky. Then it is no obstacle.

use std::sync::Arc;

use glam::{DAffine3, DVec3, Vec3};

use super::{Body, Placed, Step};

/// Points that tell of all, where the shape is the same.
const SAMPLES: usize = 12;
/// Of the way that it goes along, the part that something carried may be off: cockpits shake.
const SHAKES: f64 = 0.05;
/// The same of something wide that is made anew by a shader. A ground that rises gently is off by hardly more.
const BENDS: f64 = 1e-3;
/// Over more than a frame it may be off its place by this part of its distance to the camera, and by so many metres.
const BOBS: f64 = 0.1;
/// No cabin, deck or other part of a vehicle is as long and as wide, in metres.
const WIDE: f32 = 20.0;
/// A plane's points are off it by less than this part of their distance to the camera.
const FLAT: f64 = 1e-4;

/// What came near the camera: where it was then, and the camera's way since.
#[derive(Debug)]
pub(super) struct Ride {
    from: Placed,
    along: DAffine3,
}

/// Where a point was, and where it is.
type Pair = (DVec3, DVec3);

impl Body {
    /// Learns whether the camera carries it along: it, `now`, stays where it is for the camera, although that moves so far that
    /// what stands would not. Where the camera hardly moves, nothing is learnt.
    pub(super) fn ride(&mut self, now: &Placed, step: &Step) {
        let Some(along) = step.along else { return };
        let size = self.bounds.max - self.bounds.min;
        let wide = size.cmpge(Vec3::splat(WIDE * step.metre)).bitmask().count_ones() > 1;
        let steady = self.now.as_ref().and_then(|before| rides(before, now, (along, wide), step));
        // What shakes stays near its place, which is little once the way is long.
        let (mut near, mut bobs) = (false, false);
        if let Some(ride) = &mut self.ride
            && let Some(few) = few(&ride.from, now)
        {
            ride.along = along * ride.along;
            let most = f64::from(step.metre) * BOBS;
            let within = judge(&few, ride.along, step, |_, distance| most.min(BOBS * distance));
            near = within != Some(false);
            bobs = within == Some(true) && judge(&few, ride.along, step, |way, _| SHAKES * way) == Some(true);
        }
        if !near {
            let comes_near = !wide && self.bounds.distance_squared(step.eye) <= step.metre * step.metre;
            self.ride = comes_near.then(|| Box::new(Ride { from: now.clone(), along: DAffine3::IDENTITY }));
        }
        self.carried = bobs || steady.unwrap_or(self.carried);
    }
}

fn rides(before: &Placed, now: &Placed, (along, wide): (DAffine3, bool), step: &Step) -> Option<bool> {
    let Some(few) = few(before, now) else { return Some(false) };
    let steady = judge(&few, along, step, |way, _| SHAKES * way)?;
    if !steady || wide && slides(&few, step.eye.as_dvec3()) {
        return Some(false);
    }
    if Arc::ptr_eq(&before.positions, &now.positions) {
        return Some(true);
    }
    // A few points may lie flat on a ground that glides along, and gets its heights from where it is.
    let most = if wide { BENDS } else { SHAKES };
    let rides = |pair: &Pair| stays(pair, along, step, |way, _| most * way) != Some(false);
    Some(before.positions.iter().zip(&now.positions[..]).all(|(was, is)| rides(&place(before, now, (was, is)))))
}

fn place(before: &Placed, now: &Placed, (was, is): (&[f32; 4], &[f32; 4])) -> Pair {
    (before.placing.place(*was), now.placing.place(*is))
}

/// Some of the points; `None` if it has other ones now.
fn few(before: &Placed, now: &Placed) -> Option<Vec<Pair>> {
    let pair = |at| Some(place(before, now, (before.positions.get(at)?, now.positions.get(at)?)));
    let alike = before.positions.len() == now.positions.len();
    alike.then(|| samples(now.positions.len()).filter_map(pair).collect())
}

/// Did all that tell something stay where they are for a camera that went `along`? `None` if few do.
fn judge(pairs: &[Pair], along: DAffine3, step: &Step, most: impl Fn(f64, f64) -> f64) -> Option<bool> {
    let told: Vec<bool> = pairs.iter().filter_map(|pair| stays(pair, along, step, &most)).collect();
    (told.len() * 2 > pairs.len()).then(|| !told.contains(&false))
}

/// Is a point off by less than `most`, of how far it goes along and how far it is from the camera? `None` if what stands would
/// hardly move for the camera either.
fn stays((was, is): &Pair, along: DAffine3, step: &Step, most: impl Fn(f64, f64) -> f64) -> Option<bool> {
    let goes = along.transform_point3(*was);
    let (way, distance) = (goes.distance(*was), goes.distance(step.eye.as_dvec3()));
    (way > 1e-4 * (distance + 1e-3)).then(|| is.distance(goes) < most(way, distance))
}

/// Numbers spread evenly over `count`, by the golden ratio: in step with no row of a grid.
fn samples(count: usize) -> impl Iterator<Item = usize> {
    (0..SAMPLES as u32).map(move |n| ((f64::from(n) * 0.618_033_988_749_895).fract() * count as f64) as usize)
}

/// Does something flat slide in its own plane? But for its rim nobody could tell it from a ground that stands.
fn slides(points: &[Pair], eye: DVec3) -> bool {
    let Some((first, _)) = points.first() else { return false };
    let farthest = |distance: &dyn Fn(DVec3) -> f64| {
        let places = points.iter().map(|(was, _)| (*was, distance(*was)));
        places.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((*first, 0.0))
    };
    let (second, size) = farthest(&|point| point.distance_squared(*first));
    let (third, off) =
        farthest(&|point| (point - *first).cross((second - *first).normalize_or_zero()).length_squared());
    let normal = (second - *first).cross(third - *first).normalize_or_zero();
    let lies = |point: &DVec3| (*point - *first).dot(normal).abs() <= FLAT * (1.0 + point.distance(eye));
    off > 1e-6 * size && points.iter().all(|(was, is)| lies(was) && lies(is))
}

#[cfg(test)]
mod tests {
    use glam::DMat4;

    use super::super::Unproject;
    use super::*;
    use crate::gl::observe::{DrawKey, NamedMatrices, ObservedDraw};
    use crate::scene::Subject;

    fn draw(points: &[Vec3], to_clip: DMat4) -> ObservedDraw {
        let key = DrawKey {
            object: 1,
            vertex_buffer: None,
            index_buffer: None,
            first: 0,
            count: points.len() as u32,
            base_vertex: 0,
            first_instance: 0,
            cull: None,
        };
        ObservedDraw {
            subject: Subject::default(),
            key,
            positions: points.iter().map(|point| point.extend(1.0).to_array()).collect(),
            to_clip: to_clip.to_cols_array(),
            vertices: points.len() as u32,
            instances: 1,
            indices: None,
            strip: false,
            front_face_ccw: true,
            cull: None,
            depth_test: true,
            depth_write: true,
            additive: false,
            cut_out: false,
            target: None,
            named: NamedMatrices::default(),
        }
    }

    /// Is something at `was` and then at `is` carried by a camera that goes from the origin by `way`?
    fn carried(was: &[Vec3], is: &[Vec3], way: DVec3) -> bool {
        film([was, is].into_iter(), way).into_iter().all(|carried| carried)
    }

    /// From the second frame on.
    fn film<'a>(frames: impl Iterator<Item = &'a [Vec3]>, way: DVec3) -> Vec<bool> {
        // OpenGL's perspective matrix: 90°, an aspect of 1, 0.1 to 1000.
        let (p, q) = (-1000.1 / 999.9, -200.0 / 999.9);
        let projection = DMat4::from_cols_array(&[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., p, -1., 0., 0., q, 0.]);
        let mut body = Body::new(1);
        let carried = frames.zip(0_u32..).map(|(points, number)| {
            let eye = way * f64::from(number);
            let camera = DMat4::from_translation(eye);
            let unproject = Unproject::new(&camera.to_cols_array(), &projection.to_cols_array(), DVec3::ZERO);
            let along = (number > 0).then(|| DAffine3::from_translation(way));
            let frame = u64::from(number) + 1;
            let step = Step { frame, eye: eye.as_vec3(), far: 1000.0, leap: 5.0, jump: 10.0, along, metre: 1.0 };
            body.update(&draw(points, projection * camera.inverse()), &unproject.expect("a camera"), &step);
            body.carried
        });
        carried.skip(1).collect()
    }

    /// 61 by 61 corners, `side` from one to the next, around (x, z) = `middle`; `height` tells theirs.
    fn ground(side: f32, middle: [f32; 2], height: impl Fn(f32, f32) -> f32) -> Vec<Vec3> {
        let row = |at: usize| (at as f32 - 30.0) * side;
        let place = |n: usize| [middle[0] + row(n % 61), middle[1] + row(n / 61)];
        (0..61 * 61).map(place).map(|[x, z]| Vec3::new(x, height(x, z), z)).collect()
    }

    /// A metre along −z, with and without a dive of 3 %.
    #[test]
    fn a_ground_that_glides_along_is_not_carried() {
        let (level, dive) = (DVec3::NEG_Z, DVec3::new(0.0, -0.03, -1.0));
        let glides = |height: &dyn Fn(f32, f32) -> f32, way| {
            carried(&ground(2.0, [0.0, 0.0], height), &ground(2.0, [0.0, -1.0], height), way)
        };
        assert!(!glides(&|_, _| -5.0, level) && !glides(&|_, _| -5.0, dive), "flat");
        assert!(!glides(&|x, _| -5.0 + 0.2 * x, dive), "an even slope");
        assert!(!glides(&|_, z| -5.0 - 0.03 * z.min(0.0), level), "it rises by 3 %");
        assert!(!glides(&|x, z| -5.0 + 6.0 * (-(x * x + (z + 9.0).powi(2))).exp(), level), "one hill");
        // The hill goes along too, as do all points of a sky.
        let hill = |z: f32| move |x: f32, of: f32| -5.0 + 6.0 * (-(x * x + (of - z).powi(2)) / 99.0).exp();
        assert!(carried(&ground(2.0, [0.0, 0.0], hill(-9.0)), &ground(2.0, [0.0, -1.0], hill(-10.0)), level));
        assert!(
            !carried(&ground(2.0, [0.0, 0.0], hill(-9.0)), &ground(2.0, [0.0, 0.0], hill(-9.0)), level),
            "it stands"
        );
    }

    #[test]
    fn a_cockpit_that_shakes_is_carried() {
        let floor = |z: f32, y: f32| ground(0.04, [0.0, z], |_, _| y);
        let goes = |y: f32| carried(&floor(0.0, -0.3), &floor(-0.5, y), DVec3::NEG_Z * 0.5);
        assert!(goes(-0.3) && goes(-0.31), "a centimetre of the half metre that it goes");
        assert!(!goes(-0.4), "10 cm");
        // 5 cm up and down is a tenth of the half metre that it goes in a frame, and little of the way that it goes in three.
        let shaken: Vec<_> = (0..12_u8).map(|n| floor(f32::from(n) * -0.5, -0.7 + 0.05 * f32::from(n % 2))).collect();
        let shaken = film(shaken.iter().map(Vec::as_slice), DVec3::NEG_Z * 0.5);
        assert_eq!(shaken.iter().position(|carried| *carried), Some(2), "after two frames it is where it was");
        assert!(shaken[2..].iter().all(|carried| *carried), "{shaken:?}");
        // It comes on by a tenth of the way.
        let comes: Vec<_> = (0..7_u8).map(|n| floor(f32::from(n) * -0.5, -0.7 + 0.05 * f32::from(n))).collect();
        assert_eq!(film(comes.iter().map(Vec::as_slice), DVec3::NEG_Z * 0.5), [false; 6]);
        let panel = |z: f32| [[0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]].map(|[x, y]| Vec3::new(x, y, z - 0.3));
        assert!(carried(&panel(0.0), &panel(-0.5), DVec3::NEG_Z * 0.5));
        assert!(!carried(&panel(0.0), &panel(-0.5), DVec3::NEG_Z * 0.45));
    }
}
