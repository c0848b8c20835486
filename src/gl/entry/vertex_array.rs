//! Vertex array objects and vertex attributes (WebGL 2 §3.7.8, §3.7.18; OES_vertex_array_object).

use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::{ObjectKind, ParameterValue};
use crate::gl::error::GlError;
use crate::gl::objects::vertex_array::{GenericAttribute, VertexArray, VertexAttribute};
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::vertex_array as validate;

impl Context {
    pub fn create_vertex_array(&mut self) -> u32 {
        self.objects.vertex_arrays.insert(VertexArray::default())
    }

    pub fn is_vertex_array(&self, name: u32) -> bool {
        self.objects.vertex_arrays.get(name).is_some_and(|vertex_array| vertex_array.created)
    }

    pub fn delete_vertex_array(&mut self, name: u32) {
        if self.state.bindings.vertex_array == name {
            self.state.bindings.vertex_array = 0;
            self.state.dirty |= Dirty::VERTEX_INPUT;
        }
        if let Some(vertex_array) = self.objects.vertex_arrays.remove(name) {
            self.drop_buffer_refs(vertex_array.element_buffer, 1);
            for attribute in vertex_array.attributes.iter().filter(|attribute| attribute.buffer != 0) {
                self.drop_buffer_refs(attribute.buffer, 1);
            }
        }
    }

    pub fn bind_vertex_array(&mut self, name: u32) {
        if name != 0 {
            match self.objects.vertex_arrays.get_mut(name) {
                Some(vertex_array) => vertex_array.created = true,
                None => {
                    return self
                        .fail("bindVertexArray", GlError::invalid_operation("the vertex array has been deleted"));
                }
            }
        }
        if self.state.bindings.vertex_array != name {
            self.state.bindings.vertex_array = name;
            self.state.dirty |= Dirty::VERTEX_INPUT;
        }
    }

    /// The attribute of the bound vertex array, by checked index.
    fn attribute_mut(&mut self, index: u32) -> Option<&mut VertexAttribute> {
        self.objects.vertex_array_mut(self.state.bindings.vertex_array).attributes.get_mut(index as usize)
    }

    fn set_array_enabled(&mut self, call: &'static str, index: u32, enabled: bool) {
        let Some(attribute) = self.attribute_mut(index) else {
            return self.fail(call, validate::index_error());
        };
        if attribute.enabled != enabled {
            attribute.enabled = enabled;
            self.state.dirty |= Dirty::VERTEX_INPUT;
        }
    }

    pub fn enable_vertex_attrib_array(&mut self, index: u32) {
        self.set_array_enabled("enableVertexAttribArray", index, true);
    }

    pub fn disable_vertex_attrib_array(&mut self, index: u32) {
        self.set_array_enabled("disableVertexAttribArray", index, false);
    }

    pub fn vertex_attrib_pointer(
        &mut self,
        index: u32,
        size: i32,
        ty: u32,
        normalized: bool,
        stride: i32,
        offset: i64,
    ) {
        let webgl2 = self.is_webgl2();
        let buffer = self.state.bindings.buffers.array;
        match validate::pointer(webgl2, index, size, ty, normalized, stride, offset, buffer) {
            Ok(pointer) => self.set_pointer(index, pointer),
            Err(error) => self.fail("vertexAttribPointer", error),
        }
    }

    pub fn vertex_attrib_i_pointer(&mut self, index: u32, size: i32, ty: u32, stride: i32, offset: i64) {
        let buffer = self.state.bindings.buffers.array;
        match validate::integer_pointer(index, size, ty, stride, offset, buffer) {
            Ok(pointer) => self.set_pointer(index, pointer),
            Err(error) => self.fail("vertexAttribIPointer", error),
        }
    }

    fn set_pointer(&mut self, index: u32, pointer: VertexAttribute) {
        let Some(attribute) = self.attribute_mut(index) else { return };
        let new = VertexAttribute { enabled: attribute.enabled, divisor: attribute.divisor, ..pointer };
        if *attribute == new {
            return;
        }
        let old = std::mem::replace(attribute, new).buffer;
        self.state.dirty |= Dirty::VERTEX_INPUT;
        self.swap_buffer_ref(old, pointer.buffer);
    }

    pub fn vertex_attrib_divisor(&mut self, index: u32, divisor: u32) {
        let Some(attribute) = self.attribute_mut(index) else {
            return self.fail("vertexAttribDivisor", validate::index_error());
        };
        if attribute.divisor != divisor {
            attribute.divisor = divisor;
            self.state.dirty |= Dirty::VERTEX_INPUT;
        }
    }

    fn set_generic(&mut self, call: &'static str, index: u32, value: GenericAttribute) {
        let Some(slot) = self.state.generic_attributes.get_mut(index as usize) else {
            return self.fail(call, validate::index_error());
        };
        if *slot != value {
            *slot = value;
            self.state.dirty |= Dirty::VERTEX_INPUT;
        }
    }

    pub fn vertex_attrib_1f(&mut self, index: u32, x: f32) {
        self.set_generic("vertexAttrib1f", index, GenericAttribute::Float([x, 0.0, 0.0, 1.0]));
    }

    pub fn vertex_attrib_2f(&mut self, index: u32, x: f32, y: f32) {
        self.set_generic("vertexAttrib2f", index, GenericAttribute::Float([x, y, 0.0, 1.0]));
    }

