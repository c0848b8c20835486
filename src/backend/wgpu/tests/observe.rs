//! What is observed of draws: positions as the program's vertex shader wrote them, and depth.

use super::*;
use crate::gl::observe::ObservedFrame;
use crate::gl::{Context, ContextSettings, constants as c};
use crate::scene::Subject;

struct Rig {
    gl: Context,
    seen: Arc<Mutex<Vec<ObservedFrame>>>,
}

const FRAGMENT: &str = "#version 300 es\nprecision highp float; out vec4 o; void main() { o = vec4(1.0); }";

impl Rig {
    fn new(width: u32, height: u32, antialias: bool) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut backend = WgpuBackend::new(device(), WgpuOptions::default(), Box::new(|_| {}));
        let sink = seen.clone();
        backend.observe(Box::new(move |frame| sink.lock().expect("no panic in another test").push(frame)), 1);
        let settings = ContextSettings { width, height, antialias, depth: true, ..ContextSettings::default() };
        Self { gl: Context::new(settings, Box::new(backend)), seen }
    }

    fn program(&mut self, vertex: &str) -> u32 {
        let program = self.gl.create_program();
        for (ty, source) in [(c::VERTEX_SHADER, vertex), (c::FRAGMENT_SHADER, FRAGMENT)] {
            let shader = self.gl.create_shader(ty);
            self.gl.shader_source(shader, source);
            self.gl.compile_shader(shader);
            assert_eq!(self.gl.get_shader_info_log(shader).as_deref(), Some(""));
            self.gl.attach_shader(program, shader);
        }
        self.gl.link_program(program);
        assert_eq!(self.gl.get_program_info_log(program).as_deref(), Some(""));
        self.gl.use_program(program);
        program
    }

    fn attribute<T: bytemuck::NoUninit>(&mut self, location: u32, size: i32, data: &[T]) {
        let buffer = self.gl.create_buffer();
        self.gl.bind_buffer(c::ARRAY_BUFFER, buffer);
        self.gl.buffer_data(c::ARRAY_BUFFER, bytemuck::cast_slice(data), c::STATIC_DRAW);
        self.gl.enable_vertex_attrib_array(location);
        self.gl.vertex_attrib_pointer(location, size, c::FLOAT, false, 0, 0);
    }

    fn indices(&mut self, indices: &[u16]) {
        let buffer = self.gl.create_buffer();
        self.gl.bind_buffer(c::ELEMENT_ARRAY_BUFFER, buffer);
        self.gl.buffer_data(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(indices), c::STATIC_DRAW);
    }

    fn subject(&mut self, render: u32, camera: u32, object: u32) {
        self.gl.push(Command::Subject(Subject { render, camera, object }));
    }

    fn frames(&mut self, number: u64) -> Vec<ObservedFrame> {
        assert_eq!(self.gl.get_error(), c::NO_ERROR);
        self.gl.present(number);
        self.gl.finish();
        std::mem::take(&mut *self.seen.lock().expect("no panic in another test"))
    }
}

const MOVED: &str = "#version 300 es
layout(location = 0) in vec3 p;
uniform vec4 move[2];
void main() { gl_Position = vec4(p, 1.0) + move[gl_InstanceID] + vec4(0.0, 0.0, float(gl_VertexID), 1.0); }";

