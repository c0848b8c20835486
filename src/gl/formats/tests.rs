//! Values from ES 3.0.6 tables 3.2, 3.13–3.18 and the WebGL specifications.

use super::*;
use crate::gl::error::ErrorCode;

fn webgl2() -> Features {
    Features { webgl2: true, ..Features::default() }
}

fn uploads(internal: u32, format: u32, ty: u32, features: &Features) -> Result<u32, ErrorCode> {
    upload_format(internal, format, ty, features).map(|found| found.0.gl).map_err(|error| error.code)
}

#[test]
fn sized_formats_take_the_pairs_of_table_3_2() {
    let features = webgl2();
    assert_eq!(uploads(c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, &features), Ok(c::RGBA8));
    assert_eq!(uploads(c::RGB5_A1, c::RGBA, c::UNSIGNED_INT_2_10_10_10_REV, &features), Ok(c::RGB5_A1));
    assert_eq!(uploads(c::R11F_G11F_B10F, c::RGB, c::FLOAT, &features), Ok(c::R11F_G11F_B10F));
    assert_eq!(uploads(c::DEPTH_COMPONENT16, c::DEPTH_COMPONENT, c::UNSIGNED_INT, &features), Ok(c::DEPTH_COMPONENT16));
    assert_eq!(uploads(c::RGBA8, c::RGBA, c::FLOAT, &features), Err(ErrorCode::InvalidOperation));
    assert_eq!(uploads(c::RGBA8, c::RGB, c::UNSIGNED_BYTE, &features), Err(ErrorCode::InvalidOperation));
    assert_eq!(uploads(c::R8UI, c::RED, c::UNSIGNED_BYTE, &features), Err(ErrorCode::InvalidOperation));
    assert_eq!(uploads(0x1234, c::RGBA, c::UNSIGNED_BYTE, &features), Err(ErrorCode::InvalidValue));
    assert_eq!(uploads(c::RGBA8, 0x1234, c::UNSIGNED_BYTE, &features), Err(ErrorCode::InvalidEnum));
}

#[test]
fn unsized_names_become_effective_formats() {
    let features = webgl2();
    assert_eq!(uploads(c::RGBA, c::RGBA, c::UNSIGNED_BYTE, &features), Ok(c::RGBA8));
    assert_eq!(uploads(c::RGB, c::RGB, c::UNSIGNED_SHORT_5_6_5, &features), Ok(c::RGB565));
    assert_eq!(uploads(c::LUMINANCE, c::LUMINANCE, c::UNSIGNED_BYTE, &features), Ok(c::LUMINANCE));
    assert_eq!(uploads(c::RGBA, c::RGB, c::UNSIGNED_BYTE, &features), Err(ErrorCode::InvalidOperation));
    // WebGL 2 has no unsized float textures.
    assert_eq!(uploads(c::RGBA, c::RGBA, c::FLOAT, &features), Err(ErrorCode::InvalidOperation));
    assert_eq!(uploads(c::LUMINANCE, c::LUMINANCE, c::FLOAT, &features), Err(ErrorCode::InvalidOperation));
}

#[test]
fn webgl1_formats_come_with_their_extensions() {
    let mut features = Features::default();
    assert_eq!(uploads(c::RGBA, c::RGBA, c::FLOAT, &features), Err(ErrorCode::InvalidEnum));
    assert_eq!(uploads(c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, &features), Err(ErrorCode::InvalidValue));
    assert_eq!(
        uploads(c::DEPTH_COMPONENT, c::DEPTH_COMPONENT, c::UNSIGNED_SHORT, &features),
        Err(ErrorCode::InvalidEnum)
    );
    features.float_textures = true;
    features.half_float_textures = true;
    features.depth_textures = true;
    features.srgb = true;
    assert_eq!(uploads(c::RGBA, c::RGBA, c::FLOAT, &features), Ok(c::RGBA32F));
    assert_eq!(uploads(c::RGB, c::RGB, c::HALF_FLOAT_OES, &features), Ok(c::RGB16F));
    assert_eq!(uploads(c::RGBA, c::RGBA, c::HALF_FLOAT, &features), Err(ErrorCode::InvalidEnum));
    assert_eq!(uploads(c::SRGB_ALPHA_EXT, c::SRGB_ALPHA_EXT, c::UNSIGNED_BYTE, &features), Ok(c::SRGB8_ALPHA8));
    let (depth, ..) = upload_format(c::DEPTH_COMPONENT, c::DEPTH_COMPONENT, c::UNSIGNED_INT, &features).unwrap();
    assert_eq!(depth.bits.depth, 24);
    let (alpha, ..) = upload_format(c::ALPHA, c::ALPHA, c::FLOAT, &features).unwrap();
    assert_eq!(alpha.storage, StorageFormat::Rgba32Float);
}

