//! How much was drawn, out of `scene.jsonl`.

use super::record::{Range, Scene};
use super::stat;
use crate::evidence::clearance::Clearance;
use crate::evidence::scene_stats::SceneStats;

/// `no_people`: what to say where there are none.
///
/// # Errors
/// There is no frame, told as a reason.
pub fn measure(
    frames: &[Option<Box<SceneStats>>],
    clearance: Option<&[Option<Box<Clearance>>]>,
    no_people: &str,
) -> Result<Scene, String> {
    let frames: Vec<&SceneStats> = frames.iter().flatten().map(Box::as_ref).collect();
    let of = |f: fn(&SceneStats) -> f64| -> Result<Range, String> {
        stat::range(frames.iter().map(|s| f(s))).ok_or_else(|| "scene.jsonl has no frame".to_owned())
    };
    // Where rays told what hides them.
    let share = |s: &SceneStats| {
        let at = usize::try_from(s.frame).ok()?;
        clearance?.get(at)?.as_ref()?.pedestrians_unhidden
    };
    let unhidden = || frames.iter().filter_map(|s| Some((f64::from(s.pedestrians_visible) * share(s)?).round()));
    let peopled = frames.iter().filter(|s| s.pedestrians_visible > 0).count();
    Ok(Scene {
        triangles: of(|s| s.all.triangles as f64)?,
        draws: of(|s| s.all.draws as f64)?,
        instances: of(|s| s.all.instances as f64)?,
        lines: of(|s| s.all.lines as f64)?,
        points: of(|s| s.all.points as f64)?,
        vertices: of(|s| s.all.vertices as f64)?,
        camera_triangles: of(|s| s.camera.triangles as f64)?,
        camera_draws: of(|s| s.camera.draws as f64)?,
        render_calls: of(|s| f64::from(s.render_calls))?,
        lights: of(|s| f64::from(s.lights))?,
        programs: of(|s| f64::from(s.programs))?,
        textures: of(|s| f64::from(s.textures))?,
        texture_bytes: of(|s| s.texture_bytes as f64)?,
        buffers: of(|s| f64::from(s.buffers))?,
        buffer_bytes: of(|s| s.buffer_bytes as f64)?,
        pedestrians: of(|s| f64::from(s.pedestrians))?,
        pedestrians_visible: of(|s| f64::from(s.pedestrians_visible))?,
        pedestrians_moving: of(|s| f64::from(s.pedestrians_moving))?,
        pedestrians_perhaps_moving: of(|s| f64::from(s.pedestrians_moving) + f64::from(s.pedestrians_maybe_moving))?,
        pedestrians_unhidden: stat::range(unhidden())
            .ok_or_else(|| match peopled {
                0 => match frames.iter().map(|s| s.pedestrians).max() {
                    None | Some(0) => no_people.to_owned(),
                    Some(all) => unseen(all),
                },
                _ => "in no frame with people in view it was looked at what hides them".to_owned(),
            })
            .into(),
        frames_with_pedestrians: peopled as f64 / frames.len() as f64,
        frames: frames.len() as u64,
    })
}

/// Why `all` people do not count as seen.
fn unseen(all: u32) -> String {
    format!(
        "{all} people are counted, but in no frame one is in view: they are behind the camera or beside its picture, smaller \
         than a pixel of 1080, on a layer that it does not draw, invisible or too see-through"
    )
}
