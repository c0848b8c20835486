//! What a render took of the machine: part of `timing.json`. Never part of what must repeat.

use serde::{Deserialize, Serialize};

/// Of one process. `None` where the machine does not tell; the reason stands beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Seconds of all threads in user mode, and in the kernel (`getrusage`).
    pub cpu_user: Option<f64>,
    pub cpu_system: Option<f64>,
    /// Most memory resident at once, in bytes (`VmHWM`).
    pub peak_memory: Option<u64>,
    /// Seconds the GPU worked on the program's drawing, by the adapter's own timestamps around every submission, from the
    /// page's load to the last frame. A driver that draws on the processor times the same stretches there.
    pub gpu: Option<f64>,
    /// Why that is not known; or what is to be known of it.
    pub gpu_note: String,
    /// Milliseconds of it for each frame of the film, with all since the frame before; the first has the load's.
    pub gpu_frames: Vec<f64>,
    /// Counters of RAPL while the render ran: whole packages, with what else ran on them.
    pub energy: Vec<EnergyCounter>,
    pub energy_note: String,
}

/// One counter of `/sys/class/powercap`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyCounter {
    /// `package-0`, `dram`, …
    pub name: String,
    /// Counts a whole socket: the sum of these is the machine's, others are parts of them.
    pub package: bool,
    pub joules: f64,
}