#[test]
fn every_row_converts_every_pair_it_lists() {
    for info in super::table::TABLE.iter() {
        for (format, ty) in info.pairs {
            if info.is_color() {
                let found = crate::gl::convert::rows::converter(info, *format, *ty);
                let converter = found.unwrap_or_else(|| panic!("{:#x} {format:?} {ty:?}", info.gl));
                assert_eq!(converter.source_size, ty.pixel_size(*format));
                assert_eq!(converter.destination_size, storage_texel_size(info.storage));
            }
        }
    }
}

#[test]
fn required_renderable_formats_of_webgl2() {
    // ES 3.0 table 3.13, column "color-renderable".
    let features = webgl2();
    let renderable = |gl| sized(gl).unwrap().color_renderable(&features);
    for gl in [c::R8, c::RG8, c::RGB8, c::RGB565, c::RGBA4, c::RGB5_A1, c::RGBA8, c::RGB10_A2, c::RGB10_A2UI] {
        assert!(renderable(gl), "{gl:#x}");
    }
    for gl in [c::SRGB8_ALPHA8, c::R8I, c::R32UI, c::RG16I, c::RGBA32I, c::RGBA8UI] {
        assert!(renderable(gl), "{gl:#x}");
    }
    for gl in [c::SRGB8, c::RGBA8_SNORM, c::RGB9_E5, c::RGB8UI, c::RGB32F, c::RGBA16F, c::RGBA32F, c::R11F_G11F_B10F] {
        assert!(!renderable(gl), "{gl:#x}");
    }
    let float = Features { color_buffer_float: true, ..features };
    for gl in [c::R16F, c::RG16F, c::RGBA16F, c::R32F, c::RG32F, c::RGBA32F, c::R11F_G11F_B10F] {
        assert!(sized(gl).unwrap().color_renderable(&float), "{gl:#x}");
    }
    assert!(!sized(c::RGB16F).unwrap().color_renderable(&float));
    assert!(!sized(c::RGB32F).unwrap().color_renderable(&float));
    // Chromium 150: complete in WebGL 1 with OES_texture_float.
    assert!(sized(c::RGB32F).unwrap().color_renderable(&Features { webgl2: false, ..float }));
    assert!(!sized(c::RGB32F).unwrap().color_renderable(&Features { webgl2: false, ..features }));
}

#[test]
fn copies_need_the_channels_and_the_kind() {
    let features = webgl2();
    let copy = |internal, source| {
        copy_tex_format(internal, sized(source).unwrap(), &features).map(|info| info.gl).map_err(|error| error.code)
    };
    assert_eq!(copy(c::RGB, c::RGBA8), Ok(c::RGB8));
    assert_eq!(copy(c::RGBA, c::RGBA8), Ok(c::RGBA8));
    assert_eq!(copy(c::LUMINANCE, c::RGBA8), Ok(c::LUMINANCE));
    assert_eq!(copy(c::RGBA, c::RGB8), Err(ErrorCode::InvalidOperation));
    assert_eq!(copy(c::ALPHA, c::RGB8), Err(ErrorCode::InvalidOperation));
    assert_eq!(copy(c::RGBA8, c::RGBA8UI), Err(ErrorCode::InvalidOperation));
    assert_eq!(copy(c::RGBA8UI, c::RGBA8UI), Ok(c::RGBA8UI));
    assert_eq!(copy(c::RGBA8, c::RGB10_A2), Err(ErrorCode::InvalidOperation));
    assert_eq!(copy(c::SRGB8_ALPHA8, c::RGBA8), Err(ErrorCode::InvalidOperation));
}

#[test]
fn compressed_sizes_round_up_to_blocks() {
    let features = Features { s3tc: true, ..webgl2() };
    let dxt1 = compressed_format(c::COMPRESSED_RGB_S3TC_DXT1_EXT, &features).unwrap();
    assert_eq!(dxt1.block.unwrap().image_size(5, 4, 1), 16);
    assert_eq!(dxt1.block.unwrap().image_size(1, 1, 6), 48);
    assert!(compressed_format(c::COMPRESSED_RGBA_BPTC_UNORM_EXT, &features).is_none());
    // WEBGL_compressed_texture_s3tc names exactly four.
    assert_eq!(supported_compressed(&features).len(), 4);
}
