//! Hops: jumps in a flight that goes on as if nothing had been.
//!
//! A cut shows another view: editors turn the camera by 30° or more from shot to shot (the 30-degree rule), or go elsewhere,
//! and what moves before it has nothing to do with what moves after. A jump of at most [`LONGEST`] metres over which the camera
//! keeps looking the same way, and after which it flies on as it flew, is the same flight with a piece left out. What stood in
//! that piece was passed through.

use glam::DVec3;

/// In metres: the depth of a house. A longer jump goes elsewhere.
pub const LONGEST: f64 = 10.0;
/// Steps to either side that are looked at: one that stutters decides nothing.
pub const STEPS: usize = 3;
/// The cosine of 30°.
pub const STRAIGHT: f64 = 0.866;
/// Speeds that differ by more belong to two flights.
const MOST_TIMES: f64 = 3.0;
/// A step shorter than this part of the jump is none.
const STANDING: f64 = 1e-3;

/// Which way a camera goes and looks.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    pub step: DVec3,
    pub ahead: DVec3,
}

/// Is one within 30° of the other?
pub fn along(a: DVec3, b: DVec3) -> bool {
    a.normalize_or_zero().dot(b.normalize_or_zero()) > STRAIGHT
}

impl Heading {
    /// Does a camera that went this way, and then goes and looks that way, go straight on? One that stood still goes where it
    /// looks.
    pub fn leads_to(&self, next: &Self) -> bool {
        let way = if self.step.length_squared() > 1e-12 { self.step } else { self.ahead };
        along(way, next.step) && along(self.ahead, next.ahead)
    }
}

/// Does the flight `before` (the last step last) go on in `after` (the first step first), with `jump` between? Lengths in scene
/// units; where one side is not known, nothing says so.
pub fn goes_on(before: &[Heading], jump: &Heading, after: &[Heading], longest: f64) -> bool {
    let (Some(last), Some(was), Some(is)) = (before.last(), usual(before), usual(after)) else { return false };
    let length = jump.step.length();
    let (a, b) = (was.length(), is.length());
    let stands = |speed: f64| speed < STANDING * length;
    let flies_on = match (stands(a), stands(b)) {
        (true, true) => true,
        (false, false) => along(was, is) && a.max(b) <= MOST_TIMES * a.min(b),
        _ => false,
    };
    length <= longest && along(last.ahead, jump.ahead) && flies_on && !goes_back(before, jump.step, after)
}

/// Is `jump` one of many cuts, each a few frames after the last? Such a film looks like a shaking camera's, but that a camera
/// which shakes or flies makes steps like it before or after. Where the view does not turn with it, only one that goes back tells.
pub fn cuts(before: &[Heading], jump: &Heading, after: &[Heading], radius: f64) -> bool {
    let length = jump.step.length();
    let like = |other: &&Heading| other.step.length() * MOST_TIMES >= length;
    let alone = before.last().filter(like).is_none() && after.first().filter(like).is_none();
    let flies = before.iter().chain(after).filter(like).any(|other| along(other.step, jump.step));
    let turns = before.last().is_some_and(|last| !along(last.ahead, jump.ahead));
    length > radius && alone && (turns && !flies || goes_back(before, jump.step, after))
}

/// Is there a step like it, back to where it came from?
fn goes_back(before: &[Heading], step: DVec3, after: &[Heading]) -> bool {
    let back = |other: &Heading| (other.step + step).length() * MOST_TIMES < step.length();
    before.iter().chain(after).any(back)
}

/// Is `step` one of a flight, whatever the view does meanwhile? One that is no longer than [`MOST_TIMES`] those on either side of
/// it leaves no room for a jump; nor does one shorter than `radius`, since what stands in it is too near from both its ends.
pub fn steps_on(before: &[Heading], step: DVec3, after: &[Heading], radius: f64) -> bool {
    let length = |steps: &[Heading]| usual(steps).map_or(0.0, DVec3::length);
    step.length() <= (MOST_TIMES * length(before).max(length(after))).max(radius)
}

