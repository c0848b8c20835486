//! Frames by verdict, out of `clearance.jsonl`.

use std::collections::BTreeMap;

use super::record::{Collision, ContactRange};
use super::stat;
use crate::evidence::clearance::{Clearance, Contact};

/// `watched`: is a camera known in this frame? `complete`: did the render end? What ended early may lack its last frames.
///
/// # Errors
/// There is no such frame, or frames have no line, told as a reason: what is not told of can't be called clear.
pub fn measure(
    clearance: &[Option<Box<Clearance>>],
    metres_per_unit: f64,
    watched: impl Fn(usize) -> bool,
    complete: bool,
) -> Result<Collision, String> {
    let told = clearance.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let expected = if complete { clearance.len() } else { told };
    let lines = clearance.iter().flatten().count();
    if lines < expected {
        return Err(format!("clearance.jsonl has lines for {lines} of {expected} frames"));
    }
    let frames: Vec<&Clearance> =
        clearance.iter().enumerate().filter(|(at, _)| watched(*at)).filter_map(|(_, c)| c.as_deref()).collect();
    if frames.is_empty() {
        return Err("no camera in any frame of clearance.jsonl".to_owned());
    }
    let count = |contact: Contact| frames.iter().filter(|c| c.verdict == contact).count() as u64;
    let colliding = frames.iter().filter(|c| collides(c.verdict)).count() as u64;
    let mut objects: BTreeMap<&str, u64> = BTreeMap::new();
    for name in frames.iter().filter(|c| collides(c.verdict)).filter_map(|c| c.object.as_deref()) {
        *objects.entry(name).or_default() += 1;
    }
    let mut objects: Vec<_> = objects.into_iter().map(|(name, frames)| (name.to_owned(), frames)).collect();
    objects.sort_by_key(|(_, frames)| std::cmp::Reverse(*frames));
    Ok(Collision {
        frames: frames.len() as u64,
        colliding,
        colliding_share: colliding as f64 / frames.len() as f64,
        passed_through: count(Contact::PassedThrough),
        inside: count(Contact::Inside),
        glued: count(Contact::Glued),
        near: count(Contact::Near),
        clear: count(Contact::Clear),
        distance: stat::range(frames.iter().filter_map(|c| nearest(c)).map(|d| d * metres_per_unit)),
        ranges: ranges(&frames, metres_per_unit),
        objects,
    })
}

/// Is this a collision?
pub fn collides(contact: Contact) -> bool {
    matches!(contact, Contact::PassedThrough | Contact::Inside | Contact::Glued)
}

/// The least distance of the frame and of the way to it.
fn nearest(c: &Clearance) -> Option<f64> {
    match (c.distance, c.swept_distance) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

fn ranges(frames: &[&Clearance], metres_per_unit: f64) -> Vec<ContactRange> {
    let mut ranges: Vec<ContactRange> = Vec::new();
    for c in frames.iter().filter(|c| c.verdict != Contact::Clear) {
        let distance = nearest(c).map(|d| d * metres_per_unit);
        match ranges.last_mut().filter(|r| r.verdict == c.verdict && r.last + 1 == c.frame) {
            Some(range) => {
                range.last = c.frame;
                range.distance = match (range.distance, distance) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                if let Some(name) = c.object.as_ref().filter(|name| !range.objects.contains(name)) {
                    range.objects.push(name.clone());
                }
            }
            None => ranges.push(ContactRange {
                verdict: c.verdict,
                first: c.frame,
                last: c.frame,
                distance,
                objects: c.object.iter().cloned().collect(),
            }),
        }
    }
    ranges.sort_by_key(|r| (r.verdict, r.first));
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(frame: u64, verdict: Contact, distance: f64, object: &str) -> Option<Box<Clearance>> {
        Some(Box::new(Clearance {
            frame,
            verdict,
            distance: Some(distance),
            object: Some(object.to_owned()),
            swept_distance: None,
            crossings: 0,
            depth_nearest: None,
            depth_near_share: None,
            near_plane_cut: 0,
            back_faces: None,
            ground: None,
            drone_ground: None,
        }))
    }

    #[test]
    fn frames_are_counted_and_gathered() {
        let c = [
            frame(0, Contact::Clear, 9.0, "tower"),
            frame(1, Contact::Near, 0.8, "tower"),
            frame(2, Contact::Glued, 0.1, "tower"),
            frame(3, Contact::Glued, 0.05, "gate"),
            frame(4, Contact::Clear, 2.0, "gate"),
            frame(5, Contact::Glued, 0.1, "gate"),
            frame(6, Contact::PassedThrough, 0.0, "wall"),
        ];
        let m = measure(&c, 2.0, |_| true, true).unwrap();
        assert_eq!((m.frames, m.colliding, m.glued, m.passed_through, m.near, m.clear), (7, 4, 3, 1, 1, 2));
        assert_eq!(m.objects, [("gate".to_owned(), 2), ("tower".to_owned(), 1), ("wall".to_owned(), 1)]);
        let found: Vec<_> = m.ranges.iter().map(|r| (r.verdict, r.first, r.last, r.distance)).collect();
        assert_eq!(
            found,
            [
                (Contact::PassedThrough, 6, 6, Some(0.0)),
                (Contact::Glued, 2, 3, Some(0.1)),
                (Contact::Glued, 5, 5, Some(0.2)),
                (Contact::Near, 1, 1, Some(1.6)),
            ]
        );
        assert_eq!(m.distance.unwrap().max, 18.0);
        assert!(measure(&[None], 1.0, |_| true, true).is_err());
        let mut gap = c.to_vec();
        gap[2] = None;
        let why = measure(&gap, 1.0, |_| true, false).unwrap_err();
        assert_eq!(why, "clearance.jsonl has lines for 6 of 7 frames");
        let mut cut = c.to_vec();
        cut[6] = None;
        assert!(measure(&cut, 1.0, |_| true, true).is_err(), "a finished render has every frame");
        assert_eq!(measure(&cut, 1.0, |_| true, false).unwrap().frames, 6);
        assert!(measure(&c, 1.0, |_| false, true).is_err(), "no camera, no verdict");
    }
}
