//! Numbers about a finished output: how smoothly it flew, along which route, what it touched, what it cost.
//!
//! Takes an output folder (`manifest.json`, `poses.jsonl`, `scene.jsonl`, `clearance.jsonl`, `timing.json`,
//! `repeat.json`, the route), gives [`Metrics`] and [`Series`]. Any of these files may be missing: what depends on it
//! is then "not measured", with the reason, and never a made-up number. Must not know how the files came to be, nor
//! print anything.
//!
//! # What `replay metrics OUT/` writes into OUT
//!
//! - `metrics.json` is a [`Metrics`] (schema: `schema/metrics.schema.json`). Sections that could not be measured are
//!   `{"not_measured": "why"}` ([`Measured`]). `rules` holds the verdicts H7 to H12 in the shape that `replay verify`
//!   uses for H1 to H6 ([`crate::rules::RuleResult`]), each check naming a path into this very JSON, like
//!   `collision.colliding`.
//! - `series.json` is a [`Series`]: `columns` of `name`, `unit`, `title`, `values` (one per frame, `null` where there is
//!   none), `contact` (verdict per frame), `cuts`, and `map` (the route in scene coordinates, for drawing it).
//! - `series.csv` is the same as a table.
//!
//! | columns | unit | of |
//! |---|---|---|
//! | `speed`, `acceleration`, `jerk` | m/s, m/s², m/s³ | the camera |
//! | `angular_speed`, `angular_acceleration`, `angular_jerk` | °/s, °/s², °/s³ | the camera |
//! | `drone_speed`, `drone_acceleration`, `drone_jerk` | m/s, m/s², m/s³ | the drone |
//! | `cross_track`, `progress` | m | the path that is compared with the route ([`record::Route::of`]) |
//! | `camera_cross_track` | m | the camera, where the path compared is the drone's |
//! | `height`, `drone_height` | m | above the solid surface below |
//! | `clearance`, `swept_clearance` | m | the camera to the nearest solid surface |
//! | `screen_area` | 1 | the drone's box, as a share of the picture |
//! | `triangles`, `draws`, `pedestrians_visible` | | the frame |

mod camera;
mod collision;
pub mod compare;
mod cost;
mod determinism;
mod error;
mod evidence;
mod input;
pub mod kinematics;
mod measure;
mod procedural;
mod profile;
pub mod record;
mod route;
mod scene;
pub mod series;
mod smooth;
mod stat;
mod take_off;
#[cfg(test)]
mod tests;
pub mod text;
mod tracks;

pub use error::MetricsError;
pub use evidence::check as check_evidence;
pub use input::{Input, Overrides};
pub use measure::measure;
pub use profile::{Limits, Profile, Settings};
pub use record::{Measured, Metrics, SCHEMA};
pub use series::Series;
