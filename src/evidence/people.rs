//! How many pedestrians there are, how many of them the camera sees, and how many moved.
//!
//! Instanced meshes of one count whose instances stand in the same places are parts (bodies, heads, legs) of the same
//! people. Who stands in the same spot as another (within [`SPOT`]) counts once, unless bones or a shader may place them otherwise. Who has no size (scaled to nothing) is not there, nor is who was never drawn so far, or so that nothing shows. Seen is whose middle lies inside the camera's view, who is
//! shown, on a layer of the camera's, opaque enough and large enough. Who of them hides behind a wall, `collision` tells.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec3};

use super::space;
use crate::scene::TrackedObject;

/// Parts of one person stand within so many metres of each other, on the whole.
const APART: f64 = 1.5;
/// Metres. Where several stand within it, one is seen, and one counts.
const SPOT: f64 = 0.05;
/// Whoever went farther than this, in metres, since the frame before moved.
const MOVED: f64 = 1e-3;
/// A scale along an axis below which there is no extent.
const THINNEST: f64 = 1e-4;
/// What hides less of what is behind it is not seen.
pub const OPAQUE: f64 = 0.05;
/// Who spans less of the picture's height or width is not seen: a pixel of 1080.
const SMALLEST: f64 = 1.0 / 1080.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub all: u32,
    pub visible: u32,
    pub moving: u32,
    /// Did not move by their matrices, and may have moved otherwise.
    pub maybe_moving: u32,
}

/// What sees: world to clip space, and the layers drawn.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    pub view_projection: DMat4,
    pub layers: u32,
}

/// Counts people, frame after frame.
#[derive(Debug)]
pub struct People {
    metres_per_unit: f64,
    /// Places of the frame before, by object.
    before: BTreeMap<u32, Vec<DVec3>>,
    /// Objects that some frame showed: hiding people who are out of view is a program's good right.
    shown: BTreeSet<u32>,
}

/// A person, or one of an instanced mesh's.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    /// Its middle in the world; not finite for who has no size.
    pub at: DVec3,
    /// From the middle to the farthest corner, if known.
    pub radius: Option<f64>,
}

/// People, and the objects that are parts of each of them.
struct Group<'a> {
    people: Vec<Person>,
    parts: Vec<&'a TrackedObject>,
}

impl People {
    pub fn new(metres_per_unit: f64) -> Self {
        Self { metres_per_unit, before: BTreeMap::new(), shown: BTreeSet::new() }
    }

    /// Counts the frame's people, as `eye` sees them.
    pub fn count(&mut self, people: &[TrackedObject], eye: Option<&Eye>) -> Count {
        let mut count = Count::default();
        let mut now = BTreeMap::new();
        let (mut there_spots, mut seen_spots, mut moved_spots) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let spot = |at: DVec3| (at * (self.metres_per_unit / SPOT)).floor().to_array().map(|cell| cell as i64);
        for group in groups(people, self.metres_per_unit) {
            let Some(object) = group.parts.first() else { continue };
            self.shown.extend(group.parts.iter().filter(|part| shows(part)).map(|part| part.number));
            if !group.parts.iter().any(|part| self.shown.contains(&part.number)) {
                continue;
            }
            let each = if object.places.is_empty() { object.instances } else { 1 };
            let people = &group.people;
            let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            // A shader of its own may place each elsewhere.
            let anywhere = object.instances > 1 && group.parts.iter().any(|part| part.moves_itself);
            let first = |spots: &mut BTreeSet<[i64; 3]>, at: DVec3| anywhere || spots.insert(spot(at));
            let stand = people.iter().filter(|person| person.at.is_finite());
            let there = number(stand.filter(|person| first(&mut there_spots, person.at)).count());
            count.all = count.all.saturating_add(there.saturating_mul(each));
            let visible =
                eye.map_or(0, |eye| group.seen(eye).filter(|person| first(&mut seen_spots, person.at)).count());
            count.visible = count.visible.saturating_add(number(visible).saturating_mul(each));
            let mut moved = 0;
            if let Some(before) = self.before.get(&object.number) {
                let limit = MOVED / self.metres_per_unit;
                let went = people.iter().zip(before).filter(|(a, b)| a.at.distance(**b) > limit);
                moved = number(went.filter(|(a, _)| first(&mut moved_spots, a.at)).count());
                count.moving = count.moving.saturating_add(moved.saturating_mul(each));
            }
            if group.parts.iter().any(|part| part.moves_itself) {
                let rest = there.saturating_sub(moved).saturating_mul(each);
                count.maybe_moving = count.maybe_moving.saturating_add(rest);
            }
            now.insert(object.number, people.iter().map(|person| person.at).collect());
        }
        self.before = now;
        count
    }
}

