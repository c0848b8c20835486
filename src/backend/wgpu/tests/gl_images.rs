//! The GL front end's image calls on a real adapter: what goes in comes out, by closed forms of ES 3.0.

use std::sync::{Arc, Mutex};

use super::device;
use crate::backend::wgpu::{WgpuBackend, WgpuOptions};
use crate::gl::backend::PresentedFrame;
use crate::gl::constants as c;
use crate::gl::entry::upload::{PixelSource, UploadData};
use crate::gl::validate::texture::ArrayKind;
use crate::gl::{Context, ContextSettings};

type Frames = Arc<Mutex<Vec<PresentedFrame>>>;

fn context(settings: ContextSettings) -> (Context, Frames) {
    let frames = Frames::default();
    let sink = Box::new({
        let frames = frames.clone();
        move |frame| frames.lock().expect("no panic in another test").push(frame)
    });
    let backend = WgpuBackend::new(device(), WgpuOptions::default(), sink);
    (Context::new(settings, Box::new(backend)), frames)
}

fn gl() -> Context {
    let settings = ContextSettings { width: 4, height: 4, ..ContextSettings::default() };
    let mut gl = context(settings).0;
    assert!(gl.get_extension("EXT_color_buffer_float").is_some());
    gl
}

fn clear(gl: &mut Context, color: [f32; 4]) {
    gl.clear_color(color[0], color[1], color[2], color[3]);
    gl.clear(c::COLOR_BUFFER_BIT);
}

fn check(gl: &mut Context) {
    let log = gl.errors_mut().take_log();
    assert!(log.is_empty(), "{log:?}");
    assert!(gl.backend_error().is_none(), "{:?}", gl.backend_error());
}

fn read_u8(gl: &mut Context, x: i32, y: i32, width: i32, height: i32) -> Vec<[u8; 4]> {
    let mut out = vec![99; (width * height * 4) as usize];
    gl.read_pixels(x, y, width, height, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
    check(gl);
    out.as_chunks::<4>().0.to_vec()
}

fn pixel(gl: &mut Context, x: i32, y: i32) -> [u8; 4] {
    read_u8(gl, x, y, 1, 1)[0]
}

fn texture(gl: &mut Context, target: u32, levels: i32, format: u32, size: [i32; 3]) -> u32 {
    let name = gl.create_texture();
    gl.bind_texture(target, name);
    match target {
        c::TEXTURE_3D | c::TEXTURE_2D_ARRAY => gl.tex_storage_3d(target, levels, format, size[0], size[1], size[2]),
        _ => gl.tex_storage_2d(target, levels, format, size[0], size[1]),
    }
    check(gl);
    name
}

fn target_of(gl: &mut Context, texture: u32, image: u32, level: i32) -> u32 {
    let name = gl.create_framebuffer();
    gl.bind_framebuffer(c::FRAMEBUFFER, name);
    gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, image, texture, level);
    assert_eq!(gl.check_framebuffer_status(c::FRAMEBUFFER), c::FRAMEBUFFER_COMPLETE);
    name
}

fn upload<T: bytemuck::NoUninit>(gl: &mut Context, size: [i32; 2], format: u32, ty: u32, kind: ArrayKind, data: &[T]) {
    let data = UploadData::Bytes { bytes: bytemuck::cast_slice(data), kind };
    gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, size[0], size[1], format, ty, data);
    check(gl);
}

#[test]
fn clears_reach_the_drawing_buffer() {
    for antialias in [false, true] {
        for alpha in [false, true] {
            let settings = ContextSettings { width: 5, height: 6, antialias, alpha, ..ContextSettings::default() };
            let (mut gl, frames) = context(settings);
            // Fresh buffers are transparent black, or opaque if there is no alpha.
            assert_eq!(pixel(&mut gl, 4, 2), [0, 0, 0, if alpha { 0 } else { 255 }]);
            clear(&mut gl, [1.0, 0.0, 0.2, 0.4]);
            gl.scissor(0, 4, 5, 2);
            gl.enable(c::SCISSOR_TEST);
            clear(&mut gl, [0.0, 1.0, 0.0, 1.0]);
            gl.disable(c::SCISSOR_TEST);
            assert_eq!(pixel(&mut gl, 2, 1), [255, 0, 51, if alpha { 102 } else { 255 }]);
            assert_eq!(pixel(&mut gl, 2, 3), [255, 0, 51, if alpha { 102 } else { 255 }]);
            assert_eq!(pixel(&mut gl, 2, 4), [0, 255, 0, 255]);
            assert_eq!(pixel(&mut gl, 2, 5), [0, 255, 0, 255]);
            let held = gl.read_drawing_buffer().unwrap();
            assert_eq!((held.width, &held.rgba[..4]), (5, &[0, 255, 0, 255][..]));
            gl.present(0);
            gl.finish();
            // Nothing was kept: the next use finds it cleared.
            assert_eq!(pixel(&mut gl, 2, 1), [0, 0, 0, if alpha { 0 } else { 255 }]);
            let frames = frames.lock().unwrap();
            // Top row first.
            assert_eq!(frames[0].rgba[..4], [0, 255, 0, 255]);
            assert_eq!(frames[0].rgba.len(), 5 * 6 * 4);
            check(&mut gl);
        }
    }
}

