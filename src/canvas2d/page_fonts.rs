//! Font files of a page: TrueType and OpenType as they are, WOFF unpacked.

use std::io::Read as _;

use super::text;

/// Most bytes of a font, unpacked.
const MAX_BYTES: usize = 64 << 20;
/// Fonts that a page may bring.
const MAX_TABLES: usize = 256;

/// Makes a font file known to text drawn on this thread as `family`; `weight` and `italic` are the font's own if absent.
///
/// # Errors
/// What the file is instead, in a word or two.
pub fn add_font(family: &str, weight: Option<f32>, italic: Option<bool>, file: &[u8]) -> Result<(), &'static str> {
    let font = match file.first_chunk::<4>() {
        _ if file.len() > MAX_BYTES => return Err("a font of more than 64 MiB"),
        Some(b"wOFF") => unpack(file).ok_or("a damaged WOFF file")?,
        Some(b"wOF2") => return Err("woff2"),
        Some([0, 1, 0, 0] | b"OTTO" | b"true" | b"ttcf") => file.to_vec(),
        _ => return Err("a file that is no font"),
    };
    if text::register(family, weight, italic, font) { Ok(()) } else { Err("a damaged font") }
}

/// The OpenType font in a WOFF file (W3C WOFF 1.0, sections 3 to 5).
fn unpack(file: &[u8]) -> Option<Vec<u8>> {
    let long = |at: usize| Some(u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let place = |at: usize| usize::try_from(long(at)?).ok();
    let short = |at: usize| Some(u16::from_be_bytes(file.get(at..at + 2)?.try_into().ok()?));
    let count = short(12)?;
    let tables = usize::from(count);
    if tables == 0 || tables > MAX_TABLES {
        return None;
    }
    // The table directory of OpenType: its search hints follow from the number of tables.
    let power = 15 - u16::try_from(count.leading_zeros()).ok()?;
    let range = 16u16.checked_shl(u32::from(power))?;
    let mut head = file.get(4..8)?.to_vec();
    for value in [count, range, power, (count * 16).checked_sub(range)?] {
        head.extend(value.to_be_bytes());
    }
    let mut body: Vec<u8> = Vec::new();
    let start = 12 + tables * 16;
    for entry in (0..tables).map(|i| 44 + i * 20) {
        let (at, packed, size) = (place(entry + 4)?, place(entry + 8)?, place(entry + 12)?);
        let data = file.get(at..at.checked_add(packed)?)?;
        if size > MAX_BYTES || body.len() > MAX_BYTES {
            return None;
        }
        head.extend(file.get(entry..entry + 4)?);
        head.extend(long(entry + 16)?.to_be_bytes());
        head.extend(u32::try_from(start + body.len()).ok()?.to_be_bytes());
        head.extend(u32::try_from(size).ok()?.to_be_bytes());
        let before = body.len();
        if packed < size {
            let limit = u64::try_from(size).ok()?;
            flate2::read::ZlibDecoder::new(data).take(limit).read_to_end(&mut body).ok()?;
        } else {
            body.extend(data.get(..size)?);
        }
        if body.len() - before != size {
            return None;
        }
        body.resize(body.len().next_multiple_of(4), 0);
    }
    head.extend(body);
    Some(head)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// The font `ttf` as a WOFF file, by the specification: header, directory, packed tables.
    fn pack(ttf: &[u8]) -> Vec<u8> {
        let word = |at: usize| u32::from_be_bytes(ttf[at..at + 4].try_into().unwrap());
        let count = u16::from_be_bytes([ttf[4], ttf[5]]);
        let mut directory = Vec::new();
        let mut data = Vec::new();
        let start = 44 + usize::from(count) * 20;
        for entry in (0..usize::from(count)).map(|i| 12 + i * 16) {
            let (at, size) = (word(entry + 8) as usize, word(entry + 12) as usize);
            let table = &ttf[at..at + size];
            let mut zip = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
            zip.write_all(table).unwrap();
            let packed = zip.finish().unwrap();
            let packed = if packed.len() < size { packed } else { table.to_vec() };
            directory.extend(&ttf[entry..entry + 4]);
            for value in [start + data.len(), packed.len(), size] {
                directory.extend((value as u32).to_be_bytes());
            }
            directory.extend(&ttf[entry + 4..entry + 8]);
            data.extend(packed);
            data.resize(data.len().next_multiple_of(4), 0);
        }
        let mut head = b"wOFF".to_vec();
        head.extend(&ttf[..4]);
        head.extend(((start + data.len()) as u32).to_be_bytes());
        head.extend(count.to_be_bytes());
        head.resize(44, 0);
        [head, directory, data].concat()
    }

    #[test]
    fn woff_unpacks_to_the_tables_that_went_in() {
        let ttf = dejavu::sans_mono::regular();
        let back = unpack(&pack(ttf)).unwrap();
        let table = |font: &[u8], tag: &[u8]| {
            let count = usize::from(u16::from_be_bytes([font[4], font[5]]));
            let entry = (0..count).map(|i| 12 + i * 16).find(|e| &font[*e..e + 4] == tag).unwrap();
            let word = |at: usize| u32::from_be_bytes(font[at..at + 4].try_into().unwrap()) as usize;
            font[word(entry + 8)..word(entry + 8) + word(entry + 12)].to_vec()
        };
        for tag in [b"glyf", b"cmap", b"head"] {
            assert!(table(&back, tag) == table(ttf, tag), "{}", String::from_utf8_lossy(tag));
        }
        // The search hints are those of the font itself.
        assert_eq!(back[..12], ttf[..12]);
    }

    #[test]
    fn damaged_files_are_refused() {
        let woff = pack(dejavu::sans_mono::regular());
        assert_eq!(add_font("A", None, None, b"<html>"), Err("a file that is no font"));
        assert_eq!(add_font("A", None, None, b"wOF2...."), Err("woff2"));
        for cut in [4, 30, 50, 500, woff.len() / 2] {
            assert_eq!(add_font("A", None, None, &woff[..cut]), Err("a damaged WOFF file"), "{cut}");
        }
        assert_eq!(add_font("A", None, None, b"OTTO"), Err("a damaged font"));
    }
}
