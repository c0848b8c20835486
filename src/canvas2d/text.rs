//! Text: shaped by parley with the page's own fonts and the bundled DejaVu (what Debian's Chromium takes for the generic families),
//! glyph outlines by skrifa, drawn as paths. System fonts are never looked at: they differ from machine to machine.

use std::cell::RefCell;
use std::collections::BTreeSet;

use kurbo::{Affine, BezPath};
use parley::fontique::{Blob, Collection, CollectionOptions, FontInfoOverride, GenericFamily, SourceCache};
use parley::{
    FontContext, FontFamily, FontStyle, FontWeight, Layout, LayoutContext, PositionedLayoutItem, StyleProperty,
};
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, GlyphId, MetadataProvider};

use super::raster::FillRule;
use super::state::{TextAlign, TextBaseline};
use super::{Canvas, State};

/// `TextMetrics`, in CSS pixels relative to the anchor point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextMetrics {
    pub width: f64,
    pub actual_left: f64,
    pub actual_right: f64,
    pub actual_ascent: f64,
    pub actual_descent: f64,
    pub font_ascent: f64,
    pub font_descent: f64,
    pub em_ascent: f64,
    pub em_descent: f64,
    pub hanging: f64,
    pub alphabetic: f64,
    pub ideographic: f64,
}

/// Characters of a text that are looked at; what comes after them is far outside any canvas.
const MAX_CHARACTERS: usize = 1 << 16;

struct Fonts {
    fonts: FontContext,
    layouts: LayoutContext<()>,
}

thread_local! {
    static FONTS: RefCell<Fonts> = RefCell::new(bundled());
    /// Families of the page's own, in lower case.
    static PAGE: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    static MISSING: RefCell<BTreeSet<char>> = const { RefCell::new(BTreeSet::new()) };
}

/// Characters kept of those that no font has.
const MAX_MISSING: usize = 4096;

/// The characters drawn on this thread that no font has, in order: they came out as boxes.
pub fn missing_characters() -> Vec<char> {
    MISSING.with_borrow(|missing| missing.iter().copied().collect())
}

/// A new page begins on this thread: no character is missing, no font is the page's own.
pub fn new_page() {
    MISSING.take();
    if !PAGE.take().is_empty() {
        FONTS.replace(bundled());
    }
}

/// Makes a font's bytes known as `family`, in front of what is bundled. Does it hold a font?
pub(super) fn register(family: &str, weight: Option<f32>, italic: Option<bool>, font: Vec<u8>) -> bool {
    let known = FONTS.with_borrow_mut(|fonts| {
        let over = FontInfoOverride {
            family_name: Some(family),
            weight: weight.map(FontWeight::new),
            style: italic.map(|italic| if italic { FontStyle::Italic } else { FontStyle::Normal }),
            ..FontInfoOverride::default()
        };
        !fonts.fonts.collection.register_fonts(Blob::new(std::sync::Arc::new(font)), Some(over)).is_empty()
    });
    if known {
        PAGE.with_borrow_mut(|page| page.insert(family.to_lowercase()));
    }
    known
}

/// Is `c` seen only by what it does to its neighbours? Without a glyph, nothing is drawn for it in browsers either.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Families a page may ask for by name, and the generic one that stands for it.
const ALIASES: [(&str, GenericFamily); 16] = [
    ("arial", GenericFamily::SansSerif),
    ("helvetica", GenericFamily::SansSerif),
    ("helvetica neue", GenericFamily::SansSerif),
    ("verdana", GenericFamily::SansSerif),
    ("tahoma", GenericFamily::SansSerif),
    ("segoe ui", GenericFamily::SansSerif),
    ("roboto", GenericFamily::SansSerif),
    ("inter", GenericFamily::SansSerif),
    ("impact", GenericFamily::SansSerif),
    ("times", GenericFamily::Serif),
    ("times new roman", GenericFamily::Serif),
    ("georgia", GenericFamily::Serif),
    ("courier", GenericFamily::Monospace),
    ("courier new", GenericFamily::Monospace),
    ("consolas", GenericFamily::Monospace),
    ("menlo", GenericFamily::Monospace),
];

