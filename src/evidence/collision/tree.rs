//! A hierarchy of boxes over boxes, so that what is far from a ray is passed over in whole branches.
//!
//! It only ever rules out: boxes that are let through are so one by one, as without it.

use glam::Vec3;

use super::shapes::Bounds;

/// Boxes at the end of a branch.
const LEAF: usize = 4;
/// Branches that wait at once: halves of halves of 2³² boxes are 32 deep.
const DEEPEST: usize = 48;

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Its part of `order`, at the end of a branch.
    first: u32,
    count: u32,
    /// Its second half, elsewhere; the first one follows it.
    second: u32,
}

#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Numbers of the boxes.
    order: Vec<u32>,
}

/// A ray: where it begins, and 1 / direction.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub origin: Vec3,
    pub inverse: Vec3,
}

impl Ray {
    /// Where it enters a box, if nearer than `limit`.
    pub fn enter(&self, bounds: &Bounds, limit: f64) -> Option<f32> {
        bounds.enter(self.origin, self.inverse, limit as f32 * (1.0 + 1e-5))
    }
}

impl Tree {
    pub fn new(boxes: impl Iterator<Item = Bounds>) -> Self {
        let (mut order, mut centres): (Vec<u32>, Vec<Bounds>) = (Vec::new(), Vec::new());
        for (number, bounds) in (0_u32..).zip(boxes) {
            // An empty one meets nothing.
            if bounds.min.cmple(bounds.max).all() {
                order.push(number);
            }
            centres.push(bounds);
        }
        let mut tree = Self { nodes: Vec::with_capacity(order.len() / 2 + 1), order: Vec::new() };
        if !order.is_empty() {
            tree.split(&centres, &mut order, 0, 0);
        }
        tree.order = order;
        tree
    }

    /// Makes the node of `part`, which begins at `first` of the whole.
    fn split(&mut self, boxes: &[Bounds], part: &mut [u32], first: usize, depth: usize) {
        let of = |number: &u32| boxes.get(*number as usize).copied().unwrap_or(Bounds::EMPTY);
        let bounds = part.iter().fold(Bounds::EMPTY, |all, number| all.union(of(number)));
        let at = self.nodes.len();
        let leaf = Node { bounds, first: first as u32, count: part.len() as u32, second: 0 };
        self.nodes.push(leaf);
        if part.len() <= LEAF || depth + 8 > DEEPEST {
            return;
        }
        let middle = |number: &u32| of(number).min + of(number).max;
        let spread = Bounds::of(part.iter().map(middle));
        let size = spread.max - spread.min;
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let half = part.len() / 2;
        part.select_nth_unstable_by(half, |a, b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(b)));
        let (low, high) = part.split_at_mut(half);
        self.split(boxes, low, first, depth + 1);
        let second = self.nodes.len() as u32;
        self.split(boxes, high, first + half, depth + 1);
        if let Some(node) = self.nodes.get_mut(at) {
            (node.count, node.second) = (0, second);
        }
    }

    /// Calls `visit` with the numbers of boxes that the ray may enter before `limit()`, the nearest branches first.
    pub fn along(&self, ray: Ray, limit: impl Fn() -> f64, mut visit: impl FnMut(usize)) {
        let mut stack = [(0_u32, 0.0_f32); DEEPEST];
        let mut waiting = 0;
        let enter = |at: u32| ray.enter(&self.nodes.get(at as usize)?.bounds, limit());
        let Some(mut now) = enter(0).map(|near| (0_u32, near)) else { return };
        loop {
            if let Some(node) = self.nodes.get(now.0 as usize) {
                if node.count > 0 {
                    let part = node.first as usize..(node.first + node.count) as usize;
                    self.order.get(part).into_iter().flatten().for_each(|number| visit(*number as usize));
                } else {
                    let halves = [now.0 + 1, node.second].map(|at| enter(at).map(|near| (at, near)));
                    match halves {
                        [Some(a), Some(b)] => {
                            let (near, far) = if b.1 < a.1 { (b, a) } else { (a, b) };
                            if let Some(place) = stack.get_mut(waiting) {
                                *place = far;
                                waiting += 1;
                            }
                            now = near;
                            continue;
                        }
                        [Some(one), None] | [None, Some(one)] => {
                            now = one;
                            continue;
                        }
                        [None, None] => {}
                    }
                }
            }
            loop {
                if waiting == 0 {
                    return;
                }
                waiting -= 1;
                now = stack.get(waiting).copied().unwrap_or_default();
                if now.1 < limit() as f32 * (1.0 + 1e-5) {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes in a jumble: those that a ray meets are the ones found by asking each.
    #[test]
    fn rays_find_every_box_they_meet() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * 20.0 - 10.0
        };
        let boxes: Vec<Bounds> = (0..500)
            .map(|_| {
                let low = Vec3::new(random(), random(), random());
                Bounds { min: low, max: low + Vec3::new(random(), random(), random()).abs() * 0.4 }
            })
            .collect();
        // One that holds nothing is never asked for.
        let tree = Tree::new(boxes.iter().copied().chain([Bounds::EMPTY]));
        let mut most = 0;
        for _ in 0..100 {
            let ray = Ray {
                origin: Vec3::new(random(), random(), random()),
                inverse: Vec3::new(random(), random(), random()).recip(),
            };
            let meets = |bounds: &Bounds| ray.enter(bounds, 1.5).is_some();
            let expected: Vec<usize> =
                boxes.iter().enumerate().filter(|(_, bounds)| meets(bounds)).map(|(number, _)| number).collect();
            let mut found = Vec::new();
            tree.along(ray, || 1.5, |number| found.push(number));
            assert!(!found.contains(&boxes.len()));
            found.retain(|number| boxes.get(*number).is_some_and(meets));
            found.sort_unstable();
            assert_eq!(found, expected);
            most = most.max(expected.len());
        }
        assert!(most > 2, "{most}");
        Tree::new(std::iter::empty()).along(Ray { origin: Vec3::ZERO, inverse: Vec3::ONE }, || 1.0, |_| panic!());
    }
}
