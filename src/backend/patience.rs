//! How long a render waits: for a frame, and once it was asked to end.
//!
//! The time of a frame is that of its scripts and of all that they and the render wait for meanwhile: the GPU, and
//! the evidence behind it. Nothing can interrupt a driver, so it is the waiting that ends; the thread that is still at
//! work is left behind, and the process ends without it ([`threads_left`]). It never changes a picture, it only ends.

#![expect(clippy::disallowed_methods, reason = "a limit on real time")]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::gl::backend::{Awaited, BackendError, Overdue};

/// How often whoever waits asks whether to go on.
pub const TICK: Duration = Duration::from_millis(20);
/// What frames on their way, and evidence of them, still get when a render is asked to end.
pub const GRACE: Duration = Duration::from_millis(700);

static LEFT: AtomicBool = AtomicBool::new(false);

/// Is a thread of this process still at work that nobody waits for? Then `exit` may hang: drivers wait for their
/// threads in it.
pub fn threads_left() -> bool {
    LEFT.load(Ordering::SeqCst)
}

/// A thread is left behind.
pub fn leave_thread() {
    LEFT.store(true, Ordering::SeqCst);
}

/// Why nobody waits any more.
#[derive(Clone, Debug)]
pub enum Ended {
    /// The render was asked to end.
    Stopped,
    Over(Overdue),
}

/// One render's patience, shared by all who wait in it.
#[derive(Debug)]
pub struct Patience {
    inner: Mutex<Inner>,
    /// Threads that hand frames to the film, or observations to the evidence, and have to wait there.
    film: AtomicU32,
    evidence: AtomicU32,
}

#[derive(Debug)]
struct Inner {
    limit: Duration,
    since: Instant,
    /// When it was last asked.
    asked: Instant,
    /// The frame whose scripts run; `None` before the first.
    frame: Option<u64>,
    /// The first frame that has not come out.
    due: u64,
    draining: bool,
    stopped: Option<Instant>,
    over: Option<Overdue>,
    /// Most vertices of one draw, by frame.
    heaviest: VecDeque<(Option<u64>, u64)>,
}

impl Default for Patience {
    /// Without a limit.
    fn default() -> Self {
        let now = Instant::now();
        let inner = Inner {
            limit: Duration::MAX,
            since: now,
            asked: now,
            frame: None,
            due: 0,
            draining: false,
            stopped: None,
            over: None,
            heaviest: VecDeque::new(),
        };
        Self { inner: Mutex::new(inner), film: AtomicU32::new(0), evidence: AtomicU32::new(0) }
    }
}

impl Patience {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The work of a frame begins (`None`: of loading, or of a frame that is not filmed), and may take `limit`.
    pub fn begin(&self, frame: Option<u64>, limit: Duration) {
        let mut inner = self.lock();
        inner.since = Instant::now();
        (inner.frame, inner.limit) = (frame, limit);
    }

