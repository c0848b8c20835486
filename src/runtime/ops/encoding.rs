//! Base64 and text decoding.

use std::borrow::Cow;

use deno_core::{OpState, op2, v8};
use deno_error::JsErrorBox;
use encoding_rs::{Encoding, UTF_8};

use crate::runtime::memory::admit;

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
pub fn op_base64_decode(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[string] text: &str,
) -> Result<Vec<u8>, JsErrorBox> {
    if !admit(scope, state, text.len() / 4 * 3) {
        return Ok(Vec::new());
    }
    base64_decode(text.as_bytes()).ok_or_else(|| JsErrorBox::generic("not correctly encoded"))
}

#[op2]
#[string]
pub fn op_base64_encode(#[buffer] bytes: &[u8]) -> String {
    base64_encode(bytes)
}

/// Bytes in the encoding that `label` names to text (Encoding Standard); `fatal` refuses malformed input. A byte order mark stays.
#[op2]
#[string]
pub fn op_text_decode(#[buffer] bytes: &[u8], #[string] label: &str, fatal: bool) -> Result<String, JsErrorBox> {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
    if fatal {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        return text.map(Cow::into_owned).ok_or_else(|| JsErrorBox::type_error("The encoded data was not valid."));
    }
    Ok(encoding.decode_without_bom_handling(bytes).0.into_owned())
}

/// The name of the encoding that `label` means, in lower case (Encoding Standard, "get an encoding").
#[op2]
#[string]
pub fn op_encoding_of(#[string] label: &str) -> Option<String> {
    let encoding = Encoding::for_label_no_replacement(label.as_bytes())?;
    Some(encoding.name().to_ascii_lowercase())
}

/// The encoding of an HTML file: by its byte order mark, else by the first `<meta>` that names one (HTML, 13.2.3.2), else UTF-8.
#[op2]
#[string]
pub fn op_html_encoding(#[buffer] bytes: &[u8]) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.name().to_owned();
    }
    let head: String = bytes.iter().take(PRESCANNED).map(|&byte| char::from(byte).to_ascii_lowercase()).collect();
    let metas = head.split("<meta").skip(1).map(|rest| rest.split('>').next().unwrap_or(rest));
    let label = metas.filter_map(|tag| {
        let (_, value) = tag.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
        value.split(['"', '\'', ';', ' ', '/', '\t', '\n']).next()
    });
    let found = label.filter_map(|label| Encoding::for_label_no_replacement(label.as_bytes())).next();
    // Who can read the tag as ASCII does not read UTF-16.
    found.filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(UTF_8).name().to_owned()
}

/// Bytes in which the `<meta>` must stand.
const PRESCANNED: usize = 1024;

/// UTF-8 of `text`.
#[op2]
#[buffer]
pub fn op_text_encode(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, #[string] text: &str) -> Vec<u8> {
    if !admit(scope, state, text.len()) {
        return Vec::new();
    }
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
pub fn op_data_url(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[string] text: &str,
) -> Result<Vec<u8>, JsErrorBox> {
    if !admit(scope, state, text.len()) {
        return Ok(Vec::new());
    }
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
