//! Frames by verdict, out of `clearance.jsonl`.

use std::collections::BTreeMap;

use super::record::{Collision, ContactRange, CutThrough, WaivedRange};
use super::stat;
use crate::evidence::clearance::{Clearance, Contact};

/// `watched`: is a camera known in this frame?
///
/// # Errors
/// There is no such frame, told as a reason: what is not told of can't be called clear.
pub fn measure(
    clearance: &[Option<Box<Clearance>>],
    metres_per_unit: f64,
    watched: impl Fn(usize) -> bool,
) -> Result<Collision, String> {
    let frames: Vec<&Clearance> =
        clearance.iter().enumerate().filter(|(at, _)| watched(*at)).filter_map(|(_, c)| c.as_deref()).collect();
    if frames.is_empty() {
        return Err("no frame of clearance.jsonl has a camera that a draw confirms".to_owned());
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
        waived_frames: frames.iter().filter(|c| !c.waived.is_empty()).count() as u64,
        waived: waived(&frames, metres_per_unit),
        cuts_through: frames
            .iter()
            .filter_map(|c| Some(CutThrough { frame: c.frame, object: c.cut_through.clone()? }))
            .collect(),
    })
}

/// What was touched that may be: a range for each object and each stretch of frames.
fn waived(frames: &[&Clearance], metres_per_unit: f64) -> Vec<WaivedRange> {
    let mut out: Vec<WaivedRange> = Vec::new();
    for (c, touch) in frames.iter().flat_map(|c| c.waived.iter().map(move |touch| (c, touch))) {
        let distance = touch.distance * metres_per_unit;
        let open = out.iter_mut().rev().find(|r| r.object == touch.object && r.verdict == touch.verdict);
        match open.filter(|r| r.last == c.frame || r.last + 1 == c.frame) {
            Some(range) => {
                range.last = c.frame;
                range.distance = range.distance.min(distance);
            }
            None => out.push(WaivedRange {
                object: touch.object.clone(),
                verdict: touch.verdict,
                first: c.frame,
                last: c.frame,
                distance,
                why: touch.why.clone(),
            }),
        }
    }
    out
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
        let goes_on =
            |r: &&mut ContactRange| r.verdict == c.verdict && r.inside_by == c.inside_by && r.last + 1 == c.frame;
        match ranges.last_mut().filter(goes_on) {
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
                inside_by: c.inside_by,
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
    use crate::evidence::clearance::Waived;

    fn frame(frame: u64, verdict: Contact, distance: f64, object: &str) -> Option<Box<Clearance>> {
        Some(Box::new(Clearance {
            frame,
            verdict,
            distance: Some(distance),
            object: Some(object.to_owned()),
            ..Clearance::default()
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
        let m = measure(&c, 2.0, |_| true).unwrap();
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
        assert!(measure(&[None], 1.0, |_| true).is_err());
        assert!(measure(&c, 1.0, |_| false).is_err(), "no camera, no verdict");
    }

    #[test]
    fn what_may_be_touched_is_listed_by_object_and_stretch() {
        let touch = |object: &str, verdict, distance| Waived {
            object: object.to_owned(),
            verdict,
            distance,
            why: format!("`{object}` is harmless"),
        };
        let of = |number: u64, waived: Vec<Waived>| {
            let plain = frame(number, Contact::Clear, 9.0, "tower").unwrap();
            Some(Box::new(Clearance { waived, ..*plain }))
        };
        let through = Contact::PassedThrough;
        let c = [
            of(0, vec![]),
            of(1, vec![touch("water", Contact::Glued, 0.2), touch("sky", Contact::Glued, 0.1)]),
            of(2, vec![touch("water", Contact::Glued, 0.05)]),
            of(3, vec![touch("water", through, 0.0)]),
            of(4, vec![]),
            of(5, vec![touch("water", Contact::Glued, 0.3)]),
        ];
        let m = measure(&c, 2.0, |_| true).unwrap();
        assert_eq!((m.colliding, m.waived_frames), (0, 4));
        let found: Vec<_> =
            m.waived.iter().map(|r| (r.object.as_str(), r.verdict, r.first, r.last, r.distance)).collect();
        assert_eq!(
            found,
            [
                ("water", Contact::Glued, 1, 2, 0.1),
                ("sky", Contact::Glued, 1, 1, 0.2),
                ("water", through, 3, 3, 0.0),
                ("water", Contact::Glued, 5, 5, 0.6),
            ]
        );
        assert_eq!(m.waived[0].why, "`water` is harmless");
    }
}
