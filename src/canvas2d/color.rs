//! CSS `<color>` to RGBA and back (CSS Color 4 §4–10, CSS Color 5 §3, HTML "serialization of a color").

mod calc;
mod mix;

use color::{AlphaColor, DynamicColor, Srgb};

/// Straight (not premultiplied) sRGB with 8-bit channels and alpha 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgba {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: f32,
}

impl Rgba {
    pub const BLACK: Self = Self { r: 0, g: 0, b: 0, a: 1.0 };
    pub const TRANSPARENT: Self = Self { r: 0, g: 0, b: 0, a: 0.0 };

    /// What lies outside of sRGB is clipped, as Chromium's canvas does.
    fn of(color: DynamicColor) -> Self {
        let [r, g, b, a] = color.to_alpha_color::<Srgb>().components;
        let channel = |v: f32| (v * 255.0).round().clamp(0.0, 255.0) as u8;
        Self { r: channel(r), g: channel(g), b: channel(b), a: a.clamp(0.0, 1.0) }
    }

    fn dynamic(self) -> DynamicColor {
        let [r, g, b] = [self.r, self.g, self.b].map(|c| f32::from(c) / 255.0);
        DynamicColor::from_alpha_color(AlphaColor::<Srgb>::new([r, g, b, self.a]))
    }

    pub(super) fn to_skia(self, alpha: f32) -> tiny_skia::Color {
        let channel = |c: u8| f32::from(c) / 255.0;
        let alpha = (self.a * alpha).clamp(0.0, 1.0);
        tiny_skia::Color::from_rgba(channel(self.r), channel(self.g), channel(self.b), alpha)
            .unwrap_or(tiny_skia::Color::TRANSPARENT)
    }
}

/// Parses a CSS colour; `currentcolor` is black, as on a canvas without a document. `None` when it is none.
pub fn parse_color(css: &str) -> Option<Rgba> {
    // No colour is as long, and `color-mix` nests.
    if css.len() > MAX_LENGTH {
        return None;
    }
    let text = calc::fold(&css.trim().to_ascii_lowercase())?;
    if let Some(hex) = text.strip_prefix('#') {
        return parse_hex(hex);
    }
    match text.as_str() {
        "transparent" => return Some(Rgba::TRANSPARENT),
        "currentcolor" => return Some(Rgba::BLACK),
        _ => {}
    }
    if let Some((name, arguments)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        return match name.trim() {
            "oklch" | "oklab" | "lab" | "lch" | "color" => wide(&text).map(Rgba::of),
            "color-mix" => mix::parse(arguments).map(Rgba::of),
            name => parse_function(name, arguments),
        };
    }
    let at = NAMES.binary_search_by(|(name, _)| (*name).cmp(text.as_str())).ok()?;
    let value = NAMES[at].1;
    Some(Rgba { r: (value >> 16) as u8, g: (value >> 8) as u8, b: value as u8, a: 1.0 })
}

/// Characters of a colour at most.
const MAX_LENGTH: usize = 1000;

/// A colour of the functions that are not limited to sRGB.
fn wide(text: &str) -> Option<DynamicColor> {
    let text = lch_chroma(text).unwrap_or_else(|| text.to_owned());
    let color = color::parse_color(&text).ok()?;
    color.components.iter().all(|v| v.is_finite()).then_some(color)
}

/// A percentage as the chroma of `lch()` is one of 150 (CSS Color 4 §9.3); `color` 0.3.3 takes it for one of 125.
fn lch_chroma(text: &str) -> Option<String> {
    let mut words = text.strip_prefix("lch(")?.split_whitespace();
    let (lightness, chroma) = (words.next()?, words.next()?);
    let percent: f64 = chroma.strip_suffix('%')?.parse().ok()?;
    let rest: Vec<&str> = words.collect();
    Some(format!("lch({lightness} {} {}", percent * 1.5, rest.join(" ")))
}

/// A colour as exact as it is written, for mixing.
fn exact(text: &str) -> Option<DynamicColor> {
    let text = text.trim();
    match text.split_once('(') {
        Some(("color-mix", rest)) => mix::parse(rest.strip_suffix(')')?),
        Some(("oklch" | "oklab" | "lab" | "lch" | "color", _)) => wide(text),
        _ => parse_color(text).map(Rgba::dynamic),
    }
}

/// `#rrggbb` when opaque, else `rgba(r, g, b, a)`.
pub fn serialize_color(color: Rgba) -> String {
    if color.a >= 1.0 {
        return format!("#{:02x}{:02x}{:02x}", color.r, color.g, color.b);
    }
    // Two decimals if they give back the same 8-bit alpha, else three (CSSOM "serialize an <alphavalue>").
    let alpha8 = (color.a * 255.0).round();
    let two = (alpha8 / 255.0 * 100.0).round() / 100.0;
    let alpha = if (two * 255.0).round() == alpha8 { two } else { (alpha8 / 255.0 * 1000.0).round() / 1000.0 };
    format!("rgba({}, {}, {}, {alpha})", color.r, color.g, color.b)
}

