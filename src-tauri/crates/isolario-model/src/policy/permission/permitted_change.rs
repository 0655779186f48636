//! Values that prove a decision of the policy. The storage functions that change something demand them.

use std::marker::PhantomData;

use super::{Denial, Operation, Subject, may, may_run_server};
use crate::content::EntityKind;
use crate::policy::Actor;

/// The lifetime of a transaction. No lifetime takes the place of another here, so what is permitted in one transaction
/// is not permitted in the next.
pub(super) type Transaction<'t> = PhantomData<fn(&'t ()) -> &'t ()>;

/// A change of one resource, file or account that the policy permits in one transaction.
///
/// Only the policy makes one:
/// ```
/// use isolario_model::content::{Entity, EntityKind};
/// use isolario_model::policy::{Actor, Operation, Subject, permit};
/// let page = Entity::new(EntityKind::Node, "page");
/// let permitted = permit(&Actor::program(), Operation::Create, &Subject::of(&page)).unwrap();
/// assert!(permitted.is_for_new(EntityKind::Node, "page"));
/// ```
/// ```compile_fail,E0451
/// use isolario_model::content::EntityKind;
/// use isolario_model::policy::{Operation, PermittedChange};
/// let permitted = PermittedChange {
///     operation: Operation::Create,
///     kind: EntityKind::Node,
///     id: 0,
///     bundle: "page".into(),
///     transaction: std::marker::PhantomData,
/// };
/// ```
#[derive(Debug)]
pub struct PermittedChange<'t> {
    operation: Operation,
    kind: EntityKind,
    id: i64,
    bundle: String,
    transaction: Transaction<'t>,
}

impl PermittedChange<'_> {
    pub(super) fn new(operation: Operation, subject: &Subject<'_>) -> Self {
        PermittedChange {
            operation,
            kind: subject.kind,
            id: subject.id,
            bundle: subject.bundle.to_owned(),
            transaction: PhantomData,
        }
    }

    /// Whether one of these operations on that row is permitted.
    pub fn is_for(&self, operations: &[Operation], kind: EntityKind, id: i64) -> bool {
        operations.contains(&self.operation) && self.kind == kind && self.id == id
    }

    /// Whether it is permitted to create such a thing.
    pub fn is_for_new(&self, kind: EntityKind, bundle: &str) -> bool {
        self.is_for(&[Operation::Create], kind, 0) && self.bundle == bundle
    }

    /// Whether the permitted change gives a resource its content: fields, and files in them.
    pub fn gives_content(&self) -> bool {
        let operations = [
            Operation::Create,
            Operation::Update,
            Operation::ReplaceBytes,
            Operation::Revert,
        ];
        !matches!(self.kind, EntityKind::File | EntityKind::User)
            && operations.contains(&self.operation)
    }

    pub(super) fn gives_content_to(&self, subject: &Subject<'_>) -> bool {
        self.gives_content() && (self.kind, self.id) == (subject.kind, subject.id)
    }
}

/// Decides as `may`, and proves it.
///
/// # Errors
/// As `may`.
pub fn permit<'t>(
    actor: &Actor,
    operation: Operation,
    subject: &Subject<'_>,
) -> Result<PermittedChange<'t>, Denial> {
    may(actor, operation, subject)?;
    Ok(PermittedChange::new(operation, subject))
}

/// A change of the repository itself that the policy permits in one transaction: of its settings, content model
/// and watch rules, and of whole rows when they are made from records.
///
/// Only the policy makes one:
/// ```
/// use isolario_model::policy::{Actor, permit_server};
/// let permitted = permit_server(&Actor::program()).unwrap();
/// ```
/// ```compile_fail,E0423
/// use isolario_model::policy::PermittedServerChange;
/// let permitted = PermittedServerChange(std::marker::PhantomData);
/// ```
#[derive(Debug)]
pub struct PermittedServerChange<'t>(Transaction<'t>);

/// Decides as `may_run_server`, and proves it.
///
/// # Errors
/// As `may_run_server`.
pub fn permit_server<'t>(actor: &Actor) -> Result<PermittedServerChange<'t>, Denial> {
    may_run_server(actor)?;
    Ok(PermittedServerChange(PhantomData))
}
