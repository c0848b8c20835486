//! What a browser would show of the page and the video does not: HTML over or behind the filmed canvas, what is done to the
//! canvas by CSS, pictures behind a canvas that is see-through. `js_shims/12_left_out.js` looks; this puts it into words.

use serde::{Deserialize, Serialize};

use super::unsupported::UnsupportedUse;

/// Lists of what was seen in the frames looked at, empty where there was nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Elements over or behind the canvas.
    pub over: String,
    /// Elements that flow with it: where they are, only a layout could tell.
    pub perhaps: String,
    /// Elements below it: seen only where it is see-through.
    pub under: String,
    /// Styles of the canvas as a whole.
    pub worn: String,
    /// The background picture behind it.
    pub behind: String,
    /// A function of the page's that harnesses call for each frame, if it has one.
    #[serde(default)]
    pub seekable: String,
    /// When the filmed canvas was no longer what a browser shows.
    #[serde(default)]
    pub gone: String,
    /// Was the filmed canvas never put on the page?
    #[serde(default)]
    pub off_page: bool,
}

impl LeftOut {
    /// `seen` as the hook gives it: a kind and its list in turns, a line each.
    pub(super) fn new(seen: &str, behind: &str, gone: String) -> Self {
        let mut out = Self { behind: behind.to_owned(), gone, ..Self::default() };
        let mut lines = seen.lines();
        while let (Some(kind), Some(list)) = (lines.next(), lines.next()) {
            let slot = match kind {
                "over" => &mut out.over,
                "perhaps" => &mut out.perhaps,
                "under" => &mut out.under,
                "worn" => &mut out.worn,
                "seekable" => &mut out.seekable,
                _ => continue,
            };
            list.clone_into(slot);
        }
        out
    }

    /// Each as a feature that is not supported, and as a sentence; `transparent`: can one see through the canvas?
    pub fn told(&self, transparent: bool) -> Vec<(UnsupportedUse, String)> {
        // A page that shows nothing else misses nothing: many programs draw for a file or a test alone.
        let shown =
            [&*self.over, &*self.perhaps].into_iter().filter(|list| !list.is_empty()).collect::<Vec<_>>().join(", ");
        let (instead, over, perhaps) =
            if self.off_page { (&*shown, "", "") } else { ("", &*self.over, &*self.perhaps) };
        let [under, behind] = if transparent { [self.under.as_str(), self.behind.as_str()] } else { [""; 2] };
        let all = [
            (
                "HTMLCanvasElement",
                "leaving-the-page",
                &*self.gone,
                "the filmed canvas did not stay what a browser shows: ",
            ),
            (
                "HTMLCanvasElement",
                "never-on-the-page",
                instead,
                "the program never put the canvas that is filmed on the page; a browser shows HTML in its place, which is left out: ",
            ),
            (
                "HTML",
                "over-the-canvas",
                over,
                "the video shows the canvas alone; HTML that a browser shows over or behind it is left out: ",
            ),
            (
                "HTML",
                "beside-the-canvas",
                perhaps,
                "the video shows the canvas alone; HTML that may be visible beside or over it (there is no layout to tell) is left out: ",
            ),
            (
                "HTML",
                "under-the-canvas",
                under,
                "the canvas is see-through; HTML that a browser shows below it is left out: ",
            ),
            (
                "CSS",
                "styles-of-the-canvas",
                &*self.worn,
                "styles that change how a browser shows the canvas are left out: ",
            ),
            (
                "CSS",
                "background-behind-the-canvas",
                behind,
                "the canvas is see-through; what a browser shows behind it is replaced by one colour (--background sets it): ",
            ),
        ];
        let told =
            all.into_iter().filter(|(.., list, _)| !list.is_empty()).map(|(interface, member, list, sentence)| {
                let one = UnsupportedUse {
                    interface: interface.to_owned(),
                    member: member.to_owned(),
                    detail: list.to_owned(),
                    count: 1,
                };
                (one, format!("{sentence}{list}"))
            });
        told.collect()
    }
}

/// Characters that a warning names.
const NAMED: usize = 8;

/// What to say of characters of a canvas' text that no font has; `None` if there are none.
pub(super) fn boxes(missing: &[char]) -> Option<String> {
    let mut named: Vec<String> = missing.iter().take(NAMED).map(|c| format!("{c} (U+{:04X})", u32::from(*c))).collect();
    let more = missing.len().saturating_sub(NAMED);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    (!missing.is_empty()).then(|| {
        format!(
            "text on a canvas has characters that no font here has; they are drawn as boxes: {}. The bundled fonts are DejaVu; \
             a TrueType or OpenType font of the project is used where @font-face or FontFace loads it",
            named.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_through_is_not_told() {
        let seen = "over\n<div#hud>\nworn\nopacity: 0.5 of <canvas>";
        let out = LeftOut::new(seen, "the background of <body>", String::new());
        let names = |see_through| {
            let told = out.told(see_through).into_iter();
            told.map(|(one, text)| format!("{}: {}", one.member, text.contains(&one.detail))).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["over-the-canvas: true", "styles-of-the-canvas: true"]);
        assert_eq!(names(true).len(), 3);
        assert!(LeftOut::new("", "", String::new()).told(true).is_empty());
    }

    #[test]
    fn a_canvas_off_the_page_is_told_where_something_else_is_shown() {
        let told = |seen: &str| {
            let out = LeftOut { off_page: true, ..LeftOut::new(seen, "", String::new()) };
            out.told(false).into_iter().map(|(one, _)| format!("{}: {}", one.member, one.detail)).collect::<Vec<_>>()
        };
        assert_eq!(told(""), [""; 0]);
        assert_eq!(told("over\n<i>\nperhaps\n<div> \"@@\""), ["never-on-the-page: <i>, <div> \"@@\""]);
    }

    #[test]
    fn a_few_characters_are_named_and_the_rest_counted() {
        assert_eq!(boxes(&[]), None);
        let all: Vec<char> = ('\u{4e00}'..'\u{4e0c}').collect();
        let said = boxes(&all).unwrap();
        assert!(said.contains("U+4E00") && said.contains("U+4E07") && !said.contains("U+4E08"), "{said}");
        assert!(said.contains("4 more"), "{said}");
    }
}
