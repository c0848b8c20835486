//! Trajectories whose derivatives are known in closed form.

use glam::DQuat;

use super::*;

fn path(frames: i32, f: impl Fn(f64) -> (DVec3, DQuat)) -> Path {
    let interval = 1.0 / 30.0;
    let places = (0..frames).map(|i| {
        let (position, rotation) = f(f64::from(i) * interval);
        Some(Placement { position, rotation })
    });
    Path { places: places.collect(), interval, single_precision: false }
}

fn still(f: impl Fn(f64) -> DVec3) -> Path {
    path(300, |t| (f(t), DQuat::IDENTITY))
}

#[track_caller]
fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs().max(1e-9), "{found} instead of {expected}");
}

/// `sin(wh)/wh` and its kin: what a central difference makes of a wave, which is under 1 here.
fn stencil(w: f64) -> [f64; 3] {
    let x = w / 30.0;
    let (first, second) = (x.sin() / x, ((x / 2.0).sin() / (x / 2.0)).powi(2));
    [first, second, first * second]
}

#[test]
fn constant_velocity() {
    let (m, rates) = measure(&still(|t| DVec3::new(3.0, 0.0, -4.0) * t)).unwrap();
    near(m.mean_speed, 5.0, 1e-12);
    near(m.mean_speed_kmh, 18.0, 1e-12);
    near(m.path_length, 5.0 * 299.0 / 30.0, 1e-12);
    assert!(m.jerk.unwrap().peak < 1e-7 && m.acceleration.unwrap().peak < 1e-9);
    assert_eq!(m.angular_speed.unwrap().peak, 0.0);
    assert_eq!((m.cuts, m.shots.len(), m.frames), (vec![], 1, 300));
    assert_eq!(m.log_dimensionless_jerk, None, "no jerk but what rounding makes");
    // Where no stencil fits there is no number.
    assert_eq!((rates.speed[0], rates.speed[299], rates.jerk[1], rates.jerk[298]), (None, None, None, None));
    assert!(rates.speed[1].is_some() && rates.jerk[2].is_some() && rates.jerk[297].is_some());
}

#[test]
fn circle_and_helix() {
    let (r, w, climb) = (20.0, 0.8, 1.5);
    for climb in [0.0, climb] {
        let (m, _) = measure(&still(|t| DVec3::new(r * (w * t).cos(), climb * t, r * (w * t).sin()))).unwrap();
        let [v, a, j] = stencil(w);
        near(m.speed.unwrap().rms, (r * w * v).hypot(climb), 1e-9);
        near(m.acceleration.unwrap().rms, r * w * w * a, 1e-9);
        near(m.jerk.unwrap().rms, r * w.powi(3) * j, 1e-7);
        near(m.jerk.unwrap().peak, r * w.powi(3), 1e-3);
    }
}

/// `v = rω` all the time. Chords are short by `(ωh)²/24`, differences of places by `(ωh)²/6`; neither mean nor peak may be
/// further from the closed form, and the peak not below the mean.
#[test]
fn peak_and_mean_of_a_circle() {
    for (radius, turns_per_minute) in [(50.0, 3.0), (5.0, 30.0), (1.0, 120.0)] {
        let w = turns_per_minute / 60.0 * std::f64::consts::TAU;
        let (m, rates) = measure(&still(|t| DVec3::new(radius * (w * t).cos(), 0.0, radius * (w * t).sin()))).unwrap();
        let (speed, x) = (radius * w, w / 30.0);
        let (peak, mean) = (m.peak_speed_kmh.unwrap() / 3.6, m.mean_speed);
        assert!(peak >= mean && mean >= m.speed.unwrap().mean, "{peak} {mean}");
        assert!(
            (mean / speed - 1.0).abs() <= x * x / 24.0 && (peak / speed - 1.0).abs() <= x * x / 24.0,
            "{peak} {mean}"
        );
        assert!((rates.speed[7].unwrap() / speed - 1.0).abs() <= x * x / 6.0);
        assert_eq!(m.speed.unwrap().peak, peak);
    }
    // Even where no frame is as fast as the way from one to the next.
    let (m, _) = measure(&still(|t| DVec3::X * if (t * 30.0).round() % 2.0 == 0.0 { 0.0 } else { 0.1 })).unwrap();
    assert!(m.peak_speed_kmh.unwrap() >= m.mean_speed_kmh && m.mean_speed > 2.9, "{m:?}");
    let (m, _) = measure(&path(2, |t| (DVec3::X * 3.0 * t, DQuat::IDENTITY))).unwrap();
    near(m.peak_speed_kmh.unwrap(), 10.8, 1e-9);
}

