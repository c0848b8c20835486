//! What may end a render from outside: somebody who asks, a limit of time. The render's own thread ends what it can; where
//! that thread is lost, the one that watches saves what was filmed.

#![expect(clippy::disallowed_methods, reason = "waits in real time, which no frame sees")]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::conclude::conclude;
use super::room::Room;
use crate::backend::patience::{Ended, Patience};
use crate::gl::backend::BackendCaps;
use crate::pipeline::film::Film;
use crate::pipeline::output::OutFolder;
use crate::pipeline::plan::RenderPlan;
use crate::pipeline::summary::Timing;
use crate::pipeline::{RenderError, last_resort};
use crate::runtime::{Phase, Report, RuntimeError, Stopper, v8_version};

/// What can be ended from outside: the waiting, and the scripts that run.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) patience: Arc<Patience>,
    stopper: Mutex<Option<Stopper>>,
    saver: Mutex<Option<Saver>>,
    /// Somebody writes the end of the render: its own thread, or the one that watches.
    claimed: AtomicBool,
}

/// Makes what was filmed playable, from any thread, and gives the error back.
type Saver = Box<dyn FnOnce(RenderError) -> RenderError + Send>;

pub(super) fn saver(
    plan: &RenderPlan,
    out: &Arc<OutFolder>,
    film: &Arc<Film>,
    growing: &Path,
    caps: &BackendCaps,
) -> Saver {
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

    pub(super) fn save_with(&self, saver: Saver) {
        *self.saver.lock().unwrap_or_else(PoisonError::into_inner) = Some(saver);
    }

    /// The render's own thread writes the end. If the one that watches does already, the process ends with it.
    pub(super) fn claim(&self) {
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

    pub(super) fn stopper(&self, stopper: Option<Stopper>) {
        let mut now = self.lock();
        *now = stopper;
        // Asked before there were scripts.
        if let (Some(stopper), Some(Ended::Stopped)) = (&*now, self.patience.ended()) {
            stopper.stop();
        }
    }
}

/// Ends what does not end by itself soon after `cancel`, until `done`.
pub(super) fn stop_when_asked(cancel: &AtomicBool, done: &AtomicBool, asked: &Asked) {
    let mut times = 0;
    let (mut looks, mut tight): (u32, Option<u32>) = (0, None);
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
        looks += 1;
        let Some(room) = (looks % 2 == 0).then(Room::now).flatten() else { continue };
        if tight.is_none() && room.tight() {
            tight = Some(looks);
            if let Some(stopper) = &*asked.lock() {
                stopper.full(room.held, room.left);
            }
        }
        // Scripts stop at once, and then know their line; the engine and the driver do not.
        if tight.is_some_and(|first| room.spent(looks - first < SCRIPTS_STOP)) {
            let phase = asked.patience.frame().map_or(Phase::Load, Phase::Frame);
            let (held, left) = (room.held, room.left);
            asked.save(RuntimeError::Machine { phase, held, left, place: None }.into());
        }
    }
}

/// The error as it began: when nobody waits any more, what waited fails in ways of its own.
pub(super) fn waited_for(error: RenderError, patience: &Patience, frames: u64) -> RenderError {
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
/// How often so until scripts have stopped for want of memory.
const SCRIPTS_STOP: u32 = 20;
/// So long after the end of a frame's time, too; collecting garbage may take long.
const LOST_AFTER: Duration = Duration::from_secs(8);