#[test]
fn uploads_come_back_as_they_went() {
    let mut gl = gl();
    type Row = (u32, u32, u32, ArrayKind, Vec<u8>, [u8; 4]);
    let rows: [Row; 8] = [
        (c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, ArrayKind::U8, vec![1, 2, 3, 4], [1, 2, 3, 4]),
        (c::RGB8, c::RGB, c::UNSIGNED_BYTE, ArrayKind::U8, vec![1, 2, 3], [1, 2, 3, 255]),
        (c::RG8, c::RG, c::UNSIGNED_BYTE, ArrayKind::U8, vec![1, 2], [1, 2, 0, 255]),
        (c::R8, c::RED, c::UNSIGNED_BYTE, ArrayKind::U8, vec![7], [7, 0, 0, 255]),
        (c::SRGB8_ALPHA8, c::RGBA, c::UNSIGNED_BYTE, ArrayKind::U8, vec![9, 8, 7, 6], [9, 8, 7, 6]),
        (c::RGB565, c::RGB, c::UNSIGNED_SHORT_5_6_5, ArrayKind::U16, vec![0xe0, 0xff], [255, 255, 0, 255]),
        (c::RGBA4, c::RGBA, c::UNSIGNED_SHORT_4_4_4_4, ArrayKind::U16, vec![0x3f, 0x12], [17, 34, 51, 255]),
        (c::RGB5_A1, c::RGBA, c::UNSIGNED_SHORT_5_5_5_1, ArrayKind::U16, vec![0x01, 0xf8], [255, 0, 0, 255]),
    ];
    for (internal, format, ty, kind, data, expected) in rows {
        let name = texture(&mut gl, c::TEXTURE_2D, 1, internal, [1, 1, 1]);
        gl.pixel_storei(c::UNPACK_ALIGNMENT, 1);
        upload(&mut gl, [1, 1], format, ty, kind, &data);
        target_of(&mut gl, name, c::TEXTURE_2D, 0);
        assert_eq!(pixel(&mut gl, 0, 0), expected, "{internal:#x}");
    }
    for (internal, format) in [(c::RGBA16F, c::RGBA), (c::RGBA32F, c::RGBA), (c::R11F_G11F_B10F, c::RGB)] {
        let name = texture(&mut gl, c::TEXTURE_2D, 1, internal, [1, 1, 1]);
        let data = [0.5f32, 2.0, 16.0, -3.0];
        let count = if format == c::RGB { 3 } else { 4 };
        upload(&mut gl, [1, 1], format, c::FLOAT, ArrayKind::F32, &data[..count]);
        target_of(&mut gl, name, c::TEXTURE_2D, 0);
        let mut out = [0f32; 4];
        let bytes = bytemuck::cast_slice_mut(&mut out);
        gl.read_pixels(0, 0, 1, 1, c::RGBA, c::FLOAT, bytes, ArrayKind::F32);
        check(&mut gl);
        assert_eq!(out, [0.5, 2.0, 16.0, if format == c::RGB { 1.0 } else { -3.0 }], "{internal:#x}");
    }
    let name = texture(&mut gl, c::TEXTURE_2D, 1, c::RG16I, [1, 1, 1]);
    upload(&mut gl, [1, 1], c::RG_INTEGER, c::SHORT, ArrayKind::I16, &[-5i16, 300]);
    target_of(&mut gl, name, c::TEXTURE_2D, 0);
    let mut out = [0i32; 4];
    gl.read_pixels(0, 0, 1, 1, c::RGBA_INTEGER, c::INT, bytemuck::cast_slice_mut(&mut out), ArrayKind::I32);
    check(&mut gl);
    assert_eq!(out, [-5, 300, 0, 1]);
}

