//! A figure as pixels.

use super::figure::{Anchor, Figure, Shape};
use crate::canvas2d::TextAlign;
use crate::report::ReportError;
use crate::report::paint::{Painter, rgb};
use crate::verify::Picture;

impl Figure {
    /// The drawing as it stands in the SVG.
    ///
    /// # Errors
    /// It is too large.
    pub fn picture(&self) -> Result<Picture, ReportError> {
        let too_large = || ReportError::Picture(format!("{}x{} pixels are too many", self.width, self.height));
        let mut painter = Painter::new(self.width, self.height, rgb(self.paper)).ok_or_else(too_large)?;
        for shape in &self.shapes {
            match shape {
                Shape::Line { points, width, color, dash } => painter.line(points, *width, rgb(*color), *dash),
                Shape::Area { points, color } => painter.area(points, rgb(*color)),
                Shape::Circle { at, radius, fill, stroke } => {
                    painter.circle(*at, *radius, fill.map(rgb), stroke.map(|(width, color)| (width, rgb(color))));
                }
                Shape::Text { at, text, size, anchor, color, halo } => {
                    let align = match anchor {
                        Anchor::Start => TextAlign::Left,
                        Anchor::Middle => TextAlign::Center,
                        Anchor::End => TextAlign::Right,
                    };
                    if let Some(halo) = halo {
                        painter.text_edge(text, *at, *size, align, (4.0, rgb(*halo)));
                    }
                    painter.text(text, *at, *size, align, rgb(*color));
                }
                Shape::Picture { picture, rect } => {
                    if let Some(picture) = self.pictures.get(*picture) {
                        painter.picture((picture.width, picture.height), &picture.rgba, *rect);
                    }
                }
            }
        }
        Ok(painter.finish())
    }
}
