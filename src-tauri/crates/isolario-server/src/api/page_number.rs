//! Pages by number, as lists of the reference have them.

use serde::Deserialize;
use utoipa::IntoParams;

use super::ApiError;
use super::v1::parameters::{limit_named, offset};

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageNumberQuery {
    /// Number of the page, from 0. A page after the last is empty.
    #[param(value_type = Option<i64>, minimum = 0)]
    page: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200, default = 50)]
    items_per_page: Option<String>,
}

impl PageNumberQuery {
    /// How many rows stand before the page, and how long it is; `None` where no page is asked for.
    ///
    /// # Errors
    /// 400 for what is no number.
    pub fn asked(&self) -> Result<Option<(i64, usize)>, ApiError> {
        let length = limit_named("items_per_page", self.items_per_page.as_ref(), 50)?;
        let number = offset("page", self.page.as_ref())?;
        let rows = i64::try_from(length).unwrap_or(i64::MAX);
        Ok(number.map(|number| (number.saturating_mul(rows), length)))
    }

    /// As `asked`; the first page where none is asked for.
    ///
    /// # Errors
    /// As `asked`.
    pub fn or_first(&self) -> Result<(i64, usize), ApiError> {
        let length = limit_named("items_per_page", self.items_per_page.as_ref(), 50)?;
        Ok(self.asked()?.unwrap_or((0, length)))
    }
}
