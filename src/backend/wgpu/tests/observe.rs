//! What is observed of draws: positions as the program's vertex shader wrote them, and depth.

use super::*;
use crate::gl::entry::upload::UploadData;
use crate::gl::observe::{ObservedDraw, ObservedFrame, OtherKind};
use crate::gl::validate::texture::ArrayKind;
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
        self.program_of(vertex, FRAGMENT)
    }

    fn program_of(&mut self, vertex: &str, fragment: &str) -> u32 {
        let program = self.gl.create_program();
        for (ty, source) in [(c::VERTEX_SHADER, vertex), (c::FRAGMENT_SHADER, fragment)] {
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
        self.gl.push(Command::Subject(Subject { render, camera, object, faint: false }));
    }

    fn frames(&mut self, number: u64) -> Vec<ObservedFrame> {
        assert_eq!(self.gl.get_error(), c::NO_ERROR);
        self.gl.present(number);
        self.gl.finish();
        std::mem::take(&mut *self.seen.lock().expect("no panic in another test"))
    }
}

/// `gl_Position` of each vertex.
fn clip(draw: &ObservedDraw) -> Vec<[f32; 4]> {
    let matrix = glam::DMat4::from_cols_array(&draw.to_clip).as_mat4();
    draw.positions.iter().map(|position| (matrix * glam::Vec4::from(*position)).to_array()).collect()
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
    // Another camera's draw is not looked at, nor one of no object that lies on the picture.
    rig.subject(1, 9, 8);
    rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    rig.subject(1, 7, 0);
    rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    rig.subject(1, 7, 11);
    rig.gl.draw_arrays(c::TRIANGLES, 3, 3);
    let [frame] = &rig.frames(5)[..] else { panic!("one frame") };
    assert_eq!((frame.frame, frame.draws.len()), (5, 2));

    let strip = &frame.draws[0];
    assert_eq!((strip.subject, strip.strip), (Subject { render: 1, camera: 7, object: 8, faint: false }, true));
    assert_eq!((strip.vertices, strip.instances), (4, 2));
    let indices = strip.indices.as_deref().expect("an indexed draw");
    let vertices: Vec<Option<u32>> = indices.iter().map(|i| (*i < strip.vertices).then_some(*i)).collect();
    assert_eq!(vertices, [Some(0), Some(1), Some(2), None, Some(1), Some(2), Some(3)]);
    let expected: Vec<[f32; 4]> = [(1.0, 0.0), (2.0, 3.0)]
        .into_iter()
        .flat_map(|(y, w)| (2..6u8).map(move |i| [f32::from(i), 10.0 + y, f32::from(i) - 1.0, 2.0 + w]))
        .collect();
    assert_eq!(clip(strip), expected);

    let arrays = &frame.draws[1];
    assert_eq!((arrays.subject.object, arrays.vertices, arrays.instances, arrays.strip), (11, 3, 1, false));
    assert!(arrays.indices.is_none());
    let expected: Vec<[f32; 4]> = (3..6u8).map(|i| [f32::from(i), 11.0, f32::from(i) - 1.0, 2.0]).collect();
    assert_eq!(clip(arrays), expected);
}

