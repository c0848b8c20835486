//! Runs any back end on a thread of its own, so that script and GPU work overlap.
//!
//! In: the calls of `GlBackend`, in order, over a bounded channel: a program that runs ahead waits. Calls that return
//! data make a round trip. A failure of a submitted stream comes back from the next call. Who waits does so as long as
//! the render's [`Patience`] lasts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded};

use super::patience::{GRACE, Patience, TICK, leave_thread, threads_left};
use crate::gl::backend::{BackendCaps, BackendError, GlBackend};
use crate::gl::command::{BufferId, CommandStream, ImageId, ImageRegion, QueryId};

/// Streams that may wait; a frame is a few.
const QUEUE: usize = 8;

type Reply<T> = Sender<Result<T, BackendError>>;

enum Message {
    Submit(CommandStream),
    ReadImage(ImageId, ImageRegion, Reply<Vec<u8>>),
    ReadBuffer(BufferId, u64, u64, Reply<Vec<u8>>),
    QueryResult(QueryId, Reply<bool>),
    Finish(Reply<()>),
}

/// A `GlBackend` whose work happens elsewhere.
pub struct ThreadedBackend {
    caps: BackendCaps,
    sender: Option<Sender<Message>>,
    /// The first failure of a submitted stream.
    failure: Receiver<BackendError>,
    /// Set once something failed.
    failed: Option<BackendError>,
    thread: Option<JoinHandle<()>>,
    patience: Arc<Patience>,
    /// Nothing that still waits is to be done.
    dropped: Arc<AtomicBool>,
}

impl ThreadedBackend {
    /// Moves `backend` to a new thread. Errors if the thread cannot be made.
    pub fn new<B: GlBackend + 'static>(backend: B, patience: Arc<Patience>) -> Result<Self, BackendError> {
        let dropped = Arc::new(AtomicBool::new(false));
        let skip = dropped.clone();
        let caps = backend.caps().clone();
        let (sender, messages) = bounded(QUEUE);
        let (failures, failure) = bounded(1);
        let thread = std::thread::Builder::new()
            .name("gl-backend".into())
            .spawn(move || run(backend, &messages, &failures, &skip))
            .map_err(|error| BackendError::Internal(format!("the back end's thread did not start: {error}")))?;
        Ok(Self { caps, sender: Some(sender), failure, failed: None, thread: Some(thread), patience, dropped })
    }

    fn check(&mut self) -> Result<(), BackendError> {
        if self.failed.is_none() {
            self.failed = self.failure.try_recv().ok();
        }
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// The thread has ended by itself: it panicked.
    fn gone(&mut self) -> BackendError {
        let gone = || BackendError::Internal("the back end's thread has ended".into());
        self.failed.get_or_insert_with(gone).clone()
    }

    fn send(&mut self, mut message: Message) -> Result<(), BackendError> {
        self.check()?;
        loop {
            match self.sender.as_ref().map(|sender| sender.send_timeout(message, TICK)) {
                Some(Ok(())) => return Ok(()),
                Some(Err(SendTimeoutError::Timeout(again))) => message = again,
                Some(Err(SendTimeoutError::Disconnected(_))) | None => return Err(self.gone()),
            }
            self.patience.check()?;
        }
    }

    fn ask<T>(&mut self, message: impl FnOnce(Reply<T>) -> Message) -> Result<T, BackendError> {
        let (reply, answer) = bounded(1);
        self.send(message(reply))?;
        loop {
            match answer.recv_timeout(TICK) {
                Ok(result) => {
                    self.check()?;
                    return result;
                }
                Err(RecvTimeoutError::Timeout) if self.thread.as_ref().is_some_and(|t| !t.is_finished()) => {
                    self.patience.check()?;
                }
                Err(_) => return Err(self.gone()),
            }
        }
    }
}

/// Works off messages. After a failed stream nothing runs any more; questions are answered with the failure.
fn run(
    mut backend: impl GlBackend,
    messages: &Receiver<Message>,
    failures: &Sender<BackendError>,
    dropped: &AtomicBool,
) {
    let mut failed: Option<BackendError> = None;
    let mut more = false;
    // Answers nobody waits for any more are dropped.
    loop {
        let message = match messages.recv_timeout(if more { TICK } else { Duration::MAX }) {
            Ok(message) => message,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                more = failed.is_none() && backend.idle().unwrap_or(false);
                continue;
            }
        };
        more = true;
        if dropped.load(Ordering::Relaxed) {
            return;
        }
        match message {
            Message::Submit(_) if failed.is_some() => {}
            Message::Submit(stream) => {
                if let Err(error) = backend.submit(stream) {
                    let _ = failures.try_send(error.clone());
                    failed = Some(error);
                }
            }
            Message::ReadImage(image, region, reply) => {
                answer(&reply, &failed, || backend.read_image(image, region));
            }
            Message::ReadBuffer(buffer, offset, size, reply) => {
                answer(&reply, &failed, || backend.read_buffer(buffer, offset, size));
            }
            Message::QueryResult(query, reply) => answer(&reply, &failed, || backend.query_result(query)),
            Message::Finish(reply) => answer(&reply, &failed, || backend.finish()),
        }
    }
}

