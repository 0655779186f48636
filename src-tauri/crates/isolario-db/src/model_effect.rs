//! Counts the resources that a change of the content model concerns. Each count reads the resources of one bundle.

use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::entity::table;
use super::{DbError, Read};
use isolario_model::content::EntityKind;

/// Which resources of a bundle are counted, by their values of a field.
#[derive(Debug, Clone, Copy)]
pub enum ResourceCount<'q> {
    /// All, those in the trash too.
    All,
    With(&'q str),
    Without(&'q str),
    /// Those with more values.
    MoreThan(&'q str, usize),
    /// Those that refer to terms or nodes of other bundles.
    TargetsBeyond(&'q str, EntityKind, &'q [String]),
    /// Those with other values.
    ValuesBeyond(&'q str, &'q [String]),
    /// Those with a value of more characters.
    LongerThan(&'q str, usize),
}

impl Read<'_> {
    /// How many resources of a bundle there are of which this is true.
    pub fn count_resources(
        &self,
        kind: EntityKind,
        bundle: &str,
        which: ResourceCount<'_>,
    ) -> Result<u64, DbError> {
        let (condition, mut values) = condition(which)?;
        let live = match which {
            ResourceCount::All => "",
            _ => " AND deleted IS NULL",
        };
        let table = table(kind);
        let sql = format!(
            "SELECT count(*) FROM {table} resource WHERE bundle = ?1{live} AND {condition}"
        );
        values.insert(0, Value::from(bundle.to_owned()));
        let mut statement = self.connection.prepare(&sql)?;
        let count: i64 = statement.query_row(params_from_iter(values), |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }
}

/// A condition whose parameters begin at `?2`.
fn condition(which: ResourceCount<'_>) -> Result<(String, Vec<Value>), DbError> {
    let path = |field: &str| Value::from(format!("$.\"{field}\""));
    let number = |number: usize| Value::from(i64::try_from(number).unwrap_or(i64::MAX));
    let names = |names: &[String]| serde_json::to_string(names).map(Value::from);
    let counted = "ifnull(json_array_length(resource.document, ?2), 0)";
    Ok(match which {
        ResourceCount::All => ("true".into(), Vec::new()),
        ResourceCount::With(field) => (format!("{counted} > 0"), vec![path(field)]),
        ResourceCount::Without(field) => (format!("{counted} = 0"), vec![path(field)]),
        ResourceCount::MoreThan(field, most) => {
            (format!("{counted} > ?3"), vec![path(field), number(most)])
        }
        ResourceCount::TargetsBeyond(field, target, bundles) => (
            format!(
                "EXISTS (SELECT 1 FROM json_each(resource.document, ?2) item
                 JOIN {} target ON target.id = json_extract(item.value, '$.target_id')
                 WHERE target.bundle NOT IN (SELECT value FROM json_each(?3)))",
                table(target)
            ),
            vec![path(field), names(bundles)?],
        ),
        ResourceCount::ValuesBeyond(field, allowed) => (
            "EXISTS (SELECT 1 FROM json_each(resource.document, ?2) item
             WHERE json_extract(item.value, '$.value') NOT IN (SELECT value FROM json_each(?3)))"
                .into(),
            vec![path(field), names(allowed)?],
        ),
        ResourceCount::LongerThan(field, most) => (
            "EXISTS (SELECT 1 FROM json_each(resource.document, ?2) item
             WHERE length(json_extract(item.value, '$.value')) > ?3)"
                .into(),
            vec![path(field), number(most)],
        ),
    })
}
