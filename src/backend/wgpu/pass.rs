//! Recorded work: render passes as lists of items, copies, and how they become wgpu commands.
//!
//! Nothing is encoded until a flush. Until then a pass can still take a clear into its load operation, a resolve into
//! its resolve target, an invalidation into its store operation, and a copy that it does not depend on can go before it.

use super::buffer::BufferSlot;
use super::texture::ImageSlot;
use crate::gl::command::{IndexFormat, Rect};

/// A subresource as a render pass sees it.
#[derive(Clone, Debug)]
pub struct PassAttachment {
    pub image: ImageSlot,
    pub level: u32,
    pub layer: u32,
    pub view: wgpu::TextureView,
    pub depth_slice: Option<u32>,
    pub has_alpha: bool,
}

impl PassAttachment {
    pub fn same_place(&self, image: ImageSlot, level: u32, layer: u32) -> bool {
        (self.image, self.level, self.layer) == (image, level, layer)
    }
}

#[derive(Clone, Debug)]
pub struct ColorTarget {
    pub attachment: PassAttachment,
    /// `None` keeps what is there.
    pub clear: Option<wgpu::Color>,
    pub store: bool,
    pub resolve: Option<PassAttachment>,
}

#[derive(Clone, Debug)]
pub struct DepthTarget {
    pub attachment: PassAttachment,
    pub has_depth: bool,
    pub has_stencil: bool,
    pub clear_depth: Option<f32>,
    pub clear_stencil: Option<u32>,
    pub store: bool,
}

/// One step of a pass. Ids index the back end's tables, whose entries live until the flush.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item {
    Pipeline(u32),
    /// Dynamic offsets are `count` words of `Pass::offsets` from `first`.
    BindGroup {
        index: u32,
        group: u32,
        first: u32,
        count: u32,
    },
    VertexBuffer {
        slot: u32,
        buffer: BufferSlot,
        offset: u64,
    },
    IndexBuffer {
        buffer: BufferSlot,
        format: IndexFormat,
    },
    Viewport([f32; 6]),
    Scissor(Rect),
    BlendConstant([f32; 4]),
    StencilReference(u32),
    Draw {
        first: u32,
        count: u32,
        first_instance: u32,
        instances: u32,
    },
    DrawIndexed {
        first: u32,
        count: u32,
        base_vertex: i32,
        first_instance: u32,
        instances: u32,
    },
    BeginQuery(u32),
    EndQuery,
}

/// A render pass in the making.
#[derive(Debug, Default)]
pub struct Pass {
    /// Rises with every pass; resources remember the last pass that used them by it.
    pub serial: u64,
    pub colors: Vec<Option<ColorTarget>>,
    pub depth: Option<DepthTarget>,
    pub width: u32,
    pub height: u32,
    pub items: Vec<Item>,
    pub offsets: Vec<u32>,
    pub draws: u32,
    pub queries: bool,
    /// Copies the depth away before anything can happen to it.
    pub depth_copy: Option<Box<Pass>>,
}

impl Pass {
    pub fn push_group(&mut self, index: u32, group: u32, offsets: &[u32]) {
        let first = self.offsets.len() as u32;
        self.offsets.extend_from_slice(offsets);
        self.items.push(Item::BindGroup { index, group, first, count: offsets.len() as u32 });
    }

    /// Does the pass read or write `image` as an attachment?
    pub fn has_attachment(&self, image: ImageSlot) -> bool {
        self.colors.iter().flatten().any(|color| {
            color.attachment.image == image || color.resolve.as_ref().is_some_and(|resolve| resolve.image == image)
        }) || self.depth.as_ref().is_some_and(|depth| depth.attachment.image == image)
    }
}

/// A box of one level of a texture, ready for wgpu.
#[derive(Clone, Debug)]
pub struct TexturePlace {
    pub texture: wgpu::Texture,
    pub level: u32,
    pub origin: [u32; 3],
    pub aspect: wgpu::TextureAspect,
}

impl TexturePlace {
    fn info(&self) -> wgpu::TexelCopyTextureInfo<'_> {
        wgpu::TexelCopyTextureInfo {
            texture: &self.texture,
            mip_level: self.level,
            origin: wgpu::Origin3d { x: self.origin[0], y: self.origin[1], z: self.origin[2] },
            aspect: self.aspect,
        }
    }
}

/// Rows of texels in a buffer.
#[derive(Clone, Debug)]
pub struct BufferPlace {
    pub buffer: wgpu::Buffer,
    pub offset: u64,
    pub bytes_per_row: u32,
    pub rows_per_image: u32,
}

impl BufferPlace {
    fn info(&self) -> wgpu::TexelCopyBufferInfo<'_> {
        wgpu::TexelCopyBufferInfo {
            buffer: &self.buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: self.offset,
                bytes_per_row: Some(self.bytes_per_row),
                rows_per_image: Some(self.rows_per_image),
            },
        }
    }
}

/// A command on the way to the encoder.
#[derive(Debug)]
pub enum Op {
    Pass(Box<Pass>),
    CopyBuffer { src: wgpu::Buffer, src_offset: u64, dst: wgpu::Buffer, dst_offset: u64, size: u64 },
    Upload { src: BufferPlace, dst: TexturePlace, extent: wgpu::Extent3d },
    Download { src: TexturePlace, dst: BufferPlace, extent: wgpu::Extent3d },
    CopyTexture { src: TexturePlace, dst: TexturePlace, extent: wgpu::Extent3d },
    ResolveQueries { range: std::ops::Range<u32> },
}