/// The people that `eye` sees, if nothing hides them.
pub fn seen(people: &[TrackedObject], metres_per_unit: f64, eye: &Eye) -> Vec<Person> {
    groups(people, metres_per_unit).iter().flat_map(|group| group.seen(eye)).copied().collect()
}

/// Objects that are parts of the same people, together. An object drawn in two scenes is tracked twice, and counts once.
fn groups(people: &[TrackedObject], metres_per_unit: f64) -> Vec<Group<'_>> {
    let apart = APART / metres_per_unit;
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known = BTreeSet::new();
    for object in people.iter().filter(|object| known.insert(object.number)) {
        let places = persons(object);
        let same = |group: &&mut Group<'_>| {
            object.instances > 1
                && group.parts.first().is_some_and(|other| other.instances == object.instances)
                && group.people.len() == places.len()
                && together(&group.people, &places, apart)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.parts.push(object),
            None => groups.push(Group { people: places, parts: vec![object] }),
        }
    }
    groups
}

impl Group<'_> {
    fn seen(&self, eye: &Eye) -> impl Iterator<Item = &Person> {
        let drawn = self.parts.iter().any(|part| is_drawn(part, eye));
        let eye = *eye;
        self.people.iter().filter(move |person| drawn && is_seen(person, &eye))
    }
}

/// Does the camera draw it, and solid enough to be seen?
fn is_drawn(object: &TrackedObject, eye: &Eye) -> bool {
    shows(object) && object.layers & eye.layers != 0
}

/// Is it drawn at all, so that something shows?
fn shows(object: &TrackedObject) -> bool {
    object.shown && object.opacity >= OPAQUE
}

/// Is it inside the picture, and not too small?
fn is_seen(person: &Person, eye: &Eye) -> bool {
    let all = &eye.view_projection;
    if !space::in_view(all, person.at) {
        return false;
    }
    let w = all.row(3).dot(person.at.extend(1.0));
    // How far a step in the world goes on the picture, at most: clip space is two wide.
    let scale = all.row(0).truncate().length().max(all.row(1).truncate().length());
    person.radius.is_none_or(|radius| radius * scale >= SMALLEST * w)
}

fn persons(object: &TrackedObject) -> Vec<Person> {
    let world = space::matrix(&object.matrix_world);
    // A flat card has two axes and can be seen.
    let axes = [world.x_axis, world.y_axis, world.z_axis].map(|axis| axis.truncate().length());
    if axes.iter().filter(|length| **length > THINNEST).count() < 2 {
        return vec![Person { at: DVec3::NAN, radius: None }; object.places.len().max(1)];
    }
    let bounds = object.bounds.map(|(min, max)| (DVec3::from(min), DVec3::from(max)));
    let middle = bounds.map_or(DVec3::ZERO, |(min, max)| (min + max) / 2.0);
    let scale = axes.into_iter().fold(0.0, f64::max);
    let radius = bounds.map(|(min, max)| min.distance(max) / 2.0 * scale);
    if object.places.is_empty() {
        return vec![Person { at: world.transform_point3(middle), radius }];
    }
    // Instances turn about their own axis; where they stand is enough.
    let person = |[x, y, z, scale]: &[f32; 4]| Person {
        at: world.transform_point3(DVec3::new(f64::from(*x), f64::from(*y), f64::from(*z))),
        radius: radius.map(|radius| radius * f64::from(*scale)),
    };
    object.places.iter().map(person).collect()
}

