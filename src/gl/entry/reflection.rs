//! Getters over a linked program's tables: attributes, uniforms, blocks, outputs, varyings.

use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::validate::program as validate;
use crate::shader::hir::{SamplerDimension, Scalar};
use crate::shader::{Reflection, VariableType};

/// `WebGLActiveInfo`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActiveInfo {
    pub name: String,
    pub size: i32,
    /// GL type.
    pub ty: u32,
}

/// GL's number for the type of an active variable.
pub fn variable_type_to_gl(ty: VariableType) -> u32 {
    let vector = |first: u32, n: u8| first + u32::from(n) - 2;
    match ty {
        VariableType::Scalar(Scalar::Float) => c::FLOAT,
        VariableType::Scalar(Scalar::Int) => c::INT,
        VariableType::Scalar(Scalar::Uint) => c::UNSIGNED_INT,
        VariableType::Scalar(Scalar::Bool) => c::BOOL,
        VariableType::Vector(Scalar::Float, n) => vector(c::FLOAT_VEC2, n),
        VariableType::Vector(Scalar::Int, n) => vector(c::INT_VEC2, n),
        VariableType::Vector(Scalar::Uint, n) => vector(c::UNSIGNED_INT_VEC2, n),
        VariableType::Vector(Scalar::Bool, n) => vector(c::BOOL_VEC2, n),
        VariableType::Matrix { columns, rows } => match (columns, rows) {
            (2, 2) => c::FLOAT_MAT2,
            (3, 3) => c::FLOAT_MAT3,
            (2, 3) => c::FLOAT_MAT2x3,
            (2, 4) => c::FLOAT_MAT2x4,
            (3, 2) => c::FLOAT_MAT3x2,
            (3, 4) => c::FLOAT_MAT3x4,
            (4, 2) => c::FLOAT_MAT4x2,
            (4, 3) => c::FLOAT_MAT4x3,
            _ => c::FLOAT_MAT4,
        },
        VariableType::Sampler(sampler) => {
            use SamplerDimension as D;
            match (sampler.sampled, sampler.shadow, sampler.dimension) {
                (Scalar::Int, _, D::D2) => c::INT_SAMPLER_2D,
                (Scalar::Int, _, D::D3) => c::INT_SAMPLER_3D,
                (Scalar::Int, _, D::Cube) => c::INT_SAMPLER_CUBE,
                (Scalar::Int, _, D::D2Array) => c::INT_SAMPLER_2D_ARRAY,
                (Scalar::Uint, _, D::D2) => c::UNSIGNED_INT_SAMPLER_2D,
                (Scalar::Uint, _, D::D3) => c::UNSIGNED_INT_SAMPLER_3D,
                (Scalar::Uint, _, D::Cube) => c::UNSIGNED_INT_SAMPLER_CUBE,
                (Scalar::Uint, _, D::D2Array) => c::UNSIGNED_INT_SAMPLER_2D_ARRAY,
                (_, true, D::Cube) => c::SAMPLER_CUBE_SHADOW,
                (_, true, D::D2Array) => c::SAMPLER_2D_ARRAY_SHADOW,
                (_, true, _) => c::SAMPLER_2D_SHADOW,
                (_, false, D::D2) => c::SAMPLER_2D,
                (_, false, D::D3) => c::SAMPLER_3D,
                (_, false, D::Cube) => c::SAMPLER_CUBE,
                (_, false, D::D2Array) => c::SAMPLER_2D_ARRAY,
            }
        }
    }
}

/// One row of what `getActiveUniforms` asks about.
struct UniformRow {
    info: ActiveInfo,
    block: i32,
    offset: i32,
    array_stride: i32,
    matrix_stride: i32,
    row_major: bool,
}

/// Active uniform `index` in GL's numbering: default block first, then block members.
fn uniform_row(reflection: &Reflection, index: u32) -> Option<UniformRow> {
    let index = index as usize;
    if let Some(uniform) = reflection.uniforms.get(index) {
        let info =
            ActiveInfo { name: uniform.name.clone(), size: uniform.size as i32, ty: variable_type_to_gl(uniform.ty) };
        return Some(UniformRow { info, block: -1, offset: -1, array_stride: -1, matrix_stride: -1, row_major: false });
    }
    let uniform = reflection.block_uniforms.get(index - reflection.uniforms.len())?;
    Some(UniformRow {
        info: ActiveInfo { name: uniform.name.clone(), size: uniform.size as i32, ty: variable_type_to_gl(uniform.ty) },
        block: uniform.block_index as i32,
        offset: uniform.place.offset as i32,
        array_stride: uniform.place.array_stride as i32,
        matrix_stride: uniform.place.matrix_stride as i32,
        row_major: uniform.row_major,
    })
}

/// `name` or `name[i]` → base name and element (`name` alone means element 0).
fn split_element(name: &str) -> Option<(&str, u32)> {
    let Some(inner) = name.strip_suffix(']') else { return Some((name, 0)) };
    let (base, digits) = inner.rsplit_once('[')?;
    // GL takes no signs, spaces or leading zeroes here.
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || (digits.len() > 1 && digits.starts_with('0'))
    {
        return None;
    }
    Some((base, digits.parse().ok()?))
}

