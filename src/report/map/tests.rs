use super::frame::Frame;
use super::*;

fn map(flown: &[[f64; 2]]) -> Map {
    Map {
        flown: flown.iter().copied().map(Some).collect(),
        drone: Vec::new(),
        heights: Vec::new(),
        drone_heights: Vec::new(),
        cuts: Vec::new(),
        contacts: Vec::new(),
        route: Vec::new(),
        waypoints: Vec::new(),
        metres_per_unit: 1.0,
        metric: true,
        north: None,
        ground: None,
    }
}

#[test]
fn x_goes_right_and_z_down_on_one_scale() {
    let frame = Frame::around(&map(&[[-50.0, -20.0], [50.0, 20.0]])).unwrap();
    // 100 units and 8 % on each side are 1180 pixels.
    assert!((frame.scale - 1180.0 / 116.0).abs() < 1e-9);
    let near = |at: [f64; 2], x: f64, y: f64| (at[0] - x).abs() < 1e-6 && (at[1] - y).abs() < 1e-6;
    assert!(near(frame.place([0.0, 0.0]), 590.0, f64::from(frame.height) / 2.0));
    let [left, top] = frame.place([-50.0, -20.0]);
    let [right, bottom] = frame.place([50.0, 20.0]);
    assert!(left < right && top < bottom);
    assert!(((right - left) / 100.0 - (bottom - top) / 40.0).abs() < 1e-9);
}

#[test]
fn everything_lies_inside_whatever_the_shape() {
    for flown in [vec![[0.0, 0.0]], vec![[0.0, 0.0], [0.0, 5000.0]], vec![[1e6, -3.0], [1e6 + 900.0, -3.0]]] {
        let map = Map { route: vec![[flown[0][0] + 1.0, flown[0][1]]], ..map(&flown) };
        let frame = Frame::around(&map).unwrap();
        for at in flown.iter().chain(&map.route) {
            let [x, y] = frame.place(*at);
            assert!(
                (0.0..=f64::from(frame.width)).contains(&x) && (0.0..=f64::from(frame.height)).contains(&y),
                "{x}, {y}"
            );
        }
        assert!((480..=1000).contains(&frame.height) && (640..=1180).contains(&frame.width));
    }
    assert!(Frame::around(&map(&[])).is_none());
    assert!(Frame::around(&map(&[[f64::NAN, 0.0]])).is_none());
}

#[test]
fn cuts_and_gaps_break_the_line() {
    let mut map = map(&[[0.0, 0.0], [10.0, 0.0], [20.0, 0.0], [30.0, 0.0], [40.0, 0.0], [50.0, 0.0]]);
    map.cuts = vec![2];
    map.flown[4] = None;
    let (figure, places) = map.figure().unwrap();
    assert_eq!((places.len(), places[4]), (6, None));
    // Stretches 0–1 and 2–3; 5 alone draws no line. Each with its edge.
    let orange = |shape: &&Shape| matches!(shape, Shape::Line { color: 0xe05a1f, .. });
    assert_eq!(figure.shapes.iter().filter(orange).count(), 2);
}

#[test]
fn contacts_and_missed_points_are_marked() {
    let mut map = map(&[[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]]);
    map.contacts = vec![Contact::Clear, Contact::PassedThrough, Contact::Near];
    map.waypoints =
        vec![Waypoint { at: [0.0, 5.0], passed: Some(true) }, Waypoint { at: [20.0, 5.0], passed: Some(false) }];
    map.north = Some(0.0);
    let (figure, places) = map.figure().unwrap();
    let filled = |color: u32| {
        let at = figure.shapes.iter().find_map(|shape| match shape {
            Shape::Circle { at, fill: Some(fill), radius, .. } if *fill == color && *radius > 2.0 => Some(*at),
            _ => None,
        });
        at.unwrap()
    };
    assert_eq!(filled(0x7a1fa2), places[1].unwrap());
    assert_eq!(filled(0xe0b23c), places[2].unwrap());
    let svg = figure.svg("map", HERE).finish();
    for text in ["missed point", "passed through", ">N</text>", ">start</text>", "map-here"] {
        assert!(svg.contains(text), "{text}");
    }
    let picture = figure.picture().unwrap();
    assert_eq!((picture.width, picture.height), (figure.width, figure.height));
    let [x, y] = places[1].unwrap().map(|v| v.round() as u32);
    let at = ((y * picture.width + x) * 4) as usize;
    assert_eq!(picture.rgba[at..at + 4], [0x7a, 0x1f, 0xa2, 0xff]);
    assert_eq!(figure.picture().unwrap(), picture);
}

