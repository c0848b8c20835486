//! One render from plan to files.

#![expect(clippy::disallowed_methods, reason = "the output folder; real time is reported, never used")]

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::backends::Backends;
use super::clearance::{CLEARANCE, Clearances};
use super::cost::Meter;
use super::depth::{DEPTHS, DepthFolder};
use super::evidence::{EvidenceFiles, up_axis};
use super::film::{Feed, Film, FilmReport, FilmSettings};
use super::last_resort;
use super::output::OutFolder;
use super::plan::{BackendKind, Codec, FRAMES, INCOMPLETE_VIDEO, RenderPlan, VIDEO};
use super::summary::{Summary, Timing};
use super::{Observer, RenderError};
use crate::backend::patience::{Ended, Patience};
use crate::clock::Rational;
use crate::encode::wav::{self, AudioSource};
use crate::encode::{EncodeError, png};
use crate::evidence::collision;
use crate::evidence::recorder::Chosen;
use crate::evidence::{self, Adapter, Engine, Manifest, Page, Unsupported, Video};
use crate::frame::Behind;
use crate::frame::hash::Hash;
use crate::gl::backend::{BackendCaps, BackendError, PresentedFrame};
use crate::project::{EvidenceSettings, Project};
use crate::runtime::{Drive, Level, Report, Runtime, RuntimeError, RuntimeOptions, Stopper, v8_version};
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
    let audio = match &plan.audio {
        Some(path) => wav::load(path, plan.fps.samples_for(plan.frames, crate::encode::aac::SAMPLE_RATE))
            .map_err(RenderError::audio)?,
        None => AudioSource::Silence,
    };
    let mut out = OutFolder::open(&plan.out)?;
    let backends = Backends::open(plan, patience)?;
    out.begin()?;
    let out = Arc::new(out);
    out.copy_route(plan)?;
    let growing = out.path(if plan.codec == Codec::Png { FRAMES } else { INCOMPLETE_VIDEO });
    let film = Arc::new(Film::start(film_settings(plan, audio, growing.clone(), &out, expected)?)?);
    asked.save_with(saver(plan, &out, &film, &growing, backends.caps()));
    let clearances = plan.evidence.as_ref().map(|evidence| clearances(plan, evidence, &out)).transpose()?;
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
    let logged = complaints.first();
    if let Some(first) = &logged {
        let count = complaints.count;
        report.warnings.push(format!("errors the program logged: {count} (see console.log), the first: {first}"));
        report.warnings.extend(complaints.gists.iter().skip(1).map(|gist| format!("another error it logged: {gist}")));
    }
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
    timing.drain = ms(draining);
    timing.prepare = film.prepare_ms;
    timing.encode = film.encode_ms;
    if patience.ended().is_none() {
        backends.save();
    }
    // The stage that failed knows why; the loop then only stopped.
    let failure = film_error.or(shot.err()).or(drained.err()).or(backends.finish_traces().err()).or(judged.err());
    // What stopped halfway because nobody waited any more fails in its own way.
    let failure = failure.map(|error| waited_for(error, patience, film.coded));
    let failure = failure.or_else(|| check(plan, &film, &report, &complaints));
    // Kept of a failed render as well; what cannot be written then is no news.
    let kept = evidence.map_or(Ok(Vec::new()), |evidence| evidence.finish(plan, &out, &report));
    let failure = failure.or(kept.map(|notes| report.warnings.extend(notes)).err());
    timing.total = ms(begin);
    timing.usage = meter.finish(&backends.caps().renderer);
    conclude(plan, &out, &growing, film, report, backends.caps(), failure, timing)
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
                let pictures = self.backends.pictures();
                let picture = pictures.iter().find(|picture| picture.frame == self.plan.warm_up + number);
                let chosen = evidence.frame(self.plan, number, outcome.scene.clone(), picture)?;
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
            return Err(RenderError::NoCanvas { selector: self.plan.canvas.clone(), logged: self.complaints.first() });
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

