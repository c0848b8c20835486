//! Buffer objects and their bindings (WebGL 1 §5.14.5, WebGL 2 §3.7.3).

use crate::gl::command::{BufferId, Command};
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::{BufferTarget, ParameterValue};
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::buffer::{Buffer, BufferKind};
use crate::gl::objects::transform_feedback::IndexedBinding;
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::buffer as validate;

impl Context {
    pub fn create_buffer(&mut self) -> u32 {
        self.objects.buffers.insert(Buffer::default())
    }

    pub fn is_buffer(&self, buffer: u32) -> bool {
        // A name becomes a buffer when first bound (ES 3.0 §6.1.12).
        self.objects.buffers.get(buffer).is_some_and(|buffer| !buffer.deleted && buffer.bound)
    }

    pub fn delete_buffer(&mut self, name: u32) {
        let Some(buffer) = self.objects.buffers.get_mut(name) else { return };
        if std::mem::replace(&mut buffer.deleted, true) {
            return;
        }
        let points = &mut self.state.bindings.buffers;
        for point in [
            &mut points.array,
            &mut points.copy_read,
            &mut points.copy_write,
            &mut points.pixel_pack,
            &mut points.pixel_unpack,
            &mut points.transform_feedback,
            &mut points.uniform,
        ] {
            if *point == name {
                *point = 0;
            }
        }
        let mut released = 0;
        let vertex_array = self.objects.vertex_array_mut(self.state.bindings.vertex_array);
        if vertex_array.element_buffer == name {
            vertex_array.element_buffer = 0;
            released += 1;
        }
        for attribute in vertex_array.attributes.iter_mut().filter(|attribute| attribute.buffer == name) {
            attribute.buffer = 0;
            released += 1;
        }
        let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
        for binding in feedback.bindings.iter_mut().chain(&mut self.state.bindings.uniform_buffers) {
            if binding.buffer == name {
                *binding = IndexedBinding::default();
                released += 1;
            }
        }
        self.state.dirty |= Dirty::VERTEX_INPUT | Dirty::UNIFORM_BUFFERS;
        self.drop_buffer_refs(name, released);
    }

    /// Takes `count` references away; a deleted buffer without references goes.
    pub(crate) fn drop_buffer_refs(&mut self, name: u32, count: u32) {
        let Some(buffer) = self.objects.buffers.get_mut(name) else { return };
        buffer.refs = buffer.refs.saturating_sub(count);
        if !buffer.deleted || buffer.refs > 0 {
            return;
        }
        let id = self.objects.buffers.remove(name).and_then(|buffer| buffer.id);
        self.forget_derived(name);
        if let Some(id) = id {
            self.push(Command::DeleteBuffer { id });
        }
    }

    /// Moves one reference from the buffer in `slot` to `name`; either may be 0.
    pub(crate) fn swap_buffer_ref(&mut self, old: u32, name: u32) {
        if old == name {
            return;
        }
        if let Some(buffer) = self.objects.buffers.get_mut(name) {
            buffer.refs += 1;
        }
        if old != 0 {
            self.drop_buffer_refs(old, 1);
        }
    }

    pub fn bind_buffer(&mut self, target: u32, name: u32) {
        let result = validate::bind(self.is_webgl2(), &self.objects, target, name);
        let Ok(target) = result else { return self.check("bindBuffer", result.map(drop)) };
        self.note_binding(target, name);
        let points = &mut self.state.bindings.buffers;
        match target {
            BufferTarget::Array => points.array = name,
            BufferTarget::CopyRead => points.copy_read = name,
            BufferTarget::CopyWrite => points.copy_write = name,
            BufferTarget::PixelPack => points.pixel_pack = name,
            BufferTarget::PixelUnpack => points.pixel_unpack = name,
            BufferTarget::TransformFeedback => points.transform_feedback = name,
            BufferTarget::Uniform => points.uniform = name,
            BufferTarget::ElementArray => {
                let vertex_array = self.objects.vertex_array_mut(self.state.bindings.vertex_array);
                let old = std::mem::replace(&mut vertex_array.element_buffer, name);
                self.swap_buffer_ref(old, name);
            }
        }
    }

    fn note_binding(&mut self, target: BufferTarget, name: u32) {
        if let Some(buffer) = self.objects.buffers.get_mut(name) {
            buffer.bound = true;
            match target {
                BufferTarget::CopyRead | BufferTarget::CopyWrite => {}
                BufferTarget::ElementArray => buffer.kind = BufferKind::ElementArray,
                _ if buffer.kind == BufferKind::Undefined => buffer.kind = BufferKind::Other,
                _ => {}
            }
        }
    }

