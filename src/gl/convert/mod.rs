//! Pixel conversion on the CPU: client memory to storage formats (uploads) and back (`readPixels`).
//!
//! Owns no state. In: bytes in a client (format, type) with pixel-store layout; out: tightly packed storage texels,
//! row 0 = lowest y. One pass over the data: each row is read, converted, premultiplied and written once, straight
//! into the destination (usually the stream's arena). Must not know: objects, contexts, commands.

pub mod depth;
pub mod layout;
pub mod pack;
pub mod packed;
pub mod premultiply;
pub mod rows;
pub mod source;

pub use layout::MemoryLayout;
pub use rows::RowConverter;

/// `value` in `low..=high`; NaN becomes `low` (`f32::clamp` would keep it).
#[inline]
#[allow(clippy::manual_clamp, reason = "NaN must not survive")]
pub fn clamp_number(value: f32, low: f32, high: f32) -> f32 {
    value.max(low).min(high)
}

/// Converts a box of `layout` from `source` and appends it to `out`, tightly packed.
///
/// `source` has been checked against `layout.required_bytes()`; rows that would fall outside are zero.
/// `flip_y` reverses the rows of each image. `premultiply` works on the converted row.
pub fn upload(
    out: &mut Vec<u8>,
    source: &[u8],
    layout: &MemoryLayout,
    converter: &RowConverter,
    flip_y: bool,
    premultiply: Option<premultiply::InPlace>,
) {
    let row_out = layout.width as usize * converter.destination_size as usize;
    let rows = layout.height as usize * layout.depth as usize;
    if let RowConverter { copies: true, .. } = converter
        && !flip_y
        && premultiply.is_none()
        && layout.is_tight()
        && let Some(bytes) = source.get(layout.offset..layout.offset + row_out * rows)
    {
        out.extend_from_slice(bytes);
        return;
    }
    if converter.copies && premultiply.is_none() {
        out.reserve(row_out * rows);
        for z in 0..layout.depth as usize {
            for y in 0..layout.height as usize {
                let y = if flip_y { layout.height as usize - 1 - y } else { y };
                match layout.row(source, y, z) {
                    Some(bytes) => out.extend_from_slice(bytes),
                    None => out.resize(out.len() + row_out, 0),
                }
            }
        }
        return;
    }
    let start = out.len();
    out.resize(start + row_out * rows, 0);
    let destination = &mut out[start..];
    if row_out == 0 {
        return;
    }
    for (index, row) in destination.chunks_exact_mut(row_out).enumerate() {
        let (z, y) = (index / layout.height as usize, index % layout.height as usize);
        let y = if flip_y { layout.height as usize - 1 - y } else { y };
        let Some(bytes) = layout.row(source, y, z) else { continue };
        converter.convert(bytes, row);
        if let Some(premultiply) = premultiply {
            premultiply(row);
        }
    }
}

#[cfg(test)]
mod tests;