/// Draws of no object: each time one shape comes it is looked at anew, with the matrices by their names; what leaves no depth,
/// points and lines are counted.
#[test]
fn draws_beside_the_objects_are_seen_as_often_as_they_come() {
    let mut rig = Rig::new(4, 4, false);
    let program = rig.program(
        "#version 300 es
layout(location = 0) in vec3 p; uniform mat4 u_viewMatrix, u_projection;
void main() { gl_Position = u_projection * u_viewMatrix * vec4(p, 1.0); }",
    );
    rig.attribute(0, 3, &[[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let scale = |s: f32| glam::Mat4::from_scale(glam::Vec3::splat(s)).to_cols_array();
    let [view, projection] = ["u_viewMatrix", "u_projection"].map(|name| rig.gl.get_uniform_location(program, name));
    rig.gl.uniform_matrix_4fv(program, projection, false, &scale(2.0));
    rig.gl.enable(c::DEPTH_TEST);
    rig.gl.push(Command::Watch(7));
    rig.subject(0, 0, 0);
    for size in [3.0, 5.0] {
        rig.gl.uniform_matrix_4fv(program, view, false, &scale(size));
        rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    }
    rig.gl.draw_arrays(c::LINES, 0, 2);
    rig.gl.depth_mask(false);
    rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    rig.gl.disable(c::DEPTH_TEST);
    rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
    rig.subject(1, 7, 8);
    rig.gl.draw_arrays(c::POINTS, 0, 3);
    rig.subject(1, 9, 8);
    rig.gl.draw_arrays(c::POINTS, 0, 3);
    let [frame] = &rig.frames(5)[..] else { panic!("one frame") };
    let others: Vec<_> = frame.others.iter().map(|other| (other.kind, other.subject.camera)).collect();
    assert_eq!(others, [(OtherKind::Lines, 0), (OtherKind::Faint, 0), (OtherKind::Points, 7)]);
    let named: Vec<_> = frame.draws.iter().map(|draw| (draw.named.view, draw.named.projection)).collect();
    assert_eq!(named, [(Some(scale(3.0)), Some(scale(2.0))), (Some(scale(5.0)), Some(scale(2.0)))]);
    assert_eq!(clip(&frame.draws[1])[1], [10.0, 0.0, 0.0, 1.0]);
    let targets: Vec<_> = frame.draws.iter().map(|draw| draw.target).collect();
    assert!(targets[0].is_some() && targets[0] == targets[1]);
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

const CAMERA: &str = "#version 300 es
layout(location = 0) in vec3 p;
layout(location = 1) in vec4 tint;
uniform mat4 projection, view;
uniform vec3 shift;
uniform sampler2D heights;
layout(std140) uniform Lift { vec4 lift; };
out vec4 color;
void main() {
    color = tint * view[3];
    vec3 q = p + shift + texelFetch(heights, ivec2(0), 0).xyz + lift.xyz;
    gl_Position = projection * view * vec4(q, 1.0);
}";

const DRAWN: &str = "#version 300 es
precision highp float; in vec4 color; out vec4 o; void main() { o = color; }";

fn scaled(x: f32, y: f32, z: f32) -> [f32; 16] {
    [x, 0., 0., 0., 0., y, 0., 0., 0., 0., z, 0., 0., 0., 0., 1.]
}

/// What the camera changes is not stored again; whatever else the position depends on is, and only that. Expected
/// positions are the closed form `projection · view · (p + shift + height + lift)`.
#[test]
fn positions_are_stored_again_when_what_they_depend_on_changes() {
    let mut rig = Rig::new(4, 4, false);
    let program = rig.program_of(CAMERA, DRAWN);
    rig.attribute(1, 4, &[[0.5f32; 4]; 3]);
    rig.attribute(0, 3, &[[1.0f32, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let points = rig.gl.create_buffer();
    rig.gl.bind_buffer(c::ARRAY_BUFFER, points);
    rig.gl.buffer_data(
        c::ARRAY_BUFFER,
        bytemuck::cast_slice(&[1.0f32, 0., 0., 0., 1., 0., 0., 0., 1.]),
        c::STATIC_DRAW,
    );
    rig.gl.vertex_attrib_pointer(0, 3, c::FLOAT, false, 0, 0);
    let block = rig.gl.create_buffer();
    rig.gl.bind_buffer_base(c::UNIFORM_BUFFER, 0, block);
    rig.gl.buffer_data(c::UNIFORM_BUFFER, bytemuck::cast_slice(&[0.0f32; 4]), c::STATIC_DRAW);
    let texture = rig.gl.create_texture();
    rig.gl.bind_texture(c::TEXTURE_2D, texture);
    let height = |rig: &mut Rig, y: f32| {
        let bytes: [u8; 16] = bytemuck::cast([0.0f32, y, 0.0, 1.0]);
        let data = UploadData::Bytes { bytes: &bytes, kind: ArrayKind::F32 };
        rig.gl.tex_image_2d(c::TEXTURE_2D, 0, c::RGBA32F, 1, 1, 0, c::RGBA, c::FLOAT, data);
        for filter in [c::TEXTURE_MIN_FILTER, c::TEXTURE_MAG_FILTER] {
            rig.gl.tex_parameteri(c::TEXTURE_2D, filter, c::NEAREST as i32);
        }
    };
    height(&mut rig, 0.0);
    let [projection, view, shift] =
        ["projection", "view", "shift"].map(|name| rig.gl.get_uniform_location(program, name));
    rig.gl.uniform_matrix_4fv(program, projection, false, &scaled(2.0, 1.0, 1.0));
    rig.gl.uniform_matrix_4fv(program, view, false, &scaled(1.0, 3.0, 1.0));

    let mut before: Option<Arc<[[f32; 4]]>> = None;
    let mut draw = |rig: &mut Rig, what: &str, same: bool, scale: [f32; 2], add: [f32; 3], first: f32| {
        rig.subject(1, 7, 8);
        rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
        let frames = rig.frames(0);
        let [frame] = &frames[..] else { panic!("one frame") };
        let [seen] = &frame.draws[..] else { panic!("{what}: one draw") };
        let corners = [[first, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let expected = corners.map(|p| [scale[0] * (p[0] + add[0]), scale[1] * (p[1] + add[1]), p[2] + add[2], 1.0]);
        assert_eq!(clip(seen), expected, "{what}");
        let kept = before.as_ref().is_some_and(|before| Arc::ptr_eq(before, &seen.positions));
        assert_eq!(kept, same, "{what}: stored again is {}", !kept);
        before = Some(seen.positions.clone());
    };
    draw(&mut rig, "first", false, [2.0, 3.0], [0.0; 3], 1.0);
    draw(&mut rig, "nothing", true, [2.0, 3.0], [0.0; 3], 1.0);
    rig.gl.uniform_matrix_4fv(program, view, false, &scaled(4.0, 3.0, 1.0));
    draw(&mut rig, "the view", true, [8.0, 3.0], [0.0; 3], 1.0);
    rig.gl.uniform_3fv(program, shift, &[0.0, 0.0, 5.0]);
    draw(&mut rig, "a uniform", false, [8.0, 3.0], [0.0, 0.0, 5.0], 1.0);
    rig.gl.uniform_matrix_4fv(program, projection, false, &scaled(1.0, 1.0, 1.0));
    draw(&mut rig, "the projection", true, [4.0, 3.0], [0.0, 0.0, 5.0], 1.0);
    height(&mut rig, 2.0);
    draw(&mut rig, "a texture", false, [4.0, 3.0], [0.0, 2.0, 5.0], 1.0);
    rig.gl.buffer_sub_data(c::UNIFORM_BUFFER, 0, bytemuck::cast_slice(&[7.0f32]));
    draw(&mut rig, "a block", false, [4.0, 3.0], [7.0, 2.0, 5.0], 1.0);
    rig.gl.buffer_sub_data(c::ARRAY_BUFFER, 0, bytemuck::cast_slice(&[9.0f32]));
    draw(&mut rig, "a vertex", false, [4.0, 3.0], [7.0, 2.0, 5.0], 9.0);
    // Written, but with what was there.
    rig.gl.buffer_sub_data(c::ARRAY_BUFFER, 0, bytemuck::cast_slice(&[9.0f32]));
    draw(&mut rig, "the same vertex", true, [4.0, 3.0], [7.0, 2.0, 5.0], 9.0);
}

/// What was stored for a frame that never came out is stored again.
#[test]
fn a_frame_that_is_not_presented_leaves_no_gap() {
    let mut rig = Rig::new(4, 4, false);
    rig.program("#version 300 es\nlayout(location = 0) in vec3 p; void main() { gl_Position = vec4(p, 1.0); }");
    let points = [[1.0f32, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    rig.attribute(0, 3, &points);
    for (number, presented) in [(0, false), (1, true), (2, true)] {
        rig.gl.push(Command::Watch(7));
        rig.subject(number, 7, 8);
        rig.gl.draw_arrays(c::TRIANGLES, 0, 3);
        if presented {
            let frames = rig.frames(number.into());
            let [frame] = &frames[..] else { panic!("one frame") };
            let expected = points.map(|[x, y, z]| [x, y, z, 1.0]);
            assert_eq!(frame.draws.iter().map(clip).collect::<Vec<_>>(), [expected]);
        } else {
            rig.gl.flush();
        }
    }
}
