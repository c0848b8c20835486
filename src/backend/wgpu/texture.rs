//! Images: storage, views, uploads.

use rustc_hash::FxHashMap;

use super::context::WgpuBackend;
use super::device::MemoryTicket;
use super::format::{TexelKind, stream_block_size, texel_kind, texture_format, view_dimension};
use super::pass::{BufferPlace, DepthTarget, Op, Pass, PassAttachment, TexturePlace};
use crate::gl::backend::BackendError;
use crate::gl::command::{Aspect, Attachment, ImageDesc, ImageDimension, ImageId, ImageRegion, ImageView};

/// Index into the image table; stable until the flush after the image's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageSlot(pub u32);

/// A view that shaders read: its name for ever, and its image.
#[derive(Clone, Debug)]
pub struct SampledView {
    pub uid: u64,
    pub image: ImageSlot,
    pub view: wgpu::TextureView,
    pub dimension: ImageDimension,
    pub kind: TexelKind,
    pub filterable: bool,
}

/// One image.
#[derive(Debug)]
pub struct Image {
    pub texture: wgpu::Texture,
    pub desc: ImageDesc,
    pub format: wgpu::TextureFormat,
    pub last_pass: u64,
    /// Names the contents: new whenever any texel may have changed.
    pub version: u64,
    /// Version of all levels and layers that `parts` does not name.
    rest: u64,
    parts: Vec<((u32, u32), u64)>,
    views: Vec<(ImageView, SampledView)>,
    attachments: Vec<((u32, u32), wgpu::TextureView)>,
    _memory: MemoryTicket,
}

impl Image {
    /// Width, height and layers or slices of a level.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        let shrink = |size: u32| size.checked_shr(level).unwrap_or(0).max(1);
        let depth = if self.desc.dimension == ImageDimension::D3 { shrink(self.desc.depth) } else { self.desc.depth };
        [shrink(self.desc.width), shrink(self.desc.height), depth.max(1)]
    }

    pub fn place(&self, region: ImageRegion) -> TexturePlace {
        TexturePlace {
            texture: self.texture.clone(),
            level: region.level,
            origin: region.origin,
            aspect: match region.aspect {
                Aspect::All => wgpu::TextureAspect::All,
                Aspect::Depth => wgpu::TextureAspect::DepthOnly,
                Aspect::Stencil => wgpu::TextureAspect::StencilOnly,
            },
        }
    }

    /// Contents of one level of a layer are new.
    pub fn renew(&mut self, level: u32, layer: u32, version: u64) {
        self.version = version;
        match self.parts.iter_mut().find(|(part, _)| *part == (level, layer)) {
            Some((_, known)) => *known = version,
            None => self.parts.push(((level, layer), version)),
        }
    }

    /// Contents of any part may be new.
    pub fn renew_all(&mut self, version: u64) {
        (self.version, self.rest) = (version, version);
        self.parts.clear();
    }

    pub fn version_of(&self, level: u32, layer: u32) -> u64 {
        self.parts.iter().find(|(part, _)| *part == (level, layer)).map_or(self.rest, |(_, version)| *version)
    }

    pub fn is_3d(&self) -> bool {
        self.desc.dimension == ImageDimension::D3
    }
}

/// All images of a context.
#[derive(Debug, Default)]
pub struct ImageTable {
    images: Vec<Option<Image>>,
    free: Vec<u32>,
    ids: FxHashMap<ImageId, ImageSlot>,
    retired: Vec<u32>,
}

impl ImageTable {
    pub fn slot(&self, id: ImageId) -> Result<ImageSlot, BackendError> {
        self.ids.get(&id).copied().ok_or_else(|| BackendError::Internal(format!("{id:?} does not exist")))
    }

    pub fn get(&self, slot: ImageSlot) -> Result<&Image, BackendError> {
        let image = self.images.get(slot.0 as usize).and_then(Option::as_ref);
        image.ok_or_else(|| BackendError::Internal(format!("{slot:?} is empty")))
    }

    pub fn get_mut(&mut self, slot: ImageSlot) -> Result<&mut Image, BackendError> {
        let image = self.images.get_mut(slot.0 as usize).and_then(Option::as_mut);
        image.ok_or_else(|| BackendError::Internal(format!("{slot:?} is empty")))
    }

    pub fn mark(&mut self, slot: ImageSlot, pass: u64) {
        if let Some(Some(image)) = self.images.get_mut(slot.0 as usize) {
            image.last_pass = pass;
        }
    }

