//! The calls three.js makes, with the real shader compiler, down to the command stream.

use super::Fixture;
use crate::gl::ParameterValue;
use crate::gl::command::{Command, ShaderStage};
use crate::gl::constants as c;

const VERTEX: &str = "#version 300 es
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 lights[2];
layout(std140) uniform Camera { mat4 view; vec3 eye; };
in vec3 position;
in vec2 uv;
in vec4 skinIndex;
out vec2 vUv;
out vec3 vLight;
void main() {
    vUv = uv;
    vLight = lights[0] + lights[1] + eye + skinIndex.xyz;
    gl_Position = projectionMatrix * view * modelViewMatrix * vec4(position, 1.0);
}
";

const FRAGMENT: &str = "#version 300 es
precision highp float;
uniform vec3 diffuse;
uniform float opacity;
uniform bool useMap;
uniform sampler2D map;
in vec2 vUv;
in vec3 vLight;
out vec4 outColor;
void main() {
    vec3 color = diffuse * vLight;
    if (useMap) color *= texture(map, vUv).rgb;
    outColor = vec4(color, opacity);
}
";

fn link(f: &mut Fixture, vertex: &str, fragment: &str) -> u32 {
    let gl = &mut f.gl;
    let program = gl.create_program();
    for (ty, source) in [(c::VERTEX_SHADER, vertex), (c::FRAGMENT_SHADER, fragment)] {
        let shader = gl.create_shader(ty);
        gl.shader_source(shader, source);
        gl.compile_shader(shader);
        assert_eq!(gl.get_shader_info_log(shader).as_deref(), Some(""));
        gl.attach_shader(program, shader);
    }
    gl.bind_attrib_location(program, 0, "position");
    gl.link_program(program);
    assert_eq!(gl.get_program_info_log(program).as_deref(), Some(""));
    assert_eq!(gl.get_program_parameter(program, c::LINK_STATUS), ParameterValue::Bool(true));
    program
}

#[test]
fn a_material_is_drawn() {
    let mut f = Fixture::real();
    let program = link(&mut f, VERTEX, FRAGMENT);
    f.gl.use_program(program);
    let ParameterValue::Int(count) = f.gl.get_program_parameter(program, c::ACTIVE_UNIFORMS) else { panic!() };
    let mut names: Vec<String> =
        (0..count as u32).filter_map(|i| f.gl.get_active_uniform(program, i)).map(|info| info.name).collect();
    names.sort();
    assert_eq!(
        names,
        ["diffuse", "eye", "lights[0]", "map", "modelViewMatrix", "opacity", "projectionMatrix", "useMap", "view"]
    );
    assert_eq!(f.gl.get_attrib_location(program, "position"), 0);
    let location = |f: &mut Fixture, name: &str| {
        let location = f.gl.get_uniform_location(program, name);
        assert_ne!(location, -1, "{name}");
        location
    };
    let identity: Vec<f32> = (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect();
    for name in ["modelViewMatrix", "projectionMatrix"] {
        let at = location(&mut f, name);
        f.gl.uniform_matrix_4fv(program, at, false, &identity);
    }
    let at = location(&mut f, "lights");
    f.gl.uniform_3fv(program, at, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let at = location(&mut f, "diffuse");
    f.gl.uniform_3f(program, at, 0.25, 0.5, 0.75);
    let at = location(&mut f, "useMap");
    f.gl.uniform_1i(program, at, 1);
    let at = location(&mut f, "map");
    f.gl.uniform_1i(program, at, 3);

    f.buffer(c::ARRAY_BUFFER, &[0; 3 * 36]);
    let vertex_array = f.gl.create_vertex_array();
    f.gl.bind_vertex_array(vertex_array);
    for (name, size, ty, offset) in
        [("position", 3, c::FLOAT, 0), ("uv", 2, c::FLOAT, 12), ("skinIndex", 4, c::UNSIGNED_SHORT, 20)]
    {
        let index = f.gl.get_attrib_location(program, name) as u32;
        f.gl.enable_vertex_attrib_array(index);
        f.gl.vertex_attrib_pointer(index, size, ty, false, 28, offset);
    }
    f.buffer(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&[0u16, 1, 2]));
    let block = f.gl.get_uniform_block_index(program, "Camera");
    f.gl.uniform_block_binding(program, block, 2);
    let camera = f.buffer(c::UNIFORM_BUFFER, &[0; 80]);
    f.gl.bind_buffer_base(c::UNIFORM_BUFFER, 2, camera);
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 0);
    f.expect_ok();
    assert_eq!(f.gl.unsupported_list(), []);

    f.gl.submit();
    let record = f.record.lock().expect("no panic held it");
    let stream = record.streams.last().expect("the draw");
    let code = stream.commands.iter().find_map(|command| match command {
        Command::CreateProgram { code, .. } => Some(code.clone()),
        _ => None,
    });
    let code = code.expect("a program is announced");
    assert_eq!(code.vertex.first(), Some(&0x0723_0203), "SPIR-V's magic number");
    assert_eq!(code.layout.textures.len(), 1);
    for (stage, size) in
        [(ShaderStage::Vertex, code.layout.vertex_block), (ShaderStage::Fragment, code.layout.fragment_block)]
    {
        let data = stream.commands.iter().find_map(|command| match command {
            Command::SetUniforms { stage: sent, data } if *sent == stage => Some(stream.bytes(*data)),
            _ => None,
        });
        assert_eq!(data.map(<[u8]>::len), Some(size as usize));
    }
    let index = stream.commands.iter().any(|command| matches!(command, Command::SetTexture { slot: 0, .. }));
    assert!(index, "the incomplete texture is black, and sent");
    let kinds: Vec<bool> = code.layout.attributes.iter().map(|a| a.kind == crate::shader::hir::Scalar::Uint).collect();
    assert_eq!(kinds.iter().filter(|uint| **uint).count(), 1, "skinIndex comes as unsigned integers");
}

#[test]
fn errors_of_a_shader_reach_the_log_with_their_line() {
    let mut f = Fixture::real();
    let shader = f.gl.create_shader(c::FRAGMENT_SHADER);
    f.gl.shader_source(shader, "#version 300 es\nprecision mediump float;\nout vec4 c;\nvoid main() { c = nope; }\n");
    f.gl.compile_shader(shader);
    assert_eq!(f.gl.get_shader_parameter(shader, c::COMPILE_STATUS), ParameterValue::Bool(false));
    let log = f.gl.get_shader_info_log(shader).expect("a log");
    assert!(log.starts_with("ERROR: 0:4: 'nope'"), "{log}");
}
