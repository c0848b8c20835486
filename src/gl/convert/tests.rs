//! Closed forms and worked values from ES 3.0 (§2.1, §3.7, §3.8.3).

use super::layout::Store;
use super::*;
use crate::gl::constants as c;
use crate::gl::format::StorageFormat;
use crate::gl::formats::{FormatInfo, PixelFormat as P, PixelType as T, sized};

fn values<V, const N: usize>(bytes: &[u8], from: fn([u8; N]) -> V) -> Vec<V> {
    bytes.chunks_exact(N).map(|chunk| from(chunk.try_into().unwrap())).collect()
}

fn uploaded(
    info: &'static FormatInfo,
    format: P,
    ty: T,
    source: &[u8],
    size: [u32; 3],
    store: &Store,
    flip: bool,
) -> Vec<u8> {
    let converter = rows::converter(info, format, ty).unwrap();
    let layout = MemoryLayout::new(store, size, converter.source_size, true).unwrap();
    assert!(layout.required_bytes() <= source.len());
    let mut out = vec![];
    upload(&mut out, source, &layout, &converter, flip, None);
    out
}

#[test]
fn alignment_pads_all_rows_but_the_last() {
    // 3 RGB bytes a row, alignment 4: ES 3.0 equation 3.15 gives k = 4.
    let layout = MemoryLayout::new(&Store::default(), [1, 2, 1], 3, false).unwrap();
    assert_eq!((layout.row_stride, layout.required_bytes()), (4, 7));
    let source = [1, 2, 3, 99, 4, 5, 6];
    let out = uploaded(sized(c::RGB8).unwrap(), P::Rgb, T::UnsignedByte, &source, [1, 2, 1], &Store::default(), false);
    assert_eq!(out, [1, 2, 3, 255, 4, 5, 6, 255]);
}

#[test]
fn skips_row_length_and_image_height_select_a_box() {
    // A 4 × 3 × 2 volume of numbered texels; take the 2 × 2 × 1 box at (1, 1, 1).
    let source: Vec<u8> = (0..24).collect();
    let store = Store { alignment: 1, row_length: 4, image_height: 3, skip_pixels: 1, skip_rows: 1, skip_images: 1 };
    let info = sized(c::R8).unwrap();
    assert_eq!(uploaded(info, P::Red, T::UnsignedByte, &source, [2, 2, 1], &store, false), [17, 18, 21, 22]);
    assert_eq!(uploaded(info, P::Red, T::UnsignedByte, &source, [2, 2, 1], &store, true), [21, 22, 17, 18]);
    assert!(MemoryLayout::new(&Store { skip_pixels: 3, ..store }, [2, 2, 1], 1, true).is_err());
    // Chromium's answers for an 8 x 8 x 1 box (and an 8 x 8 one): a length or height of 0 is the box's own.
    for (row_length, skip_pixels, skip_rows, image_height, flat, volume) in [
        (0, 2, 0, 0, false, false),
        (0, 0, 2, 0, true, false),
        (16, 2, 0, 0, true, true),
        (16, 2, 2, 9, true, false),
        (16, 2, 2, 10, true, true),
        (9, 2, 0, 0, false, false),
    ] {
        let store = Store { alignment: 4, row_length, image_height, skip_pixels, skip_rows, skip_images: 0 };
        let fits = |volume| MemoryLayout::new(&store, [8, 8, 1], 4, volume).is_ok();
        assert_eq!((fits(false), fits(true)), (flat, volume), "{store:?}");
    }
}

#[test]
fn huge_sizes_are_refused() {
    let store = Store { row_length: u32::MAX, image_height: u32::MAX, skip_images: u32::MAX, ..Store::default() };
    assert!(MemoryLayout::new(&store, [1, 1, 1], 16, true).is_err());
}

#[test]
fn packed_pixels_widen_by_rounding() {
    // c / (2^b − 1) · 255, rounded.
    assert_eq!(packed::unpack_565(0xffff), [255; 4]);
    assert_eq!(packed::unpack_565(1 << 11), [8, 0, 0, 255]);
    assert_eq!(packed::unpack_565(1 << 5), [0, 4, 0, 255]);
    assert_eq!(packed::unpack_4444(0x1f80), [17, 255, 136, 0]);
    assert_eq!(packed::unpack_5551(0b0000_1000_0011_1111), [8, 0, 255, 255]);
    for value in 0..=u16::MAX {
        assert_eq!(packed::pack_565(packed::unpack_565(value)), value);
        assert_eq!(packed::pack_4444(packed::unpack_4444(value)), value);
        assert_eq!(packed::pack_5551(packed::unpack_5551(value)), value);
    }
}

#[test]
fn small_floats_follow_section_2_1() {
    // 1.0 = exponent 15, fraction 0.
    assert_eq!(packed::pack_11f11f10f([1.0, 0.0, 0.0]), 15 << 6);
    assert_eq!(packed::pack_11f11f10f([0.0, 1.0, 1.0]), (15 << 17) | (15 << 27));
    // Greatest finite values: 65024 (6 bits) and 64512 (5 bits); infinity stays infinity; negatives are 0.
    assert_eq!(packed::unpack_11f11f10f(packed::pack_11f11f10f([1e9, 65024.0, 1e9])), [65024.0, 65024.0, 64512.0]);
    assert_eq!(packed::pack_11f11f10f([f32::INFINITY, -1.0, f32::NEG_INFINITY]), 31 << 6);
    // Smallest denormal 2^-20, and half of it ties to even (0).
    assert_eq!(packed::pack_11f11f10f([2f32.powi(-20), 2f32.powi(-21), 0.0]), 1);
    for bits in 0..(31 << 6) {
        assert_eq!(packed::pack_11f11f10f([packed::unpack_11f11f10f(bits)[0], 0.0, 0.0]), bits);
    }
}

