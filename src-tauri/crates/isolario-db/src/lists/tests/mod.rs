//! Lists over small repositories made here, compared with the rules said plainly.

mod at_scale;
mod costs;
mod descendants;
mod due;
mod field_order;
mod paging;
mod plans;
mod policy;
mod rules;
mod terms;
mod world;
