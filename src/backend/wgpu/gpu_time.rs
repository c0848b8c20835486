//! How long the GPU was at work: two timestamps around each submission, read back behind it without waiting.
//!
//! A timestamp is written when all work before it is done (wgpu writes it at the bottom of the pipe), and a device has one
//! queue: the stretches do not overlap, and their sum is no more than the wall's time. Nothing of it reaches a frame.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::present::{FAILED, MAPPED, PENDING};

/// Bytes of two timestamps.
const SIZE: u64 = 16;

/// What all contexts of a device took. Seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuTime {
    pub total: f64,
    /// Number of a presented frame → the time of all that its contexts submitted since the frame before.
    pub frames: BTreeMap<u64, f64>,
}

/// [`GpuTime`], added to by the contexts' threads.
#[derive(Debug, Default)]
pub struct GpuTimes(Mutex<GpuTime>);

impl GpuTimes {
    pub fn told(&self) -> GpuTime {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, seconds: f64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).total += seconds;
    }

    fn add_frame(&self, frame: u64, seconds: f64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).frames.entry(frame).or_default() += seconds;
    }
}

/// Where the timestamps of one submission go.
#[derive(Debug)]
pub struct Lap {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

impl Lap {
    fn new(device: &wgpu::Device) -> Self {
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: SIZE,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            read: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
        }
    }

    /// Ahead of the submission's first command.
    pub fn begin(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.write_timestamp(&self.set, 0);
    }

    /// Behind its last one.
    pub fn end(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.write_timestamp(&self.set, 1);
        encoder.resolve_query_set(&self.set, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read, 0, SIZE);
    }

    /// Ticks between the two; `None` if they cannot be read or the counter began anew between them.
    fn ticks(&self) -> Option<u64> {
        let view = self.read.get_mapped_range(..).ok()?;
        let (pair, _) = view.as_chunks::<8>();
        let [begin, end] = pair else { return None };
        u64::from_le_bytes(*end).checked_sub(u64::from_le_bytes(*begin))
    }
}

/// A submission whose timestamps are on their way.
#[derive(Debug)]
struct Running {
    lap: Lap,
    state: Arc<AtomicU8>,
    /// Frames presented before it.
    presented: u64,
}

/// The laps of one context.
#[derive(Debug)]
pub struct Stopwatch {
    times: Arc<GpuTimes>,
    seconds_per_tick: f64,
    free: Vec<Lap>,
    running: VecDeque<Running>,
    /// Frames presented, and of those the ones that came out.
    presented: u64,
    delivered: u64,
    /// Seconds of frames that have not come out: how many were presented before.
    sums: VecDeque<(u64, f64)>,
}

impl Stopwatch {
    /// `None`: the adapter has no timestamps.
    pub fn new(device: &super::WgpuDevice) -> Option<Self> {
        Some(Self {
            times: device.gpu_times.clone()?,
            seconds_per_tick: f64::from(device.queue.get_timestamp_period()) * 1e-9,
            free: Vec::new(),
            running: VecDeque::new(),
            presented: 0,
            delivered: 0,
            sums: VecDeque::new(),
        })
    }

    pub fn lap(&mut self, device: &wgpu::Device) -> Lap {
        self.free.pop().unwrap_or_else(|| Lap::new(device))
    }

    /// `lap` was submitted.
    pub fn submitted(&mut self, lap: Lap) {
        let state = Arc::new(AtomicU8::new(PENDING));
        lap.read.map_async(wgpu::MapMode::Read, .., {
            let state = state.clone();
            move |result| state.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release)
        });
        self.running.push_back(Running { lap, state, presented: self.presented });
        self.collect();
    }

    /// The next lap belongs to the next frame.
    pub fn presented(&mut self) {
        self.presented += 1;
    }

    /// The oldest frame that was presented came out.
    pub fn delivered(&mut self, frame: u64) {
        self.collect();
        let mut seconds = 0.0;
        while let Some((_, lap)) = self.sums.pop_front_if(|(presented, _)| *presented <= self.delivered) {
            seconds += lap;
        }
        self.delivered += 1;
        self.times.add_frame(frame, seconds);
    }

    /// Takes in the laps that are done.
    pub fn collect(&mut self) {
        while let Some(done) = self.running.pop_front_if(|lap| lap.state.load(Ordering::Acquire) != PENDING) {
            if done.state.load(Ordering::Acquire) != MAPPED {
                continue;
            }
            let seconds = done.lap.ticks().unwrap_or(0) as f64 * self.seconds_per_tick;
            done.lap.read.unmap();
            self.free.push(done.lap);
            self.times.add(seconds);
            match self.sums.back_mut() {
                Some((presented, sum)) if *presented == done.presented => *sum += seconds,
                _ => self.sums.push_back((done.presented, seconds)),
            }
        }
    }
}
