//! The CSS `font` shorthand as canvases use it (CSS Fonts 4 §2.7): style, weight, size, families.

use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Font {
    /// Pixels.
    pub size: f32,
    /// 1 to 1000.
    pub weight: f32,
    pub italic: bool,
    pub small_caps: bool,
    /// Unquoted, in order.
    pub families: Vec<String>,
}

impl Default for Font {
    fn default() -> Self {
        Self { size: 10.0, weight: 400.0, italic: false, small_caps: false, families: vec!["sans-serif".into()] }
    }
}

impl Font {
    /// `None` when `css` is no font shorthand.
    pub(super) fn parse(css: &str) -> Option<Self> {
        let mut font = Self::default();
        let mut rest = css.trim();
        loop {
            let (word, after) = rest.split_once(char::is_whitespace)?;
            let lower = word.to_ascii_lowercase();
            match lower.as_str() {
                "italic" | "oblique" => font.italic = true,
                "small-caps" => font.small_caps = true,
                "bold" => font.weight = 700.0,
                "bolder" => font.weight = 700.0,
                "lighter" => font.weight = 100.0,
                "normal" | "condensed" | "expanded" | "semi-condensed" | "semi-expanded" => {}
                _ => match (lower.parse::<f32>().ok(), parse_size(&lower)) {
                    (Some(weight), _) if (1.0..=1000.0).contains(&weight) => font.weight = weight,
                    (None, Some(size)) => {
                        font.size = size;
                        font.families = parse_families(skip_line_height(after.trim_start())?)?;
                        return Some(font);
                    }
                    _ => return None,
                },
            }
            rest = after.trim_start();
        }
    }

    /// Families as a CSS list, for the shaper.
    pub(super) fn family_list(&self) -> String {
        let quoted: Vec<String> = self.families.iter().map(|family| quote(family)).collect();
        quoted.join(", ")
    }
}

/// `12px`, also with `/line-height` glued to it.
fn parse_size(word: &str) -> Option<f32> {
    let word = word.split('/').next()?;
    let keywords = [
        ("xx-small", 9.0),
        ("x-small", 10.0),
        ("small", 13.0),
        ("medium", 16.0),
        ("large", 18.0),
        ("x-large", 24.0),
        ("xx-large", 32.0),
    ];
    if let Some((_, size)) = keywords.iter().find(|(name, _)| *name == word) {
        return Some(*size);
    }
    let units = [
        ("px", 1.0),
        ("rem", 16.0),
        ("em", 10.0),
        ("pt", 4.0 / 3.0),
        ("pc", 16.0),
        ("in", 96.0),
        ("cm", 96.0 / 2.54),
        ("mm", 9.6 / 2.54),
        ("%", 0.1),
    ];
    let (unit, scale) = units.iter().find(|(unit, _)| word.ends_with(unit))?;
    let value: f32 = word[..word.len() - unit.len()].parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value * scale)
}

/// `/ 1.2 Arial` after the size: the line height has no meaning on a canvas.
fn skip_line_height(rest: &str) -> Option<&str> {
    match rest.strip_prefix('/') {
        Some(rest) => Some(rest.trim_start().split_once(char::is_whitespace)?.1),
        None => Some(rest),
    }
}

fn parse_families(list: &str) -> Option<Vec<String>> {
    let families: Vec<String> =
        list.split(',').map(|family| family.trim().trim_matches(['"', '\'']).trim().to_owned()).collect();
    (!families.is_empty() && families.iter().all(|family| !family.is_empty())).then_some(families)
}

fn quote(family: &str) -> String {
    let plain = family.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    if plain { family.to_owned() } else { format!("\"{}\"", family.replace(['"', '\\'], "")) }
}

impl fmt::Display for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.italic {
            f.write_str("italic ")?;
        }
        if self.small_caps {
            f.write_str("small-caps ")?;
        }
        match self.weight {
            400.0 => {}
            700.0 => f.write_str("bold ")?,
            weight => write!(f, "{weight} ")?,
        }
        write!(f, "{}px {}", self.size, self.family_list())
    }
}
