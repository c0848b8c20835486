//! The whole way down: GLSL through the front end and the compiler to pixels.

use super::*;
use crate::gl::entry::upload::UploadData;
use crate::gl::validate::texture::ArrayKind;
use crate::gl::{Context, ContextSettings, constants as c};

pub(super) struct Gl {
    pub context: Context,
    pub frames: Arc<Mutex<Vec<PresentedFrame>>>,
}

impl Gl {
    pub fn new(width: u32, height: u32, antialias: bool) -> Self {
        let frames = Arc::new(Mutex::new(Vec::new()));
        let sink = Box::new({
            let frames = frames.clone();
            move |frame| frames.lock().expect("no panic in another test").push(frame)
        });
        let backend = WgpuBackend::new(device(), WgpuOptions::default(), sink);
        let settings = ContextSettings { width, height, antialias, stencil: true, ..ContextSettings::default() };
        Self { context: Context::new(settings, Box::new(backend)), frames }
    }

    fn shader(&mut self, ty: u32, source: &str) -> u32 {
        let shader = self.context.create_shader(ty);
        self.context.shader_source(shader, source);
        self.context.compile_shader(shader);
        let log = self.context.get_shader_info_log(shader).unwrap_or_default();
        assert!(log.is_empty(), "{log}");
        shader
    }

    pub fn program_with(&mut self, vertex: &str, fragment: &str, varyings: &[&str]) -> u32 {
        let vertex = self.shader(c::VERTEX_SHADER, &format!("#version 300 es\n{vertex}"));
        let fragment = self.shader(c::FRAGMENT_SHADER, &format!("#version 300 es\nprecision highp float;\n{fragment}"));
        let program = self.context.create_program();
        self.context.attach_shader(program, vertex);
        self.context.attach_shader(program, fragment);
        if !varyings.is_empty() {
            let names: Vec<String> = varyings.iter().map(|name| name.to_string()).collect();
            self.context.transform_feedback_varyings(program, &names, c::INTERLEAVED_ATTRIBS);
        }
        self.context.link_program(program);
        let log = self.context.get_program_info_log(program).unwrap_or_default();
        assert!(log.is_empty(), "{log}");
        self.context.use_program(program);
        program
    }

    pub fn program(&mut self, vertex: &str, fragment: &str) -> u32 {
        self.program_with(vertex, fragment, &[])
    }

    pub fn uniform(&mut self, program: u32, name: &str) -> i32 {
        let location = self.context.get_uniform_location(program, name);
        assert!(location >= 0, "{name}");
        location
    }

    pub fn buffer<T: bytemuck::NoUninit>(&mut self, target: u32, data: &[T]) -> u32 {
        let buffer = self.context.create_buffer();
        self.context.bind_buffer(target, buffer);
        self.context.buffer_data(target, bytemuck::cast_slice(data), c::STATIC_DRAW);
        buffer
    }

    /// vec2 positions at location 0.
    pub fn positions(&mut self, positions: &[[f32; 2]]) {
        self.buffer(c::ARRAY_BUFFER, positions);
        self.context.enable_vertex_attrib_array(0);
        self.context.vertex_attrib_pointer(0, 2, c::FLOAT, false, 0, 0);
    }

    fn texture(&mut self, width: i32, height: i32, internal: u32, format: u32, ty: u32, data: Option<&[u8]>) -> u32 {
        let texture = self.context.create_texture();
        self.context.bind_texture(c::TEXTURE_2D, texture);
        for parameter in [c::TEXTURE_MIN_FILTER, c::TEXTURE_MAG_FILTER] {
            self.context.tex_parameteri(c::TEXTURE_2D, parameter, c::NEAREST as i32);
        }
        let data = data.map_or(UploadData::None, |bytes| UploadData::Bytes { bytes, kind: ArrayKind::U8 });
        self.context.tex_image_2d(c::TEXTURE_2D, 0, internal, width, height, 0, format, ty, data);
        texture
    }

    pub fn draw(&mut self, mode: u32, count: i32) {
        self.context.draw_arrays(mode, 0, count);
    }

