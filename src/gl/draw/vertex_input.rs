//! Vertex arrays → `VertexInput`, fetch limits and variant bits; rewritten arrays are kept by source version.

use crate::gl::command::{BufferId, Command, StepMode, VertexAttribute as CommandAttribute, VertexFormat, VertexInput};
use crate::gl::context::{Context, WebGlVersion};
use crate::gl::enums::AttributeType;
use crate::gl::error::{GlError, GlResult};
use crate::gl::lower::vertex as lower;
use crate::gl::objects::program::Linked;
use crate::gl::objects::vertex_array::{GenericAttribute, MAX_VERTEX_ATTRIBUTES, VertexAttribute};
use crate::shader::hir::Scalar;

/// Rewritten arrays hold at most this many elements (divisors multiply).
const MAX_LOWERED: u64 = 1 << 24;
const MAX_CONSTANTS: usize = 256;

/// What an array was rewritten from: buffer name and the pointer with its divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoweredKey {
    buffer: u32,
    size: u8,
    ty: AttributeType,
    normalized: bool,
    integer: bool,
    stride: u32,
    offset: u64,
    divisor: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct LoweredVertices {
    version: u64,
    id: BufferId,
    bytes: u64,
}

/// Vertex input of the current program and vertex array.
#[derive(Debug, Default)]
pub struct VertexPlan {
    pub input: VertexInput,
    pub uint_attributes: u32,
    pub sint_attributes: u32,
    /// Vertices that every per-vertex array holds.
    pub vertex_limit: u64,
    /// Divisor and elements of each per-instance array.
    pub instanced: Vec<(u32, u64)>,
    /// Some array steps per vertex (WebGL 1 wants one).
    pub has_vertex_step: bool,
    /// A divisor above one: base instances cannot be used.
    pub has_large_divisor: bool,
}

impl VertexPlan {
    /// Do the arrays hold `instances` instances from `base` on?
    pub fn covers_instances(&self, base: u32, instances: u32) -> bool {
        let last = u64::from(instances.max(1) - 1);
        self.instanced.iter().all(|&(divisor, elements)| u64::from(base) + last / u64::from(divisor) < elements)
    }
}

impl Context {
    /// Rebuilds the plan for `linked` and the bound vertex array.
    pub(super) fn plan_vertex_input(&mut self, attribute_mask: u32, kinds: [Option<Scalar>; 16]) -> GlResult<()> {
        let mut plan = std::mem::take(&mut self.draw.plan);
        let result = self.fill_plan(&mut plan, attribute_mask, kinds);
        self.draw.plan = plan;
        result
    }

    fn fill_plan(&mut self, plan: &mut VertexPlan, mask: u32, kinds: [Option<Scalar>; 16]) -> GlResult<()> {
        self.trim_constants();
        plan.input.attributes.clear();
        plan.instanced.clear();
        plan.uint_attributes = 0;
        plan.sint_attributes = 0;
        plan.vertex_limit = u64::MAX;
        plan.has_vertex_step = false;
        plan.has_large_divisor = false;
        let attributes = self.objects.vertex_array(self.state.bindings.vertex_array).attributes;
        // Enabled arrays need buffers whether the program reads them or not (WebGL 1 §6.5).
        if attributes.iter().any(|attribute| attribute.enabled && attribute.buffer == 0) {
            return Err(GlError::invalid_operation("an enabled vertex attribute array has no buffer"));
        }
        for location in 0..MAX_VERTEX_ATTRIBUTES {
            let (Some(attribute), Some(Some(kind))) = (attributes.get(location), kinds.get(location)) else { continue };
            if mask & 1 << location == 0 {
                continue;
            }
            let attribute = if attribute.enabled {
                check_kind(array_kind(attribute), *kind)?;
                self.array_input(plan, location as u32, attribute)
            } else {
                self.constant_input(location as u32, *kind)?
            };
            plan.input.attributes.push(attribute);
        }
        Ok(())
    }

    fn array_input(&mut self, plan: &mut VertexPlan, location: u32, attribute: &VertexAttribute) -> CommandAttribute {
        let fetch = lower::fetch(attribute);
        match fetch.convert {
            lower::Convert::None => {}
            lower::Convert::Uint => plan.uint_attributes |= 1 << location,
            lower::Convert::Sint => plan.sint_attributes |= 1 << location,
        }
        let size = self.objects.buffers.get(attribute.buffer).map_or(0, |buffer| buffer.size());
        let elements = lower::elements_in(attribute, size);
        let step = if attribute.divisor == 0 {
            plan.has_vertex_step = true;
            plan.vertex_limit = plan.vertex_limit.min(elements);
            StepMode::Vertex
        } else {
            plan.instanced.push((attribute.divisor, elements));
            plan.has_large_divisor |= attribute.divisor > 1;
            StepMode::Instance
        };
        let native = self.buffer_id(attribute.buffer).filter(|_| lower::is_native(attribute, &fetch));
        let (buffer, offset, stride) = match native {
            Some(id) => (id, attribute.offset, attribute.effective_stride()),
            None => (self.lowered_vertices(attribute, &fetch, elements), 0, lower::lowered_stride(&fetch)),
        };
        CommandAttribute { location, format: fetch.format, buffer, offset, stride, step }
    }

