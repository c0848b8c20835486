//! Velocity, acceleration and jerk of a path, and their angular twins, by central differences at exact frame times.
//!
//! With `h` the time between frames and `s[i]` the step from frame `i` to `i + 1` (a difference of positions, or the
//! rotation vector between orientations: the logarithm on SO(3), in world axes), over `h`:
//!
//! - velocity at `i`: `(s[i-1] + s[i]) / 2`
//! - acceleration at `i`: `(s[i] - s[i-1]) / h`
//! - jerk at `i`: `(a[i+1] - a[i-1]) / 2h`, which for positions is the stencil (−½, 1, 0, −1, ½) / h³
//!
//! All are second order in `h`. No stencil reaches across a cut or a frame without a camera, and none is one-sided: the
//! first and last frame of a shot have no velocity and acceleration, the first and last two no jerk.
//!
//! The mean speed is path length over time, the path being the chords `s`. Where the path bends, the velocity above is
//! shorter than the chords (on a circle of angular speed `ω` by `(ωh)²/6` against `(ωh)²/24`), so the peak speed is the
//! greatest of both: somewhere within a step the true speed is at least that of its chord (mean value theorem), and no
//! mean of chords is above the greatest one.
//!
//! Nothing is filtered. What rounding of the positions alone would show is told as [`Noise`]: for coordinates on a grid
//! of `r` an error of `r/√12` per axis gives, times the root of the stencil's summed squares, `√6` over `h²` for
//! acceleration and `√2.5` over `h³` for jerk.

use glam::DVec3;

use super::record::{Motion, Noise, Shot, Stat};
use super::smooth::{log_dimensionless_jerk, spectral_arc_length};
use super::stat;
use crate::evidence::cut::{Placement, REACH, cuts, turn};

/// A path: for each frame where something was, in metres; `None` where it was not.
#[derive(Clone, Debug, Default)]
pub struct Path {
    pub places: Vec<Option<Placement>>,
    /// Seconds between frames.
    pub interval: f64,
    /// Grid of the positions, in metres, if they are single precision.
    pub single_precision: bool,
}

/// Magnitudes per frame of a path, `None` where the stencil does not fit.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// m/s, m/s², m/s³
    pub speed: Vec<Option<f64>>,
    pub acceleration: Vec<Option<f64>>,
    pub jerk: Vec<Option<f64>>,
    /// °/s, °/s², °/s³
    pub angular_speed: Vec<Option<f64>>,
    pub angular_acceleration: Vec<Option<f64>>,
    pub angular_jerk: Vec<Option<f64>>,
}

/// Velocity, acceleration and jerk of a shot, each as long as the shot.
struct Differences {
    velocity: Vec<Option<DVec3>>,
    acceleration: Vec<Option<DVec3>>,
    jerk: Vec<Option<DVec3>>,
}

