//! `clearance.jsonl` while a render runs: what the back end observed and what the page's scenes told, brought together
//! frame by frame on a thread of its own.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded, unbounded};

use super::RenderError;
use super::depth::DepthFolder;
use crate::backend::patience::{GRACE, Patience, TICK, leave_thread};
use crate::evidence::clearance::Clearance;
use crate::evidence::collision::{Collision, Settings};
use crate::evidence::motion::Witness;
use crate::evidence::recorder::Chosen;
use crate::evidence::topdown::HeightMap;
use crate::gl::command::{Command, CommandStream};
use crate::gl::observe::{ObservedFrame, ObserverSink};
use crate::scene::{FrameScene, ObjectNumber};

/// Name of the file in the output folder.
pub const CLEARANCE: &str = "clearance.jsonl";
/// The ground from above, and what the picture shows.
pub const TOP_DOWN: [&str; 2] = ["topdown.png", "topdown.json"];
/// Observed frames that may wait before the back end does.
const QUEUE: usize = 2;
/// Evidence looks at every second pixel's depth at most, each way; at fewer of a large picture's.
const DEPTH_STEP: u32 = 2;

/// What a frame's scripts told, and the camera behind its picture.
type Told = (FrameScene, Option<Chosen>);

/// Both ends of the work.
pub struct Clearances {
    scenes: Sender<Option<Told>>,
    seen: Sender<Option<ObservedFrame>>,
    watcher: Arc<Mutex<Watcher>>,
    step: u32,
    thread: RefCell<Option<JoinHandle<std::io::Result<()>>>>,
    /// Closed when the thread has ended.
    ended: Receiver<()>,
    out: Arc<Mutex<Out>>,
    path: PathBuf,
}

impl Clearances {
    /// Opens the file. `first` is the number of the first frame that counts; `depths` the folder that depths go to;
    /// `witness` learns what the camera sees.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn start(
        path: PathBuf,
        settings: Settings,
        first: u64,
        depths: Option<DepthFolder>,
        witness: Arc<Witness>,
    ) -> Result<Self, RenderError> {
        let file = File::create(&path).map_err(|e| RenderError::write(&path, e))?;
        let (scenes, scenes_in) = unbounded();
        let (seen, seen_in) = bounded(QUEUE);
        let step = if depths.is_some() { 1 } else { DEPTH_STEP };
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let out = Arc::new(Mutex::new(Out { records: BufWriter::new(file), depths, folder, closed: false }));
        let settings = Settings { keep_depths: step == 1, ..settings };
        let (alive, ended) = bounded(0);
        let written = out.clone();
        let work = move || {
            let _alive: Sender<()> = alive;
            judge(Collision::new(settings), first, (&scenes_in, &seen_in), &witness, &written)
        };
        let thread = std::thread::Builder::new()
            .name("clearance".into())
            .spawn(work)
            .map_err(|e| RenderError::Internal(format!("the evidence's thread did not start: {e}")))?;
        Ok(Self { scenes, seen, watcher: Arc::default(), step, thread: RefCell::new(Some(thread)), ended, out, path })
    }

    /// What a context's back end needs to take part.
    pub fn eye(&self) -> Eye {
        Eye { watcher: self.watcher.clone(), frame: None }
    }

    /// What the user should know of the depths, once all is finished.
    pub fn depth_note(&self) -> Option<String> {
        lock(&self.out).depths.as_ref().and_then(DepthFolder::note)
    }

    /// Every how many pixels depth is wanted at least, each way; 1: of all.
    pub fn depth_step(&self) -> u32 {
        self.step
    }

    /// Where a back end puts what it observed.
    pub fn sink(&self, patience: Arc<Patience>) -> ObserverSink {
        let seen = self.seen.clone();
        // Nobody listens after a failure to write, which is told at the end.
        Box::new(move |frame| patience.judging(|| drop(seen.send(Some(frame)))))
    }

    /// A frame's scripts have run, and `chosen` is the camera behind its picture.
    pub fn scene(&self, scene: FrameScene, chosen: Option<Chosen>) {
        let mut watcher = lock(&self.watcher);
        watcher.frame += 1;
        if let Some(chosen) = &chosen {
            watcher.camera = chosen.camera.number;
        }
        let _ = self.scenes.send(Some((scene, chosen)));
    }

    /// Waits for the rest. Everything observed must have come out of the back ends; a second
    /// time it does nothing. Where nobody waits any more, what was found out until then is kept.
    ///
    /// # Errors
    /// The file could not be written, or the time is over.
    pub fn finish(&self, patience: &Patience) -> Result<(), RenderError> {
        let thread = self.thread.borrow_mut().take();
        let Some(thread) = thread else { return Ok(()) };
        let _ = self.scenes.send(None);
        let mut end = Some(None);
        let mut grace = GRACE;
        loop {
            let more = match end.take().map(|none| self.seen.send_timeout(none, TICK)) {
                Some(Err(SendTimeoutError::Timeout(again))) => {
                    end = Some(again);
                    true
                }
                _ => matches!(self.ended.recv_timeout(TICK), Err(RecvTimeoutError::Timeout)),
            };
            if !more {
                break;
            }
            if let Err(error) = patience.check_evidence() {
                grace = grace.saturating_sub(TICK);
                if grace.is_zero() {
                    leave_thread();
                    let flushed = lock(&self.out).close();
                    return flushed
                        .map_err(|e| RenderError::write(&self.path, e))
                        .and(Err(RenderError::Graphics(error)));
                }
            }
        }
        match thread.join() {
            Ok(written) => written.map_err(|e| RenderError::write(&self.path, e)),
            Err(_) => Err(RenderError::Internal("the evidence's thread has ended".to_owned())),
        }
    }
}

