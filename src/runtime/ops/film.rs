//! What the camera sees besides what back ends present: pictures of 2D canvases and bitmap renderers, and the page behind.

use deno_core::{OpState, op2};

use crate::frame::Behind;
use crate::gl::backend::PresentedFrame;
use crate::runtime::film_watch::Shown;

/// What the filmed canvas shows in the frame under way; lives in `OpState`.
#[derive(Default)]
pub struct Filmed {
    pub picture: Option<PresentedFrame>,
    /// How the page shows it; stays until it changes.
    pub shown: Shown,
    /// What the page shows behind it; stays until it changes.
    pub behind: Behind,
    /// The last picture behind it that was left out, in words.
    pub behind_text: String,
}

/// How the page shows the canvas from this frame on: 0 as it is, 1 not in the page, 2 without display, 3 invisible.
#[op2(fast)]
pub fn op_film_shown(state: &mut OpState, code: u32) {
    state.borrow_mut::<Filmed>().shown = Shown::from_code(code);
}

/// What lies behind the canvas from this frame on: a colour, and what else a browser would show there, in words;
/// `under`: has the page elements there that are told of by themselves?
#[op2(fast)]
pub fn op_film_behind(state: &mut OpState, red: u32, green: u32, blue: u32, #[string] picture: &str, under: bool) {
    let byte = |v: u32| u8::try_from(v).unwrap_or(255);
    let filmed = state.borrow_mut::<Filmed>();
    filmed.behind = Behind { color: [byte(red), byte(green), byte(blue)], picture: under || !picture.is_empty() };
    if !picture.is_empty() {
        picture.clone_into(&mut filmed.behind_text);
    }
}

/// Takes RGBA8, row 0 = top; data that is not as long as the size says is no picture.
#[op2(fast)]
pub fn op_film_picture(state: &mut OpState, width: u32, height: u32, #[buffer] data: &[u8], premultiplied: bool) {
    let fits = u64::from(width) * u64::from(height) * 4 == data.len() as u64 && !data.is_empty();
    if !fits {
        return;
    }
    let mut rgba = data.to_vec();
    if premultiplied {
        straighten(&mut rgba);
    }
    state.borrow_mut::<Filmed>().picture = Some(PresentedFrame { frame: 0, width, height, rgba });
}

/// Divides colours by alpha, to the nearest (HTML canvas, "premultiplied alpha and the 2D rendering context").
fn straighten(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let [r, g, b, a] = pixel else { continue };
        let alpha = u32::from(*a);
        if alpha == 255 {
            continue;
        }
        for c in [r, g, b] {
            let value = (u32::from(*c) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0);
            *c = u8::try_from(value).unwrap_or(255);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn colours_come_out_as_they_went_in() {
        let mut rgba = [255, 255, 255, 255, 64, 0, 32, 128, 0, 0, 0, 0, 9, 9, 9, 4];
        super::straighten(&mut rgba);
        // 64·255/128 = 127.5, 32·255/128 = 63.75; a colour above its alpha is held at 255.
        assert_eq!(rgba, [255, 255, 255, 255, 128, 0, 64, 128, 0, 0, 0, 0, 255, 255, 255, 4]);
    }
}
