//! One run's evidence, frame by frame: joins what three.js' objects said with what the command stream showed.

use std::collections::BTreeMap;

use glam::DMat4;

use super::choose::{Calls, Choice, choose};
use super::gpu::Worlds;
use super::observer::{OffFilm, Picture, Seen};
use super::people::People;
use super::pose::{CameraMatrices, Flag, Pose};
use super::poses::{Sources, pose};
use super::scene_stats::{SceneStats, Work};
use super::still::Still;
use super::up::{Up, UpTold};
use crate::gl::command::ImageId;
use crate::scene::{CameraState, FrameScene, RenderNumber};

/// Render calls remembered: more than the frames that an image's content outlives ([`super::observer::OLDEST`]) make.
const CALLS: usize = 8192;
/// Places of objects remembered.
const WORLDS: usize = 16384;

/// Makes the records of each frame, in order.
#[derive(Debug)]
pub struct Recorder {
    calls: Calls,
    worlds: Worlds,
    camera: Option<u32>,
    people: People,
    still: Still,
    chosen: Option<Chosen>,
    up: Option<UpTold>,
}

/// The camera behind a frame's picture, as it drew: what three.js says, or, where the GPU's matrices disagree, those.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub render: RenderNumber,
    pub camera: CameraState,
    /// Which way is up in its scene.
    pub up: Up,
    /// What draws outside of any render call went to, if they are behind the picture.
    pub direct: Vec<ImageId>,
    /// It alone makes the picture, all of it.
    pub whole: bool,
}

impl Chosen {
    /// A camera whose place is the one that its draws took.
    pub fn of(render: RenderNumber, camera: &CameraState) -> Self {
        let matrix_world = DMat4::from_cols_array(&camera.view).inverse().to_cols_array();
        let camera = CameraState { matrix_world, ..camera.clone() };
        Self { render, camera, up: Up::default(), direct: Vec::new(), whole: false }
    }

    /// The camera of a picture that no render call of three.js is behind, as the GPU's matrices have it.
    fn of_matrices(gpu: &CameraMatrices) -> Self {
        let p = &gpu.projection;
        let perspective = p[15] == 0.0;
        let plane = |sign: f64| {
            let at = if perspective { p[14] / (p[10] + sign) } else { (p[14] - sign) / p[10] };
            if at.is_finite() { at } else { 0.0 }
        };
        let camera = CameraState {
            number: 0,
            name: String::new(),
            kind: String::new(),
            matrix_world: [0.0; 16],
            projection: *p,
            view: gpu.view,
            fov: None,
            near: plane(-1.0),
            far: plane(1.0),
            layers: u32::MAX,
            up: Up::default(),
        };
        Self::of(0, &camera)
    }
}

impl Recorder {
    /// `up`: as set, if it is.
    pub fn new(metres_per_unit: f64, up: Option<Up>) -> Self {
        Self {
            calls: Calls::new(),
            worlds: Worlds::new(),
            camera: None,
            people: People::new(metres_per_unit),
            still: Still::default(),
            chosen: None,
            up: up.map(UpTold::set),
        }
    }

    /// Takes in a frame that is not filmed.
    pub fn skip(&mut self, scene: FrameScene) {
        self.still.meet(&scene.objects);
        self.remember(scene.renders);
    }

