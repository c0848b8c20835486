//! Names of objects as words.

/// Puts spaces where words begin, so that patterns with word boundaries fit any style: `heavyRain_02` → `heavy Rain 02`.
pub fn spaced(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    let mut before: Option<char> = None;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            out.push(' ');
        } else {
            let begins = before.is_some_and(|b| {
                (b.is_lowercase() && c.is_uppercase())
                    || (b.is_alphabetic() != c.is_alphabetic() && b.is_alphanumeric())
            });
            if begins {
                out.push(' ');
            }
            out.push(c);
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn words_are_found_in_any_style() {
        for (name, words) in [
            ("heavyRain_02", "heavy Rain 02"),
            ("water-surface", "water surface"),
            ("Terrain", "Terrain"),
            ("sky2", "sky 2"),
            ("řekaVltava", "řeka Vltava"),
        ] {
            assert_eq!(spaced(name), words);
        }
    }
}