/// Measures a path; `None` if nothing was there in any two frames in a row.
pub fn measure(path: &Path) -> Option<(Motion, Rates)> {
    let mut begins = cuts(&path.places);
    join_flickers(&path.places, &mut begins);
    let frames = path.places.len();
    let blank = || vec![None; frames];
    let mut rates = Rates {
        speed: blank(),
        acceleration: blank(),
        jerk: blank(),
        angular_speed: blank(),
        angular_acceleration: blank(),
        angular_jerk: blank(),
    };
    let mut shots = Vec::new();
    let mut weighted = [Mean::default(), Mean::default(), Mean::default(), Mean::default()];
    let (mut length, mut time) = (0.0, 0.0);
    let noise = noise(path);
    let mut fastest = (0.0_f64, 0_usize);
    for (first, places) in shots_of(&path.places, &begins) {
        let h = path.interval;
        let moved: Vec<_> = places.windows(2).map(|w| step(w, |a, b| (b.position - a.position) / h)).collect();
        let turned: Vec<_> = places.windows(2).map(|w| step(w, |a, b| turn(a.rotation, b.rotation) / h)).collect();
        for (at, speed) in moved.iter().map(|s| s.length()).enumerate() {
            if speed > fastest.0 {
                fastest = (speed, first + at);
            }
        }
        let linear = differences(&moved, h);
        let angular = differences(&turned, h);
        let shot_length: f64 = moved.iter().map(|s| s.length() * h).sum();
        let duration = moved.len() as f64 * h;
        // Where rounding makes half of it and more, there is nothing to measure.
        let square = linear.jerk.iter().flatten().map(|j| j.length_squared());
        let jerks = linear.jerk.iter().flatten().count().max(1) as f64;
        let jerky = (square.sum::<f64>() / jerks).sqrt() > 2.0 * noise.jerk;
        let moves = peak(&linear.velocity) > 2.0 * 3f64.sqrt() * noise.resolution / h;
        let ldlj = log_dimensionless_jerk(&linear.jerk, peak(&linear.velocity), duration).filter(|_| jerky && moves);
        let sparc = spectral_arc_length(&lengths(&linear.velocity), 1.0 / h).filter(|_| moves);
        let angular_ldlj = log_dimensionless_jerk(&angular.jerk, peak(&angular.velocity), duration);
        let angular_sparc = spectral_arc_length(&lengths(&angular.velocity), 1.0 / h);
        for (mean, value) in weighted.iter_mut().zip([ldlj, sparc, angular_ldlj, angular_sparc]) {
            mean.add(value, duration);
        }
        put(&mut rates.speed, first, &linear.velocity, 1.0);
        put(&mut rates.acceleration, first, &linear.acceleration, 1.0);
        put(&mut rates.jerk, first, &linear.jerk, 1.0);
        let degrees = 180.0 / std::f64::consts::PI;
        put(&mut rates.angular_speed, first, &angular.velocity, degrees);
        put(&mut rates.angular_acceleration, first, &angular.acceleration, degrees);
        put(&mut rates.angular_jerk, first, &angular.jerk, degrees);
        length += shot_length;
        time += duration;
        shots.push(Shot {
            first: first as u64,
            last: (first + moved.len()) as u64,
            path_length: shot_length,
            jerk_rms: stat::of(rates.jerk.get(first..first + places.len()).unwrap_or(&[])).map(|s| s.rms),
            log_dimensionless_jerk: ldlj,
            spectral_arc_length: sparc,
        });
    }
    if time <= 0.0 {
        return None;
    }
    // Rounding may lift the mean of equal chords above each of them.
    fastest.0 = fastest.0.max(length / time);
    let first_seen = path.places.iter().position(Option::is_some);
    let cut_frames = begins.iter().enumerate().filter(|(at, cut)| **cut && Some(*at) != first_seen);
    let [ldlj, sparc, angular_ldlj, angular_sparc] = weighted.map(Mean::value);
    let speed = stat::of(&rates.speed).map(|speed| match fastest {
        (peak, frame) if peak > speed.peak => Stat { peak, peak_frame: frame as u64, ..speed },
        _ => speed,
    });
    let motion = Motion {
        frames: path.places.iter().flatten().count() as u64,
        cuts: cut_frames.map(|(at, _)| at as u64).collect(),
        path_length: length,
        mean_speed: length / time,
        mean_speed_kmh: length / time * 3.6,
        peak_speed_kmh: Some(speed.map_or(fastest.0, |s| s.peak) * 3.6),
        speed,
        acceleration: stat::of(&rates.acceleration),
        jerk: stat::of(&rates.jerk),
        angular_speed: stat::of(&rates.angular_speed),
        angular_acceleration: stat::of(&rates.angular_acceleration),
        angular_jerk: stat::of(&rates.angular_jerk),
        log_dimensionless_jerk: ldlj,
        angular_log_dimensionless_jerk: angular_ldlj,
        spectral_arc_length: sparc,
        angular_spectral_arc_length: angular_sparc,
        noise,
        shots,
    };
    Some((motion, rates))
}

/// Frames of a shot that is a flaw of another one.
const FLICKER: usize = 2;