    pub fn read(&mut self, width: u32, height: u32) -> Vec<u8> {
        let mut out = vec![0; (width * height * 4) as usize];
        let (w, h) = (width as i32, height as i32);
        self.context.read_pixels(0, 0, w, h, c::RGBA, c::UNSIGNED_BYTE, &mut out, ArrayKind::U8);
        assert_eq!(self.context.get_error(), c::NO_ERROR);
        out
    }
}

pub(super) const PLAIN: &str = "layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }";

#[test]
fn y_points_up_in_pixels_frames_and_fragments() {
    for antialias in [false, true] {
        let mut gl = Gl::new(2, 4, antialias);
        gl.program(PLAIN, "out vec4 o; void main() { o = vec4(gl_FragCoord.xy / 255.0, gl_FrontFacing, 1.0); }");
        // The lower half, counter-clockwise.
        gl.positions(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [-1.0, -1.0], [1.0, 0.0], [-1.0, 0.0]]);
        gl.context.enable(c::CULL_FACE);
        gl.draw(c::TRIANGLES, 6);
        let pixels = gl.read(2, 4);
        // 0.5 and 1.5 of 255 round to even or up: compare rows by their green channel's order.
        let rows: Vec<_> = pixels.chunks_exact(8).map(|row| (row[1] > 0 || row[2] > 0, row[2])).collect();
        assert_eq!(rows, [(true, 255), (true, 255), (false, 0), (false, 0)]);
        assert!(pixels[8 + 1] > pixels[1], "gl_FragCoord.y rises");
        gl.context.present(0);
        gl.context.finish();
        let frames = gl.frames.lock().expect("no panic");
        let blue: Vec<_> = frames[0].rgba.chunks_exact(8).map(|row| row[2]).collect();
        assert_eq!(blue, [0, 0, 255, 255], "frames begin at the top");
    }
}

#[test]
fn uniforms_arrays_and_structs_reach_both_stages() {
    let mut gl = Gl::new(1, 1, false);
    let program = gl.program(
        "layout(location = 0) in vec2 p; uniform mat3 m; out vec3 v;
         void main() { v = m * vec3(1.0, 2.0, 3.0); gl_Position = vec4(p, 0.0, 1.0); }",
        "struct L { vec3 color; float power; }; uniform L lights[2]; uniform bool on; in vec3 v; out vec4 o;
         void main() { o = on ? vec4(v + lights[1].color * lights[1].power, 1.0) : vec4(0.0); }",
    );
    let at = |gl: &mut Gl, name| gl.uniform(program, name);
    let m = at(&mut gl, "m");
    // Columns: the product is (1·0.1, 2·0.1, 3·0.1).
    let matrix = [0.1f32, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1];
    gl.context.uniform_matrix_3fv(program, m, false, &matrix);
    let (color, power, on) = (at(&mut gl, "lights[1].color"), at(&mut gl, "lights[1].power"), at(&mut gl, "on"));
    gl.context.uniform_3f(program, color, 0.2, 0.0, 0.2);
    gl.context.uniform_1f(program, power, 2.0);
    gl.context.uniform_1i(program, on, 1);
    gl.positions(&WHOLE);
    gl.draw(c::TRIANGLES, 3);
    let got = gl.read(1, 1);
    // 0.5, 0.2, 0.7.
    for (got, expected) in got.iter().zip([127.5f32, 51.0, 178.5, 255.0]) {
        assert!((f32::from(*got) - expected).abs() <= 1.0, "{got} {expected}");
    }
}

