//! The context: state, objects, error latch, command stream, back end.

use std::cell::Cell;
use std::rc::Rc;

use super::backend::{BackendCaps, BackendError, GlBackend};
use super::caps::Caps;
use super::command::{BufferId, Command, CommandStream, ImageId, ImageRegion, ProgramId, QueryId};
use super::compiler::{EsslCompiler, ShaderCompiler};
use super::draw::DrawCache;
use super::error::{ErrorLatch, GlError, GlResult};
use super::images::{DrawingBuffer, ImageStore, SentTargets};
use super::objects::Objects;
use super::state::State;
use crate::scene::Subject;

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum WebGlVersion {
    One,
    Two,
}

/// Context attributes after the browser's choices, and the drawing buffer's first size.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContextSettings {
    pub version: WebGlVersion,
    pub width: u32,
    pub height: u32,
    pub alpha: bool,
    pub depth: bool,
    pub stencil: bool,
    pub antialias: bool,
    pub premultiplied_alpha: bool,
    pub preserve_drawing_buffer: bool,
}

impl Default for ContextSettings {
    /// WebGL's default context attributes.
    fn default() -> Self {
        Self {
            version: WebGlVersion::Two,
            width: 300,
            height: 150,
            alpha: true,
            depth: true,
            stencil: false,
            antialias: true,
            premultiplied_alpha: true,
            preserve_drawing_buffer: false,
        }
    }
}

/// GPU ids given out so far; ids are never reused.
#[derive(Debug, Default)]
pub struct IdCounters {
    buffers: u32,
    images: u32,
    programs: u32,
    queries: u32,
}

impl IdCounters {
    pub fn buffer(&mut self) -> BufferId {
        self.buffers += 1;
        BufferId(self.buffers)
    }

    pub fn image(&mut self) -> ImageId {
        self.images += 1;
        ImageId(self.images)
    }

    pub fn program(&mut self) -> ProgramId {
        self.programs += 1;
        ProgramId(self.programs)
    }

    pub fn query(&mut self) -> QueryId {
        self.queries += 1;
        QueryId(self.queries)
    }
}

/// Something a program asked for that this engine cannot do, read by the runtime's registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub call: &'static str,
    pub detail: String,
}

/// A submitted stream is cut at this many commands or arena bytes, so that the back end's thread starts early. The
/// list of commands stays below the size at which allocators map fresh pages for each.
const STREAM_COMMANDS: usize = 512;
const STREAM_BYTES: usize = 4 << 20;

/// In the place of a lost context's back end.
struct Gone(BackendCaps);

impl GlBackend for Gone {
    fn caps(&self) -> &BackendCaps {
        &self.0
    }
    fn submit(&mut self, _: CommandStream) -> Result<(), BackendError> {
        Err(gone())
    }
    fn read_image(&mut self, _: ImageId, _: ImageRegion) -> Result<Vec<u8>, BackendError> {
        Err(gone())
    }
    fn read_buffer(&mut self, _: BufferId, _: u64, _: u64) -> Result<Vec<u8>, BackendError> {
        Err(gone())
    }
    fn query_result(&mut self, _: QueryId) -> Result<bool, BackendError> {
        Err(gone())
    }
    fn finish(&mut self) -> Result<(), BackendError> {
        Err(gone())
    }
}

fn gone() -> BackendError {
    BackendError::Internal("a lost context was asked to draw".to_owned())
}

/// One WebGL context.
pub struct Context {
    pub(crate) settings: ContextSettings,
    pub(crate) caps: Caps,
    pub(crate) state: State,
    pub(crate) objects: Objects,
    pub(crate) images: ImageStore,
    pub(crate) drawing_buffer: DrawingBuffer,
    pub(crate) sent_targets: SentTargets,
    pub(crate) compiler: Box<dyn ShaderCompiler>,
    /// What draws remember: state as last sent, lowered vertex and index data.
    pub(crate) draw: DrawCache,
    pub(crate) errors: ErrorLatch,
    pub(crate) ids: IdCounters,
    pub(crate) stream: CommandStream,
    pub(crate) backend: Box<dyn GlBackend>,
    pub(crate) unsupported: Vec<Unsupported>,
    pub(crate) lost: bool,
    /// Counts script tasks: sync objects and queries answer only in a later one.
    pub(crate) task: u64,
    pub(crate) backend_error: Option<BackendError>,
    /// Whose draws come now, for evidence, and what the stream last said of it.
    subject: Option<Rc<Cell<Subject>>>,
    sent_subject: Subject,
}