    pub fn insert(&mut self, image: Image) -> ImageSlot {
        match self.free.pop() {
            Some(index) => {
                self.images[index as usize] = Some(image);
                ImageSlot(index)
            }
            None => {
                self.images.push(Some(image));
                ImageSlot(self.images.len() as u32 - 1)
            }
        }
    }

    /// Ends an image that has no id.
    pub fn retire(&mut self, slot: ImageSlot) {
        self.retired.push(slot.0);
    }

    /// Drops what recorded work no longer needs; gives the names of the views dropped to `dead`.
    pub fn release_retired(&mut self, mut dead: impl FnMut(u64)) {
        for index in self.retired.drain(..) {
            if let Some(image) = self.images[index as usize].take() {
                image.views.iter().for_each(|(_, view)| dead(view.uid));
                self.free.push(index);
            }
        }
    }
}

/// Bytes of one image in GPU memory, about.
fn image_bytes(desc: &ImageDesc, format: wgpu::TextureFormat) -> u64 {
    let (block_width, block_height) = format.block_dimensions();
    let block = match format {
        wgpu::TextureFormat::Depth24Plus | wgpu::TextureFormat::Depth24PlusStencil8 => 4,
        wgpu::TextureFormat::Depth32FloatStencil8 => 8,
        format => u64::from(format.block_copy_size(None).unwrap_or(4)),
    };
    (0..desc.levels)
        .map(|level| {
            let shrink = |size: u32| u64::from((size >> level.min(31)).max(1));
            let depth = if desc.dimension == ImageDimension::D3 { shrink(desc.depth) } else { u64::from(desc.depth) };
            let blocks =
                shrink(desc.width).div_ceil(block_width.into()) * shrink(desc.height).div_ceil(block_height.into());
            blocks.saturating_mul(depth).saturating_mul(block)
        })
        .fold(0u64, u64::saturating_add)
        .saturating_mul(desc.samples.max(1).into())
}

impl WgpuBackend {
    pub(super) fn create_image(&mut self, id: ImageId, desc: ImageDesc) -> Result<(), BackendError> {
        let slot = self.new_image(desc)?;
        if let Some(old) = self.images.ids.insert(id, slot) {
            self.images.retire(old);
        }
        self.clear_fresh_depth(slot)
    }

    /// Depth nobody wrote is far, as in browsers: programs test against buffers they never cleared (three.js' PMREM).
    fn clear_fresh_depth(&mut self, slot: ImageSlot) -> Result<(), BackendError> {
        let image = self.images.get(slot)?;
        let (format, desc) = (image.format, image.desc);
        if !format.has_depth_aspect() || !desc.renderable {
            return Ok(());
        }
        for level in 0..desc.levels.max(1) {
            let [width, height, _] = self.images.get(slot)?.level_size(level);
            for layer in 0..desc.depth.max(1) {
                let depth = DepthTarget {
                    attachment: self.attachment_of(slot, level, layer, false)?,
                    has_depth: true,
                    has_stencil: format.has_stencil_aspect(),
                    clear_depth: Some(1.0),
                    clear_stencil: format.has_stencil_aspect().then_some(0),
                    store: true,
                };
                let serial = self.next_serial();
                let pass = Pass { serial, depth: Some(depth), width, height, ..Pass::default() };
                self.push_before_pass(Op::Pass(Box::new(pass)));
            }
        }
        Ok(())
    }

