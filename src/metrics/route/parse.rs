//! A route's file: which format, and what it holds.

use glam::DVec3;

use super::{table, xml};
use crate::evidence::up::{Up, turned};
use crate::metrics::error::MetricsError;
use crate::metrics::input::RouteFile;

/// Most points of a line, and of waypoints.
const MOST_POINTS: usize = 200_000;

/// A point as the file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raw {
    /// Longitude in degrees, or the scene's x.
    pub x: f64,
    /// Latitude in degrees, or the scene's z.
    pub y: f64,
    /// Metres, or the scene's y.
    pub height: Option<f64>,
    pub name: Option<String>,
}

/// What a reader found: the line, and points that stand alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    pub line: Vec<Raw>,
    pub points: Vec<Raw>,
}

/// A route, sound: at least two points apart, all finite and in range.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// `gpx`, `geojson`, `kml`, `csv`
    pub kind: &'static str,
    /// In scene coordinates rather than degrees.
    pub scene: bool,
    /// Without points that repeat the one before.
    pub line: Vec<Raw>,
    /// Points of their own, or all points of the line.
    pub waypoints: Vec<Raw>,
}

impl Raw {
    fn turn(&mut self, up: Up) {
        let p = turned(up, DVec3::new(self.x, self.height.unwrap_or(0.0), self.y));
        if up != Up::Y {
            (self.x, self.height, self.y) = (p.x, Some(p.y), p.z);
        }
    }
}

/// Reads a route; the format is told by the content, whatever the name. Scene coordinates, of a scene whose `up` is up, are
/// turned so that y is.
///
/// # Errors
/// It is none of the formats, or holds no line.
pub fn parse(file: &RouteFile, up: Up) -> Result<Parsed, MetricsError> {
    let bad = |why: String| MetricsError::Route { name: file.name.clone(), why };
    let text = std::str::from_utf8(&file.bytes).map_err(|_| bad("it is not UTF-8".to_owned()))?;
    let text = text.trim_start_matches('\u{feff}');
    let start = text.trim_start();
    let (kind, found, scene) = if start.starts_with('{') || start.starts_with('[') {
        ("geojson", super::geojson::geojson(text).map_err(bad)?, false)
    } else if start.starts_with('<') {
        match root(start) {
            "gpx" => ("gpx", xml::gpx(text).map_err(bad)?, false),
            "kml" => ("kml", xml::kml(text).map_err(bad)?, false),
            other => return Err(bad(format!("it is XML of `{other}`, neither GPX nor KML"))),
        }
    } else {
        let (mut found, scene) = table::table(text).map_err(bad)?;
        if scene {
            found.line.iter_mut().chain(&mut found.points).for_each(|raw| raw.turn(up));
        }
        ("csv", found, scene)
    };
    let Gathered { mut line, points } = found;
    if line.is_empty() {
        line.clone_from(&points);
    }
    let waypoints = if points.is_empty() { line.clone() } else { points };
    if line.len() > MOST_POINTS || waypoints.len() > MOST_POINTS {
        return Err(bad(format!("it has more than {MOST_POINTS} points")));
    }
    for (at, p) in line.iter().chain(&waypoints).enumerate() {
        let finite = p.x.is_finite() && p.y.is_finite() && p.height.unwrap_or(0.0).abs() < 1e6;
        let (wide, high) = if scene { (1e9, 1e9) } else { (180.0, 90.0) };
        if !(finite && p.x.abs() <= wide && p.y.abs() <= high) {
            let hint = if scene { None } else { super::hints::out_of_range(&line) };
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            return Err(bad(format!("point {at} is out of range: {} {}{hint}", p.x, p.y)));
        }
    }
    line.dedup_by(|b, a| a.x == b.x && a.y == b.y);
    if line.len() < 2 {
        return Err(bad(format!("it has {} points; a route has at least two", line.len())));
    }
    Ok(Parsed { kind, scene, line, waypoints })
}

