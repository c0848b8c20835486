//! Values of numeric literals (GLSL ES 1.00 §4.1.3–4.1.4, 3.00 §4.1.3–4.1.4).

use super::{Dialect, TokenKind};

/// The token of one number, or what is wrong with it.
pub fn value(text: &str, dialect: Dialect) -> Result<TokenKind, &'static str> {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let is_float = !hexadecimal
        && (text.contains('.') || text.contains(['e', 'E']) || (text.ends_with(['f', 'F']) && all_digits(text)));
    if is_float { float(text, dialect) } else { integer(text, dialect) }
}

fn all_digits(text: &str) -> bool {
    text.bytes().take(text.len() - 1).all(|byte| byte.is_ascii_digit())
}

fn float(text: &str, dialect: Dialect) -> Result<TokenKind, &'static str> {
    let digits = match text.strip_suffix(['f', 'F']) {
        Some(_) if dialect == Dialect::Essl100 => {
            return Err("Floating-point suffix unsupported prior to GLSL ES 3.00");
        }
        // `1f` needs a point or an exponent.
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => return Err("invalid number"),
        Some(digits) => digits,
        None => text,
    };
    if !digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) {
        return Err("invalid number");
    }
    // Rust's grammar covers GLSL's; too large a value becomes infinity, too small one zero, as 3.00 asks.
    digits.parse::<f32>().map(TokenKind::Float).map_err(|_| "invalid number")
}

fn integer(text: &str, dialect: Dialect) -> Result<TokenKind, &'static str> {
    let (digits, unsigned) = match text.strip_suffix(['u', 'U']) {
        Some(_) if dialect == Dialect::Essl100 => {
            return Err("Unsigned integers are unsupported prior to GLSL ES 3.00");
        }
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (&digits[1..], 8),
        None => (digits, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err("invalid number");
    }
    let value = u32::from_str_radix(digits, radix).map_err(|_| "integer overflow")?;
    if dialect == Dialect::Essl100 && value > i32::MAX as u32 {
        return Err("integer overflow");
    }
    Ok(if unsigned { TokenKind::Uint(value) } else { TokenKind::Int(value) })
}
