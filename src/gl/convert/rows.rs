//! Row converters: one client (format, type) row to one row of a storage format.

use bytemuck::Pod;
use half::f16;

use super::packed;
use crate::gl::format::StorageFormat as F;
use crate::gl::formats::{BaseFormat, FormatInfo, PixelFormat as P, PixelType as T};

/// A row of client pixels to a row of texels.
type RowFunction = fn(&[u8], &mut [u8]);

/// Converts whole rows; both slices hold the same number of pixels.
#[derive(Clone, Copy, Debug)]
pub struct RowConverter {
    function: RowFunction,
    /// Bytes of a client pixel.
    pub source_size: u32,
    /// Bytes of a storage texel.
    pub destination_size: u32,
    /// The conversion is a plain copy.
    pub copies: bool,
}

impl RowConverter {
    #[inline]
    pub fn convert(&self, source: &[u8], destination: &mut [u8]) {
        (self.function)(source, destination);
    }
}

/// How one component travels. `ONE` is an absent alpha in the destination's terms.
trait Component {
    type Source: Pod;
    type Destination: Pod + Default;
    const ONE: Self::Destination;
    fn map(value: Self::Source) -> Self::Destination;
}

macro_rules! component {
    ($name:ident, $source:ty => $destination:ty, $one:expr, $map:expr) => {
        struct $name;
        impl Component for $name {
            type Source = $source;
            type Destination = $destination;
            const ONE: $destination = $one;
            #[inline(always)]
            fn map(value: $source) -> $destination {
                let map: fn($source) -> $destination = $map;
                map(value)
            }
        }
    };
}

component!(Unorm8, u8 => u8, 0xff, |v| v);
component!(Snorm8, u8 => u8, 0x7f, |v| v);
component!(Int8, u8 => u8, 1, |v| v);
component!(Unorm16, u16 => u16, 0xffff, |v| v);
component!(Snorm16, u16 => u16, 0x7fff, |v| v);
component!(Int16, u16 => u16, 1, |v| v);
component!(Half, u16 => u16, 0x3c00, |v| v);
component!(Single, u32 => u32, 0x3f80_0000, |v| v);
component!(Int32, u32 => u32, 1, |v| v);
component!(SingleToHalf, f32 => u16, 0x3c00, |v| f16::from_f32(v).to_bits());

#[inline(always)]
fn read<V: Pod, const N: usize>(pixel: &[u8]) -> [V; N]
where
    [V; N]: Pod,
{
    bytemuck::pod_read_unaligned(pixel)
}