#[test]
fn sinusoid() {
    let (amplitude, w) = (2.0, 3.0);
    let (m, _) = measure(&still(|t| DVec3::X * amplitude * (w * t).sin())).unwrap();
    let [v, a, j] = stencil(w);
    near(m.speed.unwrap().peak, amplitude * w * v, 2e-3);
    near(m.acceleration.unwrap().peak, amplitude * w * w * a, 2e-3);
    near(m.jerk.unwrap().peak, amplitude * w.powi(3) * j, 2e-3);
    // RMS of a sine over many periods is its amplitude over √2.
    near(m.jerk.unwrap().rms, amplitude * w.powi(3) * j / 2f64.sqrt(), 2e-2);
}

#[test]
fn minimum_jerk_movement() {
    // 40 m in 30 s; ∫ jerk² dt = 720 A²/D⁵, greatest speed 1.875 A/D, greatest jerk 60 A/D³ at either end.
    let (a, d) = (40.0, 30.0);
    let (m, _) = measure(&path(901, |t| {
        let x = t / d;
        (DVec3::Z * a * (10.0 * x.powi(3) - 15.0 * x.powi(4) + 6.0 * x.powi(5)), DQuat::IDENTITY)
    }))
    .unwrap();
    near(m.speed.unwrap().peak, 1.875 * a / d, 1e-4);
    near(m.jerk.unwrap().rms, (720.0f64).sqrt() * a / d.powi(3), 2e-2);
    // The samples leave out two frames at either end, where the jerk is greatest: at most 4/900 of 5 times the mean.
    near(m.log_dimensionless_jerk.unwrap(), -(720.0f64 / 1.875f64.powi(2)).ln(), 5e-3);
    assert!((-1.5..-1.35).contains(&m.spectral_arc_length.unwrap()), "{:?}", m.spectral_arc_length);
}

#[test]
fn rotation_at_a_constant_rate_by_slerp() {
    let (from, to) = (DQuat::from_rotation_x(0.3), DQuat::from_rotation_y(2.0) * DQuat::from_rotation_z(-1.0));
    let angle = from.angle_between(to);
    let (m, _) = measure(&path(301, |t| {
        let q = from.slerp(to, t / 10.0);
        // Both signs are the same rotation.
        (DVec3::ZERO, if (t * 30.0).round() as i64 % 3 == 0 { -q } else { q })
    }))
    .unwrap();
    near(m.angular_speed.unwrap().peak, angle.to_degrees() / 10.0, 1e-6);
    near(m.angular_speed.unwrap().rms, angle.to_degrees() / 10.0, 1e-6);
    assert!(m.angular_acceleration.unwrap().peak < 1e-4 && m.cuts.is_empty());
    assert_eq!(m.jerk.unwrap().peak, 0.0);
}

#[test]
fn rotation_about_two_axes() {
    // q = Ry(at) Rx(bt): ω = a ŷ + b Ry(at) x̂, so |ω| = √(a²+b²), |ω'| = ab, |ω''| = a²b, all constant.
    let (a, b) = (0.7, 0.4);
    let (m, _) =
        measure(&path(300, |t| (DVec3::ZERO, DQuat::from_rotation_y(a * t) * DQuat::from_rotation_x(b * t)))).unwrap();
    near(m.angular_speed.unwrap().rms, a.hypot(b).to_degrees(), 1e-3);
    near(m.angular_acceleration.unwrap().rms, (a * b).to_degrees(), 1e-3);
    near(m.angular_jerk.unwrap().rms, (a * a * b).to_degrees(), 1e-3);
}