/// Name of the first element, without prefix.
fn root(text: &str) -> &str {
    let element = text.split('<').skip(1).find(|part| !part.starts_with(['?', '!'])).unwrap_or("");
    let name = element.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next().unwrap_or("");
    name.rsplit(':').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Parsed, String> {
        parse(&RouteFile { name: "r".to_owned(), bytes: text.as_bytes().to_vec() }, Up::Y).map_err(|e| e.to_string())
    }

    fn at(points: &[Raw]) -> Vec<(f64, f64, Option<f64>)> {
        points.iter().map(|p| (p.x, p.y, p.height)).collect()
    }

    const LINE: [(f64, f64, Option<f64>); 2] = [(14.4, 50.09, Some(250.0)), (14.41, 50.0875, None)];

    #[test]
    fn the_same_route_in_every_format() {
        let gpx = r#"<?xml version="1.0"?><!-- made up --><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
          <wpt lat="50.09" lon="14.4"><ele>250</ele><name>Court &amp; gate</name></wpt><wpt lat='50.0875' lon='14.41'/>
          <trk><name>t</name><trkseg><trkpt lat="50.09" lon="14.4"><ele> 250.0 </ele></trkpt>
          <trkpt lat="50.0875" lon="14.41"/></trkseg></trk></gpx>"#;
        let kml = r#"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>d</name><Placemark><name>Court</name>
          <Point><coordinates>14.4,50.09,250</coordinates></Point></Placemark><Placemark><LineString><coordinates>
          14.4,50.09,250
          14.41,50.0875 </coordinates></LineString></Placemark></Document></kml>"#;
        let track = r#"<kml xmlns:gx="g"><Placemark><gx:Track><when>x</when><gx:coord>14.4 50.09 250</gx:coord>
          <gx:coord>14.41 50.0875</gx:coord></gx:Track></Placemark></kml>"#;
        let geojson = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Court"},
          "geometry":{"type":"Point","coordinates":[14.4,50.09]}},{"type":"Feature","properties":null,
          "geometry":{"type":"LineString","coordinates":[[14.4,50.09,250],[14.41,50.0875]]}}]}"#;
        let csv = "# made up\r\nname,lat,lon,ele\r\n\"Court, \"\"third\"\"\",50.09,14.4,250\r\n,50.0875,14.41,\r\n";
        let czech = "\u{feff}Lat;Lon;Ele\n50,09;14,4;250\n50,0875;14,41;\n";
        for (kind, text) in
            [("gpx", gpx), ("kml", kml), ("kml", track), ("geojson", geojson), ("csv", csv), ("csv", czech)]
        {
            let parsed = read(text).unwrap();
            assert_eq!((parsed.kind, parsed.scene, at(&parsed.line)), (kind, false, LINE.to_vec()), "{text}");
        }
        let names = |text| read(text).unwrap().waypoints.into_iter().map(|w| w.name).collect::<Vec<_>>();
        assert_eq!(names(gpx), [Some("Court & gate".to_owned()), None]);
        assert_eq!(names(kml), [Some("Court".to_owned())]);
        assert_eq!(names(geojson), [Some("Court".to_owned())]);
        assert_eq!(names(csv), [Some("Court, \"third\"".to_owned()), None]);
    }

    #[test]
    fn points_alone_are_a_route_too() {
        let multi = r#"{"type":"MultiPoint","coordinates":[[14.4,50.09,250],[14.4,50.09,250],[14.41,50.0875]]}"#;
        let parsed = read(multi).unwrap();
        assert_eq!(at(&parsed.line), LINE);
        assert_eq!(parsed.waypoints.len(), 3);
        let planned = r#"<gpx><rte><rtept lat="50.09" lon="14.4"><ele>250</ele></rtept><rtept lat="50.0875" lon="14.41"/></rte>
          <trk><trkseg><trkpt lat="1" lon="1"/><trkpt lat="2" lon="2"/></trkseg></trk></gpx>"#;
        assert_eq!(at(&read(planned).unwrap().line), LINE, "the plan rather than the record");
    }

    #[test]
    fn scene_coordinates_are_told_by_the_header() {
        let parsed = read("x,y,z\n1,2,3\n4,5,6\n").unwrap();
        assert!(parsed.scene);
        assert_eq!(at(&parsed.line), [(1.0, 3.0, Some(2.0)), (4.0, 6.0, Some(5.0))]);
    }

    #[test]
    fn what_is_no_route_is_refused_with_the_reason() {
        let why = |text: &str| read(text).unwrap_err();
        assert!(why("").contains("empty"));
        assert!(why("50.09,14.4\n50.08,14.41\n").contains("names neither lat and lon nor x and z"));
        assert!(why("lat,lon\n50.09,east\n").contains("line 2: `east` is no number"));
        assert!(why("lat,lon\n50.09,14.4\n").contains("1 points"));
        assert!(why("lat,lon\n150.09,14.4\n150,14\n").contains("out of range"));
        // Tokyo: 139.7 is no latitude.
        assert!(why("lat,lon\n139.7,35.6\n139.8,35.7\n").contains("latitude and longitude look swapped"));
        assert!(!why("lat,lon\n139.7,95.6\n139.8,95.7\n").contains("swapped"));
        assert!(why("[1, 2]").contains("no GeoJSON"));
        assert!(why("{\"type\":\"Topology\"}").contains("`Topology`"));
        assert!(why("<svg/>").contains("`svg`"));
        assert!(why("<gpx><trk><trkpt lat=\"1\"/></trk></gpx>").contains("without `lon`"));
        assert!(why("<gpx><trk></gpx>").contains("byte"));
        let deep = "{\"type\":\"GeometryCollection\",\"geometries\":[".repeat(40) + &"]}".repeat(40);
        assert!(why(&deep).contains("too deep"));
    }
}
