//! What a render takes of the machine: processor time, memory, energy.
//!
//! Looked at, never used: nothing of it reaches a frame. Energy is counted by RAPL (`/sys/class/powercap`), whose
//! counters wrap around; they are read often enough to notice ([`Meter::update`]). Newer kernels show them to root only.

#![expect(clippy::disallowed_methods, reason = "the kernel's counters of this process and machine")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::evidence::usage::{EnergyCounter, Usage};

const POWERCAP: &str = "/sys/class/powercap";

/// How long the GPU worked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuUse {
    /// `None`: the adapter does not tell.
    pub seconds: Option<f64>,
    /// Milliseconds for each frame of the film.
    pub frames: Vec<f64>,
    /// Why it is not known; or what is to be known of it.
    pub note: String,
}

/// Counts from when it was made.
#[derive(Debug)]
pub struct Meter {
    cpu: Option<(f64, f64)>,
    counters: Vec<Counter>,
    note: String,
}

impl Meter {
    pub fn start() -> Self {
        let (counters, note) = open(Path::new(POWERCAP));
        Self { cpu: cpu_seconds(), counters, note }
    }

    /// Takes in what the counters moved by; to be called more than once a wrap-around, which takes minutes.
    pub fn update(&mut self) {
        self.counters.iter_mut().for_each(Counter::update);
    }

    /// `gpu`: what the device told.
    pub fn finish(mut self, gpu: GpuUse) -> Usage {
        self.update();
        let cpu = self.cpu.zip(cpu_seconds()).map(|(from, to)| (to.0 - from.0, to.1 - from.1));
        Usage {
            cpu_user: cpu.map(|c| c.0),
            cpu_system: cpu.map(|c| c.1),
            peak_memory: peak_memory(),
            gpu: gpu.seconds,
            gpu_note: gpu.note,
            gpu_frames: gpu.frames,
            energy: self.counters.into_iter().map(Counter::total).collect(),
            energy_note: self.note,
        }
    }
}

/// Seconds of all threads of this process, in user mode and in the kernel.
fn cpu_seconds() -> Option<(f64, f64)> {
    #[cfg(unix)]
    {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
        // SAFETY: `usage` is of the size that the call fills, and is read only if the call says that it did.
        let usage =
            unsafe { (libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) == 0).then(|| usage.assume_init()) };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
        usage.map(|usage| (seconds(usage.ru_utime), seconds(usage.ru_stime)))
    }
    #[cfg(not(unix))]
    None
}

/// `VmHWM` of `/proc/self/status`, in bytes.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// One zone of RAPL. Microjoules.
#[derive(Debug)]
struct Counter {
    name: String,
    file: PathBuf,
    /// The value after which it starts again at 0.
    range: u64,
    last: u64,
    total: u64,
}

impl Counter {
    fn update(&mut self) {
        let Some(now) = number(&self.file) else { return };
        self.total += match now.checked_sub(self.last) {
            Some(moved) => moved,
            None => (self.range - self.last.min(self.range)).saturating_add(now).saturating_add(1),
        };
        self.last = now;
    }

    fn total(self) -> EnergyCounter {
        EnergyCounter {
            package: self.name.starts_with("package") && !self.name.contains('/'),
            joules: self.total as f64 * 1e-6,
            name: self.name,
        }
    }
}

/// The zones below `root`, or why there are none. The same counters as seen through memory-mapped registers
/// (`intel-rapl-mmio`) are left out.
fn open(root: &Path) -> (Vec<Counter>, String) {
    let Ok(entries) = fs::read_dir(root) else {
        return (Vec::new(), format!("this machine has no energy counters ({} is not there)", root.display()));
    };
    let mut zones: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.to_owned(), entry.path())))
        .filter(|(name, _)| name.starts_with("intel-rapl:"))
        .collect();
    zones.sort();
    if zones.is_empty() {
        return (Vec::new(), "this machine has no energy counters (no RAPL)".to_owned());
    }
    let name_of = |zone: &str| {
        let path = zones.iter().find(|(name, _)| name == zone).map(|(_, path)| path.join("name"))?;
        Some(fs::read_to_string(path).ok()?.trim().to_owned())
    };
    let mut counters = Vec::new();
    let mut refused = None;
    for (zone, path) in &zones {
        let file = path.join("energy_uj");
        if let Err(e) = fs::read_to_string(&file) {
            refused = Some(format!("the energy counters can't be read ({}: {e}); root may", file.display()));
            continue;
        }
        let (Some(last), Some(range), Some(name)) =
            (number(&file), number(&path.join("max_energy_range_uj")), name_of(zone))
        else {
            continue;
        };
        // A zone `intel-rapl:0:1` is a part of `intel-rapl:0`.
        let parent = zone.rsplit_once(':').and_then(|(parent, _)| name_of(parent));
        let name = parent.map_or(name.clone(), |parent| format!("{parent}/{name}"));
        counters.push(Counter { name, file, range, last, total: 0 });
    }
    let note =
        if counters.is_empty() { refused.unwrap_or_else(|| "RAPL has no counter".to_owned()) } else { String::new() };
    (counters, note)
}

fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(root: &Path, zone: &str, name: &str, energy: &str) {
        let path = root.join(zone);
        fs::create_dir_all(&path).unwrap();
        for (file, text) in [("name", name), ("energy_uj", energy), ("max_energy_range_uj", "999999")] {
            fs::write(path.join(file), format!("{text}\n")).unwrap();
        }
    }

    #[test]
    fn energy_is_counted_through_a_wrap_around() {
        let dir = tempfile::tempdir().unwrap();
        zone(dir.path(), "intel-rapl:0", "package-0", "900000");
        zone(dir.path(), "intel-rapl:0:0", "core", "10");
        zone(dir.path(), "intel-rapl-mmio:0", "package-0", "900000");
        fs::create_dir_all(dir.path().join("intel-rapl")).unwrap();
        let (counters, note) = open(dir.path());
        let mut meter = Meter { cpu: None, counters, note };
        // 900000 → 950000 → (wrapped) 250000: 50000, then 50000 to the top and one tick and 250000.
        for energy in ["950000", "250000"] {
            zone(dir.path(), "intel-rapl:0", "package-0", energy);
            meter.update();
        }
        let usage = meter.finish(GpuUse::default());
        let found: Vec<_> = usage.energy.iter().map(|c| (c.name.as_str(), c.package, c.joules)).collect();
        assert_eq!(found, [("package-0", true, 0.35), ("package-0/core", false, 0.0)]);
        assert!(usage.energy_note.is_empty());
    }

    #[test]
    fn a_machine_without_counters_says_so() {
        let dir = tempfile::tempdir().unwrap();
        assert!(open(dir.path()).1.contains("no RAPL"));
        assert!(open(&dir.path().join("none")).1.contains("not there"));
    }

    #[test]
    fn time_and_memory_of_this_process_grow() {
        let meter = Meter::start();
        let mut sum = 0u64;
        while cpu_seconds().unwrap().0 - meter.cpu.unwrap().0 < 0.02 {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        let usage = meter.finish(GpuUse { seconds: None, note: "no timestamps".into(), ..GpuUse::default() });
        assert!(usage.cpu_user.unwrap() >= 0.02 && usage.cpu_user.unwrap() < 10.0);
        assert!(usage.peak_memory.unwrap() > 1 << 20);
        assert!(usage.gpu.is_none() && usage.gpu_note == "no timestamps");
    }
}
