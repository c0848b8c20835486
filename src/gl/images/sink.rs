//! Where image commands go.

use crate::gl::caps::ExtensionSet;
use crate::gl::command::{
    Aspect, Blit, BlitSide, Command, CommandStream, DataRange, Filter, ImageDesc, ImageDimension, ImageId, ImageRegion,
    ImageView, SamplerDesc, WrapMode,
};
use crate::gl::context::IdCounters;
use crate::gl::format::StorageFormat;
use crate::gl::formats::{BaseFormat, ComponentClass, Features, FormatInfo, storage_renderable};
use crate::gl::images::waiting::Waiting;
use crate::shader::hir::{SamplerDimension, SamplerType, Scalar};

/// Images that belong to no GL object, and the counter that dates what was resolved from images.
#[derive(Debug, Default)]
pub struct ImageStore {
    /// Goes up whenever an image behind an attachment may have changed; caches of framebuffers compare it.
    pub epoch: u64,
    /// Format features as last computed, and the extensions they stand for.
    pub(crate) features: Option<(ExtensionSet, Features)>,
    /// Texels of levels that no image holds yet.
    pub waiting: Waiting,
    /// One texel: transparent zero, opaque black.
    fill: [Option<ImageId>; 2],
    /// What incomplete textures sample, by dimension and kind.
    black: Vec<(ImageDimension, StorageFormat, ImageId)>,
}

/// Borrowed parts of a context that image work needs.
pub struct ImageSink<'a> {
    pub stream: &'a mut CommandStream,
    pub ids: &'a mut IdCounters,
    pub store: &'a mut ImageStore,
    /// R11F_G11F_B10F can be drawn into.
    pub rg11b10: bool,
}

/// Contents of a new region.
#[derive(Clone, Debug, PartialEq)]
pub enum Pixels {
    /// Zero; alpha 1 where the GL format has none.
    Zero,
    /// Converted texels; for depth formats the depth plane and, if any, the stencil plane.
    Bytes { color_or_depth: Vec<u8>, stencil: Option<Vec<u8>> },
}

impl Pixels {
    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Zero => 0,
            Self::Bytes { color_or_depth, stencil } => {
                (color_or_depth.len() + stencil.as_ref().map_or(0, Vec::len)) as u64
            }
        }
    }
}

/// Storage whose unused alpha must hold 1.
fn needs_opaque(info: &FormatInfo) -> bool {
    info.is_color()
        && !info.is_compressed()
        && matches!(info.base, BaseFormat::Rgb | BaseFormat::Luminance)
        && !matches!(info.storage, StorageFormat::Rg11b10Ufloat | StorageFormat::Rgb9e5Ufloat)
}

/// One texel of `info` that reads as zero with alpha 1 (or 0 if the format has alpha).
fn zero_texel(info: &FormatInfo) -> Vec<u8> {
    let size = info.texel_size() as usize;
    let mut texel = vec![0; size];
    if needs_opaque(info) {
        let channel = size / 4;
        let one: u32 = match (info.class, channel) {
            (ComponentClass::Unorm, 1) => 0xff,
            (ComponentClass::Snorm, 1) => 0x7f,
            (ComponentClass::Unorm, _) => 0xffff,
            (ComponentClass::Snorm, _) => 0x7fff,
            (ComponentClass::Float, 2) => 0x3c00,
            (ComponentClass::Float, _) => 0x3f80_0000,
            (ComponentClass::Uint | ComponentClass::Sint, _) => 1,
        };
        texel[3 * channel..].copy_from_slice(&one.to_le_bytes()[..channel]);
    }
    texel
}

