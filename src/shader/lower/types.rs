//! naga types for GLSL types.
//!
//! A type has a *value* form (variables, expressions) and a *host* form (inside uniform blocks). Both lie in
//! std140, so they are one and the same naga type unless booleans, two-row matrices or row-major matrices are
//! inside; only then must a load convert.

use std::num::NonZeroU32;

use naga::{ArraySize, Handle, ScalarKind, StructMember, Type as NagaType, TypeInner, VectorSize};
use rustc_hash::FxHashMap;

use super::{Result, StageLowering, internal};
use crate::shader::hir::{Scalar, StructId, Type};
use crate::shader::link::std140;
use crate::shader::link::types::{contains_data, fields};

pub(super) const F32: naga::Scalar = naga::Scalar { kind: ScalarKind::Float, width: 4 };
pub(super) const I32: naga::Scalar = naga::Scalar { kind: ScalarKind::Sint, width: 4 };
pub(super) const U32: naga::Scalar = naga::Scalar { kind: ScalarKind::Uint, width: 4 };
pub(super) const BOOL: naga::Scalar = naga::Scalar { kind: ScalarKind::Bool, width: naga::BOOL_WIDTH };

pub(super) fn scalar(scalar: Scalar) -> naga::Scalar {
    match scalar {
        Scalar::Float => F32,
        Scalar::Int => I32,
        Scalar::Uint => U32,
        Scalar::Bool => BOOL,
    }
}

pub(super) fn vector_size(size: u8) -> VectorSize {
    match size {
        2 => VectorSize::Bi,
        3 => VectorSize::Tri,
        _ => VectorSize::Quad,
    }
}

/// Which form of a type: `None` is the value form, `Some(row_major)` the host form.
type Form = Option<bool>;

#[derive(Default)]
pub(super) struct TypeCache {
    made: FxHashMap<(Type, Form), Handle<NagaType>>,
}

