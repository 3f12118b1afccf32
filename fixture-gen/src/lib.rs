//! Generates workbook pairs with known differences.
//!
//! A [`model::Book`] has rows, columns and sheets with identities. An
//! [`editor::Editor`] does to it what people do; [`truth::operations`] then says
//! which operations a right answer consists of, and [`xlsx::bytes`] writes both
//! sides. The engine is never asked.

pub mod case;
pub mod editor;
pub mod expect;
pub mod fixtures;
pub mod formula;
pub mod make;
pub mod model;
pub mod positions;
pub mod random;
pub mod rng;
pub mod table;
pub mod truth;
pub mod unambiguous;
pub mod xlsx;