/// What `encode` looks ids up in.
#[derive(Clone, Copy, Debug)]
pub struct EncodeTables<'a> {
    pub pipelines: &'a super::pipeline_key::PipelineTable,
    pub groups: &'a super::bind::GroupCache,
    pub buffers: &'a super::buffer::BufferTable,
    pub queries: &'a super::query::QueryPool,
}

/// Encodes `ops` in order.
pub fn encode(ops: &[Op], tables: EncodeTables<'_>, encoder: &mut wgpu::CommandEncoder) {
    for op in ops {
        match op {
            Op::Pass(pass) => {
                encode_pass(pass, tables, encoder);
                if let Some(copy) = &pass.depth_copy {
                    encode_pass(copy, tables, encoder);
                }
            }
            Op::CopyBuffer { src, src_offset, dst, dst_offset, size } => {
                encoder.copy_buffer_to_buffer(src, *src_offset, dst, *dst_offset, *size);
            }
            Op::Upload { src, dst, extent } => encoder.copy_buffer_to_texture(src.info(), dst.info(), *extent),
            Op::Download { src, dst, extent } => encoder.copy_texture_to_buffer(src.info(), dst.info(), *extent),
            Op::CopyTexture { src, dst, extent } => encoder.copy_texture_to_texture(src.info(), dst.info(), *extent),
            Op::ResolveQueries { range } => tables.queries.resolve(encoder, range.clone()),
        }
    }
}

fn encode_pass(pass: &Pass, tables: EncodeTables<'_>, encoder: &mut wgpu::CommandEncoder) {
    let colors: Vec<Option<wgpu::RenderPassColorAttachment<'_>>> = pass
        .colors
        .iter()
        .map(|target| {
            target.as_ref().map(|target| wgpu::RenderPassColorAttachment {
                view: &target.attachment.view,
                depth_slice: target.attachment.depth_slice,
                resolve_target: target.resolve.as_ref().map(|resolve| &resolve.view),
                ops: wgpu::Operations {
                    load: target.clear.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
                    store: store_op(target.store),
                },
            })
        })
        .collect();
    let depth_stencil = pass.depth.as_ref().map(|target| wgpu::RenderPassDepthStencilAttachment {
        view: &target.attachment.view,
        depth_ops: target.has_depth.then(|| wgpu::Operations {
            load: target.clear_depth.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
            store: store_op(target.store || pass.depth_copy.is_some()),
        }),
        stencil_ops: target.has_stencil.then(|| wgpu::Operations {
            load: target.clear_stencil.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear),
            store: store_op(target.store),
        }),
    });
    let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: &colors,
        depth_stencil_attachment: depth_stencil,
        timestamp_writes: None,
        occlusion_query_set: pass.queries.then(|| tables.queries.set()),
        multiview_mask: None,
    });
    for item in &pass.items {
        encode_item(item, pass, tables, &mut render);
    }
}

fn encode_item(item: &Item, pass: &Pass, tables: EncodeTables<'_>, render: &mut wgpu::RenderPass<'_>) {
    match *item {
        Item::Pipeline(id) => {
            if let Some(pipeline) = tables.pipelines.get(id) {
                render.set_pipeline(pipeline);
            }
        }
        Item::BindGroup { index, group, first, count } => {
            let offsets = pass.offsets.get(first as usize..(first + count) as usize).unwrap_or_default();
            if let Some(group) = tables.groups.get(group) {
                render.set_bind_group(index, group, offsets);
            }
        }
        Item::VertexBuffer { slot, buffer, offset } => {
            if let Some(buffer) = tables.buffers.gpu(buffer) {
                render.set_vertex_buffer(slot, buffer.slice(offset..));
            }
        }
        Item::IndexBuffer { buffer, format } => {
            if let Some(buffer) = tables.buffers.gpu(buffer) {
                render.set_index_buffer(
                    buffer.slice(..),
                    match format {
                        IndexFormat::Uint16 => wgpu::IndexFormat::Uint16,
                        IndexFormat::Uint32 => wgpu::IndexFormat::Uint32,
                    },
                );
            }
        }
        Item::Viewport([x, y, width, height, near, far]) => render.set_viewport(x, y, width, height, near, far),
        Item::Scissor(rect) => render.set_scissor_rect(rect.x, rect.y, rect.width, rect.height),
        Item::BlendConstant([r, g, b, a]) => {
            render.set_blend_constant(wgpu::Color { r: r.into(), g: g.into(), b: b.into(), a: a.into() });
        }
        Item::StencilReference(reference) => render.set_stencil_reference(reference),
        Item::Draw { first, count, first_instance, instances } => {
            render.draw(first..first.saturating_add(count), first_instance..first_instance.saturating_add(instances));
        }
        Item::DrawIndexed { first, count, base_vertex, first_instance, instances } => render.draw_indexed(
            first..first.saturating_add(count),
            base_vertex,
            first_instance..first_instance.saturating_add(instances),
        ),
        Item::BeginQuery(index) => render.begin_occlusion_query(index),
        Item::EndQuery => render.end_occlusion_query(),
    }
}

fn store_op(store: bool) -> wgpu::StoreOp {
    if store { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard }
}