#[test]
fn rows_keep_their_order_and_flip_on_demand() {
    let mut gl = gl();
    let name = texture(&mut gl, c::TEXTURE_2D, 1, c::RGBA8, [2, 2, 1]);
    let rgba = [1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255, 4, 0, 0, 255];
    upload(&mut gl, [2, 2], c::RGBA, c::UNSIGNED_BYTE, ArrayKind::U8, &rgba);
    target_of(&mut gl, name, c::TEXTURE_2D, 0);
    let reds = |gl: &mut Context| read_u8(gl, 0, 0, 2, 2).iter().map(|pixel| pixel[0]).collect::<Vec<_>>();
    assert_eq!(reds(&mut gl), [1, 2, 3, 4]);
    let source = PixelSource { width: 2, height: 2, rgba: &rgba, premultiplied: false, ignore_unpack: false };
    gl.pixel_storei(c::UNPACK_FLIP_Y_WEBGL, 1);
    gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 2, 2, c::RGBA, c::UNSIGNED_BYTE, UploadData::Source(source));
    assert_eq!(reds(&mut gl), [3, 4, 1, 2]);
}

#[test]
fn large_textures_without_alpha_start_opaque() {
    let mut gl = gl();
    let name = texture(&mut gl, c::TEXTURE_2D, 1, c::RGB8, [64, 64, 1]);
    target_of(&mut gl, name, c::TEXTURE_2D, 0);
    assert_eq!(pixel(&mut gl, 63, 63), [0, 0, 0, 255]);
    clear(&mut gl, [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(pixel(&mut gl, 5, 9), [255, 255, 255, 255]);
}

#[test]
fn mipmaps_average_and_mutable_textures_grow() {
    let mut gl = gl();
    let name = gl.create_texture();
    gl.bind_texture(c::TEXTURE_2D, name);
    let data = UploadData::Bytes {
        bytes: &[0, 0, 0, 255, 100, 0, 0, 255, 200, 0, 0, 255, 100, 40, 0, 255],
        kind: ArrayKind::U8,
    };
    gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA, 2, 2, 0, c::RGBA, c::UNSIGNED_BYTE, data);
    let base = target_of(&mut gl, name, c::TEXTURE_2D, 0);
    assert_eq!(pixel(&mut gl, 0, 1), [200, 0, 0, 255]);
    gl.generate_mipmap(c::TEXTURE_2D);
    // Level 0 survives the move to an image with two levels.
    assert_eq!(pixel(&mut gl, 0, 1), [200, 0, 0, 255]);
    target_of(&mut gl, name, c::TEXTURE_2D, 1);
    assert_eq!(pixel(&mut gl, 0, 0), [100, 10, 0, 255]);
    gl.bind_framebuffer(c::FRAMEBUFFER, base);
    clear(&mut gl, [0.0, 0.0, 1.0, 1.0]);
    gl.generate_mipmap(c::TEXTURE_2D);
    target_of(&mut gl, name, c::TEXTURE_2D, 1);
    assert_eq!(pixel(&mut gl, 0, 0), [0, 0, 255, 255]);
}

#[test]
fn faces_layers_and_slices_are_apart() {
    let mut gl = gl();
    let cube = texture(&mut gl, c::TEXTURE_CUBE_MAP, 2, c::RGBA8, [4, 4, 1]);
    for face in 0..6 {
        target_of(&mut gl, cube, c::TEXTURE_CUBE_MAP_POSITIVE_X + face, 1);
        clear(&mut gl, [face as f32 / 255.0, 0.0, 0.0, 1.0]);
    }
    for face in 0..6 {
        target_of(&mut gl, cube, c::TEXTURE_CUBE_MAP_POSITIVE_X + face, 1);
        assert_eq!(pixel(&mut gl, 1, 1)[0], face as u8);
    }
    for target in [c::TEXTURE_2D_ARRAY, c::TEXTURE_3D] {
        let name = texture(&mut gl, target, 1, c::RGBA8, [4, 4, 3]);
        let texels: Vec<u8> = (0..48).flat_map(|texel| [texel / 16 + 1, 0, 0, 255]).collect();
        let data = UploadData::Bytes { bytes: &texels, kind: ArrayKind::U8 };
        gl.tex_sub_image_3d(target, 0, 0, 0, 0, 4, 4, 3, c::RGBA, c::UNSIGNED_BYTE, data);
        let framebuffer = gl.create_framebuffer();
        gl.bind_framebuffer(c::FRAMEBUFFER, framebuffer);
        for layer in [2, 0, 1] {
            gl.framebuffer_texture_layer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, name, 0, layer);
            assert_eq!(pixel(&mut gl, 3, 3)[0], layer as u8 + 1);
        }
        clear(&mut gl, [1.0, 1.0, 1.0, 1.0]);
        gl.framebuffer_texture_layer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, name, 0, 2);
        assert_eq!(pixel(&mut gl, 3, 3)[0], 3);
    }
}