fn bundled() -> Fonts {
    let mut collection = Collection::new(CollectionOptions { shared: false, system_fonts: false });
    let faces: [(&[GenericFamily], &[&'static [u8]]); 3] = [
        (
            &[
                GenericFamily::SansSerif,
                GenericFamily::SystemUi,
                GenericFamily::UiSansSerif,
                GenericFamily::Cursive,
                GenericFamily::Fantasy,
            ],
            &[dejavu::sans::regular(), dejavu::sans::bold(), dejavu::sans::oblique(), dejavu::sans::bold_oblique()],
        ),
        (
            &[GenericFamily::Serif, GenericFamily::UiSerif],
            &[dejavu::serif::regular(), dejavu::serif::bold(), dejavu::serif::italic(), dejavu::serif::bold_italic()],
        ),
        (
            &[GenericFamily::Monospace, GenericFamily::UiMonospace],
            &[
                dejavu::sans_mono::regular(),
                dejavu::sans_mono::bold(),
                dejavu::sans_mono::oblique(),
                dejavu::sans_mono::bold_oblique(),
            ],
        ),
    ];
    for (generics, files) in faces {
        let mut ids = Vec::new();
        for file in files {
            for (id, _) in collection.register_fonts(Blob::new(std::sync::Arc::new(*file)), None) {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        for generic in generics {
            collection.set_generic_families(*generic, ids.iter().copied());
        }
    }
    let fonts = FontContext { collection, source_cache: SourceCache::default() };
    Fonts { fonts, layouts: LayoutContext::new() }
}

/// The families with well-known names replaced by generics, ending in sans-serif.
fn families(state: &State) -> String {
    let mut list: Vec<String> = Vec::new();
    for family in &state.font.families {
        let lower = family.to_lowercase();
        if PAGE.with_borrow(|page| page.contains(&lower)) {
            list.push(format!("{family:?}"));
            continue;
        }
        match ALIASES.iter().find(|(name, _)| *name == lower) {
            Some((_, GenericFamily::Serif)) => list.push("serif".into()),
            Some((_, GenericFamily::Monospace)) => list.push("monospace".into()),
            Some(_) => list.push("sans-serif".into()),
            None => list.push(
                format!("{family:?}")
                    .replace("\"sans-serif\"", "sans-serif")
                    .replace("\"serif\"", "serif")
                    .replace("\"monospace\"", "monospace")
                    .replace("\"system-ui\"", "system-ui"),
            ),
        }
    }
    list.push("sans-serif".into());
    list.join(", ")
}

/// Glyph outlines around the alphabetic baseline at x = 0, y down, and the metrics before alignment.
struct Line {
    outline: BezPath,
    advance: f64,
    ascent: f64,
    descent: f64,
    /// Characters that no font has.
    missing: Vec<char>,
    /// Typographic ascender's share of ascender plus descender (OS/2), in the first font.
    em_share: Option<f64>,
}

fn shape(state: &State, text: &str) -> Line {
    FONTS.with_borrow_mut(|Fonts { fonts, layouts }| {
        // HTML "text preparation algorithm": white space becomes spaces, and there is one line only.
        let text: String = text
            .chars()
            .take(MAX_CHARACTERS)
            .map(|c| if matches!(c, '\t' | '\n' | '\x0c' | '\r') { ' ' } else { c })
            .collect();
        let mut builder = layouts.ranged_builder(fonts, &text, 1.0, false);
        let families = families(state);
        builder.push_default(StyleProperty::FontFamily(FontFamily::Source(families.as_str().into())));
        builder.push_default(StyleProperty::FontSize(state.font.size));
        builder.push_default(StyleProperty::FontWeight(FontWeight::new(state.font.weight)));
        let style = if state.font.italic { FontStyle::Italic } else { FontStyle::Normal };
        builder.push_default(StyleProperty::FontStyle(style));
        builder.push_default(StyleProperty::LetterSpacing(state.letter_spacing));
        builder.push_default(StyleProperty::WordSpacing(state.word_spacing));
        let mut layout: Layout<()> = builder.build(&text);
        layout.break_all_lines(None);
        let mut line = Line {
            outline: BezPath::new(),
            advance: f64::from(layout.full_width()),
            ascent: 0.0,
            descent: 0.0,
            missing: Vec::new(),
            em_share: None,
        };
        for item in layout.lines().flat_map(|line| line.items().collect::<Vec<_>>()) {
            let PositionedLayoutItem::GlyphRun(run) = item else { continue };
            let metrics = run.run().font_metrics();
            line.ascent = line.ascent.max(f64::from(metrics.ascent));
            line.descent = line.descent.max(f64::from(metrics.descent));
            let font = run.run().font();
            let Ok(face) = FontRef::from_index(font.data.as_ref(), font.index) else { continue };
            line.em_share = line.em_share.or_else(|| em_share(&face));
            let outlines = face.outline_glyphs();
            let size = Size::new(run.run().font_size());
            let coords: Vec<NormalizedCoord> =
                run.run().normalized_coords().iter().map(|c| NormalizedCoord::from_bits(c.to_bits())).collect();
            for cluster in run.run().clusters() {
                if cluster.glyphs().any(|glyph| glyph.id == 0) {
                    let written = text.get(cluster.text_range()).unwrap_or_default();
                    line.missing
                        .extend(written.chars().filter(|c| !is_invisible(*c) && face.charmap().map(*c).is_none()));
                }
            }
            let baseline = run.baseline();
            for glyph in run.positioned_glyphs() {
                let Some(outline) = outlines.get(GlyphId::new(glyph.id)) else { continue };
                let mut pen = Pen { path: &mut line.outline, x: f64::from(glyph.x), y: f64::from(glyph.y - baseline) };
                let settings = DrawSettings::unhinted(size, LocationRef::new(&coords));
                // A glyph whose outline is broken is left out.
                let _ = outline.draw(settings, &mut pen);
            }
        }
        if text.is_empty() {
            line.advance = 0.0;
        }
        line
    })
}

/// Collects an outline, y turned down.
struct Pen<'a> {
    path: &'a mut BezPath,
    x: f64,
    y: f64,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f64, f64) {
        (self.x + f64::from(x), self.y - f64::from(y))
    }
}

impl OutlinePen for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.path.line_to(to);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (control, to) = (self.at(cx, cy), self.at(x, y));
        self.path.quad_to(control, to);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (a, b, to) = (self.at(ax, ay), self.at(bx, by), self.at(x, y));
        self.path.curve_to(a, b, to);
    }

    fn close(&mut self) {
        self.path.close_path();
    }
}

