//! Work on nested programs, on a stack of known size.

/// Room for the deepest nesting the parser lets through, several times over, in a build without optimisation.
const STACK: usize = 32 << 20;

/// Runs `work` on a thread of its own: however little stack the caller has left, nesting cannot exhaust it.
/// `None` if no thread could be made or `work` panicked.
pub(super) fn run<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("shader".into()).stack_size(STACK);
        thread.spawn_scoped(scope, work).ok()?.join().ok()
    })
}