#[test]
fn blits_scale_flip_and_resolve() {
    let mut gl = gl();
    let source = texture(&mut gl, c::TEXTURE_2D, 1, c::RGBA8, [2, 1, 1]);
    upload(&mut gl, [2, 1], c::RGBA, c::UNSIGNED_BYTE, ArrayKind::U8, &[10u8, 0, 0, 255, 20, 0, 0, 255]);
    let read = target_of(&mut gl, source, c::TEXTURE_2D, 0);
    let destination = texture(&mut gl, c::TEXTURE_2D, 1, c::RGBA8, [4, 1, 1]);
    let draw = target_of(&mut gl, destination, c::TEXTURE_2D, 0);
    let reds = |gl: &mut Context| {
        gl.bind_framebuffer(c::FRAMEBUFFER, draw);
        read_u8(gl, 0, 0, 4, 1).iter().map(|pixel| pixel[0]).collect::<Vec<_>>()
    };
    gl.bind_framebuffer(c::READ_FRAMEBUFFER, read);
    gl.blit_framebuffer(0, 0, 2, 1, 4, 0, 0, 1, c::COLOR_BUFFER_BIT, c::NEAREST);
    assert_eq!(reds(&mut gl), [20, 20, 10, 10]);
    clear(&mut gl, [0.0; 4]);
    // Pixels whose source lies outside stay.
    gl.bind_framebuffer(c::READ_FRAMEBUFFER, read);
    gl.blit_framebuffer(-1, 0, 3, 1, 0, 0, 4, 1, c::COLOR_BUFFER_BIT, c::NEAREST);
    assert_eq!(reds(&mut gl), [0, 10, 20, 0]);

    let buffer = gl.create_renderbuffer();
    gl.bind_renderbuffer(c::RENDERBUFFER, buffer);
    gl.renderbuffer_storage_multisample(c::RENDERBUFFER, 4, c::RGBA8, 4, 1);
    let multisampled = gl.create_framebuffer();
    gl.bind_framebuffer(c::FRAMEBUFFER, multisampled);
    gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::RENDERBUFFER, buffer);
    clear(&mut gl, [1.0, 0.0, 0.0, 1.0]);
    gl.bind_framebuffer(c::DRAW_FRAMEBUFFER, draw);
    gl.blit_framebuffer(0, 0, 4, 1, 0, 0, 4, 1, c::COLOR_BUFFER_BIT, c::NEAREST);
    gl.invalidate_framebuffer(c::READ_FRAMEBUFFER, &[c::COLOR_ATTACHMENT0]);
    assert_eq!(reds(&mut gl), [255; 4]);
}

#[test]
fn copies_from_the_framebuffer() {
    for antialias in [false, true] {
        let settings = ContextSettings { width: 4, height: 4, antialias, ..ContextSettings::default() };
        let mut gl = context(settings).0;
        clear(&mut gl, [0.0, 1.0, 0.0, 0.0]);
        let name = gl.create_texture();
        gl.bind_texture(c::TEXTURE_2D, name);
        gl.copy_tex_image_2d(c::TEXTURE_2D, 0, c::RGB, 2, 2, 4, 4, 0);
        check(&mut gl);
        target_of(&mut gl, name, c::TEXTURE_2D, 0);
        assert_eq!(pixel(&mut gl, 1, 1), [0, 255, 0, 255]);
        assert_eq!(pixel(&mut gl, 2, 1), [0, 0, 0, 255]);
        gl.bind_framebuffer(c::FRAMEBUFFER, 0);
        gl.copy_tex_sub_image_2d(c::TEXTURE_2D, 0, 3, 3, 0, 0, 1, 1);
        target_of(&mut gl, name, c::TEXTURE_2D, 0);
        assert_eq!(pixel(&mut gl, 3, 3), [0, 255, 0, 255]);
    }
}

