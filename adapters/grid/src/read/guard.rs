//! A reader that panics gives an error like any other.

use super::error::ReadError;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// A panic on this thread will be caught.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Says nothing on stderr about panics of a reader, which become errors. Without
/// this the panic is reported there as well. For programs: a library does not change
/// how a program panics unless asked.
pub fn keep_caught_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !CAUGHT.get() {
                before(panic);
            }
        }));
    });
}

/// Runs the reader; if it panics, that is an error like any other.
pub(super) fn guarded<T>(
    part: &str,
    read: impl FnOnce() -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let outer = CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    CAUGHT.set(outer);
    result.unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(ReadError::Broke {
            part: part.to_owned(),
            what: first_line(what.unwrap_or("no reason given")),
        })
    })
}

/// A failed assertion goes on with its values, and trouble is one line.
fn first_line(what: &str) -> String {
    what.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{guarded, keep_caught_panics_quiet};
    use crate::read::error::ReadError;

    #[test]
    fn a_panic_is_an_error() {
        keep_caught_panics_quiet();
        let broke = guarded::<()>("part", || panic!("at {}", 7));
        assert!(matches!(broke, Err(ReadError::Broke { what, .. }) if what == "at 7"));
        assert!(matches!(guarded("part", || Ok(1)), Ok(1)));
        let lines = guarded::<()>("part", || panic!("two\nlines"));
        assert!(matches!(lines, Err(ReadError::Broke { what, .. }) if what == "two"));
    }
}
