//! What shaders see of textures made through the GL front end: swizzles of old formats, completeness, levels, kinds.

use super::device;
use crate::backend::wgpu::{WgpuBackend, WgpuOptions};
use crate::gl::constants as c;
use crate::gl::entry::upload::UploadData;
use crate::gl::validate::texture::ArrayKind;
use crate::gl::{Context, ContextSettings, WebGlVersion};

/// A 1 × 1 context whose program writes `expression` of `sampler`; reads give floats × 255.
struct Probe {
    gl: Context,
}

impl Probe {
    fn new(version: WebGlVersion) -> Self {
        let backend = WgpuBackend::new(device(), WgpuOptions::default(), Box::new(|_| {}));
        let settings = ContextSettings { version, width: 1, height: 1, antialias: false, ..ContextSettings::default() };
        let mut gl = Context::new(settings, Box::new(backend));
        let buffer = gl.create_buffer();
        gl.bind_buffer(c::ARRAY_BUFFER, buffer);
        let corners = [-1f32, -1.0, 3.0, -1.0, -1.0, 3.0];
        gl.buffer_data(c::ARRAY_BUFFER, bytemuck::cast_slice(&corners), c::STATIC_DRAW);
        gl.enable_vertex_attrib_array(0);
        gl.vertex_attrib_pointer(0, 2, c::FLOAT, false, 0, 0);
        Self { gl }
    }

    fn program(&mut self, declaration: &str, expression: &str) {
        let gl = &mut self.gl;
        let (vertex, fragment) = if gl.is_webgl2() {
            (
                "#version 300 es\nlayout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"
                    .to_owned(),
                format!(
                    "#version 300 es\nprecision highp float; {declaration} out vec4 o; void main() {{ o = {expression}; }}"
                ),
            )
        } else {
            (
                "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }".to_owned(),
                format!("precision highp float; {declaration} void main() {{ gl_FragColor = {expression}; }}"),
            )
        };
        let program = gl.create_program();
        for (ty, source) in [(c::VERTEX_SHADER, vertex), (c::FRAGMENT_SHADER, fragment)] {
            let shader = gl.create_shader(ty);
            gl.shader_source(shader, &source);
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
            let log = gl.get_shader_info_log(shader).unwrap_or_default();
            assert!(log.is_empty(), "{log}");
        }
        gl.link_program(program);
        gl.use_program(program);
    }

    fn texture(&mut self, target: u32) {
        let name = self.gl.create_texture();
        self.gl.bind_texture(target, name);
        self.gl.tex_parameteri(target, c::TEXTURE_MIN_FILTER, c::NEAREST as i32);
        self.gl.tex_parameteri(target, c::TEXTURE_MAG_FILTER, c::NEAREST as i32);
    }

    #[track_caller]
    fn shows(&mut self, expected: [u8; 4]) {
        let gl = &mut self.gl;
        gl.draw_arrays(c::TRIANGLES, 0, 3);
        let mut out = [0; 4];
        gl.read_pixels(0, 0, 1, 1, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
        let log = gl.errors_mut().take_log();
        assert!(log.is_empty(), "{log:?}");
        assert!(gl.backend_error().is_none(), "{:?}", gl.backend_error());
        assert_eq!(out, expected);
    }
}

fn bytes(bytes: &[u8]) -> UploadData<'_> {
    UploadData::Bytes { bytes, kind: ArrayKind::U8 }
}

