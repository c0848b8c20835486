//! Front-end tests on the null back end. Expected errors and values come from the WebGL and ES 3.0 specifications.

mod buffer;
mod draw;
mod end_to_end;
mod loss;
mod program;
mod state;
mod uniform;
mod vertex_array;

use std::sync::{Arc, Mutex};

use crate::backend::null::{NullBackend, NullRecord};
use crate::gl::command::Command;
use crate::gl::compiler::{CompileRequest, LinkedCode, ShaderCompiler};
use crate::gl::constants as c;
use crate::gl::context::{Context, ContextSettings, WebGlVersion};
use crate::shader::hir::{self, SamplerDimension, SamplerType, Scalar};
use crate::shader::link::LinkOptions;
use crate::shader::{
    ActiveAttribute, ActiveUniform, ActiveUniformBlock, BlockPlace, BlockSlot, FragmentOutput, ProgramCode,
    ProgramLayout, Reflection, TextureSlot, VariableType, Variant,
};

/// Links anything to the same tables; a source with `#error` does not compile.
struct FakeCompiler {
    reflection: Reflection,
    layout: ProgramLayout,
}

struct FakeCode {
    reflection: Reflection,
    layout: ProgramLayout,
}

impl ShaderCompiler for FakeCompiler {
    fn compile(&self, request: &CompileRequest<'_>) -> Result<Arc<hir::Shader>, String> {
        if request.source.contains("#error") {
            return Err("ERROR: 0:1: '#error'\n".into());
        }
        Ok(Arc::new(hir::Shader {
            stage: request.stage,
            dialect: hir::Dialect::Essl300,
            structs: Vec::new(),
            globals: Vec::new(),
            blocks: Vec::new(),
            functions: Vec::new(),
            main: hir::FunctionId(0),
            draw_buffers: false,
            writes_frag_depth: false,
            frag_data_len: 0,
            name: None,
            loop_lines: Default::default(),
        }))
    }

    fn link(&self, _: &Arc<hir::Shader>, _: &Arc<hir::Shader>, _: &LinkOptions) -> Result<Box<dyn LinkedCode>, String> {
        Ok(Box::new(FakeCode { reflection: self.reflection.clone(), layout: self.layout.clone() }))
    }
}

impl LinkedCode for FakeCode {
    fn reflection(&self) -> &Reflection {
        &self.reflection
    }

    fn emit(&self, _: Variant) -> Result<Arc<ProgramCode>, String> {
        Ok(Arc::new(ProgramCode {
            vertex: Vec::new(),
            fragment: Vec::new(),
            positions: Vec::new(),
            position_inputs: Default::default(),
            layout: self.layout.clone(),
            camera: Default::default(),
        }))
    }
}

const VEC3: VariableType = VariableType::Vector(Scalar::Float, 3);
const VEC4: VariableType = VariableType::Vector(Scalar::Float, 4);
const MAT3: VariableType = VariableType::Matrix { columns: 3, rows: 3 };
const SAMPLER_2D: VariableType = VariableType::Sampler(SAMPLER);
const SAMPLER: SamplerType = SamplerType { dimension: SamplerDimension::D2, sampled: Scalar::Float, shadow: false };

fn attribute(name: &str, ty: VariableType, location: i32) -> ActiveAttribute {
    ActiveAttribute { name: name.into(), ty, size: 1, location }
}

/// A program with: attributes `position` (vec3, 0) and `offset` (vec4, 1); vertex uniforms `model` (mat3) and
/// `lights[0]` (vec3[4]); fragment uniforms `color` (vec4, both stages), `flag` (bool) and `map` (sampler2D);
/// uniform block `Camera` of 64 bytes; one float output.
fn reflection() -> (Reflection, ProgramLayout) {
    let place = |offset, array_stride, matrix_stride| Some(BlockPlace { offset, array_stride, matrix_stride });
    let uniform = |name: &str, ty, size, location, vertex, fragment| ActiveUniform {
        name: name.into(),
        ty,
        size,
        is_array: size > 1,
        location,
        vertex,
        fragment,
        texture_slot: None,
    };
    let reflection = Reflection {
        attributes: vec![attribute("position", VEC3, 0), attribute("offset", VEC4, 1)],
        uniforms: vec![
            uniform("model", MAT3, 1, 0, place(0, 0, 16), None),
            uniform("lights[0]", VEC3, 4, 1, place(48, 16, 0), None),
            uniform("color", VEC4, 1, 5, place(112, 0, 0), place(0, 0, 0)),
            uniform("flag", VariableType::Scalar(Scalar::Bool), 1, 6, None, place(16, 0, 0)),
            ActiveUniform { texture_slot: Some(0), ..uniform("map", SAMPLER_2D, 1, 7, None, None) },
        ],
        uniform_blocks: vec![ActiveUniformBlock {
            name: "Camera".into(),
            size: 64,
            in_vertex: true,
            in_fragment: false,
            uniforms: Vec::new(),
        }],
        outputs: vec![FragmentOutput {
            name: "outColor".into(),
            location: 0,
            index: 0,
            array_len: 1,
            kind: Scalar::Float,
        }],
        ..Reflection::default()
    };
    let layout = ProgramLayout {
        vertex_block: 128,
        fragment_block: 32,
        textures: vec![TextureSlot { sampler: SAMPLER, vertex: false, fragment: true }],
        uniform_blocks: vec![BlockSlot { size: 64, vertex: true, fragment: false }],
        ..ProgramLayout::default()
    };
    (reflection, layout)
}

