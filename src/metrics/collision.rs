//! Frames by verdict, out of `clearance.jsonl`.

use std::collections::BTreeMap;

use super::record::{Collision, ContactRange, CutThrough, Hop, Untested, UntestedKind, WaivedRange};
use super::stat;
use crate::evidence::clearance::{self, Clearance, Contact, InsideBy, Waived};

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
        unknown: count(Contact::Unknown),
        distance: stat::range(frames.iter().filter_map(|c| nearest(c)).map(|d| d * metres_per_unit)),
        ranges: ranges(&frames, metres_per_unit),
        objects,
        waived_frames: frames.iter().filter(|c| !c.waived.is_empty()).count() as u64,
        waived: waived(&frames, metres_per_unit),
        cuts_through_count: frames.iter().filter(|c| c.cut_through.is_some()).count() as u64,
        cuts_through: frames
            .iter()
            .filter_map(|c| Some(CutThrough { frame: c.frame, object: c.cut_through.clone()? }))
            .collect(),
        hops: frames.iter().filter_map(|c| Some(Hop { frame: c.frame, length: c.hop? * metres_per_unit })).collect(),
        untested: untested(&frames),
    })
}

/// Draws of one kind in a frame.
type Draws = fn(&clearance::Untested) -> u32;

fn untested(frames: &[&Clearance]) -> Untested {
    let kinds: [(&str, bool, Draws); 7] = [
        ("direct", true, |u| u.direct),
        ("unreadable", true, |u| u.unreadable),
        ("turning", true, |u| u.turning),
        ("sprites", false, |u| u.sprites),
        ("points", false, |u| u.points),
        ("lines", false, |u| u.lines),
        ("faint", false, |u| u.faint),
    ];
    let kind = |(kind, solid, of): (&str, bool, Draws)| {
        let draws = || frames.iter().map(|c| (c.frame, u64::from(of(&c.untested)))).filter(|(_, draws)| *draws > 0);
        // Of equal ones the first.
        let (worst_frame, worst_draws) = draws().rev().max_by_key(|(_, draws)| *draws)?;
        let (sum, count) = draws().fold((0_u64, 0), |(sum, count), (_, d)| (sum.saturating_add(d), count + 1));
        Some(UntestedKind { kind: kind.to_owned(), solid, draws: sum, frames: count, worst_frame, worst_draws })
    };
    Untested {
        solid_frames: frames.iter().filter(|c| c.untested.solid() > 0).count() as u64,
        kinds: kinds.into_iter().filter_map(kind).collect(),
    }
}

/// That the camera carries a closed body along shows when it sets off. Until then it was inside of that, and of nothing else.
pub fn settle(mut lines: Vec<Clearance>) -> Vec<Clearance> {
    for at in 1..lines.len() {
        let (before, rest) = lines.split_at_mut(at);
        let carried = rest.first().into_iter().flat_map(|line| &line.waived);
        for touch in carried.filter(|touch| touch.verdict == Contact::Inside) {
            let within = |line: &&mut Clearance| {
                line.inside_by == Some(InsideBy::Enclosed) && line.object.as_ref() == Some(&touch.object)
            };
            for line in before.iter_mut().rev().take_while(within) {
                let distance = line.distance.take().unwrap_or(touch.distance);
                (line.verdict, line.inside_by, line.object) = (Contact::Clear, None, None);
                line.waived.push(Waived { distance, ..touch.clone() });
            }
        }
    }
    lines
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
    fn what_was_not_tested_is_counted_by_kind_with_the_worst_frame() {
        let of = |number: u64, sprites: u32, direct: u32| {
            let plain =
                frame(number, if direct > 0 { Contact::Unknown } else { Contact::Clear }, 9.0, "tower").unwrap();
            let untested = clearance::Untested { sprites, direct, ..Default::default() };
            Some(Box::new(Clearance { untested, hop: (number == 2).then_some(1.5), ..*plain }))
        };
        let m = measure(&[of(0, 3, 0), of(1, 5, 2), of(2, 5, 0), of(3, 0, 1)], 2.0, |_| true).unwrap();
        assert_eq!((m.unknown, m.clear, m.untested.solid_frames), (2, 2, 2));
        assert_eq!(m.hops, [Hop { frame: 2, length: 3.0 }]);
        let kinds: Vec<_> = m.untested.kinds.iter().map(|k| (k.kind.as_str(), k.solid, k.draws, k.frames)).collect();
        assert_eq!(kinds, [("direct", true, 3, 2), ("sprites", false, 13, 3)]);
        let worst: Vec<_> = m.untested.kinds.iter().map(|k| (k.worst_frame, k.worst_draws)).collect();
        assert_eq!(worst, [(1, 2), (1, 5)]);
    }

    #[test]
    fn a_cabin_is_no_collision_before_it_sets_off_either() {
        let inside = |number: u64, object: &str, by| {
            let plain = frame(number, Contact::Inside, 3.0, object).unwrap();
            Clearance { inside_by: Some(by), ..*plain }
        };
        let cabin = Waived { object: "cabin".into(), verdict: Contact::Inside, distance: 2.9, why: "carried".into() };
        let clear = Clearance { waived: vec![cabin], ..*frame(4, Contact::Clear, 9.0, "tower").unwrap() };
        let lines = vec![
            inside(0, "cabin", InsideBy::NearPlane),
            inside(1, "house", InsideBy::Enclosed),
            inside(2, "cabin", InsideBy::Enclosed),
            inside(3, "cabin", InsideBy::Enclosed),
            clear,
        ];
        let settled = settle(lines.clone());
        let verdicts: Vec<_> = settled.iter().map(|line| line.verdict).collect();
        use Contact::{Clear, Inside};
        assert_eq!(verdicts, [Inside, Inside, Clear, Clear, Clear]);
        assert!(settled[2].waived[0].object == "cabin" && settled[2].distance.is_none());
        assert_eq!(settle(lines[..4].to_vec()), lines[..4], "it never set off");
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
