//! `[evidence]` and `[route]` of `replay.toml`.

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// What is looked for in the scene. Patterns are regular expressions, matched anywhere in an object's name or its
/// ancestors' names, upper and lower case alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvidenceSettings {
    /// The drone the camera follows.
    pub drone: String,
    /// Animated people.
    pub pedestrians: String,
    /// What the camera may touch: named so, beside sky, water surfaces, particles, sprites, points and lines. Names
    /// are read as words (`heavyRain_02` as `heavy Rain 02`).
    pub harmless: String,
    /// What is solid although its name sounds harmless (a bridge over a river), or it is a sprite (which does not go by the
    /// names of groups). Of an object's own name, its material's and its ancestors', the first that either pattern matches
    /// decides. Where `harmless` is set and this is not, `harmless` goes first.
    pub solid: String,
    /// Radius of the sphere that is swept along the camera's path, in metres.
    pub radius: f64,
    /// A surface nearer than this, in metres, counts as near.
    pub near: f64,
    /// Scene units in a metre are `1 / metres_per_unit`.
    pub metres_per_unit: f64,
    /// Which axis of the scene points away from the ground; what the scene's and the camera's `up` say if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<UpAxis>,
}

/// `up`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    Y,
    Z,
}

impl EvidenceSettings {
    /// The drone's pattern, compiled; `None` if it is empty.
    ///
    /// # Errors
    /// It is no regular expression.
    pub fn drone_pattern(&self) -> Result<Option<Regex>, regex::Error> {
        pattern(&self.drone)
    }

    /// The pedestrians' pattern, compiled; `None` if it is empty.
    ///
    /// # Errors
    /// It is no regular expression.
    pub fn pedestrians_pattern(&self) -> Result<Option<Regex>, regex::Error> {
        pattern(&self.pedestrians)
    }

    /// The pattern of what is harmless, compiled; `None` if it is empty.
    ///
    /// # Errors
    /// It is no regular expression.
    pub fn harmless_pattern(&self) -> Result<Option<Regex>, regex::Error> {
        pattern(&self.harmless)
    }

    /// Does `harmless` go before `solid`? What a user says goes before what is built in.
    pub fn harmless_goes_first(&self) -> bool {
        let built_in = Self::default();
        self.harmless != built_in.harmless && self.solid == built_in.solid
    }

    /// The pattern of what is solid all the same, compiled; `None` if it is empty.
    ///
    /// # Errors
    /// It is no regular expression.
    pub fn solid_pattern(&self) -> Result<Option<Regex>, regex::Error> {
        pattern(&self.solid)
    }
}

impl EvidenceSettings {
    /// A pattern as every setting here is read: without regard to case; `None` if it is empty.
    ///
    /// # Errors
    /// It is no regular expression.
    pub fn pattern(text: &str) -> Result<Option<Regex>, regex::Error> {
        pattern(text)
    }
}

fn pattern(text: &str) -> Result<Option<Regex>, regex::Error> {
    if text.is_empty() {
        return Ok(None);
    }
    RegexBuilder::new(text).case_insensitive(true).build().map(Some)
}

impl Default for EvidenceSettings {
    fn default() -> Self {
        Self {
            drone: "drone|dron|quadcopter|kvadrokopt".to_owned(),
            pedestrians: "pedestrian|walker|people|person|crowd|human|npc|chodec|chodc|citizen".to_owned(),
            harmless: concat!(
                r"\b(sky(dome|box|sphere)?|clouds?|water|river|sea|ocean|lake|pond|vltava|particles?|smoke|fog|mist|dust|haze",
                r"|voda|[řr]eka|hladina|mraky?|rain(drops?)?|snow(flakes?)?|sparks?|birds?|flock|glow|halo|flare|(god|light|sun) ?rays?|rays|(god|sun|laser|(search|spot)?light) ?beams?)\b",
                r"|water ?shader"
            )
            .to_owned(),
            solid: concat!(
                r"\b(bridge|bank|embankment|quay|pier|dock|wall|tower|house|building|boat|ship|liner|ferry|ground|terrain|bed",
                r"|most|b[řr]eh|n[áa]b[řr]e[žz][ií]|ze[ďd]|d[ůu]m|v[ěe][žz]|budova|lo[ďd]|statue|gate|hotel|church|castle|roof|column|pillar|monument|fence|rock|cliff|island|shore",
                r"|tank|inn|pub|restaurant|caf[eé]|bar|shop|store|market|mall|school|hall|theatre|theater|museum|stadium|arena|station|temple|cathedral|chapel",
                r"|fort|fortress|palace|villa|mansion|lodge|cottage|cabin|hut|barn|shed|mill|garage|warehouse|factory|skyscraper|lighthouse|harbou?r|jetty|dam",
                r"|tunnel|arch|stairs?|platform|deck|parapet|railing|lamp ?post|pole|mast|pump|pipe|crane|car|truck|bus|tram|train|tree|mountain|hill|stone|boulder|brick)(e?s)?\b"
            )
            .to_owned(),
            radius: 0.2,
            near: 1.0,
            metres_per_unit: 1.0,
            up: None,
        }
    }
}

/// The route the flight should follow, and how the scene lies on the map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RouteSettings {
    /// GPX, GeoJSON, KML or CSV, relative to the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Latitude, longitude (degrees, WGS84) and height (metres) of the scene's origin. Without it the route is fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Vec<f64>>,
    /// Compass bearing, in degrees, of the scene's −z axis (with z up: of its y axis); 0 = north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<f64>,
    /// Metres in a scene unit; `evidence.metres_per_unit` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// A waypoint counts as passed within this many metres.
    #[serde(alias = "waypoint-radius", skip_serializing_if = "Option::is_none")]
    pub waypoint_radius: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sounds_harmless_is_told_from_what_does_not() {
        let settings = EvidenceSettings::default();
        let (harmless, solid) =
            (settings.harmless_pattern().unwrap().unwrap(), settings.solid_pattern().unwrap().unwrap());
        for name in [
            "Sky",
            "sky dome",
            "clouds 3",
            "Water",
            "heavy Rain 02",
            "bird 03",
            "fog Plane 1",
            "god rays",
            "light Beam",
            "searchlight beams",
            "WaterShader",
            // Czech, with diacritics and without.
            "Voda",
            "voda 2",
            "Řeka Vltava",
            "reka",
            "mrak 01",
            "Mraky",
            "vodní hladina",
        ] {
            assert!(harmless.is_match(name) && !solid.is_match(name), "{name}");
        }
        for name in [
            "terrain",
            "train",
            "driver",
            "seat",
            "sprays",
            "industrial",
            "chemist",
            "skyscraper",
            "Raymond",
            "beam",
            "roof Beams 2",
            "cross beam",
            // Other words that begin or end alike.
            "vodarna",
            "prekazka",
            "mrakodrap",
            "zahrada",
        ] {
            assert!(!harmless.is_match(name), "{name}");
        }
        for name in [
            "Bridge over river",
            "river Bank",
            "Water Tower",
            "lake House",
            "river Statue",
            "Cloud Gate",
            "Sea Hotel",
            "ocean liner",
            "Most řeka",
            "věž voda",
            "nabrezi reka",
            "water tank",
            "River Inn",
            "Sea Fortress",
            "lake palaces",
            "snow covered barn",
            "water front shop",
        ] {
            assert!(solid.is_match(name), "{name}");
        }
    }
}