    pub fn vertex_attrib_3f(&mut self, index: u32, x: f32, y: f32, z: f32) {
        self.set_generic("vertexAttrib3f", index, GenericAttribute::Float([x, y, z, 1.0]));
    }

    pub fn vertex_attrib_4f(&mut self, index: u32, x: f32, y: f32, z: f32, w: f32) {
        self.set_generic("vertexAttrib4f", index, GenericAttribute::Float([x, y, z, w]));
    }

    fn set_generic_slice<const N: usize>(&mut self, call: &'static str, index: u32, values: &[f32]) {
        let Some(values) = values.first_chunk::<N>() else {
            return self.fail(call, GlError::invalid_value("the array is too short"));
        };
        let mut full = [0.0, 0.0, 0.0, 1.0];
        full[..N].copy_from_slice(values);
        self.set_generic(call, index, GenericAttribute::Float(full));
    }

    pub fn vertex_attrib_1fv(&mut self, index: u32, values: &[f32]) {
        self.set_generic_slice::<1>("vertexAttrib1fv", index, values);
    }

    pub fn vertex_attrib_2fv(&mut self, index: u32, values: &[f32]) {
        self.set_generic_slice::<2>("vertexAttrib2fv", index, values);
    }

    pub fn vertex_attrib_3fv(&mut self, index: u32, values: &[f32]) {
        self.set_generic_slice::<3>("vertexAttrib3fv", index, values);
    }

    pub fn vertex_attrib_4fv(&mut self, index: u32, values: &[f32]) {
        self.set_generic_slice::<4>("vertexAttrib4fv", index, values);
    }

    pub fn vertex_attrib_i4i(&mut self, index: u32, x: i32, y: i32, z: i32, w: i32) {
        self.set_generic("vertexAttribI4i", index, GenericAttribute::Int([x, y, z, w]));
    }

    pub fn vertex_attrib_i4ui(&mut self, index: u32, x: u32, y: u32, z: u32, w: u32) {
        self.set_generic("vertexAttribI4ui", index, GenericAttribute::Uint([x, y, z, w]));
    }

    pub fn vertex_attrib_i4iv(&mut self, index: u32, values: &[i32]) {
        match values.first_chunk::<4>() {
            Some(values) => self.set_generic("vertexAttribI4iv", index, GenericAttribute::Int(*values)),
            None => self.fail("vertexAttribI4iv", GlError::invalid_value("the array is too short")),
        }
    }

    pub fn vertex_attrib_i4uiv(&mut self, index: u32, values: &[u32]) {
        match values.first_chunk::<4>() {
            Some(values) => self.set_generic("vertexAttribI4uiv", index, GenericAttribute::Uint(*values)),
            None => self.fail("vertexAttribI4uiv", GlError::invalid_value("the array is too short")),
        }
    }

    pub fn get_vertex_attrib(&mut self, index: u32, name: u32) -> ParameterValue {
        use ParameterValue as V;
        let vertex_array = self.objects.vertex_array(self.state.bindings.vertex_array);
        let (Some(attribute), Some(generic)) =
            (vertex_array.attributes.get(index as usize), self.state.generic_attributes.get(index as usize))
        else {
            self.fail("getVertexAttrib", validate::index_error());
            return V::Null;
        };
        match name {
            c::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING => V::Object(ObjectKind::Buffer, attribute.buffer),
            c::VERTEX_ATTRIB_ARRAY_ENABLED => V::Bool(attribute.enabled),
            c::VERTEX_ATTRIB_ARRAY_SIZE => V::Int(i32::from(attribute.size)),
            c::VERTEX_ATTRIB_ARRAY_STRIDE => V::Int(attribute.stride as i32),
            c::VERTEX_ATTRIB_ARRAY_TYPE => V::Uint(attribute.ty.to_gl()),
            c::VERTEX_ATTRIB_ARRAY_NORMALIZED => V::Bool(attribute.normalized),
            c::VERTEX_ATTRIB_ARRAY_DIVISOR => V::Uint(attribute.divisor),
            c::VERTEX_ATTRIB_ARRAY_INTEGER if self.is_webgl2() => V::Bool(attribute.integer),
            c::CURRENT_VERTEX_ATTRIB => match generic {
                GenericAttribute::Float(values) => V::FloatArray(values.to_vec()),
                GenericAttribute::Int(values) => V::IntArray(values.to_vec()),
                GenericAttribute::Uint(values) => V::UintArray(values.to_vec()),
            },
            _ => {
                self.fail("getVertexAttrib", GlError::invalid_enum("unknown vertex attribute parameter"));
                V::Null
            }
        }
    }

    pub fn get_vertex_attrib_offset(&mut self, index: u32, name: u32) -> i64 {
        if name != c::VERTEX_ATTRIB_ARRAY_POINTER {
            self.fail("getVertexAttribOffset", GlError::invalid_enum("pname must be VERTEX_ATTRIB_ARRAY_POINTER"));
            return 0;
        }
        let vertex_array = self.objects.vertex_array(self.state.bindings.vertex_array);
        match vertex_array.attributes.get(index as usize) {
            Some(attribute) => attribute.offset as i64,
            None => {
                self.fail("getVertexAttribOffset", validate::index_error());
                0
            }
        }
    }
}