/// Where results go.
struct Out {
    records: BufWriter<File>,
    depths: Option<DepthFolder>,
    folder: PathBuf,
    /// Nobody waits for more.
    closed: bool,
}

impl Out {
    fn record(&mut self, record: Option<Clearance>) -> std::io::Result<()> {
        let Some(record) = record.filter(|_| !self.closed) else { return Ok(()) };
        serde_json::to_writer(&mut self.records, &record)?;
        self.records.write_all(b"\n")
    }

    /// Ends the file where it is.
    fn close(&mut self) -> std::io::Result<()> {
        self.closed = true;
        self.records.flush()
    }
}

impl Out {
    /// `topdown.png` and `topdown.json`: the ground from above.
    fn ground(&self, ground: &HeightMap) -> std::io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let (png, about) = ground.to_png().map_err(std::io::Error::other)?;
        fs::write(self.folder.join(TOP_DOWN[0]), png)?;
        fs::write(self.folder.join(TOP_DOWN[1]), serde_json::to_string_pretty(&about)? + "\n")
    }
}

fn judge(
    mut collision: Collision,
    first: u64,
    (scenes, seen): (&Receiver<Option<Told>>, &Receiver<Option<ObservedFrame>>),
    witness: &Witness,
    out: &Mutex<Out>,
) -> std::io::Result<()> {
    let mut next = |(scene, chosen): &Told, seen: Option<&ObservedFrame>| -> std::io::Result<()> {
        let Some(number) = scene.frame.checked_sub(first) else {
            collision.meet(scene);
            return Ok(());
        };
        let record = collision.frame(number, seen, scene, chosen.as_ref());
        if witness.wants(number) {
            witness.sighting(number, collision.take_sighting());
        }
        let mut out = lock(out);
        out.record(record)?;
        if out.closed {
            return Ok(());
        }
        match (&mut out.depths, collision.take_depths()) {
            (Some(folder), Some(depths)) => folder.write(number, &depths),
            (Some(folder), None) => {
                folder.miss(number);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    };
    let (mut last, mut ended) = (None, false);
    'frames: while let Ok(Some(observed)) = seen.recv() {
        // The last pictures of a canvas that another one took the place of come behind that one's: judged already, without them.
        if last.is_some_and(|last| observed.frame <= last) {
            continue;
        }
        loop {
            let Ok(Some(told)) = scenes.recv() else {
                ended = true;
                break 'frames;
            };
            last = Some(told.0.frame);
            let now = told.0.frame >= observed.frame;
            next(&told, now.then_some(&observed))?;
            if now {
                break;
            }
        }
    }
    // Frames that were not presented, or not observed.
    while !ended && let Ok(Some(told)) = scenes.recv() {
        next(&told, None)?;
    }
    let (ground, rest) = (collision.top_down(), collision.finish());
    let mut out = lock(out);
    if let Some(ground) = ground {
        out.ground(&ground)?;
    }
    for record in rest {
        out.record(Some(record))?;
    }
    if let Some(folder) = out.depths.as_ref().filter(|_| !out.closed) {
        folder.tell()?;
    }
    out.records.flush()
}

/// Whose draws are observed: those for the camera that was behind the picture before, for all at first. Set with the
/// script, so that it does not depend on how far the back end is.
#[derive(Debug, Default)]
struct Watcher {
    frame: u64,
    camera: ObjectNumber,
}

/// A context's part in it: tells its back end whose draws to look at.
pub struct Eye {
    watcher: Arc<Mutex<Watcher>>,
    frame: Option<u64>,
}

impl Eye {
    /// What goes to the back end before its next stream, if anything.
    pub fn look(&mut self) -> Option<CommandStream> {
        let watcher = lock(&self.watcher);
        if self.frame == Some(watcher.frame) {
            return None;
        }
        self.frame = Some(watcher.frame);
        Some(CommandStream { commands: vec![Command::Watch(watcher.camera)], ..CommandStream::default() })
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
