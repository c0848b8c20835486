//! GeoJSON (RFC 7946): every line of the file in order, and every point.

use serde_json::Value;

use super::parse::{Gathered, Raw};

/// Deepest nesting of collections.
const DEEPEST: u32 = 16;

pub fn geojson(text: &str) -> Result<Gathered, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    if value.get("type").and_then(Value::as_str).is_none() {
        return Err("it is JSON, but no GeoJSON: it has no `type`".to_owned());
    }
    let mut out = Gathered::default();
    gather(&value, None, DEEPEST, &mut out)?;
    Ok(out)
}

fn gather(value: &Value, name: Option<&str>, depth: u32, out: &mut Gathered) -> Result<(), String> {
    let depth = depth.checked_sub(1).ok_or("collections are nested too deep")?;
    let list = |key: &str| value.get(key).and_then(Value::as_array).ok_or_else(|| format!("no list of `{key}`"));
    match value.get("type").and_then(Value::as_str).unwrap_or_default() {
        "FeatureCollection" => list("features")?.iter().try_for_each(|f| gather(f, None, depth, out)),
        "Feature" => {
            let properties = value.get("properties");
            let text = |key: &str| properties.and_then(|p| p.get(key)).and_then(Value::as_str);
            let name = text("name").or_else(|| text("title")).or_else(|| text("label"));
            match value.get("geometry") {
                Some(geometry) if !geometry.is_null() => gather(geometry, name, depth, out),
                _ => Ok(()),
            }
        }
        "GeometryCollection" => list("geometries")?.iter().try_for_each(|g| gather(g, name, depth, out)),
        "Point" => {
            let position = value.get("coordinates").ok_or("a point without coordinates")?;
            out.points.push(Raw { name: name.map(str::to_owned), ..raw(position)? });
            Ok(())
        }
        "MultiPoint" => extend(&mut out.points, list("coordinates")?),
        "LineString" => extend(&mut out.line, list("coordinates")?),
        "MultiLineString" => list("coordinates")?
            .iter()
            .try_for_each(|line| extend(&mut out.line, line.as_array().ok_or("a line that is no list")?)),
        // Areas are no route.
        "Polygon" | "MultiPolygon" => Ok(()),
        other => Err(format!("`{other}` is no type of GeoJSON")),
    }
}

fn extend(into: &mut Vec<Raw>, positions: &[Value]) -> Result<(), String> {
    for position in positions {
        into.push(raw(position)?);
    }
    Ok(())
}

/// `[longitude, latitude, height?]`
fn raw(position: &Value) -> Result<Raw, String> {
    let numbers: Option<Vec<f64>> = position.as_array().map(|a| a.iter().filter_map(Value::as_f64).collect());
    match numbers.as_deref() {
        Some([x, y]) => Ok(Raw { x: *x, y: *y, ..Raw::default() }),
        Some([x, y, height, ..]) => Ok(Raw { x: *x, y: *y, height: Some(*height), name: None }),
        _ => Err("a position that is no list of numbers".to_owned()),
    }
}
