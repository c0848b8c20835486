//! What the render took, out of `timing.json`.

use super::input::Timing;
use super::record::{Bytes, Cost, CpuTime, Energy, GpuTime, Measured};
use super::stat;
use crate::evidence::usage::Usage;

pub fn measure(timing: &Timing, frames: u64) -> Cost {
    let wall = timing.total / 1000.0;
    let nothing = Usage { gpu_note: NOT_KEPT.to_owned(), energy_note: NOT_KEPT.to_owned(), ..Usage::default() };
    let usage = timing.usage.as_ref().unwrap_or(&nothing);
    let cpu = usage.cpu_user.zip(usage.cpu_system);
    let packages = || usage.energy.iter().filter(|c| c.package);
    let joules: f64 = packages().map(|c| c.joules).sum();
    let or = |note: &str, other: &str| if note.is_empty() { other.to_owned() } else { note.to_owned() };
    Cost {
        wall,
        wall_per_frame: (frames > 0).then(|| (timing.total - timing.load) / 1000.0 / frames as f64),
        cpu: cpu
            .map(|(user, system)| CpuTime { user, system, total: user + system })
            .ok_or_else(|| NOT_KEPT.to_owned())
            .into(),
        peak_memory: usage.peak_memory.map(|bytes| Bytes { bytes }).ok_or_else(|| NOT_KEPT.to_owned()).into(),
        gpu: usage.gpu.map(|seconds| gpu(seconds, usage)).ok_or_else(|| or(&usage.gpu_note, NOT_KEPT)).into(),
        energy: if packages().next().is_some() {
            Measured::Yes(Energy {
                joules,
                watts: if wall > 0.0 { joules / wall } else { 0.0 },
                domains: usage.energy.iter().map(|c| (c.name.clone(), c.joules)).collect(),
            })
        } else {
            Measured::not(or(&usage.energy_note, NOT_KEPT))
        },
    }
}

fn gpu(seconds: f64, usage: &Usage) -> GpuTime {
    let frames: Vec<_> = usage.gpu_frames.iter().copied().map(Some).collect();
    GpuTime { seconds, frame: stat::of(&frames), note: usage.gpu_note.clone() }
}

const NOT_KEPT: &str = "timing.json does not tell";