/// Straight on at 3 m/s, but for a frame or two 5 m to the side: √(3² + 150²) m/s there, and no cut. Ten frames there are a shot.
#[test]
fn a_stutter_is_no_cut() {
    let beside = |frames: f64| {
        still(move |t| {
            DVec3::new(3.0 * t, 0.0, if (30.0..30.0 + frames).contains(&(t * 30.0).round()) { 5.0 } else { 0.0 })
        })
    };
    for frames in [1.0, 2.0] {
        let (m, _) = measure(&beside(frames)).unwrap();
        assert_eq!((m.cuts, m.shots.len()), (vec![], 1));
        near(m.speed.unwrap().peak, 3.0_f64.hypot(150.0), 1e-9);
        near(m.jerk.unwrap().peak, 5.0 * 30.0_f64.powi(3), 1e-6);
    }
    assert_eq!(measure(&beside(10.0)).unwrap().0.cuts, [30, 40]);
    // The same, to look elsewhere.
    let flick = path(300, |t| {
        let angle = if (t * 30.0).round() == 30.0 { 1.5 } else { 0.0 };
        (DVec3::new(3.0 * t, 0.0, 0.0), DQuat::from_rotation_y(angle))
    });
    let (m, _) = measure(&flick).unwrap();
    assert!(m.cuts.is_empty());
    near(m.angular_speed.unwrap().peak, (1.5_f64 * 15.0).to_degrees(), 1e-9);
}

#[test]
fn a_cut_is_no_jerk() {
    let smooth = |t: f64| DVec3::new(10.0 * t, 2.0, (0.5 * t).sin());
    let (whole, _) = measure(&still(smooth)).unwrap();
    let (cut, rates) = measure(&still(|t| smooth(t) + DVec3::Y * if t < 5.0 { 0.0 } else { 80.0 })).unwrap();
    assert_eq!(cut.cuts, [150]);
    assert_eq!(cut.shots.iter().map(|s| (s.first, s.last)).collect::<Vec<_>>(), [(0, 149), (150, 299)]);
    assert!(cut.jerk.unwrap().peak <= whole.jerk.unwrap().peak * 1.001 && rates.jerk[150].is_none());
    near(cut.path_length, whole.path_length * 298.0 / 299.0, 1e-3);
    // Without the rule the jump would have shown as 80 m in 1/30 s: 80 × 30³ m/s³.
    assert!(cut.jerk.unwrap().peak < 80.0);
}

#[test]
fn a_gap_parts_what_is_measured() {
    let mut gap = still(|t| DVec3::X * t);
    gap.places[100] = None;
    let (m, rates) = measure(&gap).unwrap();
    assert_eq!((m.cuts, m.shots.len(), m.frames), (vec![101], 2, 299));
    assert!(rates.speed[100].is_none() && rates.speed[99].is_none() && rates.speed[98].is_some());
    assert!(measure(&Path { places: vec![None; 10], interval: 0.1, single_precision: false }).is_none());
    assert!(measure(&Path { interval: 0.1, ..Path::default() }).is_none());
}

#[test]
fn rounding_to_single_precision_shows_as_the_noise_that_is_told() {
    // About 400 m from the origin, with constant acceleration: all jerk is rounding, and no two steps round alike.
    let round = |v: f64| f64::from(v as f32);
    let mut p = path(1740, |t| {
        let x = DVec3::new(400.0 + 1.2 * t - 0.031 * t * t, 301.0 - 0.7 * t + 0.0137 * t * t, 350.0 + 0.0271 * t * t);
        (DVec3::new(round(x.x), round(x.y), round(x.z)), DQuat::IDENTITY)
    });
    p.single_precision = true;
    let (m, _) = measure(&p).unwrap();
    assert_eq!(m.noise.resolution, 2f64.powi(-15), "the spacing of float32 from 256 to 512");
    near(m.jerk.unwrap().rms, m.noise.jerk, 0.1);
    assert!(
        m.log_dimensionless_jerk.is_none() && m.spectral_arc_length.is_some(),
        "it moves, and all its jerk is rounding"
    );
    // Standing still between two float32: one step of 2⁻¹⁵ to and fro.
    let mut p = path(300, |t| {
        let step = if (t * 7.3).fract() < 0.5 { 0.0 } else { 2f64.powi(-15) };
        (DVec3::new(400.0 + step, 301.0, 350.0), DQuat::IDENTITY)
    });
    p.single_precision = true;
    let (m, _) = measure(&p).unwrap();
    assert_eq!((m.log_dimensionless_jerk, m.spectral_arc_length), (None, None));
    assert!(m.jerk.unwrap().rms > 0.0);
}