macro_rules! spread {
    ($(#[$doc:meta])* $name:ident, $n:literal => $m:literal, |$s:ident, $one:ident, $zero:ident| $result:expr) => {
        $(#[$doc])*
        fn $name<C: Component>(source: &[u8], destination: &mut [u8])
        where
            [C::Source; $n]: Pod,
            [C::Destination; $m]: Pod,
        {
            let source_size = size_of::<[C::Source; $n]>();
            let destination_size = size_of::<[C::Destination; $m]>();
            #[allow(unused_variables, reason = "not every pattern has an absent channel")]
            let ($one, $zero) = (C::ONE, C::Destination::default());
            for (from, to) in source.chunks_exact(source_size).zip(destination.chunks_exact_mut(destination_size)) {
                let $s = read::<C::Source, $n>(from).map(C::map);
                let texel: [C::Destination; $m] = $result;
                to.copy_from_slice(bytemuck::bytes_of(&texel));
            }
        }
    };
}

spread!(r_to_r, 1 => 1, |s, one, zero| s);
spread!(rg_to_rg, 2 => 2, |s, one, zero| s);
spread!(rgba_to_rgba, 4 => 4, |s, one, zero| s);
spread!(rgb_to_rgba, 3 => 4, |s, one, zero| [s[0], s[1], s[2], one]);
spread!(l_to_rgba, 1 => 4, |s, one, zero| [s[0], s[0], s[0], one]);
spread!(la_to_rgba, 2 => 4, |s, one, zero| [s[0], s[0], s[0], s[1]]);
spread!(a_to_rgba, 1 => 4, |s, one, zero| [zero, zero, zero, s[0]]);

fn copy(source: &[u8], destination: &mut [u8]) {
    let length = source.len().min(destination.len());
    destination[..length].copy_from_slice(&source[..length]);
}

macro_rules! packed_row {
    ($name:ident, $source:ty => $n:literal, |$pixel:ident| $result:expr) => {
        fn $name(source: &[u8], destination: &mut [u8]) {
            for (from, to) in source.chunks_exact(size_of::<$source>()).zip(destination.chunks_exact_mut($n)) {
                let $pixel: $source = bytemuck::pod_read_unaligned(from);
                to.copy_from_slice(&$result);
            }
        }
    };
}

packed_row!(from_565, u16 => 4, |pixel| packed::unpack_565(pixel));
packed_row!(from_4444, u16 => 4, |pixel| packed::unpack_4444(pixel));
packed_row!(from_5551, u16 => 4, |pixel| packed::unpack_5551(pixel));
packed_row!(from_2101010, u32 => 4, |pixel| packed::unpack_2101010_unorm8(pixel));
packed_row!(float_to_11f, [f32; 3] => 4, |pixel| packed::pack_11f11f10f(pixel).to_ne_bytes());
packed_row!(half_to_11f, [f16; 3] => 4, |pixel| packed::pack_11f11f10f(pixel.map(f16::to_f32)).to_ne_bytes());
packed_row!(float_to_9e5, [f32; 3] => 4, |pixel| packed::pack_9e5(pixel).to_ne_bytes());
packed_row!(half_to_9e5, [f16; 3] => 4, |pixel| packed::pack_9e5(pixel.map(f16::to_f32)).to_ne_bytes());

fn spread_for<C: Component>(base: BaseFormat, channels: u32) -> Option<RowFunction>
where
    [C::Source; 1]: Pod,
    [C::Source; 2]: Pod,
    [C::Source; 3]: Pod,
    [C::Source; 4]: Pod,
    [C::Destination; 1]: Pod,
    [C::Destination; 2]: Pod,
    [C::Destination; 4]: Pod,
{
    Some(match (base, channels) {
        (BaseFormat::Luminance, 1) => l_to_rgba::<C>,
        (BaseFormat::LuminanceAlpha, 2) => la_to_rgba::<C>,
        (BaseFormat::Alpha, 1) => a_to_rgba::<C>,
        (BaseFormat::Red, 1) => r_to_r::<C>,
        (BaseFormat::Rg, 2) => rg_to_rg::<C>,
        (BaseFormat::Rgb, 3) => rgb_to_rgba::<C>,
        (BaseFormat::Rgba, 4) => rgba_to_rgba::<C>,
        _ => return None,
    })
}

/// The converter for a pair that the format table allows for `info`; `None` for other pairs and for depth formats,
/// which `depth` converts.
pub fn converter(info: &FormatInfo, format: P, ty: T) -> Option<RowConverter> {
    let source_size = ty.pixel_size(format);
    let destination_size = info.texel_size();
    let channels = format.components();
    let function = match (info.storage, ty) {
        (F::Rgba8Unorm, T::UnsignedShort565) => Some(from_565 as RowFunction),
        (F::Rgba8Unorm, T::UnsignedShort4444) => Some(from_4444 as _),
        (F::Rgba8Unorm, T::UnsignedShort5551) => Some(from_5551 as _),
        (F::Rgba8Unorm, T::UnsignedInt2101010Rev) => Some(from_2101010 as _),
        (F::Rgb10a2Unorm | F::Rgb10a2Uint, T::UnsignedInt2101010Rev)
        | (F::Rg11b10Ufloat, T::UnsignedInt10F11F11FRev)
        | (F::Rgb9e5Ufloat, T::UnsignedInt5999Rev) => Some(copy as _),
        (F::Rg11b10Ufloat, T::Float) => Some(float_to_11f as _),
        (F::Rg11b10Ufloat, T::HalfFloat) => Some(half_to_11f as _),
        (F::Rgb9e5Ufloat, T::Float) => Some(float_to_9e5 as _),
        (F::Rgb9e5Ufloat, T::HalfFloat) => Some(half_to_9e5 as _),
        (F::R8Unorm | F::Rg8Unorm | F::Rgba8Unorm | F::Rgba8UnormSrgb, T::UnsignedByte) => {
            spread_for::<Unorm8>(info.base, channels)
        }
        (F::R8Snorm | F::Rg8Snorm | F::Rgba8Snorm, T::Byte) => spread_for::<Snorm8>(info.base, channels),
        (F::R8Uint | F::Rg8Uint | F::Rgba8Uint, T::UnsignedByte) | (F::R8Sint | F::Rg8Sint | F::Rgba8Sint, T::Byte) => {
            spread_for::<Int8>(info.base, channels)
        }
        (F::R16Unorm | F::Rg16Unorm | F::Rgba16Unorm, T::UnsignedShort) => spread_for::<Unorm16>(info.base, channels),
        (F::R16Snorm | F::Rg16Snorm | F::Rgba16Snorm, T::Short) => spread_for::<Snorm16>(info.base, channels),
        (F::R16Uint | F::Rg16Uint | F::Rgba16Uint, T::UnsignedShort)
        | (F::R16Sint | F::Rg16Sint | F::Rgba16Sint, T::Short) => spread_for::<Int16>(info.base, channels),
        (F::R16Float | F::Rg16Float | F::Rgba16Float, T::HalfFloat) => spread_for::<Half>(info.base, channels),
        (F::R16Float | F::Rg16Float | F::Rgba16Float, T::Float) => spread_for::<SingleToHalf>(info.base, channels),
        (F::R32Float | F::Rg32Float | F::Rgba32Float, T::Float) => spread_for::<Single>(info.base, channels),
        (F::R32Uint | F::Rg32Uint | F::Rgba32Uint, T::UnsignedInt)
        | (F::R32Sint | F::Rg32Sint | F::Rgba32Sint, T::Int) => spread_for::<Int32>(info.base, channels),
        _ => None,
    }?;
    // A spread that keeps its channels and their size changes nothing.
    let same_channels = matches!(info.base, BaseFormat::Red | BaseFormat::Rg | BaseFormat::Rgba);
    let copies = source_size == destination_size
        && match ty {
            T::UnsignedInt2101010Rev | T::UnsignedInt10F11F11FRev | T::UnsignedInt5999Rev => {
                info.storage != F::Rgba8Unorm
            }
            _ => !ty.is_packed() && same_channels,
        };
    let function = if copies { copy as RowFunction } else { function };
    Some(RowConverter { function, source_size, destination_size, copies })
}

pub(super) fn from_function(
    function: RowFunction,
    source_size: u32,
    destination_size: u32,
    copies: bool,
) -> RowConverter {
    RowConverter { function, source_size, destination_size, copies }
}
