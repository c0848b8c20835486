//! `calc()` within colours (CSS Values 4 §10): sums and products of numbers and percentages, worked out before the colour is read.

/// A value and its unit; what is multiplied has at most one unit.
#[derive(Clone)]
struct Value {
    number: f64,
    unit: String,
}

/// `text` with every `calc()` worked out; None if one makes no sense.
pub fn fold(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    // Each round takes one innermost `calc()` away.
    while let Some(start) = text.rfind("calc(") {
        let inner = text.get(start + 5..)?;
        let mut depth = 1usize;
        let end = inner.find(|c: char| {
            depth = match c {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            depth == 0
        })?;
        let mut rest = inner.get(..end)?.trim_start();
        let value = sum(&mut rest)?;
        if !rest.is_empty() {
            return None;
        }
        text.replace_range(start..start + 5 + end + 1, &format!("{}{}", value.number, value.unit));
    }
    Some(text)
}

fn sum(rest: &mut &str) -> Option<Value> {
    let mut total = product(rest)?;
    while let Some(sign) = rest.chars().next().filter(|c| matches!(c, '+' | '-')) {
        *rest = rest.get(1..)?.trim_start();
        let next = product(rest)?;
        if next.unit != total.unit {
            return None;
        }
        total.number += if sign == '+' { next.number } else { -next.number };
    }
    Some(total)
}

fn product(rest: &mut &str) -> Option<Value> {
    let mut total = factor(rest)?;
    while let Some(sign) = rest.chars().next().filter(|c| matches!(c, '*' | '/')) {
        *rest = rest.get(1..)?.trim_start();
        let next = factor(rest)?;
        match (sign, total.unit.is_empty(), next.unit.is_empty()) {
            ('*', _, true) => total.number *= next.number,
            ('*', true, false) => total = Value { number: total.number * next.number, unit: next.unit },
            ('/', _, true) if next.number != 0.0 => total.number /= next.number,
            _ => return None,
        }
    }
    Some(total)
}

fn factor(rest: &mut &str) -> Option<Value> {
    if let Some(inner) = rest.strip_prefix('(') {
        *rest = inner.trim_start();
        let value = sum(rest)?;
        *rest = rest.strip_prefix(')')?.trim_start();
        return Some(value);
    }
    let signed = usize::from(rest.starts_with(['+', '-']));
    let digits =
        rest.get(signed..)?.find(|c: char| !c.is_ascii_digit() && c != '.').map_or(rest.len(), |at| at + signed);
    let number = rest.get(..digits)?.parse().ok()?;
    let behind = rest.get(digits..)?;
    let end = behind.find(|c: char| !c.is_ascii_alphabetic() && c != '%').unwrap_or(behind.len());
    let unit = behind.get(..end)?.to_owned();
    *rest = behind.get(end..)?.trim_start();
    Some(Value { number, unit })
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn sums_and_products_are_worked_out() {
        for (text, folded) in [
            ("hsl(calc(100 + 20), 50%, calc(10% + 20%))", Some("hsl(120, 50%, 30%)")),
            ("rgb(calc(2 * (3 + 4) - 1) calc(-1 * -8%) calc(9 / 3))", Some("rgb(13 8% 3)")),
            ("hsl(calc(calc(1 + 1) * 30deg) 1% 1%)", Some("hsl(60deg 1% 1%)")),
            ("rgb(calc(1 + 2%) 0 0)", None),
            ("rgb(calc(1 / 0) 0 0)", None),
            ("rgb(calc(1 + ) 0 0)", None),
            ("rgb(calc(1", None),
            ("red", Some("red")),
        ] {
            assert_eq!(fold(text).as_deref(), folded, "{text}");
        }
    }
}
