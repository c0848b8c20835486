//! Pictures and pages for people: contact sheets, the map of a flight, the report.
//!
//! Takes finished outputs (through `verify`) and what was read and measured of them, gives bytes of PNG, JPEG, SVG and
//! HTML. The same input gives the same bytes. Writes no files, and must not know how anything was measured.

mod error;
mod load;
pub mod map;
mod markup;
pub mod page;
mod paint;
pub mod sheet;
mod shrink;

pub use error::ReportError;
pub use load::{MOST_EMBEDDED, Options, load};
pub use paint::Format;