impl Context {
    pub fn new(mut settings: ContextSettings, backend: Box<dyn GlBackend>) -> Self {
        let caps = Caps::new(backend.caps(), settings.version);
        let drawing_buffer = DrawingBuffer::new(&mut settings, &caps.backend);
        let state = State::new(&caps.limits, settings.width, settings.height);
        Self {
            settings,
            caps,
            state,
            objects: Objects::default(),
            images: ImageStore::default(),
            drawing_buffer,
            sent_targets: SentTargets::default(),
            compiler: Box::new(EsslCompiler),
            draw: DrawCache::default(),
            errors: ErrorLatch::default(),
            ids: IdCounters::default(),
            stream: CommandStream::default(),
            backend,
            unsupported: Vec::new(),
            lost: false,
            task: 0,
            backend_error: None,
            subject: None,
            sent_subject: Subject::default(),
        }
    }

    /// Puts into the stream whose draws follow, as `subject` has it at each.
    pub fn with_subject(mut self, subject: Option<Rc<Cell<Subject>>>) -> Self {
        self.subject = subject;
        self
    }

    pub fn subject(&self) -> Option<Rc<Cell<Subject>>> {
        self.subject.clone()
    }

    /// Before a draw or clear: says whose it is, if that has changed.
    #[inline]
    pub(crate) fn send_subject(&mut self) {
        if let Some(subject) = self.subject.as_ref().map(|subject| subject.get())
            && subject != self.sent_subject
        {
            self.sent_subject = subject;
            self.push(Command::Subject(subject));
        }
    }

    /// Replaces the shader compiler (tests).
    pub fn with_compiler(mut self, compiler: Box<dyn ShaderCompiler>) -> Self {
        self.compiler = compiler;
        self
    }

    pub fn settings(&self) -> &ContextSettings {
        &self.settings
    }

    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    #[inline]
    pub fn is_webgl2(&self) -> bool {
        self.settings.version == WebGlVersion::Two
    }

    /// Latches the error of a refused call and returns the default value.
    #[inline]
    pub(crate) fn check<T: Default>(&mut self, call: &'static str, result: GlResult<T>) -> T {
        match result {
            Ok(value) => value,
            Err(error) => {
                self.fail(call, error);
                T::default()
            }
        }
    }

    #[cold]
    pub(crate) fn fail(&mut self, call: &'static str, error: GlError) {
        self.errors.latch(call, error);
    }

    #[inline]
    pub(crate) fn push(&mut self, command: Command) {
        self.stream.commands.push(command);
    }

    /// Records, once per (call, detail), that something cannot work here.
    #[cold]
    pub(crate) fn unsupported(&mut self, call: &'static str, detail: impl Into<String>) {
        let entry = Unsupported { call, detail: detail.into() };
        if self.unsupported.len() < 1024 && !self.unsupported.contains(&entry) {
            self.unsupported.push(entry);
        }
    }

    /// What could not work, in order of first use.
    pub fn unsupported_list(&self) -> &[Unsupported] {
        &self.unsupported
    }

    /// The texts behind the error flag, for the console.
    pub fn errors_mut(&mut self) -> &mut ErrorLatch {
        &mut self.errors
    }

    /// Hands the recorded commands to the back end. A failure there loses the context.
    pub fn submit(&mut self) {
        if self.stream.commands.is_empty() {
            return;
        }
        let next = CommandStream { commands: Vec::with_capacity(STREAM_COMMANDS + 64), data: Vec::new() };
        let stream = std::mem::replace(&mut self.stream, next);
        self.draw.stream += 1;
        if self.lost {
            return;
        }
        let result = self.backend.submit(stream);
        self.note_backend(result);
    }

    /// Submits when the stream has grown enough to be worth starting on; called after draws and uploads.
    #[inline]
    pub(crate) fn submit_if_large(&mut self) {
        if self.stream.commands.len() >= STREAM_COMMANDS || self.stream.data.len() >= STREAM_BYTES {
            self.submit();
        }
    }

    /// Submits, then asks the back end something.
    pub(crate) fn with_backend<T>(
        &mut self,
        ask: impl FnOnce(&mut dyn GlBackend) -> Result<T, BackendError>,
    ) -> Option<T> {
        self.submit();
        if self.lost {
            return None;
        }
        let result = ask(self.backend.as_mut());
        self.note_backend(result)
    }

    fn note_backend<T>(&mut self, result: Result<T, BackendError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.backend_error.get_or_insert(error);
                self.lost = true;
                None
            }
        }
    }

    /// The context is lost and lets go of all it held (WebGL 1.0 section 5.15); only a new one can take its place.
    pub(crate) fn lose(&mut self) {
        self.submit();
        self.lost = true;
        self.objects = Objects::default();
        self.images = ImageStore::default();
        self.draw = DrawCache::default();
        self.stream = CommandStream::default();
        self.backend = Box::new(Gone(self.backend.caps().clone()));
    }

    /// Why the back end gave up, if it did.
    pub fn backend_error(&self) -> Option<&BackendError> {
        self.backend_error.as_ref()
    }

    /// The runtime calls this between tasks (and animation frames): fences and queries of earlier tasks may answer.
    pub fn next_task(&mut self) {
        self.task += 1;
    }

    pub fn is_context_lost(&self) -> bool {
        self.lost
    }
}