#[test]
fn points_have_size_and_coordinates() {
    let mut gl = Gl::new(8, 8, false);
    gl.program(
        "layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); gl_PointSize = 4.0; }",
        "out vec4 o; void main() { o = vec4(gl_PointCoord, 0.0, 1.0); }",
    );
    gl.positions(&[[0.0, 0.0]]);
    gl.draw(c::POINTS, 1);
    let pixels = gl.read(8, 8);
    let covered = pixels.chunks_exact(4).filter(|pixel| pixel[3] == 255).count();
    assert_eq!(covered, 16);
    // gl_PointCoord is 0, 0 at the upper left: (2, 5) is the first pixel there, at 1/8.
    let at = |x: usize, y: usize| &pixels[(y * 8 + x) * 4..][..2];
    for (pixel, expected) in [(at(2, 5), [0.125f32, 0.125]), (at(5, 2), [0.875, 0.875])] {
        for (got, expected) in pixel.iter().zip(expected) {
            assert!((f32::from(*got) / 255.0 - expected).abs() < 0.01, "{pixel:?} {expected}");
        }
    }
}

#[test]
fn textures_sample_bottom_up_and_framebuffers_too() {
    let mut gl = Gl::new(1, 2, false);
    let program = gl.program(
        "layout(location = 0) in vec2 p; out vec2 uv; void main() { uv = p * 0.5 + 0.5; gl_Position = vec4(p, 0.0, 1.0); }",
        "uniform sampler2D t; in vec2 uv; out vec4 o; void main() { o = texture(t, uv); }",
    );
    gl.positions(&WHOLE);
    let bytes = [RED, GREEN].concat();
    let source = gl.texture(1, 2, c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, Some(&bytes));
    let target = gl.texture(1, 2, c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, None);
    let framebuffer = gl.context.create_framebuffer();
    gl.context.bind_framebuffer(c::FRAMEBUFFER, framebuffer);
    gl.context.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, target, 0);
    let sampler = gl.uniform(program, "t");
    gl.context.uniform_1i(program, sampler, 0);
    gl.context.bind_texture(c::TEXTURE_2D, source);
    gl.draw(c::TRIANGLES, 3);
    assert_eq!(gl.read(1, 2), bytes);
    gl.context.bind_framebuffer(c::FRAMEBUFFER, 0);
    gl.context.bind_texture(c::TEXTURE_2D, target);
    gl.draw(c::TRIANGLES, 3);
    assert_eq!(gl.read(1, 2), bytes);
}

#[test]
fn a_shadow_map_is_rendered_and_compared() {
    let mut gl = Gl::new(1, 1, false);
    let depth = gl.texture(4, 4, c::DEPTH_COMPONENT24, c::DEPTH_COMPONENT, c::UNSIGNED_INT, None);
    gl.context.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_COMPARE_MODE, c::COMPARE_REF_TO_TEXTURE as i32);
    gl.context.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_COMPARE_FUNC, c::LEQUAL as i32);
    let framebuffer = gl.context.create_framebuffer();
    gl.context.bind_framebuffer(c::FRAMEBUFFER, framebuffer);
    gl.context.framebuffer_texture_2d(c::FRAMEBUFFER, c::DEPTH_ATTACHMENT, c::TEXTURE_2D, depth, 0);
    gl.context.draw_buffers(&[c::NONE]);
    gl.context.viewport(0, 0, 4, 4);
    gl.context.enable(c::DEPTH_TEST);
    gl.context.clear(c::DEPTH_BUFFER_BIT);
    // z = 0.2 lies at depth 0.6.
    gl.program("layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0.2, 1.0); }", "void main() {}");
    gl.positions(&WHOLE);
    gl.draw(c::TRIANGLES, 3);
    gl.context.bind_framebuffer(c::FRAMEBUFFER, 0);
    gl.context.viewport(0, 0, 1, 1);
    gl.context.disable(c::DEPTH_TEST);
    let program = gl.program(
        PLAIN,
        "precision highp sampler2DShadow; uniform sampler2DShadow s; out vec4 o; void main() {
            o = vec4(texture(s, vec3(0.5, 0.5, 0.55)), texture(s, vec3(0.5, 0.5, 0.65)), 0.0, 1.0);
        }",
    );
    let sampler = gl.uniform(program, "s");
    gl.context.uniform_1i(program, sampler, 0);
    gl.draw(c::TRIANGLES, 3);
    assert_eq!(gl.read(1, 1), RED);
}