    /// The records of a filmed frame: `scene` as the objects said, `seen` as the streams showed; `time` in seconds. `canvas_2d`:
    /// the film shows a 2D canvas.
    pub fn frame(
        &mut self,
        frame: u64,
        time: f64,
        mut scene: FrameScene,
        seen: &Seen,
        canvas_2d: bool,
    ) -> (Pose, SceneStats) {
        self.still.meet(&scene.objects);
        let picture = if canvas_2d { copied(&seen.off_film) } else { seen.picture.as_ref() };
        let render_calls = u32::try_from(scene.renders.len()).unwrap_or(u32::MAX);
        self.remember(std::mem::take(&mut scene.renders));
        // Kept like the calls: a picture may show what was drawn some frames ago.
        let placed = scene.placed.iter();
        self.worlds.extend(placed.map(|p| ((p.render, p.camera, p.object), p.matrix_world)));
        while self.worlds.len() > WORLDS {
            self.worlds.pop_first();
        }
        let sources = Sources {
            frame,
            time,
            picture,
            canvas_2d,
            scene: &scene,
            calls: &self.calls,
            worlds: &self.worlds,
            before: self.camera,
        };
        let (mut pose, eye) = pose(&sources);
        let people = self.people.count(&scene.pedestrians, eye.as_ref());
        let mut stats = SceneStats {
            frame,
            render_calls,
            pedestrians: people.all,
            pedestrians_visible: people.visible,
            pedestrians_moving: people.moving,
            pedestrians_maybe_moving: people.maybe_moving,
            ..SceneStats::default()
        };
        self.chosen = None;
        let choice = picture.and_then(|picture| choose(picture, &self.calls));
        let view = pose.gpu.as_ref().map(|gpu| &gpu.view).or(pose.camera.as_ref().map(|camera| &camera.view));
        if self.still.world_moves(choice.as_ref().map(|choice| &choice.main), view) {
            pose.flags.push(Flag::WorldMoves);
        }
        if let Some(picture) = picture {
            stats.all = picture.all;
            let alive = picture.alive;
            (stats.programs, stats.textures, stats.buffers) = (alive.programs, alive.textures, alive.buffers);
            (stats.texture_bytes, stats.buffer_bytes) = (alive.texture_bytes, alive.buffer_bytes);
            if let Some(choice) = choice {
                // The first picture tells for all.
                if let (None, Some(call), Some(camera)) = (self.up, choice.main.call, choice.main.camera) {
                    self.up = Some(UpTold::of(call, camera));
                }
                let up = self.up.unwrap_or_default().axis;
                let parts = picture.parts.iter().filter(|part| !part.shadow);
                let direct = parts.filter_map(|part| Some(part.shot.key.direct.as_ref()?.0)).collect();
                // What is not presented is not observed either: nothing is known of what was near.
                let whole = choice.main.whole() && !choice.several;
                self.chosen =
                    chosen(&choice, &pose).filter(|_| !canvas_2d).map(|chosen| Chosen { up, direct, whole, ..chosen });
                stats.lights = choice.main.call.map_or(0, |call| call.lights);
                let parts = choice.main.parts.iter();
                // A shot may reach the picture by several ways.
                let shots: BTreeMap<_, _> = parts.map(|part| (part.shot.key, part.shot.work)).collect();
                stats.camera = shots.into_values().fold(Work::default(), |sum, work| sum + work);
            }
        }
        if let Some(camera) = &pose.camera {
            self.camera = Some(camera.number);
        }
        (pose, stats)
    }

    /// The camera behind the picture of the frame taken in last.
    pub fn chosen(&self) -> Option<&Chosen> {
        self.chosen.as_ref()
    }

    /// Which way is up, and what told it.
    pub fn up(&self) -> UpTold {
        self.up.unwrap_or_default()
    }

    fn remember(&mut self, renders: Vec<crate::scene::RenderCall>) {
        self.calls.extend(renders.into_iter().map(|call| (call.number, call)));
        while self.calls.len() > CALLS {
            self.calls.pop_first();
        }
    }
}

/// What is behind the one WebGL canvas whose pixels were taken in this frame, if it is one.
fn copied(off_film: &[OffFilm]) -> Option<&Picture> {
    let mut read = off_film.iter().filter_map(|off| off.read.as_ref());
    read.next().filter(|_| read.next().is_none())
}

fn chosen(choice: &Choice<'_>, pose: &Pose) -> Option<Chosen> {
    let (Some(call), Some(camera)) = (choice.main.call, choice.main.camera) else {
        return pose.gpu.as_ref().filter(|_| choice.main.call.is_none()).map(Chosen::of_matrices);
    };
    let mut chosen = Chosen::of(call.number, camera);
    if let (true, Some(gpu)) = (pose.flags.contains(&Flag::SourcesDisagree), &pose.gpu) {
        chosen.camera.matrix_world = DMat4::from_cols_array(&gpu.view).inverse().to_cols_array();
        chosen.camera.projection = gpu.projection;
    }
    Some(chosen)
}
