//! The GPU a render draws with, and the back ends its contexts get.

#![expect(clippy::disallowed_methods, reason = "where the driver cache and traces are kept")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::RenderError;
use super::clearance::{Clearances, Eye};
use super::cost::GpuUse;
use super::film::Feed;
use super::plan::{BackendKind, RenderPlan};
use crate::backend::null::{NullBackend, full_caps};
use crate::backend::patience::Patience;
#[cfg(feature = "gpu")]
use crate::backend::threaded::ThreadedBackend;
use crate::evidence::observer::{Observer, Seen};
use crate::gl::backend::{BackendCaps, BackendError, FrameSink, GlBackend, PresentedFrame, RunawayLoop};
use crate::gl::command::{BufferId, Command, CommandStream, ImageId, ImageRegion, QueryId};
use crate::gl::context::{ContextSettings, WebGlVersion};
use crate::gl::trace::{TraceHeader, TraceWriter};
use crate::runtime::{ContextRequest, GlFactory};

#[cfg(feature = "gpu")]
use crate::backend::wgpu::{DeviceOptions, WgpuBackend, WgpuDevice, WgpuOptions};

type Shared = Arc<Mutex<Box<dyn GlBackend>>>;
type Trace = Arc<Mutex<TraceFile>>;
type Watched = Arc<Mutex<Observer>>;

/// Opens the device once; makes a back end for each context and keeps a hold of it.
pub struct Backends {
    kind: BackendKind,
    #[cfg(feature = "gpu")]
    device: Option<Arc<WgpuDevice>>,
    caps: BackendCaps,
    made: Rc<RefCell<Vec<Shared>>>,
    /// Where commands are written, if asked for.
    trace: Option<PathBuf>,
    traces: Rc<RefCell<Vec<Trace>>>,
    /// One a context, if evidence is wanted.
    observers: Rc<RefCell<Vec<Watched>>>,
    evidence: bool,
    patience: Arc<Patience>,
}

impl Backends {
    /// # Errors
    /// No adapter fits, or the engine was built without the GPU back end.
    pub fn open(plan: &RenderPlan, patience: &Arc<Patience>) -> Result<Self, RenderError> {
        let (made, traces, trace) = (Rc::default(), Rc::default(), plan.trace.clone());
        let (observers, evidence, patience) = (Rc::default(), plan.evidence.is_some(), patience.clone());
        match plan.backend {
            BackendKind::Null => Ok(Self {
                kind: BackendKind::Null,
                #[cfg(feature = "gpu")]
                device: None,
                caps: full_caps(),
                made,
                trace,
                traces,
                observers,
                evidence,
                patience,
            }),
            #[cfg(feature = "gpu")]
            BackendKind::Wgpu => {
                // Whoever waits for a frame gives up first, and can say more.
                let (load, frame) = super::run::limits(plan);
                let options = DeviceOptions {
                    adapter: plan.adapter.clone(),
                    time_limit: load.max(frame).saturating_add(Duration::from_secs(10)),
                    pipeline_cache: cache_file(),
                    memory_limit: plan.gpu_memory_limit.map(|mib| mib.saturating_mul(1 << 20)),
                    ..DeviceOptions::default()
                };
                let device = WgpuDevice::open(&options).map_err(RenderError::no_gpu)?;
                Ok(Self {
                    kind: BackendKind::Wgpu,
                    caps: device.caps().clone(),
                    device: Some(device),
                    made,
                    trace,
                    traces,
                    observers,
                    evidence,
                    patience,
                })
            }
            #[cfg(not(feature = "gpu"))]
            BackendKind::Wgpu => Err(RenderError::Backend("this build has no GPU back end (feature `gpu`)".to_owned())),
        }
    }

    pub fn caps(&self) -> &BackendCaps {
        &self.caps
    }