/// What can be ended from outside: the waiting, and the scripts that run.
#[derive(Default)]
struct Asked {
    patience: Arc<Patience>,
    stopper: Mutex<Option<Stopper>>,
    saver: Mutex<Option<Saver>>,
    /// Somebody writes the end of the render: its own thread, or the one that watches.
    claimed: AtomicBool,
}

/// Makes what was filmed playable, from any thread, and gives the error back.
type Saver = Box<dyn FnOnce(RenderError) -> RenderError + Send>;

fn saver(plan: &RenderPlan, out: &Arc<OutFolder>, film: &Arc<Film>, growing: &Path, caps: &BackendCaps) -> Saver {
    let (plan, out, film, growing, caps) = (plan.clone(), out.clone(), film.clone(), growing.to_owned(), caps.clone());
    Box::new(move |error| {
        let (film, _) = film.finish();
        let error = match error {
            RenderError::Interrupted { .. } => RenderError::Interrupted { frames: film.coded },
            error => error,
        };
        let report = Report { v8: v8_version().to_owned(), ..Report::default() };
        let ended = conclude(&plan, &out, &growing, film, report, &caps, Some(error), Timing::default());
        out.leave();
        match ended {
            Err(error) => error,
            Ok(_) => RenderError::Internal("a failed render".to_owned()),
        }
    })
}

impl Asked {
    fn lock(&self) -> MutexGuard<'_, Option<Stopper>> {
        self.stopper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn save_with(&self, saver: Saver) {
        *self.saver.lock().unwrap_or_else(PoisonError::into_inner) = Some(saver);
    }

    /// The render's own thread writes the end. If the one that watches does already, the process ends with it.
    fn claim(&self) {
        while self.claimed.swap(true, Ordering::SeqCst) {
            std::thread::park();
        }
    }

    /// The render's own thread is lost: saves what there is. Comes back only if that thread did.
    fn save(&self, error: RenderError) {
        let Some(end) = last_resort::hook() else { return };
        let saver = self.saver.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(saver) = saver
            && !self.claimed.swap(true, Ordering::SeqCst)
        {
            end(saver(error));
        }
    }

    fn stopper(&self, stopper: Option<Stopper>) {
        let mut now = self.lock();
        *now = stopper;
        // Asked before there were scripts.
        if let (Some(stopper), Some(Ended::Stopped)) = (&*now, self.patience.ended()) {
            stopper.stop();
        }
    }
}

/// Ends what does not end by itself soon after `cancel`, until `done`.
fn stop_when_asked(cancel: &AtomicBool, done: &AtomicBool, asked: &Asked) {
    let mut times = 0;
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(POLL);
        times += u32::from(cancel.load(Ordering::Relaxed));
        // An ordinary frame may end.
        if times == PATIENCE {
            asked.patience.stop();
            if let Some(stopper) = &*asked.lock() {
                stopper.stop();
            }
        }
        if times == LOST {
            asked.save(RenderError::Interrupted { frames: 0 });
        }
        if let Some(over) = asked.patience.lost(LOST_AFTER) {
            asked.save(RenderError::Overdue(over));
        }
    }
}

/// The error as it began: when nobody waits any more, what waited fails in ways of its own.
fn waited_for(error: RenderError, patience: &Patience, frames: u64) -> RenderError {
    match (patience.ended(), error) {
        (Some(Ended::Over(over)), _) => RenderError::Overdue(over),
        (Some(Ended::Stopped), _)
        | (None, RenderError::Interrupted { .. } | RenderError::Runtime(RuntimeError::Stopped { .. })) => {
            RenderError::Interrupted { frames }
        }
        (None, error) => error,
    }
}

/// How often it is looked whether the render was cancelled, and how often so before the script is stopped.
const POLL: Duration = Duration::from_millis(25);
const PATIENCE: u32 = 10;
/// How often so before its thread counts as lost: it stops within a moment otherwise.
const LOST: u32 = 120;
/// So long after the end of a frame's time, too; collecting garbage may take long.
const LOST_AFTER: Duration = Duration::from_secs(8);

