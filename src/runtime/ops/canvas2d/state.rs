//! Creation, saved state, transform, and the attributes that are numbers or words.

use deno_core::{OpState, op2, v8};
use kurbo::Affine;

use super::{Canvas2d, charge};
use crate::canvas2d::{Canvas, LineCap, LineJoin, Smoothing, TextAlign, TextBaseline, parse_color, serialize_color};

/// Null when the canvas is too large.
#[op2]
#[cppgc]
pub fn op_c2d_new(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, width: u32, height: u32) -> Option<Canvas2d> {
    if !Canvas::fits(width, height) {
        return None;
    }
    let charge = charge(scope, state, width, height)?;
    Canvas::new(width, height).map(|canvas| Canvas2d(canvas.into(), charge.into()))
}

/// A new size clears everything; false when it is too large (the old bitmap stays).
#[op2(nofast)]
pub fn op_c2d_resize(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[cppgc] canvas: &Canvas2d,
    width: u32,
    height: u32,
) -> bool {
    if !Canvas::fits(width, height) {
        return false;
    }
    let Some(charge) = charge(scope, state, width, height) else { return false };
    *canvas.1.borrow_mut() = charge;
    let new = Canvas::new(width, height);
    new.map(|new| *canvas.0.borrow_mut() = new).is_some()
}

#[op2(fast)]
pub fn op_c2d_save(#[cppgc] canvas: &Canvas2d) {
    canvas.0.borrow_mut().save();
}

#[op2(fast)]
pub fn op_c2d_restore(#[cppgc] canvas: &Canvas2d) {
    canvas.0.borrow_mut().restore();
}

#[op2(fast)]
pub fn op_c2d_reset(#[cppgc] canvas: &Canvas2d) {
    canvas.0.borrow_mut().reset();
}

/// Replaces the transform, or multiplies it from the right.
#[op2(fast)]
pub fn op_c2d_transform(#[cppgc] canvas: &Canvas2d, replace: bool, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) {
    let values = [a, b, c, d, e, f];
    if values.iter().all(|value| value.is_finite()) {
        let mut canvas = canvas.0.borrow_mut();
        let state = canvas.state_mut();
        let new = Affine::new(values);
        state.transform = if replace { new } else { state.transform * new };
    }
}

#[op2]
#[serde]
pub fn op_c2d_get_transform(#[cppgc] canvas: &Canvas2d) -> Vec<f64> {
    canvas.0.borrow().state().transform.as_coeffs().to_vec()
}

/// Numeric attributes, as in `js_shims/08d_canvas2d_state.js`. The shim has dropped values the attribute ignores.
#[op2(fast)]
pub fn op_c2d_set_number(#[cppgc] canvas: &Canvas2d, attribute: u32, value: f64) {
    let mut canvas = canvas.0.borrow_mut();
    let state = canvas.state_mut();
    match attribute {
        0 => state.alpha = value as f32,
        1 => state.line_width = value,
        2 => state.miter_limit = value,
        3 => state.dash_offset = value,
        4 => state.shadow_blur = value,
        5 => state.shadow_offset.0 = value,
        6 => state.shadow_offset.1 = value,
        7 => state.letter_spacing = value as f32,
        8 => state.word_spacing = value as f32,
        _ => {}
    }
}

#[op2]
pub fn op_c2d_set_dash(#[cppgc] canvas: &Canvas2d, #[serde] lengths: Vec<f64>) {
    canvas.0.borrow_mut().state_mut().dash = lengths;
}

/// Attributes that are words; false when the word is none of theirs, and nothing changes.
#[op2(fast)]
pub fn op_c2d_set_word(#[cppgc] canvas: &Canvas2d, attribute: u32, #[string] word: &str) -> bool {
    let mut canvas = canvas.0.borrow_mut();
    let state = canvas.state_mut();
    fn set<T: Copy>(slot: &mut T, word: &str, words: &[(&str, T)]) -> bool {
        let found = words.iter().find(|(known, _)| *known == word);
        found.inspect(|(_, value)| *slot = *value).is_some()
    }
    match attribute {
        0 => state.set_composite(word),
        1 => set(
            &mut state.line_cap,
            word,
            &[("butt", LineCap::Butt), ("round", LineCap::Round), ("square", LineCap::Square)],
        ),
        2 => set(
            &mut state.line_join,
            word,
            &[("miter", LineJoin::Miter), ("round", LineJoin::Round), ("bevel", LineJoin::Bevel)],
        ),
        3 => set(
            &mut state.text_align,
            word,
            &[
                ("start", TextAlign::Start),
                ("end", TextAlign::End),
                ("left", TextAlign::Left),
                ("right", TextAlign::Right),
                ("center", TextAlign::Center),
            ],
        ),
        4 => set(
            &mut state.text_baseline,
            word,
            &[
                ("top", TextBaseline::Top),
                ("hanging", TextBaseline::Hanging),
                ("middle", TextBaseline::Middle),
                ("alphabetic", TextBaseline::Alphabetic),
                ("ideographic", TextBaseline::Ideographic),
                ("bottom", TextBaseline::Bottom),
            ],
        ),
        5 => set(&mut state.right_to_left, word, &[("ltr", false), ("rtl", true), ("inherit", false)]),
        6 => set(
            &mut state.smoothing,
            word,
            &[
                ("off", Smoothing::Off),
                ("low", Smoothing::Low),
                ("medium", Smoothing::Medium),
                ("high", Smoothing::High),
            ],
        ),
        7 => state.set_filter(word),
        _ => false,
    }
}

/// The serialised value, or null when `css` is no font.
#[op2]
#[string]
pub fn op_c2d_set_font(#[cppgc] canvas: &Canvas2d, #[string] css: &str) -> Option<String> {
    canvas.0.borrow_mut().state_mut().set_font(css)
}

/// Makes a font file known to all canvases; what kept it from being read, or nothing. `weight` is NaN and `italic` -1 where
/// the font itself says.
#[op2]
#[string]
pub fn op_c2d_add_font(#[string] family: &str, weight: f64, italic: i32, #[buffer] file: &[u8]) -> String {
    let weight = weight.is_finite().then_some(weight as f32);
    let italic = (italic >= 0).then_some(italic == 1);
    crate::canvas2d::add_font(family, weight, italic, file).err().unwrap_or_default().to_owned()
}

/// The serialised value, or null when `css` is no colour.
#[op2]
#[string]
pub fn op_c2d_set_shadow_color(#[cppgc] canvas: &Canvas2d, #[string] css: &str) -> Option<String> {
    let color = parse_color(css)?;
    canvas.0.borrow_mut().state_mut().shadow_color = color;
    Some(serialize_color(color))
}