impl Context {
    pub fn get_active_attrib(&mut self, program: u32, index: u32) -> Option<ActiveInfo> {
        let result = self.program(program).and_then(|program| {
            let attribute = program
                .executable()
                .and_then(|linked| linked.code.reflection().attributes.get(index as usize))
                .ok_or_else(|| GlError::invalid_value("index is not below ACTIVE_ATTRIBUTES"))?;
            Ok(Some(ActiveInfo {
                name: attribute.name.clone(),
                size: attribute.size as i32,
                ty: variable_type_to_gl(attribute.ty),
            }))
        });
        self.check("getActiveAttrib", result)
    }

    pub fn get_active_uniform(&mut self, program: u32, index: u32) -> Option<ActiveInfo> {
        let result = self.program(program).and_then(|program| {
            let row = program.executable().and_then(|linked| uniform_row(linked.code.reflection(), index));
            row.map(|row| Some(row.info)).ok_or_else(|| GlError::invalid_value("index is not below ACTIVE_UNIFORMS"))
        });
        self.check("getActiveUniform", result)
    }

    pub fn get_attrib_location(&mut self, program: u32, name: &str) -> i32 {
        let result = self.executable(program).and_then(|linked| {
            validate::name(name)?;
            if validate::is_reserved(name) {
                return Ok(-1);
            }
            let attributes = &linked.code.reflection().attributes;
            Ok(attributes.iter().find(|attribute| attribute.name == name).map_or(-1, |attribute| attribute.location))
        });
        result.unwrap_or_else(|error| {
            self.fail("getAttribLocation", error);
            -1
        })
    }

    pub fn get_frag_data_location(&mut self, program: u32, name: &str) -> i32 {
        let result = self.executable(program).and_then(|linked| {
            validate::name(name)?;
            let (base, element) = split_element(name).unwrap_or((name, 0));
            let output = linked
                .code
                .reflection()
                .outputs
                .iter()
                .find(|output| output.name.strip_suffix("[0]").unwrap_or(&output.name) == base);
            Ok(output
                .filter(|output| element < output.array_len.max(1))
                .map_or(-1, |output| (output.location + element) as i32))
        });
        result.unwrap_or_else(|error| {
            self.fail("getFragDataLocation", error);
            -1
        })
    }

    /// Location for the `uniform*` calls, −1 = null.
    pub fn get_uniform_location(&mut self, program: u32, name: &str) -> i32 {
        let result = self.executable(program).and_then(|linked| {
            validate::name(name)?;
            Ok(find_location(linked.code.reflection(), name))
        });
        match result {
            Ok(Some(location)) => {
                self.objects.programs.get(program).map_or(-1, |program| program.public_location(location))
            }
            Ok(None) => -1,
            Err(error) => {
                self.fail("getUniformLocation", error);
                -1
            }
        }
    }

    /// INVALID_INDEX for unknown names. `None` = null.
    pub fn get_uniform_indices(&mut self, program: u32, names: &[String]) -> Option<Vec<u32>> {
        let result = self.executable(program).map(|linked| {
            let reflection = linked.code.reflection();
            let all = reflection
                .uniforms
                .iter()
                .map(|uniform| &uniform.name)
                .chain(reflection.block_uniforms.iter().map(|uniform| &uniform.name));
            let all: Vec<&String> = all.collect();
            let index = |name: &String| {
                all.iter()
                    .position(|known| *known == name || known.strip_suffix("[0]") == Some(name.as_str()))
                    .map_or(c::INVALID_INDEX, |index| index as u32)
            };
            Some(names.iter().map(index).collect())
        });
        self.check("getUniformIndices", result)
    }

    /// One value per index. `Null` on error.
    pub fn get_active_uniforms(&mut self, program: u32, indices: &[u32], parameter: u32) -> ParameterValue {
        use ParameterValue as V;
        let result = self.active_uniform_rows(program, indices).and_then(|rows| {
            let ints = |of: fn(&UniformRow) -> i32| Ok(V::IntList(rows.iter().map(of).collect()));
            match parameter {
                c::UNIFORM_TYPE => Ok(V::UintList(rows.iter().map(|row| row.info.ty).collect())),
                c::UNIFORM_SIZE => Ok(V::UintList(rows.iter().map(|row| row.info.size as u32).collect())),
                c::UNIFORM_BLOCK_INDEX => ints(|row| row.block),
                c::UNIFORM_OFFSET => ints(|row| row.offset),
                c::UNIFORM_ARRAY_STRIDE => ints(|row| row.array_stride),
                c::UNIFORM_MATRIX_STRIDE => ints(|row| row.matrix_stride),
                c::UNIFORM_IS_ROW_MAJOR => Ok(V::BoolArray(rows.iter().map(|row| row.row_major).collect())),
                _ => Err(GlError::invalid_enum("unknown uniform parameter")),
            }
        });
        self.check("getActiveUniforms", result)
    }

