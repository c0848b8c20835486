//! Base64 and text decoding.

use deno_core::op2;
use deno_error::JsErrorBox;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Infra's forgiving-base64 decode; `None` if it fails.
pub fn base64_decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut clean: Vec<u8> =
        text.iter().copied().filter(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)).collect();
    if clean.len().is_multiple_of(4) {
        for _ in 0..2 {
            if clean.last() == Some(&b'=') {
                clean.pop();
            }
        }
    }
    if clean.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(clean.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in clean {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// RFC 4648, section 4.
pub fn base64_encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |acc, &b| (acc << 8) | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let symbol = ALPHABET[(word >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= chunk.len() { char::from(symbol) } else { '=' });
        }
    }
    out
}

#[op2]
#[buffer]
pub fn op_base64_decode(#[string] text: &str) -> Result<Vec<u8>, JsErrorBox> {
    base64_decode(text.as_bytes()).ok_or_else(|| JsErrorBox::generic("not correctly encoded"))
}

#[op2]
#[string]
pub fn op_base64_encode(#[buffer] bytes: &[u8]) -> String {
    base64_encode(bytes)
}

/// UTF-8, UTF-16LE or UTF-16BE, or Latin-1 (as windows-1252's common part) to text. `fatal` refuses malformed input.
#[op2]
#[string]
pub fn op_text_decode(#[buffer] bytes: &[u8], #[string] label: &str, fatal: bool) -> Result<String, JsErrorBox> {
    let malformed = || JsErrorBox::type_error("The encoded data was not valid.");
    match label {
        "utf-16le" | "utf-16be" => {
            let units: Vec<u16> = bytes
                .chunks_exact(2)
                .map(|p| {
                    if label == "utf-16le" {
                        u16::from_le_bytes([p[0], p[1]])
                    } else {
                        u16::from_be_bytes([p[0], p[1]])
                    }
                })
                .collect();
            if fatal {
                String::from_utf16(&units).map_err(|_| malformed())
            } else {
                Ok(String::from_utf16_lossy(&units))
            }
        }
        "windows-1252" => Ok(bytes.iter().map(|&b| char::from(b)).collect()),
        _ if fatal => std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| malformed()),
        _ => Ok(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// UTF-8 of `text`.
#[op2]
#[buffer]
pub fn op_text_encode(#[string] text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// SHA-256, SHA-384 or SHA-512 of `bytes`; empty for another algorithm.
#[op2]
#[buffer]
pub fn op_digest(#[string] algorithm: &str, #[buffer] bytes: &[u8]) -> Vec<u8> {
    use sha2::Digest;
    match algorithm {
        "SHA-256" => sha2::Sha256::digest(bytes).to_vec(),
        "SHA-384" => sha2::Sha384::digest(bytes).to_vec(),
        "SHA-512" => sha2::Sha512::digest(bytes).to_vec(),
        _ => Vec::new(),
    }
}

/// Media type, NUL, then the bytes of a `data:` address.
#[op2]
#[buffer]
pub fn op_data_url(#[string] text: &str) -> Result<Vec<u8>, JsErrorBox> {
    let url = url::Url::parse(text).map_err(|_| JsErrorBox::generic("malformed data: address"))?;
    let (mime, bytes) =
        crate::runtime::modules::data_url(&url).ok_or_else(|| JsErrorBox::generic("malformed data: address"))?;
    let mut out = mime.into_bytes();
    out.push(0);
    out.extend_from_slice(&bytes);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_rfc_4648() {
        // RFC 4648, section 10.
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64_encode(plain.as_bytes()), coded);
            assert_eq!(base64_decode(coded.as_bytes()).as_deref(), Some(plain.as_bytes()));
        }
        // Infra: white space is dropped, padding may be absent, a lone symbol is an error.
        assert_eq!(base64_decode(b" Zm 9v\nYg ").as_deref(), Some(&b"foob"[..]));
        assert_eq!(base64_decode(b"Z"), None);
        assert_eq!(base64_decode(b"Zg=a"), None);
    }
}
