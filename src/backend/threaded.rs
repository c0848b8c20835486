//! Runs any back end on a thread of its own, so that script and GPU work overlap.
//!
//! In: the calls of `GlBackend`, in order, over a bounded channel: a program that runs ahead waits. Calls that return
//! data make a round trip. A failure of a submitted stream comes back from the next call.

use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::gl::backend::{BackendCaps, BackendError, GlBackend};
use crate::gl::command::{BufferId, CommandStream, ImageId, ImageRegion, QueryId};

/// Streams that may wait; a frame is a few.
const QUEUE: usize = 8;
/// How often a waiting caller looks whether the thread still lives.
const ALIVE_CHECK: Duration = Duration::from_millis(100);

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
}

impl ThreadedBackend {
    /// Moves `backend` to a new thread. Errors if the thread cannot be made.
    pub fn new<B: GlBackend + 'static>(backend: B) -> Result<Self, BackendError> {
        let caps = backend.caps().clone();
        let (sender, messages) = bounded(QUEUE);
        let (failures, failure) = bounded(1);
        let thread = std::thread::Builder::new()
            .name("gl-backend".into())
            .spawn(move || run(backend, &messages, &failures))
            .map_err(|error| BackendError::Internal(format!("the back end's thread did not start: {error}")))?;
        Ok(Self { caps, sender: Some(sender), failure, failed: None, thread: Some(thread) })
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

    fn send(&mut self, message: Message) -> Result<(), BackendError> {
        self.check()?;
        match self.sender.as_ref().map(|sender| sender.send(message)) {
            Some(Ok(())) => Ok(()),
            _ => Err(self.gone()),
        }
    }

    fn ask<T>(&mut self, message: impl FnOnce(Reply<T>) -> Message) -> Result<T, BackendError> {
        let (reply, answer) = bounded(1);
        self.send(message(reply))?;
        loop {
            match answer.recv_timeout(ALIVE_CHECK) {
                Ok(result) => {
                    self.check()?;
                    return result;
                }
                Err(RecvTimeoutError::Timeout) if self.thread.as_ref().is_some_and(|t| !t.is_finished()) => {}
                Err(_) => return Err(self.gone()),
            }
        }
    }
}

/// Works off messages. After a failed stream nothing runs any more; questions are answered with the failure.
fn run(mut backend: impl GlBackend, messages: &Receiver<Message>, failures: &Sender<BackendError>) {
    let mut failed: Option<BackendError> = None;
    // Answers nobody waits for any more are dropped.
    while let Ok(message) = messages.recv() {
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
    /// Lets the thread finish what was submitted, so that the GPU device is dropped before the process ends.
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
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
        ThreadedBackend::new(Script { caps: full_caps(), seen: Vec::new() }).expect("threads can be made")
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
    fn a_failure_comes_back_from_the_next_call_and_stays() {
        let mut backend = threaded();
        backend.submit(marker("fail")).expect("the stream is only queued");
        for _ in 0..2 {
            let error = backend.finish().expect_err("the device is lost");
            assert!(matches!(&error, BackendError::DeviceLost(text) if text == "asked"), "{error}");
        }
    }
}
