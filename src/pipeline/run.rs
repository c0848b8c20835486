//! One render from plan to files.

#![expect(clippy::disallowed_methods, reason = "the output folder; real time is reported, never used")]

mod asked;
mod conclude;
mod console;
mod room;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asked::{Asked, saver, stop_when_asked, waited_for};
use conclude::{check, clues, conclude};
use console::{Complaints, ConsoleLog, level_name};

use super::backends::Backends;
use super::clearance::{CLEARANCE, Clearances};
use super::cost::Meter;
use super::depth::{DEPTHS, DepthFolder};
use super::error::Clues;
use super::evidence::{EvidenceFiles, up_axis};
use super::film::{Feed, Film, FilmSettings};
use super::output::OutFolder;
use super::plan::{Codec, FRAMES, INCOMPLETE_VIDEO, RenderPlan};
use super::summary::{Summary, Timing};
use super::{Observer, RenderError};
use crate::clock::Rational;
use crate::encode::wav::{self, AudioSource};
use crate::evidence::collision;
use crate::evidence::motion::Witness;
use crate::evidence::recorder::Chosen;
use crate::frame::Behind;
use crate::frame::hash::Hash;
use crate::gl::backend::PresentedFrame;
use crate::project::{EvidenceSettings, Project};
use crate::runtime::{Drive, Level, Report, Runtime, RuntimeOptions, UnsupportedUse};
use crate::scene::FrameScene;

