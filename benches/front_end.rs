//! The GL front end and the shader compiler, without JavaScript and without a GPU.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use replay::backend::null::NullBackend;
use replay::gl::constants as c;
use replay::gl::{Context, ContextSettings};

pub const VERTEX: &str = "#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 model; uniform mat4 view; uniform float scale;
out vec3 at;
void main() { at = position * scale; gl_Position = view * model * vec4(position, 1.0); }";

pub const FRAGMENT: &str = "#version 300 es
precision highp float;
in vec3 at; uniform vec4 color; uniform vec3 lights[4]; out vec4 result;
vec3 shade(vec3 n, vec3 l) { return vec3(max(dot(normalize(n), normalize(l)), 0.0)); }
void main() {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 4; i++) { sum += shade(at, lights[i]) * pow(clamp(at.x, 0.0, 1.0), 2.2); }
  result = vec4(sum * color.rgb, color.a);
}";

/// Calls between two frames: as many as a scene of some hundred objects makes.
const CALLS: u64 = 10_000;

struct Scene {
    gl: Context,
    program: u32,
    buffers: [u32; 2],
    arrays: [u32; 2],
}

/// A program in use and two vertex arrays of one indexed triangle each.
fn scene() -> Scene {
    let settings = ContextSettings { width: 64, height: 64, ..ContextSettings::default() };
    let mut gl = Context::new(settings, Box::new(NullBackend::new()));
    let program = gl.create_program();
    for (ty, source) in [(c::VERTEX_SHADER, VERTEX), (c::FRAGMENT_SHADER, FRAGMENT)] {
        let shader = gl.create_shader(ty);
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        gl.attach_shader(program, shader);
    }
    gl.link_program(program);
    gl.use_program(program);
    let mut buffers = [0; 2];
    let mut arrays = [0; 2];
    for (buffer, array) in buffers.iter_mut().zip(&mut arrays) {
        *array = gl.create_vertex_array();
        gl.bind_vertex_array(*array);
        *buffer = gl.create_buffer();
        gl.bind_buffer(c::ARRAY_BUFFER, *buffer);
        gl.buffer_data(c::ARRAY_BUFFER, &[0; 36], c::STATIC_DRAW);
        gl.enable_vertex_attrib_array(0);
        gl.vertex_attrib_pointer(0, 3, c::FLOAT, false, 0, 0);
        let indices = gl.create_buffer();
        gl.bind_buffer(c::ELEMENT_ARRAY_BUFFER, indices);
        gl.buffer_data(c::ELEMENT_ARRAY_BUFFER, &[0, 0, 1, 0, 2, 0], c::STATIC_DRAW);
    }
    assert_eq!(gl.get_error(), c::NO_ERROR);
    Scene { gl, program, buffers, arrays }
}

/// One call of the front end, validation and state included.
pub fn gl_validate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gl_validate");
    group.throughput(Throughput::Elements(CALLS));
    let Scene { mut gl, program, buffers, arrays } = scene();
    let model = gl.get_uniform_location(program, "model");
    let scale = gl.get_uniform_location(program, "scale");
    let mut each = |name: &str, call: &mut dyn FnMut(&mut Context, u64)| {
        group.bench_function(name, |b| {
            b.iter(|| {
                for i in 0..CALLS {
                    call(&mut gl, i);
                }
                gl.present(0);
            });
        });
        assert_eq!(gl.get_error(), c::NO_ERROR, "{name}");
    };
    each("enable", &mut |gl, i| if i % 2 == 0 { gl.enable(black_box(c::BLEND)) } else { gl.disable(c::BLEND) });
    each("bind_buffer", &mut |gl, i| gl.bind_buffer(c::ARRAY_BUFFER, buffers[(i % 2) as usize]));
    each("uniform1f", &mut |gl, i| gl.uniform_1f(program, scale, i as f32));
    each("uniform_matrix4fv", &mut |gl, i| gl.uniform_matrix_4fv(program, model, false, &[i as f32; 16]));
    each("draw_elements", &mut |gl, _| gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 0));
    each("object", &mut |gl, i| {
        gl.bind_vertex_array(arrays[(i % 2) as usize]);
        gl.uniform_matrix_4fv(program, model, false, &[i as f32; 16]);
        gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 0);
    });
    group.finish();
}

/// Text to SPIR-V: compile both stages, link, emit.
pub fn shader_compile(criterion: &mut Criterion) {
    use replay::shader::{CompileOptions, LinkOptions, Stage, Variant, compile, link};
    let mut group = criterion.benchmark_group("shader_compile");
    let options = CompileOptions { webgl2: true, ..CompileOptions::default() };
    group.bench_function("small_program", |b| {
        b.iter(|| {
            let vertex = compile(Stage::Vertex, black_box(VERTEX), &options).expect("a valid shader");
            let fragment = compile(Stage::Fragment, FRAGMENT, &options).expect("a valid shader");
            let linked = link(&vertex, &fragment, &LinkOptions::default()).expect("a valid program");
            linked.emit(Variant::default()).expect("a valid program")
        });
    });
    group.finish();
}
