//! Which shots every image holds.

use rustc_hash::FxHashMap;

use super::reach::{self, Reach};
use super::shot::ShotKey;
use crate::gl::command::{Aspect, Blit, Clear, ImageDesc, ImageId, Rect, RenderTargets};
use crate::gl::formats::{storage_block, storage_memory_size};

/// A shot's part of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub shot: ShotKey,
    pub frame: u64,
    /// Left, bottom, right, top, in parts of the image.
    pub region: [f32; 4],
    /// Most pixels that can be of it.
    pub pixels: f64,
    /// Passes it went through.
    pub hops: u32,
    /// Drawn into a target without colour: a shadow map, or depth alone.
    pub shadow: bool,
}

/// Shares an image holds at most; the largest stay.
const MOST: usize = 48;

#[derive(Clone, Debug, Default)]
struct Image {
    size: [u32; 2],
    bytes: u64,
    content: Vec<Share>,
    /// Goes up with each change of the content.
    version: u64,
}

impl Image {
    fn put(&mut self, share: Share) {
        if let Some(known) = self.content.iter_mut().find(|s| s.shot == share.shot && s.region == share.region) {
            if known.frame < share.frame || known.pixels < share.pixels || known.hops > share.hops {
                *known = share;
                self.version += 1;
            }
            return;
        }
        self.version += 1;
        self.content.push(share);
        if self.content.len() > MOST {
            let oldest = self.content.iter().map(|s| s.frame).min().unwrap_or(0);
            let drop = self.content.iter().position(|s| s.frame == oldest).unwrap_or(0);
            self.content.remove(drop);
        }
    }
}

#[derive(Debug, Default)]
pub struct Images {
    images: FxHashMap<ImageId, Image>,
    pub bytes: u64,
}

impl Images {
    pub fn len(&self) -> usize {
        self.images.len()
    }

    pub fn create(&mut self, id: ImageId, desc: &ImageDesc) {
        let bytes = size_of_image(desc);
        self.bytes = self.bytes.saturating_add(bytes);
        self.images.insert(id, Image { size: [desc.width, desc.height], bytes, ..Image::default() });
    }

    pub fn delete(&mut self, id: ImageId) {
        if let Some(image) = self.images.remove(&id) {
            self.bytes = self.bytes.saturating_sub(image.bytes);
        }
    }

    /// Width and height.
    pub fn size(&self, id: ImageId) -> Option<[u32; 2]> {
        self.images.get(&id).map(|image| image.size)
    }

    pub fn content(&self, id: ImageId) -> Option<(u64, &[Share])> {
        self.images.get(&id).map(|image| (image.version, &image.content[..]))
    }

    /// A shot draws into those of these targets that it reaches.
    pub fn draw(&mut self, targets: &RenderTargets, reach: Reach, share: Share) {
        let colors = (0u32..).zip(&targets.colors).filter(|(n, _)| reach.colors >> n & 1 != 0);
        let depth = targets.depth.as_ref().filter(|_| reach.depth);
        for attachment in colors.filter_map(|(_, color)| color.as_ref()).chain(depth) {
            if let Some(image) = self.images.get_mut(&attachment.image) {
                image.put(share);
            }
        }
    }

    pub fn clear(&mut self, targets: &RenderTargets, clear: &Clear, scissor: Option<Rect>) {
        // A clear that leaves a colour as it is hides nothing.
        let masks = targets.colors.iter().zip(&clear.colors).zip(&clear.color_masks);
        let masks = masks.filter(|(_, mask)| **mask & reach::RGB == reach::RGB);
        let colors = masks.filter_map(|((target, color), _)| color.and(target.as_ref()));
        let depth = targets.depth.as_ref().filter(|_| clear.depth.is_some());
        let whole = scissor.is_none_or(|r| (r.width, r.height) == (targets.width, targets.height));
        let (width, height) = (targets.width.max(1) as f32, targets.height.max(1) as f32);
        for attachment in colors.chain(depth) {
            let Some(image) = self.images.get_mut(&attachment.image) else { continue };
            let before = image.content.len();
            match scissor.filter(|_| !whole) {
                // Faces and layers share an image's content: clearing one leaves the others'.
                None if attachment.layer == 0 => image.content.clear(),
                None => {}
                Some(r) => {
                    let (x0, y0) = (r.x as f32 / width, r.y as f32 / height);
                    let (x1, y1) = ((r.x + r.width) as f32 / width, (r.y + r.height) as f32 / height);
                    let inside =
                        |s: &[f32; 4]| s[0] >= x0 - 1e-4 && s[1] >= y0 - 1e-4 && s[2] <= x1 + 1e-4 && s[3] <= y1 + 1e-4;
                    image.content.retain(|share| !inside(&share.region));
                }
            }
            image.version += u64::from(image.content.len() != before);
        }
    }

