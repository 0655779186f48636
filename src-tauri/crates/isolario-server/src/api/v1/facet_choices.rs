//! Facets as requests name them: values that are chosen, and facets that are counted.

use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::{IntoParams, PartialSchema};

use super::item_fields::field_names;
use super::parameters::{LONGEST_PAGE, limit_up_to, refused};
use crate::api::ApiError;
use isolario_core::search::SearchNames;
use isolario_search::{Choice, FacetRequest};

/// Choices of facets.
const MOST_CHOSEN: usize = 100;
/// Facets that are counted at once.
const MOST_FACETS: usize = 40;
/// The name of the parameter that chooses a value of a facet.
const CHOSEN: &str = "chosen";

/// The parameter that chooses values of facets. It can be given several times, so it is read from all parameters.
pub enum ChosenQuery {}

impl IntoParams for ChosenQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let chosen = ParameterBuilder::new()
            .name(CHOSEN)
            .parameter_in(ParameterIn::Query)
            .explode(Some(true))
            .description(Some(
                "A value of a facet: `subject:12`. It can be given several times. Several values of one facet mean any of them; several facets must all fit.",
            ))
            .schema(Some(Vec::<String>::schema()));
        vec![chosen.build()]
    }
}

/// The values that are chosen.
///
/// # Errors
/// 400 for a facet that there is not, for no value, and for too many.
pub fn choices(
    known: &SearchNames,
    parameters: &[(String, String)],
) -> Result<Vec<Choice>, ApiError> {
    let mut choices: Vec<Choice> = Vec::new();
    let chosen = parameters.iter().filter(|(name, _)| name == CHOSEN);
    for (count, (_, chosen)) in chosen.enumerate() {
        if count == MOST_CHOSEN {
            return Err(refused(CHOSEN, "given at most a hundred times"));
        }
        let (facet, value) = chosen.split_once(':').unwrap_or((chosen, ""));
        require_facet(known, facet)?;
        if value.is_empty() {
            return Err(refused(CHOSEN, "the name of a facet, a colon and a value"));
        }
        let value = value.to_owned();
        match choices.iter_mut().find(|choice| choice.facet == facet) {
            Some(choice) => choice.values.push(value),
            None => choices.push(Choice {
                facet: facet.to_owned(),
                values: vec![value],
            }),
        }
    }
    Ok(choices)
}

fn require_facet(known: &SearchNames, facet: &str) -> Result<(), ApiError> {
    let there_is_none = || ApiError::bad_request(format!("There is no facet \"{facet}\"."));
    known.facet(facet).map(|_| ()).ok_or_else(there_is_none)
}

/// The facets that are counted, each with so many values.
///
/// # Errors
/// 400 for a facet that there is not, and for too many.
pub fn requests(
    known: &SearchNames,
    asked: Option<&String>,
    limit: usize,
) -> Result<Vec<FacetRequest>, ApiError> {
    let names = field_names("facets", asked, MOST_FACETS)?.into_iter();
    let requests = names.map(|facet| {
        require_facet(known, &facet)?;
        Ok(FacetRequest { facet, limit })
    });
    requests.collect()
}

/// How many values of a facet are told.
///
/// # Errors
/// 400 for no such number.
pub fn values_limit(value: Option<&String>) -> Result<usize, ApiError> {
    limit_up_to(value, 20, LONGEST_PAGE).map_err(|error| ApiError {
        message: error.message.replace("\"limit\"", "\"values\""),
        ..error
    })
}
