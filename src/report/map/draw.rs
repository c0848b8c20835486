//! The map as a figure: what is where on the paper.

use super::figure::{Anchor, Color, Figure, Shape};
use super::frame::Frame;
use super::{Contact, Map, still};

const PAPER: Color = 0xf7_f5ef;
const GRID: Color = 0xe4_e0d6;
const INK: Color = 0x1b_1d21;
const SOFT: Color = 0x57_5c64;
const WHITE: Color = 0xff_ffff;
const ROUTE: Color = 0x22_57a8;
const FLOWN: Color = 0xe0_5a1f;
const DRONE: Color = 0x0f_7d86;
const START: Color = 0x1d_6f42;
/// Unlike every contact's colour.
const MISSED: Color = 0x00_0000;

/// The colours of the report's strip.
fn color_of(contact: Contact) -> Option<Color> {
    match contact {
        Contact::Near => Some(0xe0_b23c),
        Contact::Glued => Some(0xd9_772b),
        Contact::Inside => Some(0xb3_261e),
        Contact::PassedThrough => Some(0x7a_1fa2),
        Contact::Clear | Contact::Unknown => None,
    }
}

impl Map {
    /// The drawing, and where the camera is on it in each frame. `None` when there is nothing to show.
    pub fn figure(&self) -> Option<(Figure, Vec<Option<[f64; 2]>>)> {
        let frame = Frame::around(self)?;
        let (legend, foot) = self.legend(frame.width);
        let mut figure = Figure { width: frame.width, height: frame.height + foot, paper: PAPER, ..Figure::default() };
        match &self.ground {
            Some(ground) => {
                let [x0, z0, x1, z1] = ground.bounds;
                let ([left, top], [right, bottom]) = (frame.place([x0, z0]), frame.place([x1, z1]));
                figure.pictures.push(ground.picture.clone());
                let rect = [left, top, right - left, bottom - top];
                figure.shapes.push(Shape::Picture { picture: 0, rect });
            }
            None => grid(&mut figure, &frame, self.metres_per_unit),
        }
        let places: Vec<Option<[f64; 2]>> = self.flown.iter().map(|at| at.map(|at| frame.place(at))).collect();
        self.draw_route(&mut figure, &frame);
        let drone: Vec<Option<[f64; 2]>> = self.drone.iter().map(|at| at.map(|at| frame.place(at))).collect();
        self.draw_path(&mut figure, &drone, (2.0, DRONE));
        self.draw_path(&mut figure, &places, (3.5, FLOWN));
        self.draw_waypoints(&mut figure, &frame);
        draw_ends(&mut figure, &places);
        self.draw_still(&mut figure, &frame, &places, &drone);
        self.draw_contacts(&mut figure, &places);
        self.furniture(&mut figure, &frame, &legend);
        Some((figure, places))
    }

    fn draw_route(&self, figure: &mut Figure, frame: &Frame) {
        let points: Vec<[f64; 2]> = self.route.iter().map(|&at| frame.place(at)).collect();
        figure.line(points.clone(), 6.0, WHITE);
        if points.len() > 1 {
            figure.shapes.push(Shape::Line { points, width: 2.5, color: ROUTE, dash: Some([8.0, 6.0]) });
        }
    }

    /// Without the jumps at cuts and where the place is not known.
    fn draw_path(&self, figure: &mut Figure, places: &[Option<[f64; 2]>], (width, color): (f64, Color)) {
        let mut stretches: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
        for (index, place) in (0_u64..).zip(places) {
            if place.is_none() || self.cuts.contains(&index) {
                stretches.push(Vec::new());
            }
            if let (Some(stretch), Some(place)) = (stretches.last_mut(), place) {
                // Points closer than half a pixel show nothing new.
                let far = stretch.last().is_none_or(|[x, y]| (x - place[0]).hypot(y - place[1]) >= 0.5);
                if far {
                    stretch.push(*place);
                }
            }
        }
        for stretch in &stretches {
            figure.line(stretch.clone(), width * 2.0, WHITE);
        }
        for stretch in stretches {
            figure.line(stretch, width, color);
        }
    }

