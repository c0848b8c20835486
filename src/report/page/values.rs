//! JSON values as people read them.

use serde_json::Value;

/// Four significant digits, no trailing zeros; whole numbers whole, with narrow spaces between thousands.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value == value.trunc() && value.abs() < 1e15 {
        return grouped(value as i64);
    }
    let digits = if value.abs() >= 1.0 { 3 - libm::floor(libm::log10(value.abs())) as i32 } else { 4 };
    let text = format!("{value:.*}", digits.clamp(0, 6) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "0" || text == "-0" { format!("{value:.1e}") } else { text.replace('-', "−") }
}

fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    if value < 0 { format!("−{out}") } else { out }
}

/// A value in one line. Exact quotients (`{"exact": …, "value": …}`) show as they are, with the decimal where it helps.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(n) => n.as_f64().map_or_else(|| n.to_string(), number),
        Value::String(s) => s.clone(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(object) => match (object.get("exact"), object.get("value").and_then(Value::as_f64)) {
            (Some(Value::String(exact)), Some(value)) if exact.contains('/') => format!("{} ({exact})", number(value)),
            (Some(Value::String(exact)), _) => exact.clone(),
            _ => object.iter().map(|(name, v)| format!("{} {}", words(name), text(v))).collect::<Vec<_>>().join(", "),
        },
    }
}

/// `snake_case` and paths as words.
pub fn words(name: &str) -> String {
    name.replace(['_', '.'], " ")
}

/// The last part of a path, with the one before it where the last alone says little.
pub fn short_path(path: &str) -> String {
    const VAGUE: [&str; 14] = [
        "exact", "constant", "mean", "peak", "max", "min", "rms", "p95", "bytes", "profile", "codec", "value", "width",
        "height",
    ];
    let parts: Vec<&str> = path.split('.').collect();
    let from = match parts.last() {
        Some(last) if VAGUE.contains(last) => parts.len().saturating_sub(2),
        _ => parts.len().saturating_sub(1),
    };
    words(&parts.get(from..).unwrap_or_default().join(" "))
}

/// Every value of a tree with its path, in order. Lists of plain values are one; longer ones are counted.
pub fn flatten(value: &Value, prefix: &str, out: &mut Vec<(String, String)>) {
    let at = |name: &str| if prefix.is_empty() { words(name) } else { format!("{prefix} › {}", words(name)) };
    match value {
        Value::Object(object) if !object.contains_key("exact") => {
            for (name, value) in object {
                flatten(value, &at(name), out);
            }
        }
        Value::Array(list) if list.iter().any(|v| v.is_object() || v.is_array()) => {
            for (index, value) in list.iter().enumerate().take(LIST) {
                flatten(value, &at(&(index + 1).to_string()), out);
            }
            if list.len() > LIST {
                out.push((at("…"), format!("{} in all", list.len())));
            }
        }
        Value::Array(list) if list.len() > LIST => {
            let head: Vec<String> = list.iter().take(LIST).map(text).collect();
            out.push((prefix.to_owned(), format!("{}, … ({} in all)", head.join(", "), list.len())));
        }
        value => out.push((prefix.to_owned(), text(value))),
    }
}

/// Most entries of a list that are written out.
const LIST: usize = 40;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_have_four_digits_at_most() {
        let cases = [
            (0.0, "0"),
            (1740.0, "1740"),
            (2_678_974.0, "2\u{202f}678\u{202f}974"),
            (-20_000_000.0, "−20\u{202f}000\u{202f}000"),
            (3.625, "3.625"),
            (12.345_678, "12.35"),
            (0.951_2, "0.9512"),
            (-0.5, "−0.5"),
            (1234.567, "1235"),
            (0.000_012, "1.2e-5"),
            (f64::NAN, "–"),
        ];
        for (value, expected) in cases {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn values_read_as_words() {
        assert_eq!(text(&json!({ "exact": "58", "value": 58.0 })), "58");
        assert_eq!(text(&json!({ "exact": "1001/30", "value": 33.366_666 })), "33.37 (1001/30)");
        assert_eq!(text(&json!(["a", 1, true, null])), "a, 1, yes, none");
        assert_eq!(short_path("video.frame_rate.exact"), "frame rate exact");
        assert_eq!(short_path("route.flight.passed_share"), "passed share");
        assert_eq!(short_path("bytes"), "bytes");
    }

    #[test]
    fn trees_are_flattened_in_order_and_long_lists_cut() {
        let mut out = Vec::new();
        let tree = json!({ "b_c": { "x": 1 }, "a": [1, 2], "list": [{ "y": "z" }], "long": vec![0; 50] });
        flatten(&tree, "", &mut out);
        assert_eq!(out[0], ("b c › x".to_owned(), "1".to_owned()));
        assert_eq!(out[1], ("a".to_owned(), "1, 2".to_owned()));
        assert_eq!(out[2], ("list › 1 › y".to_owned(), "z".to_owned()));
        assert!(out[3].1.ends_with("(50 in all)"));
        assert_eq!(out.len(), 4);
    }
}