#[test]
fn luminance_and_alpha_spread_as_es_2_says() {
    for version in [WebGlVersion::One, WebGlVersion::Two] {
        let mut probe = Probe::new(version);
        let lookup = if version == WebGlVersion::One { "texture2D" } else { "texture" };
        probe.program("uniform sampler2D t;", &format!("{lookup}(t, vec2(0.5))"));
        let cases: [(u32, &[u8], [u8; 4]); 5] = [
            (c::LUMINANCE, &[80], [80, 80, 80, 255]),
            (c::LUMINANCE_ALPHA, &[80, 40], [80, 80, 80, 40]),
            (c::ALPHA, &[40], [0, 0, 0, 40]),
            (c::RGB, &[1, 2, 3], [1, 2, 3, 255]),
            (c::RGBA, &[1, 2, 3, 4], [1, 2, 3, 4]),
        ];
        for (format, data, expected) in cases {
            probe.texture(c::TEXTURE_2D);
            probe.gl.pixel_storei(c::UNPACK_ALIGNMENT, 1);
            probe.gl.tex_image_2d(c::TEXTURE_2D, 0, format, 1, 1, 0, format, c::UNSIGNED_BYTE, bytes(data));
            probe.shows(expected);
        }
        // Copies out of the framebuffer follow the same table: green's red is 0.
        probe.gl.clear_color(0.2, 1.0, 0.0, 0.4);
        probe.gl.clear(c::COLOR_BUFFER_BIT);
        probe.gl.copy_tex_image_2d(c::TEXTURE_2D, 0, c::LUMINANCE_ALPHA, 0, 0, 1, 1, 0);
        probe.shows([51, 51, 51, 102]);
    }
}

#[test]
fn missing_and_incomplete_textures_are_black() {
    let mut probe = Probe::new(WebGlVersion::Two);
    probe.program("uniform sampler2D t;", "texture(t, vec2(0.5))");
    probe.shows([0, 0, 0, 255]);
    probe.texture(c::TEXTURE_2D);
    probe.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA, 2, 2, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&[9; 16]));
    probe.shows([9; 4]);
    probe.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_MIN_FILTER, c::NEAREST_MIPMAP_NEAREST as i32);
    probe.shows([0, 0, 0, 255]);
    probe.gl.generate_mipmap(c::TEXTURE_2D);
    probe.shows([9; 4]);
    probe.program("uniform highp usampler2D t;", "vec4(texture(t, vec2(0.5))) / 255.0");
    probe.gl.bind_texture(c::TEXTURE_2D, 0);
    probe.shows([0, 0, 0, 1]);
}

#[test]
fn base_level_and_samplers_choose() {
    let mut probe = Probe::new(WebGlVersion::Two);
    probe.program("uniform sampler2D t;", "texture(t, vec2(1.75, 0.5))");
    probe.texture(c::TEXTURE_2D);
    probe.gl.tex_storage_2d(c::TEXTURE_2D, 2, c::RGBA8, 2, 1);
    probe.gl.tex_sub_image_2d(
        c::TEXTURE_2D,
        0,
        0,
        0,
        2,
        1,
        c::RGBA,
        c::UNSIGNED_BYTE,
        bytes(&[1, 1, 1, 1, 2, 2, 2, 2]),
    );
    probe.gl.tex_sub_image_2d(c::TEXTURE_2D, 1, 0, 0, 1, 1, c::RGBA, c::UNSIGNED_BYTE, bytes(&[3; 4]));
    // 1.75 repeats to 0.75: the right texel; mirrored it is 0.25: the left one.
    probe.shows([2; 4]);
    let sampler = probe.gl.create_sampler();
    probe.gl.bind_sampler(0, sampler);
    for (name, value) in [
        (c::TEXTURE_MIN_FILTER, c::NEAREST),
        (c::TEXTURE_MAG_FILTER, c::NEAREST),
        (c::TEXTURE_WRAP_S, c::MIRRORED_REPEAT),
    ] {
        probe.gl.sampler_parameteri(sampler, name, value as i32);
    }
    probe.shows([1; 4]);
    probe.gl.bind_sampler(0, 0);
    probe.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_BASE_LEVEL, 1);
    probe.shows([3; 4]);
}

