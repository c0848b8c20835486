//! Program objects (WebGL 1 §5.14.9, WebGL 2 §3.7.6).

use crate::gl::caps::Extension;
use crate::gl::command::Command;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::program::{Linked, Program};
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::program as validate;
use crate::shader::hir::Stage;
use crate::shader::link::{LinkLimits, LinkOptions};

/// How large Chromium draws points with SwiftShader, its software adapter (GPUs draw some 1024 to 2048).
const CHROMIUM_POINTS: f32 = 1023.0;

/// Letters of a shader's line that a message shows.
const SOURCE_SHOWN: usize = 120;

impl Context {
    pub fn create_program(&mut self) -> u32 {
        self.objects.programs.insert(Program::default())
    }

    /// True for a program that was deleted but is still current, as in browsers.
    pub fn is_program(&self, program: u32) -> bool {
        self.objects.programs.contains(program)
    }

    pub fn delete_program(&mut self, name: u32) {
        if let Some(program) = self.objects.programs.get_mut(name) {
            program.deleted = true;
            self.collect_program(name);
        }
    }

    /// Lets a deleted program go once nothing uses it.
    pub(crate) fn collect_program(&mut self, name: u32) {
        if !self.objects.programs.get(name).is_some_and(|program| program.deleted && program.refs == 0) {
            return;
        }
        let Some(program) = self.objects.programs.remove(name) else { return };
        for shader in [program.vertex, program.fragment] {
            if let Some(object) = self.objects.shaders.get_mut(shader) {
                object.refs -= 1;
                self.collect_shader(shader);
            }
        }
        self.delete_variants(program.linked.as_deref());
    }

    fn delete_variants(&mut self, linked: Option<&Linked>) {
        for variant in linked.into_iter().flat_map(|linked| linked.variants.values()) {
            self.push(Command::DeleteProgram { id: variant.id });
        }
    }

    pub(crate) fn program(&self, name: u32) -> GlResult<&Program> {
        self.objects.programs.get(name).ok_or_else(|| GlError::invalid_value("the program has been deleted"))
    }

    /// The executable of `name`, or INVALID_OPERATION if the program did not link.
    pub(crate) fn executable(&self, name: u32) -> GlResult<&Linked> {
        self.program(name)?.executable().ok_or_else(|| GlError::invalid_operation("the program is not linked"))
    }

    pub fn attach_shader(&mut self, program: u32, shader: u32) {
        let result = validate::attach(&self.objects, program, shader);
        let stage = match result {
            Ok(stage) => stage,
            Err(error) => return self.fail("attachShader", error),
        };
        if let Some(program) = self.objects.programs.get_mut(program) {
            match stage {
                Stage::Vertex => program.vertex = shader,
                Stage::Fragment => program.fragment = shader,
            }
        }
        if let Some(shader) = self.objects.shaders.get_mut(shader) {
            shader.refs += 1;
        }
    }

    pub fn detach_shader(&mut self, program: u32, shader: u32) {
        let result = self.program(program).and_then(|program| {
            if shader != 0 && program.vertex == shader {
                Ok(Stage::Vertex)
            } else if shader != 0 && program.fragment == shader {
                Ok(Stage::Fragment)
            } else {
                Err(GlError::invalid_operation("the shader is not attached"))
            }
        });
        let stage = match result {
            Ok(stage) => stage,
            Err(error) => return self.fail("detachShader", error),
        };
        if let Some(program) = self.objects.programs.get_mut(program) {
            match stage {
                Stage::Vertex => program.vertex = 0,
                Stage::Fragment => program.fragment = 0,
            }
        }
        if let Some(object) = self.objects.shaders.get_mut(shader) {
            object.refs -= 1;
            self.collect_shader(shader);
        }
    }

    /// Names of the attached shaders, vertex first. `None` = null.
    pub fn get_attached_shaders(&mut self, program: u32) -> Option<Vec<u32>> {
        let result = self.program(program).map(|program| {
            Some([program.vertex, program.fragment].into_iter().filter(|&shader| shader != 0).collect::<Vec<_>>())
        });
        self.check("getAttachedShaders", result)
    }

    pub fn bind_attrib_location(&mut self, program: u32, index: u32, name: &str) {
        let limit = self.caps.limits.max_vertex_attributes;
        let result = self.program(program).map(drop).and_then(|()| validate::attribute_binding(limit, index, name));
        match result {
            Ok(()) => {
                if let Some(program) = self.objects.programs.get_mut(program) {
                    program.attribute_bindings.insert(name.to_owned(), index);
                }
            }
            Err(error) => self.fail("bindAttribLocation", error),
        }
    }