fn answer<T>(reply: &Reply<T>, failed: &Option<BackendError>, ask: impl FnOnce() -> Result<T, BackendError>) {
    let _ = reply.send(failed.clone().map_or_else(ask, Err));
}

impl Drop for ThreadedBackend {
    /// Lets the thread finish what was submitted, so that the GPU device is dropped before the process ends. Where nobody
    /// waits any more, it gets a moment to end and is left behind then.
    fn drop(&mut self) {
        self.sender = None;
        let Some(thread) = self.thread.take() else { return };
        loop {
            if self.patience.ended().is_some() {
                self.dropped.store(true, Ordering::Relaxed);
            }
            let wait = if self.dropped.load(Ordering::Relaxed) && !threads_left() { GRACE } else { TICK };
            // The thread holds the other end until it ends; a failure may lie in it.
            let waited = self.failure.recv_timeout(wait);
            match waited {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return drop(thread.join()),
                Err(RecvTimeoutError::Timeout) if self.dropped.load(Ordering::Relaxed) => return leave_thread(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl GlBackend for ThreadedBackend {
    fn caps(&self) -> &BackendCaps {
        &self.caps
    }

    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        self.send(Message::Submit(stream))
    }

    fn read_image(&mut self, image: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        self.ask(|reply| Message::ReadImage(image, region, reply))
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        self.ask(|reply| Message::ReadBuffer(buffer, offset, size, reply))
    }

    fn query_result(&mut self, query: QueryId) -> Result<bool, BackendError> {
        self.ask(|reply| Message::QueryResult(query, reply))
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        self.ask(Message::Finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::null::full_caps;
    use crate::gl::command::Command;

    /// Counts markers; fails on `fail`.
    struct Script {
        caps: BackendCaps,
        seen: Vec<String>,
    }

    impl GlBackend for Script {
        fn caps(&self) -> &BackendCaps {
            &self.caps
        }

        fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
            for command in stream.commands {
                match command {
                    Command::Marker(text) if text == "fail" => return Err(BackendError::DeviceLost("asked".into())),
                    Command::Marker(text) if text == "hang" => loop {
                        std::thread::park();
                    },
                    Command::Marker(text) => self.seen.push(text),
                    _ => {}
                }
            }
            Ok(())
        }

        fn read_image(&mut self, _: ImageId, _: ImageRegion) -> Result<Vec<u8>, BackendError> {
            Ok(Vec::new())
        }

        fn read_buffer(&mut self, _: BufferId, _: u64, _: u64) -> Result<Vec<u8>, BackendError> {
            Ok(self.seen.join(",").into_bytes())
        }

        fn query_result(&mut self, _: QueryId) -> Result<bool, BackendError> {
            Ok(true)
        }

        fn finish(&mut self) -> Result<(), BackendError> {
            Ok(())
        }
    }

    fn marker(text: &str) -> CommandStream {
        CommandStream { commands: vec![Command::Marker(text.into())], data: Vec::new() }
    }

    fn threaded() -> ThreadedBackend {
        let script = Script { caps: full_caps(), seen: Vec::new() };
        ThreadedBackend::new(script, Arc::default()).expect("threads can be made")
    }

    #[test]
    fn questions_are_answered_after_what_was_submitted_before() {
        let mut backend = threaded();
        for i in 0..100 {
            backend.submit(marker(&i.to_string())).expect("nothing fails");
        }
        let expected: Vec<String> = (0..100).map(|i| i.to_string()).collect();
        assert_eq!(backend.read_buffer(BufferId(1), 0, 0).expect("nothing fails"), expected.join(",").into_bytes());
    }

    #[test]
    fn what_takes_too_long_is_left_behind() {
        let patience = Arc::new(Patience::default());
        let script = Script { caps: full_caps(), seen: Vec::new() };
        let mut backend = ThreadedBackend::new(script, patience.clone()).expect("threads can be made");
        patience.begin(Some(0), Duration::from_millis(50));
        backend.submit(marker("hang")).expect("the stream is only queued");
        let over = |result: Result<(), BackendError>| matches!(result, Err(BackendError::Overdue(_)));
        assert!(over(backend.finish()));
        let full = (0..2 * QUEUE).map(|_| backend.submit(marker("more"))).find(Result::is_err);
        assert!(over(full.expect("the queue is full")));
        drop(backend);
        assert!(super::super::patience::threads_left());
    }

    #[test]
    fn a_failure_comes_back_from_the_next_call_and_stays() {
        let mut backend = threaded();
        backend.submit(marker("fail")).expect("the stream is only queued");
        for _ in 0..2 {
            let error = backend.finish().expect_err("the device is lost");
            assert!(matches!(&error, BackendError::DeviceLost(text) if text == "asked"), "{error}");
        }
    }
}
