//! Days of the 1900 date system and their ISO 8601 form.
//!
//! Day 1 is 1 January 1900, and day 60 is 29 February 1900, which never was: the
//! format inherited it. Below one there is a time and no day.

const MILLIS_A_DAY: i64 = 86_400_000;

/// Days between the first day of the 1904 date system and that of the 1900 one.
pub const DAYS_1904: f64 = 1462.0;

/// The day after the last one that spreadsheet programs know, 31 December 9999.
pub const END: f64 = 2_958_466.0;

/// The time in whole milliseconds; what differs by less is the same time.
#[must_use]
pub fn millis(days: f64) -> i64 {
    (days * MILLIS_A_DAY as f64).round() as i64
}

/// `2026-11-16`, `2026-11-16T09:30:00`, or `09:30:00` without a day.
#[must_use]
pub fn to_iso(days: f64) -> String {
    let millis = millis(days);
    let (day, rest) = (
        millis.div_euclid(MILLIS_A_DAY),
        millis.rem_euclid(MILLIS_A_DAY),
    );
    let date = match day {
        0 => String::new(),
        60 => "1900-02-29".to_owned(),
        _ => {
            let (y, m, d) = civil(if day < 60 { day + 1 } else { day });
            format!("{y:04}-{m:02}-{d:02}")
        }
    };
    if rest == 0 && day != 0 {
        return date;
    }
    let seconds = rest / 1_000;
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut time = format!("{h:02}:{m:02}:{s:02}");
    if rest % 1_000 != 0 {
        let fraction = format!(".{:03}", rest % 1_000);
        time.push_str(fraction.trim_end_matches('0'));
    }
    if day == 0 {
        time
    } else {
        format!("{date}T{time}")
    }
}

/// The days that [`to_iso`] wrote so.
#[must_use]
pub fn from_iso(text: &str) -> Option<f64> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (Some(date), Some(time)),
        None if text.contains(':') => (None, Some(text)),
        None => (Some(text), None),
    };
    let day = match date {
        None => 0,
        Some("1900-02-29") => 60,
        Some(date) => {
            let mut parts = date.split('-').map(|part| part.parse::<u32>().ok());
            let (y, m, d) = (parts.next()??, parts.next()??, parts.next()??);
            let real = (1899..=9999).contains(&y) && (1..=12).contains(&m) && (1..=31).contains(&d);
            if parts.next().is_some() || !real {
                return None;
            }
            let day = days_from_civil(i64::from(y), m, d);
            if civil(day) != (i64::from(y), m, d) {
                return None;
            }
            if day <= 60 { day - 1 } else { day }
        }
    };
    let millis = match time {
        None => 0,
        Some(time) => {
            let mut parts = time.split(':');
            let (h, m, s) = (parts.next()?, parts.next()?, parts.next()?);
            let (h, m) = (h.parse::<u32>().ok()?, m.parse::<u32>().ok()?);
            let s = s.parse::<f64>().ok()?;
            if parts.next().is_some() || h > 23 || m > 59 || !(0.0..60.0).contains(&s) {
                return None;
            }
            i64::from(h * 3600 + m * 60) * 1_000 + (s * 1e3).round() as i64
        }
    };
    Some(day as f64 + millis as f64 / MILLIS_A_DAY as f64)
}

/// Year, month and day of a day counted from 30 December 1899, on a calendar
/// without the false leap day.
fn civil(day: i64) -> (i64, u32, u32) {
    // Eras of 400 years that begin in March, so that the leap day comes last.
    let z = day - 25_569 + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let d = day_of_year - (153 * month + 2) / 5 + 1;
    let m = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(m <= 2);
    (year, m as u32, d as u32)
}

/// The day, counted as [`civil`] does.
fn days_from_civil(year: i64, m: u32, d: u32) -> i64 {
    let y = year - i64::from(m <= 2);
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let month = i64::from(if m > 2 { m - 3 } else { m + 9 });
    let day_of_year = (153 * month + 2) / 5 + i64::from(d) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468 + 25_569
}

#[cfg(test)]
mod tests {
    use super::{END, from_iso, millis, to_iso};

    #[test]
    fn days_are_what_spreadsheet_programs_show() {
        for (days, iso) in [
            (0.5, "12:00:00"),
            (0.0, "00:00:00"),
            (1.0, "1900-01-01"),
            (59.0, "1900-02-28"),
            (60.0, "1900-02-29"),
            (61.0, "1900-03-01"),
            (45_943.5, "2025-10-13T12:00:00"),
            (END - 1.0, "9999-12-31"),
        ] {
            assert_eq!(to_iso(days), iso);
            assert_eq!(from_iso(iso), Some(days));
        }
    }

    #[test]
    fn every_day_and_odd_times_come_back() {
        for day in (0..END as i64).step_by(61) {
            let days = day as f64 + f64::from((day % 86_400) as u32) / 86_400.0 + 2e-7;
            let iso = to_iso(days);
            assert_eq!(from_iso(&iso).map(millis), Some(millis(days)), "{iso}");
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2025",
            "2025-13-01",
            "2025-02-30",
            "25:00:00",
            "2025-01-01T",
            "x-1-1",
        ] {
            assert_eq!(from_iso(text), None, "{text:?}");
        }
    }
}
