//! Vertex attributes: which arrays the GPU reads as they are, and how the others are rewritten.

use crate::gl::command::VertexFormat as F;
use crate::gl::enums::AttributeType as T;
use crate::gl::objects::vertex_array::VertexAttribute;

/// How an array gets to the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fetch {
    pub format: F,
    /// Bytes of one element in `format`.
    pub size: u32,
    /// The components must be rewritten (see `Rewrite`); otherwise bytes are only moved.
    pub rewrite: Rewrite,
    /// The float attribute is fed integers, which the shader variant converts.
    pub convert: Convert,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rewrite {
    /// The element's bytes are the format's.
    None,
    /// Three components become four; the fourth is one.
    PadFourth,
    /// Every component becomes a float.
    ToFloat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convert {
    None,
    Uint,
    Sint,
}

/// Format of an array for a shader input; the shader's own type has been checked to fit.
pub fn fetch(attribute: &VertexAttribute) -> Fetch {
    let n = attribute.size;
    let float = |size: u8| Fetch {
        format: [F::Float32, F::Float32x2, F::Float32x3, F::Float32x4][usize::from(size.clamp(1, 4) - 1)],
        size: u32::from(size) * 4,
        rewrite: Rewrite::ToFloat,
        convert: Convert::None,
    };
    // One, two and four components; three are padded.
    let pick = |formats: [F; 3], component: u32, convert: Convert| {
        let (format, components) = match n {
            1 => (formats[0], 1),
            2 => (formats[1], 2),
            _ => (formats[2], 4),
        };
        let rewrite = if n == 3 { Rewrite::PadFourth } else { Rewrite::None };
        Fetch { format, size: component * components, rewrite, convert }
    };
    let wide = |formats: [F; 4], convert: Convert| Fetch {
        format: formats[usize::from(n.clamp(1, 4) - 1)],
        size: 4 * u32::from(n),
        rewrite: Rewrite::None,
        convert,
    };
    let norm = attribute.normalized && !attribute.integer;
    let (uint, sint) = if attribute.integer { (Convert::None, Convert::None) } else { (Convert::Uint, Convert::Sint) };
    match attribute.ty {
        T::Float => Fetch { rewrite: Rewrite::None, ..float(n) },
        T::HalfFloat => pick([F::Float16, F::Float16x2, F::Float16x4], 2, Convert::None),
        T::UnsignedByte if norm => pick([F::Unorm8, F::Unorm8x2, F::Unorm8x4], 1, Convert::None),
        T::Byte if norm => pick([F::Snorm8, F::Snorm8x2, F::Snorm8x4], 1, Convert::None),
        T::UnsignedShort if norm => pick([F::Unorm16, F::Unorm16x2, F::Unorm16x4], 2, Convert::None),
        T::Short if norm => pick([F::Snorm16, F::Snorm16x2, F::Snorm16x4], 2, Convert::None),
        T::UnsignedByte => pick([F::Uint8, F::Uint8x2, F::Uint8x4], 1, uint),
        T::Byte => pick([F::Sint8, F::Sint8x2, F::Sint8x4], 1, sint),
        T::UnsignedShort => pick([F::Uint16, F::Uint16x2, F::Uint16x4], 2, uint),
        T::Short => pick([F::Sint16, F::Sint16x2, F::Sint16x4], 2, sint),
        T::Int | T::UnsignedInt if norm => float(n),
        T::UnsignedInt => wide([F::Uint32, F::Uint32x2, F::Uint32x3, F::Uint32x4], uint),
        T::Int => wide([F::Sint32, F::Sint32x2, F::Sint32x3, F::Sint32x4], sint),
        T::UnsignedInt2101010Rev if norm => {
            Fetch { format: F::Unorm10_10_10_2, size: 4, rewrite: Rewrite::None, convert: Convert::None }
        }
        T::Fixed => float(n),
        T::Int2101010Rev | T::UnsignedInt2101010Rev => float(4),
    }
}

/// Can the GPU read the array in place?
pub fn is_native(attribute: &VertexAttribute, fetch: &Fetch) -> bool {
    let align = fetch.size.min(4);
    fetch.rewrite == Rewrite::None
        && attribute.effective_stride().is_multiple_of(4)
        && attribute.offset.is_multiple_of(u64::from(align))
        && attribute.divisor <= 1
}

/// Elements that lie wholly in `size` bytes.
pub fn elements_in(attribute: &VertexAttribute, size: u64) -> u64 {
    let element = u64::from(attribute.element_size());
    match size.checked_sub(attribute.offset).and_then(|rest| rest.checked_sub(element)) {
        Some(rest) => rest / u64::from(attribute.effective_stride().max(1)) + 1,
        None => 0,
    }
}

/// Bytes between elements of a rewritten array.
pub fn lowered_stride(fetch: &Fetch) -> u32 {
    fetch.size.next_multiple_of(4)
}

/// Rewrites `elements` elements of `bytes`, each `repeat` times (divisor above one), tightly at `lowered_stride`.
pub fn rewrite(attribute: &VertexAttribute, fetch: &Fetch, bytes: &[u8], elements: u64, repeat: u32) -> Vec<u8> {
    let stride = lowered_stride(fetch) as usize;
    let source_size = attribute.element_size() as usize;
    let mut out = Vec::with_capacity(elements as usize * repeat as usize * stride);
    for element in 0..elements {
        let start = (attribute.offset + element * u64::from(attribute.effective_stride())) as usize;
        let source = bytes.get(start..start + source_size).unwrap_or_default();
        let mut target = [0u8; 16];
        match fetch.rewrite {
            Rewrite::None => copy(&mut target, source),
            Rewrite::PadFourth => {
                copy(&mut target, source);
                pad_fourth(attribute, &mut target);
            }
            Rewrite::ToFloat => {
                for (to, value) in target.as_chunks_mut::<4>().0.iter_mut().zip(floats(attribute, source)) {
                    *to = value.to_le_bytes();
                }
            }
        }
        for _ in 0..repeat {
            out.extend_from_slice(target.get(..stride).unwrap_or_default());
        }
    }
    out
}

fn copy(target: &mut [u8; 16], source: &[u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = *from;
    }
}

/// The missing fourth component is one (ES 3.0 §2.9).
fn pad_fourth(attribute: &VertexAttribute, target: &mut [u8; 16]) {
    let norm = attribute.normalized && !attribute.integer;
    let one: u16 = match attribute.ty {
        T::HalfFloat => 0x3c00,
        T::UnsignedByte if norm => 0xff,
        T::Byte if norm => 0x7f,
        T::UnsignedShort if norm => 0xffff,
        T::Short if norm => 0x7fff,
        _ => 1,
    };
    if attribute.ty.component_size() == 1 {
        target[3] = one as u8;
    } else {
        target[6..8].copy_from_slice(&one.to_le_bytes());
    }
}

/// Components as floats, ES 3.0 §2.1.6 for normalised values.
fn floats(attribute: &VertexAttribute, source: &[u8]) -> [f32; 4] {
    let mut out = [0.0; 4];
    let word = |i: usize| source.get(i * 4..i * 4 + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
    match attribute.ty {
        T::Int2101010Rev | T::UnsignedInt2101010Rev => {
            let packed = word(0);
            for (i, (value, bits)) in out.iter_mut().zip([10, 10, 10, 2]).enumerate() {
                let raw = packed >> (10 * i);
                *value = if attribute.ty == T::Int2101010Rev {
                    let signed = ((raw << (32 - bits)) as i32 >> (32 - bits)) as f32;
                    let max = ((1 << (bits - 1)) - 1) as f32;
                    if attribute.normalized { (signed / max).max(-1.0) } else { signed }
                } else {
                    let max = (1u32 << bits) - 1;
                    let value = (raw & max) as f32;
                    if attribute.normalized { value / max as f32 } else { value }
                };
            }
        }
        _ => {
            for (i, value) in out.iter_mut().enumerate().take(usize::from(attribute.size)) {
                let raw = word(i);
                *value = match attribute.ty {
                    T::Fixed => raw as i32 as f32 / 65536.0,
                    T::Int => (f64::from(raw as i32) / f64::from(i32::MAX)).max(-1.0) as f32,
                    _ => (f64::from(raw) / f64::from(u32::MAX)) as f32,
                };
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(size: u8, ty: T, normalized: bool) -> VertexAttribute {
        VertexAttribute { size, ty, normalized, ..VertexAttribute::default() }
    }

    #[test]
    fn tight_bytes_are_moved_to_multiples_of_four() {
        let rgb = attribute(3, T::UnsignedByte, true);
        let how = fetch(&rgb);
        assert_eq!((how.format, how.rewrite, is_native(&rgb, &how)), (F::Unorm8x4, Rewrite::PadFourth, false));
        assert_eq!(elements_in(&rgb, 7), 2);
        assert_eq!(rewrite(&rgb, &how, &[1, 2, 3, 4, 5, 6, 7], 2, 1), [1, 2, 3, 255, 4, 5, 6, 255]);
    }

    #[test]
    fn divisors_repeat_elements() {
        let value = VertexAttribute { divisor: 2, ..attribute(1, T::Float, false) };
        let bytes: Vec<u8> = [1f32, 2.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let out = rewrite(&value, &fetch(&value), &bytes, 2, 2);
        let floats: Vec<f32> = out.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        assert_eq!(floats, [1.0, 1.0, 2.0, 2.0]);
    }

    /// ES 3.0 §2.9.1 layout: x in the low bits; signed normalised is c / (2^(b−1) − 1), at least −1.
    #[test]
    fn packed_signed_normals_become_floats() {
        let normal = attribute(4, T::Int2101010Rev, true);
        // x 511, y -512, z 0, w 1.
        let packed: u32 = 511 | (512 << 10) | (1 << 30);
        let out = rewrite(&normal, &fetch(&normal), &packed.to_le_bytes(), 1, 1);
        let floats: Vec<f32> = out.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        assert_eq!(floats, [1.0, -1.0, 0.0, 1.0]);
    }

    #[test]
    fn unnormalised_integers_go_through_the_variant() {
        let skin = attribute(4, T::UnsignedShort, false);
        let how = fetch(&skin);
        assert_eq!((how.format, how.convert, is_native(&skin, &how)), (F::Uint16x4, Convert::Uint, true));
        let integer = VertexAttribute { integer: true, ..skin };
        assert_eq!(fetch(&integer).convert, Convert::None);
    }
}