    /// Name of the buffer at `target`, 0 = none.
    pub(crate) fn bound_buffer(&self, target: BufferTarget) -> u32 {
        let points = &self.state.bindings.buffers;
        match target {
            BufferTarget::Array => points.array,
            BufferTarget::CopyRead => points.copy_read,
            BufferTarget::CopyWrite => points.copy_write,
            BufferTarget::PixelPack => points.pixel_pack,
            BufferTarget::PixelUnpack => points.pixel_unpack,
            BufferTarget::TransformFeedback => points.transform_feedback,
            BufferTarget::Uniform => points.uniform,
            BufferTarget::ElementArray => self.objects.vertex_array(self.state.bindings.vertex_array).element_buffer,
        }
    }

    /// Target and the live buffer there, or the error every data call shares.
    fn buffer_at(&self, target: u32) -> GlResult<u32> {
        let target = validate::target(self.is_webgl2(), target)?;
        match self.bound_buffer(target) {
            0 => Err(GlError::invalid_operation("no buffer is bound to the target")),
            name => Ok(name),
        }
    }

    /// `bufferData(target, size, usage)`: zero-filled.
    pub fn buffer_data_size(&mut self, target: u32, size: i64, usage: u32) {
        let result = validate::data_size(size).and_then(|size| {
            let name = self.data_target(target, usage)?;
            Ok((name, size))
        });
        match result {
            Ok((name, size)) => self.store_data(name, Data::Zeroes(size), usage),
            Err(error) => self.fail("bufferData", error),
        }
    }

    pub fn buffer_data(&mut self, target: u32, data: &[u8], usage: u32) {
        match self.data_target(target, usage) {
            Ok(name) => self.store_data(name, Data::Bytes(data), usage),
            Err(error) => self.fail("bufferData", error),
        }
    }

    fn data_target(&self, target: u32, usage: u32) -> GlResult<u32> {
        validate::target(self.is_webgl2(), target)?;
        validate::usage(self.is_webgl2(), usage)?;
        let name = self.buffer_at(target)?;
        self.refuse_feedback_use(name)?;
        Ok(name)
    }

    /// WebGL 2, "Transform feedback": no other use of a buffer that an active transform feedback writes.
    fn refuse_feedback_use(&self, name: u32) -> GlResult<()> {
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        if feedback.active.is_some_and(|active| !active.paused)
            && feedback.bindings.iter().any(|binding| binding.buffer == name)
        {
            return Err(GlError::invalid_operation("the buffer is in use by transform feedback"));
        }
        Ok(())
    }

    fn store_data(&mut self, name: u32, data: Data<'_>, usage: u32) {
        let Some(buffer) = self.objects.buffers.get_mut(name) else { return };
        let size = data.len();
        let resized = buffer.shadow.len() != size || buffer.id.is_none();
        match data {
            Data::Bytes(bytes) => {
                buffer.shadow.clear();
                buffer.shadow.extend_from_slice(bytes);
            }
            Data::Zeroes(size) => {
                buffer.shadow.clear();
                if buffer.shadow.try_reserve_exact(size).is_err() {
                    return self.fail("bufferData", GlError::out_of_memory("the buffer is too large"));
                }
                buffer.shadow.resize(size, 0);
            }
        }
        if buffer.shadow.capacity() > size * 2 {
            buffer.shadow.shrink_to_fit();
        }
        buffer.shadow_stale = false;
        buffer.usage = usage;
        buffer.version += 1;
        if resized {
            let old = buffer.id.take();
            if size > 0 {
                buffer.id = Some(self.ids.buffer());
            }
            let new = buffer.id;
            if let Some(id) = old {
                self.push(Command::DeleteBuffer { id });
            }
            if let Some(id) = new {
                self.push(Command::CreateBuffer { id, size: size as u64 });
            }
        }
        // Fetch limits hang on the size, lowered copies on the content.
        self.state.dirty |= Dirty::VERTEX_INPUT | Dirty::UNIFORM_BUFFERS | Dirty::FEEDBACK;
        if matches!(data, Data::Bytes(_)) || !resized {
            self.upload_shadow(name, 0, size as u64);
        }
    }

    pub fn buffer_sub_data(&mut self, target: u32, offset: i64, data: &[u8]) {
        let result = self.buffer_at(target).and_then(|name| {
            self.refuse_feedback_use(name)?;
            let size = self.objects.buffers.get(name).map_or(0, Buffer::size);
            let offset = validate::range(offset, data.len() as u64, size)?;
            Ok((name, offset))
        });
        let (name, offset) = match result {
            Ok(place) => place,
            Err(error) => return self.fail("bufferSubData", error),
        };
        if data.is_empty() {
            return;
        }
        self.write_buffer_bytes(name, offset, data);
        self.submit_if_large();
    }

