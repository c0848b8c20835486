//! The route as a whole is tested in `metrics::tests`; here what that leaves out.

use glam::DQuat;

use super::*;
use crate::evidence::cut::Placement;

fn path(points: impl Iterator<Item = [f64; 3]>) -> Path {
    let places = points.map(|p| Some(Placement { position: p.into(), rotation: DQuat::IDENTITY })).collect();
    Path { places, interval: 1.0 / 30.0, single_precision: false }
}

fn measured(csv: &str, camera: &Path, settings: RouteSettings) -> Measured {
    let file = RouteFile { name: "route.csv".to_owned(), bytes: csv.as_bytes().to_vec() };
    let task = Task {
        file: &file,
        settings: &settings,
        metres_per_unit: 1.0,
        up: Default::default(),
        waypoint_radius: 1.0,
        rate: 30.0,
        camera,
        drone: &Path::default(),
        camera_height: Vec::new(),
        drone_height: Vec::new(),
    };
    measure(&task).unwrap().unwrap()
}

#[test]
fn a_route_in_scene_coordinates_needs_no_map() {
    // Along −z at 0.5 m a frame, 2 m to the side, 10 m above the route; then a last shot away from it.
    let flight = path(
        (0..=200)
            .map(|i| [2.0, 10.0, -0.5 * f64::from(i)])
            .chain((1..=60).map(|i| [2.0 + 0.5 * f64::from(i), 10.0, -100.0])),
    );
    let m = measured(
        "x,y,z\n0,0,0\n0,0,-50\n0,0,-100\n",
        &flight,
        RouteSettings { waypoint_radius: Some(3.0), ..RouteSettings::default() },
    );
    let f = &m.route.flight;
    assert_eq!((m.route.length, f.passed, f.passed_in_order), (100.0, 3, 3));
    assert!((f.cross_track_followed.peak - 2.0).abs() < 1e-9 && (f.cross_track.peak - 32.0).abs() < 1e-9);
    assert_eq!((f.cross_track.peak_frame, f.furthest_frame), (260, 200));
    assert_eq!(f.above_route, Some([10.0, 0.0]));
    assert_eq!(m.map.line, [[0.0, 0.0], [0.0, -50.0], [0.0, -100.0]]);
    assert_eq!((m.map.waypoints[1].frame, m.map.waypoints[1].distance), (100, 2.0));
}

#[test]
fn the_furthest_frame_is_the_first_that_gets_there() {
    let of = |flight: &Path| measured("x,z\n0,0\n0,-50\n0,-100\n", flight, RouteSettings::default()).route.flight;
    // A minimum-jerk way of 100 m in 120 frames, slow at its end, then a hover that trembles by a micrometre, then away.
    let eased = |n: u32| {
        let t = (f64::from(n) / 120.0).min(1.0);
        100.0 * t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
    };
    let hover = |n: u32| if n > 120 { f64::from(n % 7) * 1e-6 } else { 0.0 };
    let flight =
        path((0..200).map(|n| [0.0, 5.0, -eased(n) + hover(n)]).chain((0..60).map(|n| [f64::from(n), 5.0, -100.0])));
    // What is left of the way is 1000 m · (1 − t)³ near the end: under a millimetre within 1 % of the time, 1.2 frames.
    let f = of(&flight);
    assert_eq!(f.furthest_frame, 119);
    assert!(f.hausdorff < 2e-3 && f.frechet <= f.frechet_step, "{} {}", f.hausdorff, f.frechet);
    // Turned back halfway, after 60 m: 40 m of the route are never flown.
    let there = |n: i32| 0.5 * f64::from(120 - (n - 120).abs());
    let f = of(&path((0..=240).map(|n| [0.0, 5.0, -there(n)])));
    assert_eq!((f.furthest_frame, f.flown_share), (120, 0.6));
    assert!((f.hausdorff - 40.0).abs() < 1e-9, "{}", f.hausdorff);
    assert!((f.frechet - 40.0).abs() <= f.frechet_step, "{}", f.frechet);
    // Past the end, by 0.3 m at first: the route's end is reached with the first frame beyond it.
    let f = of(&path((0..240).map(|n| [0.0, 5.0, -0.45 * f64::from(n)])));
    assert_eq!(f.furthest_frame, 223);
    assert!((f.hausdorff - 0.35).abs() < 1e-9, "{}", f.hausdorff);
}

#[test]
fn a_flight_the_wrong_way_round_passes_all_and_follows_nothing() {
    let flight = path((0..=200).rev().map(|i| [0.0, 0.0, -0.5 * f64::from(i)]));
    let m = measured("x,z\n0,0\n0,-50\n0,-100\n", &flight, RouteSettings::default());
    let f = &m.route.flight;
    assert_eq!((f.passed, f.passed_in_order, f.furthest_frame), (3, 1, 0));
    assert!(f.flown_share < 0.02, "{}", f.flown_share);
    assert!(f.frechet > 95.0 && f.cross_track.peak < 1e-9);
}

