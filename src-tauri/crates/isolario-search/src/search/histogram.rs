//! How many of the found items are from which time.

use super::columns;
use crate::bits::Bits;
use crate::error::SearchError;
use crate::index::schema::{FIRST_DAY, LAST_DAY, UNDATED};
use crate::index::snapshot::Segment;

/// The years that are counted. Dates before and after are in the first and the last.
const YEARS: (i32, i32) = (-10_000, 12_000);

/// At this distance from 1970 a date has no beginning or no end.
const UNBOUNDED: i64 = 3_650_000;

/// Years of a histogram; of more, decades are counted.
const MOST_YEARS: i32 = 40;
/// Years of a histogram of decades; of more, centuries are counted.
const MOST_YEARS_OF_DECADES: i32 = 400;

/// The found items by time. An item whose date spans several bars is in each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// How many years a bar has: 1, 10 or 100.
    pub years: i32,
    /// The first year of each bar and how many items it has, without gaps. The century `1900` is 1900 to 1999.
    pub bars: Vec<(i32, usize)>,
    /// How many items have no date.
    pub undated: usize,
}

/// Counts dates over all segments, in bars of each size.
pub struct DateCounter {
    /// For each size the differences between a bar and the one before.
    sizes: [(i32, Vec<i64>); 3],
    /// The first and the last year of dates that have a beginning and an end.
    span: Option<(i32, i32)>,
    undated: usize,
}

impl Default for DateCounter {
    fn default() -> DateCounter {
        let bars = |years: i32| {
            let bars = bar(YEARS.1, years) - bar(YEARS.0, years) + 2;
            (years, vec![0; usize::try_from(bars).unwrap_or_default()])
        };
        DateCounter {
            sizes: [bars(1), bars(10), bars(100)],
            span: None,
            undated: 0,
        }
    }
}

/// The bar of a year, counted from year 0.
fn bar(year: i32, years: i32) -> i32 {
    year.div_euclid(years)
}

/// The bars of a year in the sizes that are counted.
fn bars(year: i32) -> [i32; 3] {
    // The compiler divides faster by numbers that it knows.
    [year, bar(year, 10), bar(year, 100)]
}

impl DateCounter {
    /// Counts some documents of a segment.
    pub fn count(&mut self, segment: &Segment<'_>, documents: &Bits) -> Result<(), SearchError> {
        let starts = columns::days(segment, FIRST_DAY)?;
        let ends = columns::days(segment, LAST_DAY)?;
        columns::for_each(&starts, &ends, documents, |_, first, last| {
            self.add(first, last)
        });
        Ok(())
    }

    fn add(&mut self, first: i64, last: i64) {
        if (first, last) == UNDATED {
            self.undated += 1;
            return;
        }
        let (from, to) = (year_of(first), year_of(last));
        let bounded = [(from, first), (to, last)];
        let bounded = bounded.iter().filter(|(_, day)| day.abs() < UNBOUNDED);
        for (year, _) in bounded {
            let (low, high) = self.span.unwrap_or((*year, *year));
            self.span = Some((low.min(*year), high.max(*year)));
        }
        let lowest = bars(YEARS.0);
        let places = bars(from).into_iter().zip(bars(to)).zip(lowest);
        for ((_, differences), ((from, to), lowest)) in self.sizes.iter_mut().zip(places) {
            let place = |bar| usize::try_from(bar - lowest);
            if let (Ok(from), Ok(to)) = (place(from), place(to)) {
                differences[from] += 1;
                differences[to + 1] -= 1;
            }
        }
    }