    /// Writes validated bytes to shadow and GPU.
    pub(crate) fn write_buffer_bytes(&mut self, name: u32, offset: u64, data: &[u8]) {
        if !offset.is_multiple_of(4) || !data.len().is_multiple_of(4) {
            // The widened write takes its neighbours from the shadow.
            self.refresh_shadow(name);
        }
        let Some(buffer) = self.objects.buffers.get_mut(name) else { return };
        let Some(place) = buffer.shadow.get_mut(offset as usize..offset as usize + data.len()) else { return };
        place.copy_from_slice(data);
        buffer.version += 1;
        if buffer.lowered {
            self.state.dirty |= Dirty::VERTEX_INPUT;
        }
        self.upload_shadow(name, offset, data.len() as u64);
    }

    /// Sends shadow bytes `offset..offset + len`, widened to multiples of 4.
    fn upload_shadow(&mut self, name: u32, offset: u64, len: u64) {
        let Some(buffer) = self.objects.buffers.get(name) else { return };
        let (Some(id), true) = (buffer.id, len > 0) else { return };
        let start = offset & !3;
        let end = (offset + len).next_multiple_of(4);
        let have = end.min(buffer.size());
        let Some(bytes) = buffer.shadow.get(start as usize..have as usize) else { return };
        let mut data = self.stream.push_data(bytes);
        // The GPU buffer is rounded up to 4; its last bytes are nobody's.
        for _ in have..end {
            self.stream.data.push(0);
            data.len += 1;
        }
        self.push(Command::WriteBuffer { id, offset: start, data });
        self.submit_if_large();
    }

    /// Brings the shadow up to date with what the GPU wrote.
    pub(crate) fn refresh_shadow(&mut self, name: u32) {
        let Some(buffer) = self.objects.buffers.get(name) else { return };
        if !buffer.shadow_stale {
            return;
        }
        let (Some(id), size) = (buffer.id, buffer.size()) else { return };
        let bytes = self.with_backend(|backend| backend.read_buffer(id, 0, size));
        if let (Some(buffer), Some(bytes)) = (self.objects.buffers.get_mut(name), bytes) {
            let len = bytes.len().min(buffer.shadow.len());
            if let (Some(to), Some(from)) = (buffer.shadow.get_mut(..len), bytes.get(..len)) {
                to.copy_from_slice(from);
            }
            buffer.shadow_stale = false;
        }
    }

    /// The GPU has written into the buffer (pixel pack, transform feedback).
    pub(crate) fn mark_gpu_written(&mut self, name: u32) {
        if let Some(buffer) = self.objects.buffers.get_mut(name) {
            buffer.shadow_stale = true;
            buffer.version += 1;
            if buffer.lowered {
                self.state.dirty |= Dirty::VERTEX_INPUT;
            }
        }
    }

    pub fn get_buffer_sub_data(&mut self, target: u32, offset: i64, out: &mut [u8]) {
        let result = self.buffer_at(target).and_then(|name| {
            self.refuse_feedback_use(name)?;
            let size = self.objects.buffers.get(name).map_or(0, Buffer::size);
            Ok((name, validate::range(offset, out.len() as u64, size)?))
        });
        let (name, offset) = match result {
            Ok(place) => place,
            Err(error) => return self.fail("getBufferSubData", error),
        };
        self.refresh_shadow(name);
        let bytes = self
            .objects
            .buffers
            .get(name)
            .and_then(|buffer| buffer.shadow.get(offset as usize..offset as usize + out.len()));
        if let Some(bytes) = bytes {
            out.copy_from_slice(bytes);
        }
    }

    pub fn copy_buffer_sub_data(&mut self, read: u32, write: u32, read_offset: i64, write_offset: i64, size: i64) {
        let copy = self.validate_copy(read, write, read_offset, write_offset, size);
        let (src, dst, from, to, size) = match copy {
            Ok(copy) => copy,
            Err(error) => return self.fail("copyBufferSubData", error),
        };
        if size == 0 {
            return;
        }
        let aligned = (from | to | size).is_multiple_of(4);
        if !aligned {
            self.refresh_shadow(src);
            self.refresh_shadow(dst);
        }
        let Some(source) = self.objects.buffers.get(src) else { return };
        let (src_id, stale) = (source.id, source.shadow_stale);
        if aligned && stale {
            let dst_id = self.objects.buffers.get(dst).and_then(|buffer| buffer.id);
            if let (Some(src), Some(dst_id)) = (src_id, dst_id) {
                self.push(Command::CopyBuffer { src, src_offset: from, dst: dst_id, dst_offset: to, size });
                self.mark_gpu_written(dst);
            }
            return;
        }
        let Some(bytes) = source.shadow.get(from as usize..(from + size) as usize).map(<[u8]>::to_vec) else { return };
        self.write_buffer_bytes(dst, to, &bytes);
    }

