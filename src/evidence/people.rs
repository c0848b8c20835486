//! How many pedestrians there are, how many of them the camera sees, and how many moved.
//!
//! Instanced meshes of one count whose instances stand in the same places are parts (bodies, heads, legs) of the same
//! people. Who has no size (scaled to nothing) is not there. Seen is whose middle lies inside the camera's view; what hides
//! behind a wall counts too.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use super::space;
use crate::scene::TrackedObject;

/// Parts of one person stand within so many metres of each other, on the whole.
const APART: f64 = 1.5;
/// Whoever went farther than this, in metres, since the frame before moved.
const MOVED: f64 = 1e-3;
/// A scale along an axis below which there is no extent.
const THINNEST: f64 = 1e-4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub all: u32,
    pub visible: u32,
    pub moving: u32,
}

/// Counts people, frame after frame.
#[derive(Debug)]
pub struct People {
    metres_per_unit: f64,
    /// Places of the frame before, by object.
    before: BTreeMap<u32, Vec<DVec3>>,
}

impl People {
    pub fn new(metres_per_unit: f64) -> Self {
        Self { metres_per_unit, before: BTreeMap::new() }
    }

    /// Counts the frame's people, as `view_projection` sees them.
    pub fn count(&mut self, people: &[TrackedObject], view_projection: Option<&DMat4>) -> Count {
        let apart = APART / self.metres_per_unit;
        let mut count = Count::default();
        let mut groups: Vec<(Vec<DVec3>, &TrackedObject)> = Vec::new();
        let mut now = BTreeMap::new();
        for object in people {
            let places = places(object);
            let part = object.instances > 1
                && groups.iter().any(|(known, other)| {
                    other.instances == object.instances
                        && known.len() == places.len()
                        && together(known, &places, apart)
                });
            if part {
                continue;
            }
            groups.push((places, object));
        }
        let mut seen = BTreeMap::new();
        for (places, object) in groups {
            // An object drawn in two scenes is tracked twice.
            if seen.insert(object.number, ()).is_some() {
                continue;
            }
            let each = if object.places.is_empty() { object.instances } else { 1 };
            let there = u32::try_from(places.iter().filter(|place| place.is_finite()).count()).unwrap_or(u32::MAX);
            count.all = count.all.saturating_add(there.saturating_mul(each));
            let shown = |at: &&DVec3| object.shown && view_projection.is_some_and(|all| space::in_view(all, **at));
            let visible = u32::try_from(places.iter().filter(shown).count()).unwrap_or(u32::MAX);
            count.visible = count.visible.saturating_add(visible.saturating_mul(each));
            if let Some(before) = self.before.get(&object.number) {
                let limit = MOVED / self.metres_per_unit;
                let moved = places.iter().zip(before).filter(|(a, b)| a.distance(**b) > limit).count();
                let moved = u32::try_from(moved).unwrap_or(u32::MAX);
                count.moving = count.moving.saturating_add(moved.saturating_mul(each));
            }
            now.insert(object.number, places);
        }
        self.before = now;
        count
    }
}

/// The middle of each person in the world; not finite for who has no size.
fn places(object: &TrackedObject) -> Vec<DVec3> {
    let world = space::matrix(&object.matrix_world);
    // A flat card has two axes and can be seen.
    let axes = [world.x_axis, world.y_axis, world.z_axis].map(|axis| axis.truncate().length());
    if axes.iter().filter(|length| **length > THINNEST).count() < 2 {
        return vec![DVec3::NAN; object.places.len().max(1)];
    }
    let middle = object.bounds.map_or(DVec3::ZERO, |(min, max)| (DVec3::from(min) + DVec3::from(max)) / 2.0);
    if object.places.is_empty() {
        return vec![world.transform_point3(middle)];
    }
    // Instances turn about their own axis; where they stand is enough.
    object
        .places
        .iter()
        .map(|[x, y, z]| world.transform_point3(DVec3::new(f64::from(*x), f64::from(*y), f64::from(*z))))
        .collect()
}

/// Nine of ten pairs lie within `apart` of each other, or are both not there.
fn together(a: &[DVec3], b: &[DVec3], apart: f64) -> bool {
    let same = |a: &DVec3, b: &DVec3| a.distance(*b) <= apart || !a.is_finite() && !b.is_finite();
    let near = a.iter().zip(b).filter(|(a, b)| same(a, b)).count();
    near * 10 >= a.len() * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(number: u32, at: f32) -> TrackedObject {
        TrackedObject {
            number,
            name: "crowd".into(),
            matrix_world: DMat4::IDENTITY.to_cols_array(),
            bounds: Some(([-0.5; 3], [0.5; 3])),
            shown: true,
            instances: 4,
            opacity: 1.0,
            places: (0..4).map(|i| [i as f32 * 10.0 + at, 0.0, -5.0]).collect(),
        }
    }

    #[test]
    fn bodies_and_heads_are_the_same_people_and_others_are_not() {
        let mut people = People::new(1.0);
        let head =
            TrackedObject { places: crowd(2, 0.0).places.iter().map(|p| [p[0], 1.4, p[2]]).collect(), ..crowd(2, 0.0) };
        assert_eq!(people.count(&[crowd(1, 0.0), head.clone(), crowd(3, 6.0)], None).all, 8);
        // 90° wide at distance 5: x from -5 to 5 is seen.
        let eye = space::perspective(90_f64.to_radians(), 1.0, 0.1, 100.0);
        let count = people.count(&[crowd(1, 0.5), head, crowd(3, 6.0)], Some(&eye));
        assert_eq!(count, Count { all: 8, visible: 1, moving: 4 });
    }

    #[test]
    fn who_is_scaled_to_nothing_is_not_there() {
        let eye = space::perspective(90_f64.to_radians(), 1.0, 0.1, 100.0);
        // Two of four stand in view, one of them without size.
        let mut some = crowd(1, 0.0);
        some.places = vec![[0.0, 0.0, -5.0], [f32::NAN; 3], [90.0, 0.0, -5.0], [99.0, 0.0, -5.0]];
        let mut people = People::new(1.0);
        assert_eq!(people.count(&[some.clone()], Some(&eye)), Count { all: 3, visible: 1, moving: 0 });
        let heads = TrackedObject { number: 2, ..some.clone() };
        assert_eq!(people.count(&[some, heads], Some(&eye)).all, 3, "parts of the same people");
        let scaled = |x: f64, y: f64, z: f64| TrackedObject {
            matrix_world: DMat4::from_scale_rotation_translation(
                DVec3::new(x, y, z),
                glam::DQuat::from_rotation_y(1.0),
                DVec3::new(0.0, 0.0, -5.0),
            )
            .to_cols_array(),
            instances: 1,
            places: Vec::new(),
            ..crowd(3, 0.0)
        };
        let one = |object: TrackedObject| People::new(1.0).count(&[object], Some(&eye)).visible;
        assert_eq!([one(scaled(1.0, 1.0, 1.0)), one(scaled(0.0, 0.0, 0.0)), one(scaled(1.0, 1.0, 0.0))], [1, 0, 1]);
        let mut gone = crowd(4, 0.0);
        gone.matrix_world = DMat4::from_scale(DVec3::ZERO).to_cols_array();
        assert_eq!(People::new(1.0).count(&[gone], Some(&eye)), Count::default());
    }
}
