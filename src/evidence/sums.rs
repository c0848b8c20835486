//! `SHA256SUMS`: the digest of every file that a render left, `manifest.json` and what varies from run to run included, as
//! `sha256sum` writes them (`sha256sum -c SHA256SUMS` checks an output too).

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::Path;

use super::ordinary;
use crate::frame::hash::Hash;

/// The file's name.
pub const SUMS: &str = "SHA256SUMS";
/// Most bytes of it that are read: a day of pictures at 120 a second.
const MOST: u64 = 1 << 30;

/// The file's text; names must be plain (no line breaks, no backslashes).
pub fn to_text<'a>(files: impl IntoIterator<Item = (&'a str, Hash)>) -> String {
    files.into_iter().fold(String::new(), |mut text, (name, hash)| {
        let _ = writeln!(text, "{hash}  {name}");
        text
    })
}

/// Names and digests, in order.
///
/// # Errors
/// The number, from 1, of the first line that is none, or names a file again.
pub fn parse(text: &str) -> Result<Vec<(String, Hash)>, usize> {
    let line = |(number, line): (usize, &str)| {
        let (hash, name) = line.split_once("  ").ok_or(number + 1)?;
        let hash = Hash::from_hex(hash).filter(|_| !name.is_empty() && !line.contains('\\')).ok_or(number + 1)?;
        Ok((name.to_owned(), hash))
    };
    // Whatever ends otherwise was cut.
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(text.lines().count());
    }
    let all = text.lines().enumerate().map(line).collect::<Result<Vec<(String, Hash)>, usize>>()?;
    let mut names = BTreeSet::new();
    match all.iter().position(|(name, _)| !names.insert(name.as_str())) {
        Some(twice) => Err(twice + 1),
        None => Ok(all),
    }
}

/// The list of an output folder, if it has one.
///
/// # Errors
/// Why it can't be read.
pub fn read(folder: &Path) -> Result<Option<Vec<(String, Hash)>>, String> {
    let file = match ordinary::open(&folder.join(SUMS)) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e.to_string()),
    };
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).map_err(|e| e.to_string())?;
    parse(&text).map(Some).map_err(|line| format!("line {line} is no digest and name, or names a file again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_what_sha256sum_prints() {
        // `printf abc | sha256sum`, and the digest of nothing.
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a b.json\n\
                    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  frames/000000.png\n";
        assert_eq!(to_text([("a b.json", Hash::of(b"abc")), ("frames/000000.png", Hash::of(b""))]), text);
        let read = parse(text).unwrap();
        assert_eq!(read[0], ("a b.json".to_owned(), Hash::of(b"abc")));
        assert_eq!(read.len(), 2);
        assert_eq!(parse(&text.repeat(2)), Err(3), "which of two is right, nobody knows");
        assert_eq!(parse(""), Ok(Vec::new()));
        assert_eq!(parse(&text[..text.len() - 1]), Err(2));
        assert_eq!(parse(&text.replacen("  a", " a", 1)), Err(1));
        assert_eq!(parse(&text.replacen('b', "g", 1)), Err(1));
        assert_eq!(parse("\u{0}\u{0}\n"), Err(1));
    }
}