/// Nine of ten pairs lie within `apart` of each other, or are both not there.
fn together(a: &[Person], b: &[Person], apart: f64) -> bool {
    let same = |a: DVec3, b: DVec3| a.distance(b) <= apart || !a.is_finite() && !b.is_finite();
    let near = a.iter().zip(b).filter(|(a, b)| same(a.at, b.at)).count();
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
            layers: 1,
            moves_itself: false,
            places: (0..4).map(|i| [i as f32 * 10.0 + at, 0.0, -5.0, 1.0]).collect(),
        }
    }

    /// 90° wide: at distance 5, x from -5 to 5 is seen.
    fn eye() -> Eye {
        Eye { view_projection: space::perspective(90_f64.to_radians(), 1.0, 0.1, 1e6), layers: 1 }
    }

    #[test]
    fn bodies_and_heads_are_the_same_people_and_others_are_not() {
        let mut people = People::new(1.0);
        let places = crowd(2, 0.0).places.iter().map(|p| [p[0], 1.4, p[2], p[3]]).collect();
        let head = TrackedObject { places, ..crowd(2, 0.0) };
        assert_eq!(people.count(&[crowd(1, 0.0), head.clone(), crowd(3, 6.0)], None).all, 8);
        let count = people.count(&[crowd(1, 0.5), head, crowd(3, 6.0)], Some(&eye()));
        assert_eq!(count, Count { all: 8, visible: 1, moving: 4, maybe_moving: 0 });
    }

    #[test]
    fn who_stands_in_the_same_spot_counts_once() {
        let spot = |number: u32, apart: f32| {
            let places = (0..4).map(|i| [0.01 + i as f32 * apart, 0.01, -4.99, 1.0]).collect();
            TrackedObject { places, ..crowd(number, 0.0) }
        };
        let count = |people: &[TrackedObject]| People::new(1.0).count(people, Some(&eye()));
        assert_eq!(count(&[spot(1, 0.0)]), Count { all: 1, visible: 1, moving: 0, maybe_moving: 0 });
        assert_eq!((count(&[spot(1, 0.009)]).all, count(&[spot(1, 0.06)]).all), (1, 4));
        let alone = |number| TrackedObject { instances: 1, places: Vec::new(), ..crowd(number, 0.0) };
        assert_eq!(count(&[alone(1), alone(2), alone(3)]).all, 1, "meshes of their own too");
        let shader = TrackedObject { moves_itself: true, ..spot(1, 0.0) };
        assert_eq!(count(&[shader]).all, 4, "its shader may place each elsewhere");
    }

    #[test]
    fn who_has_bones_or_a_shader_may_move_though_no_matrix_does() {
        let mut people = People::new(1.0);
        let skinned = |at| TrackedObject { moves_itself: true, ..crowd(1, at) };
        assert_eq!(people.count(&[skinned(0.0), crowd(2, 6.0)], None).maybe_moving, 4);
        let count = people.count(&[skinned(0.0), crowd(2, 6.5)], None);
        assert_eq!(count, Count { all: 8, visible: 0, moving: 4, maybe_moving: 4 });
        assert_eq!(
            people.count(&[skinned(0.5), crowd(2, 6.5)], None),
            Count { all: 8, visible: 0, moving: 4, maybe_moving: 0 }
        );
    }

    #[test]
    fn who_is_not_drawn_is_not_seen() {
        let visible = |change: &dyn Fn(&mut TrackedObject)| {
            let mut one = crowd(1, 0.0);
            change(&mut one);
            People::new(1.0).count(&[one], Some(&eye())).visible
        };
        assert_eq!(visible(&|_| {}), 1);
        assert_eq!(visible(&|o| o.shown = false), 0);
        assert_eq!(visible(&|o| o.opacity = 0.04), 0);
        assert_eq!(visible(&|o| o.opacity = 0.06), 1);
        assert_eq!(visible(&|o| o.layers = 2), 0);
        assert_eq!(visible(&|o| o.layers = 3), 1);
        // 5 m away a picture of 90° is 10 m high: a pixel of 1080 is 9.26 mm, and a cube's diagonal 1.73 of its side.
        assert_eq!(visible(&|o| o.places[0][3] = 0.0053), 0);
        assert_eq!(visible(&|o| o.places[0][3] = 0.0054), 1);
        assert_eq!(visible(&|o| (o.bounds, o.places[0][3]) = (None, 1e-3)), 1, "nobody knows how large");
        // A body that is not drawn in clothes that are.
        let bare = TrackedObject { opacity: 0.0, ..crowd(1, 0.0) };
        assert_eq!(
            People::new(1.0).count(&[bare, crowd(2, 0.1)], Some(&eye())),
            Count { all: 4, visible: 1, moving: 0, maybe_moving: 0 }
        );
    }

    #[test]
    fn who_is_scaled_to_nothing_is_not_there() {
        // Two of four stand in view, one of them without size.
        let mut some = crowd(1, 0.0);
        some.places = vec![[0.0, 0.0, -5.0, 1.0], [f32::NAN; 4], [90.0, 0.0, -5.0, 1.0], [99.0, 0.0, -5.0, 1.0]];
        let mut people = People::new(1.0);
        assert_eq!(
            people.count(&[some.clone()], Some(&eye())),
            Count { all: 3, visible: 1, moving: 0, maybe_moving: 0 }
        );
        let heads = TrackedObject { number: 2, ..some.clone() };
        assert_eq!(people.count(&[some, heads], Some(&eye())).all, 3, "parts of the same people");
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
        let one = |object: TrackedObject| People::new(1.0).count(&[object], Some(&eye())).visible;
        assert_eq!([one(scaled(1.0, 1.0, 1.0)), one(scaled(0.0, 0.0, 0.0)), one(scaled(1.0, 1.0, 0.0))], [1, 0, 1]);
        let mut gone = crowd(4, 0.0);
        gone.matrix_world = DMat4::from_scale(DVec3::ZERO).to_cols_array();
        assert_eq!(People::new(1.0).count(&[gone], Some(&eye())), Count::default());
    }
}