/// A frame or two elsewhere, and then on as if nothing had been: that is a stutter of one flight and no edit. Its two cuts
/// are taken back, so that it is measured.
fn join_flickers(places: &[Option<Placement>], begins: &mut [bool]) {
    let marks: Vec<usize> = begins.iter().enumerate().filter(|(_, begins)| **begins).map(|(at, _)| at).collect();
    for pair in marks.windows(2) {
        let &[away, back] = pair else { continue };
        let Some(before) = away.checked_sub(1) else { continue };
        let start = before.saturating_sub(REACH + 1);
        let around = start..(back + REACH + 1).min(places.len());
        let (Some(Some(a)), Some(Some(b)), Some(around)) = (places.get(before), places.get(back), places.get(around))
        else {
            continue;
        };
        let elsewhere = || places.get(away..back).into_iter().flatten();
        if back - away > FLICKER || elsewhere().any(Option::is_none) {
            continue;
        }
        // The flight as it would be without those frames.
        let mut path = around.to_vec();
        for (at, place) in path.iter_mut().enumerate().take(back - start).skip(away - start) {
            let t = (at + start - before) as f64 / (back - before) as f64;
            let (position, rotation) = (a.position.lerp(b.position, t), a.rotation.slerp(b.rotation, t));
            *place = Some(Placement { position, rotation });
        }
        let goes_on = cuts(&path).get(away - start..=back - start).is_some_and(|cuts| !cuts.contains(&true));
        for at in [away, back] {
            if let Some(begins) = begins.get_mut(at).filter(|_| goes_on) {
                *begins = false;
            }
        }
    }
}

/// The runs of frames between cuts: first frame and placements.
fn shots_of(places: &[Option<Placement>], begins: &[bool]) -> Vec<(usize, Vec<Placement>)> {
    let mut shots: Vec<(usize, Vec<Placement>)> = Vec::new();
    for (at, (place, begins)) in places.iter().zip(begins).enumerate() {
        let Some(place) = place else { continue };
        match shots.last_mut().filter(|_| !begins) {
            Some((_, shot)) => shot.push(*place),
            None => shots.push((at, vec![*place])),
        }
    }
    shots
}

fn step(pair: &[Placement], f: impl Fn(&Placement, &Placement) -> DVec3) -> DVec3 {
    match pair {
        [a, b] => f(a, b),
        _ => DVec3::ZERO,
    }
}

/// From the mean rates between frames: one fewer than the shot has frames.
fn differences(steps: &[DVec3], h: f64) -> Differences {
    let frames = steps.len() + 1;
    let at = |i: usize, f: fn(DVec3, DVec3) -> DVec3| Some(f(*steps.get(i.checked_sub(1)?)?, *steps.get(i)?));
    let velocity: Vec<_> = (0..frames).map(|i| at(i, |a, b| (a + b) / 2.0)).collect();
    let acceleration: Vec<_> = (0..frames).map(|i| at(i, |a, b| b - a).map(|d| d / h)).collect();
    let known = |i: usize| acceleration.get(i).copied().flatten();
    let jerk = (0..frames).map(|i| Some((known(i + 1)? - known(i.checked_sub(1)?)?) / (2.0 * h))).collect();
    Differences { velocity, acceleration, jerk }
}

fn put(into: &mut [Option<f64>], first: usize, from: &[Option<DVec3>], unit: f64) {
    for (slot, value) in into.iter_mut().skip(first).zip(from) {
        *slot = value.map(|v| v.length() * unit);
    }
}

fn lengths(values: &[Option<DVec3>]) -> Vec<f64> {
    values.iter().flatten().map(|v| v.length()).collect()
}

fn peak(values: &[Option<DVec3>]) -> f64 {
    lengths(values).into_iter().fold(0.0, f64::max)
}

fn noise(path: &Path) -> Noise {
    let greatest = path.places.iter().flatten().map(|p| p.position.abs().max_element()).fold(0.0, f64::max);
    let step = if path.single_precision {
        let value = greatest as f32;
        f64::from(value.next_up()) - f64::from(value)
    } else {
        greatest.next_up() - greatest
    };
    // Three axes, each uniform over a step of the grid.
    let error = step / 12f64.sqrt() * 3f64.sqrt();
    let h = path.interval;
    Noise {
        resolution: step,
        single_precision: path.single_precision,
        acceleration: error * 6f64.sqrt() / (h * h),
        jerk: error * 2.5f64.sqrt() / (h * h * h),
    }
}

/// A weighted mean of what is known.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: Option<f64>, weight: f64) {
        if let Some(value) = value {
            self.sum += value * weight;
            self.weight += weight;
        }
    }

    fn value(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

#[cfg(test)]
mod tests;