    /// Who moves nowhere on the paper has no line: a mark, and what the height does.
    fn draw_still(&self, figure: &mut Figure, frame: &Frame, camera: &[Option<[f64; 2]>], drone: &[Option<[f64; 2]>]) {
        let unit = if self.metric { "m" } else { "units" };
        let mut tell = |text: String, [x, y]: [f64; 2], color: Color| {
            let half = text_width(&text) * 15.0 / 2.0 + 8.0;
            let (width, height) = (f64::from(frame.width), f64::from(frame.height));
            let at = [x.min(width - half).max(half), y.min(height - 44.0).max(20.0)];
            figure.text(text, at, 15.0, Anchor::Middle, color);
        };
        let camera_still = still::place(camera);
        let words = |heights: &[Option<f64>]| still::words(heights, self.metres_per_unit, unit);
        if let (Some([x, y]), Some(what)) = (camera_still, words(&self.heights)) {
            tell(format!("the camera {what}"), [x, y + 46.0], INK);
        }
        let Some([x, y]) = still::place(drone) else { return };
        if let Some(what) = words(&self.drone_heights) {
            // Out of the way of what is written at the camera.
            let below = camera_still.is_none_or(|[_, other]| y > other + 60.0);
            let above = if y < 60.0 { 66.0 } else { -36.0 };
            tell(format!("start and end of the drone: {what}"), [x, y + if below { 26.0 } else { above }], DRONE);
        }
        figure.circle([x, y], 7.0, Some(DRONE), Some((2.5, WHITE)));
    }

    fn draw_waypoints(&self, figure: &mut Figure, frame: &Frame) {
        // Many are drawn small, so that the path shows between them.
        let radius = if self.waypoints.len() > 40 { 2.2 } else { 3.6 };
        for waypoint in &self.waypoints {
            let at = frame.place(waypoint.at);
            match waypoint.passed {
                Some(false) => missed(figure, at),
                Some(true) => figure.circle(at, radius, Some(ROUTE), Some((1.0, WHITE))),
                None => figure.circle(at, radius, Some(WHITE), Some((1.5, ROUTE))),
            }
        }
    }

    /// Grave ones above slight ones.
    fn draw_contacts(&self, figure: &mut Figure, places: &[Option<[f64; 2]>]) {
        for kind in [Contact::Near, Contact::Glued, Contact::Inside, Contact::PassedThrough] {
            let Some(color) = color_of(kind) else { continue };
            let radius = if kind == Contact::Near { 3.0 } else { 6.0 };
            let mut last: Option<[f64; 2]> = None;
            for (contact, place) in self.contacts.iter().zip(places) {
                let Some(place) = place.filter(|_| *contact == kind) else { continue };
                if last.is_none_or(|[x, y]| (x - place[0]).hypot(y - place[1]) >= radius / 2.0) {
                    figure.circle(place, radius, Some(color), Some((1.5, WHITE)));
                    last = Some(place);
                }
            }
        }
    }

    /// Scale bar, north arrow, legend.
    fn furniture(&self, figure: &mut Figure, frame: &Frame, legend: &[Entry]) {
        let (width, height) = (f64::from(frame.width), f64::from(frame.height));
        let foot = f64::from(figure.height);
        figure.area(vec![[0.0, height], [width, height], [width, foot], [0.0, foot]], PAPER);
        figure.line(vec![[0.0, height], [width, height]], 1.0, GRID);
        let per_metre = frame.scale / self.metres_per_unit;
        let length = nice(width / per_metre / 5.0);
        let (left, y) = (20.0, height - 20.0);
        let right = left + length * per_metre;
        let bar = vec![[left, y - 7.0], [left, y], [right, y], [right, y - 7.0]];
        figure.line(bar.clone(), 6.0, PAPER);
        figure.line(bar, 2.0, INK);
        let unit = if self.metric { "m" } else { "units" };
        figure.text(format!("{} {unit}", plain(length)), [right + 8.0, y + 1.0], 15.0, Anchor::Start, INK);
        if let Some(north) = self.north {
            arrow(figure, [width - 44.0, 52.0], north);
        }
        for Entry { at, color, name } in legend {
            let [x, y] = [at[0], at[1] + height];
            match *color {
                MISSED => missed(figure, [x + 5.0, y - 5.0]),
                color => figure.circle([x + 5.0, y - 5.0], 5.5, Some(color), Some((1.5, WHITE))),
            }
            figure.text(*name, [x + 18.0, y], 14.0, Anchor::Start, SOFT);
        }
    }

