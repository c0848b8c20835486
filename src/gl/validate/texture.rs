//! Arguments of the texture calls.

use crate::gl::caps::Limits;
use crate::gl::constants as c;
use crate::gl::enums::TextureTarget;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{FormatInfo, PixelType};
use crate::gl::objects::texture::{Texture, full_chain};

/// Largest image this engine makes on script's word; beyond it OUT_OF_MEMORY.
const MAX_IMAGE_BYTES: u64 = 1 << 30;

/// Target of an image call: a texture target and, for cube maps, the face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageTarget {
    pub target: TextureTarget,
    pub face: u32,
}

/// Targets of the 2D image calls.
pub fn image_target_2d(value: u32) -> GlResult<ImageTarget> {
    match value {
        c::TEXTURE_2D => Ok(ImageTarget { target: TextureTarget::D2, face: 0 }),
        c::TEXTURE_CUBE_MAP_POSITIVE_X..=c::TEXTURE_CUBE_MAP_NEGATIVE_Z => {
            Ok(ImageTarget { target: TextureTarget::Cube, face: value - c::TEXTURE_CUBE_MAP_POSITIVE_X })
        }
        _ => Err(GlError::invalid_enum("invalid texture target")),
    }
}

/// Targets of the 3D image calls.
pub fn image_target_3d(value: u32) -> GlResult<ImageTarget> {
    match value {
        c::TEXTURE_3D => Ok(ImageTarget { target: TextureTarget::D3, face: 0 }),
        c::TEXTURE_2D_ARRAY => Ok(ImageTarget { target: TextureTarget::D2Array, face: 0 }),
        _ => Err(GlError::invalid_enum("invalid texture target")),
    }
}

/// Binding target of the version.
pub fn texture_target(value: u32, webgl2: bool) -> GlResult<TextureTarget> {
    TextureTarget::from_gl(value)
        .filter(|target| webgl2 || matches!(target, TextureTarget::D2 | TextureTarget::Cube))
        .ok_or_else(|| GlError::invalid_enum("invalid texture target"))
}

/// Longest side of level 0 for a target.
fn max_side(target: TextureTarget, limits: &Limits) -> u32 {
    match target {
        TextureTarget::D2 | TextureTarget::D2Array => limits.max_texture_size,
        TextureTarget::Cube => limits.max_cube_map_texture_size,
        TextureTarget::D3 => limits.max_3d_texture_size,
    }
}

/// A level index.
pub fn level(target: TextureTarget, level: i32, limits: &Limits) -> GlResult<u32> {
    let max = max_side(target, limits).max(1).ilog2();
    u32::try_from(level)
        .ok()
        .filter(|level| *level <= max)
        .ok_or_else(|| GlError::invalid_value("level is negative or too large"))
}

/// The size of a new level: sides, cube squareness, WebGL 1's NPOT rule.
pub fn level_size(
    target: TextureTarget,
    level: u32,
    size: [i32; 3],
    limits: &Limits,
    webgl2: bool,
) -> GlResult<[u32; 3]> {
    let mut sides = [0; 3];
    for (side, given) in sides.iter_mut().zip(size) {
        *side = u32::try_from(given).map_err(|_| GlError::invalid_value("width, height or depth is negative"))?;
    }
    let max = (max_side(target, limits) >> level).max(1);
    let max_depth = match target {
        TextureTarget::D3 => max,
        TextureTarget::D2Array => limits.max_array_texture_layers,
        _ => 1,
    };
    if sides[0] > max || sides[1] > max || sides[2] > max_depth {
        return Err(GlError::invalid_value("width, height or depth is too large"));
    }
    if target == TextureTarget::Cube && sides[0] != sides[1] {
        return Err(GlError::invalid_value("cube map faces must be square"));
    }
    if !webgl2 && level > 0 && sides[..2].iter().any(|side| *side != 0 && !side.is_power_of_two()) {
        return Err(GlError::invalid_value("level > 0 is not a power of two"));
    }
    Ok(sides)
}

/// Does an image of that size fit? OUT_OF_MEMORY if not.
pub fn memory(info: &FormatInfo, size: [u32; 3]) -> GlResult<()> {
    let [width, height, depth] = size;
    let bytes = match info.block {
        Some(block) => block.image_size(width, height, depth),
        None => {
            let texels = u64::from(width) * u64::from(height);
            texels.saturating_mul(u64::from(depth)).saturating_mul(u64::from(info.texel_size()))
        }
    };
    if bytes > MAX_IMAGE_BYTES { Err(GlError::out_of_memory("the image is too large")) } else { Ok(()) }
}

/// The same for a level of a texture: all six faces of a cube count.
pub fn texture_memory(target: TextureTarget, info: &FormatInfo, size: [u32; 3]) -> GlResult<()> {
    let [width, height, depth] = size;
    memory(info, [width, height, if target == TextureTarget::Cube { 6 } else { depth }])
}

