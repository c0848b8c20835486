//! The `uniform*` calls and `getUniform` (WebGL 1 §5.14.10, WebGL 2 §3.7.6).
//!
//! Values go into the CPU copy of each stage's default block; a draw sends a block when its version has moved.

use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::program::{Linked, LocationSlot, SlotPlace};
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::uniform as validate;
use crate::gl::validate::uniform::{Target, ValueKind};
use crate::shader::VariableType;
use crate::shader::hir::Scalar;

macro_rules! vector_calls {
    ($($name:ident, $name_v:ident, $call:literal, $call_v:literal, $ty:ty, $kind:ident, ($($arg:ident),+);)*) => {
        impl Context {$(
            #[inline]
            pub fn $name(&mut self, program: u32, location: i32, $($arg: $ty),+) {
                let values = [$($arg),+];
                self.set_uniform($call, program, location, ValueKind::$kind, values.len(), bytemuck::cast_slice(&values));
            }

            #[inline]
            pub fn $name_v(&mut self, program: u32, location: i32, values: &[$ty]) {
                let components = [$(stringify!($arg)),+].len();
                self.set_uniform($call_v, program, location, ValueKind::$kind, components, bytemuck::cast_slice(values));
            }
        )*}
    };
}

vector_calls! {
    uniform_1f, uniform_1fv, "uniform1f", "uniform1fv", f32, Float, (x);
    uniform_2f, uniform_2fv, "uniform2f", "uniform2fv", f32, Float, (x, y);
    uniform_3f, uniform_3fv, "uniform3f", "uniform3fv", f32, Float, (x, y, z);
    uniform_4f, uniform_4fv, "uniform4f", "uniform4fv", f32, Float, (x, y, z, w);
    uniform_1i, uniform_1iv, "uniform1i", "uniform1iv", i32, Int, (x);
    uniform_2i, uniform_2iv, "uniform2i", "uniform2iv", i32, Int, (x, y);
    uniform_3i, uniform_3iv, "uniform3i", "uniform3iv", i32, Int, (x, y, z);
    uniform_4i, uniform_4iv, "uniform4i", "uniform4iv", i32, Int, (x, y, z, w);
    uniform_1ui, uniform_1uiv, "uniform1ui", "uniform1uiv", u32, Uint, (x);
    uniform_2ui, uniform_2uiv, "uniform2ui", "uniform2uiv", u32, Uint, (x, y);
    uniform_3ui, uniform_3uiv, "uniform3ui", "uniform3uiv", u32, Uint, (x, y, z);
    uniform_4ui, uniform_4uiv, "uniform4ui", "uniform4uiv", u32, Uint, (x, y, z, w);
}

macro_rules! matrix_calls {
    ($($name:ident, $call:literal, $columns:literal, $rows:literal;)*) => {
        impl Context {$(
            #[inline]
            pub fn $name(&mut self, program: u32, location: i32, transpose: bool, values: &[f32]) {
                self.set_matrix($call, program, location, ($columns, $rows), transpose, values);
            }
        )*}
    };
}

matrix_calls! {
    uniform_matrix_2fv, "uniformMatrix2fv", 2, 2;
    uniform_matrix_3fv, "uniformMatrix3fv", 3, 3;
    uniform_matrix_4fv, "uniformMatrix4fv", 4, 4;
    uniform_matrix_2x3fv, "uniformMatrix2x3fv", 2, 3;
    uniform_matrix_3x2fv, "uniformMatrix3x2fv", 3, 2;
    uniform_matrix_2x4fv, "uniformMatrix2x4fv", 2, 4;
    uniform_matrix_4x2fv, "uniformMatrix4x2fv", 4, 2;
    uniform_matrix_3x4fv, "uniformMatrix3x4fv", 3, 4;
    uniform_matrix_4x3fv, "uniformMatrix4x3fv", 4, 3;
}