    /// The frame whose scripts run; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        self.lock().frame
    }

    /// No more frames begin; each one on its way may take the limit.
    pub fn drain(&self) {
        let mut inner = self.lock();
        inner.since = Instant::now();
        inner.draining = true;
    }

    /// Frame `frame` came out of the back end.
    pub fn came_out(&self, frame: u64) {
        let mut inner = self.lock();
        inner.due = frame + 1;
        if inner.draining {
            inner.since = Instant::now();
        }
        while inner.heaviest.front().is_some_and(|(of, _)| of.is_none_or(|of| of <= frame)) {
            inner.heaviest.pop_front();
        }
    }

    /// A draw of the frame at hand has so many vertices, all instances together.
    pub fn drawn(&self, vertices: u64) {
        let mut inner = self.lock();
        let frame = inner.frame;
        match inner.heaviest.back_mut().filter(|(of, _)| *of == frame) {
            Some((_, most)) => *most = vertices.max(*most),
            None => inner.heaviest.push_back((frame, vertices)),
        }
    }

    /// The render is to end.
    pub fn stop(&self) {
        self.lock().stopped.get_or_insert_with(Instant::now);
    }

    /// Has waiting ended, and why?
    pub fn ended(&self) -> Option<Ended> {
        let inner = self.lock();
        let over = inner.over.clone().map(Ended::Over);
        over.or(inner.stopped.map(|_| Ended::Stopped))
    }

    /// The frame at hand, if its time was over `extra` ago and its thread, which does not wait for the film, has not noticed.
    pub fn lost(&self, extra: Duration) -> Option<Overdue> {
        let inner = self.lock();
        let allowed = inner.limit.saturating_add(inner.limit / 4).saturating_add(extra);
        let over = Overdue {
            frame: inner.frame,
            seconds: inner.limit.as_secs_f64(),
            awaited: Awaited::Program,
            vertices: None,
        };
        let filming = self.film.load(Ordering::Relaxed) > 0;
        (!inner.draining && !filming && inner.since.elapsed() > allowed).then_some(over)
    }

    /// Runs `work`, which hands a frame to the film; what has to wait there is no fault of the GPU.
    pub fn filming<T>(&self, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = within(&self.film, work);
        let now = Instant::now();
        let mut inner = self.lock();
        inner.since = inner.since.checked_add(now - begin).map_or(now, |since| since.min(now));
        done
    }

    /// Runs `work`, which hands observations to the evidence.
    pub fn judging<T>(&self, work: impl FnOnce() -> T) -> T {
        within(&self.evidence, work)
    }

    /// To be asked every [`TICK`] by who waits.
    ///
    /// # Errors
    /// There is no more waiting.
    pub fn check(&self) -> Result<(), BackendError> {
        let evidence = self.evidence.load(Ordering::Relaxed) > 0;
        self.check_for(if evidence { Awaited::Evidence } else { Awaited::Gpu })
    }

    /// [`Patience::check`] of who waits for the evidence itself.
    ///
    /// # Errors
    /// There is no more waiting.
    pub fn check_evidence(&self) -> Result<(), BackendError> {
        self.check_for(Awaited::Evidence)
    }

    fn check_for(&self, awaited: Awaited) -> Result<(), BackendError> {
        let now = Instant::now();
        let mut inner = self.lock();
        let asked = std::mem::replace(&mut inner.asked, now);
        if let Some(over) = &inner.over {
            return Err(BackendError::Overdue(Box::new(over.clone())));
        }
        if let Some(stopped) = inner.stopped
            && (!inner.draining || now.saturating_duration_since(stopped) > GRACE)
        {
            return Err(BackendError::Stopped);
        }
        if self.film.load(Ordering::Relaxed) > 0 {
            let excused = now.saturating_duration_since(asked.max(inner.since));
            inner.since += excused;
        }
        if now.saturating_duration_since(inner.since) <= inner.limit {
            return Ok(());
        }
        let due = inner.due;
        let frame = inner.frame.map(|frame| frame.min(due));
        let heaviest = inner.heaviest.iter().find(|(of, _)| *of == frame || frame.is_none());
        let over =
            Overdue { frame, seconds: inner.limit.as_secs_f64(), awaited, vertices: heaviest.map(|(_, most)| *most) };
        inner.over = Some(over.clone());
        Err(BackendError::Overdue(Box::new(over)))
    }
}

fn within<T>(count: &AtomicU32, work: impl FnOnce() -> T) -> T {
    count.fetch_add(1, Ordering::Relaxed);
    let done = work();
    count.fetch_sub(1, Ordering::Relaxed);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overdue(patience: &Patience) -> Option<Overdue> {
        match patience.check() {
            Err(BackendError::Overdue(over)) => Some(*over),
            _ => None,
        }
    }

    #[test]
    fn the_frame_that_has_not_come_out_is_blamed_with_its_heaviest_draw() {
        let patience = Patience::default();
        for frame in 0..3 {
            patience.begin(Some(frame), Duration::from_secs(60));
            patience.drawn(3 + frame);
            patience.drawn(2);
        }
        patience.came_out(0);
        assert!(patience.check().is_ok());
        patience.begin(Some(3), Duration::ZERO);
        std::thread::sleep(Duration::from_millis(1));
        let over = overdue(&patience).expect("the time is over");
        assert_eq!((over.frame, over.awaited, over.vertices), (Some(1), Awaited::Gpu, Some(4)));
        // It stays so.
        patience.begin(Some(4), Duration::from_secs(60));
        assert!(overdue(&patience).is_some());
    }

    #[test]
    fn waiting_for_the_film_does_not_count() {
        let patience = Patience::default();
        patience.begin(Some(0), Duration::from_millis(100));
        patience.filming(|| {
            for _ in 0..10 {
                std::thread::sleep(Duration::from_millis(20));
                assert!(patience.check().is_ok());
            }
        });
        patience.judging(|| std::thread::sleep(Duration::from_millis(110)));
        let over = patience.judging(|| overdue(&patience)).expect("the time is over");
        assert_eq!(over.awaited, Awaited::Evidence);
    }

    #[test]
    fn asked_to_end_only_what_is_on_its_way_is_waited_for() {
        let patience = Patience::default();
        patience.stop();
        assert!(matches!(patience.check(), Err(BackendError::Stopped)));
        patience.drain();
        assert!(patience.check().is_ok());
        std::thread::sleep(GRACE + Duration::from_millis(10));
        assert!(matches!(patience.check(), Err(BackendError::Stopped)));
    }
}
