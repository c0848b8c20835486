//! The evidence of a render on its way to files: `poses.jsonl`, `poses.csv`, `scene.jsonl`, and at the end
//! `transforms.json` and `render_meta.json`.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use serde::Serialize;

use super::RenderError;
use super::output::OutFolder;
use super::plan::{Codec, FRAMES, RenderPlan, VIDEO};
use crate::encode::png;
use crate::evidence::exports::{CSV_HEADER, IMAGES, LeftOut, csv_line, no_pinhole_note, transforms, transforms_frame};
use crate::evidence::meta::{Amount, Gather, Loaded, RenderMeta};
use crate::evidence::motion::PictureMotion;
use crate::evidence::observer::Seen;
use crate::evidence::pose::NoCamera;
use crate::evidence::recorder::{Chosen, Recorder};
use crate::evidence::up::Up;
use crate::project::UpAxis;
use crate::runtime::Report;
use crate::scene::FrameScene;

pub const POSES: &str = "poses.jsonl";
pub const POSES_CSV: &str = "poses.csv";
pub const SCENE: &str = "scene.jsonl";
pub const TRANSFORMS: &str = "transforms.json";
pub const META: &str = "render_meta.json";

/// A file that grows by lines.
struct Lines {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Lines {
    fn create(out: &OutFolder, name: &str) -> Result<Self, RenderError> {
        let path = out.path(name);
        let file = File::create(&path).map_err(|e| RenderError::write(&path, e))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    fn line(&mut self, text: &str) -> Result<(), RenderError> {
        writeln!(self.file, "{text}").map_err(|e| RenderError::write(&self.path, e))
    }

    fn json(&mut self, value: &impl Serialize) -> Result<(), RenderError> {
        let text = serde_json::to_string(value).map_err(|e| RenderError::Internal(e.to_string()))?;
        self.line(&text)
    }

    fn finish(&mut self) -> Result<(), RenderError> {
        self.file.flush().map_err(|e| RenderError::write(&self.path, e))
    }
}

/// Takes in every frame of a render.
pub struct EvidenceFiles {
    recorder: Recorder,
    gather: Gather,
    poses: Lines,
    csv: Lines,
    scene: Lines,
    transforms: Vec<serde_json::Value>,
    left_out: Vec<LeftOut>,
    /// Frames that WebGL drew, and whose camera is not known.
    blind: BTreeMap<NoCamera, u64>,
}

impl EvidenceFiles {
    /// `None` if the plan wants no evidence.
    ///
    /// # Errors
    /// A file cannot be made.
    pub fn create(plan: &RenderPlan, out: &OutFolder) -> Result<Option<Self>, RenderError> {
        let Some(settings) = &plan.evidence else { return Ok(None) };
        let mut csv = Lines::create(out, POSES_CSV)?;
        csv.line(CSV_HEADER)?;
        Ok(Some(Self {
            recorder: Recorder::new(settings.metres_per_unit, settings.up.map(up_axis)),
            gather: Gather::default(),
            poses: Lines::create(out, POSES)?,
            csv,
            scene: Lines::create(out, SCENE)?,
            transforms: Vec::new(),
            left_out: Vec::new(),
            blind: BTreeMap::new(),
        }))
    }

    /// A frame that is not filmed.
    pub fn skip(&mut self, scene: Option<FrameScene>) {
        let scene = scene.unwrap_or_default();
        self.gather.names(&scene.objects);
        self.recorder.skip(scene);
    }

    /// Frame `frame` of the video; gives the camera behind its picture. `canvas_2d`: it shows a 2D canvas.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn frame(
        &mut self,
        plan: &RenderPlan,
        frame: u64,
        scene: Option<FrameScene>,
        seen: &Seen,
        canvas_2d: bool,
    ) -> Result<Option<Chosen>, RenderError> {
        let time = frame as f64 * f64::from(plan.fps.den()) / f64::from(plan.fps.num());
        let scene = scene.unwrap_or_default();
        self.gather.names(&scene.objects);
        let (pose, stats) = self.recorder.frame(frame, time, scene, seen, canvas_2d);
        self.gather.frame(&pose, &stats);
        let drawn = stats.all.draws > 0 || seen.off_film.iter().any(|off| off.all.draws > 0);
        // What no picture shows needs no camera.
        if let Some(why) = pose.no_camera.filter(|why| drawn && *why != NoCamera::NothingDrawn) {
            *self.blind.entry(why).or_default() += 1;
        }
        self.poses.json(&pose)?;
        self.csv.line(&csv_line(&pose))?;
        self.scene.json(&stats)?;
        let folder = if plan.codec == Codec::Png { FRAMES } else { IMAGES };
        let file = format!("{folder}/{}", png::file_name(frame));
        match transforms_frame(&pose, &file, plan.width, plan.height) {
            Ok(frame) => self.transforms.push(frame),
            Err(why) => self.left_out.push(why),
        }
        Ok(self.recorder.chosen().cloned())
    }

    /// In how many of `frames` WebGL drew while no camera is known, and why, if it did.
    pub fn blind(&self, frames: u64) -> Option<(u64, String)> {
        let count: u64 = self.blind.values().sum();
        let whys: Vec<&str> = self.blind.keys().map(|why| why.why()).collect();
        (count > 0).then(|| {
            let why = whys.join("; ");
            (count, format!("WebGL drew without a known camera in {count} of {frames} frames, whose flight no evidence tells: {why} (a film without a flight: --no-evidence)"))
        })
    }

    /// Ends the files; `motion`: how the picture moved against the camera. Gives what the user should know of them.
    ///
    /// # Errors
    /// One cannot be written.
    pub fn finish(
        mut self,
        plan: &RenderPlan,
        out: &OutFolder,
        report: &Report,
        motion: Option<PictureMotion>,
    ) -> Result<Vec<String>, RenderError> {
        self.poses.finish()?;
        self.csv.finish()?;
        self.scene.finish()?;
        let text = |value: serde_json::Result<String>| value.map_err(|e| RenderError::Internal(e.to_string()));
        let video = (plan.codec != Codec::Png).then_some(VIDEO);
        let poses = transforms(self.transforms, video, &self.left_out);
        out.write(TRANSFORMS, text(serde_json::to_string(&poses))?.as_bytes())?;
        let meta = RenderMeta {
            three: report.three_revision.clone(),
            width: plan.width,
            height: plan.height,
            fps: plan.fps.to_string(),
            loaded: loaded(report),
            up: Some(self.recorder.up()),
            picture_motion: motion,
            ..self.gather.meta()
        };
        out.write(META, text(serde_json::to_string_pretty(&meta))?.as_bytes())?;
        let flat = self.left_out.iter().filter(|why| **why == LeftOut::NoPinhole).count();
        Ok(no_pinhole_note(flat).into_iter().collect())
    }
}

/// As set.
pub fn up_axis(axis: UpAxis) -> Up {
    match axis {
        UpAxis::Y => Up::Y,
        UpAxis::Z => Up::Z,
    }
}

fn loaded(report: &Report) -> Loaded {
    let files = report.files.iter().map(|file| (file.path.clone(), file.bytes, file.holds.clone()));
    let own = report.own.iter().map(|(kind, own)| (kind.clone(), Amount { count: own.count, bytes: own.bytes }));
    Loaded::new(files, own, report.missing.clone(), report.blocked.clone())
}