    pub fn transform_feedback_varyings(&mut self, program: u32, varyings: &[String], mode: u32) {
        let limit = self.caps.limits.max_transform_feedback_separate_attribs as usize;
        let result = self.program(program).map(drop).and_then(|()| match mode {
            c::INTERLEAVED_ATTRIBS => Ok(false),
            c::SEPARATE_ATTRIBS if varyings.len() > limit => {
                Err(GlError::invalid_value("more varyings than MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS"))
            }
            c::SEPARATE_ATTRIBS => Ok(true),
            _ => Err(GlError::invalid_enum("unknown transform feedback mode")),
        });
        match result {
            Ok(separate) => {
                if let Some(program) = self.objects.programs.get_mut(program) {
                    program.feedback_varyings = varyings.to_vec();
                    program.feedback_separate = separate;
                }
            }
            Err(error) => self.fail("transformFeedbackVaryings", error),
        }
    }

    fn link_limits(&self) -> LinkLimits {
        let limits = &self.caps.limits;
        LinkLimits {
            max_vertex_attribs: limits.max_vertex_attributes,
            max_vertex_uniform_vectors: limits.max_vertex_uniform_vectors,
            max_fragment_uniform_vectors: limits.max_fragment_uniform_vectors,
            max_varying_vectors: limits.max_varying_vectors,
            max_draw_buffers: limits.max_draw_buffers,
            max_vertex_texture_image_units: limits.max_vertex_texture_image_units,
            max_texture_image_units: limits.max_texture_image_units,
            max_combined_texture_image_units: limits.max_combined_texture_image_units,
            max_vertex_uniform_blocks: limits.max_vertex_uniform_blocks,
            max_fragment_uniform_blocks: limits.max_fragment_uniform_blocks,
            max_combined_uniform_blocks: limits.max_combined_uniform_blocks,
            max_uniform_block_size: u32::try_from(limits.max_uniform_block_size).unwrap_or(u32::MAX),
            max_feedback_separate_attribs: limits.max_transform_feedback_separate_attribs,
            max_feedback_separate_components: limits.max_transform_feedback_separate_components,
            max_feedback_interleaved_components: limits.max_transform_feedback_interleaved_components,
            max_point_size: limits.max_point_size,
            max_loop_rounds: self.caps.backend.max_loop_rounds,
            max_flat_rows: self.caps.backend.max_flat_rows,
            vertex_flags: self.caps.backend.vertex_writable_storage,
            watch_points: limits.max_point_size < CHROMIUM_POINTS,
        }
    }

    pub fn link_program(&mut self, name: u32) {
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        let result = self.program(name).map(drop).and_then(|()| match feedback.active {
            Some(active) if active.program == name => {
                Err(GlError::invalid_operation("the program is in use by transform feedback"))
            }
            _ => Ok(()),
        });
        if let Err(error) = result {
            return self.fail("linkProgram", error);
        }
        self.draw.next_serial += 1;
        let linked = self.try_link(name);
        let current = self.state.bindings.program == name;
        let Some(program) = self.objects.programs.get_mut(name) else { return };
        program.generation += 1;
        program.link_status = linked.is_ok();
        match linked {
            Ok(linked) => {
                program.info_log.clear();
                let old = program.linked.replace(Box::new(linked));
                self.delete_variants(old.as_deref());
                if current {
                    self.state.dirty |= program_dirty();
                }
            }
            Err(log) => program.info_log = log,
        }
    }

    fn try_link(&self, name: u32) -> Result<Linked, String> {
        let Ok(program) = self.program(name) else { return Err(String::new()) };
        let compiled = |shader: u32, missing: &str, broken: &str| match self.objects.shaders.get(shader) {
            None => Err(missing.to_owned()),
            Some(shader) => shader.compiled.clone().ok_or_else(|| broken.to_owned()),
        };
        let vertex = compiled(program.vertex, "Missing vertex shader.", "Attached vertex shader is not compiled.")?;
        let fragment =
            compiled(program.fragment, "Missing fragment shader.", "Attached fragment shader is not compiled.")?;
        let options = LinkOptions {
            webgl2: self.is_webgl2(),
            attribute_bindings: program.attribute_bindings.clone(),
            feedback_varyings: program.feedback_varyings.clone(),
            feedback_separate: program.feedback_separate,
            limits: self.link_limits(),
        };
        let code = self.compiler.link(&vertex, &fragment, &options)?;
        Ok(Linked::new(code, program.feedback_separate, self.draw.next_serial))
    }

