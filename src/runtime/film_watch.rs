//! Does the filmed canvas stay what a browser shows? A program may take it off the page, hide it, or go on with another one.

/// How the page shows the filmed canvas, as `js_shims/12_left_out.js` tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    #[default]
    Yes,
    /// Not in the page: some programs never put it there.
    Off,
    /// `display: none`, its own or around it.
    NoDisplay,
    /// `visibility: hidden`.
    Invisible,
    /// Its styles, or those around it, place it outside of the window.
    Outside,
    /// Its styles, or those around it, leave it no width or no height.
    NoSize,
}

impl Shown {
    pub fn from_code(code: u32) -> Self {
        match code {
            0 => Self::Yes,
            2 => Self::NoDisplay,
            3 => Self::Invisible,
            4 => Self::Outside,
            5 => Self::NoSize,
            _ => Self::Off,
        }
    }
}

/// Lapses that are told.
const MOST: usize = 3;

/// What was filmed in the frame before.
#[derive(Debug, Default)]
pub struct FilmWatch {
    canvas: u32,
    shown: Shown,
    drawn: bool,
    /// Was a filmed canvas ever in the page, hidden or not?
    on_page: bool,
    lapses: Vec<String>,
    more: u64,
}

impl FilmWatch {
    /// Frame `number` of the film shows `canvas` (0: none), which was `drawn` to so far.
    pub fn see(&mut self, number: u64, canvas: u32, shown: Shown, drawn: bool) {
        let before = std::mem::replace(&mut self.canvas, canvas);
        let was = std::mem::replace(&mut self.shown, shown);
        let had = std::mem::replace(&mut self.drawn, drawn);
        self.on_page |= canvas != 0 && shown != Shown::Off;
        // What the page never showed, or never drew, nobody misses.
        if before == 0 || was != Shown::Yes || !had {
            return;
        }
        let what = match shown {
            _ if canvas != before => "another canvas took its place and was filmed from there on",
            Shown::Yes => return,
            Shown::Off => "the program took it off the page; it was filmed on",
            Shown::NoDisplay => "the program hid it (display: none); it was filmed on",
            Shown::Invisible => "the program hid it (visibility); it was filmed on",
            Shown::Outside => "the program moved it out of the window; it was filmed on",
            Shown::NoSize => "the program made it of no width or height; it was filmed on",
        };
        if self.lapses.len() < MOST {
            self.lapses.push(format!("in frame {number} {what}"));
        } else {
            self.more += 1;
        }
    }

    /// Was what was drawn and filmed never in the page?
    pub fn never_on_page(&self) -> bool {
        self.canvas != 0 && self.drawn && !self.on_page
    }

    /// All lapses in words, empty if there were none.
    pub fn told(&self) -> String {
        let more = if self.more > 0 { format!("; {} times more", self.more) } else { String::new() };
        self.lapses.join("; ") + &more
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(frames: &[(u32, Shown, bool)]) -> FilmWatch {
        let mut watch = FilmWatch::default();
        for (number, (canvas, shown, drawn)) in (0..).zip(frames) {
            watch.see(number, *canvas, *shown, *drawn);
        }
        watch
    }

    fn told(frames: &[(u32, Shown, bool)]) -> String {
        watched(frames).told()
    }

    #[test]
    fn only_what_was_shown_and_drawn_is_missed() {
        let (yes, off) = ((1, Shown::Yes, true), (1, Shown::Off, true));
        assert_eq!(told(&[yes, yes]), "");
        assert_eq!(told(&[off, off, (2, Shown::Yes, true)]), "", "never attached");
        assert_eq!(told(&[(1, Shown::Yes, false), (2, Shown::Yes, true)]), "", "a probe, or before the first picture");
        assert_eq!(told(&[off, yes]), "", "attached late");
        assert_eq!(told(&[yes, yes, off, off]), "in frame 2 the program took it off the page; it was filmed on");
        assert!(told(&[yes, (2, Shown::Yes, true)]).starts_with("in frame 1 another canvas"));
        assert!(told(&[yes, (1, Shown::NoDisplay, true)]).contains("display: none"));
        let never = |frames: &[(u32, Shown, bool)]| watched(frames).never_on_page();
        assert!(never(&[off, off]) && never(&[(0, Shown::Off, false), off]));
        assert!(!never(&[off, yes]) && !never(&[yes, off]) && !never(&[(1, Shown::Off, false)]));
        assert!(!never(&[(1, Shown::NoDisplay, true)]), "that is told as a style");
        assert!(told(&[yes, off, yes, off, yes, off, yes, off]).ends_with("; 1 times more"));
    }
}