impl StageLowering<'_> {
    fn insert_type(&mut self, name: Option<String>, inner: TypeInner) -> Handle<NagaType> {
        self.module.types.insert(NagaType { name, inner }, naga::Span::UNDEFINED)
    }

    pub(super) fn scalar_type(&mut self, scalar: naga::Scalar) -> Handle<NagaType> {
        self.insert_type(None, TypeInner::Scalar(scalar))
    }

    pub(super) fn vector_type(&mut self, scalar: naga::Scalar, size: u8) -> Handle<NagaType> {
        if size == 1 {
            return self.scalar_type(scalar);
        }
        self.insert_type(None, TypeInner::Vector { size: vector_size(size), scalar })
    }

    pub(super) fn matrix_type(&mut self, columns: u8, rows: u8) -> Handle<NagaType> {
        self.insert_type(
            None,
            TypeInner::Matrix { columns: vector_size(columns), rows: vector_size(rows), scalar: F32 },
        )
    }

    pub(super) fn pointer_type(&mut self, base: Handle<NagaType>) -> Handle<NagaType> {
        self.insert_type(None, TypeInner::Pointer { base, space: naga::AddressSpace::Function })
    }

    pub(super) fn plain_array(&mut self, base: Handle<NagaType>, len: u32, stride: u32) -> Result<Handle<NagaType>> {
        let len = NonZeroU32::new(len).ok_or_else(|| internal("array of length zero"))?;
        Ok(self.insert_type(None, TypeInner::Array { base, size: ArraySize::Constant(len), stride }))
    }

    /// An array as long as the buffer that holds it.
    pub(super) fn runtime_array(&mut self, base: Handle<NagaType>, stride: u32) -> Handle<NagaType> {
        self.insert_type(None, TypeInner::Array { base, size: ArraySize::Dynamic, stride })
    }

    pub(super) fn struct_type(&mut self, name: &str, members: Vec<StructMember>, span: u32) -> Handle<NagaType> {
        self.insert_type(Some(name.to_owned()), TypeInner::Struct { members, span })
    }

    /// The form variables and expressions have.
    pub(super) fn value_type(&mut self, ty: &Type) -> Result<Handle<NagaType>> {
        self.form(ty, None)
    }

    /// The form inside uniform blocks.
    pub(super) fn host_type(&mut self, ty: &Type, row_major: bool) -> Result<Handle<NagaType>> {
        self.form(ty, Some(row_major))
    }

    fn form(&mut self, ty: &Type, form: Form) -> Result<Handle<NagaType>> {
        match *ty {
            Type::Scalar(s) => return Ok(self.scalar_type(host_scalar(s, form))),
            Type::Vector(s, size) => return Ok(self.vector_type(host_scalar(s, form), size)),
            Type::Matrix { columns, rows } => return self.matrix_form(columns, rows, form),
            _ => {}
        }
        if let Some(handle) = self.types.made.get(&(ty.clone(), form)) {
            return Ok(*handle);
        }
        let handle = match ty {
            Type::Array(element, len) => {
                let base = self.form(element, form)?;
                let stride = std140::array_stride(self.shader, ty, form.unwrap_or(false));
                self.plain_array(base, *len, stride)?
            }
            Type::Struct(id) => self.struct_form(*id, form)?,
            Type::Void | Type::Sampler(_) => return Err(internal("type without a value")),
            Type::Scalar(_) | Type::Vector(..) | Type::Matrix { .. } => return Err(internal("handled above")),
        };
        self.types.made.insert((ty.clone(), form), handle);
        Ok(handle)
    }

    /// Two-component vectors in a matrix would be 8 bytes apart in naga: an array of stride 16 stands for them.
    fn matrix_form(&mut self, columns: u8, rows: u8, form: Form) -> Result<Handle<NagaType>> {
        let Some(row_major) = form else { return Ok(self.matrix_type(columns, rows)) };
        let (count, size) = if row_major { (rows, columns) } else { (columns, rows) };
        if size == 2 {
            let vector = self.vector_type(F32, 2);
            self.plain_array(vector, u32::from(count), 16)
        } else {
            Ok(self.matrix_type(count, size))
        }
    }

    fn struct_form(&mut self, id: StructId, form: Form) -> Result<Handle<NagaType>> {
        let shader = self.shader;
        let members = fields(shader, id);
        let row_major = form.unwrap_or(false);
        let (offsets, span) = std140::struct_layout(shader, members, row_major);
        let mut out = Vec::new();
        for (field, offset) in members.iter().zip(offsets) {
            if !contains_data(shader, &field.ty) {
                continue;
            }
            let ty = self.form(&field.ty, form.map(|outer| outer || field.row_major))?;
            out.push(StructMember { name: Some(field.name.clone()), ty, binding: None, offset });
        }
        let name = shader.structs.get(id.0 as usize).map_or("", |s| s.name.as_str());
        Ok(self.struct_type(name, out, span))
    }

    /// Position of a field among the members that hold data.
    pub(super) fn member_index(&self, id: StructId, field: u32) -> u32 {
        fields(self.shader, id).iter().take(field as usize).filter(|f| contains_data(self.shader, &f.ty)).count() as u32
    }

    /// Whether the host form is not the value form.
    pub(super) fn host_differs(&self, ty: &Type, row_major: bool) -> bool {
        match ty {
            Type::Scalar(s) | Type::Vector(s, _) => *s == Scalar::Bool,
            Type::Matrix { rows, .. } => row_major || *rows == 2,
            Type::Array(element, _) => self.host_differs(element, row_major),
            Type::Struct(id) => {
                fields(self.shader, *id).iter().any(|f| self.host_differs(&f.ty, row_major || f.row_major))
            }
            Type::Void | Type::Sampler(_) => false,
        }
    }
}

fn host_scalar(s: Scalar, form: Form) -> naga::Scalar {
    match (s, form) {
        (Scalar::Bool, Some(_)) => U32,
        (s, _) => scalar(s),
    }
}