    /// Storage without an id, for internal use too.
    pub(super) fn new_image(&mut self, desc: ImageDesc) -> Result<ImageSlot, BackendError> {
        let format = texture_format(desc.format);
        let memory = self.device.reserve(image_bytes(&desc, format), "an image")?;
        let features = self.device.adapter.get_texture_format_features(format);
        let copies = wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let shader = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT;
        let usage = (copies | shader) & features.allowed_usages;
        let is_3d = desc.dimension == ImageDimension::D3;
        let version = self.next_uid();
        let texture = self.device.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: desc.width, height: desc.height, depth_or_array_layers: desc.depth.max(1) },
            mip_level_count: desc.levels.max(1),
            sample_count: desc.samples.max(1),
            dimension: if is_3d { wgpu::TextureDimension::D3 } else { wgpu::TextureDimension::D2 },
            format,
            usage,
            view_formats: &[],
        });
        Ok(self.images.insert(Image {
            texture,
            desc,
            format,
            last_pass: 0,
            version,
            rest: version,
            parts: Vec::new(),
            views: Vec::new(),
            attachments: Vec::new(),
            _memory: memory,
        }))
    }

    /// Contents of any part of the image may be new.
    pub(super) fn renew_image(&mut self, slot: ImageSlot) {
        let version = self.next_uid();
        if let Ok(image) = self.images.get_mut(slot) {
            image.renew_all(version);
        }
    }

    pub(super) fn delete_image(&mut self, id: ImageId) {
        if let Some(slot) = self.images.ids.remove(&id) {
            self.images.retire(slot);
        }
    }

    /// The view for sampling; made once per image.
    pub(super) fn sampled_view(&mut self, key: ImageView) -> Result<SampledView, BackendError> {
        let slot = self.images.slot(key.image)?;
        self.sampled_view_of(slot, key)
    }

    /// The same by slot; `key.image` only tells views of one image apart.
    pub(super) fn sampled_view_of(&mut self, slot: ImageSlot, key: ImageView) -> Result<SampledView, BackendError> {
        let uid = self.next_uid();
        let device_features = self.device.features;
        let image = self.images.get_mut(slot)?;
        if let Some((_, view)) = image.views.iter().find(|(have, _)| *have == key) {
            return Ok(view.clone());
        }
        let stencil =
            image.format.has_stencil_aspect() && (key.aspect == Aspect::Stencil || !image.format.has_depth_aspect());
        let aspect = match (stencil, image.format.has_depth_aspect()) {
            (true, _) => wgpu::TextureAspect::StencilOnly,
            (false, true) => wgpu::TextureAspect::DepthOnly,
            _ => wgpu::TextureAspect::All,
        };
        let view = image.texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(view_dimension(key.dimension)),
            aspect,
            base_mip_level: key.base_level,
            mip_level_count: Some(key.levels),
            usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
            array_layer_count: (key.dimension == ImageDimension::D2).then_some(1),
            ..Default::default()
        });
        let kind = if stencil { TexelKind::Stencil } else { texel_kind(image.format) };
        let filterable = image.format.sample_type(Some(aspect), Some(device_features))
            == Some(wgpu::TextureSampleType::Float { filterable: true });
        let view = SampledView { uid, image: slot, view, dimension: key.dimension, kind, filterable };
        image.views.push((key, view.clone()));
        Ok(view)
    }

    /// The view of one level of one layer, for rendering to it.
    pub(super) fn attachment(&mut self, attachment: &Attachment) -> Result<PassAttachment, BackendError> {
        let slot = self.images.slot(attachment.image)?;
        self.attachment_of(slot, attachment.level, attachment.layer, attachment.has_alpha)
    }

    pub(super) fn attachment_of(
        &mut self,
        slot: ImageSlot,
        level: u32,
        layer: u32,
        has_alpha: bool,
    ) -> Result<PassAttachment, BackendError> {
        let image = self.images.get_mut(slot)?;
        let is_3d = image.is_3d();
        let depth_slice = is_3d.then_some(layer);
        let key = (level, if is_3d { 0 } else { layer });
        let view = match image.attachments.iter().find(|(have, _)| *have == key) {
            Some((_, view)) => view.clone(),
            None => {
                let view = image.texture.create_view(&wgpu::TextureViewDescriptor {
                    dimension: Some(if is_3d {
                        wgpu::TextureViewDimension::D3
                    } else {
                        wgpu::TextureViewDimension::D2
                    }),
                    base_mip_level: level,
                    mip_level_count: Some(1),
                    base_array_layer: key.1,
                    array_layer_count: (!is_3d).then_some(1),
                    usage: Some(wgpu::TextureUsages::RENDER_ATTACHMENT),
                    ..Default::default()
                });
                image.attachments.push((key, view.clone()));
                view
            }
        };
        Ok(PassAttachment { image: slot, level, layer, view, depth_slice, has_alpha })
    }

    /// A 2D view of one level of one layer (3D images: the whole level), for reading by `textureLoad`.
    pub(super) fn load_view(
        &self,
        slot: ImageSlot,
        level: u32,
        layer: u32,
        aspect: wgpu::TextureAspect,
    ) -> Result<wgpu::TextureView, BackendError> {
        let image = self.images.get(slot)?;
        let is_3d = image.is_3d();
        Ok(image.texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(if is_3d { wgpu::TextureViewDimension::D3 } else { wgpu::TextureViewDimension::D2 }),
            aspect,
            base_mip_level: level,
            mip_level_count: Some(1),
            base_array_layer: if is_3d { 0 } else { layer },
            array_layer_count: (!is_3d).then_some(1),
            usage: Some(wgpu::TextureUsages::TEXTURE_BINDING),
            ..Default::default()
        }))
    }

    pub(super) fn write_image(&mut self, id: ImageId, region: ImageRegion, bytes: &[u8]) -> Result<(), BackendError> {
        let slot = self.images.slot(id)?;
        if region.extent.contains(&0) {
            return Ok(());
        }
        if self.in_open_pass(self.images.get(slot)?.last_pass) {
            self.close_pass();
        }
        let image = self.images.get(slot)?;
        let format = image.format;
        let stencil = region.aspect == Aspect::Stencil || (format.has_stencil_aspect() && !format.has_depth_aspect());
        if format.has_depth_aspect() && format.has_stencil_aspect() && region.aspect == Aspect::All {
            // The depth plane comes first, then the stencil plane.
            let texels = region.extent.iter().map(|size| *size as usize).product::<usize>();
            let (depth, stencil) = bytes.split_at_checked(texels * 4).ok_or_else(|| short_data(bytes.len()))?;
            self.write_image(id, ImageRegion { aspect: Aspect::Depth, ..region }, depth)?;
            return self.write_image(id, ImageRegion { aspect: Aspect::Stencil, ..region }, stencil);
        }
        if format.has_depth_aspect() && !stencil {
            return self.write_depth(slot, region, bytes);
        }
        let size = image.level_size(region.level);
        if stencil && (region.extent[..2] != size[..2] || format.has_depth_aspect()) {
            return self.write_stencil(slot, region, bytes);
        }
        self.upload(slot, region, bytes, stencil)
    }

    /// Copies rows to the image through upload memory.
    pub(super) fn upload(
        &mut self,
        slot: ImageSlot,
        region: ImageRegion,
        bytes: &[u8],
        stencil: bool,
    ) -> Result<(), BackendError> {
        let format = self.images.get(slot)?.format;
        let layout = RowLayout::new(format, stencil, region.extent);
        if layout.tight_size() > bytes.len() as u64 {
            return Err(short_data(bytes.len()));
        }
        let (buffer, offset) = self.stage(layout.padded_size(), |staged| {
            let (tight, padded) = (layout.tight_row as usize, layout.padded_row as usize);
            if tight == padded {
                staged.copy_from(0, &bytes[..layout.tight_size() as usize]);
            } else {
                for (row, line) in bytes.chunks_exact(tight).take(layout.row_count() as usize).enumerate() {
                    staged.copy_from(row * padded, line);
                }
            }
        })?;
        self.renew_image(slot);
        let image = self.images.get(slot)?;
        let extent = layout.copy_extent(region);
        let op = Op::Upload { src: layout.place(buffer, offset), dst: image.place(region), extent };
        self.push_before_pass(op);
        Ok(())
    }
}