#[test]
fn the_scale_bar_is_as_long_as_it_says() {
    assert_eq!([0.7, 1.0, 19.9, 20.0, 51.0, 4e5].map(draw::nice), [0.5, 1.0, 10.0, 20.0, 50.0, 2e5]);
    let map = Map { metres_per_unit: 2.0, ..map(&[[0.0, 0.0], [100.0, 0.0]]) };
    let (figure, _) = map.figure().unwrap();
    // 116 units of 2 m over 1180 pixels; a fifth of 232 m is 46.4 m: 20 m are 1180 / 232 · 20 pixels.
    let bar = figure.shapes.iter().find_map(|shape| match shape {
        Shape::Line { points, .. } if points.len() == 4 => Some(points[2][0] - points[1][0]),
        _ => None,
    });
    assert!((bar.unwrap() - 1180.0 / 232.0 * 20.0).abs() < 1e-9);
    assert!(figure.svg("", "").finish().contains(">20 m</text>"));
}

#[test]
fn what_only_rises_is_marked_and_its_heights_are_told() {
    let straight = |y: [f64; 3]| y.map(Some).to_vec();
    let rises = Map { heights: straight([1.0, 10.0, 24.04]), metres_per_unit: 2.0, ..map(&[[3.0, 4.0]; 3]) };
    let texts = |map: &Map| -> Vec<String> {
        let shapes = map.figure().unwrap().0.shapes;
        let text = |shape: Shape| match shape {
            Shape::Text { text, .. } => Some(text),
            _ => None,
        };
        shapes.into_iter().filter_map(text).collect()
    };
    let found = texts(&rises);
    // One unit is 2 m.
    for text in ["start", "end", "the camera only rises, y 2.0 to 48.1 m"] {
        assert!(found.iter().any(|t| t == text), "{text}: {found:?}");
    }
    let sinks = Map { heights: straight([24.0, 10.0, 1.0]), metric: false, ..map(&[[3.0, 4.0]; 3]) };
    assert!(texts(&sinks).contains(&"the camera only sinks, y 24.0 to 1.0 units".to_owned()), "{:?}", texts(&sinks));
    // The camera flies round a drone that goes up and down, and stands in another film.
    let round = map(&[[0.0, 0.0], [50.0, 0.0], [50.0, 50.0]]);
    let hops = Map { drone: vec![Some([25.0, 25.0]); 3], drone_heights: straight([0.0, 5.0, 0.0]), ..round.clone() };
    let (figure, _) = hops.figure().unwrap();
    let at = figure.shapes.iter().find_map(|shape| match shape {
        Shape::Circle { at, fill: Some(0x0f_7d86), .. } => Some(*at),
        _ => None,
    });
    assert_eq!(at, Some(Frame::around(&hops).unwrap().place([25.0, 25.0])));
    assert!(texts(&hops).contains(&"start and end of the drone: only up and down, y 0.0 to 5.0 m".to_owned()));
    let stands = Map { drone_heights: straight([0.5, 0.52, 0.5]), ..hops };
    assert!(
        texts(&stands).contains(&"start and end of the drone: stands still, y 0.5 m".to_owned()),
        "{:?}",
        texts(&stands)
    );
    // Whoever goes somewhere needs no such note.
    assert!(!texts(&Map { heights: straight([0.0, 5.0, 9.0]), ..round }).iter().any(|t| t.contains("y ")));
}

#[test]
fn a_map_without_anything_is_none() {
    assert!(map(&[]).figure().is_none());
}