    /// The factory the page's contexts use; their frames go to `feed`, `first` as number 0.
    pub fn factory(&self, feed: Feed, first: u64, clearances: Option<Rc<Clearances>>) -> GlFactory {
        let (made, kind) = (self.made.clone(), self.kind);
        let (path, traces) = (self.trace.clone(), self.traces.clone());
        let (evidence, observers) = (self.evidence, self.observers.clone());
        let patience = self.patience.clone();
        #[cfg(feature = "gpu")]
        let device = self.device.clone();
        Rc::new(move |request: &ContextRequest| {
            let (feed, waits) = (feed.clone(), patience.clone());
            let sink: FrameSink = Box::new(move |frame| {
                if let Some(number) = frame.frame.checked_sub(first) {
                    waits.filming(|| feed.push(PresentedFrame { frame: number, ..frame }));
                    waits.came_out(number);
                }
            });
            let backend: Box<dyn GlBackend> = match kind {
                BackendKind::Null => Box::new(BlackFrames::new(sink)),
                #[cfg(feature = "gpu")]
                BackendKind::Wgpu => {
                    let device = device.clone().ok_or_else(|| BackendError::Internal("no device".to_owned()))?;
                    let mut backend = WgpuBackend::new(device, WgpuOptions::default(), sink);
                    if let Some(clearances) = &clearances {
                        backend.observe(clearances.sink(patience.clone()), clearances.depth_step());
                    }
                    Box::new(ThreadedBackend::new(backend, patience.clone())?)
                }
                #[cfg(not(feature = "gpu"))]
                BackendKind::Wgpu => return Err(BackendError::Internal("no GPU back end".to_owned())),
            };
            let caps = backend.caps().clone();
            let shared: Shared = Arc::new(Mutex::new(backend));
            made.borrow_mut().push(shared.clone());
            let trace = path.as_ref().map(|path| {
                let number = traces.borrow().len();
                let trace: Trace = Arc::new(Mutex::new(TraceFile::create(path, number, &caps, request)));
                traces.borrow_mut().push(trace.clone());
                trace
            });
            let observer = evidence.then(Watched::default);
            observers.borrow_mut().extend(observer.clone());
            let eye = clearances.as_ref().map(|clearances| clearances.eye());
            Ok(Box::new(Handle { caps, shared, trace, observer, eye, first, patience: patience.clone() })
                as Box<dyn GlBackend>)
        })
    }

    /// What the picture of frame `frame` was made from, which has just ended, and what contexts drew that did not present it.
    pub fn seen(&self, frame: u64) -> Seen {
        let mut seen = Seen::default();
        for observer in self.observers.borrow().iter() {
            let mut observer = lock(observer);
            match observer.take().into_iter().rfind(|picture| picture.frame == frame) {
                Some(picture) => seen.picture = Some(picture),
                None => seen.off_film.push(observer.leave(frame)),
            }
        }
        seen
    }

    /// Waits until every context's frames have come out; errors count frames from `first`.
    ///
    /// # Errors
    /// A device was lost.
    pub fn finish(&self, first: u64) -> Result<(), BackendError> {
        for backend in self.made.borrow().iter() {
            lock(backend).finish().map_err(|error| counted_from(error, first))?;
        }
        Ok(())
    }

    /// What to say of points that the adapter drew smaller than the program asked; `first` is the film's frame 0.
    pub fn large_points(&self, first: u64) -> Option<String> {
        #[cfg(feature = "gpu")]
        {
            let frame = self.device.as_ref()?.large_points()?;
            let most = self.caps.max_point_size;
            let from = frame.checked_sub(first).filter(|_| frame < u64::MAX - 1);
            let from = from.map_or_else(String::new, |number| format!(", first in frame {number}"));
            Some(format!("points larger than {most} pixels were drawn {most} pixels large{from}"))
        }
        #[cfg(not(feature = "gpu"))]
        {
            let _ = first;
            None
        }
    }