fn short_data(len: usize) -> BackendError {
    BackendError::Internal(format!("an image write carries only {len} bytes"))
}

/// How a box of texels lies in a buffer, in blocks; wgpu wants rows at multiples of 256 bytes.
#[derive(Clone, Copy, Debug)]
pub struct RowLayout {
    pub tight_row: u64,
    pub padded_row: u64,
    pub rows: u64,
    pub layers: u64,
    block: (u32, u32),
}

impl RowLayout {
    pub fn new(format: wgpu::TextureFormat, stencil: bool, extent: [u32; 3]) -> Self {
        let block = format.block_dimensions();
        let tight_row = u64::from(extent[0].div_ceil(block.0)) * u64::from(stream_block_size(format, stencil));
        Self {
            tight_row,
            padded_row: tight_row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT.into()),
            rows: extent[1].div_ceil(block.1).into(),
            layers: extent[2].into(),
            block,
        }
    }

    pub fn row_count(&self) -> u64 {
        self.rows * self.layers
    }

    pub fn tight_size(&self) -> u64 {
        self.tight_row.saturating_mul(self.row_count())
    }

    pub fn padded_size(&self) -> u64 {
        self.padded_row.saturating_mul(self.row_count())
    }

    pub fn place(&self, buffer: wgpu::Buffer, offset: u64) -> BufferPlace {
        BufferPlace { buffer, offset, bytes_per_row: self.padded_row as u32, rows_per_image: self.rows as u32 }
    }

    /// The copy's extent: whole blocks, as wgpu wants at the edge of a level.
    pub fn copy_extent(&self, region: ImageRegion) -> wgpu::Extent3d {
        wgpu::Extent3d {
            width: region.extent[0].next_multiple_of(self.block.0),
            height: region.extent[1].next_multiple_of(self.block.1),
            depth_or_array_layers: region.extent[2],
        }
    }

    /// Rows without their padding.
    pub fn tighten(&self, padded: &[u8]) -> Vec<u8> {
        let mut tight = Vec::with_capacity(self.tight_size() as usize);
        for row in padded.chunks(self.padded_row.max(1) as usize).take(self.row_count() as usize) {
            tight.extend_from_slice(&row[..(self.tight_row as usize).min(row.len())]);
        }
        tight
    }
}