    fn active_uniform_rows(&self, program: u32, indices: &[u32]) -> GlResult<Vec<UniformRow>> {
        let program = self.program(program)?;
        let reflection = program.executable().map(|linked| linked.code.reflection());
        indices
            .iter()
            .map(|&index| {
                reflection
                    .and_then(|reflection| uniform_row(reflection, index))
                    .ok_or_else(|| GlError::invalid_value("index is not below ACTIVE_UNIFORMS"))
            })
            .collect()
    }

    pub fn get_uniform_block_index(&mut self, program: u32, name: &str) -> u32 {
        let result = self.executable(program).map(|linked| {
            let blocks = &linked.code.reflection().uniform_blocks;
            let found =
                blocks.iter().position(|block| block.name == name || block.name.strip_suffix("[0]") == Some(name));
            found.map_or(c::INVALID_INDEX, |index| index as u32)
        });
        result.unwrap_or_else(|error| {
            self.fail("getUniformBlockIndex", error);
            c::INVALID_INDEX
        })
    }

    pub fn get_active_uniform_block_name(&mut self, program: u32, index: u32) -> Option<String> {
        let result = self.executable(program).and_then(|linked| {
            let block = linked.code.reflection().uniform_blocks.get(index as usize);
            block.map(|block| Some(block.name.clone())).ok_or_else(block_error)
        });
        self.check("getActiveUniformBlockName", result)
    }

    pub fn get_active_uniform_block_parameter(&mut self, program: u32, index: u32, parameter: u32) -> ParameterValue {
        use ParameterValue as V;
        let result = self.executable(program).and_then(|linked| {
            let reflection = linked.code.reflection();
            let block = reflection.uniform_blocks.get(index as usize).ok_or_else(block_error)?;
            let binding = linked.block_bindings.get(index as usize).copied().unwrap_or(0);
            Ok(match parameter {
                c::UNIFORM_BLOCK_BINDING => V::Uint(binding),
                c::UNIFORM_BLOCK_DATA_SIZE => V::Uint(block.size),
                c::UNIFORM_BLOCK_ACTIVE_UNIFORMS => V::Uint(block.uniforms.len() as u32),
                c::UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES => V::UintArray(block.uniforms.clone()),
                c::UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER => V::Bool(block.in_vertex),
                c::UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER => V::Bool(block.in_fragment),
                _ => return Err(GlError::invalid_enum("unknown uniform block parameter")),
            })
        });
        self.check("getActiveUniformBlockParameter", result)
    }

    pub fn uniform_block_binding(&mut self, program: u32, index: u32, binding: u32) {
        let limit = self.caps.limits.max_uniform_buffer_bindings;
        let result = self.executable(program).and_then(|linked| {
            if index as usize >= linked.block_bindings.len() {
                return Err(block_error());
            }
            if binding >= limit {
                return Err(GlError::invalid_value("binding is not below MAX_UNIFORM_BUFFER_BINDINGS"));
            }
            Ok(())
        });
        if let Err(error) = result {
            return self.fail("uniformBlockBinding", error);
        }
        let linked = self.objects.programs.get_mut(program).and_then(|program| program.linked.as_mut());
        if let Some(slot) = linked.and_then(|linked| linked.block_bindings.get_mut(index as usize)) {
            *slot = binding;
            self.state.dirty |= crate::gl::state::dirty::Dirty::UNIFORM_BUFFERS;
        }
    }

    pub fn get_transform_feedback_varying(&mut self, program: u32, index: u32) -> Option<ActiveInfo> {
        let result = self.executable(program).and_then(|linked| {
            let varying = linked.code.reflection().feedback_varyings.get(index as usize);
            let varying =
                varying.ok_or_else(|| GlError::invalid_value("index is not below TRANSFORM_FEEDBACK_VARYINGS"))?;
            Ok(Some(ActiveInfo {
                name: varying.name.clone(),
                size: varying.size as i32,
                ty: variable_type_to_gl(varying.ty),
            }))
        });
        self.check("getTransformFeedbackVarying", result)
    }
}

fn block_error() -> GlError {
    GlError::invalid_value("index is not below ACTIVE_UNIFORM_BLOCKS")
}

/// Internal location of a default-block uniform by the names GL takes: `a`, `a[0]`, `a[3]`.
fn find_location(reflection: &Reflection, name: &str) -> Option<u32> {
    if validate::is_reserved(name) {
        return None;
    }
    if let Some(uniform) = reflection.uniforms.iter().find(|uniform| uniform.name == name) {
        return Some(uniform.location);
    }
    let (base, element) = split_element(name)?;
    let uniform = reflection
        .uniforms
        .iter()
        .find(|uniform| uniform.is_array && uniform.name.strip_suffix("[0]").unwrap_or(&uniform.name) == base)?;
    (element < uniform.size).then(|| uniform.location + element)
}