/// A box inside a defined level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubBox {
    pub offset: [u32; 3],
    pub size: [u32; 3],
}

/// Offsets and sizes of a sub-image call against the level's size.
pub fn sub_box(offset: [i32; 3], size: [i32; 3], level_size: [u32; 3]) -> GlResult<SubBox> {
    let mut found = SubBox { offset: [0; 3], size: [0; 3] };
    for axis in 0..3 {
        let (Ok(start), Ok(length)) = (u32::try_from(offset[axis]), u32::try_from(size[axis])) else {
            return Err(GlError::invalid_value("an offset or a size is negative"));
        };
        if u64::from(start) + u64::from(length) > u64::from(level_size[axis]) {
            return Err(GlError::invalid_value("the region exceeds the texture level"));
        }
        found.offset[axis] = start;
        found.size[axis] = length;
    }
    Ok(found)
}

/// Compressed sub-images start at block corners and end at block corners or the level's edge.
pub fn block_aligned(sub: &SubBox, level_size: [u32; 3], info: &FormatInfo) -> GlResult<()> {
    let Some(block) = info.block else { return Ok(()) };
    for (axis, side) in [(0, block.width), (1, block.height)] {
        let end = sub.offset[axis] + sub.size[axis];
        if !sub.offset[axis].is_multiple_of(side) || (!sub.size[axis].is_multiple_of(side) && end != level_size[axis]) {
            return Err(GlError::invalid_operation("the region is not aligned to compressed blocks"));
        }
    }
    Ok(())
}

/// `texStorage*`: levels and size.
pub fn storage_size(target: TextureTarget, levels: i32, size: [i32; 3], limits: &Limits) -> GlResult<(u32, [u32; 3])> {
    if levels < 1 || size.iter().any(|side| *side < 1) {
        return Err(GlError::invalid_value("levels and sizes must be at least 1"));
    }
    let sides = level_size(target, 0, size, limits, true)?;
    let levels = levels as u32;
    if levels > full_chain(sides, target == TextureTarget::D3) {
        return Err(GlError::invalid_operation("too many levels for the size"));
    }
    Ok((levels, sides))
}

/// Depth and compressed formats fit only some targets.
pub fn format_fits_target(info: &FormatInfo, target: TextureTarget) -> GlResult<()> {
    use crate::gl::format::StorageFormat as F;
    if target == TextureTarget::D3 {
        if !info.is_color() {
            return Err(GlError::invalid_operation("depth formats do not fit TEXTURE_3D"));
        }
        // ES 3.0.6 §3.8.4 leaves 3D compressed images to extensions; those of BPTC alone allow them in WebGL.
        let volume = matches!(info.storage, F::Bc7RgbaUnorm | F::Bc7RgbaUnormSrgb | F::Bc6hRgbFloat | F::Bc6hRgbUfloat);
        if info.is_compressed() && !volume {
            return Err(GlError::invalid_operation("the compressed format does not fit TEXTURE_3D"));
        }
    }
    Ok(())
}

/// Redefining levels of an immutable texture.
pub fn mutable(texture: &Texture) -> GlResult<()> {
    match texture.immutable_levels {
        Some(_) => Err(GlError::invalid_operation("the texture is immutable")),
        None => Ok(()),
    }
}

pub fn border(border: i32) -> GlResult<()> {
    if border == 0 { Ok(()) } else { Err(GlError::invalid_value("border must be 0")) }
}

/// Element types of the views that script hands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayKind {
    I8,
    U8,
    U8Clamped,
    I16,
    U16,
    F16,
    I32,
    U32,
    F32,
    /// `DataView`, or a kind WebGL has no use for.
    Other,
}

/// WebGL 2 §3.7.6: the view's type must be the one of `type`.
pub fn array_kind_fits(kind: ArrayKind, ty: PixelType) -> GlResult<()> {
    use ArrayKind as K;
    use PixelType as T;
    let fits = match ty {
        T::Byte => kind == K::I8,
        T::UnsignedByte => matches!(kind, K::U8 | K::U8Clamped),
        T::Short => kind == K::I16,
        T::UnsignedShort | T::UnsignedShort565 | T::UnsignedShort4444 | T::UnsignedShort5551 => kind == K::U16,
        T::HalfFloat => matches!(kind, K::U16 | K::F16),
        T::Int => kind == K::I32,
        T::UnsignedInt
        | T::UnsignedInt2101010Rev
        | T::UnsignedInt10F11F11FRev
        | T::UnsignedInt5999Rev
        | T::UnsignedInt248 => kind == K::U32,
        T::Float => kind == K::F32,
        // Only null is allowed for this type.
        T::Float32UnsignedInt248Rev => false,
    };
    if fits { Ok(()) } else { Err(GlError::invalid_operation("the view's type does not fit `type`")) }
}