fn parse_hex(hex: &str) -> Option<Rgba> {
    let digits: Vec<u8> = hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let (short, long) = (|i: usize| digits[i] * 17, |i: usize| digits[i * 2] * 16 + digits[i * 2 + 1]);
    let [r, g, b, a] = match digits.len() {
        3 => [short(0), short(1), short(2), 255],
        4 => [short(0), short(1), short(2), short(3)],
        6 => [long(0), long(1), long(2), 255],
        8 => [long(0), long(1), long(2), long(3)],
        _ => return None,
    };
    Some(Rgba { r, g, b, a: f32::from(a) / 255.0 })
}

fn parse_function(name: &str, arguments: &str) -> Option<Rgba> {
    let parts: Vec<&str> = arguments.split([',', '/', ' ', '\t', '\n']).filter(|part| !part.is_empty()).collect();
    if parts.len() != 3 && parts.len() != 4 {
        return None;
    }
    let alpha = match parts.get(3) {
        Some(text) => number(text, 1.0)?.clamp(0.0, 1.0) as f32,
        None => 1.0,
    };
    let [r, g, b] = match name {
        "rgb" | "rgba" => [number(parts[0], 255.0)?, number(parts[1], 255.0)?, number(parts[2], 255.0)?],
        "hsl" | "hsla" => hsl(hue(parts[0])?, percent(parts[1])?, percent(parts[2])?),
        "hwb" => hwb(hue(parts[0])?, percent(parts[1])?, percent(parts[2])?),
        _ => return None,
    };
    let channel = |v: f64| v.round().clamp(0.0, 255.0) as u8;
    Some(Rgba { r: channel(r), g: channel(g), b: channel(b), a: alpha })
}

/// A number, or a percentage of `whole`; `none` is 0.
fn number(text: &str, whole: f64) -> Option<f64> {
    let value = match text.strip_suffix('%') {
        Some(text) => text.parse::<f64>().ok()? / 100.0 * whole,
        None if text == "none" => 0.0,
        None => text.parse().ok()?,
    };
    value.is_finite().then_some(value)
}

fn percent(text: &str) -> Option<f64> {
    number(text.strip_suffix('%').unwrap_or(text), 1.0).map(|value| (value / 100.0).clamp(0.0, 1.0))
}

/// A CSS angle (CSS Values 4 §7.1) in degrees; a bare number is one.
pub(super) fn angle(text: &str) -> Option<f64> {
    // `grad` before `rad`, which it ends in.
    let units = [("deg", 1.0), ("grad", 0.9), ("rad", 180.0 / std::f64::consts::PI), ("turn", 360.0)];
    let found = units.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)));
    let (text, scale) = found.unwrap_or((text, 1.0));
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(|value| value * scale)
}

fn hue(text: &str) -> Option<f64> {
    if text == "none" { Some(0.0) } else { angle(text) }
}

/// CSS Color 4 §7.1.
fn hsl(hue: f64, saturation: f64, lightness: f64) -> [f64; 3] {
    let a = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|n| {
        let k = (n + hue.rem_euclid(360.0) / 30.0) % 12.0;
        255.0 * (lightness - a * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0))
    })
}

/// CSS Color 4 §8.1.
fn hwb(hue: f64, white: f64, black: f64) -> [f64; 3] {
    if white + black >= 1.0 {
        return [255.0 * white / (white + black); 3];
    }
    hsl(hue, 1.0, 0.5).map(|c| c * (1.0 - white - black) + 255.0 * white)
}

