//! How many of the found items are from which time.

use std::sync::LazyLock;

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

/// Counts dates over all segments.
pub struct DateCounter {
    /// How many dates begin in a year, the first of `YEARS` first.
    beginnings: Vec<i64>,
    /// How many dates end in a year.
    ends: Vec<i64>,
    /// The first and the last day of dates that have a beginning and an end.
    span: Option<(i64, i64)>,
    undated: usize,
}

impl Default for DateCounter {
    fn default() -> DateCounter {
        let years = FIRST_DAYS.len() - 1;
        DateCounter {
            beginnings: vec![0; years],
            ends: vec![0; years],
            span: None,
            undated: 0,
        }
    }
}

/// The bar of a year, counted from year 0.
fn bar(year: i32, years: i32) -> i32 {
    year.div_euclid(years)
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
        for day in [first, last] {
            if (1 - UNBOUNDED..UNBOUNDED).contains(&day) {
                let (low, high) = self.span.unwrap_or((day, day));
                self.span = Some((low.min(day), high.max(day)));
            }
        }
        self.beginnings[place_of(first)] += 1;
        self.ends[place_of(last)] += 1;
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
        let (first, last) = (year_of(first), year_of(last));
        let years = match last - first {
            0..MOST_YEARS => 1,
            MOST_YEARS..MOST_YEARS_OF_DECADES => 10,
            _ => 100,
        };
        let differences = self.differences(years);
        let mut sum = 0;
        let counts = differences.iter().map(|difference| {
            sum += difference;
            usize::try_from(sum).unwrap_or_default()
        });
        let bars = (bar(YEARS.0, years)..).zip(counts);
        let bars = bars.map(|(bar, count)| (bar * years, count));
        let within = bars.filter(|(year, _)| (bar(first, years) * years..=last).contains(year));
        Histogram {
            years,
            bars: within.collect(),
            undated: self.undated,
        }
    }

    /// How many more dates a bar of some years has than the one before it.
    fn differences(&self, years: i32) -> Vec<i64> {
        let lowest = bar(YEARS.0, years);
        let place = |year| usize::try_from(bar(year, years) - lowest).unwrap_or_default();
        let mut differences = vec![0; place(YEARS.1) + 2];
        let dates = self.beginnings.iter().zip(&self.ends);
        for (year, (beginnings, ends)) in (YEARS.0..).zip(dates) {
            differences[place(year)] += beginnings;
            differences[place(year) + 1] -= ends;
        }
        differences
    }
}

/// The first day of each of `YEARS` and of the year after them, in days since 1970.
static FIRST_DAYS: LazyLock<Vec<i64>> = LazyLock::new(|| {
    const FROM_YEAR_1_TO_1970: i64 = 719_162;
    let first_day = |year: i32| {
        let before = i64::from(year) - 1;
        let leap_days = before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
        365 * before + leap_days - FROM_YEAR_1_TO_1970
    };
    (YEARS.0..=YEARS.1 + 1).map(first_day).collect()
});

/// The place of the year of a day among `YEARS`.
fn place_of(day: i64) -> usize {
    const DAYS_OF_400_YEARS: i64 = 146_097;
    let days = &*FIRST_DAYS;
    let last = days.len() - 2;
    // Years have a mean length, from which the day of none is more than one away.
    let year = 1970 + (400 * day.clamp(days[0], days[last + 1] - 1)).div_euclid(DAYS_OF_400_YEARS);
    let place = usize::try_from(year - i64::from(YEARS.0)).unwrap_or_default();
    let place = place.min(last);
    if day < days[place] {
        place.saturating_sub(1)
    } else if day >= days[place + 1] {
        (place + 1).min(last)
    } else {
        place
    }
}

fn year_of(day: i64) -> i32 {
    i32::try_from(place_of(day)).map_or(YEARS.1, |place| YEARS.0 + place)
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
