//! What a report says, ready to be written down: plain values, no files.

use crate::report::markup::Markup;

/// Something that was measured, or why it was not.
pub type Measured<T> = Result<T, String>;

#[derive(Clone, Debug)]
pub struct Page {
    pub title: String,
    /// Short facts under the title.
    pub facts: Vec<String>,
    pub film: Film,
    /// One plot each, in order.
    pub series: Vec<Series>,
    /// More of them, folded away.
    pub more: Vec<Series>,
    /// A verdict on the camera's surroundings per frame.
    pub contacts: Measured<Vec<Contact>>,
    /// Runs of frames with contact, gravest first.
    pub events: Vec<Event>,
    /// What was touched but counts for nothing, and cuts through walls.
    pub asides: Vec<Event>,
    /// What no number on the page should be read without: edited evidence, a render that did not end.
    pub alarms: Vec<String>,
    /// Frames that begin a new shot.
    pub cuts: Vec<u64>,
    pub groups: Vec<Group>,
    /// Inline SVG and where the camera is on it in each frame.
    pub map: Measured<MapPart>,
    pub cells: Measured<Vec<Cell>>,
    pub provenance: Vec<Table>,
    /// What the program and the engine complained of.
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Film {
    /// Relative address or data URL, and pixels.
    pub video: Measured<Video>,
    pub frames: u64,
    /// Frames a second as a fraction.
    pub rate: (u32, u32),
}

#[derive(Clone, Debug)]
pub struct Video {
    pub source: String,
    /// `None` if neither the file nor the manifest tells.
    pub size: Option<(u32, u32)>,
}

/// A value per frame.
#[derive(Clone, Debug)]
pub struct Series {
    /// Short and unique: `speed`.
    pub id: String,
    pub title: String,
    pub unit: String,
    /// `None`: not measured in that frame.
    pub values: Measured<Vec<Option<f64>>>,
    /// Peak, RMS and the like: name and value.
    pub summary: Vec<(String, String)>,
    /// Values to draw a line at: what it means, and the value.
    pub marks: Vec<(String, f64)>,
    /// What rounding alone would show: below it nothing is measured, and the plot does not zoom in further.
    pub noise: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    Clear,
    Near,
    Glued,
    Inside,
    PassedThrough,
    Unknown,
}

impl Contact {
    /// In the data and the style sheet.
    pub fn code(self) -> char {
        match self {
            Self::Clear => 'c',
            Self::Near => 'n',
            Self::Glued => 'g',
            Self::Inside => 'i',
            Self::PassedThrough => 'p',
            Self::Unknown => 'u',
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Near => "near",
            Self::Glued => "glued",
            Self::Inside => "inside",
            Self::PassedThrough => "passed through",
            Self::Unknown => "not measured",
        }
    }
}

/// Frames `first` to `last` with the same contact.
#[derive(Clone, Debug)]
pub struct Event {
    pub first: u64,
    pub last: u64,
    pub contact: Contact,
    pub object: Option<String>,
    /// Least distance in metres.
    pub distance: Option<f64>,
    /// What is to be known of it; may be empty.
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Fail,
    /// Worth a look, no failure.
    Note,
    NotMeasured,
}

impl Verdict {
    pub fn class(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Note => "note",
            Self::NotMeasured => "none",
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "passed",
            Self::Fail => "failed",
            Self::Note => "note",
            Self::NotMeasured => "not measured",
        }
    }
}

/// Verdicts under one heading.
#[derive(Clone, Debug)]
pub struct Group {
    pub title: String,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug)]
pub struct Row {
    /// `H1`; may be empty.
    pub id: String,
    pub title: String,
    pub verdict: Verdict,
    /// The reason in one line.
    pub said: String,
    /// The numbers behind it.
    pub details: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub struct MapPart {
    pub svg: Markup,
    /// Of the SVG, in its own units.
    pub width: u32,
    /// Per frame, in the SVG's own units.
    pub places: Vec<Option<[f64; 2]>>,
}

/// One picture of the contact sheet.
#[derive(Clone, Debug)]
pub struct Cell {
    pub frame: u64,
    /// Seconds, where known.
    pub time: Option<f64>,
    /// A data URL.
    pub picture: String,
    pub width: u32,
    pub height: u32,
}

/// Names and values under one heading; long ones start folded.
#[derive(Clone, Debug)]
pub struct Table {
    pub title: String,
    pub rows: Vec<(String, String)>,
    pub folded: bool,
}