#[test]
fn shared_exponent_follows_section_3_8_3() {
    // max = 1: exponent = 0 + 1 + 15, mantissa = 1 / 2^(16 − 15 − 9) = 256.
    assert_eq!(packed::pack_9e5([1.0, 0.5, 0.0]), (16 << 27) | (128 << 9) | 256);
    assert_eq!(packed::unpack_9e5(packed::pack_9e5([1.0, 0.5, 0.25])), [1.0, 0.5, 0.25]);
    // sharedexp_max = 511/512 · 2^16 = 65408.
    assert_eq!(packed::unpack_9e5(packed::pack_9e5([1e9, f32::NAN, -3.0])), [65408.0, 0.0, 0.0]);
}

#[test]
fn floats_become_halves_and_rgb_gets_alpha_one() {
    let source = bytemuck::cast_slice::<f32, u8>(&[1.0, 0.5, -2.0]).to_vec();
    let out = uploaded(sized(c::RGB16F).unwrap(), P::Rgb, T::Float, &source, [1, 1, 1], &Store::default(), false);
    assert_eq!(values::<u16, 2>(&out, u16::from_ne_bytes), [0x3c00, 0x3800, 0xc000, 0x3c00]);
    let out = uploaded(sized(c::RGB32F).unwrap(), P::Rgb, T::Float, &source, [1, 1, 1], &Store::default(), false);
    assert_eq!(values::<f32, 4>(&out, f32::from_ne_bytes), [1.0, 0.5, -2.0, 1.0]);
}

#[test]
fn premultiplication_rounds() {
    let mut row = [255, 128, 1, 128, 200, 100, 50, 0];
    premultiply::rgba8(&mut row);
    // 255·128/255 = 128; 128·128/255 = 64.25; 1·128/255 = 0.50 rounds up.
    assert_eq!(row, [128, 64, 1, 128, 0, 0, 0, 0]);
    for alpha in 1..=255u32 {
        for color in 0..=alpha {
            let mut texel = [color as u8, 0, 0, alpha as u8];
            premultiply::unpremultiply_rgba8(&mut texel);
            assert_eq!(u32::from(texel[0]), (2 * 255 * color + alpha) / (2 * alpha));
        }
    }
}

#[test]
fn depth_splits_into_planes() {
    let word = (0x00ff_ffffu32 << 8) | 7;
    let layout = MemoryLayout::tight([1, 1, 1], 4).unwrap();
    let planes =
        depth::planes(&word.to_ne_bytes(), &layout, StorageFormat::Depth24PlusStencil8, T::UnsignedInt248, false);
    assert_eq!(planes.depth, 1f32.to_ne_bytes());
    assert_eq!(planes.stencil, Some(vec![7]));
    let planes =
        depth::planes(&0x8000_0001u32.to_ne_bytes(), &layout, StorageFormat::Depth16Unorm, T::UnsignedInt, false);
    assert_eq!(planes.depth, 0x8000u16.to_ne_bytes());
}

#[test]
fn read_pixels_widens_and_leaves_the_rest_alone() {
    let info = sized(c::R8).unwrap();
    let layout = MemoryLayout::new(&Store::default(), [3, 1, 1], 4, false).unwrap();
    let mut out = [9u8; 12];
    let texels = pack::Texels { info, bytes: &[51, 255], width: 2, height: 1 };
    pack::pack(&mut out, &layout, 1, 0, texels, P::Rgba, T::UnsignedByte);
    assert_eq!(out, [9, 9, 9, 9, 51, 0, 0, 255, 255, 0, 0, 255]);
    let mut out = [0u8; 16];
    let layout = MemoryLayout::tight([1, 1, 1], 16).unwrap();
    let texels = pack::Texels { info: sized(c::R16I).unwrap(), bytes: &(-2i16).to_ne_bytes(), width: 1, height: 1 };
    pack::pack(&mut out, &layout, 0, 0, texels, P::RgbaInteger, T::Int);
    assert_eq!(values::<i32, 4>(&out, i32::from_ne_bytes), [-2, 0, 0, 1]);
}

#[test]
fn image_sources_fill_what_the_format_has() {
    let convert = |gl, ty, pixel: [u8; 4]| {
        let info = sized(gl).unwrap();
        let converter = source::converter(info, ty).unwrap();
        let mut out = vec![0; converter.destination_size as usize];
        converter.convert(&pixel, &mut out);
        out
    };
    assert_eq!(convert(c::RGB8, T::UnsignedByte, [1, 2, 3, 4]), [1, 2, 3, 255]);
    assert_eq!(convert(c::R8, T::UnsignedByte, [1, 2, 3, 4]), [1]);
    assert_eq!(convert(c::RGBA16F, T::HalfFloat, [255, 0, 0, 255]), [0, 0x3c, 0, 0, 0, 0, 0, 0x3c]);
    assert_eq!(convert(c::RGBA4, T::UnsignedShort4444, [16, 250, 0, 255]), [17, 255, 0, 255]);
    assert!(source::converter(sized(c::R32UI).unwrap(), T::UnsignedInt).is_none());
}