    pub fn blit(&mut self, blit: &Blit) {
        if blit.aspect == Aspect::Stencil {
            return;
        }
        let (Some(from), Some(to)) = (self.images.get(&blit.src.image), self.size(blit.dst.image)) else { return };
        let parts = |rect: [i32; 4], size: [u32; 2]| {
            let [x0, y0, x1, y1] = rect.map(|v| v as f32);
            let (w, h) = (size[0].max(1) as f32, size[1].max(1) as f32);
            [x0.min(x1) / w, y0.min(y1) / h, x0.max(x1) / w, y0.max(y1) / h]
        };
        // In parts of the mip level the rectangles are in; close enough for whole copies, which these are.
        let src = parts(blit.src.rect, level_size(from.size, blit.src.level));
        let dst = parts(blit.dst.rect, level_size(to, blit.dst.level));
        let moved: Vec<Share> = from.content.iter().filter_map(|share| moved(share, src, dst, to)).collect();
        let whole = dst[0] <= 1e-4 && dst[1] <= 1e-4 && dst[2] >= 0.9999 && dst[3] >= 0.9999 && blit.scissor.is_none();
        let color = blit.aspect == Aspect::All;
        let Some(image) = self.images.get_mut(&blit.dst.image) else { return };
        if whole && color && blit.dst.layer == 0 {
            image.content.clear();
            image.version += 1;
        }
        for share in moved {
            image.put(share);
        }
    }

    pub fn copy(&mut self, src: ImageId, dst: ImageId) {
        let (Some(from), Some(to)) = (self.images.get(&src), self.size(dst)) else { return };
        let whole = [0.0, 0.0, 1.0, 1.0];
        let moved: Vec<Share> = from.content.iter().filter_map(|share| moved(share, whole, whole, to)).collect();
        if let Some(image) = self.images.get_mut(&dst) {
            for share in moved {
                image.put(share);
            }
        }
    }

    /// Lets `settle` say what each image holds at the end of a frame.
    pub fn settle(&mut self, mut settle: impl FnMut(&[Share]) -> Vec<Share>) {
        for image in self.images.values_mut().filter(|image| !image.content.is_empty()) {
            let settled = settle(&image.content);
            if settled != image.content {
                image.content = settled;
                image.version += 1;
            }
        }
    }

    /// Every shot that an image still holds.
    pub fn held(&self) -> impl Iterator<Item = ShotKey> + '_ {
        self.images.values().flat_map(|image| image.content.iter().map(|share| share.shot))
    }
}

fn level_size(size: [u32; 2], level: u32) -> [u32; 2] {
    size.map(|side| side.checked_shr(level).unwrap_or(0).max(1))
}

/// What of a share in `src` arrives in `dst` of an image of that size; `None` if nothing.
fn moved(share: &Share, src: [f32; 4], dst: [f32; 4], size: [u32; 2]) -> Option<Share> {
    let cut = [
        share.region[0].max(src[0]),
        share.region[1].max(src[1]),
        share.region[2].min(src[2]),
        share.region[3].min(src[3]),
    ];
    if cut[0] >= cut[2] || cut[1] >= cut[3] {
        return None;
    }
    let scale = |value: f32, axis: usize| {
        let extent = src[axis + 2] - src[axis];
        let part = if extent > 0.0 { (value - src[axis]) / extent } else { 0.0 };
        dst[axis] + part * (dst[axis + 2] - dst[axis])
    };
    let region = [scale(cut[0], 0), scale(cut[1], 1), scale(cut[2], 0), scale(cut[3], 1)];
    let area = f64::from((region[2] - region[0]) * (region[3] - region[1]));
    let pixels = share.pixels.min(area * f64::from(size[0]) * f64::from(size[1]));
    Some(Share { region, pixels, ..*share })
}

/// Bytes of all levels, layers and samples, as stored.
fn size_of_image(desc: &ImageDesc) -> u64 {
    let ([block_width, block_height], bytes) =
        (storage_block(desc.format), u64::from(storage_memory_size(desc.format)));
    let mut total = 0u64;
    for level in 0..desc.levels.max(1) {
        let [width, height] = level_size([desc.width, desc.height], level);
        let depth = match desc.dimension {
            crate::gl::command::ImageDimension::D3 => desc.depth.checked_shr(level).unwrap_or(0).max(1),
            _ => desc.depth.max(1),
        };
        let blocks = u64::from(width.div_ceil(block_width)) * u64::from(height.div_ceil(block_height));
        total = total.saturating_add(blocks.saturating_mul(u64::from(depth)).saturating_mul(bytes));
    }
    total.saturating_mul(u64::from(desc.samples.max(1)))
}
