//! What the plan of a statement costs, and which costs are allowed.

use crate::{DbError, Lists};

/// What may be read whole or sorted, and why.
const EXCEPTIONS: [(&str, &str, &str); 17] = [
    (
        "SELECT value AS id FROM json_each(?)",
        "USE TEMP B-TREE FOR ORDER BY",
        "what is hidden below the collections in which somebody has roles, each once",
    ),
    (
        "json_each(",
        "VIRTUAL TABLE INDEX",
        "the items of one state of a media",
    ),
    (
        "SELECT DISTINCT id FROM (",
        "USE TEMP B-TREE FOR",
        "a filter is walked instead of the list only where it leaves at most 10,000 candidates, which are then sorted",
    ),
    (
        " f ON f.id = l.node",
        "USE TEMP B-TREE FOR ORDER BY",
        "a list of at most 10,000 is sorted by the values of a field",
    ),
    (
        "FROM taxonomy_term t INDEXED BY taxonomy_term_name",
        "SCAN t USING INDEX taxonomy_term_name",
        "the names of terms are the order: walked until the page is full",
    ),
    (
        "LIMIT ?) l WHERE",
        "SCAN l",
        "a total is estimated from the first 10,000 rows of a list",
    ),
    (
        "FROM media m INDEXED BY media_live",
        "SCAN m USING INDEX media_live",
        "counted no further than 10,000",
    ),
    (
        "FROM media i INDEXED BY media_live",
        "SCAN i USING INDEX media_live",
        "all media are the list: walked from its beginning to the end of the page",
    ),
    (
        "FROM media i INDEXED BY media_live",
        "SCAN p",
        "the rows of that page",
    ),
    (
        "FROM media h INDEXED BY media_hidden",
        "SCAN h USING INDEX media_hidden",
        "an index of unpublished media alone, for those who may not see them",
    ),
    (
        "r.target_kind = 'file' AND r.target_id = ?1",
        "USE TEMP B-TREE FOR",
        "the media that hold one file",
    ),
    (
        "r.target_kind = 'node' AND r.target_id = ? AND r.kind = 'media'",
        "USE TEMP B-TREE FOR ORDER BY",
        "the media of one node",
    ),
    (
        "FROM 'main'.'",
        "_text_config",
        "the few settings of the full-text index, asked by SQLite itself",
    ),
    (
        "term_text MATCH",
        "USE TEMP B-TREE FOR ORDER BY",
        "terms with a word, of one vocabulary, not nodes",
    ),
    (
        "term_text MATCH",
        "VIRTUAL TABLE INDEX",
        "the full-text index is asked by words",
    ),
    (
        "FROM derivative d WHERE d.mid = ?1",
        "USE TEMP B-TREE FOR",
        "what follows the upload of one media",
    ),
    (
        "FROM derivative d WHERE d.product = ?1",
        "USE TEMP B-TREE FOR",
        "what was made as one media",
    ),
];

/// What the plan of a statement does that no exception allows.
pub fn findings_in(read: &Lists<'_>, sql: &str) -> Result<Vec<String>, DbError> {
    let mut statement = read
        .connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let lines = statement
        .raw_query()
        .mapped(|row| row.get::<_, String>(3))
        .collect::<Result<Vec<_>, _>>()?;
    let is_allowed = |line: &str| {
        EXCEPTIONS
            .iter()
            .any(|(of, what, _)| sql.contains(of) && line.contains(what))
    };
    let bad = lines
        .iter()
        .filter(|line| is_costly(line) && !is_allowed(line));
    Ok(bad
        .map(|line| format!("{line}\n  in {sql}\n  planned as {lines:#?}"))
        .collect())
}

/// A table or an index read from end to end, or rows sorted.
fn is_costly(line: &str) -> bool {
    // Our own few rows: a subquery of candidates, the path upwards.
    let own = [
        "SCAN c",
        "SCAN (subquery",
        "SCAN above",
        "SCAN below",
        "SCAN CONSTANT ROW",
    ];
    let scan = line.starts_with("SCAN") && !own.iter().any(|name| line.starts_with(name));
    // All references of a kind are as good as the table.
    let whole_kind = line.ends_with("(kind=?)") || line.contains("AUTOMATIC");
    scan || whole_kind || line.contains("TEMP B-TREE")
}