/// Writes `element` at `at`; true if that changed anything.
#[inline]
fn write_words(words: &mut [u32], at: u32, element: &[u32]) -> bool {
    match words.get_mut(at as usize..at as usize + element.len()) {
        Some(to) if *to != *element => {
            to.copy_from_slice(element);
            true
        }
        _ => false,
    }
}

impl Context {
    /// The executable and the internal location a `uniform*` call means; `None` = do nothing (null location).
    #[inline]
    fn uniform_target(&mut self, program: u32, location: i32) -> GlResult<Option<(&mut Linked, LocationSlot)>> {
        if location < 0 {
            return Ok(None);
        }
        if program == 0 || program != self.state.bindings.program {
            return Err(GlError::invalid_operation("the location is not from the current program"));
        }
        let slot = self.objects.programs.get_mut(program).and_then(|program| {
            let index = program.internal_location(location)?;
            let linked = program.linked.as_deref_mut()?;
            let slot = (*linked.slots.get(index)?)?;
            Some((linked, slot))
        });
        match slot {
            Some(slot) => Ok(Some(slot)),
            None => Err(GlError::invalid_operation("the location is not from the last link of the program")),
        }
    }

    #[inline]
    fn set_uniform(
        &mut self,
        call: &'static str,
        program: u32,
        location: i32,
        kind: ValueKind,
        components: usize,
        words: &[u32],
    ) {
        let units = self.caps.limits.max_combined_texture_image_units;
        let result = self.uniform_target(program, location).and_then(|target| {
            let Some((linked, slot)) = target else { return Ok(false) };
            let target = validate::vector(&slot, kind, components, words.len())?;
            Ok(match target {
                Target::Sampler => return write_units(linked, &slot, words, units),
                Target::Plain => {
                    write_vectors(linked, &slot, components, words);
                    false
                }
                Target::Bool => {
                    let truth =
                        |&word: &u32| u32::from(if kind == ValueKind::Float { word << 1 != 0 } else { word != 0 });
                    let bools: Vec<u32> = words.iter().map(truth).collect();
                    write_vectors(linked, &slot, components, &bools);
                    false
                }
            })
        });
        match result {
            Ok(false) => {}
            Ok(true) => self.state.dirty |= Dirty::TEXTURES,
            Err(error) => self.fail(call, error),
        }
    }

    fn set_matrix(
        &mut self,
        call: &'static str,
        program: u32,
        location: i32,
        (columns, rows): (u8, u8),
        transpose: bool,
        values: &[f32],
    ) {
        let webgl2 = self.is_webgl2();
        let result = self.uniform_target(program, location).and_then(|target| {
            let Some((linked, slot)) = target else { return Ok(()) };
            validate::matrix(&slot, columns, rows, transpose, webgl2, values.len())?;
            write_matrices(linked, &slot, (columns, rows), transpose, values);
            Ok(())
        });
        if let Err(error) = result {
            self.fail(call, error);
        }
    }

    /// `getUniform`: the value of one element.
    pub fn get_uniform(&mut self, program: u32, location_program: u32, location: i32) -> ParameterValue {
        let result = self.executable(program).and_then(|linked| {
            let object = self.program(program)?;
            let slot = (location >= 0 && location_program == program)
                .then(|| object.internal_location(location))
                .flatten()
                .and_then(|index| (*linked.slots.get(index)?).as_ref());
            slot.map(|slot| read_value(linked, slot))
                .ok_or_else(|| GlError::invalid_operation("the location is not from this program"))
        });
        self.check("getUniform", result)
    }
}

fn write_units(linked: &mut Linked, slot: &LocationSlot, words: &[u32], limit: u32) -> GlResult<bool> {
    // A negative unit is a large one.
    if words.iter().any(|&unit| unit >= limit) {
        return Err(GlError::invalid_value("the texture unit is not below MAX_COMBINED_TEXTURE_IMAGE_UNITS"));
    }
    let mut changed = false;
    if let Some(first) = slot.texture_slot {
        let count = words.len().min(slot.remaining as usize);
        for (place, &unit) in linked.sampler_units.iter_mut().skip(first as usize).take(count).zip(words) {
            changed |= std::mem::replace(place, unit) != unit;
        }
    }
    Ok(changed)
}