    /// What the compiler or the linker said of a program that did not link: programs that never ask are told nothing else.
    fn why_not_linked(&self, name: u32) -> Option<String> {
        let program = self.objects.programs.get(name)?;
        let compilers =
            [(program.vertex, "vertex"), (program.fragment, "fragment")].into_iter().find_map(|(shader, stage)| {
                let shader = self.objects.shaders.get(shader).filter(|shader| shader.compiled.is_none())?;
                let fault = shader.info_log.lines().find(|line| !line.trim().is_empty())?;
                let at = fault.split(':').nth(2).and_then(|line| line.parse::<usize>().ok());
                let text = at.and_then(|at| shader.source.lines().nth(at.checked_sub(1)?)).map(str::trim);
                let text = text.map(|text| format!(" | > {}", text.chars().take(SOURCE_SHOWN).collect::<String>()));
                Some(format!("its {stage} shader does not compile: {}{}", fault.trim(), text.unwrap_or_default()))
            });
        compilers.or_else(|| program.info_log.lines().next().map(str::to_owned))
    }

    pub fn use_program(&mut self, name: u32) {
        let old = self.state.bindings.program;
        if old == name {
            return;
        }
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        if feedback.active.is_some_and(|active| !active.paused) {
            return self.fail("useProgram", GlError::invalid_operation("transform feedback is active"));
        }
        if name != 0
            && let Err(mut error) = self.executable(name).map(drop)
        {
            if let Some(why) = self.why_not_linked(name) {
                error.message = format!("{}: {why}", error.message).into();
            }
            return self.fail("useProgram", error);
        }
        if let Some(program) = self.objects.programs.get_mut(name) {
            program.refs += 1;
        }
        self.state.bindings.program = name;
        self.state.dirty |= program_dirty();
        if let Some(program) = self.objects.programs.get_mut(old) {
            program.refs -= 1;
            self.collect_program(old);
        }
    }

    pub fn validate_program(&mut self, name: u32) {
        let linked = self.program(name).map(|program| program.link_status);
        match linked {
            Ok(status) => {
                if let Some(program) = self.objects.programs.get_mut(name) {
                    program.validate_status = status;
                }
            }
            Err(error) => self.fail("validateProgram", error),
        }
    }

    pub fn get_program_info_log(&mut self, name: u32) -> Option<String> {
        let result = self.program(name).map(|program| Some(program.info_log.clone()));
        self.check("getProgramInfoLog", result)
    }

    pub fn get_program_parameter(&mut self, name: u32, parameter: u32) -> ParameterValue {
        use ParameterValue as V;
        let webgl2 = self.is_webgl2();
        let parallel = self.caps.enabled(Extension::KhrParallelShaderCompile);
        let result = self.program(name).and_then(|program| {
            let reflection = program.executable().map(|linked| linked.code.reflection());
            let count = |count: Option<usize>| Ok(V::Int(count.unwrap_or(0) as i32));
            match parameter {
                c::DELETE_STATUS => Ok(V::Bool(program.deleted)),
                c::LINK_STATUS => Ok(V::Bool(program.link_status)),
                c::VALIDATE_STATUS => Ok(V::Bool(program.validate_status)),
                c::ATTACHED_SHADERS => {
                    Ok(V::Int([program.vertex, program.fragment].iter().filter(|&&shader| shader != 0).count() as i32))
                }
                c::ACTIVE_ATTRIBUTES => count(reflection.map(|r| r.attributes.len())),
                c::ACTIVE_UNIFORMS => count(reflection.map(|r| r.uniforms.len() + r.block_uniforms.len())),
                c::ACTIVE_UNIFORM_BLOCKS if webgl2 => count(reflection.map(|r| r.uniform_blocks.len())),
                c::TRANSFORM_FEEDBACK_VARYINGS if webgl2 => count(reflection.map(|r| r.feedback_varyings.len())),
                c::TRANSFORM_FEEDBACK_BUFFER_MODE if webgl2 => {
                    Ok(V::Uint(if program.feedback_separate { c::SEPARATE_ATTRIBS } else { c::INTERLEAVED_ATTRIBS }))
                }
                c::COMPLETION_STATUS_KHR if parallel => Ok(V::Bool(true)),
                _ => Err(GlError::invalid_enum("unknown program parameter")),
            }
        });
        self.check("getProgramParameter", result)
    }
}

/// What another executable may change.
fn program_dirty() -> Dirty {
    Dirty::PROGRAM | Dirty::VERTEX_INPUT | Dirty::TEXTURES | Dirty::UNIFORM_BUFFERS | Dirty::FEEDBACK
}
