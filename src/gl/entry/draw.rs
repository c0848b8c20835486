//! The draw calls (WebGL 1 §5.14.11, WebGL 2 §3.7.9) and WEBGL_multi_draw and its kin.

use crate::gl::context::Context;
use crate::gl::draw::{DrawCall, Source};
use crate::gl::error::{GlError, GlResult};
use crate::gl::validate::draw as validate;

impl Context {
    #[inline]
    fn draw_one(&mut self, call: &'static str, mode: u32, source: GlResult<Source>, instances: i32, base: u32) {
        let result = validate::mode(mode).and_then(|mode| {
            let instances = validate::instances(instances)?;
            self.draw(DrawCall { mode, source: source?, instances, base_instance: base, draw_id: 0 })
        });
        if let Err(error) = result {
            self.fail(call, error);
        }
    }

    pub fn draw_arrays(&mut self, mode: u32, first: i32, count: i32) {
        self.draw_one("drawArrays", mode, validate::arrays(first, count), 1, 0);
    }

    pub fn draw_arrays_instanced(&mut self, mode: u32, first: i32, count: i32, instances: i32) {
        self.draw_one("drawArraysInstanced", mode, validate::arrays(first, count), instances, 0);
    }

    pub fn draw_elements(&mut self, mode: u32, count: i32, ty: u32, offset: i64) {
        let source = validate::elements(&self.caps, self.is_webgl2(), count, ty, offset, 0);
        self.draw_one("drawElements", mode, source, 1, 0);
    }

    pub fn draw_elements_instanced(&mut self, mode: u32, count: i32, ty: u32, offset: i64, instances: i32) {
        let source = validate::elements(&self.caps, self.is_webgl2(), count, ty, offset, 0);
        self.draw_one("drawElementsInstanced", mode, source, instances, 0);
    }

    pub fn draw_range_elements(&mut self, mode: u32, start: u32, end: u32, count: i32, ty: u32, offset: i64) {
        if end < start {
            return self.fail("drawRangeElements", GlError::invalid_value("end is less than start"));
        }
        let source = validate::elements(&self.caps, self.is_webgl2(), count, ty, offset, 0);
        self.draw_one("drawRangeElements", mode, source, 1, 0);
    }

    // WEBGL_draw_instanced_base_vertex_base_instance

    pub fn draw_arrays_instanced_base_instance(
        &mut self,
        mode: u32,
        first: i32,
        count: i32,
        instances: i32,
        base_instance: u32,
    ) {
        let source = validate::arrays(first, count);
        self.draw_one("drawArraysInstancedBaseInstanceWEBGL", mode, source, instances, base_instance);
    }

    #[allow(clippy::too_many_arguments, reason = "GL's argument list")]
    pub fn draw_elements_instanced_base_vertex_base_instance(
        &mut self,
        mode: u32,
        count: i32,
        ty: u32,
        offset: i64,
        instances: i32,
        base_vertex: i32,
        base_instance: u32,
    ) {
        let source = validate::elements(&self.caps, self.is_webgl2(), count, ty, offset, base_vertex);
        self.draw_one("drawElementsInstancedBaseVertexBaseInstanceWEBGL", mode, source, instances, base_instance);
    }

    // WEBGL_multi_draw and WEBGL_multi_draw_instanced_base_vertex_base_instance. Lists are cut to `draw_count` and
    // their offsets applied by the binding; all lists must be as long as the first.

    /// Runs `count` draws, each checked before any is issued (WEBGL_multi_draw: all or nothing on bad arguments).
    fn multi(
        &mut self,
        call: &'static str,
        mode: u32,
        count: usize,
        draw: impl Fn(&Self, usize) -> GlResult<(Source, i32, u32)>,
    ) {
        let calls: GlResult<Vec<DrawCall>> = validate::mode(mode).and_then(|mode| {
            (0..count)
                .map(|i| {
                    let (source, instances, base_instance) = draw(self, i)?;
                    let instances = validate::instances(instances)?;
                    Ok(DrawCall { mode, source, instances, base_instance, draw_id: i as i32 })
                })
                .collect()
        });
        let result = calls.and_then(|calls| calls.into_iter().try_for_each(|call| self.draw(call)));
        if let Err(error) = result {
            self.fail(call, error);
        }
    }

    pub fn multi_draw_arrays(&mut self, mode: u32, firsts: &[i32], counts: &[i32]) {
        self.multi("multiDrawArraysWEBGL", mode, counts.len(), |_, i| {
            Ok((validate::arrays(at(firsts, i)?, at(counts, i)?)?, 1, 0))
        });
    }

    pub fn multi_draw_arrays_instanced(&mut self, mode: u32, firsts: &[i32], counts: &[i32], instances: &[i32]) {
        self.multi("multiDrawArraysInstancedWEBGL", mode, counts.len(), |_, i| {
            Ok((validate::arrays(at(firsts, i)?, at(counts, i)?)?, at(instances, i)?, 0))
        });
    }

    pub fn multi_draw_elements(&mut self, mode: u32, counts: &[i32], ty: u32, offsets: &[i32]) {
        self.multi("multiDrawElementsWEBGL", mode, counts.len(), |context, i| {
            let (count, offset) = (at(counts, i)?, i64::from(at(offsets, i)?));
            Ok((validate::elements(&context.caps, context.is_webgl2(), count, ty, offset, 0)?, 1, 0))
        });
    }

    pub fn multi_draw_elements_instanced(
        &mut self,
        mode: u32,
        counts: &[i32],
        ty: u32,
        offsets: &[i32],
        instances: &[i32],
    ) {
        self.multi("multiDrawElementsInstancedWEBGL", mode, counts.len(), |context, i| {
            let (count, offset) = (at(counts, i)?, i64::from(at(offsets, i)?));
            let source = validate::elements(&context.caps, context.is_webgl2(), count, ty, offset, 0)?;
            Ok((source, at(instances, i)?, 0))
        });
    }

    pub fn multi_draw_arrays_instanced_base_instance(
        &mut self,
        mode: u32,
        firsts: &[i32],
        counts: &[i32],
        instances: &[i32],
        base_instances: &[u32],
    ) {
        self.multi("multiDrawArraysInstancedBaseInstanceWEBGL", mode, counts.len(), |_, i| {
            let source = validate::arrays(at(firsts, i)?, at(counts, i)?)?;
            Ok((source, at(instances, i)?, at(base_instances, i)?))
        });
    }

    #[allow(clippy::too_many_arguments, reason = "GL's argument list")]
    pub fn multi_draw_elements_instanced_base_vertex_base_instance(
        &mut self,
        mode: u32,
        counts: &[i32],
        ty: u32,
        offsets: &[i32],
        instances: &[i32],
        base_vertices: &[i32],
        base_instances: &[u32],
    ) {
        self.multi("multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL", mode, counts.len(), |context, i| {
            let (count, offset) = (at(counts, i)?, i64::from(at(offsets, i)?));
            let base = at(base_vertices, i)?;
            let source = validate::elements(&context.caps, context.is_webgl2(), count, ty, offset, base)?;
            Ok((source, at(instances, i)?, at(base_instances, i)?))
        });
    }
}

fn at<T: Copy>(list: &[T], index: usize) -> GlResult<T> {
    list.get(index).copied().ok_or_else(|| GlError::invalid_operation("a list is shorter than drawCount"))
}