#[inline]
fn write_vectors(linked: &mut Linked, slot: &LocationSlot, components: usize, words: &[u32]) {
    for (block, place) in linked.blocks.iter_mut().zip(slot.places) {
        let Some(place) = place else { continue };
        let mut at = place.offset;
        let mut changed = false;
        for element in words.chunks_exact(components).take(slot.remaining as usize) {
            changed |= write_words(&mut block.words, at, element);
            at += place.array_stride;
        }
        block.version += u64::from(changed);
    }
}

fn write_matrices(linked: &mut Linked, slot: &LocationSlot, size: (u8, u8), transpose: bool, values: &[f32]) {
    let (columns, rows) = (usize::from(size.0), usize::from(size.1));
    let values: &[u32] = bytemuck::cast_slice(values);
    for (block, place) in linked.blocks.iter_mut().zip(slot.places) {
        let Some(place) = place else { continue };
        let mut at = place.offset;
        let mut changed = false;
        for matrix in values.chunks_exact(columns * rows).take(slot.remaining as usize) {
            for column in 0..columns {
                let to = at + column as u32 * place.matrix_stride;
                if transpose {
                    let mut values = [0; 4];
                    for (row, value) in values.iter_mut().enumerate().take(rows) {
                        *value = matrix.get(row * columns + column).copied().unwrap_or(0);
                    }
                    changed |= write_words(&mut block.words, to, values.get(..rows).unwrap_or_default());
                } else if let Some(values) = matrix.get(column * rows..(column + 1) * rows) {
                    changed |= write_words(&mut block.words, to, values);
                }
            }
            at += place.array_stride;
        }
        block.version += u64::from(changed);
    }
}

fn read_value(linked: &Linked, slot: &LocationSlot) -> ParameterValue {
    use ParameterValue as V;
    if let Some(texture) = slot.texture_slot {
        return V::Int(linked.sampler_units.get(texture as usize).copied().unwrap_or(0) as i32);
    }
    let place = slot.places.iter().enumerate().find_map(|(stage, place)| Some((stage, (*place)?)));
    let Some((stage, place)) = place else { return V::Null };
    let words = linked.blocks.get(stage).map_or(&[][..], |block| &block.words);
    let read = |at: u32, n: u8| words.get(at as usize..at as usize + usize::from(n)).unwrap_or_default().to_vec();
    let float = f32::from_bits;
    match slot.ty {
        VariableType::Matrix { columns, rows } => {
            V::FloatArray((0..columns).flat_map(|column| read(column_at(place, column), rows)).map(float).collect())
        }
        VariableType::Scalar(kind) => {
            let word = words.get(place.offset as usize).copied().unwrap_or(0);
            match kind {
                Scalar::Float => V::Float(float(word)),
                Scalar::Int => V::Int(word as i32),
                Scalar::Uint => V::Uint(word),
                Scalar::Bool => V::Bool(word != 0),
            }
        }
        VariableType::Vector(kind, n) => {
            let words = read(place.offset, n);
            match kind {
                Scalar::Float => V::FloatArray(words.into_iter().map(float).collect()),
                Scalar::Int => V::IntArray(words.into_iter().map(|word| word as i32).collect()),
                Scalar::Uint => V::UintArray(words),
                Scalar::Bool => V::BoolArray(words.into_iter().map(|word| word != 0).collect()),
            }
        }
        VariableType::Sampler(_) => V::Null,
    }
}

fn column_at(place: SlotPlace, column: u8) -> u32 {
    place.offset + u32::from(column) * place.matrix_stride
}
