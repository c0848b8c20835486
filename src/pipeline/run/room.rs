//! What is left of the machine's memory. The last of all limits: what no other one counts (a driver's memory, a decoder's)
//! must not have the kernel kill the render, and with it what was filmed.

#![expect(clippy::disallowed_methods, reason = "the machine's memory, which no frame sees")]

use std::fs::read_to_string;

/// Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// What this process holds, files left out.
    pub held: u64,
    /// What may still be had.
    pub left: u64,
    pub total: u64,
}

/// Of a large machine no more is kept free.
const MOST_SPARED: u64 = 2 << 30;

impl Room {
    /// What the kernel says, and a control group around this process; `None` where neither does.
    pub fn now() -> Option<Self> {
        let info = read_to_string("/proc/meminfo").ok()?;
        let pages = read_to_string("/proc/self/statm").ok()?;
        Self::read(&info, &pages, allowed())
    }

    fn read(info: &str, pages: &str, allowed: Option<u64>) -> Option<Self> {
        let of = |name: &str| {
            let line = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
        };
        let mut pages = pages.split_whitespace().skip(1).map_while(|n| n.parse::<u64>().ok());
        let held = pages.next()?.saturating_sub(pages.next()?).saturating_mul(4096);
        let total = of("MemTotal")?;
        let left = of("MemAvailable")?.saturating_add(of("SwapFree").unwrap_or(0));
        let room = Self { held, left, total };
        Some(match allowed {
            Some(most) if most < total => Self { held, left: left.min(most.saturating_sub(held)), total: most },
            _ => room,
        })
    }

    /// Is it nearly used up, and much of it by this process?
    pub fn tight(&self) -> bool {
        self.below(16)
    }

    /// Is there no time to lose?
    pub fn spent(&self, sooner: bool) -> bool {
        self.below(if sooner { 64 } else { 32 })
    }

    fn below(&self, part: u64) -> bool {
        self.held > self.total / 4 && self.left < self.total.min(16 * MOST_SPARED) / part
    }
}

/// What the control groups around this process allow, of both versions; where they are mounted as this process' own root, too.
fn allowed() -> Option<u64> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = |mark: &str| {
        groups.lines().find_map(|line| line.split_once(mark)).map_or("", |(_, path)| path).trim_end_matches('/')
    };
    let (first, second) = (own(":memory:"), own("0::"));
    let files = [
        format!("/sys/fs/cgroup{second}/memory.max"),
        "/sys/fs/cgroup/memory.max".to_owned(),
        format!("/sys/fs/cgroup/memory{first}/memory.limit_in_bytes"),
        "/sys/fs/cgroup/memory/memory.limit_in_bytes".to_owned(),
    ];
    files.iter().filter_map(|file| read_to_string(file).ok()?.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable:    900000 kB\nSwapTotal: 0 kB\nSwapFree:              0 kB\n";

    #[test]
    fn reads_what_the_kernel_writes() {
        // proc(5): size, resident, shared, in pages.
        let room = Room::read(INFO, "9000000 2500000 100 5 0 6 0\n", None).unwrap();
        let (held, left, total) = (2_499_900 * 4096, 900_000 * 1024, 16_000_000 * 1024);
        assert_eq!(room, Room { held, left, total });
        assert!(room.tight() && !room.spent(false));
        assert!(Room::read(INFO, "9000000 250000 100 5 0 6 0\n", None).is_some_and(|room| !room.tight()), "not ours");
        let group = Room::read(INFO, "9000000 250000 0 5 0 6 0\n", Some(1_040_000_000)).unwrap();
        assert_eq!((group.total, group.left), (1_040_000_000, 16_000_000));
        assert!(group.tight() && group.spent(true));
        // Without a limit, cgroups 1 say a number beyond all.
        assert_eq!(Room::read(INFO, "9000000 2500000 100", Some(1 << 62)).map(|room| room.total), Some(total));
        assert_eq!(Room::read("", "1 2 3", None), None);
    }
}
