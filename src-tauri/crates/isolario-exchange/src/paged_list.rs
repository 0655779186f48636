//! Lists of resources of a site, page by page where the site pages.

use isolario_model::content::EntityKind;
use serde_json::Value;

use crate::remote::RemoteEntity;
use crate::site::{Site, SiteError};

/// A page with fewer entries is the last one: sites page by 5 at least.
const SHORTEST_PAGE: usize = 5;

/// Reads a list page by page.
pub struct PagedList<'s> {
    site: &'s Site,
    path: String,
    kind: EntityKind,
    next: Option<u64>,
    /// Identity of the first entry of the page before: a site that knows no pages gives the same list again.
    former: Option<String>,
}

/// A page, and how many of its entries are not resources of the kind.
pub struct Page {
    pub entities: Vec<RemoteEntity>,
    pub unreadable: usize,
}

impl<'s> PagedList<'s> {
    /// The list at a path without a query.
    pub fn new(site: &'s Site, path: &str, kind: EntityKind) -> PagedList<'s> {
        PagedList {
            site,
            path: path.to_owned(),
            kind,
            next: Some(0),
            former: None,
        }
    }

    /// The next page; `None` behind the last one, or where there is no list at all.
    ///
    /// # Errors
    /// What the site refuses or fails at; `NotJson` where the answer is no list.
    pub async fn next(&mut self) -> Result<Option<Page>, SiteError> {
        let Some(number) = self.next.take() else {
            return Ok(None);
        };
        // Without a number, an Isolario gives the whole list at once.
        let path = format!("{}?_format=json&page={number}", self.path);
        let Some(answer) = self.site.json(&path).await? else {
            return match number {
                0 => Err(missing()),
                _ => Ok(None),
            };
        };
        let Value::Array(entries) = answer.json else {
            return Err(SiteError::NotJson);
        };
        let count = entries.len();
        let kind = self.kind;
        let entities = entries.into_iter();
        let entities: Vec<RemoteEntity> = entities
            .filter_map(|entry| RemoteEntity::read(kind, entry))
            .collect();
        let first = entities.first().map(|entity| entity.uuid.clone());
        if first.is_none() || first == self.former {
            return Ok((count > 0 && number == 0).then_some(Page {
                unreadable: count,
                entities: Vec::new(),
            }));
        }
        self.former = first;
        self.next = (count >= SHORTEST_PAGE).then_some(number + 1);
        Ok(Some(Page {
            unreadable: count - entities.len(),
            entities,
        }))
    }
}

fn missing() -> SiteError {
    SiteError::Refused {
        status: 404,
        message: "there is no such list".into(),
    }
}
