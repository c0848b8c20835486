//! A drawing as a list of shapes: written once, then put down as SVG (for the page) or as pixels (for people).

use crate::report::markup::Markup;

/// `0xRRGGBB`.
pub type Color = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Line {
        points: Vec<[f64; 2]>,
        width: f64,
        color: Color,
        dash: Option<[f64; 2]>,
    },
    Area {
        points: Vec<[f64; 2]>,
        color: Color,
    },
    Circle {
        at: [f64; 2],
        radius: f64,
        fill: Option<Color>,
        stroke: Option<(f64, Color)>,
    },
    /// Text with an edge of `halo` around it, on the baseline.
    Text {
        at: [f64; 2],
        text: String,
        size: f64,
        anchor: Anchor,
        color: Color,
        halo: Option<Color>,
    },
    /// A picture that fills the rectangle `[x, y, w, h]`: an index into [`Figure::pictures`].
    Picture {
        picture: usize,
        rect: [f64; 4],
    },
}

/// RGBA8 and, for SVG, the same as a data URL.
#[derive(Clone, Debug)]
pub struct Embedded {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
    pub url: String,
}

#[derive(Clone, Debug, Default)]
pub struct Figure {
    pub width: u32,
    pub height: u32,
    pub paper: Color,
    pub shapes: Vec<Shape>,
    pub pictures: Vec<Embedded>,
}

impl Figure {
    pub fn line(&mut self, points: Vec<[f64; 2]>, width: f64, color: Color) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line { points, width, color, dash: None });
        }
    }

    pub fn circle(&mut self, at: [f64; 2], radius: f64, fill: Option<Color>, stroke: Option<(f64, Color)>) {
        self.shapes.push(Shape::Circle { at, radius, fill, stroke });
    }

    pub fn area(&mut self, points: Vec<[f64; 2]>, color: Color) {
        self.shapes.push(Shape::Area { points, color });
    }

    pub fn text(&mut self, text: impl Into<String>, at: [f64; 2], size: f64, anchor: Anchor, color: Color) {
        self.shapes.push(Shape::Text { at, text: text.into(), size, anchor, color, halo: Some(self.paper) });
    }

    /// The drawing as an SVG element; `label` says what it shows, and `extra` goes on top.
    pub fn svg(&self, label: &str, extra: &'static str) -> Markup {
        let mut m = Markup::new();
        let view = format!("0 0 {} {}", self.width, self.height);
        let (width, height) = (self.width.to_string(), self.height.to_string());
        m.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg"),
                ("viewBox", &view),
                ("width", &width),
                ("height", &height),
                ("role", "img"),
                ("aria-label", label),
                ("font-family", "DejaVu Sans, Verdana, sans-serif"),
            ],
        );
        m.open("rect", &[("width", "100%"), ("height", "100%"), ("fill", &css(self.paper))]).close("rect");
        for shape in &self.shapes {
            m.own("\n");
            self.write(shape, &mut m);
        }
        m.own(extra).own("\n").close("svg");
        m
    }

    fn write(&self, shape: &Shape, m: &mut Markup) {
        match shape {
            Shape::Line { points, width, color, dash } => {
                let (points, width) = (list(points), short(*width));
                let dash = dash.map(|[on, off]| format!("{} {}", short(on), short(off))).unwrap_or_default();
                let mut attributes = vec![
                    ("points", points.as_str()),
                    ("fill", "none"),
                    ("stroke-width", &width),
                    ("stroke-linejoin", "round"),
                    ("stroke-linecap", "round"),
                ];
                let color = css(*color);
                attributes.push(("stroke", &color));
                if !dash.is_empty() {
                    attributes.push(("stroke-dasharray", &dash));
                }
                m.open("polyline", &attributes).close("polyline");
            }
            Shape::Area { points, color } => {
                m.open("polygon", &[("points", &list(points)), ("fill", &css(*color))]).close("polygon");
            }
            Shape::Circle { at, radius, fill, stroke } => {
                let fill = fill.map_or("none".to_owned(), css);
                let (width, line) = stroke.map_or(("0".to_owned(), "none".to_owned()), |(w, c)| (short(w), css(c)));
                let (x, y, r) = (short(at[0]), short(at[1]), short(*radius));
                m.open(
                    "circle",
                    &[("cx", &x), ("cy", &y), ("r", &r), ("fill", &fill), ("stroke", &line), ("stroke-width", &width)],
                )
                .close("circle");
            }
            Shape::Text { at, text, size, anchor, color, halo } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let (x, y, size, color) = (short(at[0]), short(at[1]), short(*size), css(*color));
                let halo = halo.map(css).unwrap_or_default();
                let mut attributes =
                    vec![("x", x.as_str()), ("y", &y), ("font-size", &size), ("text-anchor", anchor), ("fill", &color)];
                if !halo.is_empty() {
                    attributes.extend([
                        ("stroke", halo.as_str()),
                        ("stroke-width", "4"),
                        ("paint-order", "stroke"),
                        ("stroke-linejoin", "round"),
                    ]);
                }
                m.element("text", &attributes, text);
            }
            Shape::Picture { picture, rect } => {
                let Some(picture) = self.pictures.get(*picture) else { return };
                let [x, y, w, h] = rect.map(short);
                m.open(
                    "image",
                    &[
                        ("href", &picture.url),
                        ("x", &x),
                        ("y", &y),
                        ("width", &w),
                        ("height", &h),
                        ("preserveAspectRatio", "none"),
                    ],
                )
                .close("image");
            }
        }
    }
}

fn css(color: Color) -> String {
    format!("#{:06x}", color & 0xff_ffff)
}

fn list(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{},{}", short(*x), short(*y))).collect();
    points.join(" ")
}

/// Two decimals at most; never `-0`.
fn short(value: f64) -> String {
    let value = (value * 100.0).round() / 100.0;
    if value == 0.0 { "0".to_owned() } else { format!("{value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_become_svg_and_texts_are_escaped() {
        let mut figure = Figure { width: 100, height: 50, paper: 0xff_ffff, ..Figure::default() };
        figure.line(vec![[0.0, 1.0], [2.004, -0.001]], 1.5, 0x12_3456);
        figure.line(vec![[0.0, 0.0]], 1.5, 0);
        figure.text("</text><script>", [1.0, 2.0], 12.0, Anchor::End, 0);
        let svg = figure.svg("<a>", "").finish();
        assert!(svg.contains("points=\"0,1 2,0\"") && svg.contains("stroke=\"#123456\""), "{svg}");
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;") && svg.contains("aria-label=\"&lt;a&gt;\""), "{svg}");
    }
}
