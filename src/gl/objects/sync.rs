//! Sync objects: deterministic, signalled from the task after the one that made them.

#[derive(Debug)]
pub struct Sync {
    /// Task counter at `fenceSync`.
    pub task: u64,
}