/// Renders `plan`. `expected` are hashes the first frames must have (a resumed render); `cancel` ends the
/// render early, like a failure, with what is there made playable.
///
/// # Errors
/// See [`RenderError`]; the output folder then says in its manifest what is missing.
pub fn render(
    plan: &RenderPlan,
    expected: Vec<Hash>,
    cancel: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Summary, RenderError> {
    let (done, asked) = (AtomicBool::new(false), Asked::default());
    std::thread::scope(|scope| {
        scope.spawn(|| stop_when_asked(cancel, &done, &asked));
        let rendered = render_while(plan, expected, cancel, &asked, observer);
        done.store(true, Ordering::Relaxed);
        rendered
    })
}

/// [`render`], while somebody watches `cancel`.
fn render_while(
    plan: &RenderPlan,
    expected: Vec<Hash>,
    cancel: &AtomicBool,
    asked: &Asked,
    observer: &mut dyn Observer,
) -> Result<Summary, RenderError> {
    let begin = Instant::now();
    let patience = &asked.patience;
    let meter = Meter::start();
    let project = Arc::new(Project::open(&plan.project, &plan.node_modules)?.with_query(&plan.query));
    let (audio, sound_note) = sound(plan)?;
    let mut out = OutFolder::open(&plan.out)?;
    let backends = Backends::open(plan, patience)?;
    out.begin()?;
    let out = Arc::new(out);
    out.copy_route(plan)?;
    let growing = out.path(if plan.codec == Codec::Png { FRAMES } else { INCOMPLETE_VIDEO });
    let witness = plan.evidence.as_ref().map(|_| Arc::new(Witness::new(plan.fps.as_f64())));
    let settings = film_settings(plan, audio, growing.clone(), &out, expected)?;
    let film = Arc::new(Film::start(FilmSettings { witness: witness.clone(), ..settings })?);
    asked.save_with(saver(plan, &out, &film, &growing, backends.caps()));
    let clearances = plan.evidence.as_ref().zip(witness.clone());
    let clearances = clearances.map(|(evidence, witness)| clearances_of(plan, evidence, &out, witness)).transpose()?;
    let mut shoot = Shoot {
        plan,
        film: &film,
        clearances: clearances.clone(),
        feed: film.feed(),
        cancel,
        asked,
        observer,
        console: ConsoleLog::create(&out)?,
        backends: &backends,
        evidence: EvidenceFiles::create(plan, &out)?,
        timing: Timing::default(),
        begin,
        meter,
        waited: 0,
        complaints: Complaints::default(),
    };
    let (shot, mut report) = shoot.run(&project);
    let Shoot { mut timing, complaints, meter, evidence, .. } = shoot;
    if let Some(first) = complaints.gists.first() {
        let count = complaints.count;
        report.warnings.push(format!("errors the program logged: {count} (see console.log), the first: {first}"));
        report.warnings.extend(complaints.gists.iter().skip(1).map(|gist| format!("another error it logged: {gist}")));
    }
    report.warnings.extend(sound_note);
    asked.claim();
    let draining = Instant::now();
    patience.drain();
    let drained = backends.finish(plan.warm_up).map_err(RenderError::Graphics);
    let judged = clearances.as_ref().map_or(Ok(()), |clearances| clearances.finish(patience));
    report.warnings.extend(clearances.and_then(|clearances| clearances.depth_note()));
    let (film, film_error) = film.finish();
    for (one, sentence) in report.left_out.told(film.see_through) {
        report.unsupported.push(one);
        report.warnings.push(sentence);
    }
    let motion = witness.map(|witness| witness.told());
    let blind = evidence.as_ref().and_then(|evidence| evidence.blind(film.coded)).map(|told| ("camera", told));
    let doubt = motion.and_then(|motion| Some(("picture", (motion.against, motion.doubt()?))));
    for (member, (count, sentence)) in blind.into_iter().chain(doubt) {
        let (interface, member) = ("evidence".to_owned(), member.to_owned());
        report.unsupported.push(UnsupportedUse { interface, member, detail: sentence.clone(), count });
        report.warnings.push(sentence);
    }
    if let Some(note) = backends.large_points(plan.warm_up) {
        report.unsupported.push(UnsupportedUse {
            interface: "WebGL".to_owned(),
            member: "gl_PointSize".to_owned(),
            detail: note.clone(),
            count: 1,
        });
        report.warnings.push(format!("{note} (this adapter draws no larger ones, Chromium does up to 1023)"));
    }
    if backends.lacks_trace() {
        report.warnings.push("no trace was written: the page made no WebGL context".to_owned());
    }
    timing.drain = ms(draining);
    timing.prepare = film.prepare_ms;
    timing.encode = film.encode_ms;
    if patience.ended().is_none() {
        backends.save();
    }
    // The stage that failed knows why; the loop then only stopped.
    let failure = film_error.or(shot.err()).or(drained.err()).or(backends.finish_traces().err()).or(judged.err());
    // What stopped halfway because nobody waited any more fails in its own way.
    let failure = failure.map(|error| waited_for(error, patience, film.coded)).map(|error| match error {
        RenderError::NoCanvas { selector, .. } => {
            RenderError::NoCanvas { selector, clues: clues(&report, &complaints) }
        }
        error => error,
    });
    let failure = failure.or_else(|| check(plan, &film, &report, &complaints));
    // Kept of a failed render as well; what cannot be written then is no news.
    let kept = evidence.map_or(Ok(Vec::new()), |evidence| evidence.finish(plan, &out, &report, motion));
    let failure = failure.or(kept.map(|notes| report.warnings.extend(notes)).err());
    timing.total = ms(begin);
    timing.usage = meter.finish(backends.gpu_use(plan.warm_up, film.coded));
    conclude(plan, &out, &growing, film, report, backends.caps(), failure, timing)
}

/// The sound, and what is to be said of its length.
fn sound(plan: &RenderPlan) -> Result<(AudioSource, Option<String>), RenderError> {
    let Some(path) = &plan.audio else { return Ok((AudioSource::Silence, None)) };
    if plan.codec == Codec::Png {
        let note = format!("a PNG sequence has no sound: {} was left out", path.display());
        return Ok((AudioSource::Silence, Some(note)));
    }
    let rate = crate::encode::aac::SAMPLE_RATE;
    let samples = plan.fps.samples_for(plan.frames, rate);
    let track = wav::load(path, samples).map_err(RenderError::audio)?;
    let film = samples as f64 / f64::from(rate);
    // Nobody hears a hundredth of a second.
    let note = ((track.seconds - film).abs() > 0.01).then(|| {
        let what = if track.seconds > film { "it was cut at the film's end" } else { "silence follows it" };
        format!("the sound lasts {:.3} s, the film {film:.3} s: {what}", track.seconds)
    });
    Ok((track.source, note))
}

fn film_settings(
    plan: &RenderPlan,
    audio: AudioSource,
    output: PathBuf,
    out: &OutFolder,
    expected: Vec<Hash>,
) -> Result<FilmSettings, RenderError> {
    Ok(FilmSettings {
        width: plan.width,
        height: plan.height,
        fps: plan.fps,
        frames: plan.frames,
        codec: plan.codec,
        audio,
        background: plan.background,
        max_bits_per_second: plan.max_bits_per_second,
        max_bytes: plan.max_bytes,
        threads: plan.threads,
        output,
        journal: Some(out.journal(plan)?),
        witness: None,
        expected,
    })
}

/// The frame loop and what it needs.
struct Shoot<'a> {
    plan: &'a RenderPlan,
    film: &'a Film,
    clearances: Option<Rc<Clearances>>,
    feed: Feed,
    cancel: &'a AtomicBool,
    asked: &'a Asked,
    observer: &'a mut dyn Observer,
    console: ConsoleLog,
    backends: &'a Backends,
    evidence: Option<EvidenceFiles>,
    timing: Timing,
    begin: Instant,
    meter: Meter,
    /// Frames filmed before there was a canvas.
    waited: u64,
    /// What the program called errors: how many, and the first.
    complaints: Complaints,
}

