//! How many pedestrians there are, how many of them the camera sees, and how many moved.
//!
//! Instanced meshes of one count whose instances stand in the same places are parts (bodies, heads, legs) of the same
//! people. Seen is whose middle lies inside the camera's view; what hides behind a wall counts too.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};

use super::space;
use crate::scene::TrackedObject;

/// Parts of one person stand within so many metres of each other, on the whole.
const APART: f64 = 1.5;
/// Whoever went farther than this, in metres, since the frame before moved.
const MOVED: f64 = 1e-3;

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
            count.all = count.all.saturating_add(object.instances);
            // An object drawn in two scenes is tracked twice.
            if seen.insert(object.number, ()).is_some() {
                count.all = count.all.saturating_sub(object.instances);
                continue;
            }
            let each = if places.len() > 1 { 1 } else { object.instances };
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

/// The middle of each person in the world.
fn places(object: &TrackedObject) -> Vec<DVec3> {
    let world = space::matrix(&object.matrix_world);
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

/// Nine of ten pairs lie within `apart` of each other.
fn together(a: &[DVec3], b: &[DVec3], apart: f64) -> bool {
    let near = a.iter().zip(b).filter(|(a, b)| a.distance(**b) <= apart).count();
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
}
