//! What a file is by its first bytes: a picture is one under any name.

/// Bytes looked through for a NUL and for the words of formats in text.
const LOOKED: usize = 1 << 16;

/// Kind and the bytes that a file of it begins with.
const BEGINNINGS: [(&str, &[u8]); 36] = [
    ("image", b"\x89PNG\r\n\x1a\n"),
    ("image", b"\xff\xd8\xff"),
    ("image", b"GIF8"),
    ("image", b"\xabKTX "),
    ("image", b"DDS "),
    ("image", b"#?RADIANCE"),
    ("image", b"#?RGBE"),
    ("image", b"\x76\x2f\x31\x01"),
    ("image", b"II*\0"),
    ("image", b"MM\0*"),
    ("image", b"\0\0\x01\0"),
    ("image", b"PVR\x03"),
    ("image", b"\xff\x0a"),
    ("image", b"\0\0\0\x0cJXL "),
    ("model", b"glTF"),
    ("model", b"Kaydara FBX Binary"),
    ("model", b"ply\n"),
    ("model", b"ply\r\n"),
    ("model", b"DRACO"),
    ("model", b"PXR-USDC"),
    ("font", b"wOFF"),
    ("font", b"wOF2"),
    ("font", b"OTTO"),
    ("font", b"ttcf"),
    ("font", b"\0\x01\0\0"),
    ("audio", b"ID3"),
    ("audio", b"OggS"),
    ("audio", b"fLaC"),
    ("audio", b"\xff\xfb"),
    ("audio", b"\xff\xf3"),
    ("audio", b"\xff\xf2"),
    ("video", b"\x1a\x45\xdf\xa3"),
    ("wasm", b"\0asm"),
    ("other", b"PK\x03\x04"),
    ("other", b"\x1f\x8b"),
    ("other", b"%PDF-"),
];

/// What `bytes` hold if they are no plain text of a program's own: `other` for bytes of an unknown meaning.
pub fn held(bytes: &[u8]) -> Option<&'static str> {
    if let Some((kind, _)) = BEGINNINGS.iter().find(|(_, begin)| bytes.starts_with(begin)) {
        return Some(kind);
    }
    match (bytes.get(..4), bytes.get(4..8), bytes.get(8..12)) {
        (Some(b"RIFF"), _, Some(b"WEBP")) => return Some("image"),
        (Some(b"RIFF"), _, Some(b"WAVE")) => return Some("audio"),
        (_, Some(b"ftyp"), Some(b"avif" | b"avis" | b"heic" | b"mif1")) => return Some("image"),
        (_, Some(b"ftyp"), Some(b"M4A ")) => return Some("audio"),
        (_, Some(b"ftyp"), _) => return Some("video"),
        _ => {}
    }
    let bitmap = bytes.get(2..6).and_then(|size| Some(u32::from_le_bytes(size.try_into().ok()?)));
    if bytes.starts_with(b"BM") && bitmap == u32::try_from(bytes.len()).ok() {
        return Some("image");
    }
    let begin = bytes.get(..LOOKED).unwrap_or(bytes);
    // UTF-16 says that it is text.
    if begin.starts_with(b"\xff\xfe") || begin.starts_with(b"\xfe\xff") {
        return None;
    }
    if begin.contains(&0) { Some("other") } else { words(&String::from_utf8_lossy(begin)) }
}

/// Formats of pictures and models that are text.
fn words(text: &str) -> Option<&'static str> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let tag = start.starts_with("<svg")
        || (start.starts_with("<?xml") || start.starts_with("<!DOCTYPE svg")) && start.contains("<svg");
    if tag {
        return Some("image");
    }
    if start.starts_with('<') && start.contains("<COLLADA") {
        return Some("model");
    }
    if start.starts_with("solid") && start.contains("facet normal") && start.contains("vertex") {
        return Some("model");
    }
    let has = |key: &str| start.contains(key);
    if start.starts_with('{') && has("\"asset\"") && has("\"version\"") && has("\"accessors\"") {
        return Some("model");
    }
    let lines = |begin: &str| start.lines().filter(|line| line.starts_with(begin)).count();
    let wavefront = !start.starts_with('{') && lines("v ") >= 3 && (lines("f ") >= 1 || lines("vn ") >= 3);
    wavefront.then_some("model")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_is_follows_from_its_bytes() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "image"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", "image"),
            (b"GIF89a", "image"),
            (b"RIFF\x24\0\0\0WEBPVP8 ", "image"),
            (b"RIFF\x24\0\0\0WAVEfmt ", "audio"),
            (b"\xabKTX 20\xbb\r\n\x1a\n", "image"),
            (b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", "image"),
            (b"\x76\x2f\x31\x01\x02\0\0\0", "image"),
            (b"BM\x0a\0\0\0\0\0\0\0", "image"),
            (b"\0\0\0\x1cftypavif", "image"),
            (b"\0\0\0\x18ftypisom", "video"),
            (b"  <svg xmlns='http://www.w3.org/2000/svg'/>", "image"),
            (b"glTF\x02\0\0\0", "model"),
            (b"{\"asset\":{\"version\":\"2.0\"},\"accessors\":[]}", "model"),
            (b"# cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "model"),
            (b"ID3\x04\0", "audio"),
            (b"OggS\0\x02", "audio"),
            (b"wOF2\0\x01\0\0", "font"),
            (b"\0\x01\0\0\0\x10", "font"),
            (b"\0asm\x01\0\0\0", "wasm"),
            (b"PK\x03\x04", "other"),
            (b"heights \0\x7f\0\x80", "other"),
        ] {
            assert_eq!(held(bytes), Some(kind), "{:?}", String::from_utf8_lossy(bytes));
        }
        for text in [
            "",
            "BM is short",
            "import * as THREE from 'three';",
            "{\"asset\": 1}",
            "a,b\n1,2\n",
            "<html><svg/></html>",
        ] {
            assert_eq!(held(text.as_bytes()), None, "{text}");
        }
        assert_eq!(held(b"\xff\xfea\0b\0"), None);
    }
}