/// Begins `clearance.jsonl`.
fn clearances(plan: &RenderPlan, evidence: &EvidenceSettings, out: &OutFolder) -> Result<Rc<Clearances>, RenderError> {
    let bad = |e: regex::Error| RenderError::Internal(format!("[evidence]: {e}"));
    let settings = collision::Settings {
        radius: evidence.radius,
        near: evidence.near,
        metres_per_unit: evidence.metres_per_unit,
        interval: 1.0 / plan.fps.as_f64(),
        patterns: collision::Patterns {
            harmless: evidence.harmless_pattern().map_err(bad)?,
            solid: evidence.solid_pattern().map_err(bad)?,
            drone: evidence.drone_pattern().map_err(bad)?,
        },
        up: evidence.up.map(up_axis),
        keep_depths: plan.depth,
    };
    let depths = plan.depth.then(|| DepthFolder::create(out.path(DEPTHS), evidence.metres_per_unit)).transpose()?;
    Clearances::start(out.path(CLEARANCE), settings, plan.warm_up, depths).map(Rc::new)
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

/// What a finished film must still pass.
fn check(plan: &RenderPlan, film: &FilmReport, report: &Report, complaints: &Complaints) -> Option<RenderError> {
    if film.coded < plan.frames {
        return Some(RenderError::LostFrame { frame: film.coded });
    }
    if let (Some([r, g, b, a]), false) = (film.uniform, plan.allow_blank) {
        let color = format!("{r:02x}{g:02x}{b:02x}{a:02x}");
        let logged = complaints.first();
        return Some(RenderError::Blank { frames: film.coded, color, logged, null: plan.backend == BackendKind::Null });
    }
    let amiss = if plan.strict { amiss(report, complaints) } else { Vec::new() };
    (!amiss.is_empty()).then_some(RenderError::Strict { amiss })
}

/// What `--strict` allows not at all, a line each: what is not supported, files that are not there, errors that the program
/// logged (three.js logs shaders that do not compile).
fn amiss(report: &Report, complaints: &Complaints) -> Vec<String> {
    let unsupported = report.unsupported.iter().map(|u| match u.detail.as_str() {
        "" => format!("not supported: {}.{}", u.interface, u.member),
        detail => format!("not supported: {}.{} ({detail})", u.interface, u.member),
    });
    let missing = report.missing.iter().map(|what| format!("not there: {what}"));
    let blocked = report.blocked.iter().map(|url| format!("blocked: {url}"));
    let logged = complaints.gists.iter().map(|gist| format!("an error that the program logged: {gist}"));
    unsupported.chain(missing).chain(blocked).chain(logged).collect()
}

/// Names the files, writes the evidence, gives the summary or the failure.
#[expect(clippy::too_many_arguments, reason = "the last step sees what every stage left")]
fn conclude(
    plan: &RenderPlan,
    out: &OutFolder,
    growing: &Path,
    film: FilmReport,
    report: Report,
    caps: &BackendCaps,
    failure: Option<RenderError>,
    timing: Timing,
) -> Result<Summary, RenderError> {
    let is_video = plan.codec != Codec::Png;
    let mut output = growing.to_owned();
    if is_video && film.coded == 0 {
        let _ = std::fs::remove_file(growing);
    } else if is_video && failure.is_none() {
        output = out.path(VIDEO);
        std::fs::rename(growing, &output).map_err(|e| RenderError::write(&output, e))?;
    }
    let warnings = warnings(plan, &film, &report);
    let video = if is_video && film.coded > 0 { Some(video(plan, &film, &output)?) } else { None };
    let digest = evidence::frames_digest(&film.hashes);
    let unsupported: Vec<Unsupported> = report
        .unsupported
        .iter()
        .map(|u| Unsupported {
            name: format!("{}.{}", u.interface, u.member),
            detail: u.detail.clone(),
            count: u.count,
        })
        .collect();
    let names = unsupported.iter().map(|u| u.name.clone()).collect();
    let manifest = Manifest {
        format: 1,
        complete: failure.is_none(),
        error: failure.as_ref().map(ToString::to_string),
        engine: Engine {
            name: "replay".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            v8: report.v8.clone(),
            three: report.three_revision.clone(),
        },
        adapter: Adapter { vendor: caps.vendor.clone(), renderer: caps.renderer.clone(), driver: caps.driver.clone() },
        settings: settings_json(plan)?,
        page: Page { missing: report.missing, blocked: report.blocked },
        files: report
            .files
            .into_iter()
            .map(|f| evidence::File { path: f.path, bytes: f.bytes, sha256: f.sha256 })
            .collect(),
        frames_sha256: digest,
        video,
        pictures: (!is_video).then(|| pictures(&film)),
        // Every writer of these files has ended.
        evidence: Some(out.evidence(plan.route.as_ref().and_then(|r| r.file.as_deref()), plan.depth.then_some(DEPTHS))),
        unsupported,
        warnings: warnings.clone(),
        frames: film.hashes,
    };
    let internal = |e: serde_json::Error| RenderError::Internal(e.to_string());
    out.free_reserve();
    let list = evidence::frame_list(&manifest.frames);
    let text = manifest.to_json().map_err(internal)?;
    let times = serde_json::to_string_pretty(&timing).map_err(internal)?;
    let written = out
        .write("frames.sha256", list.as_bytes())
        .and_then(|_| out.write("timing.json", times.as_bytes()))
        .and_then(|_| out.write("manifest.json", text.as_bytes()))
        .and_then(|path| out.seal(&manifest).map(|()| path));
    if let Some(failure) = failure {
        let resumable = matches!(
            failure,
            RenderError::Interrupted { .. }
                | RenderError::DiskFull { .. }
                | RenderError::Graphics(BackendError::DeviceLost(_))
        );
        if !resumable {
            out.forget_partial();
        }
        out.end(false)?;
        return Err(failure);
    }
    written?;
    out.forget_partial();
    out.end(true)?;
    Ok(Summary {
        output: out.final_path(if is_video { VIDEO } else { FRAMES }),
        manifest: out.final_path("manifest.json"),
        width: plan.width,
        height: plan.height,
        fps: plan.fps.to_string(),
        frames: film.coded,
        seconds: film.coded as f64 / plan.fps.as_f64(),
        bytes: film.bytes,
        peak_bits_per_second: film.peak_bits_per_second,
        frames_sha256: digest.to_string(),
        adapter: format!("{} ({})", caps.renderer, caps.driver),
        three_revision: report.three_revision,
        warnings,
        unsupported: names,
        timing,
    })
}

/// The files of a PNG sequence.
fn pictures(film: &FilmReport) -> Vec<evidence::File> {
    let file = |(frame, (bytes, hash)): (usize, &(u64, Hash))| evidence::File {
        path: format!("{FRAMES}/{}", png::file_name(frame as u64)),
        bytes: *bytes,
        sha256: hash.to_string(),
    };
    film.pictures.iter().enumerate().map(file).collect()
}

fn warnings(plan: &RenderPlan, film: &FilmReport, report: &Report) -> Vec<String> {
    let mut warnings = report.warnings.clone();
    for (width, height) in &film.fitted {
        warnings.push(format!(
            "the canvas is {width}x{height}, the pictures {}x{}: it was scaled to fit (--size {width}x{height} films it as it is)",
            plan.width, plan.height
        ));
    }
    if let (Some(first), count) = (film.degraded.first(), film.degraded.len()) {
        warnings.push(format!("{count} frames, first {first}, were coarsened to keep the bit-rate limit"));
    }
    if plan.codec != Codec::Png && film.peak_bits_per_second > plan.max_bits_per_second {
        warnings.push(format!(
            "the busiest second holds {} bits, more than the limit of {}",
            film.peak_bits_per_second, plan.max_bits_per_second
        ));
    }
    warnings
}

/// The plan without what does not shape the pictures: places and speed.
fn settings_json(plan: &RenderPlan) -> Result<serde_json::Value, RenderError> {
    let mut value = serde_json::to_value(plan).map_err(|e| RenderError::Internal(e.to_string()))?;
    if let Some(map) = value.as_object_mut() {
        for key in ["project", "node_modules", "out", "trace", "threads", "audio", "adapter", "route_file"] {
            map.shift_remove(key);
        }
    }
    Ok(value)
}

fn video(plan: &RenderPlan, film: &FilmReport, path: &Path) -> Result<Video, RenderError> {
    let hash = |path: &Path| {
        File::open(path).and_then(Hash::of_reader).map_err(|source| EncodeError::Io { path: path.to_owned(), source })
    };
    let audio = match &plan.audio {
        None => "silence".to_owned(),
        Some(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name} {}", hash(path)?)
        }
    };
    Ok(Video {
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        sha256: hash(path)?,
        bytes: film.bytes,
        codec: if plan.codec == Codec::Av1 { "av1" } else { "h264" }.to_owned(),
        width: plan.width,
        height: plan.height,
        fps: plan.fps.to_string(),
        frames: film.coded,
        duration: exact_seconds(plan, film.coded),
        peak_bits_per_second: film.peak_bits_per_second,
        degraded: film.degraded.clone(),
        audio,
    })
}

