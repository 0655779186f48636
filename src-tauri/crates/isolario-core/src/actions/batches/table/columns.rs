//! What the columns of a table are for.

use super::super::table_plan::TableOptions;
use super::problem::{TableProblem, TableProblemCode};
use isolario_model::content::{ContentModel, EntityKind, FieldDefinition};
use isolario_model::tables::{Column, all_columns};

/// What a column is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ColumnUse {
    /// The item that the row changes; empty for a new one.
    Node,
    /// How other rows name this one.
    RowId,
    /// The row of the item that this one becomes a member of.
    Parent,
    /// The type of a new item.
    Type,
    /// When the item was last changed, as the table has it.
    Changed,
    Field(Column),
    /// A file for a media use by its name; that of original files for none.
    File(String),
    Ignored,
}

/// Columns with a meaning of their own.
const NAMED: [(&str, ColumnUse); 6] = [
    ("node_id", ColumnUse::Node),
    ("id", ColumnUse::RowId),
    ("parent_id", ColumnUse::Parent),
    ("type", ColumnUse::Type),
    ("changed", ColumnUse::Changed),
    ("file", ColumnUse::File(String::new())),
];
/// How a column of files begins that are not original ones: `file:Transcript`.
const FILE: &str = "file";
/// How names of fields begin.
const FIELD_PREFIX: &str = "field_";
/// How alike a name and a suggestion are at least, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The columns of a heading.
///
/// # Errors
/// The problems of the heading.
pub(super) fn read_heading(
    model: &ContentModel,
    heading: &[String],
    options: &TableOptions,
) -> Result<Vec<ColumnUse>, Vec<TableProblem>> {
    let known: Vec<Column> = all_columns(model).collect();
    let (mut uses, mut problems) = (Vec::<ColumnUse>::new(), Vec::new());
    for name in heading {
        let name = name.trim();
        let meant = options.columns.get(name).map_or(name, String::as_str);
        let is_ignored =
            options.ignored.iter().any(|one| one == name) || (meant.is_empty() && !name.is_empty());
        let found = match is_ignored {
            true => Some(ColumnUse::Ignored),
            false => use_of(model, &known, meant),
        };
        let found = found.unwrap_or_else(|| {
            let reason = match name {
                "" => TableProblemCode::EmptyHeading,
                _ => TableProblemCode::UnknownColumn,
            };
            problems.push(TableProblem {
                suggestion: guess(model, &known, name),
                ..TableProblem::of_cell(1, name, name, reason)
            });
            ColumnUse::Ignored
        });
        if found != ColumnUse::Ignored && uses.contains(&found) {
            problems.push(TableProblem::of_cell(
                1,
                name,
                name,
                TableProblemCode::RepeatedColumn,
            ));
        }
        uses.push(found);
    }
    match problems.is_empty() {
        true => Ok(uses),
        false => Err(problems),
    }
}

/// By name, or else by the label of a field, whatever the case.
fn use_of(model: &ContentModel, known: &[Column], name: &str) -> Option<ColumnUse> {
    let (typed, name) = (name, name.to_lowercase());
    if let Some((FILE, _)) = name.split_once(':') {
        let media_use = typed.get(FILE.len() + 1..).unwrap_or_default();
        return Some(ColumnUse::File(media_use.trim().to_owned()));
    }
    if let Some((_, found)) = NAMED.iter().find(|(named, _)| *named == name) {
        return Some(found.clone());
    }
    let labelled = || {
        let types = model.bundles_of(EntityKind::Node);
        let mut fields = types.flat_map(|bundle| &bundle.fields);
        let labelled = fields.find(|field| field.label.to_lowercase() == name)?;
        known.iter().find(|column| column.field() == labelled.name)
    };
    let named = known.iter().find(|column| column.name == name);
    named.or_else(labelled).cloned().map(ColumnUse::Field)
}

/// The column that the heading of another program probably means: by the last word of `Dublin Core:Title` or
/// `dcterms:title`, which may be a name, a label, or the RDF property of a field; otherwise a name that is like it.
fn guess(model: &ContentModel, known: &[Column], name: &str) -> Option<String> {
    let last = |text: &str| {
        let word = text.rsplit([':', '/', '#', '.']).next().unwrap_or(text);
        let word = word.trim().to_lowercase();
        word.replace([' ', '-'], "_")
    };
    let wanted = last(name);
    let by_name = || {
        let alike = |column: &&Column| {
            column.name == wanted || column.name.strip_prefix(FIELD_PREFIX) == Some(&wanted)
        };
        known.iter().find(alike)
    };
    let by_field = || {
        let types = model.bundles_of(EntityKind::Node);
        let alike = |field: &FieldDefinition| {
            last(&field.label) == wanted
                || field
                    .predicates
                    .iter()
                    .any(|property| last(property) == wanted)
        };
        let found = types
            .flat_map(|bundle| &bundle.fields)
            .find(|field| alike(field))?;
        known.iter().find(|column| column.field() == found.name)
    };
    let found = by_name().or_else(by_field).filter(|_| !wanted.is_empty());
    let found = found.map(|column| column.name.clone());
    found.or_else(|| nearest(name, known.iter().map(|column| column.name.as_str())))
}

/// The name that is most like another one.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let wanted = name.to_lowercase();
    let alike = names.map(|one| (strsim::jaro_winkler(&wanted, &one.to_lowercase()), one));
    let best = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(likeness, _)| *likeness >= ALIKE)
        .map(|(_, name)| name.to_owned())
}