/// Closed form: each position is p + move[instance] + (0, 0, gl_VertexID, 1), whatever the draw call.
#[test]
fn positions_are_those_of_the_vertex_shader_in_gl_clip_space() {
    let mut rig = Rig::new(4, 4, false);
    let program = rig.program(MOVED);
    let points: Vec<[f32; 3]> = (0..6u8).map(|i| [i.into(), 10.0, -1.0]).collect();
    rig.attribute(0, 3, &points);
    let location = rig.gl.get_uniform_location(program, "move[0]");
    rig.gl.uniform_4fv(program, location, &[0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 3.0]);
    // Vertices 2, 3, 4, 5 in two strips that restart.
    rig.indices(&[9, 9, 2, 3, 4, 0xffff, 3, 4, 5]);
    rig.gl.push(Command::Watch(7));
    rig.subject(1, 7, 8);
    rig.gl.draw_elements_instanced(c::TRIANGLE_STRIP, 7, c::UNSIGNED_SHORT, 4, 2);
    // Another camera's draw is not looked at, nor one without an object.
    rig.subject(1, 9, 8);
    rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    rig.subject(1, 7, 0);
    rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    rig.subject(1, 7, 11);
    rig.gl.draw_arrays(c::TRIANGLES, 3, 3);
    let [frame] = &rig.frames(5)[..] else { panic!("one frame") };
    assert_eq!((frame.frame, frame.draws.len()), (5, 2));

    let strip = &frame.draws[0];
    assert_eq!((strip.subject, strip.strip), (Subject { render: 1, camera: 7, object: 8 }, true));
    assert_eq!((strip.vertices, strip.instances), (4, 2));
    let indices = strip.indices.as_deref().expect("an indexed draw");
    let vertices: Vec<Option<u32>> = indices.iter().map(|i| (*i < strip.vertices).then_some(*i)).collect();
    assert_eq!(vertices, [Some(0), Some(1), Some(2), None, Some(1), Some(2), Some(3)]);
    let expected: Vec<[f32; 4]> = [(1.0, 0.0), (2.0, 3.0)]
        .into_iter()
        .flat_map(|(y, w)| (2..6u8).map(move |i| [f32::from(i), 10.0 + y, f32::from(i) - 1.0, 2.0 + w]))
        .collect();
    assert_eq!(frame.positions[strip.positions.clone()], expected);

    let arrays = &frame.draws[1];
    assert_eq!((arrays.subject.object, arrays.vertices, arrays.instances, arrays.strip), (11, 3, 1, false));
    assert!(arrays.indices.is_none());
    let expected: Vec<[f32; 4]> = (3..6u8).map(|i| [f32::from(i), 11.0, f32::from(i) - 1.0, 2.0]).collect();
    assert_eq!(frame.positions[arrays.positions.clone()], expected);
}

/// The depth of a triangle at z = 0 is 0.5, of the cleared rest 1 (ES 3.0 §2.13.1), and indices known from the frame
/// before come along in the next.
#[test]
fn depth_is_what_the_pass_left_and_indices_are_remembered() {
    for antialias in [false, true] {
        let mut rig = Rig::new(4, 2, antialias);
        rig.program("#version 300 es\nlayout(location = 0) in vec3 p; void main() { gl_Position = vec4(p, 1.0); }");
        rig.attribute(0, 3, &[[-1.0f32, -1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]);
        rig.indices(&[0, 1, 2, 0, 2, 3]);
        rig.gl.enable(c::DEPTH_TEST);
        for number in 0..3 {
            rig.subject(number + 1, 7, 8);
            rig.gl.clear(c::COLOR_BUFFER_BIT | c::DEPTH_BUFFER_BIT);
            rig.gl.draw_elements(c::TRIANGLES, 6, c::UNSIGNED_SHORT, 0);
            let [frame] = &rig.frames(number.into())[..] else { panic!("one frame") };
            assert_eq!(frame.draws[0].indices.as_deref(), Some(&[0, 1, 2, 0, 2, 3][..]));
            let [depth] = &frame.depths[..] else { panic!("one pass") };
            assert_eq!((depth.width, depth.height, depth.subject.render), (4, 2, number + 1));
            let expected = [0.5f32, 0.5, 1.0, 1.0, 0.5, 0.5, 1.0, 1.0];
            // The rasteriser interpolates depth in f32.
            let near = depth.values.iter().zip(expected).all(|(value, expected)| (value - expected).abs() < 1e-6);
            assert!(near && depth.values.len() == 8, "antialias {antialias}: {:?}", depth.values);
        }
    }
}
