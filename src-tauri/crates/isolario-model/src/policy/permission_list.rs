//! The permissions that a role can have. Those of content, media and terms there are for each bundle.

use serde::Serialize;
use utoipa::ToSchema;

use crate::content::{Bundle, ContentModel, EntityKind};

/// What a permission is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PermissionArea)]
pub enum Area {
    Content,
    Media,
    Files,
    Terms,
    People,
    Service,
}

/// The permissions, in the order in which people look for them (names: interface, Authentication, and those of the
/// reference). One with a placeholder stands for as many as there are bundles.
const TEMPLATES: &[(Area, &str)] = &[
    (Area::Content, "access content"),
    (Area::Content, "create {bundle} content"),
    (Area::Content, "edit own {bundle} content"),
    (Area::Content, "edit any {bundle} content"),
    (Area::Content, "delete own {bundle} content"),
    (Area::Content, "delete any {bundle} content"),
    (Area::Content, "view own unpublished content"),
    (Area::Content, "view any unpublished content"),
    (Area::Content, "view all revisions"),
    (Area::Content, "revert all revisions"),
    (Area::Content, "review content"),
    (Area::Content, "share content"),
    (Area::Content, "administer nodes"),
    (Area::Content, "bypass node access"),
    (Area::Media, "view media"),
    (Area::Media, "create media"),
    (Area::Media, "update media"),
    (Area::Media, "update own media"),
    (Area::Media, "update any media"),
    (Area::Media, "delete media"),
    (Area::Media, "delete any media"),
    (Area::Media, "create {type} media"),
    (Area::Media, "edit own {type} media"),
    (Area::Media, "edit any {type} media"),
    (Area::Media, "delete own {type} media"),
    (Area::Media, "delete any {type} media"),
    (Area::Media, "view own unpublished media"),
    (Area::Media, "administer media"),
    (Area::Files, "delete own files"),
    (Area::Files, "delete any file"),
    (Area::Terms, "create terms in {vid}"),
    (Area::Terms, "edit terms in {vid}"),
    (Area::Terms, "delete terms in {vid}"),
    (Area::Terms, "administer taxonomy"),
    (Area::People, "access user profiles"),
    (Area::People, "administer users"),
    (Area::People, "administer permissions"),
    (Area::Service, "create url aliases"),
    (Area::Service, "administer url aliases"),
    (Area::Service, "administer redirects"),
    (Area::Service, "view checksums"),
    (Area::Service, "use islandora workbench"),
];

/// The placeholders of permissions that there are for each bundle of a kind.
const PLACEHOLDERS: [(&str, EntityKind); 3] = [
    ("{bundle}", EntityKind::Node),
    ("{type}", EntityKind::Media),
    ("{vid}", EntityKind::Term),
];

/// A permission that a role can have.
#[derive(Debug, Clone, PartialEq)]
pub struct Permission<'m> {
    pub name: String,
    pub area: Area,
    /// Its name with a placeholder for the bundle, where it is about one.
    pub template: &'static str,
    pub bundle: Option<&'m Bundle>,
}

/// The permissions that there are with this content model, those of one template one after another.
pub fn permissions(model: &ContentModel) -> impl Iterator<Item = Permission<'_>> {
    TEMPLATES.iter().flat_map(move |&(area, template)| {
        let made = expand(template, model).into_iter();
        made.map(move |(name, bundle)| Permission {
            name,
            area,
            template,
            bundle,
        })
    })
}

/// The names that a template stands for, with their bundles; of one without a placeholder, itself.
pub fn expand<'m>(template: &str, model: &'m ContentModel) -> Vec<(String, Option<&'m Bundle>)> {
    let mut placeholders = PLACEHOLDERS.iter();
    let Some((placeholder, kind)) = placeholders.find(|(name, _)| template.contains(name)) else {
        return vec![(template.to_owned(), None)];
    };
    let bundles = model.bundles_of(*kind).map(AsRef::as_ref);
    let named = |bundle: &'m Bundle| (template.replace(placeholder, &bundle.id), Some(bundle));
    bundles.map(named).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TEMPLATES, permissions};
    use crate::content::seed::shipped;

    #[test]
    fn the_roles_of_a_new_repository_permit_nothing_else() {
        let known: BTreeSet<&str> = TEMPLATES.iter().map(|(_, name)| *name).collect();
        for role in shipped().expect("the assets are readable").roles {
            for name in role.permissions.iter().chain(&role.added) {
                assert!(known.contains(name.as_str()), "{name} of {}", role.name);
            }
        }
    }

    #[test]
    fn each_has_one_name() {
        let model = shipped().expect("the assets are readable").model;
        let names: Vec<String> = permissions(&model).map(|one| one.name).collect();
        let different: BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len());
        assert!(names.contains(&"edit any page content".to_owned()));
        assert!(!names.iter().any(|name| name.contains('{')));
    }
}