/// CSS Color 4 §6.1, sorted by name.
const NAMES: [(&str, u32); 148] = [
    ("aliceblue", 0xf0f8ff),
    ("antiquewhite", 0xfaebd7),
    ("aqua", 0x00ffff),
    ("aquamarine", 0x7fffd4),
    ("azure", 0xf0ffff),
    ("beige", 0xf5f5dc),
    ("bisque", 0xffe4c4),
    ("black", 0x000000),
    ("blanchedalmond", 0xffebcd),
    ("blue", 0x0000ff),
    ("blueviolet", 0x8a2be2),
    ("brown", 0xa52a2a),
    ("burlywood", 0xdeb887),
    ("cadetblue", 0x5f9ea0),
    ("chartreuse", 0x7fff00),
    ("chocolate", 0xd2691e),
    ("coral", 0xff7f50),
    ("cornflowerblue", 0x6495ed),
    ("cornsilk", 0xfff8dc),
    ("crimson", 0xdc143c),
    ("cyan", 0x00ffff),
    ("darkblue", 0x00008b),
    ("darkcyan", 0x008b8b),
    ("darkgoldenrod", 0xb8860b),
    ("darkgray", 0xa9a9a9),
    ("darkgreen", 0x006400),
    ("darkgrey", 0xa9a9a9),
    ("darkkhaki", 0xbdb76b),
    ("darkmagenta", 0x8b008b),
    ("darkolivegreen", 0x556b2f),
    ("darkorange", 0xff8c00),
    ("darkorchid", 0x9932cc),
    ("darkred", 0x8b0000),
    ("darksalmon", 0xe9967a),
    ("darkseagreen", 0x8fbc8f),
    ("darkslateblue", 0x483d8b),
    ("darkslategray", 0x2f4f4f),
    ("darkslategrey", 0x2f4f4f),
    ("darkturquoise", 0x00ced1),
    ("darkviolet", 0x9400d3),
    ("deeppink", 0xff1493),
    ("deepskyblue", 0x00bfff),
    ("dimgray", 0x696969),
    ("dimgrey", 0x696969),
    ("dodgerblue", 0x1e90ff),
    ("firebrick", 0xb22222),
    ("floralwhite", 0xfffaf0),
    ("forestgreen", 0x228b22),
    ("fuchsia", 0xff00ff),
    ("gainsboro", 0xdcdcdc),
    ("ghostwhite", 0xf8f8ff),
    ("gold", 0xffd700),
    ("goldenrod", 0xdaa520),
    ("gray", 0x808080),
    ("green", 0x008000),
    ("greenyellow", 0xadff2f),
    ("grey", 0x808080),
    ("honeydew", 0xf0fff0),
    ("hotpink", 0xff69b4),
    ("indianred", 0xcd5c5c),
    ("indigo", 0x4b0082),
    ("ivory", 0xfffff0),
    ("khaki", 0xf0e68c),
    ("lavender", 0xe6e6fa),
    ("lavenderblush", 0xfff0f5),
    ("lawngreen", 0x7cfc00),
    ("lemonchiffon", 0xfffacd),
    ("lightblue", 0xadd8e6),
    ("lightcoral", 0xf08080),
    ("lightcyan", 0xe0ffff),
    ("lightgoldenrodyellow", 0xfafad2),
    ("lightgray", 0xd3d3d3),
    ("lightgreen", 0x90ee90),
    ("lightgrey", 0xd3d3d3),
    ("lightpink", 0xffb6c1),
    ("lightsalmon", 0xffa07a),
    ("lightseagreen", 0x20b2aa),
    ("lightskyblue", 0x87cefa),
    ("lightslategray", 0x778899),
    ("lightslategrey", 0x778899),
    ("lightsteelblue", 0xb0c4de),
    ("lightyellow", 0xffffe0),
    ("lime", 0x00ff00),
    ("limegreen", 0x32cd32),
    ("linen", 0xfaf0e6),
    ("magenta", 0xff00ff),
    ("maroon", 0x800000),
    ("mediumaquamarine", 0x66cdaa),
    ("mediumblue", 0x0000cd),
    ("mediumorchid", 0xba55d3),
    ("mediumpurple", 0x9370db),
    ("mediumseagreen", 0x3cb371),
    ("mediumslateblue", 0x7b68ee),
    ("mediumspringgreen", 0x00fa9a),
    ("mediumturquoise", 0x48d1cc),
    ("mediumvioletred", 0xc71585),
    ("midnightblue", 0x191970),
    ("mintcream", 0xf5fffa),
    ("mistyrose", 0xffe4e1),
    ("moccasin", 0xffe4b5),
    ("navajowhite", 0xffdead),
    ("navy", 0x000080),
    ("oldlace", 0xfdf5e6),
    ("olive", 0x808000),
    ("olivedrab", 0x6b8e23),
    ("orange", 0xffa500),
    ("orangered", 0xff4500),
    ("orchid", 0xda70d6),
    ("palegoldenrod", 0xeee8aa),
    ("palegreen", 0x98fb98),
    ("paleturquoise", 0xafeeee),
    ("palevioletred", 0xdb7093),
    ("papayawhip", 0xffefd5),
    ("peachpuff", 0xffdab9),
    ("peru", 0xcd853f),
    ("pink", 0xffc0cb),
    ("plum", 0xdda0dd),
    ("powderblue", 0xb0e0e6),
    ("purple", 0x800080),
    ("rebeccapurple", 0x663399),
    ("red", 0xff0000),
    ("rosybrown", 0xbc8f8f),
    ("royalblue", 0x4169e1),
    ("saddlebrown", 0x8b4513),
    ("salmon", 0xfa8072),
    ("sandybrown", 0xf4a460),
    ("seagreen", 0x2e8b57),
    ("seashell", 0xfff5ee),
    ("sienna", 0xa0522d),
    ("silver", 0xc0c0c0),
    ("skyblue", 0x87ceeb),
    ("slateblue", 0x6a5acd),
    ("slategray", 0x708090),
    ("slategrey", 0x708090),
    ("snow", 0xfffafa),
    ("springgreen", 0x00ff7f),
    ("steelblue", 0x4682b4),
    ("tan", 0xd2b48c),
    ("teal", 0x008080),
    ("thistle", 0xd8bfd8),
    ("tomato", 0xff6347),
    ("turquoise", 0x40e0d0),
    ("violet", 0xee82ee),
    ("wheat", 0xf5deb3),
    ("white", 0xffffff),
    ("whitesmoke", 0xf5f5f5),
    ("yellow", 0xffff00),
    ("yellowgreen", 0x9acd32),
];