#[test]
fn a_cut_is_no_way_flown() {
    // From one end to the other by a cut: the middle is not passed.
    let flight = path(
        (0..60).map(|i| [0.0, 0.0, -0.1 * f64::from(i)]).chain((0..60).map(|i| [0.0, 0.0, -94.0 - 0.1 * f64::from(i)])),
    );
    let m = measured("x,z\n0,0\n0,-50\n0,-99\n", &flight, RouteSettings::default());
    assert_eq!((m.route.flight.passed, m.route.flight.missed.as_slice()), (2, [1].as_slice()));
    assert!(m.route.flight.hausdorff > 40.0);
}

#[test]
fn a_shift_that_is_given_shows_and_one_that_is_fitted_does_not() {
    let csv = "lat,lon\n50.09,14.4\n50.0905,14.401\n50.0898,14.403\n50.0902,14.4045\n";
    let plane = TangentPlane::at(Geodetic { lat: 50.09, lon: 14.4, height: 0.0 });
    let corners: Vec<DVec2> = [(50.09, 14.4), (50.0905, 14.401), (50.0898, 14.403), (50.0902, 14.4045)]
        .map(|(lat, lon)| plane.local(Geodetic { lat, lon, height: 0.0 }).truncate())
        .to_vec();
    let flown = Line::new(corners).sampled(0.5, 10_000);
    // 20 m too far east, heading 0: x is east, −z north.
    let flight = path(flown.iter().map(|p| [p.x + 20.0, 0.0, -p.y]));
    let given = RouteSettings { origin: Some(vec![50.09, 14.4]), ..RouteSettings::default() };
    let shifted = measured(csv, &flight, given).route.flight;
    assert!(shifted.frechet > 19.0 && shifted.frechet < 21.0, "{}", shifted.frechet);
    let fitted = measured(csv, &flight, RouteSettings::default()).route;
    assert!(fitted.flight.cross_track.peak < 0.2, "{:?}", fitted.flight.cross_track);
    assert!(fitted.georeference.note.contains("does not show"));
}

/// East and north of corners, 20 m a side at least, as degrees around Prague; `swap` writes them the wrong way round.
fn hairpin(swap: bool) -> (String, Path) {
    let corners = [
        (50.09, 14.4),
        (50.0905, 14.401),
        (50.0898, 14.403),
        (50.0902, 14.4045),
        (50.0875, 14.4042),
        (50.0868, 14.4071),
    ];
    let plane = TangentPlane::at(Geodetic { lat: 50.09, lon: 14.4, height: 0.0 });
    let laid = corners.map(|(lat, lon)| plane.local(Geodetic { lat, lon, height: 0.0 }).truncate());
    let flown = Line::new(laid.to_vec()).sampled(0.5, 10_000);
    let row = |(lat, lon): (f64, f64)| if swap { format!("{lon},{lat}\n") } else { format!("{lat},{lon}\n") };
    (format!("lat,lon\n{}", corners.map(row).concat()), path(flown.iter().map(|p| [p.x, 0.0, -p.y])))
}

#[test]
fn swapped_degrees_are_told_by_origin_and_by_fit() {
    let given = RouteSettings { origin: Some(vec![50.09, 14.4]), ..RouteSettings::default() };
    for settings in [given, RouteSettings::default()] {
        let (csv, flight) = hairpin(false);
        assert_eq!(measured(&csv, &flight, settings.clone()).route.warnings, Vec::<String>::new());
        let (csv, flight) = hairpin(true);
        let told = measured(&csv, &flight, settings).route.warnings;
        assert!(told.len() == 1 && told[0].contains("look swapped"), "{told:?}");
    }
}

#[test]
fn what_lies_outside_of_the_other_is_told() {
    let of = |from: i32, to: i32| {
        let flight = path((from..=to).map(|i| [0.0, 0.0, -f64::from(i)]));
        measured("x,z\n0,0\n0,-50\n0,-100\n", &flight, RouteSettings::default()).route.warnings
    };
    assert!(of(0, 100).is_empty());
    // 200 m of which 94 are beyond the end and the margin of 5 + 1 m.
    let told = of(0, 200);
    assert!(told.len() == 1 && told[0].starts_with("47 % of the flight"), "{told:?}");
    // 50 m flown, with 2.5 + 1 m around them: 46.5 of 100 m left.
    let told = of(0, 50);
    assert!(
        told.len() == 1 && (told[0].starts_with("46 % of the route") || told[0].starts_with("47 % of the route")),
        "{told:?}"
    );
}
