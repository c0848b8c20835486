//! GPX and KML: the points of tracks, routes and placemarks, with no regard to anything else in the file.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::parse::{Gathered, Raw};

type Failed = String;

/// GPX 1.0 and 1.1: `trkpt` and `rtept` are the line, `wpt` are waypoints.
pub fn gpx(text: &str) -> Result<Gathered, Failed> {
    let mut out = Gathered::default();
    let mut routes = Vec::new();
    let mut point: Option<(String, Raw)> = None;
    walk(text, |event| {
        match event {
            Found::Open(name, element) if matches!(name, "trkpt" | "rtept" | "wpt") => {
                point = Some((
                    name.to_owned(),
                    Raw { x: number(element, "lon")?, y: number(element, "lat")?, ..Raw::default() },
                ));
            }
            Found::Text("ele", text) => {
                if let Some((_, raw)) = &mut point {
                    raw.height = Some(parse_number(text)?);
                }
            }
            Found::Text("name", text) => {
                if let Some((_, raw)) = &mut point {
                    raw.name = Some(text.to_owned());
                }
            }
            Found::Close("trkpt") => out.line.extend(point.take().map(|(_, raw)| raw)),
            Found::Close("rtept") => routes.extend(point.take().map(|(_, raw)| raw)),
            Found::Close("wpt") => out.points.extend(point.take().map(|(_, raw)| raw)),
            _ => {}
        }
        Ok(())
    })?;
    // A file may hold the plan (`rte`) and what was flown before (`trk`): the plan is the route.
    if !routes.is_empty() {
        out.line = routes;
    }
    Ok(out)
}

/// KML 2.2: `LineString` and `gx:Track` are the line, `Point` placemarks are waypoints.
pub fn kml(text: &str) -> Result<Gathered, Failed> {
    let mut out = Gathered::default();
    let mut within: Vec<String> = Vec::new();
    let mut title = None;
    walk(text, |event| {
        match event {
            Found::Open(name, _) => {
                if name == "Placemark" {
                    title = None;
                }
                within.push(name.to_owned());
            }
            Found::Text("name", text) if within.iter().rev().nth(1).is_some_and(|n| n == "Placemark") => {
                title = Some(text.to_owned());
            }
            Found::Text("coordinates", text) => {
                let points = text.split_whitespace().map(tuple).collect::<Result<Vec<_>, _>>()?;
                if within.iter().any(|n| n == "LineString") {
                    out.line.extend(points);
                } else if within.iter().any(|n| n == "Point") {
                    out.points.extend(points.into_iter().map(|raw| Raw { name: title.clone(), ..raw }));
                }
            }
            Found::Text("coord", text) => {
                let numbers = text.split_whitespace().map(parse_number).collect::<Result<Vec<_>, _>>()?;
                out.line.push(of_numbers(&numbers)?);
            }
            Found::Close(_) => {
                within.pop();
            }
            Found::Text(..) => {}
        }
        Ok(())
    })?;
    Ok(out)
}

/// `lon,lat[,height]`
fn tuple(text: &str) -> Result<Raw, Failed> {
    let numbers = text.split(',').filter(|part| !part.is_empty()).map(parse_number).collect::<Result<Vec<_>, _>>()?;
    of_numbers(&numbers)
}

fn of_numbers(numbers: &[f64]) -> Result<Raw, Failed> {
    match numbers {
        [x, y] => Ok(Raw { x: *x, y: *y, ..Raw::default() }),
        [x, y, height, ..] => Ok(Raw { x: *x, y: *y, height: Some(*height), name: None }),
        _ => Err("a coordinate without latitude".to_owned()),
    }
}

fn number(element: &BytesStart<'_>, name: &str) -> Result<f64, Failed> {
    let attribute = element.try_get_attribute(name).map_err(|e| e.to_string())?;
    let attribute = attribute.ok_or_else(|| format!("a point without `{name}`"))?;
    parse_number(&attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).map_err(|e| e.to_string())?)
}

fn parse_number(text: &str) -> Result<f64, Failed> {
    text.trim().parse().map_err(|_| format!("`{}` is no number", text.trim().chars().take(40).collect::<String>()))
}

/// What is met on the way through a file; names without their prefixes.
enum Found<'a> {
    Open(&'a str, &'a BytesStart<'a>),
    /// The whole text of an element that holds no other.
    Text(&'a str, &'a str),
    Close(&'a str),
}

fn walk(text: &str, mut visit: impl FnMut(Found<'_>) -> Result<(), Failed>) -> Result<(), Failed> {
    let mut reader = Reader::from_str(text);
    let mut content = String::new();
    // Has the element at hand only held text so far?
    let mut leaf = false;
    loop {
        let at = reader.buffer_position();
        let event = reader.read_event().map_err(|e| format!("{e} (at byte {at})"))?;
        match event {
            Event::Start(element) => {
                content.clear();
                leaf = true;
                visit(Found::Open(element.local_name().as_ref(), &element))?;
            }
            Event::Empty(element) => {
                leaf = false;
                let name = element.local_name();
                visit(Found::Open(name.as_ref(), &element))?;
                visit(Found::Close(name.as_ref()))?;
            }
            Event::End(element) => {
                let name = element.local_name();
                if leaf {
                    visit(Found::Text(name.as_ref(), content.trim()))?;
                }
                leaf = false;
                visit(Found::Close(name.as_ref()))?;
            }
            Event::Text(part) => content.push_str(&part.xml10_content()),
            Event::CData(part) => content.push_str(&part.xml10_content()),
            Event::GeneralRef(entity) => match entity.resolve_char_ref() {
                Ok(Some(c)) => content.push(c),
                _ => content.push_str(quick_xml::escape::resolve_predefined_entity(&entity).unwrap_or("")),
            },
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
