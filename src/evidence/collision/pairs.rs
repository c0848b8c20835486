//! Which body a draw goes on with: the one with its key. Instances of one geometry in a batch share a key, and come in
//! another order in each frame; those are known by their positions, and those that moved by where they were.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Step};
use super::placing::{Placing, Unproject};
use crate::gl::observe::{DrawKey, ObservedDraw};

/// Draws times bodies beyond which those that moved are taken in their order.
const MOST_COMPARED: usize = 1 << 20;

/// A draw, and through what it was seen.
pub type Drawn<'a> = (&'a ObservedDraw, &'a Unproject);

/// For each draw the body it goes on with; `None` for a new one.
pub fn pair(
    draws: &[Drawn<'_>],
    bodies: &[Body],
    places: &FxHashMap<DrawKey, Vec<usize>>,
    step: &Step,
) -> Vec<Option<usize>> {
    let mut pairs = vec![None; draws.len()];
    // Keys that several draws or bodies share, in the order of their first draws.
    let mut shared: Vec<(DrawKey, Vec<usize>)> = Vec::new();
    let mut groups: FxHashMap<DrawKey, usize> = FxHashMap::default();
    let mut single: FxHashMap<DrawKey, usize> = FxHashMap::default();
    single.reserve(draws.len());
    for (at, (draw, _)) in draws.iter().enumerate() {
        if let Some((_, members)) = groups.get(&draw.key).and_then(|group| shared.get_mut(*group)) {
            members.push(at);
            continue;
        }
        let first = single.insert(draw.key, at);
        match places.get(&draw.key).map(Vec::as_slice) {
            Some([body]) if first.is_none() => set(&mut pairs, at, *body),
            None if first.is_none() => {}
            _ => {
                groups.insert(draw.key, shared.len());
                shared.push((draw.key, first.into_iter().chain([at]).collect()));
            }
        }
    }
    for (key, members) in shared {
        members.iter().for_each(|at| unset(&mut pairs, *at));
        let Some(known) = places.get(&key) else { continue };
        match (&members[..], &known[..]) {
            ([draw], [body]) => set(&mut pairs, *draw, *body),
            _ if key.object == 0 => pair_direct(draws, bodies, &members, known, step, &mut pairs),
            _ => pair_group(draws, bodies, &members, known, step, &mut pairs),
        }
    }
    pairs
}

fn set(pairs: &mut [Option<usize>], draw: usize, body: usize) {
    if let Some(place) = pairs.get_mut(draw) {
        *place = Some(body);
    }
}

fn unset(pairs: &mut [Option<usize>], draw: usize) {
    if let Some(place) = pairs.get_mut(draw) {
        *place = None;
    }
}

/// One shape drawn in many places by a program that tells nothing of objects: a draw goes on with what stands in its place.
/// Which of them moved where nobody knows, so what moved is new.
fn pair_direct(
    draws: &[Drawn<'_>],
    bodies: &[Body],
    members: &[usize],
    known: &[usize],
    step: &Step,
    pairs: &mut [Option<usize>],
) {
    let compared = members.len().saturating_mul(known.len()) <= MOST_COMPARED;
    let mut taken = FxHashSet::default();
    for (nth, &member) in members.iter().enumerate() {
        let Some((draw, unproject)) = draws.get(member) else { continue };
        let Some(position) = draw.positions.first() else { continue };
        let point = Placing::new(unproject, &draw.to_clip).point(*position);
        let limit = 1e-4 * (1.0 + point.distance(step.eye));
        let here = |at: &usize| {
            let stands = |body: &Body| body.first_point().is_some_and(|before| before.distance(point) <= limit);
            !taken.contains(at) && bodies.get(*at).is_some_and(|body| stands(body) && body.is_from(&draw.positions))
        };
        // Nearly always they come in the same order.
        let same = known.get(nth).filter(|at| here(at));
        let found = same.or_else(|| known.iter().filter(|_| compared).find(|at| here(at))).copied();
        if let Some(body) = found {
            taken.insert(body);
            set(pairs, member, body);
        }
    }
}

fn pair_group(
    draws: &[Drawn<'_>],
    bodies: &[Body],
    members: &[usize],
    known: &[usize],
    step: &Step,
    pairs: &mut [Option<usize>],
) {
    let mut by_position: FxHashMap<[u32; 4], Vec<usize>> = FxHashMap::default();
    for at in known {
        if let Some(first) = bodies.get(*at).and_then(Body::first_position) {
            by_position.entry(first).or_default().push(*at);
        }
    }
    let mut taken = FxHashSet::default();
    let mut moved = Vec::new();
    for &member in members {
        let Some((draw, _)) = draws.get(member) else { continue };
        let first = draw.positions.first().map(|position| position.map(f32::to_bits));
        let same = first.and_then(|first| by_position.get(&first)).and_then(|candidates| {
            let free = candidates.iter().filter(|at| !taken.contains(*at));
            free.copied().find(|at| bodies.get(*at).is_some_and(|body| body.is_from(&draw.positions)))
        });
        match same {
            Some(body) => {
                taken.insert(body);
                set(pairs, member, body);
            }
            None => moved.push(member),
        }
    }
    let mut left: Vec<usize> = known.iter().copied().filter(|at| !taken.contains(at)).collect();
    // All are drawn: those left are those that moved, however far.
    let whole = members.len() >= known.len();
    let compared = moved.len().saturating_mul(left.len()) <= MOST_COMPARED;
    for member in moved {
        let Some((draw, unproject)) = draws.get(member) else { continue };
        let placing = Placing::new(unproject, &draw.to_clip);
        let point = draw.positions.first().map(|position| placing.point(*position));
        let distance = |at: usize| match (bodies.get(at).and_then(Body::first_point), point) {
            (Some(before), Some(now)) => before.distance_squared(now),
            _ => f32::INFINITY,
        };
        let nearest = if compared {
            let all = left.iter().enumerate().map(|(nth, at)| (nth, distance(*at)));
            all.min_by(|a, b| a.1.total_cmp(&b.1))
        } else {
            left.first().map(|at| (0, distance(*at)))
        };
        if let Some((nth, distance)) = nearest
            && (whole || distance <= step.leap * step.leap)
        {
            set(pairs, member, left.swap_remove(nth));
        }
    }
}