    /// How long the GPU worked until now; `first` is the film's frame 0, `frames` how many it has.
    pub fn gpu_use(&self, first: u64, frames: u64) -> GpuUse {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            let Some(time) = device.gpu_time() else {
                let note = format!("the driver of {} has no timestamps", self.caps.renderer);
                return GpuUse { note, ..GpuUse::default() };
            };
            let ms = |number| time.frames.get(&(first + number)).map_or(0.0, |seconds| seconds * 1000.0);
            let note = if device.is_software() { "the processor drew; its time is in the CPU's as well" } else { "" };
            let frames = (0..frames).map(ms).collect();
            return GpuUse { seconds: Some(time.total), frames, note: note.to_owned() };
        }
        let _ = (first, frames);
        GpuUse { note: "the null back end draws nothing".to_owned(), ..GpuUse::default() }
    }

    /// Was a trace asked for, and is there nothing that could be in it?
    pub fn lacks_trace(&self) -> bool {
        self.trace.is_some() && self.traces.borrow().is_empty()
    }

    /// Ends the traces.
    ///
    /// # Errors
    /// Part of one could not be written.
    pub fn finish_traces(&self) -> Result<(), RenderError> {
        self.traces.borrow().iter().try_for_each(|trace| lock(trace).finish())
    }

    /// Keeps compiled pipelines for the next run; a failure only costs time then.
    pub fn save(&self) {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device
            && let Err(e) = device.save_pipeline_cache()
        {
            tracing::debug!("the pipeline cache was not kept: {e}");
        }
    }
}

/// `$XDG_CACHE_HOME/replay/pipelines.bin`, or below `~/.cache`; `None` where neither is known.
#[cfg(feature = "gpu")]
fn cache_file() -> Option<std::path::PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(std::path::PathBuf::from);
    let root = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?.join("replay");
    std::fs::create_dir_all(&root).ok()?;
    Some(root.join("pipelines.bin"))
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A context's hold of its back end.
struct Handle {
    caps: BackendCaps,
    shared: Shared,
    trace: Option<Trace>,
    observer: Option<Watched>,
    eye: Option<Eye>,
    /// The frame that is number 0 in the film.
    first: u64,
    patience: Arc<Patience>,
}

/// Vertices of the heaviest draw of a stream, all instances together.
fn heaviest(stream: &CommandStream) -> Option<u64> {
    let vertices = |command: &Command| match command {
        Command::Draw(draw) => Some(u64::from(draw.count) * u64::from(draw.instances)),
        Command::DrawIndexed(draw) => Some(u64::from(draw.count) * u64::from(draw.instances)),
        _ => None,
    };
    stream.commands.iter().filter_map(vertices).max()
}

impl Handle {
    fn pass_on(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        if let Some(trace) = &self.trace {
            lock(trace).write(&stream);
        }
        if let Some(observer) = &self.observer {
            lock(observer).see(&stream);
        }
        if let Some(vertices) = heaviest(&stream) {
            self.patience.drawn(vertices);
        }
        self.ask(|backend| backend.submit(stream))
    }

    fn ask<T>(&self, ask: impl FnOnce(&mut dyn GlBackend) -> Result<T, BackendError>) -> Result<T, BackendError> {
        ask(lock(&self.shared).as_mut()).map_err(|error| counted_from(error, self.first))
    }
}

/// The error with its frame counted as the film's are.
fn counted_from(error: BackendError, first: u64) -> BackendError {
    match error {
        BackendError::RunawayLoop(runaway) => {
            let frame = runaway.frame.and_then(|frame| frame.checked_sub(first));
            BackendError::RunawayLoop(Box::new(RunawayLoop { frame, ..*runaway }))
        }
        other => other,
    }
}