/// A context on a recording null back end.
struct Fixture {
    gl: Context,
    record: Arc<Mutex<NullRecord>>,
}

impl Fixture {
    fn new() -> Self {
        let (reflection, layout) = reflection();
        Self::with(WebGlVersion::Two, reflection, layout)
    }

    /// WebGL 1 has no uniform blocks.
    fn webgl1() -> Self {
        let (mut reflection, mut layout) = reflection();
        reflection.uniform_blocks.clear();
        layout.uniform_blocks.clear();
        Self::with(WebGlVersion::One, reflection, layout)
    }

    /// The real shader compiler.
    fn real() -> Self {
        let mut fixture = Self::new();
        fixture.gl = fixture.gl.with_compiler(Box::new(crate::gl::compiler::EsslCompiler));
        fixture
    }

    fn with(version: WebGlVersion, reflection: Reflection, layout: ProgramLayout) -> Self {
        let (backend, record) = NullBackend::recording();
        let settings = ContextSettings { version, width: 64, height: 32, stencil: true, ..ContextSettings::default() };
        let compiler = FakeCompiler { reflection, layout };
        Self { gl: Context::new(settings, Box::new(backend)).with_compiler(Box::new(compiler)), record }
    }

    /// Asserts the error flag, which is cleared.
    #[track_caller]
    fn expect(&mut self, error: u32) {
        let log: Vec<_> = self.gl.errors_mut().take_log();
        assert_eq!(self.gl.get_error(), error, "log: {log:?}");
    }

    #[track_caller]
    fn expect_ok(&mut self) {
        self.expect(c::NO_ERROR);
    }

    /// A linked program, in use.
    fn program(&mut self) -> u32 {
        let gl = &mut self.gl;
        let program = gl.create_program();
        for ty in [c::VERTEX_SHADER, c::FRAGMENT_SHADER] {
            let shader = gl.create_shader(ty);
            gl.shader_source(shader, "void main() {}");
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        gl.use_program(program);
        program
    }

    /// A buffer with `bytes`, bound to `target`.
    fn buffer(&mut self, target: u32, bytes: &[u8]) -> u32 {
        let buffer = self.gl.create_buffer();
        self.gl.bind_buffer(target, buffer);
        self.gl.buffer_data(target, bytes, c::STATIC_DRAW);
        buffer
    }

    /// Program, four vertices of `position`, a uniform buffer: all a draw needs.
    fn ready(&mut self) -> u32 {
        let program = self.program();
        self.buffer(c::ARRAY_BUFFER, &[0; 48]);
        self.gl.enable_vertex_attrib_array(0);
        self.gl.vertex_attrib_pointer(0, 3, c::FLOAT, false, 0, 0);
        if self.gl.is_webgl2() {
            let block = self.buffer(c::UNIFORM_BUFFER, &[0; 64]);
            self.gl.bind_buffer_base(c::UNIFORM_BUFFER, 0, block);
        }
        program
    }

    /// Commands since last asked.
    fn commands(&mut self) -> Vec<Command> {
        self.gl.submit();
        let mut record = self.record.lock().expect("no panic held it");
        std::mem::take(&mut record.streams).into_iter().flat_map(|stream| stream.commands).collect()
    }

    /// The draws among the commands since last asked.
    fn draws(&mut self) -> Vec<Command> {
        let draw = |command: &Command| matches!(command, Command::Draw(_) | Command::DrawIndexed(_));
        self.commands().into_iter().filter(draw).collect()
    }
}
