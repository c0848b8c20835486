//! The drawing state that `save()` keeps: transform, clip, styles, line and text settings.

use std::rc::Rc;

use kurbo::Affine;
use tiny_skia::{BlendMode, Mask};

use super::color::Rgba;
use super::filter::Filter;
use super::font::Font;
use super::image::Smoothing;
use super::paint::Style;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineCap {
    Butt,
    Round,
    Square,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineJoin {
    Miter,
    Round,
    Bevel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextAlign {
    Start,
    End,
    Left,
    Right,
    Center,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextBaseline {
    Top,
    Hanging,
    Middle,
    Alphabetic,
    Ideographic,
    Bottom,
}

/// HTML canvas "drawing state".
#[derive(Clone)]
pub struct State {
    pub transform: Affine,
    pub(super) clip: Option<Rc<Mask>>,
    pub fill: Style,
    pub stroke: Style,
    /// 0 to 1.
    pub alpha: f32,
    pub(super) blend: BlendMode,
    pub line_width: f64,
    pub line_cap: LineCap,
    pub line_join: LineJoin,
    pub miter_limit: f64,
    /// Even number of finite lengths ≥ 0.
    pub dash: Vec<f64>,
    pub dash_offset: f64,
    pub shadow_color: Rgba,
    pub shadow_blur: f64,
    pub shadow_offset: (f64, f64),
    pub(super) filter: Vec<Filter>,
    pub(super) font: Font,
    pub text_align: TextAlign,
    pub text_baseline: TextBaseline,
    pub letter_spacing: f32,
    pub word_spacing: f32,
    pub right_to_left: bool,
    pub smoothing: Smoothing,
}

impl Default for State {
    fn default() -> Self {
        Self {
            transform: Affine::IDENTITY,
            clip: None,
            fill: Style::Color(Rgba::BLACK),
            stroke: Style::Color(Rgba::BLACK),
            alpha: 1.0,
            blend: BlendMode::SourceOver,
            line_width: 1.0,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Miter,
            miter_limit: 10.0,
            dash: Vec::new(),
            dash_offset: 0.0,
            shadow_color: Rgba::TRANSPARENT,
            shadow_blur: 0.0,
            shadow_offset: (0.0, 0.0),
            filter: Vec::new(),
            font: Font::default(),
            text_align: TextAlign::Start,
            text_baseline: TextBaseline::Alphabetic,
            letter_spacing: 0.0,
            word_spacing: 0.0,
            right_to_left: false,
            smoothing: Smoothing::Low,
        }
    }
}

/// `globalCompositeOperation` names and their Porter-Duff or blend mode (Compositing and Blending 1).
const BLEND_MODES: [(&str, BlendMode); 26] = [
    ("source-over", BlendMode::SourceOver),
    ("source-in", BlendMode::SourceIn),
    ("source-out", BlendMode::SourceOut),
    ("source-atop", BlendMode::SourceAtop),
    ("destination-over", BlendMode::DestinationOver),
    ("destination-in", BlendMode::DestinationIn),
    ("destination-out", BlendMode::DestinationOut),
    ("destination-atop", BlendMode::DestinationAtop),
    ("lighter", BlendMode::Plus),
    ("copy", BlendMode::Source),
    ("xor", BlendMode::Xor),
    ("multiply", BlendMode::Multiply),
    ("screen", BlendMode::Screen),
    ("overlay", BlendMode::Overlay),
    ("darken", BlendMode::Darken),
    ("lighten", BlendMode::Lighten),
    ("color-dodge", BlendMode::ColorDodge),
    ("color-burn", BlendMode::ColorBurn),
    ("hard-light", BlendMode::HardLight),
    ("soft-light", BlendMode::SoftLight),
    ("difference", BlendMode::Difference),
    ("exclusion", BlendMode::Exclusion),
    ("hue", BlendMode::Hue),
    ("saturation", BlendMode::Saturation),
    ("color", BlendMode::Color),
    ("luminosity", BlendMode::Luminosity),
];

impl State {
    /// Sets `globalCompositeOperation`; false (and no change) for an unknown name.
    pub fn set_composite(&mut self, name: &str) -> bool {
        match BLEND_MODES.iter().find(|(known, _)| *known == name) {
            Some((_, mode)) => {
                self.blend = *mode;
                true
            }
            None => false,
        }
    }

    /// Sets `font` from a CSS shorthand; the serialised value, or `None` (and no change) when it does not parse.
    pub fn set_font(&mut self, css: &str) -> Option<String> {
        let font = Font::parse(css)?;
        let text = font.to_string();
        self.font = font;
        Some(text)
    }

    /// Sets `filter` from a CSS list; false (and no change) when it does not parse.
    pub fn set_filter(&mut self, css: &str) -> bool {
        match Filter::parse_list(css, self.font.size) {
            Some(filter) => {
                self.filter = filter;
                true
            }
            None => false,
        }
    }

    pub(super) fn skia_stroke(&self) -> tiny_skia::Stroke {
        use tiny_skia::{LineCap as Cap, LineJoin as Join, StrokeDash};
        let dash: Vec<f32> = self.dash.iter().map(|length| *length as f32).collect();
        tiny_skia::Stroke {
            width: self.line_width as f32,
            miter_limit: self.miter_limit as f32,
            line_cap: match self.line_cap {
                LineCap::Butt => Cap::Butt,
                LineCap::Round => Cap::Round,
                LineCap::Square => Cap::Square,
            },
            line_join: match self.line_join {
                LineJoin::Miter => Join::Miter,
                LineJoin::Round => Join::Round,
                LineJoin::Bevel => Join::Bevel,
            },
            dash: if dash.is_empty() { None } else { StrokeDash::new(dash, self.dash_offset as f32) },
        }
    }

    pub(super) fn kurbo_stroke(&self) -> kurbo::Stroke {
        let cap = match self.line_cap {
            LineCap::Butt => kurbo::Cap::Butt,
            LineCap::Round => kurbo::Cap::Round,
            LineCap::Square => kurbo::Cap::Square,
        };
        let join = match self.line_join {
            LineJoin::Miter => kurbo::Join::Miter,
            LineJoin::Round => kurbo::Join::Round,
            LineJoin::Bevel => kurbo::Join::Bevel,
        };
        kurbo::Stroke::new(self.line_width)
            .with_caps(cap)
            .with_join(join)
            .with_miter_limit(self.miter_limit)
            .with_dashes(self.dash_offset, self.dash.iter().copied())
    }
}