    fn validate_copy(
        &self,
        read: u32,
        write: u32,
        read_offset: i64,
        write_offset: i64,
        size: i64,
    ) -> GlResult<(u32, u32, u64, u64, u64)> {
        let (src, dst) = (self.buffer_at(read)?, self.buffer_at(write)?);
        self.refuse_feedback_use(src)?;
        self.refuse_feedback_use(dst)?;
        let (Some(from), Some(to)) = (self.objects.buffers.get(src), self.objects.buffers.get(dst)) else {
            return Err(GlError::invalid_operation("no buffer is bound to the target"));
        };
        if (from.kind == BufferKind::ElementArray) != (to.kind == BufferKind::ElementArray)
            && from.kind != BufferKind::Undefined
            && to.kind != BufferKind::Undefined
        {
            return Err(GlError::invalid_operation("element array buffers and others may not be mixed"));
        }
        let len = validate::data_size(size)? as u64;
        let read_offset = validate::range(read_offset, len, from.size())?;
        let write_offset = validate::range(write_offset, len, to.size())?;
        if src == dst && read_offset < write_offset + len && write_offset < read_offset + len {
            return Err(GlError::invalid_value("source and destination overlap"));
        }
        Ok((src, dst, read_offset, write_offset, len))
    }

    pub fn get_buffer_parameter(&mut self, target: u32, name: u32) -> ParameterValue {
        let result = self.buffer_at(target).and_then(|buffer| {
            let Some(buffer) = self.objects.buffers.get(buffer) else { return Ok(ParameterValue::Null) };
            match name {
                c::BUFFER_SIZE => Ok(ParameterValue::Int64(buffer.size() as i64)),
                c::BUFFER_USAGE => Ok(ParameterValue::Uint(buffer.usage)),
                _ => Err(GlError::invalid_enum("unknown buffer parameter")),
            }
        });
        self.check("getBufferParameter", result)
    }

    pub fn bind_buffer_base(&mut self, target: u32, index: u32, name: u32) {
        self.bind_indexed("bindBufferBase", target, index, IndexedBinding { buffer: name, offset: 0, size: 0 });
    }

    pub fn bind_buffer_range(&mut self, target: u32, index: u32, name: u32, offset: i64, size: i64) {
        let result = validate::binding_range(&self.caps.limits, target, name, offset, size);
        match result {
            Ok((offset, size)) => {
                self.bind_indexed("bindBufferRange", target, index, IndexedBinding { buffer: name, offset, size });
            }
            Err(error) => self.fail("bindBufferRange", error),
        }
    }

    fn bind_indexed(&mut self, call: &'static str, target: u32, index: u32, binding: IndexedBinding) {
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        let active = feedback.active.is_some();
        let result = validate::indexed(&self.caps.limits, &self.objects, target, index, binding.buffer, active);
        let target = match result {
            Ok(target) => target,
            Err(error) => return self.fail(call, error),
        };
        self.note_binding(target, binding.buffer);
        let index = index as usize;
        let old = if target == BufferTarget::Uniform {
            self.state.bindings.buffers.uniform = binding.buffer;
            self.state.dirty |= Dirty::UNIFORM_BUFFERS;
            self.state.bindings.uniform_buffers.get_mut(index).map(|slot| std::mem::replace(slot, binding))
        } else {
            self.state.bindings.buffers.transform_feedback = binding.buffer;
            self.state.dirty |= Dirty::FEEDBACK;
            let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
            feedback.bindings.get_mut(index).map(|slot| std::mem::replace(slot, binding))
        };
        if let Some(old) = old {
            self.swap_buffer_ref(old.buffer, binding.buffer);
        }
    }

    /// GPU id of a buffer; `None` for null, deleted or empty ones.
    pub(crate) fn buffer_id(&self, name: u32) -> Option<BufferId> {
        self.objects.buffers.get(name)?.id
    }
}

#[derive(Clone, Copy)]
enum Data<'a> {
    Zeroes(usize),
    Bytes(&'a [u8]),
}

impl Data<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Zeroes(size) => *size,
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}