    /// The bars from the first to the last date that has a beginning or an end.
    pub fn histogram(self) -> Histogram {
        let Some((first, last)) = self.span else {
            return Histogram {
                years: 100,
                bars: Vec::new(),
                undated: self.undated,
            };
        };
        let size = match last - first {
            0..MOST_YEARS => 0,
            MOST_YEARS..MOST_YEARS_OF_DECADES => 1,
            _ => 2,
        };
        let (years, differences) = &self.sizes[size];
        let mut sum = 0;
        let counts = differences.iter().map(|difference| {
            sum += difference;
            usize::try_from(sum).unwrap_or_default()
        });
        let bars = (bar(YEARS.0, *years)..).zip(counts);
        let bars = bars.map(|(bar, count)| (bar * years, count));
        let within = bars.filter(|(year, _)| (bar(first, *years) * years..=last).contains(year));
        Histogram {
            years: *years,
            bars: within.collect(),
            undated: self.undated,
        }
    }
}

/// The year of a day. With the first of March as the first day of a year its leap day is the last.
fn year_of(day: i64) -> i32 {
    const OF_400_YEARS: i64 = 146_097;
    const FROM_MARCH_OF_YEAR_0: i64 = 719_468;
    const BEFORE_JANUARY: i64 = 306;
    let day = day.clamp(-2 * UNBOUNDED, 2 * UNBOUNDED) + FROM_MARCH_OF_YEAR_0;
    let (era, day) = (day.div_euclid(OF_400_YEARS), day.rem_euclid(OF_400_YEARS));
    let leap_days = day / 1_460 - day / 36_524 + day / (OF_400_YEARS - 1);
    let year = (day - leap_days) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let year = 400 * era + year + i64::from(day_of_year >= BEFORE_JANUARY);
    i32::try_from(year).map_or(YEARS.1, |year| year.clamp(YEARS.0, YEARS.1))
}

#[cfg(test)]
mod tests {
    use chrono::Datelike as _;
    use isolario_model::fields::days_of;

    use super::*;

    fn histogram(dates: &[&str]) -> Histogram {
        let mut counter = DateCounter::default();
        for date in dates {
            let (first, last) = days_of(date).unwrap_or(UNDATED);
            counter.add(first, last);
        }
        counter.histogram()
    }

    #[test]
    fn every_day_has_its_year() {
        let first = chrono::NaiveDate::from_ymd_opt(YEARS.0, 1, 1).unwrap();
        let epoch = chrono::NaiveDate::default();
        let days = first
            .iter_days()
            .step_by(7)
            .take_while(|day| day.year() < YEARS.1);
        for day in days {
            let number = day.signed_duration_since(epoch).num_days();
            assert_eq!(year_of(number), day.year(), "{day}");
        }
        assert_eq!([i64::MIN, i64::MAX].map(year_of), [YEARS.0, YEARS.1]);
    }

    #[test]
    fn the_span_chooses_years_decades_or_centuries() {
        let years = histogram(&["1901", "1903-05", "1901/1902", ""]);
        assert_eq!((years.years, years.undated), (1, 1));
        assert_eq!(years.bars, [(1901, 2), (1902, 1), (1903, 1)]);
        let decades = histogram(&["1569", "1571", "1620", "1565/1572"]);
        assert_eq!(decades.years, 10);
        assert_eq!(decades.bars.first(), Some(&(1560, 2)));
        assert_eq!(decades.bars[1], (1570, 2));
        assert_eq!((decades.bars.len(), decades.bars[6]), (7, (1620, 1)));
        let centuries = histogram(&["-0043-03-15", "1999"]);
        assert_eq!((centuries.years, centuries.bars.len()), (100, 21));
        assert_eq!(centuries.bars.first(), Some(&(-100, 1)));
        assert_eq!(centuries.bars.last(), Some(&(1900, 1)));
    }

    #[test]
    fn a_date_without_end_does_not_stretch_the_span() {
        let open = histogram(&["1990/..", "1995"]);
        assert_eq!(open.bars.first(), Some(&(1990, 1)));
        assert_eq!(open.bars.last(), Some(&(1995, 2)));
        assert_eq!(histogram(&["Y-170000000", "..", ""]).bars, []);
        assert!(histogram(&["Y170000000", "1000"]).bars.len() < 300);
    }
}
