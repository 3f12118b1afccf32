//! Laws that hold for every input, not examples.
//!
//! Each law is a function over any problem; `over_all!` runs it on letters, on
//! rows and on rows in several segments. `MVDIFF_CASES=100000` runs more.

mod budgets;
mod cases;
mod judge;
mod moves;
mod rows;
mod scripts;
mod swapped;

/// The result of checking a law.
type Law = Result<(), proptest::test_runner::TestCaseError>;

fn broken(law: impl Into<String>) -> proptest::test_runner::TestCaseError {
    proptest::test_runner::TestCaseError::fail(law.into())
}

/// Runs laws `fn(&impl Problem, ..) -> Law` on every kind of problem.
macro_rules! over_all {
    ($($law:ident($($arg:ident in $values:expr),*);)*) => {
        over_all!(@on letters: $($law($($arg in $values),*);)*);
        over_all!(@on rows: $($law($($arg in $values),*);)*);
        over_all!(@on files: $($law($($arg in $values),*);)*);
    };
    (@on $kind:ident: $($law:ident($($arg:ident in $values:expr),*);)*) => {
        mod $kind {
            proptest::proptest! {
                #![proptest_config($crate::cases::config())]
                $(
                    #[test]
                    fn $law(case in $crate::cases::$kind(), $($arg in $values),*) {
                        super::$law(&case.problem(), $(&$arg),*)?;
                    }
                )*
            }
        }
    };
}
pub(crate) use over_all;
