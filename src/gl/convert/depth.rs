//! Depth and stencil uploads: the two planes, each tightly packed, as `Command::WriteImage` wants them.

use super::{MemoryLayout, clamp_number};
use crate::gl::format::StorageFormat as F;
use crate::gl::formats::PixelType as T;

/// Depth values in the storage format's plane (u16 for `Depth16Unorm`, else f32) and, for packed formats, stencil.
#[derive(Debug, Default, PartialEq)]
pub struct Planes {
    pub depth: Vec<u8>,
    pub stencil: Option<Vec<u8>>,
}

/// Splits a box of depth pixels of type `ty` for an image of format `storage`. `flip_y` as for colour.
pub fn planes(source: &[u8], layout: &MemoryLayout, storage: F, ty: T, flip_y: bool) -> Planes {
    let pixels = layout.width as usize * layout.height as usize * layout.depth as usize;
    let sixteen = storage == F::Depth16Unorm;
    let mut depth = Vec::with_capacity(pixels * if sixteen { 2 } else { 4 });
    let has_stencil = matches!(ty, T::UnsignedInt248 | T::Float32UnsignedInt248Rev);
    let mut stencil = has_stencil.then(|| Vec::with_capacity(pixels));
    let size = ty.size() as usize;
    let zero = vec![0; layout.width as usize * size];
    for z in 0..layout.depth as usize {
        for y in 0..layout.height as usize {
            let y = if flip_y { layout.height as usize - 1 - y } else { y };
            let row = layout.row(source, y, z).unwrap_or(&zero);
            for pixel in row.chunks_exact(size) {
                let word = match size {
                    2 => u32::from(u16::from_ne_bytes([pixel[0], pixel[1]])),
                    _ => u32::from_ne_bytes([pixel[0], pixel[1], pixel[2], pixel[3]]),
                };
                let value = match ty {
                    T::UnsignedShort if sixteen => {
                        depth.extend_from_slice(&(word as u16).to_ne_bytes());
                        continue;
                    }
                    T::UnsignedInt if sixteen => {
                        depth.extend_from_slice(&((word >> 16) as u16).to_ne_bytes());
                        continue;
                    }
                    T::UnsignedShort => f64::from(word) / f64::from(u16::MAX),
                    T::UnsignedInt => f64::from(word) / f64::from(u32::MAX),
                    T::UnsignedInt248 => {
                        if let Some(stencil) = &mut stencil {
                            stencil.push(word as u8);
                        }
                        f64::from(word >> 8) / f64::from(0x00ff_ffff)
                    }
                    T::Float32UnsignedInt248Rev => {
                        if let Some(stencil) = &mut stencil {
                            stencil.push(pixel[4]);
                        }
                        f64::from(f32::from_bits(word))
                    }
                    _ => f64::from(f32::from_bits(word)),
                };
                depth.extend_from_slice(&clamp_number(value as f32, 0.0, 1.0).to_ne_bytes());
            }
        }
    }
    Planes { depth, stencil }
}
