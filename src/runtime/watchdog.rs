//! A thread that stops JavaScript which runs too long. The only user of real time in the runtime; what it measures
//! never reaches the page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use deno_core::v8::IsolateHandle;

/// Watches one isolate.
pub struct Watchdog {
    arm: Option<Sender<Option<Duration>>>,
    fired: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Watchdog {
    pub fn new(isolate: IsolateHandle) -> Self {
        let (arm, orders) = mpsc::channel::<Option<Duration>>();
        let fired = Arc::new(AtomicBool::new(false));
        let flag = fired.clone();
        let thread = std::thread::Builder::new().name("watchdog".into()).spawn(move || {
            let mut limit: Option<Duration> = None;
            loop {
                let order = match limit {
                    None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    Some(limit) => orders.recv_timeout(limit),
                };
                match order {
                    Ok(next) => limit = next,
                    Err(RecvTimeoutError::Timeout) => {
                        flag.store(true, Ordering::SeqCst);
                        isolate.terminate_execution();
                        limit = None;
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Self { arm: Some(arm), fired, thread: thread.ok() }
    }

    /// Starts (or restarts) the count.
    pub fn start(&self, limit: Duration) {
        self.fired.store(false, Ordering::SeqCst);
        self.send(Some(limit));
    }

    /// Stops the count; has it fired since it was started?
    pub fn stop(&self) -> bool {
        self.send(None);
        self.fired.load(Ordering::SeqCst)
    }

    /// Has it fired since it was started?
    pub fn fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }

    fn send(&self, order: Option<Duration>) {
        if let Some(arm) = &self.arm {
            // The thread lives as long as this does.
            let _ = arm.send(order);
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.arm = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
