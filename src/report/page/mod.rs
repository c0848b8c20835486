//! `report.html`: one page without any network, with all that is known of a run.
//!
//! Everything stands in the page: style, script, data, pictures; only the video may lie beside it. A content security
//! policy lets nothing else in, whatever a program under test has put into its names and messages.

mod collect;
mod model;
#[cfg(test)]
mod tests;
mod values;
mod write;

pub use collect::Sources;
pub use model::{Cell, Contact, Event, Film, Group, MapPart, Measured, Page, Row, Series, Table, Verdict, Video};
pub use write::data_url;