/// Shift from the line's origin to the anchor: left edge in x, baseline in y.
fn anchor(state: &State, line: &Line) -> (f64, f64) {
    let end = match (state.text_align, state.right_to_left) {
        (TextAlign::Left, _) | (TextAlign::Start, false) | (TextAlign::End, true) => 0.0,
        (TextAlign::Center, _) => -line.advance / 2.0,
        (TextAlign::Right, _) | (TextAlign::End, false) | (TextAlign::Start, true) => -line.advance,
    };
    let (em_ascent, em_descent) = em_box(state, line);
    let baseline = match state.text_baseline {
        TextBaseline::Alphabetic => 0.0,
        TextBaseline::Top => em_ascent,
        TextBaseline::Hanging => line.ascent * 0.8,
        TextBaseline::Middle => (em_ascent - em_descent) / 2.0,
        TextBaseline::Ideographic => -line.descent,
        TextBaseline::Bottom => -em_descent,
    };
    (end, baseline)
}

/// The em square split in the proportion of the typographic ascender and descender, as Chromium does.
fn em_box(state: &State, line: &Line) -> (f64, f64) {
    let size = f64::from(state.font.size);
    let share = line.em_share.unwrap_or(0.8);
    (size * share, size * (1.0 - share))
}

fn em_share(face: &FontRef<'_>) -> Option<f64> {
    let os2 = face.os2().ok()?;
    let (ascender, descender) = (f64::from(os2.s_typo_ascender()), -f64::from(os2.s_typo_descender()));
    (ascender + descender > 0.0).then(|| ascender / (ascender + descender))
}

impl Canvas {
    pub fn fill_text(&mut self, text: &str, x: f64, y: f64, max_width: Option<f64>) {
        if let Some(path) = self.text_path(text, x, y, max_width) {
            self.fill_bezier(&path, FillRule::NonZero, &self.state.fill.clone());
        }
    }

    pub fn stroke_text(&mut self, text: &str, x: f64, y: f64, max_width: Option<f64>) {
        if let Some(path) = self.text_path(text, x, y, max_width) {
            self.stroke_bezier(&path);
        }
    }

    /// In canvas coordinates; `None` when nothing is to be drawn.
    fn text_path(&self, text: &str, x: f64, y: f64, max_width: Option<f64>) -> Option<BezPath> {
        if !(x.is_finite() && y.is_finite()) || max_width.is_some_and(|width| !width.is_finite() || width <= 0.0) {
            return None;
        }
        let line = shape(&self.state, text);
        MISSING.with_borrow_mut(|missing| {
            let room = MAX_MISSING.saturating_sub(missing.len());
            missing.extend(line.missing.iter().take(room));
        });
        let (dx, dy) = anchor(&self.state, &line);
        let squeeze = max_width.filter(|width| line.advance > *width).map_or(1.0, |width| width / line.advance);
        let place =
            Affine::translate((x, y + dy)) * Affine::scale_non_uniform(squeeze, 1.0) * Affine::translate((dx, 0.0));
        let mut whole = self.state.transform * place;
        // Upright text stands on whole pixels, as Skia's baseline snapping has it.
        let [_, b, c, ..] = whole.as_coeffs();
        if b == 0.0 && c == 0.0 {
            let y = (whole * kurbo::Point::ORIGIN).y;
            whole = Affine::translate((0.0, y.round() - y)) * whole;
        }
        Some(whole * line.outline)
    }

    pub fn measure_text(&self, text: &str) -> TextMetrics {
        use kurbo::Shape;
        let line = shape(&self.state, text);
        let (dx, dy) = anchor(&self.state, &line);
        let (em_ascent, em_descent) = em_box(&self.state, &line);
        let bounds = if line.outline.elements().is_empty() { kurbo::Rect::ZERO } else { line.outline.bounding_box() };
        TextMetrics {
            width: line.advance,
            actual_left: -(bounds.x0 + dx),
            actual_right: bounds.x1 + dx,
            actual_ascent: -(bounds.y0 + dy),
            actual_descent: bounds.y1 + dy,
            font_ascent: line.ascent - dy,
            font_descent: line.descent + dy,
            em_ascent: em_ascent - dy,
            em_descent: em_descent + dy,
            hanging: line.ascent * 0.8 - dy,
            alphabetic: -dy,
            ideographic: -line.descent - dy,
        }
    }
}
