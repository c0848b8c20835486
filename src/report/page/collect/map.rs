//! The map of the run.

use serde_json::Value;

use super::{Sources, numbers};
use crate::report::map::{Figure, Map, Waypoint};
use crate::report::page::model::Measured;

impl Sources {
    /// The map, and where the camera is on it in each frame.
    ///
    /// # Errors
    /// Why there is none.
    pub fn figure(&self) -> Measured<(Figure, Vec<Option<[f64; 2]>>)> {
        let contacts = self.contacts().unwrap_or_default();
        let flown = self.camera.clone()?;
        let series = self.series.as_ref().ok();
        let point = |value: &Value| {
            let at = value.as_array()?;
            Some([at.first()?.as_f64()?, at.get(1)?.as_f64()?])
        };
        let list = |pointer: &str| series.and_then(|s| s.pointer(pointer)).and_then(Value::as_array);
        let waypoint = |value: &Value| {
            Some(Waypoint { at: point(value.get("at")?)?, passed: value.get("passed").and_then(Value::as_bool) })
        };
        let scale = self.metric("/route/georeference/scale").or_else(|| self.metric("/run/metres_per_unit"));
        let scale = scale.and_then(Value::as_f64).filter(|s| s.is_finite() && *s > 0.0);
        let on_globe = self.metric("/route/georeference/kind").and_then(Value::as_str).is_some_and(|k| k != "scene");
        let heading = self.metric("/route/georeference/heading").and_then(Value::as_f64).filter(|_| on_globe);
        let ground = |places: &[Option<[f64; 3]>]| places.iter().map(|at| at.map(|[x, _, z]| [x, z])).collect();
        let height = |places: &[Option<[f64; 3]>]| places.iter().map(|at| at.map(|[_, y, _]| y)).collect();
        let map = Map {
            heights: height(&flown),
            drone_heights: height(&self.drone),
            flown: ground(&flown),
            drone: ground(&self.drone),
            cuts: numbers(series, "/cuts").into_iter().map(|cut| cut as u64).collect(),
            contacts,
            route: list("/map/line").into_iter().flatten().filter_map(point).collect(),
            waypoints: list("/map/waypoints").into_iter().flatten().filter_map(waypoint).collect(),
            metres_per_unit: scale.unwrap_or(1.0),
            metric: scale.is_some(),
            // The bearing of −z, which is up: north lies as far the other way.
            north: heading.map(|bearing| -bearing.to_radians()),
            ground: self.ground.clone(),
        };
        map.figure().ok_or_else(|| "the camera's place is not known in any frame".to_owned())
    }
}