    /// The entries with their places under the map, and the height they take.
    fn legend(&self, width: u32) -> (Vec<Entry>, u32) {
        let mut entries: Vec<(Color, &'static str)> = vec![(FLOWN, "camera")];
        if self.drone.iter().any(Option::is_some) {
            entries.push((DRONE, "drone"));
        }
        if !self.route.is_empty() {
            entries.push((ROUTE, "route"));
        }
        if self.waypoints.iter().any(|w| w.passed == Some(false)) {
            entries.push((MISSED, "missed point"));
        }
        for kind in [Contact::Near, Contact::Glued, Contact::Inside, Contact::PassedThrough] {
            entries.extend(color_of(kind).filter(|_| self.contacts.contains(&kind)).map(|color| (color, kind.name())));
        }
        let (mut x, mut y) = (20.0, 30.0);
        let mut placed = Vec::new();
        for (color, name) in entries {
            let length = 18.0 + text_width(name) * 14.0;
            if x + length > f64::from(width) - 20.0 && x > 20.0 {
                (x, y) = (20.0, y + 26.0);
            }
            placed.push(Entry { at: [x, y], color, name });
            x += length + 22.0;
        }
        (placed, y as u32 + 18)
    }
}

struct Entry {
    /// Left end of the baseline, from the left lower corner of the map.
    at: [f64; 2],
    color: Color,
    name: &'static str,
}

/// In ems, about, of the fonts that may show it.
fn text_width(text: &str) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | ' ' => 0.32,
        'f' | 'r' | 't' => 0.42,
        'm' | 'w' => 0.9,
        _ => 0.62,
    };
    text.chars().map(width).sum()
}

/// A ring with a cross.
fn missed(figure: &mut Figure, at: [f64; 2]) {
    figure.circle(at, 5.5, Some(WHITE), Some((2.5, MISSED)));
    for sign in [-1.0, 1.0] {
        let arm = 2.4;
        figure.line(vec![[at[0] - arm, at[1] - sign * arm], [at[0] + arm, at[1] + sign * arm]], 1.6, MISSED);
    }
}

fn draw_ends(figure: &mut Figure, places: &[Option<[f64; 2]>]) {
    let mut known = places.iter().flatten();
    let Some(&first) = known.next() else { return };
    let last = known.next_back().copied();
    if let Some(last) = last {
        figure.circle(last, 8.0, Some(INK), Some((2.5, WHITE)));
        figure.text("end", [last[0], last[1] + 26.0], 15.0, Anchor::Middle, INK);
    }
    figure.circle(first, 8.0, Some(START), Some((2.5, WHITE)));
    figure.text("start", [first[0], first[1] - 15.0], 15.0, Anchor::Middle, START);
}

fn grid(figure: &mut Figure, frame: &Frame, metres_per_unit: f64) {
    let step = nice(f64::from(frame.width) / frame.scale * metres_per_unit / 8.0) / metres_per_unit;
    let (width, height) = (f64::from(frame.width), f64::from(frame.height));
    let lines = |from: f64, to: f64| {
        let first = (from / step).ceil();
        let count = ((to / step).floor() - first).clamp(-1.0, 200.0) as i64;
        (0..=count).map(move |n| (first + n as f64) * step)
    };
    for x in lines(frame.origin[0], frame.origin[0] + width / frame.scale) {
        let [x, _] = frame.place([x, 0.0]);
        figure.line(vec![[x, 0.0], [x, height]], 1.0, GRID);
    }
    for z in lines(frame.origin[1], frame.origin[1] + height / frame.scale) {
        let [_, y] = frame.place([0.0, z]);
        figure.line(vec![[0.0, y], [width, y]], 1.0, GRID);
    }
}

/// Points to north, which is `turn` radians clockwise from up on the paper.
fn arrow(figure: &mut Figure, [x, y]: [f64; 2], turn: f64) {
    let (sin, cos) = (libm::sin(turn), libm::cos(turn));
    let at = |dx: f64, dy: f64| [x + dx * cos - dy * sin, y + dx * sin + dy * cos];
    figure.circle([x, y], 30.0, Some(PAPER), Some((1.0, GRID)));
    figure.area(vec![at(0.0, -20.0), at(8.0, 6.0), at(0.0, 1.0)], INK);
    figure.area(vec![at(0.0, -20.0), at(-8.0, 6.0), at(0.0, 1.0)], SOFT);
    let [tx, ty] = at(0.0, 18.0);
    figure.text("N", [tx, ty + 5.0], 13.0, Anchor::Middle, INK);
}

/// 1, 2 or 5 times a power of ten, at most `value`.
pub(super) fn nice(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let power = libm::pow(10.0, libm::floor(libm::log10(value)));
    [5.0, 2.0, 1.0].into_iter().map(|f| f * power).find(|s| *s <= value * (1.0 + 1e-9)).unwrap_or(power)
}

fn plain(value: f64) -> String {
    if value >= 1.0 { format!("{value:.0}") } else { format!("{value}") }
}