impl Shoot<'_> {
    /// Loads the page and runs every frame; the report comes even if that fails.
    fn run(&mut self, project: &Arc<Project>) -> (Result<(), RenderError>, Report) {
        let options = match runtime_options(self.plan) {
            Ok(options) => options,
            Err(e) => return (Err(e), Report::default()),
        };
        let factory = self.backends.factory(self.feed.clone(), self.plan.warm_up, self.clearances.clone());
        let mut runtime = match Runtime::new(project.clone(), options, factory) {
            Ok(runtime) => runtime,
            Err(e) => return (Err(e.into()), Report::default()),
        };
        self.asked.stopper(Some(runtime.stopper()));
        let shot = self.frames(&mut runtime);
        self.asked.stopper(None);
        let told = self.console(&mut runtime);
        let report = runtime.report();
        (shot.and(told), report)
    }

    fn frames(&mut self, runtime: &mut Runtime) -> Result<(), RenderError> {
        self.observer.started(self.plan.frames);
        let limits = limits(self.plan);
        self.asked.patience.begin(None, limits.0);
        runtime.load()?;
        self.timing.load = ms(self.begin);
        self.console(runtime)?;
        for index in 0..self.plan.warm_up {
            self.asked.patience.begin(None, limits.1);
            let outcome = runtime.skip_frame(index)?;
            if let Some(evidence) = &mut self.evidence {
                evidence.skip(outcome.scene.clone());
                self.backends.seen(index);
            }
            self.judge(outcome.scene, None);
            self.console(runtime)?;
            self.stop_if_asked(0)?;
        }
        for number in 0..self.plan.frames {
            self.asked.patience.begin(Some(number), limits.1);
            let start = Instant::now();
            let outcome = runtime.run_frame(self.plan.warm_up + number)?;
            let took = ms(start);
            self.timing.script += took;
            self.timing.frames.push(took);
            if number % 64 == 0 {
                self.meter.update();
            }
            if number == 8 || number % 256 == 32 {
                give_back_freed_memory();
            }
            if number == 0 {
                self.timing.first_frame = ms(self.begin);
            }
            if let Some(evidence) = &mut self.evidence {
                let seen = self.backends.seen(self.plan.warm_up + number);
                let scene = outcome.scene.clone();
                let chosen = evidence.frame(self.plan, number, scene, &seen, outcome.picture.is_some())?;
                self.judge(outcome.scene, chosen);
            }
            self.feed.behind(number, outcome.behind);
            match (outcome.canvas, outcome.picture) {
                (None, _) => self.film_nothing(number, outcome.behind)?,
                (Some(_), Some(picture)) => self.push(PresentedFrame { frame: number, ..picture }),
                (Some(_), None) => {}
            }
            self.console(runtime)?;
            self.observer.progress(number + 1, self.film.coded());
            if self.film.failed() {
                return Err(RenderError::Internal("the film stopped".to_owned()));
            }
            self.stop_if_asked(number + 1)?;
        }
        Ok(())
    }

    /// A page may add its canvas a little late: until then its background is filmed, for a second at most.
    fn film_nothing(&mut self, number: u64, behind: Behind) -> Result<(), RenderError> {
        self.waited += 1;
        let patience = (self.plan.fps.frames_in_a_second() as u64).min(self.plan.frames.saturating_sub(1));
        if self.waited > patience && !self.plan.allow_blank {
            return Err(RenderError::NoCanvas { selector: self.plan.canvas.clone(), clues: Clues::default() });
        }
        let (width, height) = (self.plan.width, self.plan.height);
        let [r, g, b] = self.plan.background.unwrap_or(behind.color);
        let rgba = [r, g, b, 255].repeat(width as usize * height as usize);
        self.push(PresentedFrame { frame: number, width, height, rgba });
        Ok(())
    }

    /// Films a picture that did not come from the GPU.
    fn push(&self, frame: PresentedFrame) {
        self.asked.patience.filming(|| self.feed.push(frame));
    }

    /// Has a frame's clearance judged.
    fn judge(&self, scene: Option<FrameScene>, chosen: Option<Chosen>) {
        if let (Some(clearances), Some(scene)) = (&self.clearances, scene) {
            clearances.scene(scene, chosen);
        }
    }

    fn stop_if_asked(&self, frames: u64) -> Result<(), RenderError> {
        if self.cancel.load(Ordering::Relaxed) { Err(RenderError::Interrupted { frames }) } else { Ok(()) }
    }

    fn console(&mut self, runtime: &mut Runtime) -> Result<(), RenderError> {
        for line in runtime.drain_console() {
            let level = level_name(line.level);
            if line.level == Level::Error {
                self.complaints.add(&line.text);
            }
            self.observer.console(level, &line.text);
            self.console.line(level, &line.text)?;
        }
        Ok(())
    }
}