#[test]
fn arrays_volumes_cubes_and_integers() {
    let mut probe = Probe::new(WebGlVersion::Two);
    for (target, declaration, expression) in [
        (c::TEXTURE_2D_ARRAY, "uniform mediump sampler2DArray t;", "texture(t, vec3(0.5, 0.5, 1.0))"),
        (c::TEXTURE_3D, "uniform mediump sampler3D t;", "texture(t, vec3(0.5, 0.5, 0.75))"),
    ] {
        probe.program(declaration, expression);
        probe.texture(target);
        let data = bytes(&[1, 1, 1, 1, 2, 2, 2, 2]);
        probe.gl.tex_image_3d(target, 0, c::RGBA8, 1, 1, 2, 0, c::RGBA, c::UNSIGNED_BYTE, data);
        probe.shows([2; 4]);
    }
    probe.program("uniform samplerCube t;", "texture(t, vec3(0.0, -1.0, 0.0))");
    probe.texture(c::TEXTURE_CUBE_MAP);
    for face in 0..6 {
        let target = c::TEXTURE_CUBE_MAP_POSITIVE_X + face;
        let data = [face as u8 + 1; 4];
        probe.gl.tex_image_2d(target, 0, c::RGBA, 1, 1, 0, c::RGBA, c::UNSIGNED_BYTE, bytes(&data));
    }
    probe.shows([4; 4]);
    probe.program("uniform highp isampler2D t;", "vec4(-texelFetch(t, ivec2(0), 0)) / 255.0");
    probe.texture(c::TEXTURE_2D);
    probe.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8I, 1, 1);
    let data = UploadData::Bytes { bytes: &[0xff, 0xfe, 0xfd, 0xfc], kind: ArrayKind::I8 };
    probe.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 1, 1, c::RGBA_INTEGER, c::BYTE, data);
    probe.shows([1, 2, 3, 4]);
}

#[test]
fn uploaded_depth_reads_in_red() {
    let mut probe = Probe::new(WebGlVersion::Two);
    probe.program("uniform sampler2D t;", "texture(t, vec2(0.5))");
    type Case = (u32, u32, u32, ArrayKind, Vec<u8>);
    let cases: [Case; 3] = [
        (c::DEPTH_COMPONENT16, c::DEPTH_COMPONENT, c::UNSIGNED_SHORT, ArrayKind::U16, 0x8080u16.to_ne_bytes().to_vec()),
        (
            c::DEPTH_COMPONENT32F,
            c::DEPTH_COMPONENT,
            c::FLOAT,
            ArrayKind::F32,
            (128.0f32 / 255.0).to_ne_bytes().to_vec(),
        ),
        (
            c::DEPTH24_STENCIL8,
            c::DEPTH_STENCIL,
            c::UNSIGNED_INT_24_8,
            ArrayKind::U32,
            0x8080_8007u32.to_ne_bytes().to_vec(),
        ),
    ];
    for (internal, format, ty, kind, data) in cases {
        probe.texture(c::TEXTURE_2D);
        let data = UploadData::Bytes { bytes: &data, kind };
        probe.gl.tex_image_2d(c::TEXTURE_2D, 0, internal, 1, 1, 0, format, ty, data);
        probe.shows([128, 0, 0, 255]);
    }
}

#[test]
fn srgb_textures_decode() {
    let mut probe = Probe::new(WebGlVersion::Two);
    probe.program("uniform sampler2D t;", "texture(t, vec2(0.5))");
    probe.texture(c::TEXTURE_2D);
    probe.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::SRGB8_ALPHA8, 1, 1);
    probe.gl.tex_sub_image_2d(c::TEXTURE_2D, 0, 0, 0, 1, 1, c::RGBA, c::UNSIGNED_BYTE, bytes(&[188, 255, 0, 128]));
    // ((188/255 + 0.055) / 1.055)^2.4 = 0.5029; alpha is linear.
    probe.shows([128, 255, 0, 128]);
}

#[test]
fn drawing_into_what_is_sampled_is_refused() {
    let mut probe = Probe::new(WebGlVersion::Two);
    probe.program("uniform sampler2D t;", "texture(t, vec2(0.5))");
    probe.texture(c::TEXTURE_2D);
    probe.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 1, 1);
    let framebuffer = probe.gl.create_framebuffer();
    probe.gl.bind_framebuffer(c::FRAMEBUFFER, framebuffer);
    // Texture names count from 1.
    probe.gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, 1, 0);
    assert_eq!(probe.gl.get_error(), c::NO_ERROR);
    probe.gl.draw_arrays(c::TRIANGLES, 0, 3);
    assert_eq!(probe.gl.get_error(), c::INVALID_OPERATION);
}