    /// GPU buffer with the rewritten array, made or brought up to date.
    fn lowered_vertices(&mut self, attribute: &VertexAttribute, fetch: &lower::Fetch, elements: u64) -> BufferId {
        let name = attribute.buffer;
        self.refresh_shadow(name);
        let key = LoweredKey {
            buffer: name,
            size: attribute.size,
            ty: attribute.ty,
            normalized: attribute.normalized,
            integer: attribute.integer,
            stride: attribute.stride,
            offset: attribute.offset,
            divisor: attribute.divisor,
        };
        let version = self.objects.buffers.get(name).map_or(0, |buffer| buffer.version);
        let old = self.draw.vertices.get(&key).copied();
        if let Some(old) = old.filter(|old| old.version == version) {
            return old.id;
        }
        let repeat = attribute.divisor.max(1);
        let elements = elements.min(MAX_LOWERED / u64::from(repeat)).max(u64::from(elements > 0));
        let bytes = match self.objects.buffers.get_mut(name) {
            Some(buffer) => {
                buffer.lowered = true;
                lower::rewrite(attribute, fetch, &buffer.shadow, elements, repeat.min(MAX_LOWERED as u32))
            }
            None => Vec::new(),
        };
        let size = (bytes.len() as u64).max(16);
        let id = match old.filter(|old| old.bytes == size) {
            Some(old) => old.id,
            None => {
                if let Some(old) = old {
                    self.push(Command::DeleteBuffer { id: old.id });
                }
                let id = self.ids.buffer();
                self.push(Command::CreateBuffer { id, size });
                id
            }
        };
        if !bytes.is_empty() {
            let data = self.stream.push_data(&bytes);
            self.push(Command::WriteBuffer { id, offset: 0, data });
        }
        self.draw.vertices.insert(key, LoweredVertices { version, id, bytes: size });
        id
    }

    /// A disabled array: the generic value, for all vertices.
    fn constant_input(&mut self, location: u32, kind: Scalar) -> GlResult<CommandAttribute> {
        let value = self.state.generic_attributes.get(location as usize).copied().unwrap_or_default();
        let (format, words, value_kind) = match value {
            GenericAttribute::Float(v) => (VertexFormat::Float32x4, v.map(f32::to_bits), Scalar::Float),
            GenericAttribute::Int(v) => (VertexFormat::Sint32x4, v.map(|v| v as u32), Scalar::Int),
            GenericAttribute::Uint(v) => (VertexFormat::Uint32x4, v, Scalar::Uint),
        };
        check_kind(value_kind, kind)?;
        let buffer = match self.draw.constants.get(&words) {
            Some(id) => *id,
            None => self.constant_buffer(words),
        };
        Ok(CommandAttribute { location, format, buffer, offset: 0, stride: 0, step: StepMode::Constant })
    }

    /// Generic values that change each draw must not pile up; done before a plan names any of them.
    fn trim_constants(&mut self) {
        if self.draw.constants.len() + MAX_VERTEX_ATTRIBUTES <= MAX_CONSTANTS {
            return;
        }
        let mut old: Vec<_> = self.draw.constants.drain().map(|(_, id)| id).collect();
        old.sort_unstable();
        for id in old {
            self.push(Command::DeleteBuffer { id });
        }
    }

    fn constant_buffer(&mut self, words: [u32; 4]) -> BufferId {
        let id = self.ids.buffer();
        self.push(Command::CreateBuffer { id, size: 16 });
        let data = self.stream.push_data(bytemuck::cast_slice(&words));
        self.push(Command::WriteBuffer { id, offset: 0, data });
        self.draw.constants.insert(words, id);
        id
    }

    /// A buffer object is gone: so is what was derived from it.
    pub(crate) fn forget_derived(&mut self, name: u32) {
        let mut gone: Vec<BufferId> = Vec::new();
        self.draw.vertices.retain(|key, lowered| {
            let keep = key.buffer != name;
            if !keep {
                gone.push(lowered.id);
            }
            keep
        });
        self.draw.indices.forget(name, &mut gone);
        self.draw.scans.forget(name);
        gone.sort_unstable();
        for id in gone {
            self.push(Command::DeleteBuffer { id });
        }
    }

    /// WebGL 1's ANGLE_instanced_arrays: some active array must step per vertex.
    pub(super) fn check_vertex_step(&self, linked_mask: u32) -> GlResult<()> {
        let plan = &self.draw.plan;
        if self.settings.version == WebGlVersion::One
            && linked_mask != 0
            && !plan.instanced.is_empty()
            && !plan.has_vertex_step
        {
            return Err(GlError::invalid_operation("no active vertex attribute has divisor 0"));
        }
        Ok(())
    }
}

fn array_kind(attribute: &VertexAttribute) -> Scalar {
    match attribute.ty {
        _ if !attribute.integer => Scalar::Float,
        AttributeType::UnsignedByte | AttributeType::UnsignedShort | AttributeType::UnsignedInt => Scalar::Uint,
        _ => Scalar::Int,
    }
}

/// WebGL 2: the array's base type must be the shader's.
fn check_kind(given: Scalar, wanted: Scalar) -> GlResult<()> {
    if given == wanted {
        return Ok(());
    }
    Err(GlError::invalid_operation("a vertex attribute's base type does not fit the shader's input"))
}

/// Attribute mask and kinds, copied so that the context can be borrowed.
pub(super) fn attribute_needs(linked: &Linked) -> (u32, [Option<Scalar>; 16]) {
    (linked.attribute_mask, linked.attribute_kinds)
}