#[test]
fn multisampled_renderbuffers_resolve_by_blit() {
    let mut gl = Gl::new(1, 1, false);
    let [draw, read] = [0, 1].map(|_| gl.context.create_framebuffer());
    let color = gl.context.create_renderbuffer();
    gl.context.bind_renderbuffer(c::RENDERBUFFER, color);
    gl.context.renderbuffer_storage_multisample(c::RENDERBUFFER, 4, c::RGBA8, 2, 1);
    gl.context.bind_framebuffer(c::FRAMEBUFFER, draw);
    gl.context.framebuffer_renderbuffer(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::RENDERBUFFER, color);
    gl.context.viewport(0, 0, 2, 1);
    gl.program(PLAIN, "out vec4 o; void main() { o = vec4(1.0, 0.0, 0.0, 1.0); }");
    // All of the left pixel, half of the right one.
    gl.positions(&[[-1.0, -1.0], [0.5, -1.0], [0.5, 1.0], [-1.0, -1.0], [0.5, 1.0], [-1.0, 1.0]]);
    gl.draw(c::TRIANGLES, 6);
    let texture = gl.texture(2, 1, c::RGBA8, c::RGBA, c::UNSIGNED_BYTE, None);
    gl.context.bind_framebuffer(c::DRAW_FRAMEBUFFER, read);
    gl.context.framebuffer_texture_2d(c::DRAW_FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, texture, 0);
    gl.context.blit_framebuffer(0, 0, 2, 1, 0, 0, 2, 1, c::COLOR_BUFFER_BIT, c::NEAREST);
    gl.context.bind_framebuffer(c::FRAMEBUFFER, read);
    let pixels = gl.read(2, 1);
    assert_eq!(pixels[..4], RED);
    assert!(pixels[4].abs_diff(128) <= 1, "{pixels:?}");
}

