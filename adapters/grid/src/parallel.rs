//! Two sides at once.

/// Does the work of both sides, on two threads if `at_once`.
pub(crate) fn both<T: Send>(at_once: bool, work: impl Fn(usize) -> T + Sync) -> [T; 2] {
    if !at_once {
        return [work(0), work(1)];
    }
    std::thread::scope(|scope| {
        let other = scope.spawn(|| work(1));
        let first = work(0);
        match other.join() {
            Ok(second) => [first, second],
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