/// Gives back what the allocator keeps and nothing used lately. Start and first frames leave much of it behind, which lies
/// in pieces between what lives; to do it often would cost more than it is worth.
fn give_back_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the allocator may be called at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Begins `clearance.jsonl`.
fn clearances_of(
    plan: &RenderPlan,
    evidence: &EvidenceSettings,
    out: &OutFolder,
    witness: Arc<Witness>,
) -> Result<Rc<Clearances>, RenderError> {
    let bad = |e: regex::Error| RenderError::Internal(format!("[evidence]: {e}"));
    let settings = collision::Settings {
        radius: evidence.radius,
        near: evidence.near,
        metres_per_unit: evidence.metres_per_unit,
        interval: 1.0 / plan.fps.as_f64(),
        patterns: collision::Patterns {
            harmless: evidence.harmless_pattern().map_err(bad)?,
            solid: evidence.solid_pattern().map_err(bad)?,
            harmless_first: evidence.harmless_goes_first(),
            drone: evidence.drone_pattern().map_err(bad)?,
        },
        up: evidence.up.map(up_axis),
        keep_depths: plan.depth,
    };
    let depths = plan.depth.then(|| DepthFolder::create(out.path(DEPTHS), evidence.metres_per_unit)).transpose()?;
    Clearances::start(out.path(CLEARANCE), settings, plan.warm_up, depths, witness).map(Rc::new)
}

/// How long loading may take, and a frame.
pub(super) fn limits(plan: &RenderPlan) -> (Duration, Duration) {
    let defaults = RuntimeOptions::default();
    let limit = |default: f64| Duration::try_from_secs_f64(plan.time_limit.unwrap_or(default)).unwrap_or(Duration::MAX);
    (limit(defaults.load_time_limit), limit(defaults.frame_time_limit))
}

fn runtime_options(plan: &RenderPlan) -> Result<RuntimeOptions, RenderError> {
    let fps = Rational::new(plan.fps.num(), plan.fps.den())
        .ok_or_else(|| RenderError::Internal("a frame rate of zero".to_owned()))?;
    let defaults = RuntimeOptions::default();
    let (load, frame) = limits(plan);
    let heap = plan.memory_limit.map(|mib| usize::try_from(mib.saturating_mul(1 << 20)).unwrap_or(usize::MAX));
    Ok(RuntimeOptions {
        width: plan.width,
        height: plan.height,
        pixel_ratio: plan.pixel_ratio,
        fps,
        seed: plan.seed,
        drive: Drive::from(plan.drive.clone()),
        canvas: plan.canvas.clone(),
        frames: Some(plan.frames + plan.warm_up),
        epoch_ms: plan.start_time.unwrap_or(defaults.epoch_ms),
        heap_limit: heap.unwrap_or(defaults.heap_limit),
        load_time_limit: load.as_secs_f64(),
        frame_time_limit: frame.as_secs_f64(),
        evidence: plan.evidence.clone(),
    })
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests;
