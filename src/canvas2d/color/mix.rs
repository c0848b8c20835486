//! `color-mix()` (CSS Color 5 §3).

use color::{ColorSpaceTag, DynamicColor, HueDirection};

use super::exact;

/// What stands between the brackets of `color-mix()`, in lower case.
pub(super) fn parse(arguments: &str) -> Option<DynamicColor> {
    let parts = split(arguments);
    let (space, first, second) = match parts.as_slice() {
        [space, first, second] => (space.trim().strip_prefix("in ")?, *first, *second),
        // Newer drafts leave the space out: Oklab.
        [first, second] => ("oklab", *first, *second),
        _ => return None,
    };
    let (space, direction) = interpolation(space)?;
    let (first, p1) = weighted(first)?;
    let (second, p2) = weighted(second)?;
    // CSS Color 5 §3.1, "Percentage Normalization".
    let (p1, p2) = match (p1, p2) {
        (None, None) => (0.5, 0.5),
        (Some(p), None) => (p, 1.0 - p),
        (None, Some(p)) => (1.0 - p, p),
        (Some(p1), Some(p2)) => (p1, p2),
    };
    let sum = p1 + p2;
    if sum <= 0.0 {
        return None;
    }
    let mut mixed = first.interpolate(second, space, direction).eval(p2 / sum);
    if sum < 1.0 {
        mixed.components[3] *= sum;
    }
    mixed.components.iter().all(|v| v.is_finite()).then_some(mixed)
}

/// At commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

/// A colour with a percentage before or after it.
fn weighted(text: &str) -> Option<(DynamicColor, Option<f32>)> {
    let text = text.trim();
    let share = |text: &str| -> Option<f32> {
        let value: f32 = text.strip_suffix('%')?.parse().ok()?;
        (0.0..=100.0).contains(&value).then_some(value / 100.0)
    };
    if let Some((color, last)) = text.rsplit_once(char::is_whitespace)
        && last.ends_with('%')
    {
        return Some((exact(color)?, Some(share(last)?)));
    }
    if let Some((first, color)) = text.split_once(char::is_whitespace)
        && first.ends_with('%')
    {
        return Some((exact(color)?, Some(share(first)?)));
    }
    Some((exact(text)?, None))
}

fn interpolation(text: &str) -> Option<(ColorSpaceTag, HueDirection)> {
    use ColorSpaceTag as Tag;
    let mut words = text.split_whitespace();
    let space = match words.next()? {
        "srgb" => Tag::Srgb,
        "srgb-linear" => Tag::LinearSrgb,
        "display-p3" => Tag::DisplayP3,
        "a98-rgb" => Tag::A98Rgb,
        "prophoto-rgb" => Tag::ProphotoRgb,
        "rec2020" => Tag::Rec2020,
        "lab" => Tag::Lab,
        "oklab" => Tag::Oklab,
        "xyz" | "xyz-d65" => Tag::XyzD65,
        "xyz-d50" => Tag::XyzD50,
        "hsl" => Tag::Hsl,
        "hwb" => Tag::Hwb,
        "lch" => Tag::Lch,
        "oklch" => Tag::Oklch,
        _ => return None,
    };
    let polar = matches!(space, Tag::Hsl | Tag::Hwb | Tag::Lch | Tag::Oklch);
    let direction = match (words.next(), words.next(), words.next()) {
        (None, ..) => HueDirection::Shorter,
        (Some("shorter"), Some("hue"), None) if polar => HueDirection::Shorter,
        (Some("longer"), Some("hue"), None) if polar => HueDirection::Longer,
        (Some("increasing"), Some("hue"), None) if polar => HueDirection::Increasing,
        (Some("decreasing"), Some("hue"), None) if polar => HueDirection::Decreasing,
        _ => return None,
    };
    Some((space, direction))
}