/// `frames / fps` as a whole number or a fraction in lowest terms.
fn exact_seconds(plan: &RenderPlan, frames: u64) -> String {
    let (mut a, mut b) = (frames * u64::from(plan.fps.den()), u64::from(plan.fps.num()));
    let (num, den) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let by = a.max(1);
    if den / by == 1 { (num / by).to_string() } else { format!("{}/{}", num / by, den / by) }
}

/// `console.log` in the output folder, as the page said it.
struct ConsoleLog {
    file: File,
    path: PathBuf,
    /// Bytes it may still take.
    room: usize,
}

/// Most bytes of `console.log`.
const CONSOLE_BYTES: usize = 64 << 20;

impl ConsoleLog {
    fn create(out: &OutFolder) -> Result<Self, RenderError> {
        let path = out.path("console.log");
        let file = File::create(&path).map_err(|e| RenderError::write(&path, e))?;
        Ok(Self { file, path, room: CONSOLE_BYTES })
    }

    fn line(&mut self, level: &str, text: &str) -> Result<(), RenderError> {
        if self.room == 0 {
            return Ok(());
        }
        self.room = self.room.saturating_sub(level.len() + text.len() + 3);
        let text = if self.room == 0 { "(more is left out)" } else { text };
        writeln!(self.file, "{level}: {text}").map_err(|e| RenderError::write(&self.path, e))
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Log => "log",
        Level::Info => "info",
        Level::Warn => "warn",
        Level::Error => "error",
    }
}

/// What the program called errors.
#[derive(Default)]
struct Complaints {
    count: u64,
    /// Those that differ, the first ones.
    gists: Vec<String>,
}

/// Errors of the program that a summary names.
const NAMED_COMPLAINTS: usize = 5;

impl Complaints {
    fn add(&mut self, text: &str) {
        self.count += 1;
        if self.gists.len() < NAMED_COMPLAINTS {
            let gist = gist(text);
            if !self.gists.contains(&gist) {
                self.gists.push(gist);
            }
        }
    }

    /// The first, if there are any.
    fn first(&self) -> Option<String> {
        self.gists.first().cloned()
    }
}

/// Enough of `text` to recognise it: its first line, and where three.js logs a shader that failed, the compiler's own and the
/// line of the source it is about.
fn gist(text: &str) -> String {
    let short = |line: &str| line.trim().chars().take(160).collect::<String>();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().map(short).unwrap_or_default();
    let Some(fault) = lines.clone().find(|line| line.trim_start().starts_with("ERROR: ")) else { return first };
    let source = lines.find(|line| line.trim_start().starts_with("> ")).map(short);
    [Some(first), Some(short(fault)), source].into_iter().flatten().collect::<Vec<_>>().join(" | ")
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests;