impl ImageSink<'_> {
    /// A new image, all zero but depth, which is far: `fill_zero` must follow for formats without alpha unless every texel gets written.
    pub fn create(
        &mut self,
        info: &FormatInfo,
        dimension: ImageDimension,
        size: [u32; 3],
        levels: u32,
        samples: u32,
    ) -> ImageId {
        let id = self.ids.image();
        let [width, height, depth] = size;
        let depth = if dimension == ImageDimension::Cube { 6 } else { depth };
        let renderable = storage_renderable(info.storage, self.rg11b10);
        self.stream.commands.push(Command::CreateImage {
            id,
            desc: ImageDesc { dimension, format: info.storage, width, height, depth, levels, samples, renderable },
        });
        id
    }

    pub fn delete(&mut self, id: ImageId) {
        self.stream.commands.push(Command::DeleteImage { id });
        self.store.epoch += 1;
    }

    pub fn write_range(&mut self, id: ImageId, region: ImageRegion, data: DataRange) {
        self.stream.commands.push(Command::WriteImage { id, region, data });
    }

    /// Writes texels that are already in the storage format.
    pub fn write(&mut self, id: ImageId, region: ImageRegion, bytes: &[u8]) {
        if region.extent.contains(&0) {
            return;
        }
        let data = self.stream.push_data(bytes);
        self.write_range(id, region, data);
    }

    /// Fills a box: both planes of depth-stencil formats.
    pub fn fill(&mut self, id: ImageId, info: &FormatInfo, region: ImageRegion, pixels: &Pixels) {
        match pixels {
            Pixels::Zero => self.fill_zero(id, info, region),
            Pixels::Bytes { color_or_depth, stencil } => {
                let aspect = if info.has_depth() { Aspect::Depth } else { Aspect::All };
                self.write(id, ImageRegion { aspect, ..region }, color_or_depth);
                if let Some(stencil) = stencil {
                    self.write(id, ImageRegion { aspect: Aspect::Stencil, ..region }, stencil);
                }
            }
        }
    }

    /// A fresh level only needs work where the format lacks an alpha channel that its storage has.
    pub fn fill_fresh(&mut self, id: ImageId, info: &FormatInfo, region: ImageRegion, pixels: &Pixels) {
        if *pixels != Pixels::Zero || needs_opaque(info) {
            self.fill(id, info, region, pixels);
        }
    }

    /// Makes a box read zero, alpha 1 where the format has none.
    fn fill_zero(&mut self, id: ImageId, info: &FormatInfo, region: ImageRegion) {
        let texels = region.extent.iter().map(|side| u64::from(*side)).product::<u64>();
        // Small boxes are written; so are those that cannot be drawn to.
        let drawable = info.is_color()
            && !info.is_integer()
            && storage_renderable(info.storage, self.rg11b10)
            && !info.is_compressed();
        if texels > 256 && drawable {
            let src = self.fill_image(needs_opaque(info));
            let [x, y, layer] = region.origin;
            let [width, height, depth] = region.extent;
            for z in 0..depth {
                self.stream.commands.push(Command::Blit(Blit {
                    src: BlitSide { image: src, level: 0, layer: 0, rect: [0, 0, 1, 1] },
                    dst: BlitSide {
                        image: id,
                        level: region.level,
                        layer: layer + z,
                        rect: [x as i32, y as i32, (x + width) as i32, (y + height) as i32],
                    },
                    aspect: Aspect::All,
                    filter: Filter::Nearest,
                    scissor: None,
                    dst_has_alpha: true,
                }));
            }
            return;
        }
        if let Some(block) = info.block {
            let [width, height, depth] = region.extent;
            let bytes = vec![0; block.image_size(width, height, depth) as usize];
            self.write(id, region, &bytes);
            return;
        }
        let texel = zero_texel(info);
        let aspect = if info.has_depth() { Aspect::Depth } else { Aspect::All };
        if !(info.is_color() || info.has_depth()) {
            let bytes = vec![0; texels as usize];
            return self.write(id, ImageRegion { aspect: Aspect::Stencil, ..region }, &bytes);
        }
        self.write(id, ImageRegion { aspect, ..region }, &texel.repeat(texels as usize));
        if info.has_depth() && info.has_stencil() {
            let bytes = vec![0; texels as usize];
            self.write(id, ImageRegion { aspect: Aspect::Stencil, ..region }, &bytes);
        }
    }

    fn fill_image(&mut self, opaque: bool) -> ImageId {
        if let Some(id) = self.store.fill[usize::from(opaque)] {
            return id;
        }
        let id =
            self.one_texel(ImageDimension::D2, StorageFormat::Rgba8Unorm, &[0, 0, 0, if opaque { 255 } else { 0 }]);
        self.store.fill[usize::from(opaque)] = Some(id);
        id
    }

    fn one_texel(&mut self, dimension: ImageDimension, format: StorageFormat, texel: &[u8]) -> ImageId {
        let id = self.ids.image();
        let depth = if dimension == ImageDimension::Cube { 6 } else { 1 };
        self.stream.commands.push(Command::CreateImage {
            id,
            desc: ImageDesc {
                dimension,
                format,
                width: 1,
                height: 1,
                depth,
                levels: 1,
                samples: 1,
                renderable: format == StorageFormat::Depth32Float,
            },
        });
        let aspect = if format == StorageFormat::Depth32Float { Aspect::Depth } else { Aspect::All };
        let region = ImageRegion { level: 0, origin: [0; 3], extent: [1, 1, depth], aspect };
        // No comparison looks at the depth.
        if aspect == Aspect::All {
            self.write(id, region, &texel.repeat(depth as usize));
        }
        id
    }

    /// What an incomplete or missing texture samples: (0, 0, 0, 1) (ES 3.0 §3.8.13).
    pub fn black(&mut self, ty: SamplerType) -> (ImageView, SamplerDesc) {
        let dimension = match ty.dimension {
            SamplerDimension::D2 => ImageDimension::D2,
            SamplerDimension::Cube => ImageDimension::Cube,
            SamplerDimension::D3 => ImageDimension::D3,
            SamplerDimension::D2Array => ImageDimension::D2Array,
        };
        let (format, texel) = match ty.sampled {
            _ if ty.shadow => (StorageFormat::Depth32Float, [0, 0, 0, 0]),
            Scalar::Int => (StorageFormat::Rgba8Sint, [0, 0, 0, 1]),
            Scalar::Uint => (StorageFormat::Rgba8Uint, [0, 0, 0, 1]),
            _ => (StorageFormat::Rgba8Unorm, [0, 0, 0, 255]),
        };
        let found =
            self.store.black.iter().find(|entry| entry.0 == dimension && entry.1 == format).map(|entry| entry.2);
        let image = match found {
            Some(id) => id,
            None => {
                let id = self.one_texel(dimension, format, &texel);
                self.store.black.push((dimension, format, id));
                id
            }
        };
        let view = ImageView {
            image,
            dimension,
            base_level: 0,
            levels: 1,
            aspect: if ty.shadow { Aspect::Depth } else { Aspect::All },
        };
        let sampler = SamplerDesc {
            wrap: [WrapMode::ClampToEdge; 3],
            mag: Filter::Nearest,
            min: Filter::Nearest,
            mip: None,
            lod_min_milli: 0,
            lod_max_milli: 0,
            max_anisotropy: 1,
            compare: ty.shadow.then_some(crate::gl::command::CompareFunction::Never),
        };
        (view, sampler)
    }
}