#[test]
fn feedback_captures_and_draws_again() {
    let mut gl = Gl::new(4, 1, false);
    gl.program_with(
        "layout(location = 0) in vec2 p; out vec2 next; void main() { next = p + vec2(0.5, 0.0); gl_Position = vec4(p, 0.0, 1.0); gl_PointSize = 1.0; }",
        "out vec4 o; void main() { o = vec4(1.0, 0.0, 0.0, 1.0); }",
        &["next"],
    );
    gl.positions(&[[-0.75, 0.0], [0.25, 0.0]]);
    let output = gl.context.create_buffer();
    gl.context.bind_buffer(c::TRANSFORM_FEEDBACK_BUFFER, output);
    gl.context.buffer_data_size(c::TRANSFORM_FEEDBACK_BUFFER, 24, c::DYNAMIC_COPY);
    gl.context.bind_buffer_range(c::TRANSFORM_FEEDBACK_BUFFER, 0, output, 4, 16);
    gl.context.begin_transform_feedback(c::POINTS);
    gl.draw(c::POINTS, 2);
    gl.context.end_transform_feedback();
    assert_eq!(gl.read(4, 1), [RED, NOTHING, RED, NOTHING].concat());
    gl.context.bind_buffer_base(c::TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl.context.bind_buffer(c::TRANSFORM_FEEDBACK_BUFFER, 0);
    gl.context.bind_buffer(c::ARRAY_BUFFER, output);
    gl.context.vertex_attrib_pointer(0, 2, c::FLOAT, false, 8, 4);
    gl.draw(c::POINTS, 2);
    assert_eq!(gl.read(4, 1), [RED; 4].concat());
}

#[test]
fn instances_blocks_and_lowered_topologies() {
    let mut gl = Gl::new(4, 4, false);
    let program = gl.program(
        "layout(location = 0) in vec2 p; layout(location = 1) in float x; flat out int id;
         void main() { id = gl_InstanceID; gl_Position = vec4(p * 0.5 + vec2(x, 0.0), 0.0, 1.0); }",
        "layout(std140) uniform Colors { vec4 colors[2]; }; flat in int id; out vec4 o; void main() { o = colors[id]; }",
    );
    let block = gl.context.get_uniform_block_index(program, "Colors");
    gl.context.uniform_block_binding(program, block, 3);
    let colors = gl.buffer(c::UNIFORM_BUFFER, &[[1.0f32, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]);
    gl.context.bind_buffer_base(c::UNIFORM_BUFFER, 3, colors);
    gl.buffer(c::ARRAY_BUFFER, &[-0.5f32, 0.5]);
    gl.context.enable_vertex_attrib_array(1);
    gl.context.vertex_attrib_pointer(1, 1, c::FLOAT, false, 0, 0);
    gl.context.vertex_attrib_divisor(1, 1);
    // A fan over the square, by bytes.
    gl.positions(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
    gl.buffer(c::ELEMENT_ARRAY_BUFFER, &[0u8, 1, 2, 3]);
    gl.context.draw_elements_instanced(c::TRIANGLE_FAN, 4, c::UNSIGNED_BYTE, 0, 2);
    let row = [RED, RED, GREEN, GREEN].concat();
    let pixels = gl.read(4, 4);
    assert_eq!(pixels[16..32], row[..]);
    assert_eq!(pixels[32..48], row[..]);
    assert_eq!(pixels[..16], [0; 16]);
}

#[test]
fn an_unnormalised_short_attribute_reads_as_floats() {
    let mut gl = Gl::new(1, 1, false);
    gl.program(
        "layout(location = 0) in vec2 p; layout(location = 1) in vec4 n; out vec4 v;
         void main() { v = n / 255.0; gl_Position = vec4(p, 0.0, 1.0); }",
        "in vec4 v; out vec4 o; void main() { o = v; }",
    );
    gl.buffer(c::ARRAY_BUFFER, &[[10u16, 20, 30, 255]; 3]);
    gl.context.enable_vertex_attrib_array(1);
    gl.context.vertex_attrib_pointer(1, 4, c::UNSIGNED_SHORT, false, 0, 0);
    gl.positions(&WHOLE);
    gl.draw(c::TRIANGLES, 3);
    assert_eq!(gl.read(1, 1), [10, 20, 30, 255]);
}

#[test]
fn queries_mipmaps_and_cubes_work_from_gl() {
    let mut gl = Gl::new(1, 1, false);
    let program = gl.program(
        PLAIN,
        "precision highp samplerCube; uniform samplerCube s; uniform vec3 d; uniform float lod; out vec4 o;
         void main() { o = textureLod(s, d, lod); }",
    );
    let texture = gl.context.create_texture();
    gl.context.bind_texture(c::TEXTURE_CUBE_MAP, texture);
    gl.context.tex_parameteri(c::TEXTURE_CUBE_MAP, c::TEXTURE_MIN_FILTER, c::NEAREST_MIPMAP_NEAREST as i32);
    for face in 0..6u8 {
        // Left half 40 · face, right half 40 · face + 20.
        let texel = |value| [value, value, value, 255];
        let row = [texel(40 * face), texel(40 * face + 20)].concat();
        let bytes = row.repeat(2);
        gl.context.tex_image_2d(
            c::TEXTURE_CUBE_MAP_POSITIVE_X + u32::from(face),
            0,
            c::RGBA8,
            2,
            2,
            0,
            c::RGBA,
            c::UNSIGNED_BYTE,
            UploadData::Bytes { bytes: &bytes, kind: ArrayKind::U8 },
        );
    }
    gl.context.generate_mipmap(c::TEXTURE_CUBE_MAP);
    gl.positions(&WHOLE);
    let (s, d, lod) = (gl.uniform(program, "s"), gl.uniform(program, "d"), gl.uniform(program, "lod"));
    gl.context.uniform_1i(program, s, 0);
    gl.context.uniform_1f(program, lod, 1.0);
    for (face, direction) in
        [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]
            .into_iter()
            .enumerate()
    {
        gl.context.uniform_3fv(program, d, &direction);
        let query = gl.context.create_query();
        gl.context.begin_query(c::ANY_SAMPLES_PASSED, query);
        gl.draw(c::TRIANGLES, 3);
        gl.context.end_query(c::ANY_SAMPLES_PASSED);
        assert_eq!(gl.read(1, 1)[0], 40 * face as u8 + 10, "face {face}");
    }
}