impl GlBackend for Handle {
    fn caps(&self) -> &BackendCaps {
        &self.caps
    }

    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        // By itself: before a long stream it would move all of it.
        if let Some(look) = self.eye.as_mut().and_then(Eye::look) {
            self.pass_on(look)?;
        }
        self.pass_on(stream)
    }

    fn read_image(&mut self, image: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        if let Some(observer) = &self.observer {
            lock(observer).read(image, &region);
        }
        self.ask(|backend| backend.read_image(image, region))
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        self.ask(|backend| backend.read_buffer(buffer, offset, size))
    }

    fn query_result(&mut self, query: QueryId) -> Result<bool, BackendError> {
        self.ask(|backend| backend.query_result(query))
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        self.ask(|backend| backend.finish())
    }
}

/// One context's trace. A failure must not stop the render; it is told at the end.
struct TraceFile {
    path: PathBuf,
    writer: Result<TraceWriter<BufWriter<File>>, String>,
}

impl TraceFile {
    /// The first context's file has the name given, the second's ends in `.1`, and so on.
    fn create(path: &Path, number: usize, caps: &BackendCaps, request: &ContextRequest) -> Self {
        let mut name = path.as_os_str().to_owned();
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let path = PathBuf::from(name);
        let header = TraceHeader {
            engine: concat!("replay ", env!("CARGO_PKG_VERSION")).to_owned(),
            caps: caps.clone(),
            settings: ContextSettings {
                version: if request.webgl2 { WebGlVersion::Two } else { WebGlVersion::One },
                width: request.width,
                height: request.height,
                alpha: request.alpha,
                depth: request.depth,
                stencil: request.stencil,
                antialias: request.antialias,
                premultiplied_alpha: request.premultiplied_alpha,
                preserve_drawing_buffer: request.preserve_drawing_buffer,
            },
        };
        let writer = File::create(&path)
            .map_err(|e| e.to_string())
            .and_then(|file| TraceWriter::new(BufWriter::new(file), &header).map_err(|e| e.to_string()));
        Self { path, writer }
    }

    fn write(&mut self, stream: &CommandStream) {
        if let Ok(writer) = &mut self.writer
            && let Err(e) = writer.stream(stream)
        {
            self.writer = Err(e.to_string());
        }
    }

    fn finish(&mut self) -> Result<(), RenderError> {
        let ended = match &mut self.writer {
            Ok(writer) => writer.flush().map_err(|e| e.to_string()),
            Err(e) => Err(e.clone()),
        };
        ended.map_err(|e| RenderError::Internal(format!("the trace {} is not whole: {e}", self.path.display())))
    }
}

/// The null back end with black pictures where frames are presented.
struct BlackFrames {
    null: NullBackend,
    sizes: BTreeMap<ImageId, (u32, u32)>,
    sink: FrameSink,
}

impl BlackFrames {
    fn new(sink: FrameSink) -> Self {
        Self { null: NullBackend::new(), sizes: BTreeMap::new(), sink }
    }
}

impl GlBackend for BlackFrames {
    fn caps(&self) -> &BackendCaps {
        self.null.caps()
    }

    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        let mut presented = Vec::new();
        for command in &stream.commands {
            match command {
                Command::CreateImage { id, desc } => drop(self.sizes.insert(*id, (desc.width, desc.height))),
                Command::DeleteImage { id } => drop(self.sizes.remove(id)),
                Command::Present { image, frame, .. } => {
                    presented.push((*frame, self.sizes.get(image).copied().unwrap_or((1, 1))));
                }
                _ => {}
            }
        }
        self.null.submit(stream)?;
        for (frame, (width, height)) in presented {
            let rgba = [0, 0, 0, 255].repeat(width as usize * height as usize);
            (self.sink)(PresentedFrame { frame, width, height, rgba });
        }
        Ok(())
    }

    fn read_image(&mut self, image: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        self.null.read_image(image, region)
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        self.null.read_buffer(buffer, offset, size)
    }

    fn query_result(&mut self, query: QueryId) -> Result<bool, BackendError> {
        self.null.query_result(query)
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        self.null.finish()
    }
}