#[test]
fn pack_and_unpack_buffers() {
    let mut gl = gl();
    let name = texture(&mut gl, c::TEXTURE_2D, 1, c::RGBA8, [2, 1, 1]);
    let buffer = gl.create_buffer();
    gl.bind_buffer(c::PIXEL_UNPACK_BUFFER, buffer);
    gl.buffer_data(c::PIXEL_UNPACK_BUFFER, &[0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], c::STATIC_DRAW);
    let data = UploadData::Offset { offset: 4, size: None };
    gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 2, 1, c::RGBA, c::UNSIGNED_BYTE, data);
    target_of(&mut gl, name, c::TEXTURE_2D, 0);
    gl.bind_buffer(c::PIXEL_UNPACK_BUFFER, 0);
    gl.bind_buffer(c::PIXEL_PACK_BUFFER, buffer);
    gl.read_pixels_offset(0, 0, 2, 1, c::RGBA, c::UNSIGNED_BYTE, 0);
    let mut out = [0; 12];
    gl.get_buffer_sub_data(c::PIXEL_PACK_BUFFER, 0, &mut out);
    check(&mut gl);
    assert_eq!(out, [1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8]);
}

#[test]
fn depth_blits_and_resizes() {
    let mut gl = gl();
    // Depth of a packed depth-stencil buffer moves with a blit; nothing refuses.
    let make = |gl: &mut Context| {
        let name = gl.create_framebuffer();
        gl.bind_framebuffer(c::FRAMEBUFFER, name);
        let buffer = gl.create_renderbuffer();
        gl.bind_renderbuffer(c::RENDERBUFFER, buffer);
        gl.renderbuffer_storage(c::RENDERBUFFER, c::DEPTH24_STENCIL8, 4, 4);
        gl.framebuffer_renderbuffer(c::FRAMEBUFFER, c::DEPTH_STENCIL_ATTACHMENT, c::RENDERBUFFER, buffer);
        assert_eq!(gl.check_framebuffer_status(c::FRAMEBUFFER), c::FRAMEBUFFER_COMPLETE);
        name
    };
    let from = make(&mut gl);
    gl.clear_bufferfi(c::DEPTH_STENCIL, 0, 0.25, 3);
    let to = make(&mut gl);
    gl.bind_framebuffer(c::READ_FRAMEBUFFER, from);
    gl.bind_framebuffer(c::DRAW_FRAMEBUFFER, to);
    gl.blit_framebuffer(0, 0, 4, 4, 0, 0, 4, 4, c::DEPTH_BUFFER_BIT | c::STENCIL_BUFFER_BIT, c::NEAREST);
    check(&mut gl);
    gl.bind_framebuffer(c::FRAMEBUFFER, 0);
    clear(&mut gl, [1.0; 4]);
    gl.resize_drawing_buffer(9, 2);
    assert_eq!(pixel(&mut gl, 8, 1), [0; 4]);
    check(&mut gl);
}

#[test]
fn draws_round_to_the_nearest_half_float() {
    let ulp = 1.0 / 1024.0;
    // A tie goes to the even neighbour (IEEE 754 §4.3.1).
    let wanted = [
        (1.0 + 0.25 * ulp, 1.0),
        (1.0 + 0.5 * ulp, 1.0),
        (1.0 + 0.75 * ulp, 1.0 + ulp),
        (1.0 + 1.5 * ulp, 1.0 + 2.0 * ulp),
        (-1.0 - 0.75 * ulp, -1.0 - ulp),
        (0.3, 0.300_048_83),
        (65_504.0, 65_504.0),
        (0.0, 0.0),
    ];
    let mut gl = gl();
    let texture = texture(&mut gl, c::TEXTURE_2D, 1, c::RGBA16F, [2, 2, 1]);
    target_of(&mut gl, texture, c::TEXTURE_2D, 0);
    let program = gl.create_program();
    for (ty, source) in [
        (
            c::VERTEX_SHADER,
            "#version 300 es\nvoid main() { gl_PointSize = 8.0; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }",
        ),
        (
            c::FRAGMENT_SHADER,
            "#version 300 es\nprecision highp float; uniform vec4 v; out vec4 o; void main() { o = v; }",
        ),
    ] {
        let shader = gl.create_shader(ty);
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        gl.attach_shader(program, shader);
    }
    gl.link_program(program);
    gl.use_program(program);
    gl.viewport(0, 0, 2, 2);
    let location = gl.get_uniform_location(program, "v");
    for four in wanted.as_chunks::<4>().0 {
        let [x, y, z, w] = four.map(|(given, _)| given);
        gl.uniform_4f(program, location, x, y, z, w);
        gl.draw_arrays(c::POINTS, 0, 1);
        let mut out = [0; 16];
        gl.read_pixels(0, 0, 1, 1, c::RGBA, c::FLOAT, &mut out, ArrayKind::F32);
        check(&mut gl);
        assert_eq!(bytemuck::cast::<_, [f32; 4]>(out), four.map(|(_, stored)| stored));
    }
}