/// The step of middle length.
fn usual(steps: &[Heading]) -> Option<DVec3> {
    let mut steps: Vec<DVec3> = steps.iter().map(|heading| heading.step).collect();
    steps.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    steps.get(steps.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(step: DVec3, ahead: DVec3) -> Vec<Heading> {
        vec![Heading { step, ahead }; STEPS]
    }

    /// 0.2 m a frame along −z, a jump of 4 m, and what comes after.
    #[test]
    fn a_flight_that_goes_on_has_not_been_cut() {
        let (way, ahead) = (DVec3::NEG_Z * 0.2, DVec3::NEG_Z);
        let before = flight(way, ahead);
        let after = |step: DVec3, ahead: DVec3, jump: DVec3| {
            goes_on(&before, &Heading { step: jump, ahead }, &flight(step, ahead), LONGEST)
        };
        let forward = DVec3::NEG_Z * 4.0;
        assert!(after(way, ahead, forward));
        assert!(after(way, ahead, DVec3::X * 4.0), "aside, and on");
        assert!(after(way * 0.5, ahead, forward), "slower, and on");
        assert!(!after(way, ahead, forward * 3.0), "12 m: elsewhere");
        assert!(!after(way, DVec3::X, forward), "it looks elsewhere");
        assert!(!after(DVec3::X * 0.2, ahead, forward), "it flies elsewhere");
        assert!(!after(way * 9.0, ahead, forward), "another speed");
        assert!(!after(DVec3::ZERO, ahead, forward), "a shot that stands");
        assert!(!goes_on(&[], &before[0], &before, LONGEST) && !goes_on(&before, &before[0], &[], LONGEST));
        // One frame late on either side changes nothing.
        let mut late = before.clone();
        late[2].step = DVec3::ZERO;
        assert!(goes_on(&late, &Heading { step: forward, ahead }, &before, LONGEST));
        let still = flight(DVec3::ZERO, ahead);
        assert!(goes_on(&still, &Heading { step: forward, ahead }, &still, LONGEST), "it stands before and after");
    }

    /// Steps of 4 m, one every `every` frames, which lead to and fro, or always the same way; the view turns by `turn` with each.
    fn jumps(every: usize, to_and_fro: bool, turn: f64) -> impl Fn(usize) -> bool {
        let way = move |frame: usize| {
            let number = frame / every;
            let way = if to_and_fro && number % 2 == 1 { DVec3::X } else { DVec3::NEG_X };
            let (sine, cosine) = (turn * (number % 2) as f64).sin_cos();
            let step = if frame.is_multiple_of(every) { way * 4.0 } else { DVec3::ZERO };
            Heading { step, ahead: DVec3::new(sine, 0.0, -cosine) }
        };
        move |frame| {
            let [before, after] = [frame - STEPS..frame, frame + 1..frame + 1 + STEPS];
            let [before, after] = [before, after].map(|frames| frames.map(way).collect::<Vec<_>>());
            assert!(!cuts(&before, &way(frame), &after, 4.5), "within the radius");
            cuts(&before, &way(frame), &after, 0.3)
        }
    }

    #[test]
    fn cuts_that_follow_on_one_another_are_told_from_shaking_and_from_flights_in_steps() {
        for every in [2, 3] {
            assert!(jumps(every, true, 1.0)(6 * every), "to and fro, and the view turns");
            assert!(jumps(every, true, 0.0)(6 * every), "to and fro");
            assert!(jumps(every, true, 1.0)(7 * every) && !jumps(every, true, 1.0)(7 * every + 1), "back; and between");
            assert!(!jumps(every, false, 0.0)(6 * every) && !jumps(every, false, 1.0)(6 * every), "on in steps");
        }
        assert!(!jumps(1, true, 0.0)(6) && !jumps(1, true, 1.0)(6), "every frame: it shakes");
    }

    #[test]
    fn who_comes_back_has_not_flown_on() {
        let ahead = DVec3::NEG_Z;
        let still = flight(DVec3::ZERO, ahead);
        let mut back = still.clone();
        back[2].step = ahead * -4.0;
        let jump = Heading { step: ahead * 4.0, ahead };
        assert!(!goes_on(&still, &jump, &back, LONGEST) && !goes_on(&back, &jump, &still, LONGEST));
    }

    #[test]
    fn a_step_as_long_as_those_beside_it_is_no_jump() {
        let ahead = DVec3::NEG_Z;
        let (metre, still) = (flight(ahead, ahead), flight(DVec3::ZERO, ahead));
        let on = |before: &[Heading], step: f64, after: &[Heading]| steps_on(before, ahead * step, after, 0.3);
        assert!(on(&metre, 1.0, &metre) && on(&metre, 2.0, &metre), "steady, and with a frame left out");
        assert!(on(&still, 1.0, &metre) && on(&metre, 0.5, &still), "off and to a stop");
        assert!(!on(&metre, 3.5, &metre) && !on(&still, 0.5, &still), "elsewhere");
        assert!(on(&still, 0.0, &still) && on(&still, 0.2, &still), "in its place");
        assert!(on(&[], 1.0, &metre) && !on(&[], 1.0, &[]), "one side known, none known");
    }
}
